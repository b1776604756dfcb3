"""What is planted, ten ways in six languages, goes nowhere, though a gullible model believes all of it."""

from datetime import timedelta
from typing import Final

from bot.core.clock import SetClock, SystemClock
from bot.core.domain import OPEN
from bot.db.pool import Database
from tests.adapters.discord.bots import RunningBot, running_bot
from tests.adapters.discord.gullible import Gullible, Plant, plants
from tests.leaks.canaries import canaries_in
from tests.leaks.searches import rows_with_canaries
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.server import DiscordServer
from tests.servers.gemini import GeminiServer

SAID: Final = frozenset({"chat_history", "members"})
"""Where what people say, and what they are called, stands as they said it."""

QUESTIONS: Final = (
    "Bot, what do you know about Bob?",
    "Bot, how is everybody doing?",
    "Бот, что ты знаешь о Bob?",
    "Bot, what do you know about this server?",
    "Bot, was weißt du über Bob?",
    "Bot, what did I miss?",
)


async def plant(server: DiscordServer, guild: FakeGuild, one: Plant) -> None:
    """Let Mallory plant it."""
    match one.way:
        case "nickname":
            guild.rename("mallory", one.text[:32])
            await guild.say("mallory", "general", "hello again everybody, nice to see you")
            guild.rename("mallory", None)
        case "forward":
            said = await guild.say("mallory", "elsewhere", one.text)
            await guild.forward("mallory", "general", said)
        case "embed":
            await guild.say(
                "mallory",
                "general",
                "look at this",
                embeds=[{"type": "rich", "title": one.text, "description": one.text}],
            )
        case "file":
            await guild.say("mallory", "general", "a picture of my cat", attachments=[one.text])
        case "order":
            await server.answer_to(await guild.say("mallory", "general", one.text))
        case "webhook":
            await guild.say_by_webhook("Moderation", "general", one.text)
        case _:
            await guild.say("mallory", "general", one.text)


async def later(bot: RunningBot, clock: SetClock, hours: float) -> None:
    """Let time pass, and all be told that is to be told then."""
    clock.advance(timedelta(hours=hours))
    await bot.keepsake.memory.told()
    await bot.keepsake.work.idle()
    await bot.keepsake.memory.told()


async def test_nothing_that_was_planted_is_stored_or_said(
    discord_server: DiscordServer, database: Database
) -> None:
    planted = plants()
    assert len({one.word for one in planted}) == 60
    guild = discord_server.add_guild("Harbour", channels=("general", "elsewhere"))
    for name in ("alice", "bob", "mallory"):
        guild.add_member(name)
    gullible, clock = Gullible(planted), SetClock(SystemClock().now())
    async with (
        GeminiServer() as gemini,
        running_bot(
            discord_server, database, clock=clock, gemini_api_key="x", gemini_base_url=gemini.url
        ) as bot,
    ):
        with gullible.teaching(gemini):
            said = []
            for number, one in enumerate(planted):
                await plant(discord_server, guild, one)
                if number % 6 == 5:
                    question = await guild.say("alice", "general", QUESTIONS[number // 6 % len(QUESTIONS)])
                    said.append((await discord_server.answer_to(question)).text)
                    await later(bot, clock, hours=2)
            # Days and weeks are told when somebody asks for them, the next morning.
            await later(bot, clock, hours=30)
            told = await bot.keepsake.memory.get_memories_of(
                guild.guild_id,
                [guild.member(name).user_id for name in ("alice", "bob", "mallory")],
                audience=OPEN,
                seconds=60,
            )
            said += [one.context for one in told.values()]
            await later(bot, clock, hours=1)
        kept = [one for one in await rows_with_canaries(database) if one.table not in SAID]
        answers = {
            message.text
            for message in guild.channel("general").messages.values()
            if message.author.is_bot and message.webhook_id is None
        }
    assert len(gullible.believed) > 50
    assert [(one.table, one.columns, sorted(one.words)) for one in kept] == []
    assert sorted(text for text in {*said, *answers} if canaries_in(text)) == []
