"""Messages as Discord sends them, over REST and over the gateway, whole and blanked."""

import bisect

from tests.servers.discord.mentions import pinged_by
from tests.servers.discord.render import partial_member_json, thread_json, user_json
from tests.servers.discord.snowflakes import written, written_or_null
from tests.servers.discord.state import FakeAttachment, FakeMessage, Json
from tests.servers.discord.world import World

_BLANK: Json = {"content": "", "embeds": [], "attachments": [], "components": []}
_ONLY_WITH_CONTENT = ("poll",)


def message_json(message: FakeMessage, world: World, *, nested: bool = False) -> Json:
    """Return a message as REST gives it; `nested` ones do not carry the message that they reply to."""
    pinged = pinged_by(message, world)
    body: Json = {
        "id": str(message.message_id),
        "type": int(message.kind),
        "channel_id": str(message.channel.channel_id),
        "author": _author_json(message),
        "content": message.text,
        "timestamp": written(message.sent_at),
        "edited_timestamp": written_or_null(message.edited_at),
        "tts": False,
        "mention_everyone": pinged.everyone,
        "mentions": [user_json(user) for user in pinged.users],
        "mention_roles": [str(role_id) for role_id in pinged.role_ids],
        "attachments": [attachment_json(one, message, world) for one in message.attachments],
        "embeds": [{"type": "rich", **embed} for embed in message.embeds],
        "components": message.components,
        "pinned": message.pinned,
        "flags": int(message.flags),
    }
    if message.nonce is not None:
        body["nonce"] = message.nonce
    if message.webhook_id is not None:
        body["webhook_id"] = str(message.webhook_id)
    if message.thread is not None:
        body["thread"] = thread_json(message.thread, world)
    if message.channel.is_thread:
        body["position"] = bisect.bisect_left(message.channel.order, message.message_id)
    if message.reference is not None:
        body |= _reference_json(message, world, nested=nested)
    if message.garbled:
        body["thread"] = None
    return body | message.extra


def message_event_json(message: FakeMessage, world: World) -> Json:
    """Return a message as the gateway gives it: with the guild, the author's membership and the mentioned ones'."""
    body = message_json(message, world)
    guild = message.channel.guild
    if guild is None:
        return body
    body["guild_id"] = str(guild.guild_id)
    author = guild.members.get(message.author.user_id)
    if author is not None and message.webhook_id is None:
        body["member"] = partial_member_json(author)
    if "mentions" not in message.extra:
        body["mentions"] = [
            {**user_json(user), "member": partial_member_json(guild.members[user.user_id])}
            if user.user_id in guild.members
            else user_json(user)
            for user in pinged_by(message, world).users
        ]
    return body


def blanked(body: Json, message: FakeMessage, world: World) -> Json:
    """Return what is left of `body` for a bot without the message content intent.

    Its own messages, direct messages and those that mention it stay whole.
    """
    own = message.author is world.bot
    mentions_it = world.bot in pinged_by(message, world).users
    if own or message.channel.guild is None or mentions_it:
        return body
    left = {name: value for name, value in body.items() if name not in _ONLY_WITH_CONTENT} | _BLANK
    referenced = left.get("referenced_message")
    if isinstance(referenced, dict) and referenced["author"]["id"] != str(world.bot.user_id):
        left["referenced_message"] = {**referenced, **_BLANK}
    if "message_snapshots" in left:
        left["message_snapshots"] = []
    return left


def attachment_json(attachment: FakeAttachment, message: FakeMessage, world: World) -> Json:
    """Return a file of a message, with its signed address below the server's own."""
    path = f"attachments/{message.channel.channel_id}/{attachment.attachment_id}/{attachment.filename}"
    body: Json = {
        "id": str(attachment.attachment_id),
        "filename": attachment.filename,
        "size": len(attachment.content),
        "url": f"{world.address}/{path}?ex=6a0b&is=6a0a&hm=51f0",
        "proxy_url": f"{world.address}/{path}?ex=6a0b&is=6a0a&hm=51f0",
    }
    if attachment.content_type is not None:
        body["content_type"] = attachment.content_type
    if attachment.description is not None:
        body["description"] = attachment.description
    return body | attachment.extra


def _author_json(message: FakeMessage) -> Json:
    if message.webhook_id is None:
        return user_json(message.author)
    return {**user_json(message.author), "id": str(message.webhook_id), "bot": True, "discriminator": "0000"}


def _reference_json(message: FakeMessage, world: World, *, nested: bool) -> Json:
    reference = message.reference
    if reference is None:
        return {}
    points: Json = {"type": reference.kind, "channel_id": str(reference.channel_id)}
    if reference.message_id is not None:
        points["message_id"] = str(reference.message_id)
    if reference.guild_id is not None:
        points["guild_id"] = str(reference.guild_id)
    body: Json = {"message_reference": points}
    if reference.message_id is not None and reference.kind == 0 and not nested:
        channel = world.channels.get(reference.channel_id)
        found = None if channel is None else channel.messages.get(reference.message_id)
        body["referenced_message"] = None if found is None else message_json(found, world, nested=True)
    return body
