"""A guild and how things in it are found by name; what happens in it is in the `acting` modules."""

from tests.servers.discord.permissions import TALKING, Permission, permissions_in
from tests.servers.discord.state import ChannelKind, FakeChannel, FakeMember, FakeMessage, FakeRole, FakeUser
from tests.servers.discord.world import World


class GuildBase:
    """A guild with its owner, the role of @everyone, and the bot with the role that it brought along."""

    def __init__(
        self,
        world: World,
        name: str,
        *,
        guild_id: int | None = None,
        everyone: int = TALKING,
        bot_permissions: int = TALKING,
        locale: str = "en-US",
    ) -> None:
        self.world = world
        self.name = name
        self.locale = locale
        self.guild_id = guild_id or world.snowflakes.next()
        self.roles: dict[int, FakeRole] = {}
        self.members: dict[int, FakeMember] = {}
        self.channels: dict[int, FakeChannel] = {}
        self.threads: dict[int, FakeChannel] = {}
        self.unavailable = False
        """Whether Discord has an outage of this guild."""
        self.has_bot = True
        """Whether the bot is a member."""
        self.granted_commands: set[tuple[str, int]] = set()
        """Commands by name, and users to whom administrators granted them in the settings of the server."""
        self.owner_id = world.owner.user_id
        self.everyone = FakeRole(
            role_id=self.guild_id, name="@everyone", permissions=int(everyone), position=0
        )
        self.bot_role = FakeRole(
            role_id=world.snowflakes.next(),
            name=world.bot.name,
            permissions=int(bot_permissions),
            bot_id=world.bot.user_id,
        )
        self.roles = {role.role_id: role for role in (self.everyone, self.bot_role)}
        self._join(world.owner)
        self._join(world.bot).role_ids.add(self.bot_role.role_id)

    @property
    def bot(self) -> FakeMember:
        """The bot as a member here."""
        return self.members[self.world.bot.user_id]

    def channel(self, channel: FakeChannel | str) -> FakeChannel:
        """Return a channel or thread by its name, with or without `#`."""
        if isinstance(channel, FakeChannel):
            return channel
        name = channel.removeprefix("#")
        every = [*self.channels.values(), *self.threads.values()]
        for known in every:
            if known.name == name:
                return known
        raise LookupError(f"{self.name} has no channel {channel!r}, only {[known.name for known in every]}")

    def member(self, member: FakeMember | FakeUser | str) -> FakeMember:
        """Return a member by the name of the account."""
        if isinstance(member, FakeMember):
            return member
        for known in self.members.values():
            if known.user is member or known.user.name == member:
                return known
        names = [known.user.name for known in self.members.values()]
        raise LookupError(f"{self.name} has no member {member!r}, only {names}")

    def role(self, role: FakeRole | str) -> FakeRole:
        """Return a role by its name."""
        if isinstance(role, FakeRole):
            return role
        for known in self.roles.values():
            if known.name == role:
                return known
        names = [known.name for known in self.roles.values()]
        raise LookupError(f"{self.name} has no role {role!r}, only {names}")

    def message(self, message_id: int) -> FakeMessage | None:
        """Return a message of this guild by its id; `None` if it is gone."""
        for channel in (*self.channels.values(), *self.threads.values()):
            if message_id in channel.messages:
                return channel.messages[message_id]
        return None

    def mention(self, member: FakeMember | FakeUser | str) -> str:
        """Return what a message says to mention a member; the bot's own name works too."""
        return self.member(member).mention

    def bot_sees(self, channel: FakeChannel) -> bool:
        """Return whether the bot is told what happens in `channel`."""
        return self.has_bot and bool(permissions_in(channel, self.bot) & Permission.VIEW_CHANNEL)

    def visible_threads(self, *, archived: bool = False) -> list[FakeChannel]:
        """Return the threads that the bot can see, those that are archived or those that are not."""
        return [
            thread
            for thread in self.threads.values()
            if thread.archived is archived and self.bot_sees(thread)
        ]

    def _join(self, user: FakeUser) -> FakeMember:
        member = FakeMember(user=user, guild=self, joined_at=self.world.snowflakes.now())
        self.members[user.user_id] = member
        return member


KINDS = {
    "text": ChannelKind.TEXT,
    "voice": ChannelKind.VOICE,
    "announcement": ChannelKind.ANNOUNCEMENT,
    "forum": ChannelKind.FORUM,
    "category": ChannelKind.CATEGORY,
    "stage": ChannelKind.STAGE,
}
"""How tests name the kinds of channels."""
