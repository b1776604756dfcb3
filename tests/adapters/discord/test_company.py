"""Whom the bot answers and how often: other bots, members who flood it, and those who write to it directly."""

import asyncio

import pytest

from bot.core.domain import MessageKind
from bot.db.pool import Database
from tests.adapters.discord.bots import RunningBot, eventually, running_bot
from tests.adapters.discord.talking import chatting_bot, model_that_says, told_of
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.waiting import until


@pytest.mark.parametrize("answer_bots", [False, True])
async def test_a_bot_that_always_answers_is_answered_only_where_that_is_wanted_and_never_without_end(
    answer_bots: bool, discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    parrot = guild.add_member("parrot", bot=True)
    parroted: set[int] = set()

    async def answer_everything() -> None:
        while True:
            for message in [one for one in discord_server.sent if one.message_id not in parroted]:
                parroted.add(message.message_id)
                await guild.say(parrot, "general", f"{guild.bot.mention} {message.text}", reply_to=message)
            await asyncio.sleep(0.01)

    async with (
        model_that_says("Polly wants a cracker?") as gemini,
        running_bot(
            discord_server,
            database,
            answer_bots=answer_bots,
            gemini_api_key="x",
            gemini_base_url=gemini.url,
        ) as bot,
    ):
        first = await guild.say(parrot, "general", f"{guild.bot.mention} hello")
        await bot.stored(first)
        parroting = asyncio.create_task(answer_everything())
        await until(lambda: len(discord_server.sent) == (2 if answer_bots else 0), what="it is enough")
        await discord_server.quiet(0.4)
        # A member takes part again, and with that the talk of the two may go on for as long once more.
        said = await guild.say("alice", "general", "Bot, who is this?")
        await discord_server.answer_to(said)
        await until(lambda: len(discord_server.sent) == (5 if answer_bots else 1), what="it is enough again")
        await discord_server.quiet(0.4)
        parroting.cancel()
        ordered = await guild.say(parrot, "general", f"{guild.bot.mention} remember that alice likes seeds")
        assert (await bot.stored(ordered)).kind is MessageKind.BOT
        count = await database.read(lambda connection: connection.fetchval("SELECT count(*) FROM facts"))
        assert count == 0


async def test_who_floods_the_bot_is_told_once_and_heard_all_the_same(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        flood = [
            await guild.say("alice", "general", f"Bot, remember that I own {number} cats")
            for number in range(15)
        ]
        await discord_server.sent_to("general", 11)
        await discord_server.quiet(0.3)
        texts = [message.text for message in discord_server.sent]
        assert len([text for text in texts if text.startswith("That is a lot at once")]) == 1
        assert len(texts) == 11
        assert (await bot.stored(flood[-1])).text == flood[-1].text
        other = await guild.say("bob", "general", "Bot, remember that I own a dog")
        assert (await discord_server.answer_to(other)).text.startswith("Remembered")


@pytest.mark.parametrize("text", ["{bot}", "{bot}!", "{bot} {bot} ?!", " {bot}\n"])
async def test_a_mention_without_words_gets_three_examples(
    text: str, discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database):
        said = await guild.say("alice", "general", text.format(bot=guild.bot.mention))
        lines = (await discord_server.answer_to(said)).text.splitlines()
        assert [line[:2] for line in lines] == ["Ye", "- ", "- ", "- ", "Wh"]


async def test_without_words_the_language_is_that_of_the_guild(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home", locale="ru")
    async with running_bot(discord_server, database):
        said = await guild.say("alice", "general", guild.bot.mention)
        assert (await discord_server.answer_to(said)).text.startswith(
            "Да? Можно сказать так:\n- Бот, запомни"
        )
        said = await guild.say("alice", "general", f"{guild.bot.mention} help")
        assert (await discord_server.answer_to(said)).text.startswith("Yes? You could say:")


async def test_who_picks_the_role_with_the_bots_name_means_the_bot(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        role = f"<@&{guild.bot_role.role_id}>"
        said = await guild.say("alice", "general", f"{role} remember that I like tea")
        assert (await discord_server.answer_to(said)).text == "Remembered: alice likes tea."
        other = guild.add_role("Crew")
        kept = await bot.stored(await guild.say("alice", "general", f"<@&{other.role_id}> who is here?"))
        assert kept.text == f"<@&{other.role_id}> who is here?"
        await discord_server.quiet(0.2)


async def test_direct_messages_are_a_guild_of_their_own(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database):
        open_fact = await guild.say("alice", "general", "Bot, remember that I like tea")
        await discord_server.answer_to(open_fact)
        told = await discord_server.say_directly("alice", "remember that I am afraid of owls")
        assert (await discord_server.answer_to(told)).text == "Remembered: alice is afraid of owls."
        both = await discord_server.say_directly("alice", "what do you know about me?")
        answer = await discord_server.answer_to(both)
        assert "afraid of owls" in answer.text and "likes tea" in answer.text
        dependencies = await guild.say("bob", "general", "Bot, what do you know about alice?")
        answer = await discord_server.answer_to(dependencies)
        assert "tea" in answer.text and "owls" not in answer.text
        clicked = await guild.click("alice", await discord_server.answer_to(told), "Undo")
        [undone] = await clicked.shown()
        assert undone.text == "Taken back, and no longer kept: alice is afraid of owls."


async def test_a_stranger_without_any_guild_in_common_is_answered(
    discord_server: DiscordServer, database: Database
) -> None:
    async with running_bot(discord_server, database):
        told = await discord_server.say_directly("zoe", "remember that I play the tuba")
        assert (await discord_server.answer_to(told)).text == "Remembered: zoe plays the tuba."


async def test_who_takes_no_direct_messages_hinders_nothing(
    discord_server: DiscordServer, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        discord_server.user("alice").refuses_direct_messages = True
        told = await discord_server.say_directly("alice", "remember that I am afraid of owls")
        await bot.stored(told)
        tries = f"/channels/{told.channel.channel_id}/messages"
        await until(lambda: posts(discord_server, tries), what="it is tried")
        said = await guild.say("alice", "general", "Bot, remember that I like tea")
        await discord_server.answer_to(said)
        assert posts(discord_server, tries) == 1
        # Nobody but alice can change that, so the owner is not bothered with it.
        assert len(discord_server.sent) == 1
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []


def posts(server: DiscordServer, path: str) -> int:
    return len([one for one in server.requests if (one.method, one.path) == ("POST", path)])


async def test_names_are_known_though_no_member_is_in_the_cache(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home", members=("alice",))
    guild.add_member("zaphod", nickname="Beeblebrox")
    async with running_bot(discord_server, database) as bot:
        bot.client.guilds[0]._members.clear()
        await database.write(
            lambda connection: connection.execute("DELETE FROM members WHERE user_name = 'zaphod'")
        )
        said = await guild.say("alice", "general", "Bot, remember that Beeblebrox likes towels")
        confirmed = (await discord_server.answer_to(said)).text
        assert confirmed == "Remembered: Beeblebrox likes towels. I will say that it comes from you."
        nobody = await guild.say("alice", "general", "Bot, remember that Marvin likes doors")
        # Nobody bears the name: it is kept under the name alone.
        assert (await discord_server.answer_to(nobody)).text.startswith("Remembered: Marvin likes doors.")


async def test_who_is_renamed_is_told_by_the_new_name_and_never_by_the_old_one(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home", members=("bob",))
    guild.add_member("alice", nickname="Deadname")
    async with chatting_bot(discord_server, database, "Hm.") as (bot, gemini):
        said = await guild.say("alice", "general", "Bot, remember that I like tea")
        assert (await discord_server.answer_to(said)).text == "Remembered: Deadname likes tea."
        await bot.stored(await guild.say("bob", "general", f"{guild.mention('alice')} hi"))
        guild.rename("alice", "Robin")
        # The cache of the names that were asked for is no older than the event.
        await eventually(lambda: is_called(bot, guild.guild_id, "alice", "Robin"))
        # Who asks by the old name is understood, and told the new one.
        for name in ("Robin", "Deadname"):
            asked = await guild.say("bob", "general", f"Bot, what do you know about {name}?")
            told = (await discord_server.answer_to(asked)).text
            assert "Robin likes tea" in told and "Deadname" not in told
        await discord_server.answer_to(await guild.say("bob", "general", "Bot, how is everyone?"))
        prompt = gemini.requests_of("reply")[-1].prompt
        assert "Robin" in prompt


async def is_called(bot: RunningBot, guild_id: int, user_name: str, name: str) -> bool:
    return (await bot.members(guild_id))[user_name].name == name


async def test_who_never_spoke_is_sought_before_anything_is_kept_about_their_name(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home", members=("alice", "bob", "moviebuff"))
    async with running_bot(discord_server, database) as bot:
        for text, answer in (
            ("alice likes tea", "Remembered: alice likes tea. I will say that it comes from you."),
            (
                "alice's favourite band is Muse",
                "Remembered: alice’s favourite band is Muse. I will say that it comes from you.",
            ),
            ("movie starts at eight", "Remembered: movie starts at eight."),
        ):
            said = await guild.say("bob", "general", f"Bot, remember that {text}")
            assert (await discord_server.answer_to(said)).text.replace("'", "’") == answer
        assert len(await told_of(bot, guild, "alice")) == 2
        assert await told_of(bot, guild, "moviebuff") == []
