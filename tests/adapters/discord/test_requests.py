"""A request to Discord is never cut off half-way, so that no limit ever mutes the bot."""

import ast
import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import discord
import pytest

from bot.adapters.discord.commands.interactions import RequestContexts
from bot.chat.usecases.context import RequestContext
from bot.db.pool import Database
from tests.adapters.discord.bots import RunningBot, bot_process, eventually, running_bot
from tests.adapters.discord.commands.test_choosing import choose
from tests.adapters.discord.talking import model_that_says
from tests.adapters.discord.test_delivery import LONG, is_answered
from tests.servers.asked import Asked
from tests.servers.base import Reply
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.interaction import FakeInteraction
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeMessage
from tests.servers.discord.waiting import until

TYPING = ("POST", "/channels/*/typing")
SEND = ("POST", "/channels/*/messages")
HISTORY = ("GET", "/channels/*/messages")

ROOT = Path(__file__).parents[3]
CLIENTS = ("Client", "AutoShardedClient", "Bot", "AutoShardedBot")

LIMIT_SECONDS = 3.0
"""So long that what is cancelled while the limit passes is cancelled in the middle of it, however slow the machine."""


def statuses(server: DiscordServer, method: str, ending: str) -> list[int | None]:
    """Return how the requests ended that are of this kind; `None` for those that are under way."""
    return [one.status for one in server.requests if one.method == method and one.path.endswith(ending)]


@pytest.mark.processes
async def test_a_global_limit_on_the_sign_of_typing_while_an_answer_is_sent_mutes_nothing(
    discord_server: DiscordServer, dsn: str, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    may_end, may_limit, may_land = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def slowly(_asked: Asked) -> Reply:
        await may_end.wait()
        return {"text": "Soup, as always."}

    async with model_that_says(slowly) as gemini:
        models = {"GEMINI_API_KEY": "x", "GEMINI_BASE_URL": gemini.url}
        async with bot_process(discord_server, dsn, **models) as process:
            await process.told("server Home")
            discord_server.faults.rate_limit(*TYPING, LIMIT_SECONDS, is_global=True, gate=may_limit)
            discord_server.faults.hold(*SEND, may_land, afterwards=True)
            first = await guild.say("alice", "general", "Bot, what is for lunch?")
            await until(lambda: statuses(discord_server, "POST", "/typing"), what="it begins to type")
            may_end.set()
            await discord_server.answer_to(first)
            may_limit.set()
            await until(lambda: 429 in statuses(discord_server, "POST", "/typing"), what="the limit")
            # The client has to read that before it hears that its answer has arrived.
            await asyncio.sleep(0.3)
            may_land.set()
            await eventually(lambda: is_answered(database, first))
            for _ in range(3):
                asked = await guild.say("alice", "general", "Bot, and for dinner?")
                await discord_server.answer_to(asked)
                await eventually(lambda asked=asked: is_answered(database, asked))  # type: ignore[misc]
            assert await process.stop() == 128 + 15
    assert [message.text for message in discord_server.sent] == ["Soup, as always."] * 4


async def test_a_global_limit_in_the_middle_of_a_long_answer_delays_its_end_and_nothing_else(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with speaking(discord_server, database, LONG) as bot:

        def limit(_message: object) -> None:
            discord_server.world.on_sent.clear()
            discord_server.faults.rate_limit(*SEND, 0.5, is_global=True)

        discord_server.world.on_sent.append(limit)
        asked = await guild.say("alice", "general", "Bot, show me some code")
        first, second = await discord_server.sent_to("general", 2)
        await eventually(lambda: is_answered(database, asked))
        assert (first.reply_to_id, second.reply_to_id) == (asked.message_id, None)
        assert 429 in statuses(discord_server, "POST", "/messages")
        assert bot.client.requests.count == 0


async def test_an_answer_that_meets_limits_more_often_than_the_library_tries_comes_all_the_same(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database):
        discord_server.faults.rate_limit(*SEND, 0.05, is_global=True, times=6)
        asked = await guild.say("alice", "general", "Bot, remember that I like tea")
        await discord_server.answer_to(asked)
        await eventually(lambda: is_answered(database, asked))
        assert len(discord_server.sent) == 1


async def test_whoever_stops_reading_back_during_a_global_limit_leaves_the_way_open(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    await guild.say("alice", "general", "good morning")
    async with running_bot(discord_server, database):
        pass
    await guild.say("alice", "general", "said while nobody listened")
    discord_server.faults.rate_limit(*HISTORY, LIMIT_SECONDS, is_global=True)
    async with running_bot(discord_server, database, is_ready=False) as bot:
        await until(lambda: 429 in statuses(discord_server, "GET", "/messages"), what="the limit")
        await bot.client.catch_up.stop()
        await sends(bot, guild)


async def test_every_way_to_stop_waiting_lets_the_request_go_on_to_its_end(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        room = room_of(bot, guild)
        for number, give_up in enumerate((cancelled, out_of_time, out_of_block)):
            discord_server.faults.rate_limit(*TYPING, 0.5, is_global=True)
            await give_up(
                room,
                lambda n=number: statuses(discord_server, "POST", "/typing").count(429) > n,  # type: ignore[misc]
            )
            assert bot.client.requests.count == 1
            await bot.client.requests.settled(20)
            assert statuses(discord_server, "POST", "/typing")[-1] == 204
            await sends(bot, guild)


async def cancelled(room: discord.TextChannel, is_limited: Callable[[], bool]) -> None:
    task = asyncio.ensure_future(room.typing())
    await until(is_limited)
    await asyncio.sleep(0.1)
    task.cancel()


async def out_of_time(room: discord.TextChannel, is_limited: Callable[[], bool]) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.4):
            await room.typing()


async def out_of_block(room: discord.TextChannel, is_limited: Callable[[], bool]) -> None:
    """Leave the library's own sign of typing while it is repeated."""

    async def typing() -> None:
        async with room.typing():
            await asyncio.Event().wait()

    task = asyncio.create_task(typing())
    await until(is_limited)
    await asyncio.sleep(0.1)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_told_to_end_while_an_interaction_is_limited_the_bot_still_answers_it(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        discord_server.faults.rate_limit("POST", "/interactions/**", 0.5, is_global=True)
        asking = asyncio.create_task(guild.slash("alice", "general", "memory show"))
        await until(lambda: 429 in statuses(discord_server, "POST", "/callback"), what="the limit")
        await bot.client.finish()
        assert statuses(discord_server, "POST", "/callback") == [429, 200]
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)


async def test_told_to_end_while_a_command_waits_for_a_model_the_bot_carries_it_out_and_says_so(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    is_asked, may_end = asyncio.Event(), asyncio.Event()

    async def slowly(_asked: Asked) -> Reply:
        is_asked.set()
        await may_end.wait()
        return {"verdict": "fine"}

    async with model_that_says("Soup.") as gemini:
        gemini.answer("judge_note", slowly)
        async with running_bot(
            discord_server, database, gemini_api_key="x", gemini_base_url=gemini.url
        ) as bot:
            giving = asyncio.create_task(
                guild.slash("alice", "general", "memory remember", member="bob", text="likes tea")
            )
            await is_asked.wait()
            given = await at_the_end(bot, giving, may_end)
            assert given.text.startswith("Remembered: bob likes tea")


async def at_the_end(
    bot: RunningBot, giving: asyncio.Task[FakeInteraction], may_go_on: asyncio.Event
) -> FakeInteraction:
    """Return what became of an interaction that goes on half a second after the bot was told to end."""
    ending = asyncio.create_task(bot.client.finish())
    await asyncio.sleep(0.5)
    may_go_on.set()
    await ending
    async with asyncio.timeout(5):
        return await giving


@pytest.mark.parametrize("way", ["slash", "menu", "button", "form"])
async def test_told_to_end_the_bot_carries_out_what_was_asked_of_it_in_any_way(
    discord_server: DiscordServer, database: Database, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        await guild.slash("alice", "general", "memory remember", text="I like tea")
        [shown] = (await guild.slash("alice", "general", "memory show", member="alice")).messages
        await choose(guild, "alice", shown, "tea")
        opened = await guild.slash("alice", "general", "memory erase")
        is_begun, may_go_on, request = asyncio.Event(), asyncio.Event(), RequestContexts.request

        async def slowly(
            contexts: RequestContexts, interaction: discord.Interaction, *, of_channel: bool = False
        ) -> RequestContext:
            is_begun.set()
            await may_go_on.wait()
            return await request(contexts, interaction, of_channel=of_channel)

        monkeypatch.setattr(RequestContexts, "request", slowly)
        giving = asyncio.create_task(given_by(way, guild, shown, opened))
        await is_begun.wait()
        given = await at_the_end(bot, giving, may_go_on)
        assert not given.loading
        assert shown.text.startswith("Forgotten") if way == "button" else given.messages


async def given_by(
    way: str, guild: FakeGuild, listed: FakeMessage, opened: FakeInteraction
) -> FakeInteraction:
    match way:
        case "slash":
            return await guild.slash("alice", "general", "memory show")
        case "menu":
            return await guild.user_menu("alice", "What do you know?", "bob")
        case "button":
            return await guild.click("alice", listed, "Forget")
        case _:
            return await guild.submit_modal(opened, {"From now on": "Go on as before"})


@pytest.mark.processes
async def test_told_to_end_during_a_global_limit_the_process_ends_and_the_answer_comes_after_the_next_start(
    discord_server: DiscordServer, dsn: str, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    await guild.say("alice", "general", "good morning")
    async with bot_process(discord_server, dsn) as process:
        await process.told("server Home")
        discord_server.faults.rate_limit(*SEND, 30, is_global=True)
        asked = await guild.say("alice", "general", "Bot, remember that I like tea")
        await until(lambda: 429 in statuses(discord_server, "POST", "/messages"), what="the limit")
        assert await process.stop() == 128 + 15
    assert discord_server.sent == []
    async with bot_process(discord_server, dsn) as process:
        await discord_server.answer_to(asked)
        await eventually(lambda: is_answered(database, asked))
        await discord_server.quiet(0.5)
    assert len(discord_server.sent) == 1


def test_every_client_that_the_bot_makes_has_its_requests_guarded() -> None:
    makers = {
        path.name: source
        for path in (ROOT / "bot").rglob("*.py")
        if makes_client(source := path.read_text(encoding="utf-8"))
    }
    assert makers.keys() == {"client.py", "rest.py"}
    assert all(".guard(" in source for source in makers.values())


def makes_client(source: str) -> bool:
    """Tell whether a module makes a client of the library, or a class of such clients."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef):
            made = node.bases
        elif isinstance(node, ast.Call):
            made = [node.func]
        else:
            continue
        if any(isinstance(one, ast.Attribute) and one.attr in CLIENTS for one in made):
            return True
    return False


@asynccontextmanager
async def speaking(server: DiscordServer, database: Database, text: str) -> AsyncIterator[RunningBot]:
    """Run the bot with a model that always says `text`."""
    async with (
        model_that_says(text) as gemini,
        running_bot(server, database, gemini_api_key="x", gemini_base_url=gemini.url) as bot,
    ):
        yield bot


def room_of(bot: RunningBot, guild: FakeGuild) -> discord.TextChannel:
    room = bot.client.get_channel(guild.channel("general").channel_id)
    assert isinstance(room, discord.TextChannel)
    return room


async def sends(bot: RunningBot, guild: FakeGuild) -> None:
    """Hold that the bot can still send."""
    async with asyncio.timeout(60):
        await room_of(bot, guild).send("still here")
