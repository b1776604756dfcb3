"""Commands around a start and a gap are carried out, each once, and in the order in which they were said."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.core.domain import Language
from bot.db.pool import Database
from bot.text.sentences import say
from tests.adapters.discord.bots import bot_process, eventually
from tests.adapters.discord.gaps import rewind
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.waiting import until

pytestmark = pytest.mark.processes

HISTORY_SECONDS = 20.0
"""How slowly Discord tells what was said: everything that is said live is answered before."""


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
        await process.told("server Harbour")
        await rewind(database, general.channel_id, begun - timedelta(minutes=1))
        for number in range(11):
            text = f"Bot, remember that I own {number + 1} boats"
            asked = await guild.say("alice", general, text, said_at=begun + timedelta(seconds=4 * number))
            await discord_server.answer_to(asked)
        assert await process.stop() == 128 + 15
    forget = await guild.say("alice", general, "Bot, forget that I own 9 boats")
    async with bot_process(discord_server, dsn) as process:
        told = await discord_server.answer_to(forget)
        assert told.text.startswith("Forgotten: I removed 1 fact.")
        asked = await guild.say("alice", general, "Bot, remember that I like walnuts")
        assert "walnuts" in (await discord_server.answer_to(asked)).text
    stored = await known(database)
    assert "I own 9 boats" not in stored
    assert stored[-1] == "I like walnuts"
    assert len(stored) == 11


@pytest.mark.parametrize(
    ("remember", "forget", "word", "room"),
    [
        ("Bot, remember that I own 9 boats", "Bot, forget that I own 9 boats", "boats", "general"),
        pytest.param(
            "Бот, запомни, что у меня девять лодок",
            "Бот, забудь, что у меня девять лодок",
            "лодок",
            "games",
            marks=pytest.mark.soak,
        ),
    ],
)
async def test_a_forgetting_is_not_overtaken_by_what_is_read_back_behind_it(
    discord_server: DiscordServer,
    dsn: str,
    database: Database,
    remember: str,
    forget: str,
    word: str,
    room: str,
) -> None:
    guild = discord_server.add_guild("Harbour", channels=("general", "games"))
    async with bot_process(discord_server, dsn) as process:
        await process.told("server Harbour")
        first = await guild.say("alice", "general", "Bot, remember that I like walnuts")
        await discord_server.answer_to(first)
        assert await process.stop() == 128 + 15
    late = await guild.say("alice", "games", remember)
    discord_server.faults.slow(
        "GET", f"/channels/{guild.channel('games').channel_id}/messages", HISTORY_SECONDS, times=None
    )
    async with bot_process(discord_server, dsn) as process:
        await until(lambda: bool(discord_server.gateway.connections), what="the bot is there")
        asked = await guild.say("alice", room, forget)
        told = (await discord_server.answer_to(asked)).text
        assert told.endswith(say("forget.catching_up", Language.of(word)))
        discord_server.faults.heal()
        await eventually(lambda: _is_heard(database, late.message_id))
        await process.told("Harbour: caught up")
        asked = await guild.say("alice", "games", "Bot, what do you know about me?")
        known_now = (await discord_server.answer_to(asked)).text
        assert "walnuts" in known_now
        assert word not in known_now
    assert await known(database) == ["I like walnuts"]
    assert await _readable(database, word) == 0


async def _is_heard(database: Database, message_id: int) -> bool:
    found: bool = await database.read(
        lambda connection: connection.fetchval(
            "SELECT EXISTS (SELECT 1 FROM chat_history WHERE message_id = $1)", message_id
        )
    )
    return found


async def _readable(database: Database, word: str) -> int:
    found: int = await database.read(
        lambda connection: connection.fetchval(
            "SELECT count(*) FROM chat_history WHERE message_text ILIKE $1", f"%{word}%"
        )
    )
    return found
