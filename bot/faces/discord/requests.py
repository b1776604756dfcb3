"""The requests to Discord that are under way: each goes to its end, whoever stops waiting for it."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import ParamSpec, TypeVar

import discord
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

P = ParamSpec("P")
T = TypeVar("T")


class Requests:
    """All requests of one client, its own and those that the library makes by itself.

    While a global limit passes, the library keeps a lock of all requests shut, in the middle of the request that
    met the limit. Cancelled there it never opens the lock again, and nothing is sent until the process ends. So a
    request is a task of its own: a deadline, a shutdown or a cancelled caller ends the waiting and nothing else.
    """

    def __init__(self) -> None:
        self._begun: dict[asyncio.Task[object], float] = {}

    def guard(self, client: discord.Client) -> None:
        """Let nothing cancel a request that `client` makes from now on, to the REST API or for members."""
        # The client makes both objects itself, and looks these methods up at each call.
        client.http.request = self._whole(client.http.request)  # type: ignore[method-assign]
        state = client._connection
        state.query_members = self._whole(state.query_members)  # type: ignore[method-assign]

    def guard_interactions(self) -> None:
        """Let nothing cancel an answer to an interaction, made from now on by this task or any that it begins."""
        adapter = AsyncWebhookAdapter()  # type: ignore[no-untyped-call]
        adapter.request = self._whole(adapter.request)  # type: ignore[method-assign]
        async_context.set(adapter)

    @property
    def count(self) -> int:
        """How many are under way."""
        return len(self._begun)

    @property
    def oldest_seconds(self) -> float:
        """For how many real seconds the oldest one has been under way; 0 if none is."""
        begun = min(self._begun.values(), default=None)
        return 0.0 if begun is None else asyncio.get_running_loop().time() - begun

    async def settled(self, seconds: float) -> None:
        """Return when none is under way that is now, or after `seconds` real seconds."""
        if self._begun:
            await asyncio.wait([*self._begun], timeout=seconds)

    async def abandon(self) -> None:
        """Give up all that are under way. Only for a client that is closed, and will never send anything again."""
        left = [*self._begun]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def _whole(
        self, request: Callable[P, Coroutine[object, object, T]]
    ) -> Callable[P, Coroutine[object, object, T]]:
        async def whole(*args: P.args, **kwargs: P.kwargs) -> T:
            task = asyncio.ensure_future(request(*args, **kwargs))
            self._begun[task] = asyncio.get_running_loop().time()
            task.add_done_callback(self._ended)
            return await asyncio.shield(task)

        return whole

    def _ended(self, task: asyncio.Task[object]) -> None:
        del self._begun[task]
        if not task.cancelled():
            # Nobody may wait any more for how it ended.
            task.exception()
