"""The texts of members that are addressed by their sources: looked up, and built if they are missing."""

import hashlib
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic

from bot.db.pool import Connection
from bot.memory.derived.engine import Maker, MemoryDependencies, Sources, epoch_of
from bot.memory.derived.reading import GuildSituation, ReadTexts, SingleFlight, TextKey
from bot.memory.policy.redaction import redacted_each
from bot.memory.summaries import repository
from bot.memory.summaries.per_member import AskedT, MemberText
from bot.memory.summaries.repository import DerivedKind, DerivedText, pause_after

CACHED_TEXTS: Final = 20_000
"""Texts kept in the process, of a kilobyte or two each."""

_LATEST: Final = "latest"
"""Of each member only the text of the newest sources is kept, so all of them share one period."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted(Sources, Generic[AskedT]):
    """Texts of one audience that are not told yet."""

    keys: Sequence[TextKey[AskedT]]


class AddressedTexts(
    ReadTexts[AskedT, MemberText],
    Maker[Sequence[TextKey[AskedT]], _Wanted[AskedT], Mapping[int, MemberText]],
):
    """The texts of one kind, addressed by their sources.

    After a forgetting even a text with the same sources is made again, since one call made it together with others.
    """

    def __init__(
        self,
        needs: MemoryDependencies,
        flights: SingleFlight,
        kind: DerivedKind,
        tell: Callable[..., Awaitable[Mapping[int, MemberText]]],
    ) -> None:
        """`tell` makes the texts as `tell_weeks` does."""
        Maker.__init__(self, needs)
        ReadTexts.__init__(self, needs.database, flights, most_held=CACHED_TEXTS)
        self._kind: Final = kind
        self._tell: Final = tell

    async def of(
        self, situation: GuildSituation, *, audience: int, sources: Iterable[AskedT]
    ) -> dict[int, str]:
        """Return the text of each member for whom there are sources."""
        wanted = [
            TextKey(str(self._kind), situation, audience, one.user_id, one.address, one) for one in sources
        ]
        told = await self.complete(wanted, await self.known(wanted))
        return {key.subject_id: one.text for key, one in told.items()}

    def may_be_held(self, text: MemberText) -> bool:
        """Tell whether a model told it: else it is due again some day."""
        return not text.degraded

    def build_key(self, keys: Sequence[TextKey[AskedT]]) -> str:
        """Return what names these texts."""
        named = "\n".join(sorted(f"{key.subject_id}:{key.address}" for key in keys))
        return f"{self._kind}:{keys[0].audience}:{hashlib.sha256(named.encode()).hexdigest()[:32]}"

    async def build(self, keys: Sequence[TextKey[AskedT]]) -> None:
        """Have the texts told."""
        await self.make(keys)

    async def look_up(
        self, connection: Connection, wanted: Sequence[TextKey[AskedT]]
    ) -> dict[TextKey[AskedT], MemberText]:
        """Return the stored texts of just these sources; one that no model told only until it is due again."""
        rows = {row.subject_id: row for row in await self._rows(connection, wanted)}
        return {
            key: MemberText(row.content, row.degraded)
            for key in wanted
            if (row := rows.get(key.subject_id)) is not None
            and (row.sources, row.memory_epoch) == (key.address, key.situation.memory_epoch)
            and row.content is not None
            and not row.is_due(now=key.situation.now)
        }

    async def read(self, connection: Connection, key: Sequence[TextKey[AskedT]]) -> _Wanted[AskedT] | None:
        """Return what is not told yet; nothing if nobody would be served it any more."""
        situation = key[0].situation
        if await epoch_of(connection, guild_id=situation.guild_id) != situation.memory_epoch:
            return None
        found = await self.look_up(connection, key)
        missing = [one for one in key if one not in found]
        return (
            _Wanted(
                guild_id=situation.guild_id,
                place=f"{self._kind} of {len(missing)} members",
                memory_epoch=situation.memory_epoch,
                keys=missing,
            )
            if missing
            else None
        )

    async def tell(self, sources: _Wanted[AskedT]) -> Mapping[int, MemberText]:
        """Have the texts told."""
        asked = [key.of for key in sources.keys]
        return await self._tell(self._needs.operations, asked, guild_id=sources.guild_id)

    async def store(
        self, connection: Connection, sources: _Wanted[AskedT], told: Mapping[int, MemberText]
    ) -> bool:
        """Store them without what may not be said of members."""
        before = {row.subject_id: row for row in await self._rows(connection, sources.keys)}
        left = await redacted_each(
            connection,
            self._needs.hasher,
            guild_id=sources.guild_id,
            texts={user_id: one.text for user_id, one in told.items()},
        )
        await repository.put_texts(
            connection,
            [
                self._row(
                    key, left[key.subject_id], told[key.subject_id].degraded, before.get(key.subject_id)
                )
                for key in sources.keys
                if key.subject_id in told
            ],
        )
        return True

    async def _rows(self, connection: Connection, wanted: Sequence[TextKey[AskedT]]) -> list[DerivedText]:
        return await repository.texts_of_periods(
            connection,
            wanted[0].situation,
            kinds=[self._kind],
            audiences=[wanted[0].audience],
            periods=[_LATEST],
            subject_ids=[key.subject_id for key in wanted],
        )

    def _row(
        self, key: TextKey[AskedT], text: str, degraded: bool, before: DerivedText | None
    ) -> DerivedText:
        situation = key.situation
        same = before is not None and before.sources == key.address and before.retry_after is not None
        failed_before = before.attempts if before is not None and same else 0
        return DerivedText(
            guild_id=situation.guild_id,
            kind=self._kind,
            audience=key.audience,
            subject_id=key.subject_id,
            period=_LATEST,
            sources=key.address,
            time_zone=situation.time_zone,
            model_chain=situation.model_chain,
            content=text,
            built_at=situation.now,
            degraded=degraded,
            attempts=failed_before + 1,
            retry_after=situation.now + pause_after(failed_before) if degraded else None,
            memory_epoch=situation.memory_epoch,
        )
