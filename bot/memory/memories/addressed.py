"""Texts of members that are addressed by what they were made from: looked up, else built for all who lack one."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, TypeAlias

from cachetools import LRUCache

from bot.memory.days import Situation
from bot.memory.days.freshness import is_due, pause_after
from bot.memory.hashing import Hasher
from bot.memory.memories.flights import Flights
from bot.memory.sayable import sayable_each
from bot.memory.telling_each import Told
from bot.store import distillations
from bot.store.database import Connection, Database
from bot.store.distillations import Distillation, Kind

CACHED: Final = 20_000
"""Texts kept in the process, of a kilobyte or two each."""

_LATEST: Final = "latest"
"""Of each member only the text of the newest sources is kept, so all of them share one period."""

_Key: TypeAlias = tuple[int, int, int, int, str]
"""Guild, epoch, audience, member, address: after a forgetting even the text of the same sources is told anew, since
one call told it together with those of others."""

Build = Callable[[Sequence[int]], Awaitable[Mapping[int, Told]]]
"""Makes the texts of these members, in as few calls as they fit into."""


class AddressedTexts:
    """The texts of one kind."""

    def __init__(self, database: Database, flights: Flights, kind: Kind, hasher: Hasher) -> None:
        self._database = database
        self._flights = flights
        self._kind: Final = kind
        self._hasher = hasher
        self._texts: LRUCache[_Key, str] = LRUCache(CACHED)
        self._under_way: dict[_Key, asyncio.Task[None]] = {}

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

        await asyncio.gather(
            *(asyncio.shield(task) for task in self._flights_for(situation, audience, missing, build))
        )
        return found | await self._stored(situation, audience, missing)

    def drop(self, guild_id: int) -> None:
        """Let go of the texts of a guild that are held in the process."""
        for key in [key for key in self._texts if key[0] == guild_id]:
            del self._texts[key]

    def _flights_for(
        self, situation: Situation, audience: int, missing: Mapping[int, str], build: Build
    ) -> set[asyncio.Task[None]]:
        """Return the builds of these texts: those under way, and one for all that nobody is building here."""
        keys = {one: _key(situation, audience, one, address) for one, address in missing.items()}
        flights = {self._under_way[key] for key in keys.values() if key in self._under_way}
        own = {one: address for one, address in missing.items() if keys[one] not in self._under_way}
        if own:
            flight = self._begin(situation, audience, own, build)
            taken = [keys[one] for one in own]
            self._under_way.update(dict.fromkeys(taken, flight))
            flight.add_done_callback(lambda _: self._landed(taken))
            flights.add(flight)
        return flights

    def _landed(self, keys: Sequence[_Key]) -> None:
        for key in keys:
            self._under_way.pop(key, None)

    def _begin(
        self, situation: Situation, audience: int, sources: Mapping[int, str], build: Build
    ) -> asyncio.Task[None]:
        async def is_done() -> bool:
            return (await self._stored(situation, audience, sources)).keys() == sources.keys()

        async def build_missing() -> None:
            there = await self._stored(situation, audience, sources)
            missing = {one: address for one, address in sources.items() if one not in there}
            await self._build(situation, audience, missing, build)

        return self._flights.begin(
            guild_id=situation.guild_id,
            key=f"{self._kind}:{audience}:{_digest(sources)}",
            is_done=is_done,
            build=build_missing,
        )

    def _cached(self, situation: Situation, audience: int, sources: Mapping[int, str]) -> dict[int, str]:
        texts = {
            user_id: self._texts.get(_key(situation, audience, user_id, address))
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
            is_wanted = row.sources == sources[row.subject_id] and row.memory_epoch == situation.memory_epoch
            if is_wanted and row.content is not None and not is_due(row, now=situation.now):
                told[row.subject_id] = row.content
                if not row.degraded:
                    self._texts[_key(situation, audience, row.subject_id, row.sources)] = row.content
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
            left = await sayable_each(
                connection,
                self._hasher,
                guild_id=situation.guild_id,
                texts={user_id: one.text for user_id, one in told.items()},
            )
            rows = [
                _row(
                    situation,
                    self._kind,
                    audience,
                    user_id,
                    sources[user_id],
                    Told(left[user_id], one.degraded),
                    before.get(user_id),
                )
                for user_id, one in told.items()
            ]
            await distillations.put_in_epoch(
                connection, rows, guild_id=situation.guild_id, memory_epoch=situation.memory_epoch
            )

        await self._database.write(save)


def _key(situation: Situation, audience: int, user_id: int, address: str) -> _Key:
    return situation.guild_id, situation.memory_epoch, audience, user_id, address


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
