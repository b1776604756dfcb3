"""What tests of answers share: a model that says what they want, and what is told of a member."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from bot.core.domain import OPEN
from bot.db.pool import Database
from bot.memory.policy.permissions import scope_of
from tests.adapters.discord.bots import RunningBot, running_bot
from tests.servers.asked import Asked
from tests.servers.base import Reply
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.mentions import Pinged, pinged_by
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeMessage
from tests.servers.gemini import GeminiServer

Said = str | Callable[[Asked], Reply | Awaitable[Reply]]


@asynccontextmanager
async def model_that_says(said: Said) -> AsyncIterator[GeminiServer]:
    """Run the loopback Gemini: whatever comes is chat, and this is the answer to it."""
    async with GeminiServer() as gemini:
        gemini.answer("route", {"kind": "chat", "confident": True})
        gemini.answer("reply", {"text": said} if isinstance(said, str) else said)
        yield gemini


@asynccontextmanager
async def chatting_bot(
    server: DiscordServer, database: Database, said: Said
) -> AsyncIterator[tuple[RunningBot, GeminiServer]]:
    """Run the bot with a model that answers everything by `said`."""
    async with (
        model_that_says(said) as gemini,
        running_bot(server, database, gemini_api_key="x", gemini_base_url=gemini.url) as bot,
    ):
        yield bot, gemini


async def told_of(bot: RunningBot, guild: FakeGuild, name: str) -> list[str]:
    """Return what is remembered of a member where everybody reads, as the facts say it."""
    user_id = guild.member(name).user_id
    view = scope_of(guild_id=guild.guild_id, channel_audience=OPEN)
    facts = await bot.keepsake.library.facts_about(user_id, view, asker_id=user_id)
    return [fact.content for fact in facts]


def pings(server: DiscordServer, message: FakeMessage) -> Pinged:
    """Return whom a message pings."""
    return pinged_by(message, server.world)


def told_to_owner(server: DiscordServer) -> list[str]:
    """Return what the bot wrote to the owner of the application, oldest first."""
    channel = server.direct(server.world.owner)
    return [message.text for message in server.sent if message.channel is channel]
