"""The guilds of the script on a loopback Discord, and the playing of its acts at their pace."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from datetime import datetime

from tests.chaos.script import (
    CLOSED,
    GUILDS,
    MODERATOR,
    ROOMS,
    SPEAKERS,
    TALKERS,
    THREAD,
    Act,
    Deletes,
    Edits,
    Says,
    Script,
    Starts,
)
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeMessage
from tests.servers.discord.waiting import until

_ANSWER_SECONDS = 120.0


def set_up(server: DiscordServer) -> dict[str, FakeGuild]:
    """Make the guilds, with all members and channels but the threads."""
    guilds = {}
    for name in GUILDS:
        guild = server.add_guild(name, members=(*SPEAKERS, *TALKERS), channels=ROOMS)
        guild.add_member(MODERATOR, moderator=True)
        guild.add_channel(CLOSED, visible_to=("Moderators",))
        guilds[name] = guild
    return guilds


@dataclass(frozen=True, slots=True)
class Sent:
    """A message of the bot's, and how many acts had happened when it came."""

    message: FakeMessage
    after_act: int


@dataclass
class Stage:
    """A Discord on which a script is played; `on_act` is told of each act before it happens."""

    server: DiscordServer
    guilds: dict[str, FakeGuild]
    said: dict[int, FakeMessage] = field(default_factory=dict)
    """What was said, by the number of the act."""
    sent: list[Sent] = field(default_factory=list)
    act: int = 0
    """The number of the act that comes next."""

    @classmethod
    def on(cls, server: DiscordServer) -> "Stage":
        """Set everything up on `server`, which is empty."""
        stage = cls(server, set_up(server))
        server.world.on_sent.append(lambda message: stage.sent.append(Sent(message, stage.act)))
        return stage

    async def play(self, script: Script, on_act: Callable[[int], Awaitable[None]]) -> None:
        """Let every act happen; on a slow machine later, but never closer to each other than they are to be."""
        for number, act in enumerate(script.acts):
            self.act = number
            await on_act(number)
            await self._happen(number, act)
            await asyncio.sleep(1 / script.per_second)
        self.act = len(script.acts)

    async def ask(self, question: Says) -> str:
        """Say something and return the bot's answer."""
        asked = await self._say(question)
        try:
            return (await self.server.answer_to(asked, _ANSWER_SECONDS)).text
        except TimeoutError:
            return ""

    def unanswered(self, commands: Collection[int]) -> set[int]:
        """Return which of these acts, as far as they happened, got no answer yet."""
        answered = {sent.message.reply_to_id for sent in self.sent}
        return {one for one in self.said.keys() & commands if self.said[one].message_id not in answered}

    def happened_by(self, moment: datetime | None) -> int:
        """Return how many acts had happened at a moment by Discord's clock; 0 if it is none."""
        if moment is None:
            return 0
        later = (number for number, message in self.said.items() if message.sent_at > moment)
        return next(later, self.act)

    async def connected(self) -> None:
        """Return when the bot is connected."""
        await until(lambda: self.server.gateway.sessions and self.server.gateway.ready(), _ANSWER_SECONDS)

    async def _happen(self, number: int, act: Act) -> None:
        match act:
            case Says():
                self.said[number] = await self._say(act)
            case Edits():
                message = self.said[act.of]
                await self.guilds[_guild_of(message)].edit(message, act.text)
            case Deletes():
                message = self.said[act.of]
                await self.guilds[_guild_of(message)].delete(message)
            case Starts():
                self.guilds[act.guild].add_thread(ROOMS[0], THREAD, author=TALKERS[0])

    async def _say(self, act: Says) -> FakeMessage:
        return await self.guilds[act.guild].say(act.who, act.where, act.text)


def _guild_of(message: FakeMessage) -> str:
    guild = message.channel.guild
    assert guild is not None
    return guild.name
