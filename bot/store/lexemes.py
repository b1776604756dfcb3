"""The words by which messages, facts and episodes are found, indexed anew when a guild chooses another text search."""

from bot.store.database import Connection


async def index_messages(connection: Connection, *, guild_id: int, before_id: int, limit: int) -> int | None:
    """Index the last `limit` messages before this id by the guild's text search, as it is now.

    Returns the oldest of them, or `None` if none is left before it.
    """
    oldest: int | None = await connection.fetchval(
        """
        WITH batch AS (
            SELECT message_id FROM chat_history
            WHERE guild_id = $1 AND message_id < $2 ORDER BY message_id DESC LIMIT $3
        ), indexed AS (
            UPDATE chat_history kept SET lexemes = lexemes_of(g.text_search, kept.message_text, kept.attachments)
            FROM guilds g
            WHERE kept.guild_id = $1 AND g.guild_id = $1 AND kept.withheld IS NULL
              AND kept.message_id IN (SELECT message_id FROM batch)
        )
        SELECT min(message_id) FROM batch
        """,
        guild_id, before_id, limit,
    )  # fmt: skip
    return oldest


async def index_facts(connection: Connection, *, guild_id: int, before_id: int, limit: int) -> int | None:
    """Index the last `limit` facts before this id by the guild's text search, as it is now.

    Returns the oldest of them, or `None` if none is left before it.
    """
    oldest: int | None = await connection.fetchval(
        """
        WITH batch AS (
            SELECT fact_id FROM facts
            WHERE guild_id = $1 AND fact_id < $2 ORDER BY fact_id DESC LIMIT $3
        ), indexed AS (
            UPDATE facts SET lexemes = to_tsvector(g.text_search, content)
            FROM guilds g
            WHERE facts.guild_id = $1 AND g.guild_id = $1 AND facts.status <> 'forgotten'
              AND facts.fact_id IN (SELECT fact_id FROM batch)
        )
        SELECT min(fact_id) FROM batch
        """,
        guild_id, before_id, limit,
    )  # fmt: skip
    return oldest


async def index_episodes(connection: Connection, *, guild_id: int, before_id: int, limit: int) -> int | None:
    """Index the last `limit` episodes before this id by the guild's text search, as it is now.

    Returns the oldest of them, or `None` if none is left before it.
    """
    oldest: int | None = await connection.fetchval(
        """
        WITH batch AS (
            SELECT episode_id FROM episodes
            WHERE guild_id = $1 AND episode_id < $2 ORDER BY episode_id DESC LIMIT $3
        ), indexed AS (
            UPDATE episodes SET lexemes = to_tsvector(g.text_search, content)
            FROM guilds g
            WHERE episodes.guild_id = $1 AND g.guild_id = $1
              AND episodes.episode_id IN (SELECT episode_id FROM batch)
        )
        SELECT min(episode_id) FROM batch
        """,
        guild_id, before_id, limit,
    )  # fmt: skip
    return oldest
