"""Conversations with the bot that have ended, and the episodes that they leave: reading,
writing, making room, and removing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.core.domain import Episode
from bot.db.pool import Connection
from bot.db.rows import columns_of, rows_as
from bot.memory.policy.repository import TEXT_SEARCH

EPISODE_JOB: Final = "episode"
"""The kind of background work that tells of a conversation; its key is `<channel>:<first message>`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedConversation:
    """A conversation with the bot that is over."""

    guild_id: int
    channel_id: int
    first_message_id: int
    last_message_id: int
    ended_at: datetime
    """By the clock that rules conversations."""


async def switch_episodes(connection: Connection, *, on: bool, next_message_id: int) -> None:
    """Note whether conversations leave episodes; once they do again, those that begin with `next_message_id`."""
    await connection.execute(
        """
        UPDATE installation SET episodes_from = CASE WHEN $1 THEN coalesce(episodes_from, $2) END
        WHERE guild_id = 0 AND (episodes_from IS NOT NULL) <> $1
        """,
        on, next_message_id,
    )  # fmt: skip


async def note_ended(connection: Connection, ended: Sequence[EndedConversation]) -> int:
    """Note ends that nobody noted before, ask for them to be told of, and return how many those were.

    One that began before conversations left episodes is noted as settled, and so is one that overlaps another:
    messages that came late have joined it to one that was told of. Where they joined it to the end of such a one,
    that one is as long as both.
    """
    count: int = await connection.fetchval(
        """
        WITH noted AS (
            INSERT INTO ended_conversations AS earlier
                (guild_id, channel_id, first_message_id, last_message_id, ended_at, settled)
            SELECT DISTINCT ON (1, 2, 3) e.*,
                coalesce(e.first_message_id < (SELECT episodes_from FROM installation), true) OR EXISTS (
                SELECT FROM ended_conversations known
                WHERE known.guild_id = e.guild_id AND known.channel_id = e.channel_id
                  AND known.first_message_id <= e.last_message_id AND known.last_message_id >= e.first_message_id
            )
            FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::timestamptz[])
                AS e (guild_id, channel_id, first_message_id, last_message_id, ended_at)
            ORDER BY 1, 2, 3, e.last_message_id DESC
            ON CONFLICT (guild_id, channel_id, first_message_id) DO UPDATE
                SET last_message_id = excluded.last_message_id
                WHERE earlier.last_message_id < excluded.last_message_id
            RETURNING guild_id, channel_id, first_message_id, settled
        ), asked AS (
            INSERT INTO work AS known (guild_id, kind, work_key, due_at)
            SELECT guild_id, $6, channel_id || ':' || first_message_id, clock_timestamp()
            FROM noted WHERE NOT settled
            ON CONFLICT (guild_id, kind, work_key) DO NOTHING
            RETURNING 1
        )
        SELECT count(*) FROM asked
        """,
        [one.guild_id for one in ended], [one.channel_id for one in ended],
        [one.first_message_id for one in ended], [one.last_message_id for one in ended],
        [one.ended_at for one in ended], EPISODE_JOB,
    )  # fmt: skip
    return count


async def covered_by_episodes_up_to(
    connection: Connection, *, guild_id: int, channel_id: int, before_id: int
) -> int:
    """Return the last message of a channel before `before_id` that an episode tells of; 0 if none does."""
    found: int = await connection.fetchval(
        """
        SELECT coalesce(max(last_message_id), 0) FROM ended_conversations
        WHERE guild_id = $1 AND channel_id = $2 AND first_message_id < $3 AND episode_id IS NOT NULL
        """,
        guild_id, channel_id, before_id,
    )  # fmt: skip
    return found


async def episodes_resting_on(
    connection: Connection, *, guild_id: int, user_ids: Sequence[int]
) -> frozenset[int]:
    """Return the episodes of a guild that rest on words of one of these members."""
    rows = await connection.fetch(
        """
        SELECT DISTINCT episode_id FROM ended_conversations e
        WHERE guild_id = $1 AND episode_id IS NOT NULL AND EXISTS (
            SELECT FROM chat_history h
            WHERE h.guild_id = $1 AND h.message_id = ANY(e.told_ids) AND h.user_id = ANY($2::bigint[])
        )
        """,
        guild_id, list(user_ids),
    )  # fmt: skip
    return frozenset(row["episode_id"] for row in rows)


_COLUMNS: Final = columns_of(Episode)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEpisode:
    """An episode before it has an id."""

    guild_id: int
    channel_id: int
    audience: int
    content: str
    importance: int
    tags: tuple[str, ...]
    first_message_id: int
    last_message_id: int
    memory_epoch: int
    created_at: datetime


async def episodes_of_channel(
    connection: Connection, *, guild_id: int, channel_id: int, audiences: Sequence[int]
) -> list[Episode]:
    """Return the episodes of a channel that these audiences may see, newest first."""
    rows = await connection.fetch(
        f"""
        SELECT {_COLUMNS} FROM episodes
        WHERE guild_id = $1 AND channel_id = $2 AND audience = ANY($3::bigint[])
        ORDER BY created_at DESC, episode_id DESC
        """,
        guild_id, channel_id, list(audiences),
    )  # fmt: skip
    return rows_as(Episode, rows)


async def episodes_with_ids(
    connection: Connection, *, guild_id: int, episode_ids: Sequence[int], audiences: Sequence[int]
) -> list[Episode]:
    """Return those of these episodes that these audiences may see, newest first."""
    rows = await connection.fetch(
        f"""
        SELECT {_COLUMNS} FROM episodes
        WHERE guild_id = $1 AND episode_id = ANY($2::bigint[]) AND audience = ANY($3::bigint[])
        ORDER BY created_at DESC, episode_id DESC
        """,
        guild_id, list(episode_ids), list(audiences),
    )  # fmt: skip
    return rows_as(Episode, rows)


async def episodes_everywhere(
    connection: Connection, *, guild_id: int | None, channel_id: int | None, episode_id: int | None = None
) -> list[Episode]:
    """Return all episodes, or those of a guild, of a channel, or one; by guild and channel, newest first."""
    rows = await connection.fetch(
        f"""
        SELECT {_COLUMNS} FROM episodes
        WHERE ($1::bigint IS NULL OR guild_id = $1) AND ($2::bigint IS NULL OR channel_id = $2)
          AND ($3::bigint IS NULL OR episode_id = $3)
        ORDER BY guild_id, channel_id, created_at DESC, episode_id DESC
        """,
        guild_id, channel_id, episode_id,
    )  # fmt: skip
    return rows_as(Episode, rows)


async def lock_episodes(connection: Connection, *, guild_id: int, channel_id: int) -> list[Episode]:
    """Return all episodes of a channel, oldest first; nobody else changes them before commit."""
    rows = await connection.fetch(
        f"""
        SELECT {_COLUMNS} FROM episodes WHERE guild_id = $1 AND channel_id = $2
        ORDER BY created_at, episode_id FOR UPDATE
        """,
        guild_id, channel_id,
    )  # fmt: skip
    return rows_as(Episode, rows)


async def add_episode(
    connection: Connection, new: NewEpisode, *, told_ids: Sequence[int] = (), now: datetime
) -> int | None:
    """Store an episode with the words by which it is found, and return its id; `None` if there is one already.

    It is noted at its conversation that it rests on the messages `told_ids`.
    """
    episode_id: int | None = await connection.fetchval(
        f"""
        WITH added AS (
            INSERT INTO episodes (guild_id, channel_id, audience, content, lexemes, importance, tags,
                first_message_id, last_message_id, memory_epoch, created_at, updated_at)
            SELECT $1, $2, $3, $4,
                lexemes_of({TEXT_SEARCH}, $4),
                $5, $6, $7, $8, $9, $10, $11
            ON CONFLICT (guild_id, channel_id, first_message_id) DO NOTHING
            RETURNING episode_id
        ), noted AS (
            UPDATE ended_conversations SET episode_id = added.episode_id, told_ids = $12
            FROM added WHERE guild_id = $1 AND channel_id = $2 AND first_message_id = $7
        )
        SELECT episode_id FROM added
        """,
        new.guild_id, new.channel_id, new.audience, new.content, new.importance, list(new.tags),
        new.first_message_id, new.last_message_id, new.memory_epoch, new.created_at, now, list(told_ids),
    )  # fmt: skip
    return episode_id


async def merge_episodes(
    connection: Connection,
    *,
    target: Episode,
    merged: Episode,
    content: str,
    audience: int,
    now: datetime,
) -> None:
    """Write `content` in the place of `target`, which from then on stands for `merged` as well; that one goes.

    What was answered from `merged` goes with `target` from then on.
    """
    await connection.execute(
        f"""
        WITH gone AS (
            DELETE FROM episodes WHERE guild_id = $1 AND channel_id = $2 AND episode_id = $4
        ), told AS (
            UPDATE ended_conversations SET episode_id = $3 WHERE guild_id = $1 AND episode_id = $4
        )
        UPDATE episodes SET
            content = $5, audience = $6, importance = greatest(importance, $7), updated_at = $8,
            lexemes = lexemes_of({TEXT_SEARCH}, $5),
            merged_from = merged_from || $4::bigint || $9::bigint[],
            tags = ARRAY(SELECT DISTINCT tag FROM unnest(tags || $10::text[]) AS tag ORDER BY tag),
            last_message_id = greatest(last_message_id, $11)
        WHERE guild_id = $1 AND channel_id = $2 AND episode_id = $3
        """,
        target.guild_id, target.channel_id, target.episode_id, merged.episode_id, content, audience,
        merged.importance, now, list(merged.merged_from), list(merged.tags), merged.last_message_id,
    )  # fmt: skip
    # By a statement of its own: whoever was writing such an answer down held the row that is gone by now.
    await connection.execute(
        """
        UPDATE answers SET episode_ids = episode_ids || $2::bigint
        WHERE guild_id = $1 AND episode_ids @> ARRAY[$3::bigint]
        """,
        target.guild_id, target.episode_id, merged.episode_id,
    )  # fmt: skip


async def remove_episodes(
    connection: Connection,
    *,
    guild_id: int,
    channel_id: int,
    episode_ids: Sequence[int] | None = None,
    audiences: Sequence[int] | None = None,
    is_decided: bool = False,
) -> int:
    """Remove these episodes of a channel (`None`: all), as far as these audiences see them (`None`: all).

    Returns how many went. What somebody asked for (`is_decided`) is noted as a decision, unlike what only makes room.
    """
    count: int = await connection.fetchval(
        """
        WITH gone AS (
            DELETE FROM episodes
            WHERE guild_id = $1 AND channel_id = $2
              AND ($3::bigint[] IS NULL OR episode_id = ANY($3)) AND ($4::bigint[] IS NULL OR audience = ANY($4))
            RETURNING episode_id
        ), untold AS (
            -- On which messages it rested is kept: answers that told it go with these.
            UPDATE ended_conversations SET episode_id = NULL, gone_episode_id = episode_id
            WHERE guild_id = $1 AND episode_id IN (SELECT episode_id FROM gone)
        ), noted AS (
            INSERT INTO decisions (guild_id, kind, ids, details)
            SELECT $1, 'episode', array_agg(episode_id ORDER BY episode_id),
                   jsonb_build_object('channel_id', $2::bigint)
            FROM gone HAVING $5::boolean AND count(*) > 0
        )
        SELECT count(*) FROM gone
        """,
        guild_id, channel_id, None if episode_ids is None else list(episode_ids),
        None if audiences is None else list(audiences), is_decided,
    )  # fmt: skip
    return count


async def purge_episodes_of_deleted(
    connection: Connection, *, guild_id: int, channel_ids: Sequence[int]
) -> int:
    """Remove all episodes of these channels and of their threads, and return how many went."""
    purged = await connection.fetch(
        """
        SELECT channel_id FROM channels
        WHERE guild_id = $1 AND (channel_id = ANY($2::bigint[]) OR parent_id = ANY($2::bigint[]))
        ORDER BY channel_id
        """,
        guild_id, list(channel_ids),
    )  # fmt: skip
    return sum(
        [await remove_episodes(connection, guild_id=guild_id, channel_id=row["channel_id"]) for row in purged]
    )
