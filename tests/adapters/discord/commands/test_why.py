"""Why?: what an answer rests on, for one pair of eyes, with buttons that outlive the process."""

import pytest

from bot.core.domain import MAX_FACT_CHARACTERS
from bot.db.pool import Database
from tests.adapters.discord.bots import RunningBot, eventually, guild_id_of, running_bot
from tests.adapters.discord.commands.acts import changed, facts_of, has_facts, is_for_one, tell_hobbies
from tests.servers.discord.components import NotOfferedError, labels
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.interaction_acts import DIRECTLY
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeMessage


async def answered(server: DiscordServer, bot: RunningBot, question: FakeMessage) -> FakeMessage:
    """Return the bot's answer to `question`, once it is noted as sent."""
    answer = await server.answer_to(question)

    async def is_noted() -> bool:
        kept = await bot.keepsake.memory.answers.to_message(
            guild_id=guild_id_of(question.channel), message_id=question.message_id
        )
        return kept is not None and answer.message_id in kept.sent_ids

    await eventually(is_noted)
    return answer


async def asked(server: DiscordServer, bot: RunningBot, guild: FakeGuild, question: str) -> FakeMessage:
    """Let bob ask the bot something, and return its answer."""
    return await answered(server, bot, await guild.say("bob", "general", question))


def listed(text: str) -> list[str]:
    """Return the numbered lines."""
    return [line for line in text.splitlines() if line.partition(".")[0].isdigit()]


async def test_it_lists_who_said_what_when_and_where_in_the_language_of_whoever_asks(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    guild.member("alice").user.locale = "ru"
    async with running_bot(discord_server, database) as bot:
        told = await guild.say("bob", "general", "Bot, remember that @alice plays the cello @everyone")
        await discord_server.answer_to(told)
        answer = await asked(discord_server, bot, guild, "Bot, what do you know about alice?")
        english = await guild.message_menu("bob", "Why?", answer)
        russian = await guild.message_menu("alice", "Почему?", answer)
        other = await guild.message_menu("bob", "Why?", told)
    source = f"https://discord.com/channels/{guild.guild_id}/{told.channel.channel_id}/{told.message_id}"
    day = f"<t:{int(told.sent_at.timestamp())}:D>"
    for shown, word in ((english, "source"), (russian, "источник")):
        assert is_for_one(shown)
        [line] = listed(shown.text)
        assert "cello" in line
        assert line.endswith(f"{day} · [{word}]({source})")
    # Only who is meant may say that it was not them.
    assert labels(english.messages[0].components) == ["Forget 1"]
    assert labels(russian.messages[0].components) == ["Забыть 1", "Не я 1"]
    assert other.text == "That is no answer of mine that I could explain."
    assert labels(other.messages[0].components) == []


async def test_what_was_disowned_or_forgotten_leaves_the_list_after_a_restart_too(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        await tell_hobbies(guild, by="bob")
        answer = await asked(discord_server, bot, guild, "Bot, what do you know about alice?")
        own = await guild.message_menu("alice", "Why?", answer)
        [message] = own.messages
        order = [
            next(word for word in ("cello", "stamps", "orchids") if word in line) for line in listed(own.text)
        ]
    async with running_bot(discord_server, database) as bot:
        disowned = await changed(guild.click("alice", message, "Not me 2"), message)
        assert disowned.startswith("Taken off you")
        assert [order[0] in line for line in listed(disowned)] == [True, False]
        assert order[1] not in disowned
        forgotten = await changed(guild.click("alice", message, "Forget 1"), message)
        assert forgotten.startswith("Forgotten: I removed 1 fact")
        [left] = listed(forgotten)
        assert order[2] in left
        await has_facts(bot, guild, "alice", order[2])


async def test_a_refused_press_says_why_and_takes_nothing(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    guild.add_member("carol")
    async with running_bot(discord_server, database) as bot:
        await guild.slash("bob", "general", "memory remember", text="plays the cello", member="alice")
        answer = await asked(discord_server, bot, guild, "Bot, what do you know about alice?")
        [message] = (await guild.message_menu("carol", "Why?", answer)).messages
        refused = await changed(guild.click("carol", message, "Forget 1"), message)
        assert refused.startswith("Only who told it, whom it is about, or a moderator")
        assert len(listed(refused)) == 1
        [mine] = (await guild.message_menu("alice", "Why?", answer)).messages
        [fact] = await facts_of(bot, guild, "alice")
        await guild.slash("bob", "general", "memory forget", fact=str(fact.fact_id))
        late = await changed(guild.click("alice", mine, "Not me 1"), mine)
        assert late.startswith("That is not here (any more)")
        assert labels(mine.components) == []


async def test_every_part_of_a_long_answer_is_explained_a_page_at_a_time(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    padding = "very " * ((MAX_FACT_CHARACTERS - 200) // 5)
    async with running_bot(discord_server, database) as bot:
        for number in range(11):
            await guild.slash("alice", "general", "memory remember", text=f"I own a {padding}Boat{number}")
        first = await asked(discord_server, bot, guild, "Bot, what do you know about alice?")
        parts = [one for one in first.channel.messages.values() if one.message_id >= first.message_id]
        assert len(parts) > 1
        shown = [await guild.message_menu("alice", "Why?", part) for part in (parts[0], parts[-1])]
        assert shown[0].text == shown[1].text
        [message] = shown[1].messages
    async with running_bot(discord_server, database) as bot:
        pages = [message.text]
        while "More" in labels(message.components):
            assert len(labels(message.components)) <= 18
            pages.append(await changed(guild.click("alice", message, "More"), message))
        boats = [word for page in pages for line in listed(page) for word in line.split() if "Boat" in word]
        assert sorted(boats) == sorted(f"Boat{number}" for number in range(11))
        numbers = [int(line.partition(".")[0]) for page in pages for line in listed(page)]
        assert numbers == list(range(1, 12))
        await changed(guild.click("alice", message, "Back"), message)
        with pytest.raises(NotOfferedError):
            await guild.click("alice", message, "Forget 11")


async def test_in_private_too(discord_server: DiscordServer, database: Database) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        await guild.slash("alice", DIRECTLY, "memory remember", text="I like pizza")
        said = await discord_server.say_directly("alice", "what do you know about me?")
        answer = await answered(discord_server, bot, said)
        shown = await guild.message_menu("alice", "Why?", answer)
        [message] = shown.messages
        assert "pizza" in shown.text
        assert (await changed(guild.click("alice", message, "Not me 1"), message)).startswith("Taken off you")
