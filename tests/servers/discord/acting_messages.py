"""What members do with messages: say, edit, delete, pin, forward, through webhooks and in private."""

import asyncio
from collections.abc import Iterable, Sequence
from datetime import datetime

from tests.servers.discord import posting
from tests.servers.discord.guild_base import GuildBase
from tests.servers.discord.posting import Draft, File
from tests.servers.discord.render_messages import message_event_json
from tests.servers.discord.state import (
    FakeChannel,
    FakeMember,
    FakeMessage,
    FakeUser,
    Json,
    MessageFlag,
    MessageType,
    Reference,
)


class MessageActs(GuildBase):
    """The acts of members that make, change and remove messages."""

    async def say(
        self,
        author: FakeMember | FakeUser | str,
        channel: FakeChannel | str,
        text: str = "",
        *,
        reply_to: FakeMessage | None = None,
        attachments: Iterable[File] = (),
        embeds: Sequence[Json] = (),
        kind: int | None = None,
        flags: int = 0,
        said_at: datetime | None = None,
        **raw: object,
    ) -> FakeMessage:
        """Let a member say something in a channel or thread, and return the message.

        `attachments` are names, pairs of name and content, or whole files; `said_at` puts the message into the
        past (history has it at its place). Whatever else is given is put over the JSON that Discord sends.
        """
        message = self._say(
            self.member(author).user,
            self.channel(channel),
            Draft(
                text=text,
                reference=None if reply_to is None else _to(reply_to),
                attachments=posting.files(self.world, attachments),
                embeds=embeds,
                kind=kind,
                flags=flags,
                sent_at=said_at,
                extra=raw,
            ),
        )
        await asyncio.sleep(0)
        return message

    async def say_many(
        self,
        author: FakeMember | FakeUser | str,
        channel: FakeChannel | str,
        texts: Iterable[str],
        *,
        per_second: float | None = None,
    ) -> list[FakeMessage]:
        """Let a member say much, at this rate (`None`: as fast as it goes), and return the messages."""
        user, room = self.member(author).user, self.channel(channel)
        loop = asyncio.get_running_loop()
        began = loop.time()
        said = []
        for number, text in enumerate(texts, start=1):
            said.append(self._say(user, room, Draft(text=text)))
            ahead = 0.0 if per_second is None else began + number / per_second - loop.time()
            if ahead > 0 or number % 20 == 0:
                await asyncio.sleep(max(0.0, ahead))
        return said

    async def say_directly(
        self,
        author: FakeMember | FakeUser | str,
        text: str = "",
        *,
        reply_to: FakeMessage | None = None,
        attachments: Iterable[File] = (),
        **raw: object,
    ) -> FakeMessage:
        """Let a user write the bot a direct message, and return it."""
        user = self.member(author).user
        message = self._say(
            user,
            self.world.direct_channel(user),
            Draft(
                text=text,
                reference=None if reply_to is None else _to(reply_to),
                attachments=posting.files(self.world, attachments),
                extra=raw,
            ),
        )
        await asyncio.sleep(0)
        return message

    async def say_by_webhook(
        self, name: str, channel: FakeChannel | str, text: str = "", **raw: object
    ) -> FakeMessage:
        """Let a webhook called `name` post a message."""
        webhook_id = self.world.snowflakes.next()
        author = FakeUser(user_id=webhook_id, name=name, is_bot=True, discriminator="0000")
        message = self._say(author, self.channel(channel), Draft(text=text, webhook_id=webhook_id, extra=raw))
        await asyncio.sleep(0)
        return message

    async def forward(
        self, author: FakeMember | str, channel: FakeChannel | str, message: FakeMessage
    ) -> FakeMessage:
        """Let a member forward a message into a channel: its text comes as a snapshot, the new text is empty."""
        whole = message_event_json(message, self.world)
        taken = "type content mentions mention_roles attachments embeds timestamp edited_timestamp flags components"
        snapshot = {name: whole[name] for name in (*taken.split(), "sticker_items") if name in whole}
        earlier = message.extra.get("message_snapshots")
        if isinstance(earlier, list):
            snapshot |= earlier[0]["message"]
        forwarded = self._say(
            self.member(author).user,
            self.channel(channel),
            Draft(
                reference=_to(message, kind=1),
                flags=MessageFlag.HAS_SNAPSHOT,
                extra={"message_snapshots": [{"message": snapshot}]},
            ),
        )
        await asyncio.sleep(0)
        return forwarded

    async def announce_join(self, member: FakeMember | str, channel: FakeChannel | str) -> FakeMessage:
        """Let Discord greet a member by a system message."""
        return await self.say(member, channel, kind=MessageType.JOINED)

    async def pin(self, member: FakeMember | str, message: FakeMessage) -> FakeMessage:
        """Let a member pin a message; returns the system message that says so."""
        message.pinned = True
        posting.announce_message(self.world, message, "MESSAGE_UPDATE")
        draft = Draft(kind=MessageType.PINNED, reference=_to(message))
        return self._say(self.member(member).user, message.channel, draft)

    async def edit(self, message: FakeMessage, text: str) -> None:
        """Let the author give a message a new text."""
        posting.change(self.world, message, text)
        await asyncio.sleep(0)

    async def unfurl(self, message: FakeMessage, *embeds: Json) -> None:
        """Let Discord add the previews of links: the message changes, but is not edited."""
        message.embeds.extend(embeds)
        posting.announce_message(self.world, message, "MESSAGE_UPDATE")
        await asyncio.sleep(0)

    async def delete(self, message: FakeMessage) -> None:
        """Let somebody delete a message."""
        posting.remove(self.world, [message])
        await asyncio.sleep(0)

    async def bulk_delete(self, messages: Iterable[FakeMessage]) -> None:
        """Let a moderator delete many messages at once."""
        posting.remove(self.world, messages, in_bulk=True)
        await asyncio.sleep(0)

    def _say(self, author: FakeUser, channel: FakeChannel, draft: Draft) -> FakeMessage:
        return posting.post(self.world, channel, author, draft)


def _to(message: FakeMessage, *, kind: int = 0) -> Reference:
    return Reference(
        message_id=message.message_id,
        channel_id=message.channel.channel_id,
        guild_id=message.channel.guild_id,
        kind=kind,
    )
