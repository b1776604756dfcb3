"""Under the real limits of Discord, and global ones at the worst moments, everybody is answered, once."""

import asyncio
import random

from aiohttp import web

from bot.db.pool import Database
from tests.adapters.discord.bots import eventually
from tests.adapters.discord.talking import chatting_bot
from tests.adapters.discord.test_delivery import is_answered
from tests.servers.asked import Asked
from tests.servers.base import Reply
from tests.servers.discord.server import DiscordServer

ASKERS = ("alice", "bob", "carol", "dave")
ROOMS = ("general", "games")
SEED = 7


async def slowly(_asked: Asked) -> Reply:
    # Long enough for the sign of typing to be asked for.
    await asyncio.sleep(0.4)
    return {"text": "Soup, as always."}


async def test_in_a_flood_under_the_real_limits_with_storms_everybody_is_answered_once(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home", members=ASKERS, channels=ROOMS)
    fate = random.Random(SEED)

    async def sometimes_storm(request: web.Request, _response: web.StreamResponse) -> None:
        """Begin a global limit while other requests are under way, signs of typing and parts of answers."""
        if request.method == "POST" and fate.random() < 0.15:
            discord_server.limits.storm(0.3)

    async with chatting_bot(discord_server, database, slowly) as (bot, _):
        discord_server.limits.switch_on(scale=0.2)
        discord_server.rest.on_answered.append(sometimes_storm)
        asked = [
            await guild.say(who, room, f"Bot, what is for lunch on day {number}?")
            for number in range(2)
            for room in ROOMS
            for who in ASKERS
        ]
        for message in asked:
            await eventually(lambda m=message: is_answered(database, m))  # type: ignore[misc]
        await bot.client.requests.settled(30)
        assert discord_server.limits.refused["storm"] > 0
    answered = [message.reply_to_id for message in discord_server.sent]
    assert sorted(answered, key=str) == sorted((message.message_id for message in asked), key=str)
