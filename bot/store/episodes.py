"""What conversations left behind: reading it, writing it, making room, and taking sentences or all of it away."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.domain import Episode
from bot.store.database import Connection, Row

_COLUMNS: Final = """guild_id, episode_id, channel_id, audience, content, importance, tags, first_message_id,
    last_message_id, merged_from, created_at, updated_at"""


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


def _episode_in(row: Row) -> Episode:
    return Episode(
        guild_id=row["guild_id"],
        episode_id=row["episode_id"],
        channel_id=row["channel_id"],
        audience=row["audience"],
        content=row["content"],
        importance=row["importance"],
        tags=tuple(row["tags"]),
        first_message_id=row["first_message_id"],
        last_message_id=row["last_message_id"],
        merged_from=tuple(row["merged_from"]),
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


async def of_channel(
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
    return [_episode_in(row) for row in rows]


async def with_ids(
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
    return [_episode_in(row) for row in rows]


async def everywhere(
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
    return [_episode_in(row) for row in rows]


async def lock(connection: Connection, *, guild_id: int, channel_id: int) -> list[Episode]:
    """Return all episodes of a channel, oldest first; nobody else changes them before commit."""
    rows = await connection.fetch(
        f"""
        SELECT {_COLUMNS} FROM episodes WHERE guild_id = $1 AND channel_id = $2
        ORDER BY created_at, episode_id FOR UPDATE
        """,
        guild_id, channel_id,
    )  # fmt: skip
    return [_episode_in(row) for row in rows]


async def add(connection: Connection, new: NewEpisode, *, now: datetime) -> int | None:
    """Store an episode with the words by which it is found, and return its id; `None` if there is one already."""
    episode_id: int | None = await connection.fetchval(
        """
        INSERT INTO episodes (guild_id, channel_id, audience, content, lexemes, importance, tags, first_message_id,
            last_message_id, memory_epoch, created_at, updated_at)
        SELECT $1, $2, $3, $4,
            to_tsvector(coalesce((SELECT text_search FROM guilds WHERE guild_id = $1), 'russian'), $4),
            $5, $6, $7, $8, $9, $10, $11
        ON CONFLICT (guild_id, channel_id, first_message_id) DO NOTHING
        RETURNING episode_id
        """,
        new.guild_id, new.channel_id, new.audience, new.content, new.importance, list(new.tags),
        new.first_message_id, new.last_message_id, new.memory_epoch, new.created_at, now,
    )  # fmt: skip
    return episode_id


async def merge(
    connection: Connection,
    *,
    target: Episode,
    merged: Episode,
    content: str,
    audience: int,
    now: datetime,
) -> None:
    """Write `content` in the place of `target`, which from then on stands for `merged` as well; that one goes."""
    await connection.execute(
        """
        WITH gone AS (
            DELETE FROM episodes WHERE guild_id = $1 AND channel_id = $2 AND episode_id = $4
        )
        UPDATE episodes SET
            content = $5, audience = $6, importance = greatest(importance, $7), updated_at = $8,
            lexemes = to_tsvector(coalesce((SELECT text_search FROM guilds WHERE guild_id = $1), 'russian'), $5),
            merged_from = merged_from || $4::bigint || $9::bigint[],
            tags = ARRAY(SELECT DISTINCT tag FROM unnest(tags || $10::text[]) AS tag ORDER BY tag),
            last_message_id = greatest(last_message_id, $11)
        WHERE guild_id = $1 AND channel_id = $2 AND episode_id = $3
        """,
        target.guild_id, target.channel_id, target.episode_id, merged.episode_id, content, audience,
        merged.importance, now, list(merged.merged_from), list(merged.tags), merged.last_message_id,
    )  # fmt: skip


async def remove(
    connection: Connection,
    *,
    guild_id: int,
    channel_id: int,
    episode_ids: Sequence[int] | None = None,
    audiences: Sequence[int] | None = None,
) -> int:
    """Remove these episodes of a channel (`None`: all), as far as these audiences see them (`None`: all).

    Returns how many went.
    """
    count: int = await connection.fetchval(
        """
        WITH gone AS (
            DELETE FROM episodes
            WHERE guild_id = $1 AND channel_id = $2
              AND ($3::bigint[] IS NULL OR episode_id = ANY($3)) AND ($4::bigint[] IS NULL OR audience = ANY($4))
            RETURNING guild_id, episode_id
        ), untold AS (
            UPDATE ended_conversations SET episode_id = NULL, told_ids = '{}'
            WHERE (guild_id, episode_id) IN (SELECT guild_id, episode_id FROM gone)
        )
        SELECT count(*) FROM gone
        """,
        guild_id, channel_id, None if episode_ids is None else list(episode_ids),
        None if audiences is None else list(audiences),
    )  # fmt: skip
    return count


async def purge_deleted(connection: Connection, *, guild_id: int, channel_ids: Sequence[int]) -> int:
    """Remove all episodes of these channels and of their threads, and return how many went."""
    purged = await connection.fetch(
        """
        SELECT channel_id FROM channels
        WHERE guild_id = $1 AND (channel_id = ANY($2::bigint[]) OR parent_id = ANY($2::bigint[]))
        ORDER BY channel_id
        """,
        guild_id, list(channel_ids),
    )  # fmt: skip
    return sum([await remove(connection, guild_id=guild_id, channel_id=row["channel_id"]) for row in purged])
