"""Carries out what the table of personal data declares and what is regular: the rows of a guild, of a member, and
those that are too old.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from bot.db.pool import Connection
from bot.memory.rights.personal_data import TABLES, Erasing, Reach, Table, tables_where

ERASING_JOB: Final = "erase"
"""The kind of background work that erases; its key says whom, and from which audiences."""

_AS_A_NUMBER: Final = "'(^|[^0-9])' || $2::bigint || '([^0-9]|$)'"

_OWN: Final[Mapping[str, str]] = {
    "episodes": """
        UPDATE episodes
        SET tags = ARRAY(SELECT tag FROM unnest(tags) AS tag WHERE without_id(tag, $2::bigint) = tag)
        WHERE guild_id = $1 AND without_id(tags::text, $2::bigint) <> tags::text
    """,
    # Words are counted by their keyed hashes: of a member the id, and the mention.
    "lexicon": """
        DELETE FROM lexicon USING installation i
        WHERE lexicon.guild_id = $1
          AND audience IN (SELECT audience FROM lexicon_counts WHERE guild_id = $1)
          AND word IN (lexicon_word($1, $2::bigint::text, i.hash_secret),
                       lexicon_word($1, '<@' || $2::bigint || '>', i.hash_secret))
    """,
    "forgettings": """
        UPDATE forgettings
        SET user_id = CASE WHEN user_id = $2::bigint THEN 0 ELSE user_id END,
            selection = CASE WHEN user_id <> $2::bigint THEN without_id(selection::text, $2::bigint)::jsonb END
        WHERE guild_id = $1
          AND (user_id = $2::bigint OR without_id(selection::text, $2::bigint) <> selection::text)
    """,
    # A channel of direct messages has the name of the member.
    "channels": """
        UPDATE channels SET name = CASE WHEN direct THEN '' ELSE without_id(channels.name, $2::bigint) END
        FROM guilds g
        WHERE channels.guild_id = $1 AND g.guild_id = $1 AND (
            without_id(channels.name, $2::bigint) <> channels.name
            OR (direct AND EXISTS (SELECT FROM members WHERE guild_id = $1 AND user_id = $2::bigint))
        )
    """,
    # Erasings go when they are finished: this one, and others of the same member that are to reach further.
    "work": f"""
        DELETE FROM work WHERE guild_id = $1 AND kind <> '{ERASING_JOB}' AND work_key ~ ({_AS_A_NUMBER})
    """,
}
"""What erasing a member does in tables that have a statement of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovedRows:
    """Rows that went with a member."""

    counts: Mapping[str, int]
    """How many were the member's own, or about them, by table."""
    retold: tuple[tuple[int, int], ...]
    """Subject and audience of narratives about others that named the member."""


async def remove_member_rows(connection: Connection, *, guild_id: int, user_id: int) -> RemovedRows:
    """Take a member out of every table that needs no steps of its own, in one statement."""
    rows = await connection.fetch(_member_rows(), guild_id, user_id)
    return RemovedRows(
        counts={row["name"]: row["count"] for row in rows if row["own"]},
        retold=tuple(
            sorted(
                (row["subject_id"], row["audience"])
                for row in rows
                if row["name"] == "user_facts" and not row["own"]
            )
        ),
    )


async def remove_texts_about(connection: Connection, *, guild_id: int, user_id: int) -> int:
    """Remove what was generated about a member, and what is not yet in the log; return how many rows."""
    removed: int = await connection.fetchval(_texts_about(), guild_id, user_id)
    return removed


async def remove_rows(
    connection: Connection,
    table: Table,
    *,
    guild_id: int,
    limit: int,
    too_old: Mapping[str, object] | None = None,
) -> int:
    """Remove `limit` rows of a guild from a table, and return how many there were to remove.

    With `too_old`, the values of the window by their names, only rows that are too old by it; those that somebody
    else is removing are left to them.
    """
    condition, values, order = "true", [], ""
    if too_old is not None and table.age is not None:
        condition, order = table.age.condition, f"ORDER BY {table.age.order}" if table.age.order else ""
        for name, value in too_old.items():
            if f":{name}" in condition:
                values.append(value)
                condition = condition.replace(f":{name}", f"${len(values) + 2}")
    removed: int = await connection.fetchval(
        f"""
        WITH gone AS (
            DELETE FROM {table.name} WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM {table.name} WHERE guild_id = $1 AND ({condition})
                {order} LIMIT $2 FOR UPDATE {"" if too_old is None else "SKIP LOCKED"}
            ))
            RETURNING 1
        )
        SELECT count(*) FROM gone
        """,
        guild_id, limit, *values,
    )  # fmt: skip
    return removed


@cache
def _texts_about() -> str:
    """Return the statement that removes the rows about a member which opting out removes."""
    tables = [table for table in tables_where(opting_out=Reach.ROWS) if table.having(Erasing.ROW)]
    parts = ", ".join(
        f"{table.name}_gone AS (DELETE FROM {table.name} WHERE guild_id = $1 AND {_is_own(table)} RETURNING 1)"
        for table in tables
    )
    return f"WITH {parts} SELECT " + " + ".join(
        f"(SELECT count(*) FROM {table.name}_gone)" for table in tables
    )


@cache
def _member_rows() -> str:
    """Return the statement that takes a member out of every table that needs no steps."""
    changes = {table.name: change for table in TABLES if (change := _change(table))}
    # What is changed and not removed tells nothing.
    removing = [name for name, change in changes.items() if "RETURNING" in change]
    parts = (
        f"{name}_changed{' (own, subject_id, audience)' if name in removing else ''} AS ({change})"
        for name, change in changes.items()
    )
    told = (
        f"SELECT '{name}' AS name, own, subject_id, audience, count(*) FROM {name}_changed GROUP BY 2, 3, 4"
        for name in removing
    )
    return f"WITH {', '.join(parts)} {' UNION ALL '.join(told)}"


def _change(table: Table) -> str:
    """Return what erasing a member does to a table outside of the steps; empty if that is nothing."""
    goes = [
        *([_is_own(table)] if table.having(Erasing.ROW) else []),
        *(f"{column} ~ ({_AS_A_NUMBER})" for column in table.having(Erasing.KEY)),
        *(f"without_id({column}, $2::bigint) <> {column}" for column in table.having(Erasing.RETOLD)),
    ]
    if goes:
        own = _is_own(table) if table.having(Erasing.ROW) else "false"
        about = f"{table.having(Erasing.ROW)[0]}, audience" if table.having(Erasing.RETOLD) else "0, 0"
        return f"""
            DELETE FROM {table.name} WHERE guild_id = $1 AND ({" OR ".join(goes)})
            RETURNING {own}, {about}
        """
    if unnamed := table.having(Erasing.UNNAME):
        changed = ", ".join(f"{column} = without_id({column}, $2::bigint)" for column in unnamed)
        names = " || ".join(unnamed)
        return f"""
            UPDATE {table.name} SET {changed}
            WHERE guild_id = $1 AND without_id({names}, $2::bigint) <> {names}
        """
    return _OWN.get(table.name, "")


def _is_own(table: Table) -> str:
    """Return the condition that a row is a member's own, or about them."""
    return f"$2::bigint IN ({', '.join(table.having(Erasing.ROW))})"
