"""Frames of the gateway that nobody can read: the connection begins anew, where the library would end the client."""

import asyncio
import logging
import zlib
from typing import Final

from discord.gateway import DiscordWebSocket, ReconnectWebSocket

from bot.log import trace

logger = logging.getLogger(__name__)

_UNREADABLE: Final = (ValueError, zlib.error, AttributeError, KeyError, TypeError)
"""What the library raises for bytes that cannot be unpacked, text that is no JSON, and JSON that is no frame."""

_PAUSE_SECONDS: Final = 1.0
"""Before a session begins anew: a Discord whose every frame is broken must not be asked without a pause."""

_Place = tuple[str | None, int | None]
"""A session and how far it was heard."""

_receive = DiscordWebSocket.received_message
_broken_at: dict[int | None, _Place] = {}


def survive_broken_frames() -> None:
    """Let every client of this process go on after a frame that cannot be read.

    Its session is resumed, and what was broken is told again. If it is broken again in the same place, the
    session is given up: what was said meanwhile is read back from history, as after every lost session.
    """
    DiscordWebSocket.received_message = _received  # type: ignore[method-assign]


async def _received(socket: DiscordWebSocket, message: object, /) -> None:
    try:
        await _receive(socket, message)
    except _UNREADABLE as error:
        shard_id = socket.shard_id
        place = (socket.session_id, socket.sequence)
        is_again = _broken_at.get(shard_id) == place
        _broken_at[shard_id] = place
        logger.warning("shard %s connects anew, since a frame cannot be read: %s", shard_id, trace(error))
        if is_again:
            await socket.close(code=1000)
            await asyncio.sleep(_PAUSE_SECONDS)
            socket.sequence = socket.session_id = None
            raise ReconnectWebSocket(shard_id, resume=False) from error
        await socket.close()
        raise ReconnectWebSocket(shard_id) from error
