"""The pauses of the client between its tries to connect, made short: as long as ever by its own account."""

import asyncio
import contextlib
import types
from collections.abc import Iterator

import discord.shard


class _Hurried(types.ModuleType):
    """`asyncio` as a module sees it, with a `sleep` that takes a part of the time."""

    def __init__(self, factor: float, pauses: list[float]) -> None:
        super().__init__("asyncio")
        self._factor = factor
        self._pauses = pauses

    def __getattr__(self, name: str) -> object:
        return getattr(asyncio, name)

    async def sleep(self, seconds: float) -> None:
        """Sleep for a part of `seconds`."""
        self._pauses.append(seconds)
        await asyncio.sleep(seconds / self._factor)


@contextlib.contextmanager
def hurried_reconnecting(factor: float = 1_000) -> Iterator[list[float]]:
    """Let all shards of this process wait `factor` times shorter before they connect again.

    Gives the seconds that they wanted to wait, one for each try.
    """
    pauses: list[float] = []
    discord.shard.asyncio = _Hurried(factor, pauses)  # type: ignore[attr-defined]
    try:
        yield pauses
    finally:
        discord.shard.asyncio = asyncio  # type: ignore[attr-defined]
