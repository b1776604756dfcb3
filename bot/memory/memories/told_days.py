"""The days of a guild as they are told: from the cache, else stored, else built by one for all."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, TypeAlias

from cachetools import LRUCache

from bot.memory.days import DayBuilder, Situation
from bot.memory.days.freshness import DAY_SUBJECT, REFRESH_AFTER, is_servable, needs_telling
from bot.memory.days.tellable import tellable
from bot.memory.memories.flights import Flights
from bot.store import distillations
from bot.store.database import Connection, Database
from bot.store.day_marks import Mark
from bot.store.distillations import Distillation, Kind

CACHED: Final = 500
"""Days kept in the process: a week of some seventy guilds, each day as large as its members are many."""


_Key: TypeAlias = tuple[int, int, int, date, str, str]
"""Guild, epoch, audience, day, time zone, models: of whom nothing is kept any more is told in no later epoch."""


@dataclass(frozen=True, slots=True)
class ToldDay:
    """One day as it is stored: its own row, and what each member did."""

    marker: Distillation
    texts: Mapping[int, str]
    quoted_ids: frozenset[int] = frozenset()
    """Those whose text no model told: it is made of their own sentences."""


class ToldDays:
    """Reads days, and has those told that are not, or no longer, there."""

    def __init__(self, database: Database, builder: DayBuilder, flights: Flights) -> None:
        self._database = database
        self._builder = builder
        self._flights = flights
        self._days: LRUCache[_Key, ToldDay] = LRUCache(CACHED)

    async def known(self, situation: Situation, marks: Sequence[Mark]) -> dict[Mark, ToldDay]:
        """Return what may be served of these days at once, in one statement at most; nothing is built."""
        told = {mark: day for mark in marks if (day := self._cached(situation, mark)) is not None}
        missing = [mark for mark in marks if mark not in told]
        if missing:
            told |= await self._stored(situation, missing)
        return told

    async def complete(
        self, situation: Situation, marks: Sequence[Mark], told: Mapping[Mark, ToldDay]
    ) -> Mapping[Mark, ToldDay]:
        """Return these days with those told that need it, all of them side by side; `told` itself if none does."""
        wanting = [mark for mark in marks if self._needs_telling(situation, mark, told.get(mark))]
        if not wanting:
            return told
        await asyncio.gather(*(self._tell(situation, mark) for mark in wanting))
        return {**told, **await self._stored(situation, wanting)}

    def drop(self, guild_id: int) -> None:
        """Let go of the days of a guild that are held in the process."""
        for key in [key for key in self._days if key[0] == guild_id]:
            del self._days[key]

    async def _tell(self, situation: Situation, mark: Mark) -> None:
        async def is_done() -> bool:
            stored = await self._stored(situation, [mark])
            return not self._needs_telling(situation, mark, stored.get(mark))

        async def build() -> None:
            await self._builder.build(situation, audience=mark.audience, day=mark.day)

        flight = self._flights.begin(
            guild_id=situation.guild_id,
            key=f"day:{mark.audience}:{mark.day}:{situation.time_zone}:{situation.model_chain}",
            is_done=is_done,
            build=build,
        )
        await asyncio.shield(flight)

    @staticmethod
    def _needs_telling(situation: Situation, mark: Mark, day: ToldDay | None) -> bool:
        marker = day.marker if day is not None else None
        # Without a model nothing is asked, so nothing is saved by waiting.
        refresh_after = REFRESH_AFTER if situation.model_chain else timedelta(0)
        return needs_telling(
            marker, mark, today=situation.today, now=situation.now, refresh_after=refresh_after
        )

    def _cached(self, situation: Situation, mark: Mark) -> ToldDay | None:
        """Return a day of the cache that needs no telling; any other is looked up: somebody may have told it."""
        day = self._days.get(_key(situation, mark))
        return None if day is None or self._needs_telling(situation, mark, day) else day

    async def _stored(self, situation: Situation, marks: Sequence[Mark]) -> dict[Mark, ToldDay]:
        """Return the stored days that may be served."""

        async def read(connection: Connection) -> list[Distillation]:
            stored = await distillations.of_periods(
                connection,
                guild_id=situation.guild_id,
                kind=Kind.DAY,
                audiences=sorted({mark.audience for mark in marks}),
                periods=sorted({mark.day.isoformat() for mark in marks}),
                time_zone=situation.time_zone,
                model_chain=situation.model_chain,
            )
            return await tellable(connection, stored)

        rows = await self._database.read(read)
        told: dict[Mark, ToldDay] = {}
        for mark in marks:
            own = [row for row in rows if (row.audience, row.period) == (mark.audience, mark.day.isoformat())]
            marker = next((row for row in own if row.subject_id == DAY_SUBJECT), None)
            if marker is None or not is_servable(marker, mark):
                continue
            texts = {row.subject_id: row.content for row in own if row.content is not None}
            # Without a model nothing is degraded, and everything is quoted.
            quoted_ids = frozenset(row.subject_id for row in own if row.degraded or not situation.model_chain)
            told[mark] = self._days[_key(situation, mark)] = ToldDay(marker, texts, quoted_ids)
        return told


def _key(situation: Situation, mark: Mark) -> _Key:
    return (
        situation.guild_id,
        situation.memory_epoch,
        mark.audience,
        mark.day,
        situation.time_zone,
        situation.model_chain,
    )
