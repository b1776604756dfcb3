"""Nothing but ours is ever printed where the bot talks to Discord either: whole outputs of whole processes."""

import re
from pathlib import Path

import pytest

from bot import __version__
from bot.adapters.discord.client import invite_link
from tests.adapters.discord.bots import bot_process
from tests.printed import on_pipes
from tests.servers.discord.server import DiscordServer
from tests.servers.gemini import GeminiServer

pytestmark = pytest.mark.processes

_LATE = re.compile(
    r"[\d-]{10} [\d:,]{12} WARNING bot\.[\w.]+: the reply to message \d+ goes without [a-z' ]+: TimeoutError"
)
"""What a machine that is too busy for a second is told."""


async def test_a_run_prints_its_start_and_nothing_else(
    discord_server: DiscordServer, dsn: str, tmp_path: Path
) -> None:
    guild = discord_server.add_guild("Home")
    async with GeminiServer() as gemini:
        gemini.answer("reply", "Quite well, thanks!")
        async with bot_process(
            discord_server,
            dsn,
            KEEPSAKE_HOME=str(tmp_path),
            GEMINI_API_KEY="key",
            GEMINI_BASE_URL=gemini.url,
            # Libraries tell whoever seems to read along what they tell a terminal.
            AI_AGENT="reader",
            LOG_LEVEL="ERROR",
        ) as process:
            await process.told("server Home")
            asked = await guild.say("alice", "general", "Bot, how are you?")
            assert (await discord_server.answer_to(asked)).text == "Quite well, thanks!"
            discord_server.faults.drop_socket()
            await discord_server.connected(60)
            again = await guild.say("alice", "general", "Bot, and now?")
            assert (await discord_server.answer_to(again)).text == "Quite well, thanks!"
            assert await process.stop() == 128 + 15
    assert process.lines[:4] == [
        f"Keepsake {__version__}",
        f"invite: {invite_link(discord_server.application_id)}",
        "model: google:gemini-flash-latest (then google:gemma-4-31b-it)",
        f"server Home ({guild.guild_id}): reads and writes in every channel",
    ]
    # After a start and after a lost connection some may have been missed, which is told once.
    for line in process.lines[4:]:
        assert re.fullmatch(r"Home: caught up \d+ messages?, 0 edits, 0 deletions", line)
    assert [line for line in process.errors if not _LATE.fullmatch(line)] == []


async def test_a_backfill_prints_its_report_and_nothing_else(
    discord_server: DiscordServer, dsn: str, tmp_path: Path
) -> None:
    guild = discord_server.add_guild("Reef")
    await guild.say("alice", "general", "hello")
    printed = await on_pipes(
        "backfill",
        settings={
            "DATABASE_URL": dsn,
            "KEEPSAKE_HOME": str(tmp_path),
            "DISCORD_TOKEN": discord_server.token,
            "DISCORD_API_URL": discord_server.api_url,
        },
    )
    assert re.fullmatch(
        r"Reef #general: 1 messages: 1 new, 0 known, back to \d{4}-\d\d-\d\d\n", printed.output
    ), printed.output
    assert (printed.errors, printed.status) == ("", 0)
