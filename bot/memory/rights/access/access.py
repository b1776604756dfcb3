"""Access to the web interface: tokens and sessions, stored only as hashes; what was revealed to whom; and the audit of
operators. All times are real time.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.core.domain import MAX_ID
from bot.core.errors import InvalidInputError
from bot.db.pool import Connection, Database
from bot.memory.rights.access import repository
from bot.memory.rights.access.records import (
    AccessScope,
    AuditAction,
    AuditEntry,
    NewEntry,
    OpenSession,
    WebToken,
)

SESSION_LASTS: Final = timedelta(hours=12)
"""A working day: whoever comes back the next morning enters anew."""

REVEAL_LASTS: Final = timedelta(minutes=15)
"""Long enough to look something up, too short to be left on."""

LINK_NAME: Final = "link"
"""What an operator is called who entered by the link that is printed at the start; no token has this name."""

COMMAND_LINE: Final = "command line"
"""What an operator is called who uses `keepsake token`."""

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_PREFIX: Final = "keepsake_"
"""By which people, and scanners for leaked secrets, know a token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operator:
    """Somebody who was let in."""

    name: str
    scope: AccessScope
    credential: str
    """Which token or session it was: what is revealed to it is revealed to no other."""
    token_name: str | None
    session: OpenSession | None = None
    """`None` if the token itself came with the request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revealed:
    """Whose closed texts are shown to an operator in a guild."""

    channel_ids: frozenset[int] = frozenset()
    user_ids: frozenset[int] = frozenset()


class OperatorAccess:
    """Lets operators in, and notes what they do."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def has_tokens(self) -> bool:
        """Tell whether any token lets anybody in."""
        return await self._database.read(repository.has_tokens)

    async def tokens(self) -> list[WebToken]:
        """Return all tokens, the oldest first, those that were revoked too."""
        return await self._database.read(repository.tokens)

    async def create_token(self, name: str, scope: AccessScope) -> str:
        """Make a token and return it, which is kept nowhere. Raises `InvalidInputError` for a name that cannot be."""
        if not _NAME.fullmatch(name) or name == LINK_NAME:
            raise InvalidInputError(
                f"{name!r} cannot be the name of a token: it must have 1 to 64 Latin letters, digits, '.', '_' or '-',"
                f" begin with a letter or digit, and not be {LINK_NAME!r}"
            )
        token = _PREFIX + secrets.token_urlsafe(32)
        entry = NewEntry(operator=COMMAND_LINE, credential=f"token:{name}", action=AuditAction.CREATE_TOKEN)

        async def create(connection: Connection) -> bool:
            added = await repository.add_token(connection, name=name, token_hash=_hash(token), scope=scope)
            if added:
                await repository.add_entry(connection, entry)
            return added

        if not await self._database.write(create):
            raise InvalidInputError(
                f"there is or was a token {name!r} already: give the new one another name"
            )
        return token

    async def revoke_token(self, name: str) -> None:
        """Revoke a token, and end all sessions that it opened. Raises `InvalidInputError` if none such holds."""
        entry = NewEntry(operator=COMMAND_LINE, credential=f"token:{name}", action=AuditAction.REVOKE_TOKEN)

        async def revoke(connection: Connection) -> bool:
            revoked = await repository.revoke_token(connection, name=name)
            if revoked:
                await repository.add_entry(connection, entry)
            return revoked

        if not await self._database.write(revoke):
            raise InvalidInputError(
                f"no token {name!r} is in use; 'keepsake token list' shows those that are"
            )

    async def by_token(self, token: str) -> Operator | None:
        """Return who comes with this token; `None` if it lets nobody in."""
        if not token.startswith(_PREFIX):
            return None
        found = await self._database.write_one(repository.use_token, token_hash=_hash(token))
        if found is None:
            return None
        return Operator(
            name=found.name, scope=found.scope, credential=f"token:{found.name}", token_name=found.name
        )

    async def by_session(self, secret: str) -> Operator | None:
        """Return who comes with the secret of this session; `None` if it lets nobody in."""
        found = await self._database.read(repository.open_session, session_hash=_hash(secret))
        return None if found is None else _operator_of(found, secret)

    async def enter(self, *, by: Operator | None) -> tuple[str, Operator]:
        """Open a session for a token, or (`None`) for the link printed at the start, which may write.

        Returns its secret, which is not stored, and its operator.
        """
        secret = secrets.token_urlsafe(32)

        async def enter(connection: Connection) -> Operator:
            session = await repository.add_session(
                connection,
                session_hash=_hash(secret),
                token_name=None if by is None else by.token_name,
                scope=AccessScope.WRITE if by is None else by.scope,
                lasting=SESSION_LASTS,
            )
            operator = _operator_of(session, secret)
            await repository.add_entry(connection, _entry(operator, AuditAction.OPEN_SESSION))
            return operator

        return secret, await self._database.write(enter)

    async def leave(self, operator: Operator, secret: str) -> None:
        """End a session."""

        async def leave(connection: Connection) -> None:
            await repository.end_session(connection, session_hash=_hash(secret))
            await repository.add_entry(connection, _entry(operator, AuditAction.CLOSE_SESSION))

        await self._database.write(leave)

    async def note(
        self,
        operator: Operator,
        action: AuditAction,
        *,
        guild_id: int,
        channel_id: int = 0,
        user_id: int = 0,
        item_id: int = 0,
    ) -> AuditEntry:
        """Note in the audit what an operator is about to do."""
        entry = _entry(
            operator, action, guild_id=guild_id, channel_id=channel_id, user_id=user_id, item_id=item_id
        )
        return await self._database.write(repository.add_entry, entry)

    async def reveal(
        self, operator: Operator, *, guild_id: int, channel_id: int = 0, user_id: int = 0, reason: str
    ) -> AuditEntry:
        """Have the closed texts of a channel, or those about a member, shown to an operator for `REVEAL_LASTS`."""
        entry = _entry(
            operator,
            AuditAction.REVEAL,
            guild_id=guild_id,
            channel_id=channel_id,
            user_id=user_id,
            reason=reason,
        )
        return await self._database.write(repository.add_entry, entry, lasting=REVEAL_LASTS)

    async def revealed(self, operator: Operator, *, guild_id: int) -> Revealed:
        """Return what is revealed to an operator in a guild now."""
        found = await self._database.read(
            repository.revealed_places, credential=operator.credential, guild_id=guild_id
        )
        return Revealed(
            channel_ids=frozenset(one.channel_id for one in found) - {0},
            user_ids=frozenset(one.user_id for one in found) - {0},
        )

    async def audit(self, *, before_id: int | None, limit: int) -> Sequence[AuditEntry]:
        """Return what operators did before an entry, or lately (`None`), the newest first."""
        before = MAX_ID if before_id is None else before_id
        return await self._database.read(repository.entries_before, before_id=before, limit=limit)


def csrf_token_of(secret: str) -> str:
    """Return what a request that changes something has to bring beside the session with this secret.

    Only who can read an answer of the session knows it, and the secret cannot be found out by it.
    """
    return hmac.new(secret.encode(), b"csrf", hashlib.sha256).hexdigest()


def _operator_of(session: OpenSession, secret: str) -> Operator:
    return Operator(
        name=session.token_name or LINK_NAME,
        scope=session.scope,
        credential=f"session:{_hash(secret).hex()}",
        token_name=session.token_name,
        session=session,
    )


def _entry(
    operator: Operator,
    action: AuditAction,
    *,
    guild_id: int = 0,
    channel_id: int = 0,
    user_id: int = 0,
    item_id: int = 0,
    reason: str = "",
) -> NewEntry:
    return NewEntry(
        operator=operator.name,
        credential=operator.credential,
        action=action,
        guild_id=guild_id,
        channel_id=channel_id,
        user_id=user_id,
        item_id=item_id,
        reason=reason,
    )


def _hash(secret: str) -> bytes:
    """Return what is kept of a secret: it is random and long, so that one fast hash is enough."""
    return hashlib.sha256(secret.encode()).digest()
