"""A model that writes slowly, for whoever looks at a reply while it is written."""

import asyncio

from tests.servers.asked import Asked
from tests.servers.gemini import GeminiServer

FIRST = "Narwhals are whales with one long tooth."
SECOND = "They live in the Arctic."
WHOLE = f"{FIRST} {SECOND} Few people ever see one."


class SlowModel:
    """A model that stops in the middle of what it writes until it is told to go on."""

    def __init__(self, gemini: GeminiServer) -> None:
        self._stops: dict[str, asyncio.Event] = {}
        gemini.pen.before_piece = self._wait

    def stop_after(self, text: str) -> asyncio.Event:
        """Let the model stop when it is some words beyond `text`; setting the event lets it go on."""
        self._stops[text] = asyncio.Event()
        return self._stops[text]

    def go_on(self) -> None:
        """Let the model write to its end from now on."""
        for stop in self._stops.values():
            stop.set()

    async def _wait(self, _asked: Asked, written: str) -> None:
        for text, go_on in self._stops.items():
            _, there, behind = written.partition(text)
            if there and len(behind) > 5:
                await go_on.wait()
