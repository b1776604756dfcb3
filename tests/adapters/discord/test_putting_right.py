"""A command that is edited replaces what it wrote, and what was written can be undone by whom it concerns."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.db.pool import Database
from tests.adapters.discord.bots import RunningBot, bot_process, eventually, running_bot
from tests.adapters.discord.talking import told_of
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeMessage
from tests.servers.discord.waiting import until

NOT_YOURS = "Only who told me that, whom it is about, and moderators can undo it."
TAKEN_BACK = "Taken back, and no longer kept: alice likes {}."
ALREADY = "That is already undone: it is no longer kept."


async def test_a_command_that_is_edited_replaces_its_fact_and_its_confirmation(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        said = await guild.say("alice", "general", "Bot, remember that I like tea")
        answer = await discord_server.answer_to(said)
        for text, told, facts in (
            ("Bot, remember that I like coffee", "Remembered: alice likes coffee.", ["alice likes coffee"]),
            ("Bot, remember that I like cocoa", "Remembered: alice likes cocoa.", ["alice likes cocoa"]),
            ("never mind", "You edited that, and it no longer asks me to remember anything", []),
            ("Bot, remember that I like milk", "Remembered: alice likes milk.", ["alice likes milk"]),
        ):
            await guild.edit(said, text)
            await until(lambda told=told: answer.text.startswith(told), what=told)  # type: ignore[misc]
            assert await facts_about(bot, guild, "alice") == facts
            wanted = answer.text.replace("alice", guild.mention("alice"))
            await eventually(lambda wanted=wanted: says(bot, answer, wanted))  # type: ignore[misc]
        assert len(discord_server.sent) == 1
        assert await undone(guild, "alice", answer) == TAKEN_BACK.format("milk")
        assert await facts_about(bot, guild, "alice") == []


async def test_an_edit_within_the_moment_of_the_command_is_not_lost(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        discord_server.faults.slow("POST", "/channels/*/messages", 0.3)
        said = await guild.say("alice", "general", "Bot, remember that I like tea")
        await guild.edit(said, "Bot, remember that I like coffee")
        answer = await discord_server.answer_to(said)
        await until(lambda: answer.text == "Remembered: alice likes coffee.", what="the edit is followed")
        assert await facts_about(bot, guild, "alice") == ["alice likes coffee"]
        assert len(discord_server.sent) == 1


async def test_an_edit_is_followed_in_a_confirmation_of_which_nobody_noted_that_it_had_arrived(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        asked = await guild.say("alice", "general", "Bot, remember that I like pizza")
        answer = await discord_server.answer_to(asked)
        await bot.stored(answer)
        await database.write(
            lambda connection: connection.execute("UPDATE answers SET state = 'written', sent_ids = '{}'")
        )
        await guild.edit(asked, "Bot, remember that I like plums")
        await until(lambda: answer.text == "Remembered: alice likes plums.")
    assert discord_server.sent == [answer]


async def test_a_later_edit_changes_the_log_alone(discord_server: DiscordServer, database: Database) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        ago = datetime.now(UTC) - timedelta(minutes=6)
        said = await guild.say("alice", "general", "Bot, remember that I like tea", said_at=ago)
        answer = await discord_server.answer_to(said)
        await guild.edit(said, "Bot, remember that I like coffee")
        await eventually(lambda: says(bot, said, "Bot, remember that I like coffee"))
        await discord_server.quiet(0.3)
        assert answer.earlier_texts == []
        assert await facts_about(bot, guild, "alice") == ["alice likes tea"]


async def test_an_edit_whose_confirmation_was_deleted_is_followed_without_a_word(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        said = await guild.say("alice", "general", "Bot, remember that I like tea")
        await guild.delete(await discord_server.answer_to(said))
        await guild.edit(said, "Bot, remember that I like coffee")
        await eventually(lambda: has_facts(bot, guild, "alice", ["alice likes coffee"]))
        await discord_server.quiet(0.3)


@pytest.mark.processes
async def test_undo_is_for_teller_subject_and_moderators_once_and_after_a_restart(
    discord_server: DiscordServer, dsn: str, database: Database
) -> None:
    guild = discord_server.add_guild("Home", members=("alice", "bob", "carol"))
    guild.add_member("mod", moderator=True)
    answers = []
    async with running_bot(discord_server, database) as bot:
        for thing in ("tea", "cake", "soup"):
            said = await guild.say("bob", "general", f"Bot, remember that alice likes {thing}")
            answers.append(await discord_server.answer_to(said))
        assert await undone(guild, "carol", answers[0]) == NOT_YOURS
        assert len(await facts_about(bot, guild, "alice")) == 3
        assert has_button(answers[0])
        assert await undone(guild, "bob", answers[0]) == TAKEN_BACK.format("tea")
        await until(lambda: not has_button(answers[0]), what="the button is gone")
    async with bot_process(discord_server, dsn) as process:
        await process.told("server Home")
        assert await undone(guild, "carol", answers[1]) == NOT_YOURS
        two = answers[1].components
        assert await undone(guild, "alice", answers[1]) == TAKEN_BACK.format("cake")
        # Whoever sees an older state of the message may press it once more.
        answers[1].components = two
        assert await undone(guild, "bob", answers[1]) == ALREADY
        discord_server.user("mod").locale = "ru"
        assert await undone(guild, "mod", answers[2]) == "Отменено, этой записи больше нет: alice likes soup."
        asked = await guild.say("carol", "general", "Bot, what do you know about alice?")
        assert (await discord_server.answer_to(asked)).text == "I have nothing noted about alice yet."


async def undone(guild: FakeGuild, name: str, answer: FakeMessage) -> str:
    """Return what a member is told, and nobody else, who presses Undo."""
    clicked = await guild.click(name, answer, "Undo")
    [told] = await clicked.shown()
    assert told.ephemeral
    return told.text


async def facts_about(bot: RunningBot, guild: FakeGuild, name: str) -> list[str]:
    """Return what is remembered of a member, with their own name put in."""
    mention = guild.mention(name)
    return [fact.replace(mention, name) for fact in await told_of(bot, guild, name)]


async def has_facts(bot: RunningBot, guild: FakeGuild, name: str, facts: list[str]) -> bool:
    return await facts_about(bot, guild, name) == facts


async def says(bot: RunningBot, message: FakeMessage, text: str) -> bool:
    return (await bot.stored(message)).text == text


def has_button(message: FakeMessage) -> bool:
    return bool(message.components)
