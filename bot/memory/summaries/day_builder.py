"""The summaries of one day of a guild: when they are due, what is read for them, and what of them is
stored and may be told.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.core.domain import GUILD_SUBJECT, MAX_ID, OPEN, Message, MessageKind, snowflake_at
from bot.db.pool import Connection
from bot.db.rows import rows_as
from bot.llm.framing import mentioned_in
from bot.llm.operation import Asker
from bot.memory.derived.engine import Maker, MemoryDependencies, Sources
from bot.memory.derived.reading import ReadTexts, SingleFlight, TextKey
from bot.memory.guilds import repository as guilds_repository
from bot.memory.messages import repository as messages_repository
from bot.memory.messages.day_marks import DayMark, begin_telling, left_out_of
from bot.memory.policy.redaction import redacted, redacted_each, without_opted_out
from bot.memory.policy.repository import asked_of_bot, said_by_present
from bot.memory.summaries import repository
from bot.memory.summaries.day_prompt import (
    DayAnswer,
    DayPart,
    day_tokens,
    in_parts,
    tell_part,
    with_extracts,
)
from bot.memory.summaries.per_member import MemberText
from bot.memory.summaries.repository import OF_A_DAY, DerivedKind, DerivedText, pause_after


def near_day(moment: str, *, day: str, time_zone: str) -> str:
    """Return the condition that a moment is on a day of a time zone, or a few hours from it.

    Midnight is no certain moment where clocks are put forward or back at midnight.
    """
    midnight = f"({day}::date::timestamp AT TIME ZONE {time_zone})"
    return f"{moment} BETWEEN {midnight} - interval '3 hours' AND {midnight} + interval '28 hours'"


async def messages_of_day(
    connection: Connection,
    *,
    guild_id: int,
    audience: int,
    day: date,
    time_zone: str,
    after_id: int = 0,
    up_to_id: int,
) -> Sequence[Message]:
    """Return what was said on `day` of this time zone after the message `after_id` and up to `up_to_id`, oldest first.

    Withheld messages are left out and those of members of whom nothing is kept, and so are commands to the bot with
    their answers, also one that is just being answered, and questions to it: they are no part of the talk. What the
    mark of the day has left out once stays so, whatever became of its answer. The range of time only helps the
    index.
    """
    known = await left_out_of(connection, guild_id=guild_id, audience=audience, day=day)
    rows = await connection.fetch(
        f"""
        SELECT {messages_repository.MESSAGE_COLUMNS} FROM chat_history
        WHERE guild_id = $1 AND audience = $2 AND withheld IS NULL AND message_id > $5 AND message_id <= $6
          AND {near_day("timestamp", day="$3", time_zone="$4")} AND (timestamp AT TIME ZONE $4)::date = $3::date
          AND {said_by_present("chat_history")}
          AND NOT EXISTS (
              SELECT FROM answers a
              WHERE a.guild_id = $1
                AND a.message_id IN (chat_history.message_id, CASE WHEN kind = 'bot' THEN reply_to_id END)
                AND ({asked_of_bot("chat_history")} OR a.state = 'claimed')
          )
        ORDER BY message_id
        """,
        guild_id, audience, day, time_zone, after_id, up_to_id,
    )  # fmt: skip
    return [message for message in rows_as(Message, rows) if message.message_id not in known]


async def may_store_day(
    connection: Connection, *, guild_id: int, audience: int, day: date, version: int, time_zone: str
) -> bool:
    """Tell whether what was told of a day at this version, in this time zone, may be served.

    Both are held until commit: whoever takes something back meanwhile waits, and then finds what was stored.
    """
    allowed: bool = await connection.fetchval(
        """
        SELECT coalesce((SELECT time_zone = $5 FROM guilds WHERE guild_id = $1 FOR SHARE), true)
           AND coalesce((SELECT taken_back FROM day_marks
                         WHERE guild_id = $1 AND audience = $2 AND day = $3 FOR SHARE), 0) <= $4
        """,
        guild_id, audience, day, version, time_zone,
    )  # fmt: skip
    return allowed


DAY_SUBJECT: Final = GUILD_SUBJECT
"""The subject of the row that stands for the day itself, and tells of the group."""

REFRESH_AFTER: Final = timedelta(hours=1)
"""The current day is told on at most so often, and only if something was said since."""


LATELY: Final = timedelta(minutes=2)
"""What was said so long ago at most is told of a lively day with the next refresh: it may still be put right."""


def is_servable(marker: DerivedText, mark: DayMark) -> bool:
    """Tell whether nothing that a day tells has been deleted or forgotten since.

    The mark of a day knows that of itself, so a day that a forgetting did not touch stays as it is.
    """
    return int(marker.sources) >= mark.taken_back


def may_be_told_on(marker: DerivedText, mark: DayMark) -> bool:
    """Tell whether all that was said since was added: else the day is told again from its beginning.

    A text that was kept for want of a better one covers nothing if the day had been rewritten.
    """
    return not marker.degraded and marker.covers_up_to > 0 and int(marker.sources) >= mark.rewritten


def needs_telling(
    marker: DerivedText | None,
    mark: DayMark,
    *,
    today: date,
    now: datetime,
    refresh_after: timedelta = REFRESH_AFTER,
) -> bool:
    """Tell whether a day is to be told (anew) when it is read at `now`.

    A day that is over is told once from all its messages, and again only if it changes. What was edited today
    is told with the next refresh; what was taken back is not served a moment longer. What no model told waits for
    its pause to be over. What was told later than `now`, by a clock that was put back since, keeps nobody waiting.
    """
    if marker is None or not is_servable(marker, mark):
        return True
    has_changed = int(marker.sources) != mark.version
    if marker.retry_after is not None:
        if marker.is_due(now=now):
            return True
        if not has_changed:
            return False
    if mark.day < today:
        return has_changed or not marker.is_final
    return has_changed and not timedelta(0) <= now - marker.built_at < refresh_after


async def tellable_texts(connection: Connection, stored: Sequence[DerivedText]) -> list[DerivedText]:
    """Return `stored`, all of one guild, without texts about members of whom nothing is kept.

    Other texts lose the sentences that name one. The rows that stand for the days themselves stay.
    """
    if not any(one.content for one in stored):
        return list(stored)
    left = await without_opted_out(
        connection,
        guild_id=stored[0].guild_id,
        texts=[one.content or "" for one in stored],
        whose=[one.subject_id or None for one in stored],
    )
    told = [replace(one, content=text or None) for one, text in zip(stored, left, strict=True)]
    return [one for one in told if one.content or one.subject_id == DAY_SUBJECT]


_REFUSED_PAUSE: Final = timedelta(days=7)
"""A day that models refuse they refuse again, unless it changes."""


CACHED_DAYS: Final = 500
"""Days kept in the process: a week of some seventy guilds, each day as large as its members are many."""


DAYS_AT_ONCE: Final = 10
"""Days that are told at once in one process, a week of one guild among them: each holds all of its messages meanwhile,
and the current days of all guilds fall due together, an hour after they were told or when a day is over."""

LIVELY_DAYS_AT_ONCE: Final = 2
"""Of those so many of which thousands of messages are held and dozens of questions asked: in 100 such guilds they took
190 MB and what was left of two processors, an hour after the start."""

LIVELY_CHANGES: Final = 2_000
"""Changes of its mark from which on a day is told among the lively ones."""


@dataclass(frozen=True, slots=True)
class StoredDay:
    """One day as it is stored: its own row, and what each member did."""

    marker: DerivedText
    """It tells what the group decided and plans."""
    texts: Mapping[int, str]
    moods: Mapping[int, str] = field(default_factory=dict)
    """How it felt to members."""
    quoted_ids: frozenset[int] = frozenset()
    """Those whose text no model told: it is made of their own sentences."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read(Sources):
    """What was read of a day before it is told. The mark of the day knows what is taken back of its messages."""

    key: TextKey[DayMark]
    """The day in the situation and with the mark that were read."""
    stored: Mapping[int, DerivedText]
    """What is stored of the day, by subject."""
    moods: Mapping[int, str]
    said: Sequence[Message]
    is_refresh: bool
    """Only what is new was read: what was told before is told on."""

    @property
    def before(self) -> DerivedText | None:
        """The row of the day itself as it is stored."""
        return self.stored.get(DAY_SUBJECT)

    @property
    def told_on(self) -> DerivedText | None:
        """That row, if what was told with it is told on."""
        return self.before if self.is_refresh else None

    @property
    def texts(self) -> dict[int, MemberText]:
        """The texts of the members and of the group as they are stored."""
        return {
            subject_id: MemberText(one.content, one.degraded, self.moods.get(subject_id, ""))
            for subject_id, one in self.stored.items()
            if one.content is not None
        }

    def keeps(self, told: DayAnswer) -> bool:
        """Tell whether the texts stored are better than what is told: then only the day's own row is renewed."""
        before = self.before
        return (
            told.degraded and before is not None and not before.degraded and is_servable(before, self.key.of)
        )


class DayTexts(ReadTexts[DayMark, StoredDay], Maker[TextKey[DayMark], _Read, DayAnswer]):
    """Reads what each active member did on a day, and has it told where it is not, or no longer, there.

    A day that is over is told once from all its messages. The current one is told on from what was told of it, unless
    something of that was changed. In a guild that has changed its time zone nothing is stored.
    """

    def __init__(self, needs: MemoryDependencies, flights: SingleFlight) -> None:
        Maker.__init__(self, needs)
        ReadTexts.__init__(self, needs.database, flights, most_held=CACHED_DAYS)
        self._telling = asyncio.Semaphore(DAYS_AT_ONCE)
        self._telling_lively = asyncio.Semaphore(LIVELY_DAYS_AT_ONCE)

    def is_due(self, key: TextKey[DayMark], text: StoredDay | None) -> bool:
        """Tell whether a day is to be told (anew)."""
        # Without a model nothing is asked, so nothing is saved by waiting.
        refresh_after = REFRESH_AFTER if key.situation.model_chain else timedelta(0)
        return needs_telling(
            text.marker if text is not None else None,
            key.of,
            today=key.situation.today,
            now=key.situation.now,
            refresh_after=refresh_after,
        )

    def builds_of(self, due: Sequence[TextKey[DayMark]]) -> Sequence[Sequence[TextKey[DayMark]]]:
        """Return each day alone."""
        return [[key] for key in due]

    def build_key(self, keys: Sequence[TextKey[DayMark]]) -> str:
        """Return what names a day."""
        (key,) = keys
        situation = key.situation
        return f"day:{key.audience}:{key.address}:{situation.time_zone}:{situation.model_chain}"

    async def build(self, keys: Sequence[TextKey[DayMark]]) -> None:
        """Have the day told, when it is its turn; those of quiet guilds do not wait for lively ones."""
        (key,) = keys
        async with self._telling_lively if key.of.version >= LIVELY_CHANGES else self._telling:
            await self.make(key)

    async def look_up(
        self, connection: Connection, wanted: Sequence[TextKey[DayMark]]
    ) -> Mapping[TextKey[DayMark], StoredDay]:
        """Return the stored days that may be served."""
        situation = wanted[0].situation
        stored = await repository.texts_of_periods(
            connection,
            situation,
            kinds=OF_A_DAY,
            audiences=sorted({key.audience for key in wanted}),
            periods=sorted({key.address for key in wanted}),
        )
        rows = await tellable_texts(connection, stored)
        told: dict[TextKey[DayMark], StoredDay] = {}
        for key in wanted:
            own = [row for row in rows if (row.audience, row.period) == (key.audience, key.address)]
            marker = next((row for row in own if row.subject_id == DAY_SUBJECT), None)
            if marker is None or not is_servable(marker, key.of):
                continue
            texts, moods = (
                {row.subject_id: row.content for row in own if row.kind == kind and row.content is not None}
                for kind in OF_A_DAY
            )
            # Without a model nothing is degraded, and everything is quoted.
            quoted_ids = frozenset(row.subject_id for row in own if row.degraded or not situation.model_chain)
            told[key] = StoredDay(marker, texts, moods, quoted_ids)
        return told

    async def sources(self, key: TextKey[DayMark]) -> _Read | None:
        """Return what there is to tell; `None` if the day has no messages, or a lively one has just begun."""
        situation, day = key.situation, key.of.day
        since_id, lately_id = 0, MAX_ID
        if day == situation.today and self._needs.operations.has_models:
            midnight = datetime.combine(day, time.min, ZoneInfo(situation.time_zone))
            since_id, lately_id = snowflake_at(midnight), snowflake_at(situation.now - LATELY)
        mark = await self._needs.database.write(
            begin_telling,
            guild_id=situation.guild_id,
            audience=key.audience,
            day=day,
            since_id=since_id,
            lately_id=lately_id,
        )
        if mark is None:
            return None
        # By a plan for any day all that a large guild has said is read for one.
        return await self._needs.database.survey(self.read, replace(key, of=mark))

    async def read(self, connection: Connection, key: TextKey[DayMark]) -> _Read | None:
        """Return what there is to tell; `None` if the guild has changed its time zone."""
        guild_id, audience, day = key.situation.guild_id, key.audience, key.of.day
        guild = await guilds_repository.guild(connection, guild_id=guild_id)
        if guild is not None and guild.time_zone != key.situation.time_zone:
            return None
        situation = replace(key.situation, memory_epoch=guild.memory_epoch if guild else 0)
        stored = await repository.texts_of_periods(
            connection, situation, kinds=OF_A_DAY, audiences=[audience], periods=[key.address]
        )
        tellable = await tellable_texts(connection, stored)
        by_subject = {one.subject_id: one for one in tellable if one.kind == DerivedKind.DAY}
        marker = by_subject.get(DAY_SUBJECT)
        is_refresh = (
            marker is not None
            and self._needs.operations.has_models
            and day >= situation.today
            and may_be_told_on(marker, key.of)
        )
        said = await messages_of_day(
            connection,
            guild_id=guild_id,
            audience=audience,
            day=day,
            time_zone=situation.time_zone,
            after_id=marker.covers_up_to if is_refresh and marker else 0,
            up_to_id=key.of.told_up_to,
        )
        return _Read(
            guild_id=guild_id,
            place=key.address,
            memory_epoch=situation.memory_epoch,
            key=replace(key, situation=situation),
            stored=by_subject,
            moods={
                one.subject_id: one.content
                for one in tellable
                if one.kind == DerivedKind.MOOD and one.content is not None
            },
            said=said,
            is_refresh=is_refresh,
        )

    async def tell(self, sources: _Read) -> DayAnswer:
        """Ask about the day, part by part; each is told what was told of the day before it."""
        guild_id, operations = sources.guild_id, self._needs.operations
        audiences = sorted({OPEN, sources.key.audience})
        # A channel may have been closed since: then not even its name is for everyone.
        channels = {
            channel.channel_id: channel.name
            for channel in await self._needs.directory.channels(guild_id)
            if channel.audience in audiences
        }
        told = DayAnswer(sources.texts if sources.is_refresh else {})
        members = await self._needs.members_in(
            sources.said,
            *(text.text for text in told.texts.values()),
            guild_id=guild_id,
            audiences=audiences,
        )
        for messages in in_parts(sources.said, day_tokens):
            own = (message.user_id for message in messages if message.kind is MessageKind.MEMBER)
            part = DayPart(
                day=sources.key.of.day,
                time_zone=sources.key.situation.time_zone,
                messages=messages,
                wanted=tuple(dict.fromkeys(own)),
                members=members,
                channels=channels,
            )
            for question in part.questions():
                told += await tell_part(
                    operations,
                    replace(question, earlier=told.so_far(question.wanted)),
                    asker=Asker(guild_id=guild_id),
                )
        return await with_extracts(told, sources.said, degraded=operations.has_models)

    async def store(self, connection: Connection, sources: _Read, told: DayAnswer) -> bool:
        """Store the texts in the place of what there was, or keep that if it is better."""
        if not await may_store_day(
            connection,
            guild_id=sources.guild_id,
            audience=sources.key.audience,
            day=sources.key.of.day,
            version=sources.key.of.version,
            time_zone=sources.key.situation.time_zone,
        ):
            return False
        marker, *texts = _rows(sources, told)
        if sources.keeps(told):
            await repository.put_texts(connection, [marker])
            return True
        kept = [replace(marker, content=await self._redacted_group(connection, sources, marker) or None)]
        for kind in OF_A_DAY:
            rows = {row.subject_id: row for row in texts if row.kind == kind}
            left = await redacted_each(
                connection,
                self._needs.hasher,
                guild_id=sources.guild_id,
                texts={subject_id: row.content or "" for subject_id, row in rows.items()},
            )
            kept += [replace(row, content=left[one]) for one, row in rows.items() if left[one]]
        await repository.put_texts(connection, kept, of_whole_period=True)
        return True

    async def _redacted_group(self, connection: Connection, sources: _Read, marker: DerivedText) -> str:
        """Return what is told of the group without what may not be kept about any of those who spoke."""
        if not marker.content:
            return ""
        speakers = {message.user_id for message in sources.said}
        return await redacted(
            connection,
            self._needs.hasher,
            guild_id=sources.guild_id,
            subject_ids=[GUILD_SUBJECT, *sorted(speakers | set(mentioned_in(marker.content)))],
            text=marker.content,
        )


def _rows(read: _Read, told: DayAnswer) -> list[DerivedText]:
    """Return what is stored: the day itself with the group's text, then those of each member of whom there are any."""
    key, situation = read.key, read.key.situation
    keeps, before, told_on = read.keeps(told), read.before, read.told_on
    failed_before = before.attempts if before is not None and before.retry_after is not None else 0
    pause = _REFUSED_PAUSE if told.refused else pause_after(failed_before)
    best = _best(read, told)
    group = (
        before.content
        if keeps and before is not None
        else best[GUILD_SUBJECT].text
        if GUILD_SUBJECT in best
        else None
    )
    # Up to where the texts reach that are told on; 0 if the day is told from its beginning.
    covered = [told_on.covers_up_to if told_on is not None else 0]
    marker = DerivedText(
        guild_id=situation.guild_id,
        kind=DerivedKind.DAY,
        audience=key.audience,
        subject_id=DAY_SUBJECT,
        period=key.address,
        sources=str(key.of.version),
        time_zone=situation.time_zone,
        model_chain=situation.model_chain,
        content=group,
        built_at=situation.now,
        degraded=told.degraded and not keeps,
        refused=told.refused,
        attempts=failed_before + 1,
        retry_after=situation.now + pause if told.degraded else None,
        memory_epoch=situation.memory_epoch,
        covers_up_to=max(covered if keeps else [*covered, *(message.message_id for message in read.said)]),
        is_final=key.of.day < situation.today and not read.is_refresh,
    )
    texts = [
        replace(marker, kind=kind, subject_id=user_id, content=text, degraded=one.degraded)
        for user_id, one in best.items()
        for kind, text in zip(OF_A_DAY, (one.text, one.mood), strict=True)
        if user_id != GUILD_SUBJECT and text
    ]
    return [marker, *texts]


def _best(read: _Read, told: DayAnswer) -> Mapping[int, MemberText]:
    """Return the text of each member; what a model told before is better than a fallback."""
    best = {user_id: one for user_id, one in told.texts.items() if one.text}
    if read.before is None or not is_servable(read.before, read.key.of):
        return best
    lost = {user_id for user_id, one in told.texts.items() if one.degraded}
    lost |= read.stored.keys() - told.texts.keys() if told.degraded else frozenset()
    return best | {
        user_id: one for user_id, one in read.texts.items() if user_id in lost and not one.degraded
    }
