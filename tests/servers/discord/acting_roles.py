"""What managers do with roles, and what the bot comes to see by them."""

from collections.abc import Iterator
from contextlib import contextmanager

from tests.servers.discord.guild_base import GuildBase
from tests.servers.discord.render import member_json, role_json, thread_list_json
from tests.servers.discord.state import FakeMember, FakeRole, Json
from tests.servers.discord.world import Event, Intent


class RoleActs(GuildBase):
    """The acts that make, change, give and take roles.

    Of a channel that the bot sees by a role, or no longer sees, nothing is told but its open threads: no
    CHANNEL_UPDATE comes, and the client goes on with the `last_message_id` that it knows.
    """

    def add_role(self, name: str, *, permissions: int = 0) -> FakeRole:
        """Make a role with these permissions in the whole guild."""
        role = FakeRole(
            role_id=self.world.snowflakes.next(),
            name=name,
            permissions=int(permissions),
            position=len(self.roles),
        )
        self.roles[role.role_id] = role
        self._announce_role("GUILD_ROLE_CREATE", role)
        return role

    def change_role(
        self, role: FakeRole | str, *, permissions: int | None = None, name: str | None = None
    ) -> None:
        """Give a role other permissions or another name; `@everyone` is a role too."""
        changed = self.role(role)
        with self._sight():
            changed.permissions = changed.permissions if permissions is None else int(permissions)
            changed.name = name or changed.name
            self._announce_role("GUILD_ROLE_UPDATE", changed)

    def give_role(self, member: FakeMember | str, role: FakeRole | str) -> None:
        """Give a member a role."""
        given = self.member(member)
        with self._sight():
            given.role_ids.add(self.role(role).role_id)
            self._announce_roles_of(given)

    def take_role(self, member: FakeMember | str, role: FakeRole | str) -> None:
        """Take a role from a member."""
        taken = self.member(member)
        with self._sight():
            taken.role_ids.discard(self.role(role).role_id)
            self._announce_roles_of(taken)

    @contextmanager
    def _sight(self) -> Iterator[None]:
        """Tell of the open threads in channels that the bot sees after this, and did not see before."""
        before = {channel.channel_id for channel in self.channels.values() if self.bot_sees(channel)}
        yield
        new = [
            channel
            for channel in self.channels.values()
            if channel.channel_id not in before and self.bot_sees(channel)
        ]
        if new:
            self._announce_to("THREAD_LIST_SYNC", thread_list_json(self, new))

    def _announce_role(self, name: str, role: FakeRole) -> None:
        self._announce_to(name, {"guild_id": str(self.guild_id), "role": role_json(role)})

    def _announce_roles_of(self, member: FakeMember) -> None:
        # Of itself a bot is told whatever it asked for.
        intent = Intent.GUILDS if member.user_id == self.world.bot.user_id else Intent.MEMBERS
        body = {**member_json(member), "guild_id": str(self.guild_id)}
        self._announce_to("GUILD_MEMBER_UPDATE", body, intent)

    def _announce_to(self, name: str, data: Json, intent: Intent = Intent.GUILDS) -> None:
        self.world.announce(Event(name=name, data=data, guild_id=self.guild_id, intent=intent))
