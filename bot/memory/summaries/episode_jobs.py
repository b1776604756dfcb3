"""Ended conversations on their way to an episode: read, summarised once or given up, requested again, taken back."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.core.domain import Message
from bot.db.pool import Connection
from bot.db.rows import columns_of, row_as, rows_as
from bot.memory.derived.engine import Sources
from bot.memory.messages.repository import MESSAGE_COLUMNS
from bot.memory.policy.repository import said_by_present
from bot.memory.summaries import repository
from bot.memory.summaries.repository_episodes import EPISODE_JOB, EndedConversation


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeJob(Sources):
    """A conversation that is yet to be told of, as it stood when it was read.

    Its messages are what was said in it, oldest first, but for what is withheld or not for the memory; `told_ids` also
    has what the summary may tell of, commands too.
    """

    ended: EndedConversation
    summary: str
    """What was said up to `covers_up_to`, in short; may be empty."""
    covers_up_to: int
    summary_audience: int
    time_zone: str
    channel_is_deleted: bool


async def read_job(
    connection: Connection, *, guild_id: int, channel_id: int, first_message_id: int
) -> EpisodeJob | None:
    """Return a conversation that is yet to be told of; `None` if it is settled.

    Commands to the bot with their answers are no part of the talk, nor is what visitors said or were answered, and
    members of whom nothing is kept.
    A summary is left out that may tell of what was taken back since, or of visitors.
    """
    row = await connection.fetchrow(
        f"""
        SELECT {columns_of(EndedConversation, "e")}, coalesce(g.memory_epoch, 0) AS memory_epoch,
               'conversation ' || e.first_message_id || ' of channel ' || e.channel_id AS place,
               coalesce(g.time_zone, 'UTC') AS time_zone, c.deleted_at IS NOT NULL AS channel_is_deleted,
               coalesce(s.content, '') AS summary, coalesce(s.covers_up_to, 0) AS covers_up_to,
               coalesce(s.audience, 0) AS summary_audience,
               ARRAY(SELECT h.message_id FROM chat_history h
                     WHERE h.guild_id = $1 AND h.channel_id = e.channel_id
                       AND h.message_id BETWEEN s.conversation_id AND s.covers_up_to) AS told_ids
        FROM ended_conversations e
        LEFT JOIN guilds g ON g.guild_id = e.guild_id
        LEFT JOIN channels c ON c.guild_id = e.guild_id AND c.channel_id = e.channel_id
        LEFT JOIN conversation_summaries s ON s.guild_id = e.guild_id AND s.channel_id = e.channel_id
            AND s.conversation_id <= e.first_message_id
            AND s.covers_up_to BETWEEN e.first_message_id AND e.last_message_id
            AND s.memory_epoch = coalesce(g.memory_epoch, 0)
            AND NOT EXISTS (
                SELECT FROM chat_history h
                WHERE h.guild_id = $1 AND h.channel_id = e.channel_id
                  AND h.message_id BETWEEN s.conversation_id AND s.covers_up_to
                  AND (h.withheld IS NOT NULL OR h.from_visitor)
            )
        WHERE e.guild_id = $1 AND e.channel_id = $2 AND e.first_message_id = $3 AND NOT e.settled
        """,
        guild_id, channel_id, first_message_id,
    )  # fmt: skip
    job = row_as(EpisodeJob, row)
    if job is None:
        return None
    said = await connection.fetch(
        f"""
        SELECT {MESSAGE_COLUMNS} FROM chat_history
        WHERE guild_id = $1 AND channel_id = $2 AND message_id BETWEEN $3 AND $4
          AND withheld IS NULL AND NOT from_visitor AND kind <> 'system' AND {said_by_present("chat_history")}
          AND NOT EXISTS (
              SELECT FROM answers a
              WHERE a.guild_id = $1
                AND a.message_id IN (chat_history.message_id, CASE WHEN kind = 'bot' THEN reply_to_id END)
                AND a.route NOT IN ('none', 'chat')
          )
          AND NOT EXISTS (
              SELECT FROM chat_history asked
              WHERE asked.guild_id = $1 AND asked.message_id = chat_history.reply_to_id
                AND chat_history.kind = 'bot' AND asked.from_visitor
          )
        ORDER BY message_id
        """,
        guild_id, channel_id, first_message_id, job.ended.last_message_id,
    )  # fmt: skip
    messages = rows_as(Message, said)
    told_ids = sorted({*job.told_ids, *(one.message_id for one in messages)})
    return replace(job, messages=messages, told_ids=told_ids)


async def settle_job(connection: Connection, ended: EndedConversation) -> bool:
    """Note that a conversation was summarised or never will be; `False` if it was settled before."""
    settled: bool | None = await connection.fetchval(
        """
        UPDATE ended_conversations SET settled = true
        WHERE guild_id = $1 AND channel_id = $2 AND first_message_id = $3 AND NOT settled
        RETURNING true
        """,
        ended.guild_id, ended.channel_id, ended.first_message_id,
    )  # fmt: skip
    return bool(settled)


async def note_failure(connection: Connection, ended: EndedConversation) -> int:
    """Note that models failed to tell of a conversation, and return how often they did."""
    attempts: int | None = await connection.fetchval(
        """
        UPDATE ended_conversations SET attempts = attempts + 1
        WHERE guild_id = $1 AND channel_id = $2 AND first_message_id = $3
        RETURNING attempts
        """,
        ended.guild_id, ended.channel_id, ended.first_message_id,
    )  # fmt: skip
    return attempts or 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenTexts:
    """How many texts went with some messages."""

    days: int
    episodes: int
    episode_ids: tuple[int, ...]
    """Whatever rested on them, those too that were gone before: answers may still tell them."""


async def _hold_episodes_resting_on(
    connection: Connection, *, guild_id: int, message_ids: Sequence[int]
) -> None:
    """Lock the episodes that rest on these messages, after waiting for a running merge.

    Only then is it known which episode contains a conversation.
    """
    await connection.execute(
        """
        SELECT FROM episodes WHERE guild_id = $1 AND episode_id IN (
            SELECT episode_id FROM ended_conversations
            WHERE guild_id = $1 AND episode_id IS NOT NULL AND told_ids && $2::bigint[]
        ) ORDER BY episode_id FOR UPDATE
        """,
        guild_id, list(message_ids),
    )  # fmt: skip


async def take_back_texts(connection: Connection, *, guild_id: int, message_ids: Sequence[int]) -> TakenTexts:
    """Remove the days, summaries and episodes that rest on one of these messages; what is left is told anew.

    Days go by their marks, whichever messages moved these. To be called after the messages lost their text, in the
    same transaction.
    """
    if message_ids:
        await _hold_episodes_resting_on(connection, guild_id=guild_id, message_ids=message_ids)
    (row,) = await connection.fetch(
        f"""
        WITH resting AS (
            SELECT DISTINCT episode_id FROM ended_conversations
            WHERE guild_id = $1 AND episode_id IS NOT NULL AND told_ids && $2::bigint[]
        ), gone AS (
            DELETE FROM episodes WHERE guild_id = $1 AND episode_id IN (SELECT episode_id FROM resting)
            RETURNING episode_id
        ), untold AS (
            UPDATE ended_conversations SET settled = false, attempts = 0, episode_id = NULL, told_ids = '{{}}'
            WHERE guild_id = $1 AND episode_id IN (SELECT episode_id FROM resting)
            RETURNING channel_id, first_message_id
        ), removed AS (
            SELECT DISTINCT gone_episode_id AS episode_id FROM ended_conversations
            WHERE guild_id = $1 AND episode_id IS NULL AND gone_episode_id IS NOT NULL AND told_ids && $2::bigint[]
        ), let_go AS (
            UPDATE ended_conversations SET gone_episode_id = NULL, told_ids = '{{}}'
            WHERE guild_id = $1 AND episode_id IS NULL AND gone_episode_id IN (SELECT episode_id FROM removed)
        ), asked AS (
            INSERT INTO work AS known (guild_id, kind, work_key, due_at)
            SELECT $1, $3, channel_id || ':' || first_message_id, clock_timestamp()
            FROM untold ORDER BY channel_id, first_message_id
            ON CONFLICT (guild_id, kind, work_key) DO UPDATE SET
                wanted = known.wanted + 1, attempts = 0, due_at = excluded.due_at
        ), {repository.DAYS_TAKEN_BACK}, {repository.SUMMARIES_TAKEN_BACK}
        SELECT (SELECT count(*) FROM days_gone WHERE content <> '') AS days,
               (SELECT count(*) FROM gone) AS episodes,
               ARRAY(SELECT episode_id FROM resting UNION SELECT episode_id FROM removed ORDER BY 1) AS episode_ids
        """,
        guild_id, list(message_ids), EPISODE_JOB,
    )  # fmt: skip
    return row_as(TakenTexts, row)
