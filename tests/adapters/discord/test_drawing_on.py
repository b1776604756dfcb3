"""What a reply draws on: the talk of the channel in its order, the replies above it, and nothing from the net."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

from bot.db.pool import Database
from tests.adapters.discord.talking import chatting_bot
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeAttachment, Json

PNG = b"\x89PNG a cat"


async def test_a_reply_is_given_all_that_no_summary_tells_in_its_order(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home", members=("alice", "bob", "carol"))
    async with chatting_bot(discord_server, database, "Hm.") as (bot, gemini):
        root = await guild.say("alice", "general", "root: where shall we eat?")
        middle = await guild.say("bob", "general", "middle: at the harbour", reply_to=root)
        top = await guild.say("carol", "general", "top: too windy there", reply_to=middle)
        talk = [
            await guild.say(("alice", "bob")[number % 2], "general", f"talk {number:02}")
            for number in range(25)
        ]
        await bot.stored(talk[-1])
        asked = await guild.say("alice", "general", f"{guild.bot.mention} and you?", reply_to=top)
        await discord_server.answer_to(asked)
        _, _, prompt = gemini.requests_of("reply")[-1].prompt.partition("<messages>")
        order = re.findall(r"root: where|middle: at|top: too|talk \d\d|and you\?", prompt)
        assert order == [
            "root: where", "middle: at", "top: too", *(f"talk {number:02}" for number in range(25)), "and you?",
        ]  # fmt: skip


@dataclass
class Elsewhere:
    """A server that is not Discord's."""

    address: str
    asked: list[str] = field(default_factory=list)


@asynccontextmanager
async def elsewhere() -> AsyncIterator[Elsewhere]:
    """Run a server that notes whatever is asked of it."""
    told = Elsewhere("")

    async def answer(request: web.Request) -> web.Response:
        told.asked.append(f"{request.method} {request.path}")
        return web.Response(body=PNG, content_type="image/png")

    application = web.Application()
    application.router.add_route("*", "/{rest:.*}", answer)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    told.address = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield told
    finally:
        await runner.cleanup()


async def test_nothing_that_is_posted_is_fetched_but_pictures_from_discord_itself(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with (
        elsewhere() as other,
        chatting_bot(discord_server, database, "I see.") as (bot, gemini),
    ):
        url = f"{other.address}/cat.png"
        picture = FakeAttachment(
            filename="cat.png", content=PNG, extra={"url": url, "proxy_url": url, "width": 1, "height": 1}
        )
        embed: Json = {
            "type": "image", "url": url, "title": "A cat",
            "image": {"url": url, "proxy_url": url, "width": 1, "height": 1},
            "thumbnail": {"url": url, "proxy_url": url, "width": 1, "height": 1},
        }  # fmt: skip
        posted = [
            await guild.say("alice", "general", f"Bot, what is on {url} ?"),
            await guild.say("alice", "general", f"Bot, look: <{url}>", embeds=[embed]),
            await guild.say("alice", "general", "Bot, and this?", attachments=[picture]),
        ]
        for message in posted:
            await discord_server.answer_to(message)
        await guild.unfurl(posted[0], embed)
        own = await guild.say("alice", "general", "Bot, and here?", attachments=[("dog.png", PNG)])
        await discord_server.answer_to(own)
        await bot.stored(own)
        assert other.asked == []
        assert [len(one.images) for one in gemini.requests_of("reply")] == [0, 0, 0, 1]
