"""SQL of the policies: conditions that exclude members about whom nothing is kept, and the tombstones of what was
forgotten.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.db.pool import Connection
from bot.db.rows import rows_as

_NAMED: Final = """SELECT CASE WHEN char_length(found[1]) < 19
        OR char_length(found[1]) = 19 AND found[1] <= '9223372036854775807' COLLATE "C"
    THEN found[1]::bigint ELSE 0 END AS user_id FROM regexp_matches({text}, '<@!?([0-9]+)>', 'g') AS mention (found)"""
"""Whom a text names; what is too long for an id names nobody."""


TEXT_SEARCH: Final = "coalesce((SELECT text_search FROM guilds WHERE guild_id = $1), 'russian')"
"""The configuration with which the guild $1 searches texts."""


def says(query: str, *, words: str = "lexemes", row: str = "", guild: str = "$1") -> str:
    """Return the expression that tells whether `row` of the guild says what `query`, of type tsquery, looks for.

    It is found by the guild's words alone. The guild is compared as numeric: an index that begins with it can not be
    read then, which the planner would do for all rows of the guild, as it cannot know how rare the words are.
    """
    of = f"{row}." if row else ""
    return f"""({of}guild_id = {guild}::bigint::numeric AND {of}{words} @@ {query}
      AND guild_words({of}guild_id, {of}{words}) @@ guild_query({guild}, {query}))"""


HAS_WRITTEN: Final = "(route IN ('forget', 'correct') OR route = 'remember' AND cardinality(memory_ids) > 0)"
"""Tells of a row of `answers` whether it answers a command that changed what is remembered.

Such a message is no source any more: facts stand for what it had remembered, and may have been replaced since.
"""


def asked_of_bot(message: str, *, text: str = "message_text") -> str:
    """Return the expression that tells of the row `a` of `answers` whether `message` asks the bot something.

    That is a command or a question; what is only said to the bot is part of the talk.
    """
    asks = f"a.message_id = {message}.message_id AND a.route <> 'none' AND rtrim({message}.{text}) LIKE '%?'"
    return f"(a.route NOT IN ('none', 'chat') OR {asks})"


def has_absent(guild: str = "$1", *, guilds: str | None = None) -> str:
    """Return the expression that tells whether there may be members of whom nothing is kept."""
    among = _among(guild, guilds)
    return (
        f"(EXISTS (SELECT FROM members a WHERE a.guild_id {among} AND a.opted_out_at IS NOT NULL)"
        f" OR EXISTS (SELECT FROM erased a WHERE a.guild_id {among} AND a.opted_out)"
        f" OR EXISTS (SELECT FROM guilds a WHERE a.guild_id {among} AND a.rights ->> 'consent' = 'asked'))"
    )


def of_present(user: str, *, guild: str = "$1", guilds: str | None = None) -> str:
    """Return the condition that something is kept of the member in the column `user`."""
    return f"(NOT {has_absent(guild, guilds=guilds)} OR NOT {_is_absent(user, guild, guilds)})"


def said_by_present(table: str, *, guild: str = "$1") -> str:
    """Return the condition that a message in `table` was neither said by an absent member nor answers one.

    Nor does it forward what one said, here or elsewhere, or what is withheld where it was said.
    """
    columns = ", ".join(f"{table}.{column}" for column in ("user_id", "kind", "reply_to_id"))
    return (
        f"(NOT {has_absent(guild)} OR NOT CASE WHEN {table}.kind = 'bot' THEN said_by_absent({guild}, {columns})"
        f" ELSE {_is_absent(f'{table}.user_id', guild, None)} END)"
        f" AND CASE WHEN {table}.forwarded_message_id IS NULL THEN true ELSE withheld_forward({table}.guild_id,"
        f" {table}.forwarded_guild_id, {table}.forwarded_message_id) IS NULL END"
    )


def tells_of_present(user: str, text: str, *, guild: str = "$1", guilds: str | None = None) -> str:
    """Return the condition that something is kept of the member in `user`, and of all whom the column `text` names."""
    named = (
        f"SELECT FROM ({_NAMED.format(text=text)}) named WHERE {_is_absent('named.user_id', guild, guilds)}"
    )
    return (
        f"(NOT {has_absent(guild, guilds=guilds)}"
        f" OR NOT ({_is_absent(user, guild, guilds)} OR EXISTS ({named})))"
    )


def _among(guild: str, guilds: str | None) -> str:
    return f"= {guild}" if guilds is None else f"= ANY({guilds}::bigint[])"


def _is_absent(user: str, guild: str, guilds: str | None) -> str:
    among = _among(guild, guilds)
    return (
        f"({user} <> 0 AND (({guild}, {user}) IN (SELECT a.guild_id, a.user_id FROM members a"
        f" WHERE a.guild_id {among} AND a.opted_out_at IS NOT NULL)"
        f" OR ({guild} IN (SELECT a.guild_id FROM guilds a"
        f" WHERE a.guild_id {among} AND a.rights ->> 'consent' = 'asked')"
        f" AND ({guild}, {user}) NOT IN (SELECT a.guild_id, a.user_id FROM members a"
        f" WHERE a.guild_id {among} AND (a.is_bot OR a.opted_in_at IS NOT NULL)))"
        f" OR (EXISTS (SELECT FROM erased a WHERE a.guild_id {among} AND a.opted_out)"
        f" AND ({guild}, user_hash({guild}, {user})) IN (SELECT a.guild_id, a.user_hash FROM erased a"
        f" WHERE a.guild_id {among} AND a.opted_out))))"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """Hashes of a forgotten fact's subject, key and content stems; no text."""

    subject_hash: bytes
    key_hash: bytes
    stem_hashes: tuple[bytes, ...]
    buried_at: datetime | None = None
    """When the order to forget it was given; `None` before it is set up."""


async def hash_secret(connection: Connection) -> bytes:
    """Return the secret of this installation."""
    secret: bytes = await connection.fetchval("SELECT hash_secret FROM installation WHERE guild_id = 0")
    return secret


async def add_tombstones(
    connection: Connection, *, guild_id: int, tombstones: Sequence[Tombstone], at: datetime
) -> None:
    """Set up `tombstones` for an order that was given `at` this moment."""
    if not tombstones:
        return
    await connection.executemany(
        """
        INSERT INTO tombstones (guild_id, subject_hash, key_hash, stem_hashes, buried_at)
        VALUES ($1, $2, $3, $4, $5)
        """,
        [(guild_id, stone.subject_hash, stone.key_hash, list(stone.stem_hashes), at) for stone in tombstones],
    )


async def remove_tombstones(
    connection: Connection, *, guild_id: int, stones: Sequence[Tombstone], said: Sequence[bytes]
) -> None:
    """Take down the tombstones of what `stones` say, since somebody explicitly asked to have it remembered.

    Under the key of each all go whose stems are among the hashes `said`, under any other key those of just its stems.
    Another value under the same key stays buried: its stems are others.
    """
    await connection.executemany(
        """
        DELETE FROM tombstones
        WHERE guild_id = $1 AND subject_hash = $2
          AND ((key_hash = $3 AND stem_hashes <@ $5::bytea[])
               OR (stem_hashes <@ $4::bytea[] AND stem_hashes @> $4::bytea[]))
        """,
        [
            (guild_id, stone.subject_hash, stone.key_hash, list(stone.stem_hashes), list(said))
            for stone in stones
        ],
    )


async def has_tombstones(connection: Connection, *, guild_id: int, subject_hashes: Sequence[bytes]) -> bool:
    """Tell whether anything of these subjects was forgotten."""
    found: bool = await connection.fetchval(
        "SELECT EXISTS (SELECT FROM tombstones WHERE guild_id = $1 AND subject_hash = ANY($2::bytea[]))",
        guild_id, list(subject_hashes),
    )  # fmt: skip
    return found


async def subject_tombstones(
    connection: Connection,
    *,
    guild_id: int,
    subject_hashes: Sequence[bytes],
    since: datetime | None = None,
) -> list[Tombstone]:
    """Return the tombstones of these subjects, those `since` a moment if one is given."""
    rows = await connection.fetch(
        """
        SELECT subject_hash, key_hash, stem_hashes, buried_at FROM tombstones
        WHERE guild_id = $1 AND subject_hash = ANY($2::bytea[])
          AND ($3::timestamptz IS NULL OR buried_at > $3) ORDER BY tombstone_id
        """,
        guild_id, list(subject_hashes), since,
    )  # fmt: skip
    return rows_as(Tombstone, rows)
