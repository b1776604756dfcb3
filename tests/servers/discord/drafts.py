"""What the bot asks to have posted: read from JSON or a form, held against Discord's limits."""

import json
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass, field

from aiohttp import BodyPartReader, web

from tests.servers.discord import errors, posting
from tests.servers.discord.command_rules import form_errors
from tests.servers.discord.components import kept, mistakes_in_components
from tests.servers.discord.errors import DiscordError, invalid
from tests.servers.discord.permissions import Permission
from tests.servers.discord.posting import Draft
from tests.servers.discord.rest import PAYLOAD, bot_may
from tests.servers.discord.state import FakeAttachment, FakeChannel, FakeMessage, Json, Reference
from tests.servers.discord.world import World

MOST_CHARACTERS = 2000
_MOST_IN_DESCRIPTION = 4096
_MOST_IN_NONCE = 25
_MOST_EMBEDS = 10


@dataclass(slots=True)
class AskedMessage:
    """The body of a request for a message, and the files that came with it by their number."""

    body: Json
    files: dict[int, FakeAttachment] = field(default_factory=dict)


async def read(request: web.Request) -> AskedMessage:
    """Return what a request asks to have posted or edited; raises `DiscordError` if it cannot be read."""
    if not request.content_type.startswith("multipart/"):
        return AskedMessage(_decoded(await request.text()))
    asked = AskedMessage({})
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            continue
        if part.name == "payload_json":
            asked.body = _decoded(await part.text())
            request[PAYLOAD] = asked.body
        elif part.name is not None and part.name.startswith("files["):
            number = int(part.name.removeprefix("files[").removesuffix("]"))
            name = part.filename or "unknown"
            kind = mimetypes.guess_type(name)[0]
            asked.files[number] = FakeAttachment(
                filename=name, content=bytes(await part.read()), content_type=kind
            )
    return asked


def draft(world: World, channel: FakeChannel, asked: AskedMessage) -> Draft:
    """Return the message that `asked` means; raises `DiscordError` for what Discord would refuse."""
    body = asked.body
    made = contents(world, asked)
    made.nonce = _nonce(body)
    if body.get("message_reference") is not None:
        made.reference = _reference(world, channel, body["message_reference"])
    if not (
        made.text.strip() or made.embeds or made.attachments or made.components or body.get("sticker_ids")
    ):
        raise DiscordError(*errors.EMPTY_MESSAGE)
    return made


def contents(world: World, asked: AskedMessage) -> Draft:
    """Return what a message is to hold, without what it refers to; raises `DiscordError` for what is too long."""
    body = asked.body
    check(body)
    return Draft(
        text=str(body.get("content") or "").strip(),
        attachments=_attachments(world, asked, known={}),
        embeds=_list(body.get("embeds")),
        components=kept(_list(body.get("components"))),
        allowed_mentions=_mapping_or_none(body.get("allowed_mentions")),
        flags=int(str(body.get("flags") or 0)),
    )


def edit(world: World, message: FakeMessage, asked: AskedMessage) -> None:
    """Change `message` by what is in `asked`, and tell of it; what is left out stays."""
    body = asked.body
    check(body)
    if "embeds" in body:
        message.embeds = _list(body["embeds"])
    if "components" in body:
        message.components = kept(_list(body["components"]))
    if "flags" in body:
        message.flags = int(str(body["flags"] or 0))
    if "allowed_mentions" in body:
        message.allowed_mentions = _mapping_or_none(body["allowed_mentions"])
    if "attachments" in body or asked.files:
        known = {str(one.attachment_id): one for one in message.attachments}
        message.attachments = _attachments(world, asked, known)
    posting.change(world, message, str(body["content"] or "").strip() if "content" in body else None)


def check(body: Mapping[str, object]) -> None:
    """Raise `DiscordError` if a text is longer than Discord takes."""
    if len(str(body.get("content") or "")) > MOST_CHARACTERS:
        raise _too_long("content", MOST_CHARACTERS)
    embeds = _list(body.get("embeds"))
    if len(embeds) > _MOST_EMBEDS:
        raise _too_long("embeds", _MOST_EMBEDS)
    limits = {"title": 256, "description": _MOST_IN_DESCRIPTION}
    for number, embed in enumerate(embeds):
        for name, most in limits.items():
            if len(str(embed.get(name) or "")) > most:
                raise _too_long(f"embeds.{number}.{name}", most)
    mistakes = mistakes_in_components(_list(body.get("components")))
    if mistakes:
        raise DiscordError(400, 50035, "Invalid Form Body", form_errors(mistakes))


def _attachments(
    world: World, asked: AskedMessage, known: Mapping[str, FakeAttachment]
) -> list[FakeAttachment]:
    named = {str(one.get("id")): one for one in _list(asked.body.get("attachments"))}
    unknown = [one for one in named if one not in known and not (one.isdigit() and int(one) in asked.files)]
    if unknown:
        raise invalid("attachments", "ATTACHMENT_NOT_FOUND", f"Attachment data for {unknown[0]} not found")
    made = [attachment for attachment_id, attachment in known.items() if attachment_id in named]
    for number, attachment in asked.files.items():
        described = named.get(str(number), {})
        attachment.filename = str(described.get("filename") or attachment.filename)
        description = described.get("description")
        attachment.description = None if description is None else str(description)
        made.append(attachment)
    return posting.files(world, made)


def _reference(world: World, channel: FakeChannel, asked: object) -> Reference | None:
    points = _mapping_or_none(asked) or {}
    message_id = int(str(points.get("message_id") or 0))
    kind = int(str(points.get("type") or 0))
    source = world.channels.get(int(str(points.get("channel_id") or channel.channel_id)))
    found = None if source is None else source.messages.get(message_id)
    if found is None:
        if points.get("fail_if_not_exists", True):
            raise invalid("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
        return None
    if kind == 0 and not bot_may(channel, Permission.READ_MESSAGE_HISTORY):
        raise DiscordError(*errors.NO_HISTORY_TO_REPLY)
    return Reference(
        message_id=message_id,
        channel_id=found.channel.channel_id,
        guild_id=found.channel.guild_id,
        kind=kind,
    )


def _nonce(body: Json) -> str | int | None:
    nonce = body.get("nonce")
    if nonce is None:
        return None
    if isinstance(nonce, str) and len(nonce) > _MOST_IN_NONCE:
        raise _too_long("nonce", _MOST_IN_NONCE)
    return nonce if isinstance(nonce, int) else str(nonce)


def _too_long(name: str, most: int) -> DiscordError:
    return invalid(name, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")


def _decoded(text: str) -> Json:
    try:
        body = json.loads(text)
    except ValueError:
        raise DiscordError(400, 50109, "The request body contains invalid JSON.") from None
    return body if isinstance(body, dict) else {}


def _mapping_or_none(value: object) -> Json | None:
    return dict(value) if isinstance(value, dict) else None


def _list(value: object) -> list[Json]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
