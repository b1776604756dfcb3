"""How a message comes to be, changes and goes, whoever does it."""

import mimetypes
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from tests.servers.discord.render import thread_json
from tests.servers.discord.render_messages import blanked, message_event_json, message_json
from tests.servers.discord.state import (
    FakeAttachment,
    FakeChannel,
    FakeMessage,
    FakeUser,
    Json,
    MessageType,
    Reference,
)
from tests.servers.discord.world import Event, Intent, World

File = FakeAttachment | str | tuple[str, bytes]
"""A file as tests give it: whole, by its name, or by its name and content."""


@dataclass(slots=True, kw_only=True)
class Draft:
    """A message that is about to be sent."""

    text: str = ""
    reference: Reference | None = None
    attachments: Sequence[FakeAttachment] = ()
    embeds: Sequence[Json] = ()
    components: Sequence[Json] = ()
    allowed_mentions: Json | None = None
    nonce: str | int | None = None
    kind: int | None = None
    """`None`: a reply if it refers to a message, else an ordinary one."""
    flags: int = 0
    webhook_id: int | None = None
    sent_at: datetime | None = None
    message_id: int | None = None
    extra: Json = field(default_factory=dict)


def post(world: World, channel: FakeChannel, author: FakeUser, draft: Draft) -> FakeMessage:
    """Put a message into `channel` and tell it to all who may know."""
    message = placed(world, channel, author, draft)
    if channel.is_thread and channel.archived:
        channel.archived, channel.archived_at = False, world.snowflakes.now()
        announce_thread(world, channel, "THREAD_UPDATE")
    announce_message(world, message, "MESSAGE_CREATE")
    if author is world.bot and draft.webhook_id is None:
        take_note(world, message)
    return message


def placed(world: World, channel: FakeChannel, author: FakeUser, draft: Draft) -> FakeMessage:
    """Put a message into `channel` without telling anybody."""
    kind = draft.kind
    if kind is None:
        replies = draft.reference is not None and draft.reference.kind == 0
        kind = MessageType.REPLY if replies else MessageType.DEFAULT
    message = FakeMessage(
        message_id=draft.message_id or world.snowflakes.next(draft.sent_at),
        channel=channel,
        author=author,
        text=draft.text,
        kind=kind,
        reference=draft.reference,
        attachments=list(draft.attachments),
        embeds=list(draft.embeds),
        components=list(draft.components),
        allowed_mentions=draft.allowed_mentions,
        nonce=draft.nonce,
        flags=draft.flags,
        webhook_id=draft.webhook_id,
        extra=dict(draft.extra),
    )
    # What only one user sees is no part of the channel: no history has it, nothing is newer for it.
    if not message.ephemeral:
        channel.keep(message)
    return message


def take_note(world: World, message: FakeMessage) -> None:
    """Write down that the bot sent `message`."""
    world.sent.append(message)
    for heard in world.on_sent:
        heard(message)


def change(world: World, message: FakeMessage, text: str | None = None) -> None:
    """Give `message` a new text and tell of it (`None`: tell of what else was changed, as edited)."""
    if text is not None:
        message.earlier_texts.append(message.text)
        message.text = text
    message.edited_at = world.snowflakes.now()
    announce_message(world, message, "MESSAGE_UPDATE")


def remove(world: World, messages: Iterable[FakeMessage], *, in_bulk: bool = False) -> None:
    """Take messages away and tell of it; those of one channel by one event if `in_bulk`."""
    by_channel: dict[int, list[FakeMessage]] = {}
    for message in messages:
        message.channel.drop(message)
        by_channel.setdefault(message.channel.channel_id, []).append(message)
    for gone in by_channel.values():
        ids = [str(message.message_id) for message in gone]
        if in_bulk:
            _announce_gone(world, gone[0].channel, "MESSAGE_DELETE_BULK", {"ids": ids})
            continue
        for message_id in ids:
            _announce_gone(world, gone[0].channel, "MESSAGE_DELETE", {"id": message_id})


def announce_message(world: World, message: FakeMessage, name: str) -> None:
    """Tell that `message` was made or changed.

    An ephemeral one is told as if it were a direct message: without the guild, to the first shard.
    """
    if message.ephemeral:
        body = message_json(message, world)
        world.announce(Event(name=name, data=body, intent=Intent.DIRECT_MESSAGES))
        return
    body = message_event_json(message, world)
    world.announce(
        Event(
            name=name,
            data=body,
            guild_id=message.channel.guild_id,
            channel=message.channel,
            intent=_intent(message.channel),
            blanked=blanked(body, message, world),
        )
    )


def announce_thread(world: World, thread: FakeChannel, name: str, **more: object) -> None:
    """Tell that `thread` was made or changed."""
    world.announce(
        Event(
            name=name,
            data={**thread_json(thread, world), **more},
            guild_id=thread.guild_id,
            channel=thread,
            intent=Intent.GUILDS,
        )
    )


def files(world: World, given: Iterable[File]) -> list[FakeAttachment]:
    """Return what tests give as files, each with an id and a type."""
    made = []
    for one in given:
        match one:
            case FakeAttachment():
                attachment = one
            case str():
                attachment = FakeAttachment(filename=one, content=b"content of " + one.encode())
            case (name, content):
                attachment = FakeAttachment(filename=name, content=content)
        attachment.attachment_id = attachment.attachment_id or world.snowflakes.next()
        if attachment.content_type is None:
            attachment.content_type = mimetypes.guess_type(attachment.filename)[0]
        made.append(attachment)
    return made


def _announce_gone(world: World, channel: FakeChannel, name: str, which: Json) -> None:
    body: Json = {**which, "channel_id": str(channel.channel_id)}
    if channel.guild_id is not None:
        body["guild_id"] = str(channel.guild_id)
    world.announce(
        Event(name=name, data=body, guild_id=channel.guild_id, channel=channel, intent=_intent(channel))
    )


def _intent(channel: FakeChannel) -> Intent:
    return Intent.DIRECT_MESSAGES if channel.guild_id is None else Intent.GUILD_MESSAGES
