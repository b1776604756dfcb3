"""Texts told of others in which an erased member is named."""

from bot.store.database import Connection
from bot.store.unsaying import Told, ToldText


async def naming(connection: Connection, *, guild_id: int, user_id: int) -> list[ToldText]:
    """Return the profiles, rolling summaries and episodes that name a member, and hold them until commit."""
    found: list[ToldText] = []
    for told, table, row in (
        (Told.PROFILE, "profiles", "user_id, version"),
        (Told.SUMMARY, "conversation_summaries", "channel_id, 0"),
        (Told.EPISODE, "episodes", "episode_id, 0"),
    ):
        rows = await connection.fetch(
            f"""
            SELECT content, {row} FROM {table}
            WHERE guild_id = $1 AND without_id(content, $2) <> content ORDER BY 2, 3 FOR UPDATE
            """,
            guild_id, user_id,
        )  # fmt: skip
        found += [ToldText(told=told, row=(one[1], one[2]), content=one[0]) for one in rows]
    return found


async def sentences_naming(connection: Connection, *, user_id: int, sentences: list[str]) -> set[int]:
    """Return the places of the sentences that name a member."""
    rows = await connection.fetch(
        """
        SELECT place - 1 AS place FROM unnest($2::text[]) WITH ORDINALITY AS spoken (words, place)
        WHERE without_id(words, $1) <> words
        """,
        user_id, sentences,
    )  # fmt: skip
    return {row["place"] for row in rows}


async def drop_rebuildable(connection: Connection, *, guild_id: int, user_id: int) -> list[tuple[int, int]]:
    """Remove days, weeks, contexts and narratives about others that name a member, and tags that do.

    They are told anew. Returns subject and audience of each narrative.
    """
    await connection.execute(
        "DELETE FROM distillations WHERE guild_id = $1 AND without_id(content, $2) <> content",
        guild_id, user_id,
    )  # fmt: skip
    await connection.execute(
        """
        UPDATE episodes SET tags = ARRAY(SELECT tag FROM unnest(tags) AS tag WHERE without_id(tag, $2) = tag)
        WHERE guild_id = $1 AND without_id(tags::text, $2) <> tags::text
        """,
        guild_id, user_id,
    )  # fmt: skip
    rows = await connection.fetch(
        """
        DELETE FROM user_facts WHERE guild_id = $1 AND user_id <> $2 AND without_id(memory_blob, $2) <> memory_blob
        RETURNING user_id, audience
        """,
        guild_id, user_id,
    )  # fmt: skip
    return sorted({(row["user_id"], row["audience"]) for row in rows})


async def drop_about(connection: Connection, *, guild_id: int, user_id: int) -> int:
    """Remove days, weeks, contexts and narratives about a member, and return how many there were."""
    rows = await connection.fetch(
        """
        WITH told AS (
            DELETE FROM distillations WHERE guild_id = $1 AND subject_id = $2 RETURNING 1
        ), narrated AS (
            DELETE FROM user_facts WHERE guild_id = $1 AND user_id = $2 RETURNING 1
        )
        SELECT FROM told UNION ALL SELECT FROM narrated
        """,
        guild_id, user_id,
    )  # fmt: skip
    return len(rows)
