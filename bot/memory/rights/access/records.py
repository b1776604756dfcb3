"""The rows of the tables of operators: tokens, sessions and audit entries."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class AccessScope(StrEnum):
    """What an operator may do."""

    READ = "read"
    WRITE = "write"
    """Also change and delete, and have closed texts revealed."""


class AuditAction(StrEnum):
    """What an operator did."""

    CREATE_TOKEN = "create_token"  # noqa: S105 - the name of an action
    REVOKE_TOKEN = "revoke_token"  # noqa: S105 - the name of an action
    OPEN_SESSION = "open_session"
    CLOSE_SESSION = "close_session"
    REVEAL = "reveal"
    DELETE_FACT = "delete_fact"
    DELETE_MEMORY = "delete_memory"
    DELETE_MEMORIES = "delete_memories"
    CHANGE_SETTINGS = "change_settings"
    EXPORT_MEMBER = "export_member"
    EXPORT_CHANNEL = "export_channel"


@dataclass(frozen=True, slots=True, kw_only=True)
class WebToken:
    """A token as it is listed, without what would let anybody in."""

    name: str
    scope: AccessScope
    created_at: datetime
    last_used_at: datetime | None
    """To the minute."""
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSession:
    """A session that holds."""

    token_name: str | None
    """The token that opened it; `None`: the link that is printed at the start."""
    scope: AccessScope
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One thing that an operator did; ids are 0 where none is meant."""

    guild_id: int
    audit_id: int
    at: datetime
    operator: str
    action: AuditAction
    channel_id: int
    user_id: int
    item_id: int
    """The fact or the memory."""
    reason: str
    expires_at: datetime | None
    """Until when what was revealed is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEntry:
    """What is about to be done, as the audit notes it."""

    operator: str
    credential: str
    action: AuditAction
    guild_id: int = 0
    channel_id: int = 0
    user_id: int = 0
    item_id: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealedPlace:
    """A channel or a member whose closed texts are shown for a while; the other id is 0."""

    channel_id: int
    user_id: int
