"""What the loopback Discord holds: users, members, roles, channels, messages; no behaviour beyond looking."""

import bisect
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING

from tests.servers.discord.snowflakes import LONG_AGO, moment

if TYPE_CHECKING:
    from tests.servers.discord.guild_base import GuildBase


Json = dict[str, object]


class ChannelKind(IntEnum):
    """Discord's types of channels."""

    TEXT = 0
    DIRECT = 1
    VOICE = 2
    CATEGORY = 4
    ANNOUNCEMENT = 5
    ANNOUNCEMENT_THREAD = 10
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12
    STAGE = 13
    FORUM = 15


THREADS = frozenset({ChannelKind.ANNOUNCEMENT_THREAD, ChannelKind.PUBLIC_THREAD, ChannelKind.PRIVATE_THREAD})


class MessageType(IntEnum):
    """Discord's types of messages that the loopback makes by itself."""

    DEFAULT = 0
    PINNED = 6
    JOINED = 7
    THREAD_CREATED = 18
    REPLY = 19
    CHAT_INPUT_COMMAND = 20
    THREAD_STARTER = 21
    CONTEXT_MENU_COMMAND = 23


class MessageFlag(IntFlag):
    """Discord's flags of messages."""

    SUPPRESS_EMBEDS = 1 << 2
    HAS_THREAD = 1 << 5
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SUPPRESS_NOTIFICATIONS = 1 << 12
    HAS_SNAPSHOT = 1 << 14
    COMPONENTS_V2 = 1 << 15


@dataclass(slots=True, eq=False, kw_only=True)
class FakeUser:
    """An account, the same in every guild."""

    user_id: int
    name: str
    display_name: str | None = None
    is_bot: bool = False
    refuses_direct_messages: bool = False
    """Whether a direct message to them is refused (403, 50007)."""
    discriminator: str = "0"
    locale: str = "en-US"

    @property
    def mention(self) -> str:
        """What a message says to mention them."""
        return f"<@{self.user_id}>"


@dataclass(slots=True, eq=False, kw_only=True)
class FakeRole:
    """A role of a guild; that of @everyone has the guild's id."""

    role_id: int
    name: str
    permissions: int = 0
    position: int = 1
    bot_id: int | None = None
    """Of the role that a bot brought with it: the bot's id."""


@dataclass(slots=True, eq=False, kw_only=True)
class FakeMember:
    """A user in a guild."""

    user: FakeUser
    guild: "GuildBase" = field(repr=False)
    nickname: str | None = None
    role_ids: set[int] = field(default_factory=set)
    joined_at: datetime = LONG_AGO

    @property
    def user_id(self) -> int:
        """The id of the account."""
        return self.user.user_id

    @property
    def mention(self) -> str:
        """What a message says to mention them."""
        return self.user.mention


@dataclass(slots=True)
class Overwrite:
    """What a channel allows and denies a role or a member."""

    target_id: int
    is_member: bool = False
    allow: int = 0
    deny: int = 0


@dataclass(slots=True, eq=False, kw_only=True)
class FakeChannel:
    """A channel of a guild, a thread, or (without a guild) the direct messages with one user."""

    channel_id: int
    kind: ChannelKind
    name: str = ""
    guild: "GuildBase | None" = field(default=None, repr=False)
    recipient: FakeUser | None = None
    parent: "FakeChannel | None" = field(default=None, repr=False)
    position: int = 0
    topic: str | None = None
    nsfw: bool = False
    overwrites: dict[int, Overwrite] = field(default_factory=dict, repr=False)
    messages: "dict[int, FakeMessage]" = field(default_factory=dict, repr=False)
    order: list[int] = field(default_factory=list, repr=False)
    """The ids of `messages`, oldest first."""
    last_message_id: int | None = None
    owner_id: int = 0
    thread_members: dict[int, datetime] = field(default_factory=dict)
    """Of a thread: who joined it, and when."""
    archived: bool = False
    locked: bool = False
    archived_at: datetime | None = None
    """Of a thread: when it was last archived or opened again; `None`: never since it was made."""
    garbled: bool = False
    """Of a thread: whether no client can read what is told of it."""
    total_messages: int = 0

    @property
    def is_thread(self) -> bool:
        """Whether this is a thread or a forum post."""
        return self.kind in THREADS

    @property
    def is_private_thread(self) -> bool:
        """Whether only those who were added see it."""
        return self.kind is ChannelKind.PRIVATE_THREAD

    @property
    def guild_id(self) -> int | None:
        """The guild's id; `None` for direct messages."""
        return None if self.guild is None else self.guild.guild_id

    @property
    def mention(self) -> str:
        """What a message says to link the channel."""
        return f"<#{self.channel_id}>"

    def keep(self, message: "FakeMessage") -> None:
        """Take a new message up, at its place in time."""
        self.messages[message.message_id] = message
        bisect.insort(self.order, message.message_id)
        self.last_message_id = max(self.last_message_id or 0, message.message_id)
        self.total_messages += 1

    def drop(self, message: "FakeMessage") -> None:
        """Take a message out; `last_message_id` goes on naming it, as Discord's does."""
        if self.messages.pop(message.message_id, None) is not None:
            del self.order[bisect.bisect_left(self.order, message.message_id)]
            message.deleted = True


@dataclass(slots=True, eq=False, kw_only=True)
class FakeAttachment:
    """A file that hangs on a message."""

    attachment_id: int = 0
    filename: str
    content: bytes = b""
    content_type: str | None = None
    description: str | None = None
    extra: Json = field(default_factory=dict)
    """Fields put over what is sent, such as width, height, duration_secs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """What a message points at: replied to (0) or forwarded (1)."""

    message_id: int | None
    channel_id: int
    guild_id: int | None
    kind: int = 0


@dataclass(slots=True, eq=False, kw_only=True)
class FakeMessage:
    """A message as it stands now."""

    message_id: int
    channel: FakeChannel = field(repr=False)
    author: FakeUser = field(repr=False)
    text: str
    kind: int = MessageType.DEFAULT
    reference: Reference | None = None
    attachments: list[FakeAttachment] = field(default_factory=list)
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    allowed_mentions: Json | None = None
    """As the bot asked for it; `None` if it was left out, so that everything may ping."""
    nonce: str | int | None = None
    flags: int = 0
    webhook_id: int | None = None
    thread: FakeChannel | None = field(default=None, repr=False)
    """The thread that was started on this message."""
    edited_at: datetime | None = None
    earlier_texts: list[str] = field(default_factory=list)
    deleted: bool = False
    pinned: bool = False
    reactions: list[str] = field(default_factory=list)
    """The emoji with which the bot reacted to it."""
    garbled: bool = False
    """Whether no client can read it as it is told from now on."""
    extra: Json = field(default_factory=dict)
    """Fields put over what is sent: stickers, a poll, snapshots."""

    @property
    def sent_at(self) -> datetime:
        """When it was sent, in UTC."""
        return moment(self.message_id)

    @property
    def reply_to_id(self) -> int | None:
        """The message that this one replies to."""
        return self.reference.message_id if self.reference is not None and self.reference.kind == 0 else None

    @property
    def ephemeral(self) -> bool:
        """Whether only one user sees it."""
        return bool(self.flags & MessageFlag.EPHEMERAL)
