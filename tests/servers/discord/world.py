"""Everything that exists on the loopback Discord, and the announcing of what happens there."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntFlag
from typing import TYPE_CHECKING

from tests.servers.discord.snowflakes import LONG_AGO, Snowflakes
from tests.servers.discord.state import ChannelKind, FakeChannel, FakeMessage, FakeUser, Json
from tests.servers.discord.unkind import Unkind

if TYPE_CHECKING:
    from tests.servers.discord.guild import FakeGuild
    from tests.servers.discord.interactions import Interactions


class Intent(IntFlag):
    """What a connection may ask to be told, by Discord's bits."""

    NONE = 0
    GUILDS = 1 << 0
    MEMBERS = 1 << 1
    PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    DIRECT_MESSAGES = 1 << 12
    MESSAGE_CONTENT = 1 << 15


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened, as it is told to the connections that may know."""

    name: str
    data: Json
    guild_id: int | None = None
    """`None`: it happened outside of any guild and is told to shard 0."""
    channel: FakeChannel | None = None
    """Where it happened; who cannot see the channel is not told."""
    intent: Intent = Intent.NONE
    """What a connection must have asked for; `NONE` is told to all."""
    blanked: Json | None = None
    """What is told instead to who may not read the content of messages."""
    session_id: str | None = None
    """Told to this session alone, as the answer to what it asked."""


@dataclass(frozen=True, slots=True)
class Typing:
    """The bot was seen typing."""

    channel: FakeChannel
    at: datetime


@dataclass(slots=True)
class Portal:
    """The switches of the Developer Portal, and what Discord advises this bot."""

    members_intent: bool = True
    message_content_intent: bool = True
    presences_intent: bool = False
    shards: int = 1
    max_concurrency: int = 1
    identifies_left: int = 1000
    public: bool = True


@dataclass(slots=True)
class World:
    """Users, guilds, channels and messages, and who listens to what happens among them."""

    token: str
    snowflakes: Snowflakes = field(default_factory=Snowflakes)
    portal: Portal = field(default_factory=Portal)
    unkind: Unkind = field(default_factory=Unkind)
    address: str = ""
    """Where the server is, such as `http://127.0.0.1:40000`; files have addresses below it."""
    users: dict[int, FakeUser] = field(default_factory=dict)
    guilds: "dict[int, FakeGuild]" = field(default_factory=dict)
    channels: dict[int, FakeChannel] = field(default_factory=dict)
    """All channels, threads and direct messages by id."""
    sent: list[FakeMessage] = field(default_factory=list)
    """What the bot sent, in order, what it deleted again too."""
    typing: list[Typing] = field(default_factory=list)
    listeners: list[Callable[[Event], None]] = field(default_factory=list)
    on_sent: list[Callable[[FakeMessage], None]] = field(default_factory=list)
    _named: dict[str, FakeUser] = field(default_factory=dict)
    """The accounts by their names: a guild may have as many as one likes."""
    bot: FakeUser = field(init=False)
    owner: FakeUser = field(init=False)
    interactions: "Interactions" = field(init=False)
    """Commands, and what members do with them; the server puts it in."""

    def __post_init__(self) -> None:
        self.bot = self.user("Keepsake", is_bot=True)
        self.bot.discriminator = "4242"
        self.owner = self.user("owner")

    @property
    def application_id(self) -> int:
        """The id of the bot's application, which is its user's, as it is for all newer bots."""
        return self.bot.user_id

    def announce(self, event: Event) -> None:
        """Tell `event` to all who listen."""
        for listener in self.listeners:
            listener(event)

    def user(self, name: str, *, is_bot: bool = False, display_name: str | None = None) -> FakeUser:
        """Return the account with this name, made if there is none."""
        known = self._named.get(name)
        if known is not None:
            return known
        made = FakeUser(
            user_id=self.snowflakes.next(LONG_AGO), name=name, is_bot=is_bot, display_name=display_name
        )
        if is_bot:
            made.discriminator = "0001"
        self.users[made.user_id] = self._named[name] = made
        return made

    def rename(self, user: FakeUser, name: str) -> None:
        """Give an account another name; who had it before is found by it no more."""
        if self._named.get(user.name) is user:
            del self._named[user.name]
        user.name = name
        self._named[name] = user

    def direct_channel(self, user: FakeUser) -> FakeChannel:
        """Return the direct messages between `user` and the bot, opened if they were not."""
        for channel in self.channels.values():
            if channel.recipient is user:
                return channel
        opened = FakeChannel(
            channel_id=self.snowflakes.next(), kind=ChannelKind.DIRECT, recipient=user, guild=None
        )
        self.channels[opened.channel_id] = opened
        return opened

    def message(self, message_id: int) -> FakeMessage | None:
        """Return the message with this id, wherever it is."""
        for channel in self.channels.values():
            found = channel.messages.get(message_id)
            if found is not None:
                return found
        return None
