"""Carries out what the table of personal data declares: deletes the rows of a guild, of a member, and those that are
too old.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Final

from bot.db.pool import Connection
from bot.db.rows import row_as
from bot.memory.messages.day_marks import marking_taken_back
from bot.memory.rights.personal_data import (
    TABLES,
    Age,
    ErasingStep,
    ErasureEffect,
    RightReach,
    Table,
    Window,
    tables_where,
)

ERASING_JOB: Final = "erase"
"""The kind of background work that erases; its key says whom, and from which audiences."""

KEPT_GUILDS: Final = """
    heard AS (
        (SELECT guild_id FROM chat_history ORDER BY guild_id LIMIT 1)
        UNION ALL
        SELECT (SELECT c.guild_id FROM chat_history c
                WHERE c.guild_id > heard.guild_id ORDER BY c.guild_id LIMIT 1)
        FROM heard WHERE heard.guild_id IS NOT NULL
    ), kept AS (
        SELECT guild_id FROM guilds UNION SELECT guild_id FROM heard WHERE guild_id IS NOT NULL
    )
"""
"""What follows WITH RECURSIVE, so that `kept` are the guilds that are known or heard: one look into the index each."""

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
    "audit": """
        UPDATE audit
        SET user_id = CASE WHEN user_id = $2::bigint THEN 0 ELSE user_id END,
            reason = without_id(reason, $2::bigint)
        WHERE guild_id = $1 AND (user_id = $2::bigint OR without_id(reason, $2::bigint) <> reason)
    """,
    # A channel of direct messages has the name of the member.
    "channels": """
        UPDATE channels
        SET name = CASE WHEN direct THEN '' ELSE without_id(channels.name, $2::bigint) END,
            persona = without_id(channels.persona, $2::bigint)
        FROM guilds g
        WHERE channels.guild_id = $1 AND g.guild_id = $1 AND (
            without_id(channels.name, $2::bigint) <> channels.name
            OR without_id(channels.persona, $2::bigint) <> channels.persona
            OR (direct AND EXISTS (SELECT FROM members WHERE guild_id = $1 AND user_id = $2::bigint))
        )
    """,
    # Erasings go when they are finished: this one, and others of the same member that are to reach further.
    "work": f"""
        DELETE FROM work WHERE guild_id = $1 AND kind <> '{ERASING_JOB}' AND work_key ~ ({_AS_A_NUMBER})
    """,
}
"""What erasing a member does in tables that have a statement of their own."""


BATCH_ROWS: Final = 500
"""Rows that one transaction of an erasing takes."""

SCANNED_ROWS: Final = 2_000
"""Rows that one transaction of an erasing looks through."""

STEPS: Final = sorted(
    ((step, table.name) for table in TABLES for step in table.steps), key=lambda one: one[0].place
)
"""The steps of erasing a member in their order, each with the name of its table."""

_ALONG: Final[Mapping[str, str]] = {
    "chat_history": marking_taken_back("(SELECT * FROM found WHERE withheld IS NULL)")
}
"""What goes along when a step changes rows `found` of a table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasingScope:
    """Who is erased from where, and until when."""

    guild_id: int
    user_id: int
    audiences: tuple[int, ...] | None
    """Where what others said about the member goes too; `None` is everywhere."""
    up_to: datetime
    now: datetime
    """By the clock that rules memories."""
    named: str | None = None
    """The query that finds the member in words of the bot; `None` if all of these are about the member."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRows:
    """What a batch has found."""

    ids: list[int]
    counted: int
    """How many of them are counted."""
    also: list[int]
    """Ids that follow with them."""
    last_id: int | None
    """Behind which the next batch begins; `None` if this was the last one."""


async def take_batch(
    connection: Connection, step: ErasingStep, table: str, scope: ErasingScope, *, after_id: int
) -> FoundRows:
    """Do the next batch of a step."""
    limit = SCANNED_ROWS if step.among else BATCH_ROWS
    row = await connection.fetchrow(
        _batch(step, table),
        scope.guild_id, scope.user_id, scope.up_to, scope.audiences, scope.named, after_id, limit,
    )  # fmt: skip
    if row is None:
        raise AssertionError("a SELECT without FROM gave no row")
    return row_as(FoundRows, row)


@cache
def _batch(step: ErasingStep, table: str) -> str:
    """Return the statement for a batch of a step: $7 rows, if it looks at each those with larger keys than $6."""
    key, rows, limit = step.key, table, "LIMIT $7"
    looked_at, last_id = "", f"max({key}) FROM found HAVING count(*) > 0"
    if step.among:
        looked_at = f"""looked_at AS (
            SELECT {key} FROM {table} WHERE guild_id = $1 AND {key} > $6 AND {step.among} ORDER BY {key} LIMIT $7
        ),"""
        rows, limit = f"{table} JOIN looked_at USING ({key})", ""
        last_id = f"max({key}) FROM looked_at HAVING count(*) = $7"
    changed = f""", changed AS (
        UPDATE {table} SET {step.sets} WHERE guild_id = $1 AND {key} = ANY(ARRAY(SELECT {key} FROM found))
    )"""
    along = f", {_ALONG[table]}" if table in _ALONG else ""
    # The first part says of what type the values are, which not every step needs.
    return f"""
        WITH given AS (
            SELECT $1::bigint, $2::bigint, $3::timestamptz, $4::bigint[], $5::text, $6::bigint, $7::bigint
        ), {looked_at} found AS (
            SELECT {table}.* FROM {rows} WHERE guild_id = $1 AND {step.rows}
            ORDER BY {step.order or key} {limit} {f"FOR UPDATE OF {table}" if step.sets else ""}
        ){changed + along if step.sets else ""}
        SELECT ARRAY(SELECT {key} FROM found ORDER BY {key}) AS ids,
               (SELECT count(*) FROM found WHERE {step.counted}) AS counted,
               ARRAY({step.also}) AS also, (SELECT {last_id}) AS last_id
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovedRows:
    """Rows that went with a member."""

    counts: Mapping[str, int]
    """How many were the member's own, or about them, by table."""
    retold: frozenset[tuple[int, int]]
    """Subject and audience of narratives about others that named the member."""


async def remove_member_rows(connection: Connection, *, guild_id: int, user_id: int) -> RemovedRows:
    """Take a member out of every table that needs no steps of its own, in one statement."""
    rows = await connection.fetch(_member_rows(), guild_id, user_id)
    counts: Counter[str] = Counter()
    for row in rows:
        counts[row["name"]] += row["count"] if row["own"] else 0
    return RemovedRows(
        counts=counts,
        retold=frozenset(
            (row["subject_id"], row["audience"])
            for row in rows
            if row["name"] == "user_facts" and not row["own"]
        ),
    )


async def remove_texts_about(connection: Connection, *, guild_id: int, user_id: int) -> int:
    """Remove what opting out removes of a member; return how many texts about them that were."""
    removed: int = await connection.fetchval(_texts_about(), guild_id, user_id)
    return removed


async def remove_rows(
    connection: Connection,
    table: Table,
    *,
    guild_id: int,
    limit: int,
    age: Age | None = None,
    window: Mapping[str, object] | None = None,
) -> list[int]:
    """Remove `limit` rows of a guild from a table, and return them: their ids if they are only found, else zeros.

    With an `age` only rows that are too old, by the values of its `window`; those that somebody else is removing are
    left to them, but for what a member wants to go at once.
    """
    condition, values, lock = "true", [], "FOR UPDATE"
    if age is not None:
        condition = age.condition
        for name, value in (window or {}).items():
            if f":{name}" in condition:
                values.append(value)
                condition = condition.replace(f":{name}", f"${len(values) + 2}")
        lock = "" if age.key else lock if age.window is Window.CHOSEN else f"{lock} SKIP LOCKED"
    key = age.key if age is not None and age.key else "ctid"
    found = f"""
        SELECT {key} FROM {table.name} WHERE guild_id = $1 AND ({condition})
        {f"ORDER BY {age.order}" if age is not None and age.order else ""} LIMIT $2 {lock}
    """
    if key == "ctid":
        takes = (
            f"UPDATE {table.name} SET {age.sets}"
            if age is not None and age.sets
            else f"DELETE FROM {table.name}"
        )
        found = f"{takes} WHERE ctid = ANY(ARRAY({found})) RETURNING 0"
    return [row[0] for row in await connection.fetch(found, guild_id, limit, *values)]


@cache
def _texts_about() -> str:
    """Return the statement that removes the rows about a member which opting out removes."""
    tables = [table for table in tables_where(opting_out=RightReach.ROWS) if table.having(ErasureEffect.ROW)]
    parts = ", ".join(
        f"{table.name}_gone AS (DELETE FROM {table.name} WHERE guild_id = $1 AND {_is_own(table)} RETURNING 1)"
        for table in tables
    )
    texts = [table.name for table in tables if table.having(ErasureEffect.RETOLD)]
    return f"WITH {parts} SELECT " + " + ".join(f"(SELECT count(*) FROM {name}_gone)" for name in texts)


@cache
def _member_rows() -> str:
    """Return the statement that takes a member out of every table that needs no steps."""
    removed = {table.name: removal for table in TABLES if (removal := _removal(table))}
    changed = {table.name: change for table in TABLES if (change := _change(table))}
    parts = [
        *(f"{name}_gone (own, subject_id, audience) AS ({removal})" for name, removal in removed.items()),
        *(f"{name}_changed AS ({change})" for name, change in changed.items()),
    ]
    told = (
        f"SELECT '{name}' AS name, own, subject_id, audience, count(*) FROM {name}_gone GROUP BY 2, 3, 4"
        for name in removed
    )
    return f"WITH {', '.join(parts)} {' UNION ALL '.join(told)}"


def _removal(table: Table) -> str:
    """Return what removes the rows of a table that go with a member; empty if none do."""
    own = _is_own(table) if table.having(ErasureEffect.ROW) else "false"
    goes = [
        *([own] if table.having(ErasureEffect.ROW) else []),
        *(f"{column} ~ ({_AS_A_NUMBER})" for column in table.having(ErasureEffect.KEY)),
        *(f"without_id({column}, $2::bigint) <> {column}" for column in table.having(ErasureEffect.RETOLD)),
    ]
    about = (
        f"{table.having(ErasureEffect.ROW)[0]}, audience" if table.having(ErasureEffect.RETOLD) else "0, 0"
    )
    return (
        f"DELETE FROM {table.name} WHERE guild_id = $1 AND ({' OR '.join(goes)}) RETURNING {own}, {about}"
        if goes
        else ""
    )


def _change(table: Table) -> str:
    """Return what takes a member out of the rows of a table that stay; empty if nothing does."""
    unnamed = table.having(ErasureEffect.UNNAME)
    if not unnamed:
        return _OWN.get(table.name, "")
    changed = ", ".join(f"{column} = without_id({column}, $2::bigint)" for column in unnamed)
    names = " || ".join(unnamed)
    # No statement may change a row that it removes.
    stays = f" AND NOT {_is_own(table)}" if table.having(ErasureEffect.ROW) else ""
    return f"""
        UPDATE {table.name} SET {changed}
        WHERE guild_id = $1 AND without_id({names}, $2::bigint) <> {names}{stays}
    """


def _is_own(table: Table) -> str:
    """Return the condition that a row is a member's own, or about them."""
    return f"$2::bigint IN ({', '.join(table.having(ErasureEffect.ROW))})"
