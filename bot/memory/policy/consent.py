"""What members let a guild keep: who opted out or in, who is private, and which categories each of them wants kept,
with its SQL.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.core.domain import MAX_ID, snowflake_at
from bot.db.pool import Connection
from bot.db.rows import row_as
from bot.memory.policy.repository import of_present

PROFILE: Final = "profile"
"""Stands beside the categories of facts for what is learned of a member by turns."""


LEAST_NAME: Final = 3
"""Characters that a name must have for a sentence to be known by it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptCategory:
    """What a member chose for one kind of memory."""

    kept: bool
    days: int | None = None
    """After so many days it goes; `None`: when everything of its age goes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberConsent:
    """What a member lets a guild keep."""

    opted_out: bool
    """Said that nothing is to be kept."""
    opted_in: bool
    """Said that something may be kept, and not otherwise since."""
    absent: bool
    """Nothing is kept now, for either reason: opted out, or the guild asks and the member did not opt in."""
    private: bool
    """Others are told nothing about the member."""
    kept_categories: Mapping[str, KeptCategory]
    """Choices by category, a `FactCategory` or `PROFILE`; without one a category is kept as all else is."""


async def consent_of(connection: Connection, *, guild_id: int, user_id: int) -> MemberConsent:
    """Return where a member stands, also one who is not known."""
    (row,) = await connection.fetch(
        """
        SELECT m.opted_in_at IS NOT NULL AS opted_in, coalesce(m.private, false) AS private,
               m.opted_out_at IS NOT NULL OR EXISTS (
                   SELECT FROM erased e
                   WHERE e.guild_id = $1 AND e.user_hash = user_hash($1, $2) AND e.opted_out
               ) AS opted_out,
               keeps_nothing($1, $2) AS absent,
               coalesce((
                   SELECT jsonb_object_agg(category, jsonb_build_object('kept', kept, 'days', days))
                   FROM kept_categories WHERE guild_id = $1 AND user_id = $2
               ), '{}') AS kept_categories
        FROM (SELECT) AS one LEFT JOIN members m ON m.guild_id = $1 AND m.user_id = $2
        """,
        guild_id, user_id,
    )  # fmt: skip
    return row_as(MemberConsent, row)


async def opt_out(connection: Connection, *, guild_id: int, user_id: int, at: datetime) -> None:
    """Note that nothing is to be kept of a member from now on; who opted out before did so then."""
    await connection.execute(
        """
        INSERT INTO members AS known (guild_id, user_id, opted_out_at) VALUES ($1, $2, $3)
        ON CONFLICT (guild_id, user_id) DO UPDATE
            SET opted_out_at = coalesce(known.opted_out_at, excluded.opted_out_at), opted_in_at = NULL
        """,
        guild_id, user_id, at,
    )  # fmt: skip
    await connection.execute(
        """
        INSERT INTO absences (guild_id, user_hash, from_id)
        SELECT $1, user_hash($1, $2), $3
        WHERE NOT EXISTS (
            SELECT FROM absences
            WHERE guild_id = $1 AND user_hash = user_hash($1, $2) AND to_id IS NULL
        )
        ON CONFLICT (guild_id, user_hash, from_id) DO UPDATE SET to_id = NULL
        """,
        guild_id, user_id, snowflake_at(at),
    )  # fmt: skip


async def opt_in(connection: Connection, *, guild_id: int, user_id: int, at: datetime) -> None:
    """Note that something may be kept of a member from now on; what was said while it could not never is.

    Where consent is asked for and was not given until now, that is all since what is kept of them.
    """
    await connection.execute(
        """
        INSERT INTO absences (guild_id, user_hash, from_id)
        SELECT $1, user_hash($1, $2), 1 + coalesce((
            SELECT max(message_id) FROM chat_history WHERE guild_id = $1 AND user_id = $2
        ), 0)
        WHERE keeps_nothing($1, $2) AND NOT EXISTS (
            SELECT FROM absences
            WHERE guild_id = $1 AND user_hash = user_hash($1, $2) AND to_id IS NULL
        )
        ON CONFLICT (guild_id, user_hash, from_id) DO UPDATE SET to_id = NULL
        """,
        guild_id, user_id,
    )  # fmt: skip
    await connection.execute(
        """
        INSERT INTO members AS known (guild_id, user_id, opted_in_at) VALUES ($1, $2, $3)
        ON CONFLICT (guild_id, user_id) DO UPDATE
            SET opted_in_at = coalesce(known.opted_in_at, excluded.opted_in_at), opted_out_at = NULL
        """,
        guild_id, user_id, at,
    )  # fmt: skip
    await connection.execute(
        "UPDATE erased SET opted_out = false WHERE guild_id = $1 AND user_hash = user_hash($1, $2) AND opted_out",
        guild_id, user_id,
    )  # fmt: skip
    await connection.execute(
        """
        UPDATE absences SET to_id = greatest(from_id, $3)
        WHERE guild_id = $1 AND user_hash = user_hash($1, $2) AND to_id IS NULL
        """,
        guild_id, user_id, snowflake_at(at),
    )  # fmt: skip


async def set_private(connection: Connection, *, guild_id: int, user_id: int, private: bool) -> None:
    """Set whether others may be told nothing about a member."""
    await connection.execute(
        """
        INSERT INTO members (guild_id, user_id, private) VALUES ($1, $2, $3)
        ON CONFLICT (guild_id, user_id) DO UPDATE SET private = excluded.private
        """,
        guild_id, user_id, private,
    )  # fmt: skip


async def keep_category(
    connection: Connection, *, guild_id: int, user_id: int, category: str, chosen: KeptCategory
) -> None:
    """Set what a member wants of one kind of memory."""
    await connection.execute(
        """
        INSERT INTO kept_categories (guild_id, user_id, category, kept, days) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (guild_id, user_id, category) DO UPDATE SET kept = excluded.kept, days = excluded.days
        """,
        guild_id, user_id, category, chosen.kept, chosen.days,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepingRules:
    """What forbids to keep something of members that was said at some times."""

    absent: frozenset[int]
    """Those of whom nothing is kept."""
    erased: tuple[bool, ...]
    """Of each member with the time beside them, whether they were erased with all that was said until then."""
    switched_off: frozenset[str]
    """Their categories of which they want nothing kept, as `<member>:<category>`."""
    has_tombstones: bool
    """Whether anything was forgotten that one of the hashes stands for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesQuestion:
    """What is to be kept: whom it concerns, each with the time at which it was said, and what it may say again."""

    user_ids: Sequence[int] = ()
    said_at: Sequence[datetime] = ()
    subject_hashes: Sequence[bytes] = ()
    since: datetime | None = None
    """Of tombstones only those count that were set up since this moment."""

    @property
    def values(self) -> tuple[object, ...]:
        """The parameters of `keeping_rules_columns`, in order."""
        return self.user_ids, self.said_at, self.subject_hashes, self.since


NO_QUESTION: Final = RulesQuestion()
"""Asks about nobody."""


def keeping_rules_columns(*, first: int) -> str:
    """Return SQL for the columns of `KeepingRules`, whose parameters begin with the number `first`; $1 is the guild."""
    users, times, hashes, since = (f"${first + place}" for place in range(4))
    return f"""
        ARRAY(
            SELECT user_id FROM (SELECT DISTINCT unnest({users}::bigint[]) AS user_id) asked
            WHERE NOT {of_present("user_id")}
        ) AS absent, ARRAY(
            SELECT was_erased($1, user_id, said_at)
            FROM unnest({users}::bigint[], {times}::timestamptz[]) WITH ORDINALITY AS said (user_id, said_at, place)
            ORDER BY place
        ) AS erased, ARRAY(
            SELECT user_id || ':' || category FROM kept_categories
            WHERE guild_id = $1 AND user_id = ANY({users}::bigint[]) AND NOT kept
        ) AS switched_off, EXISTS (
            SELECT FROM tombstones
            WHERE guild_id = $1 AND subject_hash = ANY({hashes}::bytea[])
              AND ({since}::timestamptz IS NULL OR buried_at > {since})
        ) AS has_tombstones
    """


async def keeping_rules(connection: Connection, question: RulesQuestion, *, guild_id: int) -> KeepingRules:
    """Return what forbids to keep what is asked about."""
    (row,) = await connection.fetch(f"SELECT {keeping_rules_columns(first=2)}", guild_id, *question.values)
    return row_as(KeepingRules, row)


async def opted_out(connection: Connection, *, guild_id: int, user_ids: Sequence[int]) -> frozenset[int]:
    """Return those of these members of whom nothing is kept."""
    asked = [user_id for user_id in user_ids if 0 < user_id <= MAX_ID]
    if not asked:
        return frozenset()
    rows = await connection.fetch(
        f"""
        SELECT user_id FROM (SELECT DISTINCT unnest($2::bigint[]) AS user_id) asked
        WHERE NOT {of_present("user_id")}
        """,
        guild_id, asked,
    )  # fmt: skip
    return frozenset(row["user_id"] for row in rows)


async def were_erased(
    connection: Connection, *, guild_id: int, user_ids: Sequence[int], seen_at: Sequence[datetime]
) -> list[bool]:
    """Tell of each of these members whether they were erased with all that was said until the time beside them."""
    if not user_ids:
        return []
    rows = await connection.fetch(
        """
        SELECT was_erased($1, user_id, seen_at) AS gone
        FROM unnest($2::bigint[], $3::timestamptz[]) WITH ORDINALITY AS seen (user_id, seen_at, place)
        ORDER BY place
        """,
        guild_id, list(user_ids), list(seen_at),
    )  # fmt: skip
    return [row["gone"] for row in rows]


def names_of(member: str) -> str:
    """Return SQL for an array of the names, old ones too, of the row `member` of `members`."""
    return f"{member}.old_names || ARRAY[{member}.user_name, {member}.display_name, {member}.nickname]"


async def names_of_opted_out(connection: Connection, *, guild_id: int, text: str) -> list[str]:
    """Return the names, old ones too, of members of whom nothing is kept that stand somewhere in `text`."""
    rows = await connection.fetch(
        f"""
        SELECT DISTINCT name
        FROM (
            SELECT * FROM members WHERE guild_id = $1 AND opted_out_at IS NOT NULL
            UNION ALL
            -- All others are looked at only where a decision that their rows do not hold may concern them.
            SELECT * FROM members WHERE guild_id = $1 AND opted_out_at IS NULL AND (
                EXISTS (SELECT FROM guilds g WHERE g.guild_id = $1 AND g.rights ->> 'consent' = 'asked')
                OR EXISTS (SELECT FROM erased e WHERE e.guild_id = $1 AND e.opted_out)
            )
        ) AS m
        CROSS JOIN unnest({names_of("m")}) AS name
        WHERE char_length(name) >= {LEAST_NAME}
          AND CASE WHEN position(lower(name) IN lower($2)) > 0 THEN keeps_nothing($1, m.user_id) END
        """,
        guild_id, text,
    )  # fmt: skip
    return [row["name"] for row in rows]


async def private_members(
    connection: Connection, *, guild_id: int, user_ids: Sequence[int]
) -> frozenset[int]:
    """Return those of these members about whom others may be told nothing."""
    rows = await connection.fetch(
        "SELECT user_id FROM members WHERE guild_id = $1 AND user_id = ANY($2::bigint[]) AND private",
        guild_id, list(user_ids),
    )  # fmt: skip
    return frozenset(row["user_id"] for row in rows)
