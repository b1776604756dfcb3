"""The log channel on Discord: one line for what was removed about others, pinging nobody and never saying what."""

from bot.db.pool import Database
from bot.memory.outbox.removal_log import Removal
from tests.adapters.discord.bots import RunningBot, eventually, running_bot
from tests.adapters.discord.commands.acts import facts_of, has_facts
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeChannel
from tests.servers.discord.waiting import until

SETTINGS = "memory-admin settings"


def home(server: DiscordServer) -> tuple[FakeGuild, FakeChannel]:
    guild = server.add_guild("Home", members=("alice", "bob"))
    guild.add_member("mona", moderator=True, manager=True)
    return guild, guild.add_channel("log")


def lines(channel: FakeChannel) -> list[str]:
    return [channel.messages[message_id].text for message_id in channel.order]


async def told_and_forgotten(bot: RunningBot, guild: FakeGuild, what: str) -> None:
    await guild.slash("bob", "general", "memory remember", text=f"likes {what}", member="alice")
    [fact] = [fact for fact in await facts_of(bot, guild, "alice") if what in fact.content]
    await guild.slash("mona", "general", "memory forget", fact=str(fact.fact_id))
    await has_facts(bot, guild, "alice")


async def test_a_removal_about_somebody_else_is_noted_once_and_pings_nobody(
    discord_server: DiscordServer, database: Database
) -> None:
    guild, log = home(discord_server)
    alice, mona = guild.member("alice").user_id, guild.member("mona").user_id
    async with running_bot(discord_server, database) as bot:
        told = await guild.slash("mona", "general", SETTINGS, log_channel="log", forget_others="moderators")
        assert f"<#{log.channel_id}>" in told.text
        await told_and_forgotten(bot, guild, "zanzibar")
        await until(lambda: len(lines(log)) > 0, what="the line is posted")
        await guild.slash("alice", "general", "memory remember", text="I like tea")
        [own] = await facts_of(bot, guild, "alice")
        await guild.slash("alice", "general", "memory forget", fact=str(own.fact_id))
        await bot.keepsake.work.idle()
    [message] = log.messages.values()
    assert message.text == f"<@{mona}> had removed what was kept of others: 1 fact about <@{alice}>."
    assert message.allowed_mentions == {"parse": []}
    shown = await shown_settings(discord_server, database, guild)
    assert f"<#{log.channel_id}>" in shown


async def shown_settings(server: DiscordServer, database: Database, guild: FakeGuild) -> str:
    async with running_bot(server, database):
        answer = await guild.slash("mona", "general", SETTINGS)
    return str(answer.messages[0].embeds)


class Elsewhere:
    """A face that speaks in none of these guilds."""

    async def post(self, removal: Removal, *, channel_id: int) -> bool:
        return False


async def test_a_line_that_waited_comes_after_the_start(
    discord_server: DiscordServer, database: Database
) -> None:
    guild, log = home(discord_server)
    guild.locale = "ru"
    async with running_bot(discord_server, database) as bot:
        await guild.slash("mona", "general", SETTINGS, log_channel="log")
        await bot.keepsake.memory.removal_log.attach(Elsewhere())
        await told_and_forgotten(bot, guild, "zanzibar")
        await bot.keepsake.work.idle()
        assert lines(log) == []
    async with running_bot(discord_server, database):
        await until(lambda: len(lines(log)) == 1, what="the line is posted")
    assert lines(log)[0].startswith("По просьбе ")
    assert "zanzibar" not in lines(log)[0]


async def test_a_log_channel_that_is_gone_or_closed_holds_nothing_up(
    discord_server: DiscordServer, database: Database
) -> None:
    guild, log = home(discord_server)

    async def nothing_waits() -> bool:
        rows = await database.read(lambda connection: connection.fetchval("SELECT count(*) FROM removals"))
        return not rows

    async with running_bot(discord_server, database) as bot:
        await guild.slash("mona", "general", SETTINGS, log_channel="log")
        guild.hide_from_bot("log")
        await told_and_forgotten(bot, guild, "zanzibar")
        await eventually(nothing_waits)
        guild.remove_channel(log)
        await told_and_forgotten(bot, guild, "quokka")
        await eventually(nothing_waits)
    assert lines(log) == []
