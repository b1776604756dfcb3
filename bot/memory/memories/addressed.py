"""Texts of members that are addressed by what they were made from: looked up, else built for all who lack one."""

import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

from cachetools import LRUCache

from bot.memory.days import Situation
from bot.memory.days.freshness import pause_after
from bot.memory.memories.flights import Flights
from bot.memory.telling_each import Told
from bot.store import distillations
from bot.store.database import Connection, Database
from bot.store.distillations import Distillation, Kind

CACHED: Final = 20_000
"""Texts kept in the process, of a kilobyte or two each."""

_LATEST: Final = "latest"
"""Of each member only the text of the newest sources is kept, so all of them share one period."""

Build = Callable[[Sequence[int]], Awaitable[Mapping[int, Told]]]
"""Makes the texts of these members, in as few calls as they fit into."""


class AddressedTexts:
    """The texts of one kind."""

    def __init__(self, database: Database, flights: Flights, kind: Kind) -> None:
        self._database = database
        self._flights = flights
        self._kind: Final = kind
        self._texts: LRUCache[tuple[int, int, int, str], str] = LRUCache(CACHED)

    async def of(
        self, situation: Situation, *, audience: int, sources: Mapping[int, str], build: Build
    ) -> Mapping[int, str]:
        """Return the text of each member in `sources`, which says by member what addresses it."""
        found = self._cached(situation, audience, sources)
        missing = {user_id: sources[user_id] for user_id in sources if user_id not in found}
        if not missing:
            return found
        found |= await self._stored(situation, audience, missing)
        missing = {user_id: sources[user_id] for user_id in missing if user_id not in found}
        if not missing:
            return found

        async def is_done() -> bool:
            return (await self._stored(situation, audience, missing)).keys() == missing.keys()

        async def build_missing() -> None:
            there = await self._stored(situation, audience, missing)
            await self._build(
                situation, audience, {one: missing[one] for one in missing if one not in there}, build
            )

        await self._flights.once(
            guild_id=situation.guild_id,
            key=f"{self._kind}:{audience}:{_digest(missing)}",
            is_done=is_done,
            build=build_missing,
        )
        return found | await self._stored(situation, audience, missing)

    def _cached(self, situation: Situation, audience: int, sources: Mapping[int, str]) -> dict[int, str]:
        texts = {
            user_id: self._texts.get((situation.guild_id, audience, user_id, address))
            for user_id, address in sources.items()
        }
        return {user_id: text for user_id, text in texts.items() if text is not None}

    async def _stored(
        self, situation: Situation, audience: int, sources: Mapping[int, str]
    ) -> dict[int, str]:
        """Return the stored texts of just these sources; one that no model told only until it is due again."""
        rows = await self._database.read(
            lambda connection: self._rows(connection, situation, audience, sources)
        )
        told: dict[int, str] = {}
        for row in rows:
            is_due = row.retry_after is not None and situation.now >= row.retry_after
            if row.sources == sources[row.subject_id] and row.content is not None and not is_due:
                told[row.subject_id] = row.content
                if not row.degraded:
                    self._texts[situation.guild_id, audience, row.subject_id, row.sources] = row.content
        return told

    async def _rows(
        self, connection: Connection, situation: Situation, audience: int, sources: Mapping[int, str]
    ) -> list[Distillation]:
        return await distillations.of_periods(
            connection,
            guild_id=situation.guild_id,
            kind=self._kind,
            audiences=[audience],
            periods=[_LATEST],
            time_zone=situation.time_zone,
            model_chain=situation.model_chain,
            subject_ids=list(sources),
        )

    async def _build(
        self, situation: Situation, audience: int, sources: Mapping[int, str], build: Build
    ) -> None:
        told = await build(list(sources))

        async def save(connection: Connection) -> None:
            before = {
                row.subject_id: row for row in await self._rows(connection, situation, audience, sources)
            }
            rows = [
                _row(situation, self._kind, audience, user_id, sources[user_id], text, before.get(user_id))
                for user_id, text in told.items()
            ]
            await distillations.put_in_epoch(
                connection, rows, guild_id=situation.guild_id, memory_epoch=situation.memory_epoch
            )

        await self._database.write(save)


def _row(
    situation: Situation,
    kind: Kind,
    audience: int,
    user_id: int,
    address: str,
    told: Told,
    before: Distillation | None,
) -> Distillation:
    same = before is not None and before.sources == address and before.retry_after is not None
    failed_before = before.attempts if before is not None and same else 0
    return Distillation(
        guild_id=situation.guild_id,
        kind=kind,
        audience=audience,
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


def _digest(sources: Mapping[int, str]) -> str:
    named = "\n".join(f"{user_id}:{address}" for user_id, address in sorted(sources.items()))
    return hashlib.sha256(named.encode()).hexdigest()[:32]
