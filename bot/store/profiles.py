"""Profiles: what was learned of members, the last versions of it, and under which conditions one is written."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.store.database import Connection, Row

KEPT_VERSIONS: Final = 5
"""Versions of one profile that are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One version of what was learned of a member."""

    guild_id: int
    user_id: int
    version: int
    content: str
    """Short paragraphs with members as `<@id>`; empty if nothing of it may be kept."""
    covers_up_to: int
    """The newest message that it was learned from."""
    learned_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What a learning builds on: it may be saved only while this is as it was."""

    version: int
    """The newest version that was ever written of the profile; 0 if there was none."""
    memory_epoch: int
    may_be_learned: bool
    """Whether the member is one, and wants to be learned about."""


_COLUMNS: Final = "guild_id, user_id, version, content, covers_up_to, learned_at"


def _profile(row: Row) -> Profile:
    return Profile(
        guild_id=row["guild_id"],
        user_id=row["user_id"],
        version=row["version"],
        content=row["content"],
        covers_up_to=row["covers_up_to"],
        learned_at=row["learned_at"],
    )


async def newest(
    connection: Connection, *, guild_ids: Sequence[int], user_ids: Sequence[int]
) -> list[Profile]:
    """Return the newest version of the profile of each of these members in each of these guilds."""
    rows = await connection.fetch(
        f"""
        SELECT DISTINCT ON (guild_id, user_id) {_COLUMNS} FROM profiles
        WHERE guild_id = ANY($1::bigint[]) AND user_id = ANY($2::bigint[])
        ORDER BY guild_id, user_id, version DESC
        """,
        list(guild_ids), list(user_ids),
    )  # fmt: skip
    return [_profile(row) for row in rows]


async def versions(connection: Connection, *, guild_id: int, user_id: int) -> list[Profile]:
    """Return the versions of a profile that are kept, newest first."""
    rows = await connection.fetch(
        f"SELECT {_COLUMNS} FROM profiles WHERE guild_id = $1 AND user_id = $2 ORDER BY version DESC",
        guild_id, user_id,
    )  # fmt: skip
    return [_profile(row) for row in rows]


async def rewrite(connection: Connection, *, guild_id: int, user_id: int, version: int, content: str) -> None:
    """Put `content` in the place of what one version says."""
    await connection.execute(
        "UPDATE profiles SET content = $4 WHERE guild_id = $1 AND user_id = $2 AND version = $3",
        guild_id, user_id, version, content,
    )  # fmt: skip


_STANDING: Final = """
    SELECT m.profile_version,
           m.learning AND NOT m.is_bot AND NOT keeps_nothing(m.guild_id, m.user_id) AND NOT EXISTS (
               SELECT FROM kept_categories k
               WHERE k.guild_id = m.guild_id AND k.user_id = m.user_id AND k.category = 'profile' AND NOT k.kept
           ) AS may_be_learned,
           coalesce((SELECT memory_epoch FROM guilds WHERE guild_id = $1), 0) AS memory_epoch
    FROM members m WHERE m.guild_id = $1 AND m.user_id = $2
"""


async def standing(connection: Connection, *, guild_id: int, user_id: int) -> Standing | None:
    """Return how things stand for learning about a member; `None` if they are not known."""
    row = await connection.fetchrow(_STANDING, guild_id, user_id)
    if row is None:
        return None
    return Standing(
        version=row["profile_version"],
        memory_epoch=row["memory_epoch"],
        may_be_learned=row["may_be_learned"],
    )


async def hold(connection: Connection, *, guild_id: int, user_id: int) -> Standing | None:
    """Return how things stand, as `standing` does, and keep them from changing until commit."""
    await connection.fetchval("SELECT 1 FROM guilds WHERE guild_id = $1 FOR SHARE", guild_id)
    await connection.fetchval(
        "SELECT 1 FROM members WHERE guild_id = $1 AND user_id = $2 FOR UPDATE", guild_id, user_id
    )
    return await standing(connection, guild_id=guild_id, user_id=user_id)


async def put(connection: Connection, profile: Profile, *, memory_epoch: int) -> None:
    """Write a new version; whoever calls holds the member's row. The oldest go beyond `KEPT_VERSIONS`."""
    await connection.execute(
        """
        INSERT INTO profiles (guild_id, user_id, version, content, covers_up_to, memory_epoch, learned_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        """,
        profile.guild_id, profile.user_id, profile.version, profile.content, profile.covers_up_to, memory_epoch,
        profile.learned_at,
    )  # fmt: skip
    await connection.execute(
        "UPDATE members SET profile_version = $3 WHERE guild_id = $1 AND user_id = $2",
        profile.guild_id, profile.user_id, profile.version,
    )  # fmt: skip
    await connection.execute(
        """
        DELETE FROM profiles WHERE guild_id = $1 AND user_id = $2 AND version NOT IN (
            SELECT version FROM profiles WHERE guild_id = $1 AND user_id = $2 ORDER BY version DESC LIMIT $3
        )
        """,
        profile.guild_id, profile.user_id, KEPT_VERSIONS,
    )  # fmt: skip


async def drop(connection: Connection, *, guild_id: int, user_id: int) -> int:
    """Remove every version of a profile, and return how many there were."""
    rows = await connection.fetch(
        "DELETE FROM profiles WHERE guild_id = $1 AND user_id = $2 RETURNING version", guild_id, user_id
    )
    return len(rows)


async def switch(connection: Connection, *, guild_id: int, user_id: int, learning: bool) -> bool:
    """Set whether a member is learned about; `False` if they are not known."""
    known = await connection.fetchval(
        "UPDATE members SET learning = $3 WHERE guild_id = $1 AND user_id = $2 RETURNING true",
        guild_id, user_id, learning,
    )  # fmt: skip
    return bool(known)


async def are_learned_about(
    connection: Connection, *, guild_ids: Sequence[int], user_id: int
) -> dict[int, bool]:
    """Return by guild whether a member wants to be learned about there; guilds that do not know them are left out."""
    rows = await connection.fetch(
        """
        SELECT guild_id, learning AND NOT keeps_nothing(guild_id, user_id) AS learning FROM members
        WHERE guild_id = ANY($1::bigint[]) AND user_id = $2
        """,
        list(guild_ids), user_id,
    )  # fmt: skip
    return {row["guild_id"]: row["learning"] for row in rows}


async def told_to(connection: Connection, *, guild_id: int, user_id: int, text: str) -> list[int]:
    """Return the messages of a member in answer to which the bot said `text` word for word."""
    rows = await connection.fetch(
        """
        SELECT message_id FROM answers
        WHERE guild_id = $1 AND user_id = $2 AND position($3 IN array_to_string(parts, E'\\n')) > 0
        """,
        guild_id, user_id, text,
    )  # fmt: skip
    return [row["message_id"] for row in rows]
