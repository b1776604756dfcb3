"""Waiting until something is so, with a deadline, and for the bot's messages."""

import asyncio
from collections.abc import Callable

from tests.servers.discord.state import FakeChannel, FakeMessage
from tests.servers.discord.world import World

_PAUSE_SECONDS = 0.005

PATIENCE_SECONDS = 300.0
"""So long it is waited for what should come at once: a busy machine is no reason to fail."""


async def until(
    condition: Callable[[], object], seconds: float = PATIENCE_SECONDS, *, what: str = ""
) -> None:
    """Wait until `condition` holds; raises `TimeoutError` that names `what` after these real seconds."""
    try:
        async with asyncio.timeout(seconds):
            while not condition():
                await asyncio.sleep(_PAUSE_SECONDS)
    except TimeoutError:
        raise TimeoutError(f"not within {seconds} s: {what or condition}") from None


class Waiting:
    """Waits for what the bot sends."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def sent_to(
        self, channel: FakeChannel | str, count: int = 1, seconds: float = PATIENCE_SECONDS
    ) -> list[FakeMessage]:
        """Return the messages that the bot has sent to `channel`, in order, once there are `count` of them."""
        await until(
            lambda: len(self._sent_to(channel)) >= count,
            seconds,
            what=f"{count} messages of the bot in {_named(channel)}; sent: {self._all()}",
        )
        return self._sent_to(channel)

    async def answer_to(self, message: FakeMessage, seconds: float = PATIENCE_SECONDS) -> FakeMessage:
        """Return the bot's first message that replies to `message`, once there is one."""
        answers = await self.answers_to(message, 1, seconds)
        return answers[0]

    async def answers_to(
        self, message: FakeMessage, count: int = 1, seconds: float = PATIENCE_SECONDS
    ) -> list[FakeMessage]:
        """Return the bot's messages that reply to `message`, once there are `count` of them."""
        await until(
            lambda: len(self._replies_to(message)) >= count,
            seconds,
            what=f"{count} answers to {message.text!r}; sent: {self._all()}",
        )
        return self._replies_to(message)

    async def quiet(self, seconds: float) -> None:
        """Hold that the bot sends nothing for these real seconds; raises `AssertionError` with what it sent."""
        before = len(self._world.sent)
        await asyncio.sleep(seconds)
        said = [message.text for message in self._world.sent[before:]]
        if said:
            raise AssertionError(f"the bot was to be quiet, but said {said}")

    def _sent_to(self, channel: FakeChannel | str) -> list[FakeMessage]:
        name = channel.removeprefix("#") if isinstance(channel, str) else None
        return [
            message
            for message in self._world.sent
            if message.channel is channel or (name is not None and message.channel.name == name)
        ]

    def _replies_to(self, message: FakeMessage) -> list[FakeMessage]:
        return [one for one in self._world.sent if one.reply_to_id == message.message_id]

    def _all(self) -> list[str]:
        return [message.text for message in self._world.sent]


def _named(channel: FakeChannel | str) -> str:
    return channel if isinstance(channel, str) else f"#{channel.name}"
