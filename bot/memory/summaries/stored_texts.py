"""Texts of days and of members: from the cache, else as they are stored, else built once for all who want
them.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Final, TypeVar

from cachetools import LRUCache

from bot.db.pool import Connection
from bot.memory.derived.engine import Maker, MemoryDependencies, Sources, epoch_of
from bot.memory.messages.repository import DayMark
from bot.memory.policy.redaction import redacted_each
from bot.memory.summaries import repository
from bot.memory.summaries.day_builder import (
    DAY_SUBJECT,
    REFRESH_AFTER,
    DayBuilder,
    DayKey,
    GuildSituation,
    is_due,
    is_servable,
    needs_telling,
    pause_after,
    tellable_texts,
)
from bot.memory.summaries.per_member import MemberText
from bot.memory.summaries.repository import DerivedKind, DerivedText
from bot.memory.summaries.single_flight import Build, SingleFlight

T = TypeVar("T")


class GuildCache(LRUCache[tuple[Hashable, ...], T]):
    """What is held of guilds in the process; each key begins with the guild."""

    def drop(self, guild_id: int) -> None:
        """Let go of what is held of a guild."""
        for key in [key for key in self if key[0] == guild_id]:
            del self[key]


CACHED_DAYS: Final = 500
"""Days kept in the process: a week of some seventy guilds, each day as large as its members are many."""


@dataclass(frozen=True, slots=True)
class StoredDay:
    """One day as it is stored: its own row, and what each member did."""

    marker: DerivedText
    texts: Mapping[int, str]
    quoted_ids: frozenset[int] = frozenset()
    """Those whose text no model told: it is made of their own sentences."""


class StoredDays:
    """Reads days, and has those told that are not, or no longer, there."""

    def __init__(self, needs: MemoryDependencies, flights: SingleFlight) -> None:
        self._database = needs.database
        self._builder = DayBuilder(needs)
        self._flights = flights
        self.held: Final[GuildCache[StoredDay]] = GuildCache(CACHED_DAYS)

    async def known(self, situation: GuildSituation, marks: Sequence[DayMark]) -> dict[DayMark, StoredDay]:
        """Return what may be served of these days at once, in one statement at most; nothing is built."""
        told = {mark: day for mark in marks if (day := self._cached(situation, mark)) is not None}
        missing = [mark for mark in marks if mark not in told]
        if missing:
            told |= await self._stored(situation, missing)
        return told

    async def complete(
        self, situation: GuildSituation, marks: Sequence[DayMark], told: Mapping[DayMark, StoredDay]
    ) -> Mapping[DayMark, StoredDay]:
        """Return these days with those told that need it, all of them side by side; `told` itself if none does."""
        wanting = [mark for mark in marks if self._needs_telling(situation, mark, told.get(mark))]
        if not wanting:
            return told
        await asyncio.gather(
            *(
                self._flights.built(situation.guild_id, [key], partial(self._build, situation, mark))
                for key, mark in ((_day_key(situation, mark), mark) for mark in wanting)
            )
        )
        return {**told, **await self._stored(situation, wanting)}

    def _build(self, situation: GuildSituation, mark: DayMark, _keys: Sequence[Hashable]) -> Build:
        async def is_done() -> bool:
            stored = await self._stored(situation, [mark])
            return not self._needs_telling(situation, mark, stored.get(mark))

        return Build(
            key=f"day:{mark.audience}:{mark.day}:{situation.time_zone}:{situation.model_chain}",
            is_done=is_done,
            build=partial(self._builder.make, DayKey(situation, mark.audience, mark.day)),
        )

    @staticmethod
    def _needs_telling(situation: GuildSituation, mark: DayMark, day: StoredDay | None) -> bool:
        marker = day.marker if day is not None else None
        # Without a model nothing is asked, so nothing is saved by waiting.
        refresh_after = REFRESH_AFTER if situation.model_chain else timedelta(0)
        return needs_telling(
            marker, mark, today=situation.today, now=situation.now, refresh_after=refresh_after
        )

    def _cached(self, situation: GuildSituation, mark: DayMark) -> StoredDay | None:
        """Return a day of the cache that needs no telling; any other is looked up: somebody may have told it."""
        day = self.held.get(_day_key(situation, mark))
        return None if day is None or self._needs_telling(situation, mark, day) else day

    async def _stored(self, situation: GuildSituation, marks: Sequence[DayMark]) -> dict[DayMark, StoredDay]:
        """Return the stored days that may be served."""

        async def read(connection: Connection) -> list[DerivedText]:
            stored = await repository.texts_of_periods(
                connection,
                guild_id=situation.guild_id,
                kind=DerivedKind.DAY,
                audiences=sorted({mark.audience for mark in marks}),
                periods=sorted({mark.day.isoformat() for mark in marks}),
                time_zone=situation.time_zone,
                model_chain=situation.model_chain,
            )
            return await tellable_texts(connection, stored)

        rows = await self._database.read(read)
        told: dict[DayMark, StoredDay] = {}
        for mark in marks:
            own = [row for row in rows if (row.audience, row.period) == (mark.audience, mark.day.isoformat())]
            marker = next((row for row in own if row.subject_id == DAY_SUBJECT), None)
            if marker is None or not is_servable(marker, mark):
                continue
            texts = {row.subject_id: row.content for row in own if row.content is not None}
            # Without a model nothing is degraded, and everything is quoted.
            quoted_ids = frozenset(row.subject_id for row in own if row.degraded or not situation.model_chain)
            told[mark] = self.held[_day_key(situation, mark)] = StoredDay(marker, texts, quoted_ids)
        return told


def _day_key(situation: GuildSituation, mark: DayMark) -> tuple[Hashable, ...]:
    """Return what addresses a day: of whom nothing is kept any more is told in no later epoch."""
    where = (situation.guild_id, situation.memory_epoch, situation.time_zone, situation.model_chain)
    return (*where, mark.audience, mark.day)


CACHED_TEXTS: Final = 20_000
"""Texts kept in the process, of a kilobyte or two each."""

_LATEST: Final = "latest"
"""Of each member only the text of the newest sources is kept, so all of them share one period."""

BuildTexts = Callable[[Sequence[int]], Awaitable[Mapping[int, MemberText]]]
"""Makes the texts of these members, in as few calls as they fit into."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted(Sources):
    """Texts of one audience: by member what addresses them, and how they are told."""

    situation: GuildSituation
    audience: int
    addresses: Mapping[int, str]
    build: BuildTexts

    def key(self, user_id: int) -> tuple[Hashable, ...]:
        """Return what addresses a text in the process.

        After a forgetting even the text of the same sources is told anew: one call told it together with others.
        """
        return self.guild_id, self.memory_epoch, self.audience, user_id, self.addresses[user_id]

    def only(self, user_ids: Sequence[int]) -> "_Wanted":
        """Return what is wanted of these members."""
        return replace(self, addresses={user_id: self.addresses[user_id] for user_id in user_ids})

    def without(self, found: Mapping[int, str]) -> "_Wanted":
        """Return what is wanted and not `found`."""
        return self.only([user_id for user_id in self.addresses if user_id not in found])


class AddressedTexts(Maker[_Wanted, _Wanted, Mapping[int, MemberText]]):
    """The texts of one kind, which are addressed by what they are made from."""

    def __init__(self, needs: MemoryDependencies, flights: SingleFlight, kind: DerivedKind) -> None:
        super().__init__(needs)
        self._flights = flights
        self._kind: Final = kind
        self.held: Final[GuildCache[str]] = GuildCache(CACHED_TEXTS)

    async def of(
        self, situation: GuildSituation, *, audience: int, sources: Mapping[int, str], build: BuildTexts
    ) -> Mapping[int, str]:
        """Return the text of each member in `sources`, which says by member what addresses it."""
        wanted = _Wanted(
            guild_id=situation.guild_id,
            place=f"{self._kind} of {len(sources)} members",
            memory_epoch=situation.memory_epoch,
            situation=situation,
            audience=audience,
            addresses=sources,
            build=build,
        )
        found = {one: text for one in sources if (text := self.held.get(wanted.key(one))) is not None}
        missing = wanted.without(found)
        if missing.addresses:
            found |= await self._needs.database.read(self._stored, missing)
            missing = wanted.without(found)
        if missing.addresses:
            members = {(self._kind, *missing.key(one)): one for one in missing.addresses}
            await self._flights.built(
                situation.guild_id,
                list(members),
                lambda new: self._build(missing.only([members[key] for key in new])),
            )
            found |= await self._needs.database.read(self._stored, missing)
        return found

    def _build(self, wanted: _Wanted) -> Build:
        async def is_done() -> bool:
            return not wanted.without(await self._needs.database.read(self._stored, wanted)).addresses

        named = "\n".join(f"{user_id}:{address}" for user_id, address in sorted(wanted.addresses.items()))
        digest = hashlib.sha256(named.encode()).hexdigest()[:32]
        return Build(
            key=f"{self._kind}:{wanted.audience}:{digest}", is_done=is_done, build=partial(self.make, wanted)
        )

    async def read(self, connection: Connection, key: _Wanted) -> _Wanted | None:
        """Return what is not told yet; nothing if nobody would be served it any more."""
        if await epoch_of(connection, guild_id=key.guild_id) != key.memory_epoch:
            return None
        missing = key.without(await self._stored(connection, key))
        return missing if missing.addresses else None

    async def tell(self, sources: _Wanted) -> Mapping[int, MemberText]:
        """Have the texts told."""
        return await sources.build(list(sources.addresses))

    async def store(self, connection: Connection, sources: _Wanted, told: Mapping[int, MemberText]) -> bool:
        """Store them without what may not be said of members."""
        before = {row.subject_id: row for row in await self._rows(connection, sources)}
        left = await redacted_each(
            connection,
            self._needs.hasher,
            guild_id=sources.guild_id,
            texts={user_id: one.text for user_id, one in told.items()},
        )
        rows = [
            self._row(sources, user_id, MemberText(left[user_id], one.degraded), before.get(user_id))
            for user_id, one in told.items()
        ]
        await repository.put_texts(connection, rows)
        return True

    async def _stored(self, connection: Connection, wanted: _Wanted) -> dict[int, str]:
        """Return the stored texts of just these sources; one that no model told only until it is due again."""
        told: dict[int, str] = {}
        for row in await self._rows(connection, wanted):
            is_wanted = row.sources == wanted.addresses[row.subject_id]
            is_wanted = is_wanted and row.memory_epoch == wanted.memory_epoch
            if is_wanted and row.content is not None and not is_due(row, now=wanted.situation.now):
                told[row.subject_id] = row.content
                if not row.degraded:
                    self.held[wanted.key(row.subject_id)] = row.content
        return told

    async def _rows(self, connection: Connection, wanted: _Wanted) -> list[DerivedText]:
        return await repository.texts_of_periods(
            connection,
            guild_id=wanted.guild_id,
            kind=self._kind,
            audiences=[wanted.audience],
            periods=[_LATEST],
            time_zone=wanted.situation.time_zone,
            model_chain=wanted.situation.model_chain,
            subject_ids=list(wanted.addresses),
        )

    def _row(
        self, wanted: _Wanted, user_id: int, told: MemberText, before: DerivedText | None
    ) -> DerivedText:
        situation, address = wanted.situation, wanted.addresses[user_id]
        same = before is not None and before.sources == address and before.retry_after is not None
        failed_before = before.attempts if before is not None and same else 0
        return DerivedText(
            guild_id=wanted.guild_id,
            kind=self._kind,
            audience=wanted.audience,
            subject_id=user_id,
            period=_LATEST,
            sources=address,
            time_zone=situation.time_zone,
            model_chain=situation.model_chain,
            content=told.text,
            built_at=situation.now,
            degraded=told.degraded,
            attempts=failed_before + 1,
            retry_after=situation.now + pause_after(failed_before) if told.degraded else None,
            memory_epoch=situation.memory_epoch,
        )
