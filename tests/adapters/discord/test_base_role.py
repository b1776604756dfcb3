"""A guild that hides its channels from who is not verified: closed, until a manager says who everybody is."""

from dataclasses import replace

import pytest

from bot.core.domain import OPEN
from bot.db.pool import Database
from bot.memory.members.directory import Directory
from tests.adapters.discord.bots import RunningBot, eventually, running_bot
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.permissions import TALKING, Permission
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeRole

BLIND = TALKING & ~Permission.VIEW_CHANNEL


def gated(server: DiscordServer, *, locale: str = "en-US") -> FakeGuild:
    """A guild in which @everyone sees #verify alone, and members all the rest but that."""
    guild = server.add_guild("Gated", members=(), channels=(), everyone=int(BLIND), locale=locale)
    guild.add_role("Members", permissions=int(TALKING))
    guild.add_role("Painters", permissions=int(TALKING))
    for name in ("general", "games", "verify"):
        guild.add_channel(name)
    guild.show("verify")
    guild.hide("verify", "Members")
    for name in ("alice", "bob", "carol"):
        guild.add_member(name, roles=("Members",))
    guild.add_member("dave", roles=("Painters",))
    guild.add_member("mona", roles=("Members",), manager=True)
    guild.add_member("stranger")
    return guild


async def test_the_role_that_most_members_hold_is_proposed_and_a_manager_decides(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = gated(discord_server)
    role = guild.role("Members")
    async with running_bot(discord_server, database) as bot:
        [asked] = await discord_server.sent_to(guild.channel("general"))
        assert f"<@&{role.role_id}>" in asked.text
        assert asked.allowed_mentions is not None
        assert not asked.allowed_mentions.get("parse")
        before = await guild.say("alice", "games", "before")
        assert (await bot.stored(before)).audience == guild.channel("games").channel_id

        refused = await guild.click("alice", asked, f"base-role:{role.role_id}")
        assert "Manage Server" in refused.messages[0].text
        assert refused.ephemeral
        assert (await bot.guild(guild.guild_id)).base_role_id is None

        await guild.click("mona", asked, f"base-role:{role.role_id}")
        await eventually(lambda: is_set(bot, role))
        games = await bot.channel(guild.channel("games"))
        assert games is not None
        assert games.audience == OPEN
        assert (await bot.stored(await guild.say("alice", "games", "after"))).audience == OPEN
        verify = await guild.say("stranger", "verify", "let me in")
        assert (await bot.stored(verify)).audience == guild.channel("verify").channel_id
        # What was said while the room was closed stays closed.
        assert (await bot.stored(before)).audience == guild.channel("games").channel_id


async def is_set(bot: RunningBot, role: FakeRole) -> bool:
    # In the directory it is a moment before audiences go by it.
    return role.role_id in {bot.client.rooms.base_role_id(guild.id) for guild in bot.client.guilds}


async def is_everyone(bot: RunningBot, guild: FakeGuild) -> bool:
    return bot.client.rooms.base_role_id(guild.guild_id) is None


@pytest.mark.parametrize("is_elsewhere", [False, True])
async def test_a_base_role_that_is_taken_away_by_the_api_or_by_another_process_closes_what_it_opened(
    discord_server: DiscordServer, database: Database, *, is_elsewhere: bool
) -> None:
    guild = gated(discord_server)
    async with running_bot(discord_server, database) as bot:
        await guild.slash("mona", "general", "memory-admin settings", base_role="Members")
        assert (await bot.stored(await guild.say("alice", "games", "open"))).audience == OPEN
        directory = Directory(database) if is_elsewhere else bot.keepsake.directory
        was = await bot.guild(guild.guild_id)
        await directory.change_guild(was, replace(was, base_role_id=None))
        if is_elsewhere:
            await eventually(lambda: is_everyone(bot, guild))
        closed = await bot.stored(await guild.say("alice", "games", "closed"))
        assert closed.audience == guild.channel("games").channel_id
        games = await bot.channel(guild.channel("games"))
        assert games is not None
        assert games.audience == guild.channel("games").channel_id


async def test_what_is_told_in_a_gated_guild_is_known_to_its_members_alone(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = gated(discord_server)
    role = guild.role("Members")
    async with running_bot(discord_server, database) as bot:
        [asked] = await discord_server.sent_to(guild.channel("general"))
        await guild.click("mona", asked, f"base-role:{role.role_id}")
        await eventually(lambda: is_set(bot, role))
        told = await guild.say("alice", "general", "Bot, remember that I like pizza")
        await discord_server.answer_to(told)
        answers = {
            place: (
                await discord_server.answer_to(
                    await guild.say(who, place, f"Bot, what do you know about {guild.mention('alice')}?")
                )
            ).text
            for who, place in (("bob", "games"), ("stranger", "verify"))
        }
    assert "pizza" in answers["games"]
    assert "pizza" not in answers["verify"]


async def test_the_question_is_asked_once_a_day_and_its_button_survives_a_restart(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = gated(discord_server, locale="ru")
    role = guild.role("Members")
    for _ in range(2):
        async with running_bot(discord_server, database) as bot:
            [asked] = await discord_server.sent_to(guild.channel("general"))
            assert asked.text.startswith("Большинство каналов")
    async with running_bot(discord_server, database) as bot:
        await guild.click("mona", asked, f"base-role:{role.role_id}")
        await eventually(lambda: is_set(bot, role))
    assert len(discord_server.sent) == 1


async def test_an_open_guild_is_asked_nothing(discord_server: DiscordServer, database: Database) -> None:
    discord_server.add_guild("Home", channels=("general", "plans"))
    async with running_bot(discord_server, database):
        await discord_server.quiet(0.2)
