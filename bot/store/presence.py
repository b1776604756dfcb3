"""What leaves out of a read the members of whom nothing is kept: parts of its condition, beside the audience.

Whether anybody may be absent at all is looked at once a statement: where nobody is, nothing is looked at row by row.
What many rows pass through says by sets what the function `keeps_nothing` says of one member.

Everywhere `guild` is the guild of a row, and `guilds` an array of all that it may be; by default it is the one
that the statement is given first.
"""

from typing import Final

_NAMED: Final = """SELECT CASE WHEN char_length(found[1]) < 19
        OR char_length(found[1]) = 19 AND found[1] <= '9223372036854775807' COLLATE "C"
    THEN found[1]::bigint ELSE 0 END AS user_id FROM regexp_matches({text}, '<@!?([0-9]+)>', 'g') AS mention (found)"""
"""Whom a text names; what is too long for an id names nobody."""


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
