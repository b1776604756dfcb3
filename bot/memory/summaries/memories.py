"""What is remembered about members for a reply: facts, current day and week as one text each, read within a deadline
whatever must be built first.
"""

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Final

from cachetools import LRUCache

from bot.core.domain import GUILD_SUBJECT, MAX_ID, OPEN, Fact
from bot.db.pool import Connection, Database
from bot.db.rows import columns_of, row_as
from bot.db.service import BackgroundWork
from bot.memory.derived.engine import MemoryDependencies
from bot.memory.derived.reading import (
    GuildCache,
    GuildSituation,
    ReadInTime,
    ReadTexts,
    SingleFlight,
    TextKey,
)
from bot.memory.facts import repository as facts_repository
from bot.memory.facts import repository_narratives, statements
from bot.memory.facts.narrative import for_prompt
from bot.memory.facts.repository_narratives import FACTS_VERSIONS, FactsVersion, Narrative
from bot.memory.messages.day_marks import DayMark
from bot.memory.policy.permissions import scope_of
from bot.memory.summaries.day_builder import DAY_SUBJECT, DayTexts, StoredDay
from bot.memory.summaries.group_day import merged
from bot.memory.summaries.per_member import (
    ContextSources,
    DayText,
    MemberWeek,
    as_dated_sentences,
    dated_text,
    joined,
    merge_contexts,
    needs_a_merge,
    tell_weeks_of_days,
)
from bot.memory.summaries.repository import DerivedKind
from bot.memory.summaries.stored_texts import AddressedTexts
from bot.text.sensitive import may_be_told, without_sensitive

PAST_DAYS: Final = 6
"""Yesterday and the five before: days 2 to 7."""


_WATCHED_DAYS: Final = 2 * PAST_DAYS
"""So far back it is known what was taken back: a text of some days ago may stand in for one that is not ready."""

_UNKNOWN_GUILDS_ZONE: Final = "UTC"
"""In this zone the days of a guild are marked that has not been taken up."""


@dataclass(frozen=True, slots=True)
class GuildFence:
    """What must not have changed since a text was told, for it to be served still."""

    memory_epoch: int
    taken_back: frozenset[tuple[date, int]]
    """Of each day that it may tell of: the version at which something was last taken back."""
    expires_at: datetime | None
    """When the first fact that it may tell holds no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuildState:
    """A guild, its days of the last weeks and the versions of what is known of the members asked about."""

    situation: GuildSituation
    watched: Sequence[DayMark]
    """Of the days that count, and of those before them."""
    versions: Sequence[FactsVersion]

    @property
    def marks(self) -> Sequence[DayMark]:
        """Those of the days that count: the current one and the six before."""
        first = self.situation.today - timedelta(days=PAST_DAYS)
        return [mark for mark in self.watched if mark.day >= first]

    def fence(self, audience: int) -> GuildFence:
        """Return what a text of this audience is told behind now."""
        expiries = (one.expires_at for one in self.versions if one.audience == audience and one.expires_at)
        return GuildFence(
            self.situation.memory_epoch, _taken_back(self.marks, audience), min(expiries, default=None)
        )

    def allows(self, fence: GuildFence, audience: int) -> bool:
        """Tell whether nothing was taken back of what a text behind this fence may tell, and nothing expired."""
        if fence.expires_at is not None and fence.expires_at <= self.situation.now:
            return False
        return fence.memory_epoch == self.situation.memory_epoch and fence.taken_back <= _taken_back(
            self.watched, audience
        )


def _taken_back(marks: Sequence[DayMark], audience: int) -> frozenset[tuple[date, int]]:
    return frozenset((mark.day, mark.taken_back) for mark in marks if mark.audience == audience)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What the database has of a `GuildState`."""

    time_zone: str
    memory_epoch: int
    watched: tuple[DayMark, ...]
    versions: tuple[FactsVersion, ...]


_GUILD_STATE: Final = f"""
SELECT time_zone, memory_epoch, (
    SELECT coalesce(jsonb_agg(to_jsonb(mark) ORDER BY audience, day), '[]') FROM (
        SELECT {columns_of(DayMark)} FROM day_marks
        WHERE guild_id = $1 AND audience = ANY($2::bigint[])
          AND day BETWEEN today - $6::int AND today
    ) mark
) AS watched, (
    SELECT coalesce(jsonb_agg(to_jsonb(known)), '[]') FROM ({FACTS_VERSIONS}) known
) AS versions
FROM (
    SELECT coalesce(g.time_zone, $5) AS time_zone, coalesce(g.memory_epoch, 0) AS memory_epoch
    FROM (SELECT $1::bigint AS guild_id) asked LEFT JOIN guilds g USING (guild_id)
) guild, LATERAL (SELECT ($4::timestamptz AT TIME ZONE time_zone)::date AS today) clock
"""


async def read_guild_state(
    connection: Connection,
    *,
    guild_id: int,
    audiences: Sequence[int],
    user_ids: Sequence[int],
    now: datetime,
    model_chain: str,
) -> GuildState:
    """Read it, also of a guild that is not known."""
    (row,) = await connection.fetch(
        _GUILD_STATE, guild_id, list(audiences), list(user_ids), now, _UNKNOWN_GUILDS_ZONE, _WATCHED_DAYS
    )
    found = row_as(_Found, row)
    situation = GuildSituation(
        guild_id=guild_id,
        time_zone=found.time_zone,
        memory_epoch=found.memory_epoch,
        model_chain=model_chain,
        now=now,
    )
    return GuildState(situation=situation, watched=found.watched, versions=found.versions)


CACHED_FACTS: Final = 20_000
"""Texts kept: of 2,000 characters at most, usually a tenth."""


class FactsTexts(ReadTexts[None, str]):
    """The facts of members as texts, by version; there is nothing to build."""

    def __init__(self, database: Database, flights: SingleFlight) -> None:
        super().__init__(database, flights, most_held=CACHED_FACTS)

    async def of(self, state: GuildState, *, audience: int, user_ids: Sequence[int]) -> Mapping[int, str]:
        """Return what is known about each of these members in one audience; members about whom nothing is known are
        left out.
        """
        # In another epoch another text is told of the same facts: something may be kept of whom they name, or no more.
        wanted = [
            TextKey("facts", state.situation, audience, one.subject_id, one.version, None)
            for one in state.versions
            if one.audience == audience and one.subject_id in user_ids
        ]
        return {key.subject_id: text for key, text in (await self.known(wanted)).items()}

    async def look_up(
        self, connection: Connection, wanted: Sequence[TextKey[None]]
    ) -> Mapping[TextKey[None], str]:
        """Return the facts as they are now."""
        situation, audience = wanted[0].situation, wanted[0].audience
        subject_ids = [key.subject_id for key in wanted]
        held = await facts_repository.active_facts(
            connection,
            guild_ids=[situation.guild_id],
            audiences=[audience],
            subject_ids=subject_ids,
            now=situation.now,
        )
        narratives = await repository_narratives.narratives_of(
            connection, guild_id=situation.guild_id, audience=audience, subject_ids=subject_ids
        )
        by_subject: dict[int, list[Fact]] = {}
        for fact in held:
            by_subject.setdefault(fact.subject_id, []).append(fact)
        return {
            key: _text_of_facts(by_subject[key.subject_id], narratives.get(key.subject_id))
            for key in wanted
            if key.subject_id in by_subject
        }


def _text_of_facts(held: Sequence[Fact], narrative: Narrative | None) -> str:
    """Return the narrative of the explicit facts if it tells them as they are, and what else may be told."""
    held = [fact for fact in held if may_be_told(fact)]
    explicit = [fact for fact in held if fact.is_explicit]
    learned = [fact for fact in held if not fact.is_explicit]
    is_current = narrative is not None and narrative.facts_version == statements.version_of(explicit)
    if narrative is None or not is_current or narrative.degraded:
        return for_prompt(None, held)
    told = without_sensitive(narrative.memory_blob, asked="\n".join(fact.content for fact in explicit))
    return "\n".join(text for text in (for_prompt(told, explicit), for_prompt(None, learned)) if text)


@dataclass(frozen=True, slots=True)
class ContextText:
    """The context of one audience, for the member and for others; how days felt is in neither."""

    text: str
    unquoted: str


@dataclass(slots=True)
class AudiencePart:
    """One audience of a read."""

    facts: Mapping[int, str] = field(default_factory=dict)
    current: dict[int, str] = field(default_factory=dict)
    weeks: dict[int, MemberWeek] = field(default_factory=dict)
    historical: Mapping[int, str] = field(default_factory=dict)
    quoted: dict[int, set[date]] = field(default_factory=dict)
    """Days of members whose text is made of their own sentences."""
    moods: dict[int, list[DayText]] = field(default_factory=dict)
    """How the days of members felt, oldest first."""
    group: list[tuple[date, str]] = field(default_factory=list)
    """What the group decided and plans, oldest first."""
    contexts: Mapping[int, str] | None = None
    """`None` as long as they are not known; then of whom it has none, there is nothing to tell."""

    def take_days(
        self, told: Mapping[TextKey[DayMark], StoredDay], user_ids: Sequence[int], *, today: date
    ) -> None:
        """Take up what is told of the days: the current one, and those before it as weeks."""
        in_order = sorted(((key.of, day) for key, day in told.items()), key=lambda one: one[0].day)
        self.current = {}
        self.weeks = {}
        self.quoted = {}
        self.moods = {}
        self.group = [(mark.day, day.marker.content) for mark, day in in_order if day.marker.content]
        for mark, day in in_order:
            for user_id in day.quoted_ids:
                self.quoted.setdefault(user_id, set()).add(mark.day)
            for user_id, mood in day.moods.items():
                self.moods.setdefault(user_id, []).append(DayText(mark.day, mood))
        for user_id in user_ids:
            texts = {mark.day: day.texts[user_id] for mark, day in in_order if user_id in day.texts}
            if today in texts:
                self.current[user_id] = texts.pop(today)
            if texts:
                days = tuple(DayText(day, text) for day, text in texts.items())
                self.weeks[user_id] = MemberWeek(user_id, days)

    def sources(self, user_id: int) -> ContextSources:
        """Return what the context of a member is made from, as far as it is known."""
        week = self.weeks.get(user_id)
        historical = self.historical.get(user_id)
        if historical is None and week is not None:
            historical = as_dated_sentences(week)
        return ContextSources(
            user_id,
            facts=self.facts.get(user_id, ""),
            current=self.current.get(user_id, ""),
            historical=historical or "",
        )

    def unquoted(self, user_id: int, *, today: date) -> ContextSources:
        """Return the sources of a member without their own sentences."""
        sources = self.sources(user_id)
        quoted = self.quoted.get(user_id)
        if not quoted:
            return sources
        week = self.weeks.get(user_id)
        days = tuple(day for day in week.days if day.day not in quoted) if week is not None else ()
        return replace(
            sources,
            current="" if today in quoted else sources.current,
            historical=as_dated_sentences(MemberWeek(user_id, days)),
        )


READING_SECONDS: Final = 1.0
"""Real seconds that a read takes at most, over all of it: a reply never waits for a memory."""

_MOODS: Final = 3
"""Days of which a member is told how they felt: the last ones; what was before is over."""

_LAST_GOOD: Final = 20_000
"""Contexts kept to be served when the one of now is not ready in time."""

_EPOCHS: Final = 10_000
"""Guilds of which it is known in which epoch they were read last."""


@dataclass(frozen=True, slots=True)
class MemberMemories:
    """What is remembered of one member, with members as `<@id>`."""

    context: str
    """Facts, today and the week as one text, and how the last days felt: for the member alone."""
    lately: str
    """Today, the week and how they felt; empty if there is nothing but facts. Of the group its plans."""
    context_unquoted: str
    """The context for others: without how it felt, and without the days that no model told, which are made of the
    member's own sentences."""
    lately_unquoted: str


@dataclass(slots=True)
class _Read:
    """What a read has found out so far; when its time is over, that is what is told."""

    state: GuildState | None = None
    parts: dict[int, AudiencePart] = field(default_factory=dict)
    """By audience."""


class Memories:
    """What is remembered of members; builds that outlast a read go on until `stop`."""

    def __init__(self, needs: MemoryDependencies) -> None:
        self._database = needs.database
        self._operations = needs.operations
        self._clock = needs.clock
        self._chain = needs.settings.model_summary if needs.operations.has_models else ""
        self._flights = SingleFlight(needs.database)
        self._facts = FactsTexts(needs.database, self._flights)
        self._days = DayTexts(needs, self._flights)
        self._weeks = AddressedTexts[MemberWeek](
            needs, self._flights, DerivedKind.HISTORICAL, tell_weeks_of_days
        )
        self._contexts = AddressedTexts[ContextSources](
            needs, self._flights, DerivedKind.CONTEXT, merge_contexts
        )
        self._last_good: GuildCache[tuple[GuildFence, ContextText]] = GuildCache(_LAST_GOOD)
        self._epochs: LRUCache[int, int] = LRUCache(_EPOCHS)
        self._behind = BackgroundWork()
        self._left_behind: set[tuple[int, int]] = set()
        """The guilds and audiences of which a read goes on behind."""

    async def stop(self) -> None:
        """End the builds that are under way."""
        await self._behind.stop()
        await self._flights.stop()

    async def settled(self) -> None:
        """Return when no build is under way."""
        await self._behind.settled()
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

        In a closed channel what is open stands above what is the channel's own. `GUILD_SUBJECT` asks for what the
        group decided and plans, a dated line each, without what a later one changed. Of whom nothing is known is left
        out. After `seconds`, real ones, what is known by then is told, and what is being told goes on behind.
        """
        # A model or a person may well name an id that no column holds.
        asked = [user_id for user_id in dict.fromkeys(user_ids) if 0 <= user_id <= MAX_ID]
        members = [user_id for user_id in asked if user_id != GUILD_SUBJECT]
        audiences = scope_of(guild_id=guild_id, channel_audience=audience).audiences
        read = _Read()
        reading = self._read(read, guild_id, audiences, members)
        task = self._behind.begin(reading, name=f"reading memories of guild {guild_id}")
        # Whatever fails is logged behind, and what was read by then is told.
        in_time = ReadInTime(seconds, of=f"a read of guild {guild_id}", level=logging.INFO)
        try:
            await in_time.part("memories that are being told", lambda: asyncio.shield(task))
        finally:
            self._leave_behind(task, (guild_id, audience))
        return self._told(read, audiences, asked)

    def _leave_behind(self, reading: asyncio.Task[None], place: tuple[int, int]) -> None:
        """Let one read of a guild and audience continue that nobody waits for any more, besides builds that others have
        begun.

        Each such read holds its data in memory, and may wait for a day that takes many minutes.
        """
        if reading.done():
            return
        if place in self._left_behind:
            reading.cancel()
            return
        self._left_behind.add(place)
        reading.add_done_callback(lambda _: self._left_behind.discard(place))

    async def _read(
        self, read: _Read, guild_id: int, audiences: Sequence[int], user_ids: Sequence[int]
    ) -> None:
        read.state = await self._database.read(
            read_guild_state,
            guild_id=guild_id,
            audiences=audiences,
            user_ids=user_ids,
            now=self._clock.now(),
            model_chain=self._chain,
        )
        self._let_go(read.state.situation)
        for audience in audiences:
            read.parts[audience] = AudiencePart()
        await asyncio.gather(
            *(self._read_part(read.state, audience, read.parts[audience], user_ids) for audience in audiences)
        )

    def _let_go(self, situation: GuildSituation) -> None:
        """Discard cached texts of earlier epochs, so that forgotten texts are not even held in memory."""
        guild_id, epoch = situation.guild_id, situation.memory_epoch
        if self._epochs.get(guild_id) == epoch:
            return
        self._epochs[guild_id] = epoch
        caches = (self._facts.held, self._days.held, self._weeks.held, self._contexts.held, self._last_good)
        for cache in caches:
            cache.drop(guild_id)

    async def _read_part(
        self, state: GuildState, audience: int, part: AudiencePart, user_ids: Sequence[int]
    ) -> None:
        situation = state.situation
        marks = [mark for mark in state.marks if mark.audience == audience]
        days = [
            TextKey("day", situation, audience, DAY_SUBJECT, mark.day.isoformat(), mark) for mark in marks
        ]
        part.facts = await self._facts.of(state, audience=audience, user_ids=user_ids)
        known = await self._days.known(days)
        part.take_days(known, user_ids, today=situation.today)
        told = await self._days.complete(days, known)
        if told is not known:
            part.take_days(told, user_ids, today=situation.today)
        if not self._operations.has_models:
            part.contexts = {user_id: text for user_id in user_ids if (text := joined(part.sources(user_id)))}
            return
        part.historical = await self._weeks.of(situation, audience=audience, sources=part.weeks.values())
        sources = {user_id: part.sources(user_id) for user_id in user_ids}
        merging = [one for one in sources.values() if needs_a_merge(one)]
        merged = await self._contexts.of(situation, audience=audience, sources=merging)
        part.contexts = {
            user_id: merged.get(user_id) or joined(one) for user_id, one in sources.items() if one.texts
        }

    def _told(
        self, read: _Read, audiences: Sequence[int], user_ids: Sequence[int]
    ) -> dict[int, MemberMemories]:
        if read.state is None:
            # Nobody knows what was forgotten since, so nothing is told.
            return {}
        parts = [(read.parts.get(audience, AudiencePart()), audience) for audience in audiences]
        fences = {audience: read.state.fence(audience) for audience in audiences}
        told: dict[int, MemberMemories] = {}
        if GUILD_SUBJECT in user_ids and (plans := merged([part.group for part, _ in parts])):
            told[GUILD_SUBJECT] = MemberMemories(plans, plans, plans, plans)
        for user_id in (one for one in user_ids if one != GUILD_SUBJECT):
            contexts = [
                self._context(read.state, part, user_id, audience=audience, fence=fences[audience])
                for part, audience in parts
            ]
            if any(one.text for one in contexts):
                today = read.state.situation.today
                felt = _lines(_felt(part.moods.get(user_id, ())) for part, _ in parts)
                told[user_id] = MemberMemories(
                    context=_lines([*(one.text for one in contexts), felt]),
                    lately=_lines([*(_lately(part.sources(user_id)) for part, _ in parts), felt]),
                    context_unquoted=_lines(one.unquoted for one in contexts),
                    lately_unquoted=_lines(_lately(part.unquoted(user_id, today=today)) for part, _ in parts),
                )
        return told

    def _context(
        self, state: GuildState, part: AudiencePart, user_id: int, *, audience: int, fence: GuildFence
    ) -> ContextText:
        """Return the context, else the last good one of what has not been taken back, else the sources."""
        key = TextKey("last", state.situation, audience, user_id, "", None)
        unquoted = joined(part.unquoted(user_id, today=state.situation.today))
        if part.contexts is not None:
            text = part.contexts.get(user_id, "")
            context = ContextText(text, unquoted if part.quoted.get(user_id) else text)
            self._last_good[key] = (fence, context)
            return context
        last = self._last_good.get(key)
        if last is not None and state.allows(last[0], audience):
            return last[1]
        return ContextText(joined(part.sources(user_id)), unquoted)


def _felt(moods: Sequence[DayText]) -> str:
    return "\n".join(map(dated_text, moods[-_MOODS:]))


def _lately(sources: ContextSources) -> str:
    return joined(replace(sources, facts=""))


def _lines(texts: Iterable[str]) -> str:
    return "\n".join(filter(None, texts))
