"""Builds the summaries of one day of a guild: reads, asks without holding anything, stores what still stands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.clock import Clock
from bot.domain import OPEN, Message, MessageKind
from bot.language.operation import Asker, Operations
from bot.memory.days.asking import DayAsked, tell_part, with_extracts
from bot.memory.days.freshness import DAY_SUBJECT, is_servable, may_be_told_on, pause_after
from bot.memory.days.parts import in_parts
from bot.memory.days.question import DayPart, message_tokens
from bot.memory.days.tellable import tellable
from bot.memory.directory import Directory
from bot.memory.hashing import Hasher
from bot.memory.sayable import sayable_each
from bot.store import day_marks, days, distillations
from bot.store.database import Connection, Database
from bot.store.day_marks import Mark
from bot.store.distillations import Distillation, Kind

_TRIES: Final = 3
"""So often a day is told anew when something of it is taken back meanwhile; the next read begins again."""

_REFUSED_PAUSE: Final = timedelta(days=7)
"""A day that models refuse they refuse again, unless it changes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """Where a guild stands when one of its days is read."""

    guild_id: int
    time_zone: str
    memory_epoch: int
    model_chain: str
    """The models that sum up days, as the settings name them; empty if there are none."""
    now: datetime

    @property
    def today(self) -> date:
        """The day that is not over, in the guild's time zone."""
        return self.now.astimezone(ZoneInfo(self.time_zone)).date()


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read of a day before it is told."""

    mark: Mark
    stored: Mapping[int, Distillation]
    messages: Sequence[Message]
    is_refresh: bool
    """Only what is new was read: what was told before is told on."""


class DayBuilder:
    """Tells days; whoever calls sees to it that one day is told by one at a time."""

    def __init__(
        self,
        database: Database,
        directory: Directory,
        operations: Operations,
        clock: Clock,
        hasher: Hasher,
    ) -> None:
        self._database = database
        self._directory = directory
        self._operations = operations
        self._clock = clock
        self._hasher = hasher

    async def build(self, situation: Situation, *, audience: int, day: date) -> None:
        """Tell what each active member did on `day` where `audience` may read, and store it.

        A day that is over is told once from all its messages. The current one is told on from what was told
        of it, unless something of that was changed. What cannot be stored, because something was forgotten
        meanwhile, is told anew; in a guild that has changed its time zone nothing is stored.
        """
        for _ in range(_TRIES):
            read = await self._read(situation, audience, day)
            if read is None:
                return
            told = await self._told(situation, audience, day, read)
            if await self._save(situation, audience, day, read, told):
                return
            guild = await self._directory.guild(situation.guild_id)
            if guild is not None and guild.time_zone != situation.time_zone:
                return
            situation = replace(situation, memory_epoch=guild.memory_epoch if guild else 0)

    async def _read(self, situation: Situation, audience: int, day: date) -> _Read | None:
        """Return what there is to tell; `None` if the day has no messages that were ever heard."""

        async def read(connection: Connection) -> _Read | None:
            marked = await day_marks.marks(
                connection, guild_id=situation.guild_id, audiences=[audience], first=day, last=day
            )
            if not marked:
                return None
            stored = await distillations.of_periods(
                connection,
                guild_id=situation.guild_id,
                kind=Kind.DAY,
                audiences=[audience],
                periods=[day.isoformat()],
                time_zone=situation.time_zone,
                model_chain=situation.model_chain,
            )
            by_subject = {one.subject_id: one for one in await tellable(connection, stored)}
            marker = by_subject.get(DAY_SUBJECT)
            is_refresh = (
                marker is not None
                and self._operations.has_models
                and day >= situation.today
                and may_be_told_on(marker, marked[0])
            )
            messages = await days.messages(
                connection,
                guild_id=situation.guild_id,
                audience=audience,
                day=day,
                time_zone=situation.time_zone,
                after_id=marker.covers_up_to if is_refresh and marker else 0,
            )
            return _Read(marked[0], by_subject, messages, is_refresh)

        return await self._database.read(read)

    async def _told(self, situation: Situation, audience: int, day: date, read: _Read) -> DayAsked:
        """Ask about the day, part by part; each is told what was told of the day before it."""
        everyone = await self._directory.members(situation.guild_id, audiences=_audiences(audience))
        # A channel may have been closed since: then not even its name is for everyone.
        channels = {
            channel.channel_id: channel.name
            for channel in await self._directory.channels(situation.guild_id)
            if channel.audience in _audiences(audience)
        }
        told = _told_before(read)
        for messages in in_parts(read.messages, message_tokens):
            active = dict.fromkeys(
                message.user_id for message in messages if message.kind is MessageKind.MEMBER
            )
            part = DayPart(
                day=day,
                time_zone=situation.time_zone,
                messages=messages,
                wanted=tuple(active),
                members={member.user_id: member for member in everyone},
                earlier={user_id: text for user_id, text in told.texts.items() if user_id in active and text},
                channels=channels,
            )
            if active:
                told += await tell_part(self._operations, part, asker=Asker(guild_id=situation.guild_id))
        return await with_extracts(told, read.messages, degraded=self._operations.has_models)

    async def _save(
        self, situation: Situation, audience: int, day: date, read: _Read, told: DayAsked
    ) -> bool:
        keeps = _keeps_what_there_was(read, told)
        rows = _rows(situation, audience, day, read, told)

        async def save(connection: Connection) -> bool:
            stands = await days.may_be_stored(
                connection,
                guild_id=situation.guild_id,
                audience=audience,
                day=day,
                version=read.mark.version,
                memory_epoch=situation.memory_epoch,
                time_zone=situation.time_zone,
            )
            if not stands:
                return False
            if not keeps:
                await distillations.drop_period(
                    connection,
                    guild_id=situation.guild_id,
                    kind=Kind.DAY,
                    audience=audience,
                    period=day.isoformat(),
                    time_zone=situation.time_zone,
                    model_chain=situation.model_chain,
                )
            await distillations.put(
                connection, rows[:1] if keeps else await self._sayable(connection, situation.guild_id, rows)
            )
            return True

        return await self._database.write(save)

    async def _sayable(
        self, connection: Connection, guild_id: int, rows: Sequence[Distillation]
    ) -> list[Distillation]:
        """Return `rows`, the day itself first, without what may not be said of members; whose text is empty goes."""
        told = {row.subject_id: row.content or "" for row in rows[1:]}
        left = await sayable_each(connection, self._hasher, guild_id=guild_id, texts=told)
        return [
            rows[0],
            *(replace(row, content=left[row.subject_id]) for row in rows[1:] if left[row.subject_id]),
        ]


def _keeps_what_there_was(read: _Read, told: DayAsked) -> bool:
    """Tell whether the texts stored are better than the new ones: then only the day's own row is renewed."""
    before = read.stored.get(DAY_SUBJECT)
    return told.degraded and before is not None and not before.degraded and is_servable(before, read.mark)


def _rows(situation: Situation, audience: int, day: date, read: _Read, told: DayAsked) -> list[Distillation]:
    """Return what is stored: the day itself first, then a text for each member of whom there is one."""
    before = read.stored.get(DAY_SUBJECT)
    keeps = _keeps_what_there_was(read, told)
    failed_before = before.attempts if before is not None and before.retry_after is not None else 0
    covered = max((message.message_id for message in read.messages), default=0)
    marker = Distillation(
        guild_id=situation.guild_id,
        kind=Kind.DAY,
        audience=audience,
        subject_id=DAY_SUBJECT,
        period=day.isoformat(),
        sources=str(read.mark.version),
        time_zone=situation.time_zone,
        model_chain=situation.model_chain,
        content=None,
        built_at=situation.now,
        degraded=told.degraded and not keeps,
        refused=told.refused,
        attempts=failed_before + 1,
        retry_after=situation.now + _pause(told, failed_before) if told.degraded else None,
        memory_epoch=situation.memory_epoch,
        covers_up_to=_covered_before(read) if keeps else max(covered, _covered_before(read)),
        is_final=day < situation.today and not read.is_refresh,
    )
    texts = [
        replace(marker, subject_id=user_id, content=text, degraded=degraded)
        for user_id, (text, degraded) in _best(read, told).items()
    ]
    return [marker, *texts]


def _best(read: _Read, told: DayAsked) -> Mapping[int, tuple[str, bool]]:
    """Return the text of each member and whether it is degraded; what a model told before is better than a fallback."""
    best = {user_id: (text, user_id in told.degraded_ids) for user_id, text in told.texts.items() if text}
    before = read.stored.get(DAY_SUBJECT)
    if before is None or not is_servable(before, read.mark):
        return best
    lost = told.degraded_ids | (read.stored.keys() - told.texts.keys() if told.degraded else frozenset())
    return best | {
        user_id: (text, False)
        for user_id, text in _texts(read.stored).items()
        if user_id in lost and not read.stored[user_id].degraded
    }


def _pause(told: DayAsked, failed_before: int) -> timedelta:
    return _REFUSED_PAUSE if told.refused else pause_after(failed_before)


def _told_before(read: _Read) -> DayAsked:
    """Return what a refresh tells on."""
    texts = _texts(read.stored) if read.is_refresh else {}
    return DayAsked(texts, frozenset(user_id for user_id in texts if read.stored[user_id].degraded))


def _covered_before(read: _Read) -> int:
    """Return up to which message the texts reach that were told on; 0 if the day is told from its beginning."""
    marker = read.stored.get(DAY_SUBJECT)
    return marker.covers_up_to if read.is_refresh and marker is not None else 0


def _texts(stored: Mapping[int, Distillation]) -> dict[int, str]:
    return {
        subject_id: one.content
        for subject_id, one in stored.items()
        if subject_id != DAY_SUBJECT and one.content is not None
    }


def _audiences(audience: int) -> Sequence[int]:
    return (OPEN,) if audience == OPEN else (OPEN, audience)
