"""`/memory search`: what was found, with author, time and link, a page at a time, for one pair of eyes."""

import pytest

from bot.chat.commands import MOST_SEARCHED
from bot.db.pool import Database
from tests.adapters.discord.bots import running_bot
from tests.adapters.discord.commands.acts import changed, is_for_one, listed
from tests.servers.discord.components import labels
from tests.servers.discord.server import DiscordServer


async def test_it_finds_messages_and_facts_and_links_to_where_they_were_said(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home", channels=("general", "games"))
    guild.member("bob").user.locale = "ru"
    async with running_bot(discord_server, database):
        said = await guild.say("alice", "games", "this cello is out of tune @everyone")
        await guild.slash("bob", "general", "memory remember", text="I own a cello")
        asked = await guild.say("alice", "general", "Bot, when did we talk about the cello?")
        in_words = await discord_server.answer_to(asked)
        english = await guild.slash("alice", "general", "memory search", words="cello")
        russian = await guild.slash("bob", "general", "память поиск", слова="cello")
        nothing = await guild.slash("alice", "general", "memory search", words="unicorns")
    link = f"https://discord.com/channels/{guild.guild_id}/{said.channel.channel_id}/{said.message_id}"
    assert link in in_words.text
    assert english.text.startswith("What I found about “cello”:")
    for shown, source, noted in ((english, "source", "noted: "), (russian, "источник", "записано: ")):
        assert is_for_one(shown)
        fact, message = sorted(listed(shown.text), key=lambda line: "out of tune" in line)
        assert message.startswith("- alice: this cello is out of tune")
        assert message.endswith(f"<t:{int(said.sent_at.timestamp())}:D> · [{source}]({link})")
        assert fact.startswith(f"- {noted}bob")
    assert nothing.text == "I find nothing about “unicorns” in what I have heard here."


async def test_many_are_paged_after_a_restart_too(discord_server: DiscordServer, database: Database) -> None:
    guild = discord_server.add_guild("Home")
    words = "ramen" + ", ramen" * ((MOST_SEARCHED - 5) // 7)
    async with running_bot(discord_server, database) as bot:
        for number in range(13):
            await bot.stored(await guild.say("alice", "general", f"ramen number {number}"))
        answer = await guild.slash("bob", "general", "memory search", words=words)
        [message] = answer.messages
        pages = [message.text]
    async with running_bot(discord_server, database):
        pages.append(await changed(guild.click("bob", message, "More"), message))
        assert labels(message.components) == ["Back"]
        assert await changed(guild.click("bob", message, "Back"), message) == pages[0]
    assert [len(listed(page)) for page in pages] == [10, 3]
    assert len({line for page in pages for line in listed(page)}) == 13


@pytest.mark.parametrize("way", ["search", "catchup"])
async def test_of_talk_only_what_the_asker_can_read_now_is_quoted_and_nothing_sensitive(
    discord_server: DiscordServer, database: Database, way: str
) -> None:
    guild = discord_server.add_guild("Home", channels=("general", "plans", "moods"))
    guild.add_role("Muted")
    guild.add_member("carol", roles=("Muted",))
    guild.hide("plans", "Muted")
    async with running_bot(discord_server, database) as bot:
        await guild.say("carol", "general", "hello there")
        await bot.stored(await guild.say("alice", "plans", "the kayak race begins at noon"))
        await bot.stored(await guild.say("alice", "moods", "I'm so stressed about the kayak"))

        async def told(who: str) -> str:
            if way == "search":
                found = await guild.slash(who, "general", "memory search", words="kayak")
                asked = await guild.say(who, "general", "Bot, when did we talk about the kayak?")
            else:
                found = await guild.slash(who, "general", "memory catchup", since="2 hours")
                asked = await guild.say(who, "general", "Bot, what did I miss since yesterday?")
            answer = await discord_server.answer_to(asked)
            return "\n".join([answer.text, *(message.text for message in found.messages)])

        to_bob, to_carol = await told("bob"), await told("carol")
        assert to_bob.count("the kayak race begins at noon") == 2
        plans, moods = guild.channel("plans").channel_id, guild.channel("moods").channel_id
        assert "race" not in to_carol and f"/{plans}/" not in to_carol
        for answered in (to_bob, to_carol):
            assert "stressed" not in answered
            assert answered.count(f"/{moods}/") == 2
