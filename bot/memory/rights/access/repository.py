"""The tables of operators: tokens and sessions by their hashes, and the audit. Their times are real ones."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from bot.db.pool import Connection
from bot.db.rows import columns_of, row_as, rows_as
from bot.memory.rights.access.records import (
    AccessScope,
    AuditAction,
    AuditEntry,
    NewEntry,
    OpenSession,
    RevealedPlace,
    WebToken,
)


async def add_token(connection: Connection, *, name: str, token_hash: bytes, scope: AccessScope) -> bool:
    """Store a token; `False` if there is one of this name, also if that was revoked."""
    added = await connection.fetchval(
        """
        INSERT INTO web_tokens (name, token_hash, scope) VALUES ($1, $2, $3)
        ON CONFLICT (guild_id, name) DO NOTHING RETURNING true
        """,
        name, token_hash, scope,
    )  # fmt: skip
    return bool(added)


_TOKEN_COLUMNS: Final = columns_of(WebToken)


async def tokens(connection: Connection) -> list[WebToken]:
    """Return all tokens, the oldest first."""
    rows = await connection.fetch(
        f"SELECT {_TOKEN_COLUMNS} FROM web_tokens WHERE guild_id = 0 ORDER BY created_at, name"
    )
    return rows_as(WebToken, rows)


async def has_tokens(connection: Connection) -> bool:
    """Tell whether any token lets anybody in."""
    found: bool = await connection.fetchval(
        "SELECT EXISTS (SELECT FROM web_tokens WHERE guild_id = 0 AND revoked_at IS NULL)"
    )
    return found


async def revoke_token(connection: Connection, *, name: str) -> bool:
    """Revoke a token and end its sessions; `False` if there is none that holds."""
    revoked = await connection.fetchval(
        """
        WITH ended AS (DELETE FROM web_sessions WHERE guild_id = 0 AND token_name = $1)
        UPDATE web_tokens SET revoked_at = clock_timestamp()
        WHERE guild_id = 0 AND name = $1 AND revoked_at IS NULL RETURNING true
        """,
        name,
    )
    return bool(revoked)


async def use_token(connection: Connection, *, token_hash: bytes) -> WebToken | None:
    """Return the token with this hash, noting to the minute that it was used; `None` if none holds."""
    row = await connection.fetchrow(
        f"""
        WITH found AS (
            SELECT {_TOKEN_COLUMNS} FROM web_tokens
            WHERE guild_id = 0 AND token_hash = $1 AND revoked_at IS NULL
        ), used AS (
            UPDATE web_tokens t SET last_used_at = clock_timestamp() FROM found
            WHERE t.guild_id = 0 AND t.name = found.name
              AND coalesce(found.last_used_at < clock_timestamp() - interval '1 minute', true)
        )
        SELECT {_TOKEN_COLUMNS} FROM found
        """,
        token_hash,
    )
    return row_as(WebToken, row)


async def add_session(
    connection: Connection,
    *,
    session_hash: bytes,
    token_name: str | None,
    scope: AccessScope,
    lasting: timedelta,
) -> OpenSession:
    """Open a session, and remove those that have expired. One of a token that was revoked meanwhile never holds."""
    await connection.execute("DELETE FROM web_sessions WHERE guild_id = 0 AND expires_at < clock_timestamp()")
    row = await connection.fetchrow(
        """
        INSERT INTO web_sessions (session_hash, token_name, scope, expires_at)
        VALUES ($1, $2, $3, clock_timestamp() + $4)
        RETURNING token_name, scope, expires_at
        """,
        session_hash, token_name, scope, lasting,
    )  # fmt: skip
    if row is None:
        raise AssertionError("an INSERT without conflict gave no row")
    return row_as(OpenSession, row)


async def open_session(connection: Connection, *, session_hash: bytes) -> OpenSession | None:
    """Return the session with this hash, if it holds: neither it nor its token has ended."""
    row = await connection.fetchrow(
        """
        SELECT token_name, scope, expires_at FROM web_sessions s
        WHERE guild_id = 0 AND session_hash = $1 AND expires_at > clock_timestamp() AND NOT EXISTS (
            SELECT FROM web_tokens t WHERE t.guild_id = 0 AND t.name = s.token_name AND t.revoked_at IS NOT NULL
        )
        """,
        session_hash,
    )
    return row_as(OpenSession, row)


async def end_session(connection: Connection, *, session_hash: bytes) -> None:
    """End a session."""
    await connection.execute(
        "DELETE FROM web_sessions WHERE guild_id = 0 AND session_hash = $1", session_hash
    )


_ENTRY_COLUMNS: Final = columns_of(AuditEntry)


async def add_entry(
    connection: Connection, entry: NewEntry, *, lasting: timedelta | None = None
) -> AuditEntry:
    """Note what is about to be done, with how long it holds if it ends by itself."""
    row = await connection.fetchrow(
        f"""
        INSERT INTO audit
            (guild_id, operator, credential, action, channel_id, user_id, item_id, reason, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp() + $9::interval)
        RETURNING {_ENTRY_COLUMNS}
        """,
        entry.guild_id, entry.operator, entry.credential, entry.action, entry.channel_id, entry.user_id,
        entry.item_id, entry.reason, lasting,
    )  # fmt: skip
    if row is None:
        raise AssertionError("an INSERT without conflict gave no row")
    return row_as(AuditEntry, row)


async def entries_before(connection: Connection, *, before_id: int, limit: int) -> Sequence[AuditEntry]:
    """Return the entries with smaller ids than `before_id`, the newest first."""
    rows = await connection.fetch(
        f"SELECT {_ENTRY_COLUMNS} FROM audit WHERE audit_id < $1 ORDER BY audit_id DESC LIMIT $2",
        before_id, limit,
    )  # fmt: skip
    return rows_as(AuditEntry, rows)


async def revealed_places(connection: Connection, *, credential: str, guild_id: int) -> list[RevealedPlace]:
    """Return what is revealed now to a token or session in a guild."""
    rows = await connection.fetch(
        """
        SELECT DISTINCT channel_id, user_id FROM audit
        WHERE credential = $1 AND guild_id = $2 AND action = $3 AND expires_at > clock_timestamp()
        """,
        credential, guild_id, AuditAction.REVEAL,
    )  # fmt: skip
    return rows_as(RevealedPlace, rows)
