"""Reading what is remembered of members: in time, whatever has to be told first."""

import asyncio
import hashlib
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from cachetools import LRUCache

from bot.clock import Clock
from bot.domain import MAX_ID, OPEN
from bot.errors import DatabaseError
from bot.language.operation import Operations
from bot.log import kind
from bot.memory.audience import view_of
from bot.memory.context import Sources, joined, merge_contexts, needs_a_merge, sources_hash
from bot.memory.days import DayBuilder, Situation
from bot.memory.directory import Directory
from bot.memory.hashing import Hasher
from bot.memory.history import MemberWeek, as_dated_sentences, tell_weeks
from bot.memory.memories.addressed import AddressedTexts
from bot.memory.memories.facts_texts import FactsTexts
from bot.memory.memories.flights import Flights
from bot.memory.memories.part import Context, Part
from bot.memory.memories.state import Fence, State, read_state
from bot.memory.memories.told_days import ToldDays
from bot.memory.telling_each import Told
from bot.settings import Settings
from bot.store.database import Database
from bot.store.distillations import Kind

logger = logging.getLogger(__name__)

READING_SECONDS: Final = 1.0
"""Real seconds that a read takes at most, over all of it: a reply never waits for a memory."""

_LAST_GOOD: Final = 20_000
"""Contexts kept to be served when the one of now is not ready in time."""

_EPOCHS: Final = 10_000
"""Guilds of which it is known in which epoch they were read last."""


@dataclass(frozen=True, slots=True)
class MemberMemories:
    """What is remembered of one member, with members as `<@id>`."""

    context: str
    """Facts, today and the week as one text."""
    lately: str
    """Today and the week alone; empty if there is nothing but facts."""
    context_unquoted: str
    """The context for others: without the days that no model told, which are made of the member's own sentences."""
    lately_unquoted: str


@dataclass(slots=True)
class _Read:
    """What a read has found out so far; when its time is over, that is what is told."""

    state: State | None = None
    parts: dict[int, Part] = field(default_factory=dict)
    """By audience."""


class Memories:
    """What is remembered of members; builds that outlast a read go on until `stop`."""

    def __init__(
        self,
        database: Database,
        directory: Directory,
        operations: Operations,
        clock: Clock,
        settings: Settings,
        hasher: Hasher,
    ) -> None:
        self._database = database
        self._operations = operations
        self._clock = clock
        self._chain = settings.model_summary if operations.has_models else ""
        self._flights = Flights(database)
        self._facts = FactsTexts(database)
        builder = DayBuilder(database, directory, operations, clock, hasher)
        self._days = ToldDays(database, builder, self._flights)
        self._historical = AddressedTexts(database, self._flights, Kind.HISTORICAL, hasher)
        self._contexts = AddressedTexts(database, self._flights, Kind.CONTEXT, hasher)
        self._last_good: LRUCache[tuple[int, int, int], tuple[Fence, Context]] = LRUCache(_LAST_GOOD)
        self._epochs: LRUCache[int, int] = LRUCache(_EPOCHS)
        self._behind: set[asyncio.Task[None]] = set()

    async def stop(self) -> None:
        """End the builds that are under way."""
        for task in self._behind:
            task.cancel()
        await asyncio.gather(*self._behind, return_exceptions=True)
        await self._flights.stop()

    async def settled(self) -> None:
        """Return when no build is under way."""
        while self._behind:
            await asyncio.gather(*self._behind, return_exceptions=True)
        await self._flights.settled()

    async def of(
        self,
        *,
        guild_id: int,
        user_ids: Sequence[int],
        audience: int = OPEN,
        seconds: float = READING_SECONDS,
    ) -> dict[int, MemberMemories]:
        """Return what is remembered of each of these members where `audience` may read.

        In a closed channel what is open stands above what is the channel's own. Of whom nothing is known is left
        out. After `seconds`, real ones, what is known by then is told, and what was begun goes on behind.
        """
        # A model or a person may well name an id that no column holds.
        members = [user_id for user_id in dict.fromkeys(user_ids) if 0 <= user_id <= MAX_ID]
        audiences = view_of(guild_id=guild_id, channel_audience=audience).audiences
        read = _Read()
        task = asyncio.create_task(self._read(read, guild_id, audiences, members), name="read memories")
        self._behind.add(task)
        task.add_done_callback(self._behind.discard)
        try:
            async with asyncio.timeout(seconds):
                await asyncio.shield(task)
        except TimeoutError:
            logger.info("memories of guild %d were not ready in time", guild_id)
        except DatabaseError as error:
            logger.warning("memories of guild %d cannot be read: %s", guild_id, kind(error))
        return self._told(read, audiences, members)

    async def _read(
        self, read: _Read, guild_id: int, audiences: Sequence[int], user_ids: Sequence[int]
    ) -> None:
        read.state = await self._database.read(
            lambda connection: read_state(
                connection,
                guild_id=guild_id,
                audiences=audiences,
                user_ids=user_ids,
                now=self._clock.now(),
                model_chain=self._chain,
            )
        )
        self._let_go(read.state.situation)
        for audience in audiences:
            read.parts[audience] = Part()
        await asyncio.gather(
            *(self._read_part(read.state, audience, read.parts[audience], user_ids) for audience in audiences)
        )

    def _let_go(self, situation: Situation) -> None:
        """Let go of what was held of earlier epochs: what is forgotten is not even held where it is not served."""
        guild_id, epoch = situation.guild_id, situation.memory_epoch
        if self._epochs.get(guild_id) == epoch:
            return
        self._epochs[guild_id] = epoch
        for held in (self._facts, self._days, self._historical, self._contexts):
            held.drop(guild_id)
        for key, (fence, _) in [*self._last_good.items()]:
            if key[0] == guild_id and fence.memory_epoch != epoch:
                del self._last_good[key]

    async def _read_part(self, state: State, audience: int, part: Part, user_ids: Sequence[int]) -> None:
        situation = state.situation
        marks = [mark for mark in state.marks if mark.audience == audience]
        part.facts = await self._facts.of(state, audience=audience, user_ids=user_ids)
        known = await self._days.known(situation, marks)
        part.take_days(known, user_ids, today=situation.today)
        told = await self._days.complete(situation, marks, known)
        if told is not known:
            part.take_days(told, user_ids, today=situation.today)
        if not self._operations.has_models:
            part.contexts = {user_id: text for user_id in user_ids if (text := joined(part.sources(user_id)))}
            return
        part.historical = await self._historical.of(
            situation,
            audience=audience,
            sources={user_id: _week_hash(week) for user_id, week in part.weeks.items()},
            build=lambda missing: self._tell_weeks(situation.guild_id, [part.weeks[one] for one in missing]),
        )
        sources = {user_id: part.sources(user_id) for user_id in user_ids}
        merging = {user_id: one for user_id, one in sources.items() if needs_a_merge(one)}
        merged = await self._contexts.of(
            situation,
            audience=audience,
            sources={user_id: sources_hash(one) for user_id, one in merging.items()},
            build=lambda missing: merge_contexts(
                self._operations, [merging[one] for one in missing], guild_id=situation.guild_id
            ),
        )
        part.contexts = {
            user_id: merged.get(user_id) or joined(one) for user_id, one in sources.items() if one.texts
        }

    async def _tell_weeks(self, guild_id: int, weeks: Sequence[MemberWeek]) -> Mapping[int, Told]:
        """Tell weeks of several days; a single day is told as it is."""
        single = {
            week.user_id: Told(as_dated_sentences(week), degraded=False)
            for week in weeks
            if len(week.days) == 1
        }
        several = [week for week in weeks if len(week.days) > 1]
        return single | await tell_weeks(self._operations, several, guild_id=guild_id)

    def _told(
        self, read: _Read, audiences: Sequence[int], user_ids: Sequence[int]
    ) -> dict[int, MemberMemories]:
        if read.state is None:
            # Nobody knows what was forgotten since, so nothing is told.
            return {}
        parts = [(read.parts.get(audience, Part()), audience) for audience in audiences]
        fences = {audience: read.state.fence(audience) for audience in audiences}
        told: dict[int, MemberMemories] = {}
        for user_id in user_ids:
            contexts = [
                self._context(read.state, part, user_id, audience=audience, fence=fences[audience])
                for part, audience in parts
            ]
            if any(one.text for one in contexts):
                today = read.state.situation.today
                told[user_id] = MemberMemories(
                    context=_lines(one.text for one in contexts),
                    lately=_lines(_lately(part.sources(user_id)) for part, _ in parts),
                    context_unquoted=_lines(one.unquoted for one in contexts),
                    lately_unquoted=_lines(_lately(part.unquoted(user_id, today=today)) for part, _ in parts),
                )
        return told

    def _context(self, state: State, part: Part, user_id: int, *, audience: int, fence: Fence) -> Context:
        """Return the context, else the last good one of what has not been taken back, else the sources."""
        key = (state.situation.guild_id, audience, user_id)
        unquoted = joined(part.unquoted(user_id, today=state.situation.today))
        if part.contexts is not None:
            text = part.contexts.get(user_id, "")
            context = Context(text, unquoted if part.quoted.get(user_id) else text)
            self._last_good[key] = (fence, context)
            return context
        last = self._last_good.get(key)
        if last is not None and state.allows(last[0], audience):
            return last[1]
        return Context(joined(part.sources(user_id)), unquoted)


def _lately(sources: Sources) -> str:
    return joined(replace(sources, facts=""))


def _lines(texts: Iterable[str]) -> str:
    return "\n".join(filter(None, texts))


def _week_hash(week: MemberWeek) -> str:
    told = "\x1f".join(f"{day.day.isoformat()} {day.text}" for day in week.days)
    return hashlib.sha256(told.encode()).hexdigest()[:32]
