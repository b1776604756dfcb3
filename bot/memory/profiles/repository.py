"""The tables of profiles: the kept versions of what was learned of each member, and the turns (answered
messages) that are still to be learned from.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.core.domain import OPEN, Message
from bot.db.pool import Connection, Row
from bot.memory.messages import repository as messages_repository

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
class LearningState:
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


async def newest_profiles(
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


async def profile_versions(connection: Connection, *, guild_id: int, user_id: int) -> list[Profile]:
    """Return the versions of a profile that are kept, newest first."""
    rows = await connection.fetch(
        f"SELECT {_COLUMNS} FROM profiles WHERE guild_id = $1 AND user_id = $2 ORDER BY version DESC",
        guild_id, user_id,
    )  # fmt: skip
    return [_profile(row) for row in rows]


async def rewrite_version(
    connection: Connection, *, guild_id: int, user_id: int, version: int, content: str
) -> None:
    """Put `content` in the place of what one version says."""
    await connection.execute(
        "UPDATE profiles SET content = $4 WHERE guild_id = $1 AND user_id = $2 AND version = $3",
        guild_id, user_id, version, content,
    )  # fmt: skip


_LEARNING_STATE: Final = """
    SELECT m.profile_version,
           m.learning AND NOT m.is_bot AND NOT keeps_nothing(m.guild_id, m.user_id) AND NOT EXISTS (
               SELECT FROM kept_categories k
               WHERE k.guild_id = m.guild_id AND k.user_id = m.user_id AND k.category = 'profile' AND NOT k.kept
           ) AS may_be_learned,
           coalesce((SELECT memory_epoch FROM guilds WHERE guild_id = $1), 0) AS memory_epoch
    FROM members m WHERE m.guild_id = $1 AND m.user_id = $2
"""


async def learning_state(connection: Connection, *, guild_id: int, user_id: int) -> LearningState | None:
    """Return how things stand for learning about a member; `None` if they are not known."""
    row = await connection.fetchrow(_LEARNING_STATE, guild_id, user_id)
    if row is None:
        return None
    return LearningState(
        version=row["profile_version"],
        memory_epoch=row["memory_epoch"],
        may_be_learned=row["may_be_learned"],
    )


async def hold_learning_state(connection: Connection, *, guild_id: int, user_id: int) -> LearningState | None:
    """Return how things stand, as `learning_state` does, and keep them from changing until commit."""
    await connection.fetchval("SELECT 1 FROM guilds WHERE guild_id = $1 FOR SHARE", guild_id)
    await connection.fetchval(
        "SELECT 1 FROM members WHERE guild_id = $1 AND user_id = $2 FOR UPDATE", guild_id, user_id
    )
    return await learning_state(connection, guild_id=guild_id, user_id=user_id)


async def add_version(connection: Connection, profile: Profile, *, memory_epoch: int) -> None:
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


async def drop_profile(connection: Connection, *, guild_id: int, user_id: int) -> int:
    """Remove every version of a profile, and return how many there were."""
    rows = await connection.fetch(
        "DELETE FROM profiles WHERE guild_id = $1 AND user_id = $2 RETURNING version", guild_id, user_id
    )
    return len(rows)


async def switch_learning(connection: Connection, *, guild_id: int, user_id: int, learning: bool) -> bool:
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


async def answers_that_gave(connection: Connection, *, guild_id: int, user_id: int, text: str) -> list[int]:
    """Return the messages of a member in answer to which the bot said `text` word for word."""
    rows = await connection.fetch(
        """
        SELECT message_id FROM answers
        WHERE guild_id = $1 AND user_id = $2 AND position($3 IN array_to_string(parts, E'\\n')) > 0
        """,
        guild_id, user_id, text,
    )  # fmt: skip
    return [row["message_id"] for row in rows]


MOST_READ: Final = 500
"""Turns that are looked at at once; what is beyond them is due all the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedTurn:
    """A turn that was just counted."""

    user_id: int
    unlearned: int
    """How many turns of the member no learning has covered, this one included; 0 where nothing is learned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnIds:
    """One turn: what was answered, and the answer."""

    message_id: int
    sent_ids: tuple[int, ...]


async def count_turn(
    connection: Connection, *, guild_id: int, message_id: int, learns: bool
) -> CountedTurn | None:
    """Count the answer to a message as a turn of its author; `None` if it is none, or was counted before.

    None are counted of members of whom nothing is kept. Not to be learned from is a turn where nothing `learns`, or
    of whom nothing may be learned.
    """
    # Who repeats this waits for the row, and then finds it no longer awaited.
    user_id = await connection.fetchval(
        """
        UPDATE answers SET turn = 'due'
        WHERE guild_id = $1 AND message_id = $2 AND turn = 'awaited'
          AND state = 'sent' AND cardinality(sent_ids) > 0
        RETURNING user_id
        """,
        guild_id, message_id,
    )  # fmt: skip
    if user_id is None:
        return None
    row = await connection.fetchrow(
        """
        UPDATE members
        SET turns = turns + 1, unlearned = unlearned + ($3 AND is_learned_about)::integer
        FROM (
            SELECT learning AND NOT EXISTS (
                SELECT FROM kept_categories k
                WHERE k.guild_id = $1 AND k.user_id = $2 AND k.category = 'profile' AND NOT k.kept
            ) AS is_learned_about
            FROM members WHERE guild_id = $1 AND user_id = $2
        ) wanted
        WHERE guild_id = $1 AND user_id = $2 AND NOT is_bot AND NOT keeps_nothing($1, $2)
        RETURNING unlearned, $3 AND is_learned_about AS is_due
        """,
        guild_id, user_id, learns,
    )  # fmt: skip
    if row is not None and row["is_due"]:
        return CountedTurn(user_id=user_id, unlearned=row["unlearned"])
    await connection.execute(
        "UPDATE answers SET turn = 'passed' WHERE guild_id = $1 AND message_id = $2", guild_id, message_id
    )
    return CountedTurn(user_id=user_id, unlearned=0)


async def due_turns(connection: Connection, *, guild_id: int, user_id: int) -> list[TurnIds]:
    """Return the oldest turns of a member that no learning has covered, oldest first."""
    rows = await connection.fetch(
        """
        SELECT message_id, sent_ids FROM answers
        WHERE guild_id = $1 AND user_id = $2 AND turn = 'due' ORDER BY message_id LIMIT $3
        """,
        guild_id, user_id, MOST_READ,
    )  # fmt: skip
    return [TurnIds(message_id=row["message_id"], sent_ids=tuple(row["sent_ids"])) for row in rows]


async def learned_turns_before(
    connection: Connection, *, guild_id: int, user_id: int, message_id: int, limit: int
) -> list[TurnIds]:
    """Return the last turns before this message that a learning has covered, oldest first."""
    rows = await connection.fetch(
        """
        SELECT message_id, sent_ids FROM answers
        WHERE guild_id = $1 AND user_id = $2 AND turn = 'learned' AND message_id < $3
        ORDER BY message_id DESC LIMIT $4
        """,
        guild_id, user_id, message_id, limit,
    )  # fmt: skip
    return [TurnIds(message_id=row["message_id"], sent_ids=tuple(row["sent_ids"])) for row in reversed(rows)]


async def messages_of_turns(
    connection: Connection, *, guild_id: int, user_id: int, turns: Sequence[TurnIds]
) -> list[Message]:
    """Return what was said in these turns, oldest first, as far as it may be learned from.

    That is what the member said as a member where everybody reads it, and what the bot said to it, still with a text.
    """
    rows = await connection.fetch(
        f"""
        SELECT {messages_repository.MESSAGE_COLUMNS} FROM chat_history
        WHERE guild_id = $1 AND audience = $2 AND withheld IS NULL AND NOT from_visitor
          AND ((message_id = ANY($3::bigint[]) AND user_id = $5 AND kind = 'member')
               OR (message_id = ANY($4::bigint[]) AND kind = 'bot'))
        ORDER BY message_id
        """,
        guild_id, OPEN, [turn.message_id for turn in turns],
        [sent_id for turn in turns for sent_id in turn.sent_ids], user_id,
    )  # fmt: skip
    return [messages_repository.message_of(row) for row in rows]


async def cover_turns(
    connection: Connection, *, guild_id: int, user_id: int, message_ids: Sequence[int]
) -> None:
    """Note that the turns with these messages are learned from; whoever calls holds the member's row.

    The member's count falls by as many; never below 0, nor does it stay above what is left to be learned from.
    """
    await connection.execute(
        """
        WITH covered AS (
            UPDATE answers SET turn = 'learned'
            WHERE guild_id = $1 AND user_id = $2 AND message_id = ANY($3::bigint[]) AND turn = 'due'
            RETURNING message_id
        )
        UPDATE members SET unlearned = greatest(0, least(
            unlearned - (SELECT count(*) FROM covered),
            (SELECT count(*) FROM answers a
             WHERE a.guild_id = $1 AND a.user_id = $2 AND a.turn = 'due'
               AND a.message_id NOT IN (SELECT message_id FROM covered))
        ))
        WHERE guild_id = $1 AND user_id = $2
        """,
        guild_id, user_id, list(message_ids),
    )  # fmt: skip


async def pass_over_turns(connection: Connection, *, guild_id: int, user_id: int) -> None:
    """Note that nothing is to be learned from the turns that are due; whoever calls holds the member's row."""
    await connection.execute(
        "UPDATE answers SET turn = 'passed' WHERE guild_id = $1 AND user_id = $2 AND turn = 'due'",
        guild_id, user_id,
    )  # fmt: skip
    await connection.execute(
        "UPDATE members SET unlearned = 0 WHERE guild_id = $1 AND user_id = $2", guild_id, user_id
    )
