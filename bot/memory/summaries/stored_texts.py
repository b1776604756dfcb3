"""Texts of days and of members: from the cache, else as they are stored, else built once for all who want
them.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, TypeAlias

from cachetools import LRUCache

from bot.db.pool import Connection
from bot.memory.derived.engine import MemoryDependencies
from bot.memory.messages.repository import DayMark
from bot.memory.policy.redaction import redacted_each
from bot.memory.summaries import repository
from bot.memory.summaries.day_builder import (
    DAY_SUBJECT,
    REFRESH_AFTER,
    DayBuilder,
    GuildSituation,
    is_due,
    is_servable,
    needs_telling,
    pause_after,
    tellable_texts,
)
from bot.memory.summaries.per_member import MemberText
from bot.memory.summaries.repository import DerivedKind, DerivedText
from bot.memory.summaries.single_flight import SingleFlight

CACHED_DAYS: Final = 500
"""Days kept in the process: a week of some seventy guilds, each day as large as its members are many."""


_DayKey: TypeAlias = tuple[int, int, int, date, str, str]
"""Guild, epoch, audience, day, time zone, models: of whom nothing is kept any more is told in no later epoch."""


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
        self._days: LRUCache[_DayKey, StoredDay] = LRUCache(CACHED_DAYS)

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
        await asyncio.gather(*(self._tell(situation, mark) for mark in wanting))
        return {**told, **await self._stored(situation, wanting)}

    def drop(self, guild_id: int) -> None:
        """Let go of the days of a guild that are held in the process."""
        for key in [key for key in self._days if key[0] == guild_id]:
            del self._days[key]

    async def _tell(self, situation: GuildSituation, mark: DayMark) -> None:
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
    def _needs_telling(situation: GuildSituation, mark: DayMark, day: StoredDay | None) -> bool:
        marker = day.marker if day is not None else None
        # Without a model nothing is asked, so nothing is saved by waiting.
        refresh_after = REFRESH_AFTER if situation.model_chain else timedelta(0)
        return needs_telling(
            marker, mark, today=situation.today, now=situation.now, refresh_after=refresh_after
        )

    def _cached(self, situation: GuildSituation, mark: DayMark) -> StoredDay | None:
        """Return a day of the cache that needs no telling; any other is looked up: somebody may have told it."""
        day = self._days.get(_day_key(situation, mark))
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
            told[mark] = self._days[_day_key(situation, mark)] = StoredDay(marker, texts, quoted_ids)
        return told


def _day_key(situation: GuildSituation, mark: DayMark) -> _DayKey:
    return (
        situation.guild_id,
        situation.memory_epoch,
        mark.audience,
        mark.day,
        situation.time_zone,
        situation.model_chain,
    )


CACHED_TEXTS: Final = 20_000
"""Texts kept in the process, of a kilobyte or two each."""

_LATEST: Final = "latest"
"""Of each member only the text of the newest sources is kept, so all of them share one period."""

_TextKey: TypeAlias = tuple[int, int, int, int, str]
"""Guild, epoch, audience, member, address: after a forgetting even the text of the same sources is told anew, since
one call told it together with those of others."""

BuildTexts = Callable[[Sequence[int]], Awaitable[Mapping[int, MemberText]]]
"""Makes the texts of these members, in as few calls as they fit into."""


class AddressedTexts:
    """The texts of one kind."""

    def __init__(self, needs: MemoryDependencies, flights: SingleFlight, kind: DerivedKind) -> None:
        self._database = needs.database
        self._flights = flights
        self._kind: Final = kind
        self._hasher = needs.hasher
        self._texts: LRUCache[_TextKey, str] = LRUCache(CACHED_TEXTS)
        self._under_way: dict[_TextKey, asyncio.Task[None]] = {}

    async def of(
        self, situation: GuildSituation, *, audience: int, sources: Mapping[int, str], build: BuildTexts
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
        self, situation: GuildSituation, audience: int, missing: Mapping[int, str], build: BuildTexts
    ) -> set[asyncio.Task[None]]:
        """Return the builds of these texts: those under way, and one for all that nobody is building here."""
        keys = {one: _text_key(situation, audience, one, address) for one, address in missing.items()}
        flights = {self._under_way[key] for key in keys.values() if key in self._under_way}
        own = {one: address for one, address in missing.items() if keys[one] not in self._under_way}
        if own:
            flight = self._begin(situation, audience, own, build)
            taken = [keys[one] for one in own]
            self._under_way.update(dict.fromkeys(taken, flight))
            flight.add_done_callback(lambda _: self._landed(taken))
            flights.add(flight)
        return flights

    def _landed(self, keys: Sequence[_TextKey]) -> None:
        for key in keys:
            self._under_way.pop(key, None)

    def _begin(
        self, situation: GuildSituation, audience: int, sources: Mapping[int, str], build: BuildTexts
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

    def _cached(self, situation: GuildSituation, audience: int, sources: Mapping[int, str]) -> dict[int, str]:
        texts = {
            user_id: self._texts.get(_text_key(situation, audience, user_id, address))
            for user_id, address in sources.items()
        }
        return {user_id: text for user_id, text in texts.items() if text is not None}

    async def _stored(
        self, situation: GuildSituation, audience: int, sources: Mapping[int, str]
    ) -> dict[int, str]:
        """Return the stored texts of just these sources; one that no model told only until it is due again."""
        rows = await self._database.read(self._rows, situation, audience, sources)
        told: dict[int, str] = {}
        for row in rows:
            is_wanted = row.sources == sources[row.subject_id] and row.memory_epoch == situation.memory_epoch
            if is_wanted and row.content is not None and not is_due(row, now=situation.now):
                told[row.subject_id] = row.content
                if not row.degraded:
                    self._texts[_text_key(situation, audience, row.subject_id, row.sources)] = row.content
        return told

    async def _rows(
        self, connection: Connection, situation: GuildSituation, audience: int, sources: Mapping[int, str]
    ) -> list[DerivedText]:
        return await repository.texts_of_periods(
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
        self, situation: GuildSituation, audience: int, sources: Mapping[int, str], build: BuildTexts
    ) -> None:
        told = await build(list(sources))

        async def save(connection: Connection) -> None:
            before = {
                row.subject_id: row for row in await self._rows(connection, situation, audience, sources)
            }
            left = await redacted_each(
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
                    MemberText(left[user_id], one.degraded),
                    before.get(user_id),
                )
                for user_id, one in told.items()
            ]
            await repository.put_texts_in_epoch(
                connection, rows, guild_id=situation.guild_id, memory_epoch=situation.memory_epoch
            )

        await self._database.write(save)


def _text_key(situation: GuildSituation, audience: int, user_id: int, address: str) -> _TextKey:
    return situation.guild_id, situation.memory_epoch, audience, user_id, address


def _row(
    situation: GuildSituation,
    kind: DerivedKind,
    audience: int,
    user_id: int,
    address: str,
    told: MemberText,
    before: DerivedText | None,
) -> DerivedText:
    same = before is not None and before.sources == address and before.retry_after is not None
    failed_before = before.attempts if before is not None and same else 0
    return DerivedText(
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
