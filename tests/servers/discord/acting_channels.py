"""What managers do with channels and threads."""

from collections.abc import Sequence

from tests.servers.discord import posting
from tests.servers.discord.guild_base import KINDS, GuildBase
from tests.servers.discord.permissions import Permission
from tests.servers.discord.posting import Draft
from tests.servers.discord.render import channel_json, thread_list_json, thread_member_json
from tests.servers.discord.state import (
    ChannelKind,
    FakeChannel,
    FakeMember,
    FakeMessage,
    MessageFlag,
    MessageType,
    Overwrite,
    Reference,
)
from tests.servers.discord.world import Event, Intent


class ChannelActs(GuildBase):
    """The acts that make, change and remove channels and threads; each is told at once."""

    def add_channel(
        self,
        name: str,
        *,
        kind: str = "text",
        visible_to: Sequence[str] | None = None,
        nsfw: bool = False,
        bot_sees: bool = True,
        category: str | None = None,
    ) -> FakeChannel:
        """Make a channel that everyone, or only the roles `visible_to` (and the bot, if it `bot_sees`), can see."""
        channel = FakeChannel(
            channel_id=self.world.snowflakes.next(),
            kind=KINDS[kind],
            name=name.removeprefix("#"),
            guild=self,
            nsfw=nsfw,
            position=len(self.channels),
            parent=None if category is None else self.channel(category),
        )
        if visible_to is not None or not bot_sees:
            self._let(channel, self.guild_id, sees="@everyone" in (visible_to or ()))
            self._let(channel, self.bot_role.role_id, sees=bot_sees)
            for role in visible_to or ():
                self._let(channel, self.role(role).role_id, sees=True)
        self.channels[channel.channel_id] = channel
        self.world.channels[channel.channel_id] = channel
        self._announce_channel("CHANNEL_CREATE", channel)
        return channel

    def hide(self, channel: FakeChannel | str, *roles: str) -> None:
        """Hide a channel from roles (from @everyone, if none is named); the bot keeps seeing it if it did."""
        self._change_view(channel, roles or ("@everyone",), sees=False)

    def show(self, channel: FakeChannel | str, *roles: str) -> None:
        """Show a channel to roles (to @everyone, if none is named)."""
        self._change_view(channel, roles or ("@everyone",), sees=True)

    def forbid(self, channel: FakeChannel | str, role: str, permission: Permission) -> None:
        """Take a permission in a channel from a role, such as the bot's (`guild.bot_role.name`)."""
        room, target_id = self.channel(channel), self.role(role).role_id
        overwrite = room.overwrites.setdefault(target_id, Overwrite(target_id))
        overwrite.deny |= permission
        overwrite.allow &= ~permission
        self._announce_channel("CHANNEL_UPDATE", room)

    def allow(self, channel: FakeChannel | str, role: str, permission: Permission) -> None:
        """Give a role a permission in a channel."""
        room, target_id = self.channel(channel), self.role(role).role_id
        overwrite = room.overwrites.setdefault(target_id, Overwrite(target_id))
        overwrite.allow |= permission
        overwrite.deny &= ~permission
        self._announce_channel("CHANNEL_UPDATE", room)

    def hide_from_bot(self, channel: FakeChannel | str) -> None:
        """Hide a channel from the bot alone."""
        self._change_view(channel, (self.bot_role.name,), sees=False)

    def show_to_bot(self, channel: FakeChannel | str) -> None:
        """Show a channel to the bot, with the threads that are open in it."""
        self._change_view(channel, (self.bot_role.name,), sees=True)
        self._announce("THREAD_LIST_SYNC", thread_list_json(self, [self.channel(channel)]))

    def rename_channel(self, channel: FakeChannel | str, name: str) -> None:
        """Give a channel or thread a new name."""
        room = self.channel(channel)
        room.name = name.removeprefix("#")
        self._announce_channel("THREAD_UPDATE" if room.is_thread else "CHANNEL_UPDATE", room)

    def set_nsfw(self, channel: FakeChannel | str, nsfw: bool) -> None:
        """Make a channel age-restricted, or not any more."""
        room = self.channel(channel)
        room.nsfw = nsfw
        self._announce_channel("CHANNEL_UPDATE", room)

    def remove_channel(self, channel: FakeChannel | str) -> None:
        """Delete a channel, or a thread, with all that is in it."""
        room = self.channel(channel)
        body = {
            "id": str(room.channel_id),
            "guild_id": str(self.guild_id),
            "type": int(room.kind),
            "parent_id": None if room.parent is None else str(room.parent.channel_id),
        }
        if not room.is_thread:
            body = channel_json(room, self.world)
        self._announce("THREAD_DELETE" if room.is_thread else "CHANNEL_DELETE", body, room)
        under = [thread for thread in self.threads.values() if thread.parent is room]
        for gone in (room, *under):
            self.channels.pop(gone.channel_id, None)
            self.threads.pop(gone.channel_id, None)
            self.world.channels.pop(gone.channel_id, None)

    def add_thread(
        self,
        parent: FakeChannel | str,
        name: str,
        *,
        private: bool = False,
        members: Sequence[str] = (),
        on: FakeMessage | None = None,
        text: str = "",
        author: str | None = None,
    ) -> FakeChannel:
        """Start a thread in a channel, `on` a message, or in a forum (where it is a post that says `text`).

        The bot is in a private thread only if its name is among the `members`.
        """
        room = self.channel(parent)
        users = [self.member(one).user for one in members]
        starter = self.member(author).user if author else (users[0] if users else self.world.owner)
        kind = ChannelKind.PRIVATE_THREAD if private else ChannelKind.PUBLIC_THREAD
        if room.kind is ChannelKind.ANNOUNCEMENT:
            kind = ChannelKind.ANNOUNCEMENT_THREAD
        now = self.world.snowflakes.now()
        thread = FakeChannel(
            channel_id=self.world.snowflakes.next() if on is None else on.message_id,
            kind=kind,
            name=name,
            guild=self,
            parent=room,
            owner_id=starter.user_id,
            thread_members={user.user_id: now for user in (starter, *users)},
        )
        self.threads[thread.channel_id] = thread
        self.world.channels[thread.channel_id] = thread
        posting.announce_thread(self.world, thread, "THREAD_CREATE", newly_created=True)
        if room.kind is ChannelKind.FORUM:
            posting.post(self.world, thread, starter, Draft(text=text, message_id=thread.channel_id))
        elif on is not None:
            self._start_on(on, thread)
        elif not private:
            about = Reference(message_id=None, channel_id=thread.channel_id, guild_id=self.guild_id)
            draft = Draft(text=name, kind=MessageType.THREAD_CREATED, reference=about)
            posting.post(self.world, room, starter, draft)
        return thread

    def _start_on(self, message: FakeMessage, thread: FakeChannel) -> None:
        message.thread = thread
        message.flags |= MessageFlag.HAS_THREAD
        posting.announce_message(self.world, message, "MESSAGE_UPDATE")
        about = Reference(
            message_id=message.message_id, channel_id=message.channel.channel_id, guild_id=self.guild_id
        )
        draft = Draft(kind=MessageType.THREAD_STARTER, reference=about)
        posting.post(self.world, thread, message.author, draft)

    def join_thread(self, thread: FakeChannel | str, member: FakeMember | str) -> None:
        """Add a member to a thread; a private one becomes visible to the bot that way."""
        room, user_id = self.channel(thread), self.member(member).user_id
        room.thread_members[user_id] = self.world.snowflakes.now()
        if user_id == self.world.bot.user_id:
            posting.announce_thread(self.world, room, "THREAD_CREATE")
        self._announce(
            "THREAD_MEMBERS_UPDATE",
            {
                "id": str(room.channel_id),
                "guild_id": str(self.guild_id),
                "member_count": len(room.thread_members),
                "added_members": [thread_member_json(room, user_id)],
            },
            room,
        )

    def archive(self, thread: FakeChannel | str, *, locked: bool = False) -> None:
        """Archive a thread; the next message opens it again."""
        room = self.channel(thread)
        room.archived, room.locked = True, locked
        room.archived_at = self.world.snowflakes.now()
        posting.announce_thread(self.world, room, "THREAD_UPDATE")

    def _change_view(self, channel: FakeChannel | str, roles: Sequence[str], *, sees: bool) -> None:
        room = self.channel(channel)
        seen = self.bot_sees(room)
        for role in roles:
            self._let(room, self.role(role).role_id, sees=sees)
        if seen and self.bot_role.name not in roles:
            self._let(room, self.bot_role.role_id, sees=True)
        self._announce_channel("CHANNEL_UPDATE", room)

    def _let(self, channel: FakeChannel, target_id: int, *, sees: bool) -> None:
        overwrite = channel.overwrites.setdefault(target_id, Overwrite(target_id))
        view = int(Permission.VIEW_CHANNEL)
        overwrite.allow = overwrite.allow | view if sees else overwrite.allow & ~view
        overwrite.deny = overwrite.deny & ~view if sees else overwrite.deny | view

    def _announce_channel(self, name: str, channel: FakeChannel) -> None:
        # A channel that the bot cannot see is told of all the same, with its name taken away.
        self._announce(name, channel_json(channel, self.world))

    def _announce(self, name: str, data: dict[str, object], channel: FakeChannel | None = None) -> None:
        self.world.announce(
            Event(name=name, data=data, guild_id=self.guild_id, channel=channel, intent=Intent.GUILDS)
        )
