"""What the client holds in memory does not grow with the members of a guild, nor with what they say."""

from bot.db.pool import Database
from tests.adapters.discord.bots import running_bot
from tests.servers.discord.server import DiscordServer


async def test_of_a_guild_no_members_are_held_but_the_bot_itself(
    discord_server: DiscordServer, database: Database
) -> None:
    names = tuple(f"member-{number}" for number in range(200))
    guild = discord_server.add_guild("Home", members=names)
    async with running_bot(discord_server, database) as bot:
        for name in names[:10]:
            said = await guild.say(name, "general", "the harbour cafe has ramen again")
        await bot.stored(said)
        [home] = bot.client.guilds
        assert home.member_count == len(guild.members)
        assert [member.id for member in home.members] == [discord_server.bot_user_id]


async def test_of_what_is_said_the_last_thousand_messages_are_held(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        said = await guild.say_many("alice", "general", (f"number {number}" for number in range(1_010)))
        await bot.stored(said[-1])
        assert len(bot.client.cached_messages) == 1_000
        assert bot.client.cached_messages[-1].id == said[-1].message_id
