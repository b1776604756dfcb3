"""The log of decisions about stored data: what was forgotten, erased, opted out of, made private or taken back, in
order, by ids and keyed hashes.

Triggers write it in the transaction of the decision; `note` records what no trigger can see.
"""

import hashlib
import hmac
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, JsonValue, PlainSerializer, PlainValidator
from pydantic_core import from_json

from bot.db.pool import Connection, Row
from bot.db.rows import json_of


class DecisionKind(StrEnum):
    """What was decided; whether `ids` are used, and for what, is said beside each."""

    MESSAGE = "message"
    """These messages lost their text, for the reason in the details."""
    FACT = "fact"
    """These facts were forgotten, or taken back."""
    SOURCE = "source"
    """These sources of facts count no more, and lost their words."""
    WITHDRAWN = "withdrawn"
    """These sources went with the messages that they stood in."""
    UNNAMED = "unnamed"
    """A member became nobody in these facts about others."""
    ANSWER = "answer"
    """The answers to these messages lost their text."""
    TOMBSTONE = "tombstone"
    """A tombstone was set up."""
    LIFTED = "lifted"
    """One was taken down, since somebody asked to have it remembered."""
    ERASE = "erase"
    """A member is erased, in these audiences (none: everywhere)."""
    ERASED = "erased"
    """What is known of an erased member."""
    ERASE_GUILD = "erase_guild"
    """All of a guild is erased."""
    ABSENCE = "absence"
    """A span of ids of which nothing is kept of a member."""
    STANDING = "standing"
    """A member opted out or in, became private or not, is learned about or not."""
    CATEGORY = "category"
    """What a member wants of one kind of memory."""
    PROFILE = "profile"
    """The profile of a member was removed."""
    EPISODE = "episode"
    """These episodes were removed by somebody."""
    UNHEARD = "unheard"
    """A span of ids in which a channel was not heard."""
    CHANNEL = "channel"
    """A channel was closed, opened, deleted, or is heard or not."""
    GUILD = "guild"
    """A guild's settings of rights, and how long it keeps messages."""


def _bytes_of(value: object) -> bytes | None:
    if value is None or isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return bytes.fromhex(value)
    raise ValueError("it must be a string of hexadecimal digits")


HexBytes = Annotated[
    bytes | None,
    PlainValidator(_bytes_of),
    PlainSerializer(lambda value: None if value is None else value.hex()),
]
"""Bytes that stand in JSON as hexadecimal digits."""


class Decision(BaseModel):
    """One decision; it holds no text and no id of a member."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: int
    guild_id: int
    kind: DecisionKind
    made_at: datetime
    """By the clock of the database; all decisions of one transaction have the same."""
    user_hash: HexBytes = None
    ids: tuple[int, ...] = ()
    details: dict[str, JsonValue] = {}


def fingerprint_of(hash_secret: bytes) -> str:
    """Return by what an installation is known whose keyed hashes are made with `hash_secret`."""
    return hmac.digest(hash_secret, b"decisions", hashlib.sha256).hex()[:32]


_COLUMNS: Final = "number, guild_id, kind, made_at, user_hash, ids, details::text AS details"


async def last_number(connection: Connection) -> int:
    """Return the number of the last decision; 0 if there is none."""
    number: int = await connection.fetchval("SELECT coalesce(max(number), 0) FROM decisions")
    return number


async def decisions_after(connection: Connection, number: int, *, limit: int) -> list[Decision]:
    """Return the first `limit` decisions behind a number, in order."""
    rows = await connection.fetch(
        f"SELECT {_COLUMNS} FROM decisions WHERE number > $1 ORDER BY number LIMIT $2", number, limit
    )
    return [_decision_in(row) for row in rows]


def _decision_in(row: Row) -> Decision:
    return Decision.model_validate({**row, "details": from_json(row["details"])})


async def put_decisions(connection: Connection, decisions: Sequence[Decision]) -> None:
    """Write decisions that were made elsewhere, with their numbers; the triggers of decisions must be off."""
    await connection.executemany(
        """
        INSERT INTO decisions (number, guild_id, kind, made_at, user_hash, ids, details)
        VALUES ($1, $2, $3, $4, $5, $6, $7::text::jsonb)
        """,
        [
            (one.number, one.guild_id, one.kind, one.made_at, one.user_hash, one.ids, json_of(one.details))
            for one in decisions
        ],
    )


async def note(
    connection: Connection,
    kind: DecisionKind,
    *,
    guild_id: int,
    user_id: int | None = None,
    ids: Sequence[int] = (),
    **details: JsonValue | datetime,
) -> None:
    """Note a decision that no trigger sees, in the transaction that carries it out."""
    await connection.execute(
        """
        INSERT INTO decisions (guild_id, kind, user_hash, ids, details)
        VALUES ($1, $2, CASE WHEN $3::bigint IS NOT NULL THEN user_hash($1, $3) END, $4, $5::text::jsonb)
        """,
        guild_id, kind, user_id, list(ids), json_of(details),
    )  # fmt: skip


async def drop_unnumbered(connection: Connection) -> None:
    """Remove what was noted while decisions were carried out once more: they have numbers, and these have none."""
    await connection.execute("DELETE FROM decisions WHERE number IS NULL AND NOT pending")


async def drop_below(connection: Connection, number: int) -> None:
    """Remove the decisions before `number`; one that still waits for its member loses only its number."""
    await connection.execute("UPDATE decisions SET number = NULL WHERE number < $1 AND pending", number)
    await connection.execute("DELETE FROM decisions WHERE number < $1", number)
    await drop_unnumbered(connection)


_MOST_DROPPED: Final = 10_000
"""Decisions that one transaction removes."""


async def drop_old(connection: Connection, *, before: datetime) -> None:
    """Remove the first 10,000 of the decisions that were made before a moment, all but the last of these.

    That one stays, so that numbers go on, and a file that ends with it is known to go on as well.
    """
    number = await connection.fetchval(
        """
        SELECT least(coalesce((SELECT number FROM decisions WHERE number IS NOT NULL AND made_at >= $1
                               ORDER BY number LIMIT 1) - 1, max(number)), min(number) + $2)
        FROM decisions
        """,
        before, _MOST_DROPPED,
    )  # fmt: skip
    if number is not None:
        await drop_below(connection, number)


async def mark_pending(connection: Connection, decision: Decision) -> None:
    """Keep a restored decision until its member, guild or channel is known; a trigger carries it out then."""
    await connection.execute("UPDATE decisions SET pending = true WHERE number = $1", decision.number)


async def drop_pending(connection: Connection, *, guild_id: int, user_hash: bytes | None) -> None:
    """Drop waiting decisions about a member who was erased, or (`None`) about a guild."""
    await connection.execute(
        """
        UPDATE decisions SET pending = false
        WHERE guild_id = $1 AND pending AND ($2::bytea IS NULL OR user_hash = $2)
        """,
        guild_id, user_hash,
    )  # fmt: skip
