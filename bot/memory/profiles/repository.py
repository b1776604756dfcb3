"""The tables of profiles: the kept versions of what was learned of each member, and the turns (answered
messages) that are still to be learned from.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.core.domain import OPEN, Message
from bot.db.pool import Connection
from bot.db.rows import columns_of, row_as, rows_as
from bot.memory.messages import repository as messages_repository
from bot.memory.policy import decisions
from bot.memory.policy.decisions import DecisionKind

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


_COLUMNS: Final = columns_of(Profile)


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
    return rows_as(Profile, rows)


async def profile_versions(connection: Connection, *, guild_id: int, user_id: int) -> list[Profile]:
    """Return the versions of a profile that are kept, newest first."""
    rows = await connection.fetch(
        f"SELECT {_COLUMNS} FROM profiles WHERE guild_id = $1 AND user_id = $2 ORDER BY version DESC",
        guild_id, user_id,
    )  # fmt: skip
    return rows_as(Profile, rows)


async def rewrite_version(
    connection: Connection, *, guild_id: int, user_id: int, version: int, content: str
) -> None:
    """Put `content` in the place of what one version says."""
    await connection.execute(
        "UPDATE profiles SET content = $4 WHERE guild_id = $1 AND user_id = $2 AND version = $3",
        guild_id, user_id, version, content,
    )  # fmt: skip


_LEARNING_STATE: Final = """
    SELECT m.profile_version AS version,
           m.learning AND NOT m.is_bot AND NOT keeps_nothing($1, m.user_id) AND NOT EXISTS (
               SELECT FROM kept_categories k
               WHERE k.guild_id = $1 AND k.user_id = m.user_id AND k.category = 'profile' AND NOT k.kept
           ) AS may_be_learned,
           coalesce((SELECT memory_epoch FROM guilds WHERE guild_id = $1), 0) AS memory_epoch
    FROM members m WHERE m.guild_id = $1 AND m.user_id = $2
"""


async def learning_state(connection: Connection, *, guild_id: int, user_id: int) -> LearningState | None:
    """Return how things stand for learning about a member; `None` if they are not known."""
    return row_as(LearningState, await connection.fetchrow(_LEARNING_STATE, guild_id, user_id))


async def hold_learning_state(connection: Connection, *, guild_id: int, user_id: int) -> LearningState | None:
    """Return how things stand, as `learning_state` does, and keep them from changing until commit."""
    await connection.fetchval("SELECT 1 FROM guilds WHERE guild_id = $1 FOR SHARE", guild_id)
    await connection.fetchval(
        "SELECT 1 FROM members WHERE guild_id = $1 AND user_id = $2 FOR UPDATE", guild_id, user_id
    )
    return await learning_state(connection, guild_id=guild_id, user_id=user_id)


async def add_version(connection: Connection, profile: Profile, *, memory_epoch: int) -> None:
    """Write a new version; the caller holds the lock of the member's row. The oldest beyond `KEPT_VERSIONS` are
    deleted.
    """
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
    if rows:
        await decisions.note(connection, DecisionKind.PROFILE, guild_id=guild_id, user_id=user_id)
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


async def answers_that_gave(
    connection: Connection, *, guild_id: int, user_id: int, texts: Sequence[str]
) -> list[int]:
    """Return the messages of a member in answer to which the bot said one of `texts` word for word."""
    rows = await connection.fetch(
        """
        SELECT message_id FROM answers
        WHERE guild_id = $1 AND user_id = $2 AND EXISTS (
            SELECT FROM unnest($3::text[]) AS said WHERE position(said IN array_to_string(parts, E'\\n')) > 0
        )
        """,
        guild_id, user_id, list(texts),
    )  # fmt: skip
    return [row["message_id"] for row in rows]


MOST_READ: Final = 500
"""Turns that are looked at at once; what is beyond them is due all the same."""


LEARNING_JOB: Final = "learn"
"""The kind of background work that learns about one member; its key is their id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentAnswer:
    """What became of an answer while it was sent."""

    still_stands: bool
    """Its text was not taken meanwhile."""
    is_due: bool
    """Its author has so many turns now that a learning was asked for."""


async def note_sent(
    connection: Connection,
    *,
    guild_id: int,
    message_id: int,
    sent_ids: Sequence[int],
    learns: bool,
    every: int,
    only_standing: bool,
) -> SentAnswer | None:
    """Note under which ids the answer to a message was sent, and count it if it is a turn; return what became of it.

    Of one to a member of whom nothing is kept, or who was erased meanwhile, nothing is left but that, and what the
    bot asked back; of one to a message that was not kept, since nothing is heard there, no word is.
    With `only_standing` nothing is done where its text was taken while it was sent, or the message was deleted before.
    `None` where nothing was done.

    A turn is counted once, and none of members of whom nothing is kept. Not to be learned from is one where nothing
    `learns`, or of whom nothing may be learned; a learning is asked for after `every` turns that are.
    """
    row = await connection.fetchrow(
        """
        WITH answered AS (
            SELECT user_id, user_id = 0 OR keeps_nothing(guild_id, user_id) AS is_absent,
                   EXISTS (SELECT FROM chat_history WHERE guild_id = $1 AND message_id = $2) AS is_heard,
                   cardinality(parts) > 0 AND NOT EXISTS (
                       SELECT FROM chat_history
                       WHERE guild_id = $1 AND message_id = $2 AND withheld = 'deleted'
                   ) AS still_stands,
                   coalesce(turn = 'awaited', false) AND cardinality($3::bigint[]) > 0 AS is_turn
            FROM answers WHERE guild_id = $1 AND message_id = $2
            -- Whoever takes its text at this moment has either done so by now, or finds the ids below.
            FOR UPDATE
        ), standing AS (
            SELECT * FROM answered WHERE still_stands OR cardinality($3::bigint[]) = 0 OR NOT $6
        ), counted AS (
            UPDATE members m SET turns = turns + 1, unlearned = unlearned + is_learned_about::integer
            FROM (
                SELECT user_id, $4 AND learning AND NOT EXISTS (
                    SELECT FROM kept_categories k
                    WHERE k.guild_id = $1 AND k.user_id = members.user_id AND k.category = 'profile' AND NOT k.kept
                ) AS is_learned_about
                FROM standing JOIN members USING (user_id)
                WHERE guild_id = $1 AND is_turn AND NOT is_absent AND NOT is_bot
            ) wanted
            WHERE m.guild_id = $1 AND m.user_id = wanted.user_id
            RETURNING m.user_id, m.unlearned, is_learned_about
        ), asked AS (
            INSERT INTO work AS known (guild_id, kind, work_key, due_at)
            -- Not at each turn beyond: whoever asks anew takes the growing pauses from a learning that failed.
            SELECT $1, $7, user_id::text, clock_timestamp() FROM counted
            WHERE is_learned_about AND unlearned % $5 = 0
            ON CONFLICT (guild_id, kind, work_key) DO UPDATE SET
                wanted = known.wanted + 1, attempts = 0, due_at = excluded.due_at
            RETURNING 1
        )
        UPDATE answers SET state = 'sent', sent_ids = $3,
            parts = CASE WHEN is_absent OR NOT is_heard THEN '{}' ELSE parts END,
            user_id = CASE WHEN is_absent AND question IS NULL THEN 0 ELSE answers.user_id END,
            turn = CASE WHEN NOT is_turn THEN turn
                        WHEN (SELECT is_learned_about FROM counted) THEN 'due' ELSE 'passed' END
        FROM standing WHERE guild_id = $1 AND message_id = $2
        RETURNING still_stands, EXISTS (SELECT FROM asked) AS is_due
        """,
        guild_id, message_id, list(sent_ids), learns, every, only_standing, LEARNING_JOB,
    )  # fmt: skip
    return row_as(SentAnswer, row)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnIds:
    """One turn: what was answered, and the answer."""

    message_id: int
    sent_ids: tuple[int, ...]


async def due_turns(connection: Connection, *, guild_id: int, user_id: int) -> list[TurnIds]:
    """Return the oldest turns of a member that no learning has covered, oldest first."""
    rows = await connection.fetch(
        """
        SELECT message_id, sent_ids FROM answers
        WHERE guild_id = $1 AND user_id = $2 AND turn = 'due' ORDER BY message_id LIMIT $3
        """,
        guild_id, user_id, MOST_READ,
    )  # fmt: skip
    return rows_as(TurnIds, rows)


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
    return rows_as(TurnIds, rows[::-1])


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
    return rows_as(Message, rows)


async def cover_turns(
    connection: Connection, *, guild_id: int, user_id: int, message_ids: Sequence[int]
) -> None:
    """Note that the turns with these messages were learned from; the caller holds the lock of the member's row.

    The member's count falls by as many, never below 0, and to at most what is left to be learned from.
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
    """Note that nothing is to be learned from the due turns; the caller holds the lock of the member's row."""
    await connection.execute(
        "UPDATE answers SET turn = 'passed' WHERE guild_id = $1 AND user_id = $2 AND turn = 'due'",
        guild_id, user_id,
    )  # fmt: skip
    await connection.execute(
        "UPDATE members SET unlearned = 0 WHERE guild_id = $1 AND user_id = $2", guild_id, user_id
    )
