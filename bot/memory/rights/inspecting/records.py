"""What operators are shown of guilds, channels, members, facts and messages."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.core.domain import Fact, MessageKind, Waiting
from bot.db.jobs import WaitingWork
from bot.db.service import ServiceFailure
from bot.memory.messages.repository_quarantine import QuarantineCount


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkHealth:
    """What all processes on the database tell of their work."""

    services: Sequence[ServiceFailure]
    """Loops that fail now."""
    work: WaitingWork
    answers: Waiting
    messages: QuarantineCount
    last_backup_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedGuild:
    """A guild in a list."""

    guild_id: int
    name: str
    direct: bool
    time_zone: str
    joined_at: datetime | None
    left_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GuildSize:
    """How much is kept of a guild, in whatever audience."""

    channels: int
    members: int
    messages: int
    """With a text."""
    facts: int
    """That hold."""
    episodes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedChannel:
    """A channel with how much is kept of it."""

    channel_id: int
    name: str
    parent_id: int | None
    audience: int
    deleted_at: datetime | None
    messages: int
    """With a text."""
    episodes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedMember:
    """A member in a list."""

    user_id: int
    user_name: str
    display_name: str
    nickname: str
    is_bot: bool
    private: bool
    """Whether others are told nothing about them."""
    opted_out: bool
    left_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptFact:
    """A fact with its life."""

    fact: Fact
    superseded_by: int | None
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelMessage:
    """A message in the file of a channel."""

    message_id: int
    user_id: int
    audience: int
    kind: MessageKind
    timestamp: datetime
    edited_at: datetime | None
    reply_to_id: int | None
    message_text: str
    attachments: tuple[str, ...]
