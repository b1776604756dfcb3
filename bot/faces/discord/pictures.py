"""The pictures of a message for a model that sees: from Discord's own hosts, and from nowhere else."""

import asyncio
import ipaddress
import logging
import mimetypes
from collections.abc import Collection, Iterator
from typing import Final
from urllib.parse import urlsplit

import aiohttp
import discord

from bot.conversation.pictures import MEDIA_TYPES, MOST_BYTES, MOST_IMAGES
from bot.language.operation import Image
from bot.log import trace

logger = logging.getLogger(__name__)

DISCORD_CDN: Final = frozenset({"https://cdn.discordapp.com", "https://media.discordapp.net"})
"""The origins (scheme, host and port) of everything that is attached to a message."""

_SECONDS: Final = 5.0
"""The longest that a reply waits for all pictures of its message, in real seconds."""


def origins_for(api_url: str | None) -> frozenset[str]:
    """Return the origins that pictures may come from.

    They are Discord's, and where `DISCORD_API_URL` is an address of this machine, that too: whoever stands in
    for Discord there serves its files as well.
    """
    if api_url is None or not _is_of_this_machine(api_url):
        return DISCORD_CDN
    return DISCORD_CDN | {_origin_of(api_url)}


async def images_of(message: discord.Message, *, origins: Collection[str] = DISCORD_CDN) -> tuple[Image, ...]:
    """Return the pictures attached to `message`, or to what it forwards: at most `MOST_IMAGES`, `MOST_BYTES` in all.

    Only attachments of `MEDIA_TYPES` at `origins` are fetched, never an address that somebody wrote, and no
    redirect is followed. What cannot be had within 5 seconds is no picture; nothing is raised.
    """
    chosen = list(_chosen(message, origins))
    if not chosen:
        return ()
    found: list[Image | None] = [None] * len(chosen)
    try:
        async with (
            asyncio.timeout(_SECONDS),
            aiohttp.ClientSession() as session,
            asyncio.TaskGroup() as group,
        ):
            for place, attachment in enumerate(chosen):
                group.create_task(_fetch(session, attachment, found, place))
    except TimeoutError:
        logger.info("not all pictures of message %d came in time", message.id)
    return tuple(image for image in found if image is not None)


def _chosen(message: discord.Message, origins: Collection[str]) -> Iterator[discord.Attachment]:
    left, chosen = MOST_BYTES, 0
    forwarded = (attachment for snapshot in message.message_snapshots for attachment in snapshot.attachments)
    for attachment in (*message.attachments, *forwarded):
        is_fit = _media_type_of(attachment) in MEDIA_TYPES and 0 < attachment.size <= left
        if is_fit and chosen < MOST_IMAGES and _origin_of(attachment.url) in origins:
            left -= attachment.size
            chosen += 1
            yield attachment


async def _fetch(
    session: aiohttp.ClientSession, attachment: discord.Attachment, found: list[Image | None], place: int
) -> None:
    try:
        # A file on Discord's hosts has the address that it has; a redirect could lead anywhere.
        async with session.get(attachment.url, allow_redirects=False) as response:
            if response.status != 200:
                logger.info("attachment %d answered %d", attachment.id, response.status)
                return
            content = bytearray()
            async for chunk in response.content.iter_any():
                content += chunk
                if len(content) > attachment.size:
                    logger.info("attachment %d is larger than its %d bytes", attachment.id, attachment.size)
                    return
    except (aiohttp.ClientError, OSError, ValueError) as error:
        logger.info("attachment %d could not be fetched: %s", attachment.id, trace(error))
        return
    if content:
        found[place] = Image(content=bytes(content), media_type=_media_type_of(attachment))


def _media_type_of(attachment: discord.Attachment) -> str:
    told = attachment.content_type or mimetypes.guess_type(attachment.filename)[0] or ""
    return told.partition(";")[0].strip().lower()


def _origin_of(address: str) -> str:
    """Return scheme, host and port of `address`; "" for one that carries a name and password, or is none."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return "" if "@" in parts.netloc else f"{parts.scheme}://{parts.netloc}".lower()


def _is_of_this_machine(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
