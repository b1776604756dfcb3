"""Commands around a start and a gap are carried out, each once, and in the order in which they were said."""

from datetime import UTC, datetime, timedelta

from bot.store.database import Database
from tests.faces.discord.bots import bot_process
from tests.faces.discord.gaps import rewind
from tests.servers.discord.server import DiscordServer

PATIENCE = 60


async def known(database: Database) -> list[str]:
    """Return what holds of the facts, in the order in which they were stored."""
    rows = await database.read(
        lambda connection: connection.fetch(
            "SELECT raw_content FROM facts WHERE status = 'active' ORDER BY fact_id"
        )
    )
    return [row["raw_content"] for row in rows]


async def test_what_was_answered_before_a_start_slows_nobody_down(
    discord_server: DiscordServer, dsn: str, database: Database
) -> None:
    guild = discord_server.add_guild("Harbour")
    general = guild.channel("general")
    begun = datetime.now(UTC) - timedelta(seconds=90)
    async with bot_process(discord_server, dsn) as process:
        await process.told("server Harbour", PATIENCE)
        await rewind(database, general.channel_id, begun - timedelta(minutes=1))
        for number in range(11):
            text = f"Bot, remember that I own {number + 1} boats"
            asked = await guild.say("alice", general, text, said_at=begun + timedelta(seconds=4 * number))
            await discord_server.answer_to(asked, PATIENCE)
        assert await process.stop(PATIENCE) == 128 + 15
    forget = await guild.say("alice", general, "Bot, forget that I own 9 boats")
    async with bot_process(discord_server, dsn) as process:
        told = await discord_server.answer_to(forget, PATIENCE)
        assert told.text == "Forgotten: I removed 1 fact."
        asked = await guild.say("alice", general, "Bot, remember that I like walnuts")
        assert "walnuts" in (await discord_server.answer_to(asked, PATIENCE)).text
    stored = await known(database)
    assert "I own 9 boats" not in stored
    assert stored[-1] == "I like walnuts"
    assert len(stored) == 11
