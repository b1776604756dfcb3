"""However often the connection is lost, the bot is back within a minute."""

from bot.db.pool import Database
from tests.adapters.discord.bots import running_bot
from tests.servers.discord.hurrying import hurried_reconnecting
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.waiting import until

LONGEST_SECONDS = 60


async def test_after_many_lost_connections_no_pause_is_longer_than_a_minute_and_nothing_was_missed(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        said = []
        with hurried_reconnecting() as pauses:
            for number in range(6):
                tried = len(pauses)
                discord_server.faults.refuse_connections()
                discord_server.faults.drop_socket()
                said.append(await guild.say("alice", "general", f"while it was away {number}"))
                await until(lambda n=tried: len(pauses) >= n + 4, 30, what="it tries again")  # type: ignore[misc]
                discord_server.faults.heal()
                await until(discord_server.gateway.ready, 30, what="it is connected again")
        for message in said:
            await bot.stored(message)
    assert len(pauses) >= 24
    assert max(pauses) <= LONGEST_SECONDS
    # They grow all the same: whoever is down is not hammered.
    assert max(pauses) > 10
