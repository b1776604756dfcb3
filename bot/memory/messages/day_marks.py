"""The marks of days: how often a day changed, up to which message it was summarised, which messages were left out, and
whether any of the others was edited or taken back since.
"""

from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from bot.core.domain import MAX_ID
from bot.db.pool import Connection
from bot.db.rows import columns_of, row_as
from bot.memory.policy.repository import asked_of_bot


@dataclass(frozen=True, slots=True, kw_only=True)
class DayMark:
    """How often one day of one audience was changed."""

    audience: int
    day: date
    version: int
    rewritten: int
    """The version at which something that may have been told was last edited or taken back; 0 if never."""
    taken_back: int = 0
    """The version at which something that may have been told was last deleted or withheld; 0 if never."""
    told_up_to: int = 0
    """Up to which message of the guild the day was last read to be told; 0 if it never was."""


_MANY: Final = 100
_MANY_LATELY: Final = 20
"""Where so many were said of a day, and so many lately, these wait to be told; where many were said lately alone, all
of them do."""


async def begin_telling(
    connection: Connection,
    *,
    guild_id: int,
    audience: int,
    day: date,
    since_id: int = 0,
    lately_id: int = MAX_ID,
) -> DayMark | None:
    """Note up to which message the day is about to be read, and return its mark as it stands then; `None`, and nothing
    noted, if the day has no messages, or next to none that were not said just now.

    That is the newest message there is. Where many are said, those from `lately_id` on are left for the next telling:
    people put right and delete what they have just written, and each time the day would be told again from its
    beginning, at `since_id`. The version of the mark then says that there is more to tell. A lively day that has just
    begun is not told yet: it would be told again and again and come to no end. Of what no telling has read so far,
    the messages that ask the bot something are noted as left out of the day.

    It is to be committed before the messages up to `told_up_to` are read. Whoever changes one of them has either
    committed by then, so that what is read has the change, or finds the note and marks the day.
    """
    # Who is marking the day is waited for first: the version below then counts no message that its maximum misses.
    told_before: int | None = await connection.fetchval(
        "SELECT told_up_to FROM day_marks WHERE guild_id = $1 AND audience = $2 AND day = $3 FOR UPDATE",
        guild_id, audience, day,
    )  # fmt: skip
    if told_before is None:
        return None
    settled, lately = await _counted(
        connection, guild_id=guild_id, audience=audience, since_id=since_id, lately_id=lately_id
    )
    if settled < _MANY <= lately:
        return None
    leaves_some = settled >= _MANY and lately >= _MANY_LATELY
    row = await connection.fetchrow(
        f"""
        UPDATE day_marks SET told_up_to = greatest(
            told_up_to, (SELECT max(message_id) FROM chat_history WHERE guild_id = $1 AND message_id < $4)
        )
        WHERE guild_id = $1 AND audience = $2 AND day = $3
        RETURNING {columns_of(DayMark)}
        """,
        guild_id, audience, day, lately_id if leaves_some else MAX_ID,
    )  # fmt: skip
    if row is None:
        raise AssertionError("the mark of a day went while its row was held")
    mark = row_as(DayMark, row)
    await _leave_out(connection, mark, guild_id=guild_id, after_id=told_before)
    # What changed last was a message said, or the text that is told now would not be one of this version.
    is_behind = leaves_some and mark.version > max(mark.rewritten, mark.taken_back)
    return replace(mark, version=mark.version - 1) if is_behind else mark


async def _counted(
    connection: Connection, *, guild_id: int, audience: int, since_id: int, lately_id: int
) -> tuple[int, int]:
    """Return how many messages were said from `since_id` until `lately_id`, and how many from there on.

    Of either no more than matter are counted.
    """
    row = await connection.fetchrow(
        """
        SELECT (
            SELECT count(*) FROM (
                SELECT FROM chat_history
                WHERE guild_id = $1 AND audience = $2 AND message_id >= $3 AND message_id < $4 LIMIT $5
            ) one
        ) AS settled, (
            SELECT count(*) FROM (
                SELECT FROM chat_history
                WHERE guild_id = $1 AND audience = $2 AND message_id >= $4 LIMIT $5
            ) one
        ) AS lately
        """,
        guild_id, audience, since_id, lately_id, _MANY,
    )  # fmt: skip
    return (row["settled"], row["lately"]) if row is not None else (0, 0)


async def _leave_out(connection: Connection, mark: DayMark, *, guild_id: int, after_id: int) -> None:
    """Note which messages after `after_id`, which nobody has read to tell the day, are no part of its talk.

    Those are commands to the bot and questions to it, once they are answered, and what the bot answers. What may have
    been told before it was answered is none of them.
    """
    await connection.execute(
        f"""
        WITH asked AS MATERIALIZED (
            SELECT said.message_id, said.audience, said.timestamp
            FROM answers a JOIN chat_history said USING (guild_id, message_id)
            WHERE a.guild_id = $1 AND a.message_id > $4 AND a.message_id <= $5 AND a.state <> 'claimed'
              AND {asked_of_bot("said")}
        ), left_out AS (
            TABLE asked
            UNION ALL
            SELECT said.message_id, said.audience, said.timestamp
            FROM asked JOIN chat_history said
                ON said.guild_id = $1 AND said.reply_to_id = asked.message_id AND said.kind = 'bot'
            WHERE said.message_id <= $5
        ), new AS (
            SELECT array_agg(message_id ORDER BY message_id) AS ids FROM left_out
            WHERE audience = $2 AND $3 = (timestamp AT TIME ZONE coalesce(
                (SELECT time_zone FROM guilds WHERE guild_id = $1), 'UTC'))::date
        )
        UPDATE day_marks SET left_out = left_out || new.ids FROM new
        WHERE guild_id = $1 AND audience = $2 AND day = $3 AND new.ids IS NOT NULL
        """,
        guild_id, mark.audience, mark.day, after_id, mark.told_up_to,
    )  # fmt: skip


async def left_out_of(connection: Connection, *, guild_id: int, audience: int, day: date) -> frozenset[int]:
    """Return the messages of a day that are no part of its talk, as far as it was read to be told."""
    found: list[int] | None = await connection.fetchval(
        "SELECT left_out FROM day_marks WHERE guild_id = $1 AND audience = $2 AND day = $3",
        guild_id, audience, day,
    )  # fmt: skip
    return frozenset(found or ())


_TOLD: Final = """mark.told_up_to >= (
            SELECT days.{since} FROM days
            WHERE days.guild_id = mark.guild_id AND days.audience = mark.audience AND days.day = mark.day
        )"""

MARKED: Final = f"""
    INSERT INTO day_marks AS mark (guild_id, audience, day)
    SELECT guild_id, audience, day FROM days ORDER BY guild_id, audience, day
    ON CONFLICT (guild_id, audience, day) DO UPDATE SET
        version    = mark.version + 1,
        rewritten  = CASE WHEN {_TOLD.format(since="rewritten_from")} THEN mark.version + 1 ELSE mark.rewritten END,
        taken_back = CASE WHEN {_TOLD.format(since="taken_back_from")} THEN mark.version + 1 ELSE mark.taken_back END
"""
"""The statement that marks `days` as changed: `guild_id`, `audience`, `day`, and of it `rewritten_from` and
`taken_back_from`, the first message that was edited and the first that was taken from it, NULL if none was.

What was never read to be told is in no text, so a change of it takes none back. `told_up_to` is read from the row that
is being written, and not as it was when the statement began.
"""


def is_left_out(message: str, *, day: str) -> str:
    """Return the expression that tells whether the row `message` of the log is no part of the talk of its `day`.

    It stands in no text then: to take it back, as every "forget that" does, changes none.
    """
    return f"""EXISTS (
        SELECT FROM day_marks known
        WHERE known.guild_id = {message}.guild_id AND known.audience = {message}.audience AND known.day = {day}
          AND {message}.message_id = ANY(known.left_out)
    )"""


def marking_taken_back(rows: str) -> str:
    """Return the parts of a statement that mark the days of these `rows` of the log as ones from which something was
    taken.

    All are of guild $1. A day is marked in the audience where it stood.
    """
    return f"""taken AS (
        SELECT found.guild_id, found.message_id, found.audience,
               (found.timestamp AT TIME ZONE coalesce(g.time_zone, 'UTC'))::date AS day
        FROM {rows} found LEFT JOIN guilds g ON g.guild_id = $1
    ), days AS (
        SELECT guild_id, audience, day, min(message_id) AS rewritten_from, min(message_id) AS taken_back_from
        FROM taken WHERE NOT {is_left_out("taken", day="taken.day")}
        GROUP BY guild_id, audience, day
    ), marked AS ({MARKED})"""
