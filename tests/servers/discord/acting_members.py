"""What happens to members and to the guild as a whole: joining, leaving, renaming, outages."""

from collections.abc import Sequence

from tests.servers.discord.guild_base import GuildBase
from tests.servers.discord.permissions import MANAGING, MODERATING
from tests.servers.discord.render import guild_create_json, guild_json, member_json, role_json, user_json
from tests.servers.discord.state import FakeMember, FakeRole, FakeUser, Json
from tests.servers.discord.world import Event, Intent


class MemberActs(GuildBase):
    """The acts that concern who is here."""

    def add_member(
        self,
        name: str,
        *,
        roles: Sequence[str] = (),
        nickname: str | None = None,
        display_name: str | None = None,
        bot: bool = False,
        moderator: bool = False,
        manager: bool = False,
    ) -> FakeMember:
        """Let a user join (the account is the same in every guild); moderators and managers get a role for it."""
        user = self.world.user(name, is_bot=bot, display_name=display_name)
        member = self._join(user)
        member.nickname = nickname
        for role in roles:
            member.role_ids.add(self.role(role).role_id)
        if moderator:
            member.role_ids.add(self._role_for("Moderators", MODERATING).role_id)
        if manager:
            member.role_ids.add(self._role_for("Managers", MANAGING).role_id)
        self._announce_member("GUILD_MEMBER_ADD", {**member_json(member), "guild_id": str(self.guild_id)})
        return member

    def leave(self, member: FakeMember | FakeUser | str) -> None:
        """Let a member leave; the messages stay."""
        gone = self.member(member)
        del self.members[gone.user_id]
        self._announce_member(
            "GUILD_MEMBER_REMOVE", {"guild_id": str(self.guild_id), "user": user_json(gone.user)}
        )

    def rename(self, member: FakeMember | str, nickname: str | None) -> None:
        """Give a member a nickname here (`None`: take it away)."""
        renamed = self.member(member)
        renamed.nickname = nickname
        self._announce_changed(renamed)

    def rename_user(self, member: FakeMember | str, name: str, *, display_name: str | None = None) -> None:
        """Give an account another name; members elsewhere change too, but only this guild is told here."""
        renamed = self.member(member)
        self.world.rename(renamed.user, name)
        renamed.user.display_name = display_name
        self._announce_changed(renamed)

    def rename_guild(self, name: str) -> None:
        """Give the guild another name."""
        self.name = name
        self._announce("GUILD_UPDATE", guild_json(self))

    def remove_bot(self) -> None:
        """Throw the bot out."""
        self._announce("GUILD_DELETE", {"id": str(self.guild_id)})
        self.has_bot = False

    def invite_bot(self) -> None:
        """Let the bot join, anew or for the first time, with no role but the one that it brings along."""
        self.has_bot = True
        self.bot.joined_at = self.world.snowflakes.now()
        self.bot.role_ids = {self.bot_role.role_id}
        self._announce_here(joined=True)

    def outage(self) -> None:
        """Let Discord lose the guild for a while; nothing that happens meanwhile is told."""
        self._announce("GUILD_DELETE", {"id": str(self.guild_id), "unavailable": True})
        self.unavailable = True

    def back(self) -> None:
        """End the outage."""
        self.unavailable = False
        self._announce_here(joined=False)

    def _role_for(self, name: str, permissions: int) -> FakeRole:
        for role in self.roles.values():
            if role.name == name:
                return role
        made = FakeRole(
            role_id=self.world.snowflakes.next(),
            name=name,
            permissions=int(permissions),
            position=len(self.roles),
        )
        self.roles[made.role_id] = made
        self._announce("GUILD_ROLE_CREATE", {"guild_id": str(self.guild_id), "role": role_json(made)})
        return made

    def _announce_here(self, *, joined: bool) -> None:
        body = guild_create_json(self, all_members=self.world.portal.presences_intent)
        if joined:
            # That is how a client tells a guild that it joined from one that is back.
            del body["unavailable"]
        self._announce("GUILD_CREATE", body)

    def _announce_changed(self, member: FakeMember) -> None:
        self._announce_member("GUILD_MEMBER_UPDATE", {**member_json(member), "guild_id": str(self.guild_id)})

    def _announce_member(self, name: str, data: Json) -> None:
        self.world.announce(Event(name=name, data=data, guild_id=self.guild_id, intent=Intent.MEMBERS))

    def _announce(self, name: str, data: Json) -> None:
        self.world.announce(Event(name=name, data=data, guild_id=self.guild_id, intent=Intent.GUILDS))
