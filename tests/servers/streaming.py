"""How a model server writes an answer bit by bit, as server-sent events, at the pace of a model or of a test."""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

from aiohttp import web

from tests.servers.asked import Asked, tokens_of

_BYTES_OF_A_TOKEN = 4
_MOST_PIECES_AT_ONCE = 100
"""Of a text that nobody paces: every piece costs its reader time, and a thousand of them more than a reply may take."""

BeforePiece = Callable[[Asked, str], Awaitable[None]]
"""Awaited before each piece with all that the answer says with it: a test may let the model stop and think there."""


class Pen:
    """With which a server writes its answers."""

    def __init__(self) -> None:
        self.tokens_per_second: float | None = None
        """How fast the model writes, whether it is read along or not; `None`: at once."""
        self.tokens_a_piece = 1
        """How much of it is sent at once."""
        self.before_piece: BeforePiece | None = None

    async def whole(self, text: str) -> None:
        """Return when the model would have written all of `text`."""
        if self.tokens_per_second is not None:
            await asyncio.sleep(tokens_of(text) / self.tokens_per_second)

    async def pieces(self, asked: Asked, text: str) -> AsyncIterator[str]:
        """Yield `text` in pieces of so many tokens, each when the model has written it; an empty one as one piece.

        A long text that is written at once has longer pieces, as real models send them.
        """
        began, written = time.monotonic(), 0
        size = _BYTES_OF_A_TOKEN * self.tokens_a_piece
        if self.tokens_per_second is None and self.before_piece is None:
            size = max(size, len(text.encode()) // _MOST_PIECES_AT_ONCE)
        for number, piece in enumerate(_cut(text, size), start=1):
            written += len(piece)
            if self.before_piece is not None:
                await self.before_piece(asked, text[:written])
            if self.tokens_per_second is not None:
                due = began + number * self.tokens_a_piece / self.tokens_per_second
                await asyncio.sleep(max(0.0, due - time.monotonic()))
            yield piece


def _cut(text: str, size: int) -> list[str]:
    """Return `text` in pieces of `size` bytes or little more, that end between characters."""
    pieces, piece = [], ""
    for character in text:
        piece += character
        if len(piece.encode()) >= size:
            pieces.append(piece)
            piece = ""
    return [*pieces, piece] if piece or not pieces else pieces


class Events:
    """A response of server-sent events."""

    def __init__(self, request: web.Request, headers: Mapping[str, str] | None = None) -> None:
        self._request = request
        self.response = web.StreamResponse(
            headers={"Content-Type": "text/event-stream", "Cache-Control": "no-cache", **(headers or {})}
        )

    async def send(self, event: object) -> None:
        """Send one event: a body of JSON, or a word."""
        if not self.response.prepared:
            await self.response.prepare(self._request)
        data = event if isinstance(event, str) else json.dumps(event, ensure_ascii=False)
        with contextlib.suppress(ConnectionError):
            await self.response.write(f"data: {data}\r\n\r\n".encode())

    async def drop(self) -> web.StreamResponse:
        """Close the connection before the end."""
        if self._request.transport is not None:
            self._request.transport.close()
        return self.response

    async def end(self) -> web.StreamResponse:
        """End the response as it should."""
        await self.response.write_eof()
        return self.response
