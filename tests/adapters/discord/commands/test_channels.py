"""What is kept and answered in a channel: switched by who may, with effect at once."""

from bot.core.domain import AnswerMode
from bot.db.pool import Database
from tests.adapters.discord.bots import running_bot
from tests.adapters.discord.commands.acts import grant, is_for_one
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.permissions import Permission
from tests.servers.discord.server import DiscordServer

QUESTION = "Bot, what do you know about me?"


async def is_answered(server: DiscordServer, guild: FakeGuild) -> bool:
    """Tell whether a question in #general is answered, when it is said and the same elsewhere is."""
    asked = await guild.say("alice", "general", QUESTION)
    await server.answer_to(await guild.say("alice", "elsewhere", QUESTION))
    answers = [message for message in server.sent if message.reply_to_id == asked.message_id]
    if not answers:
        await server.quiet(0.3)
    return bool(answers)


async def test_switches_of_a_channel_are_for_managers_and_hold_at_once(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home", channels=("general", "elsewhere"))
    guild.add_role("Hosts")
    guild.add_member("hugo", roles=("Hosts",)).user.locale = "ru"
    guild.allow("general", "Hosts", Permission.MANAGE_CHANNELS)
    path = "memory-admin channel"
    grant(guild, "bob", "hugo")
    async with running_bot(discord_server, database) as bot:
        await discord_server.answer_to(await guild.say("alice", "general", QUESTION))
        refused = await guild.slash("bob", "general", path, answers="never")
        assert is_for_one(refused)
        assert "nothing was changed" in refused.text
        await discord_server.answer_to(await guild.say("alice", "general", QUESTION))

        told = await guild.slash("hugo", "general", "память-управление канал", отвечать="never")
        assert is_for_one(told)
        assert "Ответов здесь не будет." in told.text
        assert not await is_answered(discord_server, guild)
        await guild.slash("hugo", "general", path, answers="when addressed", hearing="off")
        unkept = await guild.say("alice", "general", "a secret")
        kept = await guild.say("alice", "elsewhere", "no secret")
        await bot.stored(kept)
        assert await bot.kept(unkept) is None
        await guild.slash("hugo", "general", path, hearing="on")
        await bot.stored(await guild.say("alice", "general", "again"))

        # Who manages one channel manages no other, and not the guild.
        elsewhere = await guild.slash("hugo", "elsewhere", path, answers="never")
        settings = await guild.slash("hugo", "general", "memory-admin settings", pings="on")
        assert "ничего не изменено" in elsewhere.text
        assert "Настройки доступны только" in settings.text
        asks = await guild.slash("bob", "general", path)
        assert "spoken to" in asks.text
        general = await bot.channel(guild.channel("general"))
        assert general is not None
        assert (general.answering, general.hearing) == (AnswerMode.ADDRESSED, True)


async def test_moderators_have_the_bot_be_quiet_for_a_while(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home", channels=("general", "elsewhere"))
    guild.add_member("mona", moderator=True)
    guild.member("bob").user.locale = "ru"
    grant(guild, "bob", "mona")
    async with running_bot(discord_server, database):
        refused = await guild.slash("bob", "general", "память-управление тишина", срок="1h")
        assert is_for_one(refused)
        assert "только модераторы" in refused.text
        await discord_server.answer_to(await guild.say("alice", "general", QUESTION))
        wrong = await guild.slash("mona", "general", "memory-admin quiet", duration="for ever")
        assert "for ever" in wrong.text
        quiet = await guild.slash("mona", "general", "memory-admin quiet", duration="1h")
        assert is_for_one(quiet)
        assert not await is_answered(discord_server, guild)
        await guild.slash("mona", "general", "memory-admin quiet", duration="off")
        await discord_server.answer_to(await guild.say("alice", "general", QUESTION))
        proposed = await guild.autocomplete(
            "mona", "general", "memory-admin quiet", focused="duration", typed="1"
        )
        assert [choice.value for choice in proposed.choices] == ["1h", "1d"]


async def test_who_manages_a_channel_sets_its_persona_in_words(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home", channels=("general", "elsewhere"))
    guild.add_role("Hosts")
    guild.add_member("hugo", roles=("Hosts",))
    guild.allow("general", "Hosts", Permission.MANAGE_CHANNELS)
    wished = "Bot, from now on talk like a pirate"
    async with running_bot(discord_server, database):
        for member, channel in (("bob", "general"), ("hugo", "elsewhere")):
            refused = await discord_server.answer_to(await guild.say(member, channel, wished))
            assert refused.text.startswith("I keep no memories about myself.")
        asked = await discord_server.answer_to(await guild.say("hugo", "general", wished))
        assert "Who I would be in this channel: Talk like a pirate." in asked.text
        told = await discord_server.answer_to(await guild.say("hugo", "general", "yes"))
        assert told.text == "The persona of this channel: Talk like a pirate."
