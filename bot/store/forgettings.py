"""What forgettings took, in ids and numbers, for who asked to look at; and what of large ones is still to be taken."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.store.database import Connection

KIND: Final = "forget"
"""The kind of background work that goes on with a large forgetting; its key is the command."""

KEPT_FOR: Final = timedelta(days=30)
"""Nobody looks at the details of a forgetting later than that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """How much was taken, and which messages that say it may still stand in their channels."""

    facts: int = 0
    messages: int = 0
    summaries: int = 0
    """Profiles, summaries of talks and episodes that lost a sentence or went."""
    days: int = 0
    """Days that are told anew, or lost a sentence."""
    own_ids: tuple[int, ...] = ()
    """Messages of the bot that told it."""
    left_ids: tuple[int, ...] = ()
    """Messages of others with the same words, which keep them."""

    def __add__(self, other: "Taken") -> "Taken":
        return Taken(
            facts=self.facts + other.facts,
            messages=self.messages + other.messages,
            summaries=self.summaries + other.summaries,
            days=self.days + other.days,
            own_ids=tuple(dict.fromkeys((*self.own_ids, *other.own_ids))),
            left_ids=tuple(dict.fromkeys((*self.left_ids, *other.left_ids))),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A message that stands in a channel."""

    guild_id: int
    channel_id: int
    message_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What somebody had forgotten by one command."""

    taken: Taken
    own: tuple[Standing, ...]
    left: tuple[Standing, ...]
    is_done: bool


async def add(
    connection: Connection,
    *,
    guild_id: int,
    cause: str,
    user_id: int,
    taken: Taken,
    now: datetime,
) -> None:
    """Note what a command had forgotten, on top of what it had before; old notes of the guild go."""
    await connection.execute(
        """
        INSERT INTO forgettings AS known
            (guild_id, cause, user_id, asked_at, facts, messages, summaries, days, own_ids, left_ids)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        ON CONFLICT (guild_id, cause) DO UPDATE SET
            facts = known.facts + excluded.facts, messages = known.messages + excluded.messages,
            summaries = known.summaries + excluded.summaries, days = known.days + excluded.days,
            own_ids = ARRAY(SELECT DISTINCT unnest(known.own_ids || excluded.own_ids) ORDER BY 1),
            left_ids = ARRAY(SELECT DISTINCT unnest(known.left_ids || excluded.left_ids) ORDER BY 1)
        """,
        guild_id, cause, user_id, now, taken.facts, taken.messages, taken.summaries, taken.days,
        list(taken.own_ids), list(taken.left_ids),
    )  # fmt: skip
    await connection.execute(
        "DELETE FROM forgettings WHERE guild_id = $1 AND asked_at < $2 AND selection IS NULL",
        guild_id, now - KEPT_FOR,
    )  # fmt: skip


async def begin(
    connection: Connection,
    *,
    guild_id: int,
    cause: str,
    user_id: int,
    selection: str,
    facts: int,
    now: datetime,
) -> None:
    """Note that a command takes what a `selection` means, as JSON, in several steps, `facts` in number."""
    await connection.execute(
        """
        INSERT INTO forgettings (guild_id, cause, user_id, asked_at, selection, facts)
        VALUES ($1, $2, $3, $4, $5::text::jsonb, $6) ON CONFLICT (guild_id, cause) DO NOTHING
        """,
        guild_id, cause, user_id, now, selection, facts,
    )  # fmt: skip


async def selection(connection: Connection, *, guild_id: int, cause: str) -> tuple[int, str] | None:
    """Return who asked for it and what a command is still taking, as JSON; `None` if it is done."""
    row = await connection.fetchrow(
        """
        SELECT user_id, selection::text AS selection FROM forgettings
        WHERE guild_id = $1 AND cause = $2 AND selection IS NOT NULL
        """,
        guild_id, cause,
    )  # fmt: skip
    return (row["user_id"], row["selection"]) if row else None


async def finish(connection: Connection, *, guild_id: int, cause: str) -> None:
    """Note that a command has taken all that it meant."""
    await connection.execute(
        "UPDATE forgettings SET selection = NULL WHERE guild_id = $1 AND cause = $2", guild_id, cause
    )


async def told(
    connection: Connection,
    *,
    guild_ids: Sequence[int],
    user_id: int,
    audiences: Sequence[int],
    cause: str | None = None,
) -> Told | None:
    """Return what a member had forgotten by a command, by their last one if none is named; `None` if nothing.

    Of messages of others only those that these audiences may see.
    """
    row = await connection.fetchrow(
        """
        WITH wanted AS (
            SELECT cause FROM forgettings
            WHERE guild_id = ANY($1::bigint[]) AND user_id = $2 AND ($3::text IS NULL OR cause = $3)
            ORDER BY asked_at DESC, cause DESC LIMIT 1
        )
        SELECT sum(facts)::int AS facts, sum(messages)::int AS messages, sum(summaries)::int AS summaries,
               sum(days)::int AS days, bool_and(selection IS NULL) AS is_done
        FROM forgettings
        WHERE guild_id = ANY($1::bigint[]) AND user_id = $2 AND cause = (SELECT cause FROM wanted)
        HAVING count(*) > 0
        """,
        list(guild_ids), user_id, cause,
    )  # fmt: skip
    if row is None:
        return None
    standing = await connection.fetch(
        """
        WITH wanted AS (
            SELECT guild_id, own_ids, left_ids FROM forgettings
            WHERE guild_id = ANY($1::bigint[]) AND user_id = $2 AND cause = coalesce($3, (
                SELECT cause FROM forgettings WHERE guild_id = ANY($1::bigint[]) AND user_id = $2
                ORDER BY asked_at DESC, cause DESC LIMIT 1
            ))
        )
        SELECT h.guild_id, h.channel_id, h.message_id, h.message_id = ANY(own_ids) AS is_own
        FROM wanted JOIN chat_history h
            ON h.guild_id = wanted.guild_id AND h.message_id = ANY(own_ids || left_ids)
        WHERE (h.message_id = ANY(own_ids) AND h.withheld IS DISTINCT FROM 'deleted')
           OR (h.message_id = ANY(left_ids) AND h.withheld IS NULL AND h.audience = ANY($4::bigint[]))
        ORDER BY h.message_id
        """,
        list(guild_ids), user_id, cause, list(audiences),
    )  # fmt: skip
    found = [
        (
            one["is_own"],
            Standing(guild_id=one["guild_id"], channel_id=one["channel_id"], message_id=one["message_id"]),
        )
        for one in standing
    ]
    return Told(
        taken=Taken(
            facts=row["facts"], messages=row["messages"], summaries=row["summaries"], days=row["days"]
        ),
        own=tuple(one for is_own, one in found if is_own),
        left=tuple(one for is_own, one in found if not is_own),
        is_done=row["is_done"],
    )


async def deleted(connection: Connection, *, guild_id: int, user_id: int, message_ids: Sequence[int]) -> None:
    """Note that these messages of the bot no longer stand in their channels."""
    await connection.execute(
        """
        UPDATE forgettings SET own_ids = ARRAY(
            SELECT own_id FROM unnest(own_ids) AS own_id WHERE own_id <> ALL($3::bigint[]) ORDER BY 1
        )
        WHERE guild_id = $1 AND user_id = $2 AND own_ids && $3::bigint[]
        """,
        guild_id, user_id, list(message_ids),
    )  # fmt: skip
