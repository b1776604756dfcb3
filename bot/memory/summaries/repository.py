"""The tables of derived texts: days, weeks and contexts, each addressed by what it was made from, and the
rolling summary of each channel.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from bot.core.clock import backoff
from bot.core.domain import MAX_ID, Message
from bot.db.pool import Connection
from bot.db.rows import columns_of, json_of, records_of, rows_as
from bot.memory.derived.reading import GuildSituation


class DerivedKind(StrEnum):
    """What a distillation tells."""

    DAY = "day"
    MOOD = "mood"
    """How a member's day felt, beside what happened on it."""
    HISTORICAL = "historical"
    CONTEXT = "context"


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivedText:
    """One text, or that there is nothing to tell: then `content` is `None`, which is not the same as unknown."""

    guild_id: int
    kind: DerivedKind
    audience: int
    subject_id: int
    """The member; 0 is the guild, of whose day the row also stands for having been looked at."""
    period: str
    sources: str
    """The version or the hash of what it was made from."""
    time_zone: str
    model_chain: str
    """The models that were asked, as the settings name them; empty if there are none."""
    content: str | None
    built_at: datetime
    degraded: bool = False
    refused: bool = False
    """No model would tell it: it is not asked for at every read."""
    attempts: int = 1
    retry_after: datetime | None = None
    memory_epoch: int = 0
    covers_up_to: int = 0
    """Of a day: the newest message that it tells of."""
    is_final: bool = False
    """Of a day: told from all its messages, after its end."""

    def is_due(self, *, now: datetime) -> bool:
        """Tell whether the pause of a text that no model told is over, or the clock was put back before it began."""
        return self.retry_after is not None and not self.built_at <= now < self.retry_after


_FIRST_PAUSE: Final = timedelta(minutes=5)
_LONGEST_PAUSE: Final = timedelta(days=1)


def pause_after(failed_before: int) -> timedelta:
    """Return how long to leave a text alone that no model told: 5 minutes, doubled each time, a day at most."""
    return backoff(failed_before + 1, first=_FIRST_PAUSE, longest=_LONGEST_PAUSE)


OF_A_DAY: Final = (DerivedKind.DAY, DerivedKind.MOOD)
"""What is told of one day: it is stored and goes together."""

_COLUMNS: Final = columns_of(DerivedText)


async def texts_of_periods(
    connection: Connection,
    situation: GuildSituation,
    *,
    kinds: Sequence[DerivedKind],
    audiences: Sequence[int],
    periods: Sequence[str],
    subject_ids: Sequence[int] | None = None,
) -> list[DerivedText]:
    """Return what is stored about these periods, of these subjects or of all, in one statement."""
    rows = await connection.fetch(
        f"""
        SELECT {_COLUMNS} FROM distillations
        WHERE guild_id = $1 AND kind = ANY($2) AND audience = ANY($3::bigint[]) AND period = ANY($4::text[])
          AND time_zone = $5 AND model_chain = $6 AND ($7::bigint[] IS NULL OR subject_id = ANY($7::bigint[]))
        ORDER BY audience, period, subject_id, kind
        """,
        situation.guild_id, list(kinds), list(audiences), list(periods), situation.time_zone, situation.model_chain,
        None if subject_ids is None else list(subject_ids),
    )  # fmt: skip
    return rows_as(DerivedText, rows)


async def put_texts(
    connection: Connection, texts: Sequence[DerivedText], *, of_whole_period: bool = False
) -> None:
    """Store `texts`, each in the place of what was told of its subject and period before.

    If they are all that is told of a day, nothing else stays of what was told of it.
    """
    # One order for all writers, so that two of them never wait for each other.
    in_order = sorted(
        texts, key=lambda text: (text.guild_id, text.kind, text.audience, text.period, text.subject_id)
    )
    await connection.executemany(
        """
        DELETE FROM distillations
        WHERE guild_id = $1 AND kind = ANY($2) AND audience = $3 AND subject_id BETWEEN $4 AND $5 AND period = $6
          AND time_zone = $7 AND model_chain = $8
        """,
        [
            (t.guild_id, kinds, t.audience, *subjects, t.period, t.time_zone, t.model_chain)
            for t in (in_order[:1] if of_whole_period else in_order)
            for kinds, subjects in [
                (OF_A_DAY, (0, MAX_ID)) if of_whole_period else ([t.kind], (t.subject_id, t.subject_id))
            ]
        ],
    )
    await connection.execute(
        f"""
        INSERT INTO distillations ({_COLUMNS})
        SELECT {_COLUMNS} FROM jsonb_populate_recordset(NULL::distillations, $1)
        ON CONFLICT DO NOTHING
        """,
        records_of(in_order),
    )


DAYS_TAKEN_BACK: Final = """
    days_gone AS (
        DELETE FROM distillations d
        WHERE d.guild_id = $1 AND d.kind IN ('day', 'mood')
          AND (EXISTS (
                  SELECT FROM day_marks m
                  WHERE m.guild_id = $1 AND m.audience = d.audience AND m.day::text = d.period
                    AND m.taken_back > d.sources::bigint
              ) OR d.time_zone <> (SELECT time_zone FROM guilds g WHERE g.guild_id = $1))
        RETURNING audience, subject_id, content
    ), merged AS (
        DELETE FROM distillations d
        USING (SELECT DISTINCT audience, subject_id FROM days_gone WHERE content <> '') AS told
        WHERE d.guild_id = $1 AND d.kind IN ('historical', 'context')
          AND d.audience = told.audience AND d.subject_id = told.subject_id
    )
"""
"""Part of a statement about the guild $1: removes what was told of days of which something was deleted or withheld.

What was told in a time zone that the guild has left goes as well: its days are no longer marked. So do the weeks and
contexts of those whom such a text was about: they are made of it, and are told anew anyway. `days_gone` is what went.
"""


ROLLING_JOB: Final = "roll"
"""The kind of background work that sums up what running conversations said; its key is the channel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RollingSummary:
    """What a conversation said up to `covers_up_to`."""

    conversation_id: int
    """The first message that it tells of: of this conversation, or of one before it that no episode told of."""
    audience: int
    content: str
    covers_up_to: int
    covered: int
    """Messages that the conversation itself had until there, withheld ones too: if one comes late, there are more."""
    degraded: bool
    failures: int
    """How often in a row no model told it."""


_ROLLED: Final = columns_of(RollingSummary)


async def save_summary(
    connection: Connection,
    summary: RollingSummary,
    *,
    guild_id: int,
    channel_id: int,
    before: RollingSummary | None,
    memory_epoch: int,
    now: datetime,
) -> bool:
    """Put `summary` in the place of `before`; `False`, and nothing done, if something else stands there by now."""
    saved = await connection.fetchval(
        f"""
        INSERT INTO conversation_summaries AS known (guild_id, channel_id, memory_epoch, updated_at, {_ROLLED})
        SELECT $1, $2, $3, $4, {_ROLLED} FROM jsonb_populate_record(NULL::conversation_summaries, $5)
        -- What was read and is gone by now was taken back: nothing is put in its place.
        WHERE $6::bigint IS NULL
           OR EXISTS (SELECT FROM conversation_summaries WHERE guild_id = $1 AND channel_id = $2 FOR UPDATE)
        ON CONFLICT (guild_id, channel_id) DO UPDATE SET (memory_epoch, updated_at, {_ROLLED}) =
            (excluded.memory_epoch, excluded.updated_at, {columns_of(RollingSummary, "excluded")})
        WHERE (known.conversation_id, known.covers_up_to, known.content, known.failures) = ($6, $7, $8, $9)
        RETURNING true
        """,
        guild_id, channel_id, memory_epoch, now, json_of(summary),
        *((before.conversation_id, before.covers_up_to, before.content, before.failures) if before else [None] * 4),
    )  # fmt: skip
    return bool(saved)


SUMMARIES_TAKEN_BACK: Final = """
    summaries_gone AS (
        DELETE FROM conversation_summaries s
        USING chat_history h
        WHERE h.guild_id = $1 AND h.message_id = ANY($2::bigint[])
          AND s.guild_id = $1 AND s.channel_id = h.channel_id
          AND h.message_id BETWEEN s.conversation_id AND s.covers_up_to
          AND (h.withheld IS NOT NULL OR h.audience NOT IN (0, s.audience))
        RETURNING s.channel_id
    )
"""
"""Part of a statement about the guild $1 and the messages $2, which were withheld or moved to another audience before
it: removes the summaries that tell of one of them.
"""


async def drop_summaries_of(connection: Connection, *, guild_id: int, user_id: int) -> None:
    """Remove the summaries of what a member said, or in which they are named."""
    await connection.execute(
        """
        DELETE FROM conversation_summaries s
        WHERE s.guild_id = $1 AND (s.content ~ ('<@!?' || $2::bigint || '>') OR EXISTS (
            SELECT FROM chat_history h
            WHERE h.guild_id = $1 AND h.user_id = $2 AND h.channel_id = s.channel_id
              AND h.message_id BETWEEN s.conversation_id AND s.covers_up_to
        ))
        """,
        guild_id, user_id,
    )  # fmt: skip


async def drop_summaries_of_edited(connection: Connection, heard: Sequence[Message]) -> None:
    """Remove the summaries that tell of an edited message which fewer may read now; to be called after the edits."""
    edited: dict[int, list[int]] = {}
    for message in heard:
        if message.edited_at is not None and message.withheld is None:
            edited.setdefault(message.guild_id, []).append(message.message_id)
    for guild_id, message_ids in edited.items():
        await connection.execute(f"WITH {SUMMARIES_TAKEN_BACK} TABLE summaries_gone", guild_id, message_ids)
