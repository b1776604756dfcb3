"""What is known, shown by commands and menus: to whoever asks alone, with its source, in their language."""

import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.discord.commands.pages import MOST_FACTS, pages_of
from bot.chat.usecases.context import MemoryLine, MemoryListing, RequestContext
from bot.core.domain import Language
from bot.db.pool import Database
from tests.adapters.discord.bots import running_bot
from tests.adapters.discord.commands.acts import changed, facts_of, is_for_one, listed
from tests.servers.discord.components import NotOfferedError, labels
from tests.servers.discord.interaction_acts import DIRECTLY
from tests.servers.discord.server import DiscordServer

MOST_CHARACTERS = 2_000
CHOOSE = "Choose one to have it forgotten…"


async def test_a_member_is_shown_with_day_and_source_in_the_language_of_whoever_asks(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    guild.member("bob").user.locale = "ru"
    async with running_bot(discord_server, database):
        told = await guild.say("alice", "general", "Bot, remember that I like pizza @everyone")
        await discord_server.answer_to(told)
        await guild.slash("alice", "general", "memory remember", text="movie night is on Friday")
        english = await guild.slash("alice", "general", "memory show", member="alice")
        russian = await guild.slash("bob", "general", "память показать", участник="alice")
        menu = await guild.user_menu("alice", "What do you know?", "alice")
        russian_menu = await guild.user_menu("bob", "Что ты знаешь?", "alice")
        about_guild = await guild.slash("bob", "general", "memory show")
        nothing = await guild.slash("alice", "general", "memory show", member="bob")
        bot_itself = await guild.user_menu("alice", "What do you know?", guild.bot)
    for answer in (english, russian, menu, russian_menu, about_guild, nothing, bot_itself):
        assert is_for_one(answer), answer.name
    assert english.text.startswith("What I know about alice")
    assert menu.text == english.text
    assert russian.text.startswith("Что я знаю")
    assert russian_menu.text == russian.text
    day = f"<t:{int(told.sent_at.timestamp())}:D>"
    source = f"https://discord.com/channels/{guild.guild_id}/{told.channel.channel_id}/{told.message_id}"
    for answer, word in ((english, "source"), (russian, "источник")):
        [line] = listed(answer.text)
        assert line.endswith(f"{day} · [{word}]({source})")
        assert "pizza" in line
    [line] = listed(about_guild.text)
    # Nobody said it in a message, so there is none to jump to.
    assert "movie night" in line
    assert "https://" not in line
    assert not listed(nothing.text)
    assert nothing.text
    assert not listed(bot_itself.text)


async def test_long_lists_are_paged_and_the_buttons_outlive_the_process(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database):
        for number in range(23):
            await guild.slash("alice", "general", "memory remember", text=f"I own a boat called Boat{number}")
        answer = await guild.slash("alice", "general", "memory show", member="alice")
        [message] = answer.messages
        pages = [message.text]
    async with running_bot(discord_server, database) as bot:
        pages += [await changed(guild.click("alice", message, "More"), message) for _ in range(2)]
        with pytest.raises(NotOfferedError):
            await guild.click("alice", message, "More")
        assert await changed(guild.click("alice", message, "Back"), message) == pages[1]
        assert [len(listed(page)) for page in pages] == [10, 10, 3]
        boats = [boat for page in pages for boat in re.findall(r"Boat\d+", page)]
        assert sorted(boats) == sorted(f"Boat{number}" for number in range(23))
        assert [page.splitlines()[-1] for page in pages] == [f"-# Page {page} of 3" for page in (1, 2, 3)]
        # What was forgotten meanwhile leaves the pages, and a page that is gone is the last one.
        for fact in (await facts_of(bot, guild, "alice"))[:15]:
            await guild.slash("alice", "general", "memory forget", fact=str(fact.fact_id))
        last = await changed(guild.click("alice", message, "More"), message)
    assert len(listed(last)) == 8
    assert labels(message.components) == [CHOOSE]


async def test_what_is_said_in_a_closed_room_is_shown_there_alone(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    guild.add_role("Crew")
    crew = guild.add_channel("crew", visible_to=("Crew",))
    blind = guild.add_channel("blind", bot_sees=False, visible_to=("@everyone",))
    guild.add_member("carol", roles=("Crew",))
    async with running_bot(discord_server, database):
        await guild.slash("carol", crew, "memory remember", text="I like rum")
        await guild.slash("carol", blind, "memory remember", text="I like gin")
        seen = {
            place.name: (await guild.slash("carol", place, "memory show", member="carol")).text
            for place in (guild.channel("general"), crew, blind)
        }
        offered = await guild.autocomplete(
            "carol", "general", "memory forget", focused="fact", member="carol"
        )
    assert {place: ("rum" in text, "gin" in text) for place, text in seen.items()} == {
        "general": (False, False),
        "crew": (True, False),
        # The bot cannot see who reads it, so it is closed whoever does.
        "blind": (False, True),
    }
    assert offered.choices == []


async def test_in_private_you_are_shown_what_is_known_about_you(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database):
        first = await guild.slash("alice", DIRECTLY, "memory remember", text="I like pizza")
        told = await discord_server.say_directly("alice", "remember that I play chess")
        await discord_server.answer_to(told)
        shown = await guild.slash("alice", DIRECTLY, "memory show")
        others = await guild.slash("bob", "general", "memory show", member="alice")
        helped = await guild.slash("alice", DIRECTLY, "memory help")
    assert "pizza" in first.text
    assert sorted("chess" in line for line in listed(shown.text)) == [False, True]
    assert f"https://discord.com/channels/@me/{told.channel.channel_id}/{told.message_id}" in shown.text
    assert not listed(others.text)
    assert "</memory forget:" in helped.text


async def test_help_names_the_commands_as_members_can_click_them(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    guild.member("bob").user.locale = "ru"
    async with running_bot(discord_server, database):
        english = await guild.slash("alice", "general", "memory help")
        russian = await guild.slash("bob", "general", "память помощь")
    [command_id] = {
        one.command_id for one in discord_server.interactions.commands.all_of(None) if one.name == "memory"
    }
    for answer, word in ((english, "remember that I like pizza"), (russian, "запомни, что я люблю пиццу")):
        assert is_for_one(answer)
        assert word in answer.text
        assert f"</memory forget:{command_id}>: " in answer.text


TEXTS = st.text(alphabet="ab \n*<>йц", min_size=1, max_size=500).map(str.strip).filter(bool)


@given(st.lists(TEXTS, min_size=1, max_size=40), st.text(max_size=400), st.booleans())
def test_a_page_fits_into_a_message_and_no_fact_is_left_out(
    texts: list[str], title: str, is_russian: bool
) -> None:
    visit = RequestContext(
        guild_id=2**62,
        channel_id=2**62,
        audience=0,
        user_id=1,
        language=Language.RUSSIAN if is_russian else Language.ENGLISH,
        interaction_id=1,
        bot_id=2,
        bot_name="Bot",
    )
    lines = tuple(
        MemoryLine(
            text=text,
            said_at=datetime(2026, 3, 1, tzinfo=UTC),
            fact_id=number,
            guild_id=2**62,
            channel_id=2**62,
            message_id=2**62,
        )
        for number, text in enumerate(texts)
    )
    pages = pages_of(MemoryListing(title, lines), visit)
    room = MOST_CHARACTERS - len("\n-# Страница 99 из 99")
    assert all(len(page) <= room for page in pages)
    shown = [len(re.findall(r"<t:\d+:D>", page)) for page in pages]
    assert max(shown) <= MOST_FACTS
    assert sum(shown) == len(texts)
    whole = "\n".join(pages)
    assert all(" ".join(text.split()) in whole for text in texts)
