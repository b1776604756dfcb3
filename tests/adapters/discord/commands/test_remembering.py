"""Remembering and forgetting by command and menu: once, undone by who may, offered to who may."""

import asyncio
from functools import partial

import pytest

from bot.db.pool import Database
from tests.adapters.discord.bots import running_bot
from tests.adapters.discord.commands.acts import changed, facts_of, has_facts, is_for_one
from tests.servers.discord.components import labels
from tests.servers.discord.interaction import FakeInteraction
from tests.servers.discord.permissions import Permission
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeMessage
from tests.servers.discord.waiting import until
from tests.servers.gemini import GeminiServer


def is_bare(message: FakeMessage) -> bool:
    """Tell whether there is nothing to press below a message."""
    return not labels(message.components)


def offered(answer: FakeInteraction) -> set[str]:
    """Return what was offered, by the last word of each."""
    return {choice.name.rstrip(".").split()[-1] for choice in answer.choices}


async def test_what_a_command_stored_is_taken_back_by_its_button_after_a_restart_too(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    guild.member("bob").user.locale = "ru"
    async with running_bot(discord_server, database) as bot:
        stored = await guild.slash("alice", "general", "memory remember", text="I like pizza")
        about = await guild.slash("bob", "general", "память запомнить", текст="любит чай", участник="alice")
        assert is_for_one(stored)
        assert is_for_one(about)
        assert about.text.startswith("Записано")
        await has_facts(bot, guild, "alice", "pizza", "чай")
    [message], [told] = stored.messages, about.messages
    assert (labels(message.components), labels(told.components)) == (["Undo"], ["Отменить"])
    async with running_bot(discord_server, database) as bot:
        said = await changed(guild.click("alice", message, "Undo"), message)
        assert said == "Taken back, and no longer kept: alice likes pizza."
        await has_facts(bot, guild, "alice", "чай")
        # Who had it remembered may take it back, though it is about somebody else.
        await changed(guild.click("bob", told, "Отменить"), told)
        await has_facts(bot, guild, "alice")
    assert labels(message.components) == labels(told.components) == []


async def test_a_command_that_comes_twice_is_carried_out_once(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        stored = await guild.slash("alice", "general", "memory remember", text="my cat is called Tom")
        discord_server.interactions.begin(stored)
        # What comes after it shows that it was dealt with.
        await guild.slash("alice", "general", "memory remember", text="I like pizza")
        assert [len(stored.messages), len(await facts_of(bot, guild, "alice"))] == [1, 2]


@pytest.mark.smoke
async def test_a_message_is_remembered_and_forgotten_by_its_menu(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    guild.member("bob").user.locale = "ru"
    before = await guild.say("alice", "general", "I play chess")
    async with running_bot(discord_server, database) as bot:
        said = await guild.say("alice", "general", "I like pizza")
        await bot.stored(said)
        stored = await guild.message_menu("alice", "Remember this", said)
        # It was said before the bot listened, and comes with the command.
        earlier = await guild.message_menu("bob", "Запомнить это", before)
        assert is_for_one(stored)
        assert is_for_one(earlier)
        assert "pizza" in stored.text
        assert earlier.text.startswith("Записано")
        await has_facts(bot, guild, "alice", "pizza", "chess")
        assert {fact.source_message_id for fact in await facts_of(bot, guild, "alice")} == {
            said.message_id,
            before.message_id,
        }
        refused = await guild.message_menu("bob", "Забыть это", said)
        assert "pizza" not in refused.text
        await has_facts(bot, guild, "alice", "pizza", "chess")
        gone = await guild.message_menu("alice", "Forget this", said)
        assert is_for_one(gone)
        assert "pizza" not in gone.text
        await has_facts(bot, guild, "alice", "chess")
        assert (await bot.stored(said)).text == ""


async def test_only_what_you_may_forget_is_offered_and_forgotten(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home", members=("alice", "bob", "carol"))
    guild.add_member("mona", moderator=True)
    guild.add_role("Hosts")
    guild.give_role("carol", "Hosts")
    guild.allow("general", "Hosts", Permission.MANAGE_MESSAGES)
    guild.member("bob").user.locale = "ru"
    path = "memory forget"
    async with running_bot(discord_server, database) as bot:
        for who, text in (("alice", "I like pizza"), ("alice", "I like tea"), ("bob", "I like rum")):
            await guild.slash(who, "general", "memory remember", text=text)
        await guild.slash("bob", "general", "memory remember", text="likes jam", member="alice")
        suggested = {
            who: offered(
                await guild.autocomplete(who, "general", path, focused="fact", member="alice", typed=typed)
            )
            for who, typed in (("alice", ""), ("bob", ""), ("carol", ""), ("mona", "ALICE TE"))
        }
        own = await guild.autocomplete("bob", "general", path, focused="fact")
        assert suggested == {
            "alice": {"pizza", "tea", "jam"},
            "bob": {"jam"},
            "carol": set(),
            "mona": {"tea"},
        }
        assert offered(own) == {"rum"}

        [pizza] = [fact for fact in await facts_of(bot, guild, "alice") if "pizza" in fact.content]
        # A permission in one room gives no power over what is known in all of them.
        for who in ("bob", "carol"):
            refused = await guild.slash(who, "general", path, fact=str(pizza.fact_id))
            assert "pizza" not in refused.text
        unchosen = [
            await guild.slash("bob", "general", "память забыть", запись=text)
            for text in ("pizza", "9" * 30, "²")
        ]
        assert {answer.text.split()[0] for answer in unchosen} == {"Выберите"}
        await has_facts(bot, guild, "alice", "pizza", "tea", "jam")
        gone = await guild.slash("alice", "general", path, fact=str(pizza.fact_id), member="alice")
        assert is_for_one(gone)
        assert "pizza" not in gone.text
        await has_facts(bot, guild, "alice", "tea", "jam")
        [jam] = [fact for fact in await facts_of(bot, guild, "alice") if "jam" in fact.content]
        await guild.slash("mona", "general", path, fact=str(jam.fact_id))
        await has_facts(bot, guild, "alice", "tea")


async def test_the_button_under_a_confirmation_is_for_teller_subject_and_moderators(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home", members=("alice", "bob", "carol"))
    guild.add_member("mona", moderator=True)
    guild.member("carol").user.locale = "ru"
    async with running_bot(discord_server, database):
        confirmations = [
            await discord_server.answer_to(await guild.say("alice", "general", f"Bot, remember that {text}"))
            for text in ("I like pizza", f"{guild.mention('bob')} likes tea", "I own a boat")
        ]
    async with running_bot(discord_server, database) as bot:
        refused = await guild.click("carol", confirmations[0], "Undo")
        await refused.until(lambda one: len(one.messages) > 0)
        assert refused.messages[-1].text.startswith("Отменить это может только")
        assert refused.messages[-1].ephemeral
        await has_facts(bot, guild, "alice", "pizza", "boat")
        assert labels(confirmations[0].components) == ["Undo"]
        for who, confirmation in zip(("alice", "bob", "mona"), confirmations, strict=True):
            before = confirmation.text
            undone = await guild.click(who, confirmation, "Undo")
            [told] = await undone.shown()
            assert told.ephemeral
            await until(partial(is_bare, confirmation), what="the button is gone")
            assert confirmation.text == before
        await has_facts(bot, guild, "alice")
        await has_facts(bot, guild, "bob")
        again = await asyncio.gather(*(bot.kept(confirmation) for confirmation in confirmations))
        assert all(kept is not None for kept in again)


async def test_the_button_under_a_confirmation_speaks_its_language(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with GeminiServer() as gemini:
        fact = {"subject": "u1", "text": "@u1 mag Tee"}
        gemini.answer("route", {"kind": "remember", "confident": True, "facts": [fact]})
        keys = {"gemini_api_key": "x", "gemini_base_url": gemini.url}
        async with running_bot(discord_server, database, **keys):  # type: ignore[arg-type]
            told = await discord_server.answer_to(
                await guild.say("alice", "general", "Bot, merk dir, dass ich Tee mag")
            )
            assert told.text == "Gemerkt: alice mag Tee."
            assert labels(told.components) == ["Rückgängig"]
            await guild.click("alice", told, "Rückgängig")
            await until(lambda: labels(told.components) == [], what="the button is gone")
