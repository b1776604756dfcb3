"""`keepsake run`: in one line what to click, all heard when it ends, and no token that leaves for elsewhere."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

import asyncpg
import pytest

from bot.adapters.discord.rest import use_addresses
from bot.adapters.discord.running import connected_bot
from bot.app import assembled
from bot.cli import main
from bot.core.clock import SystemClock
from bot.core.errors import DiscordError
from bot.core.settings import Settings
from bot.db.pool import Database
from tests.adapters.discord.bots import bot_process, eventually, running_bot, settings_for
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.waiting import until


@pytest.mark.parametrize(
    ("token", "told"), [("", "DISCORD_TOKEN is not set"), ("not a token", "cannot be a token")]
)
def test_a_token_that_is_none_is_one_line_and_status_2(
    token: str,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", token)
    assert main(["run"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("keepsake: ")
    assert told in printed.err
    assert printed.err.count("\n") == 1


def refuse_the_token(server: DiscordServer) -> None:
    server.faults.fail("GET", "/users/@me", 401, {"message": "401: Unauthorized", "code": 0})


def switch_the_members_off(server: DiscordServer) -> None:
    server.portal.members_intent = False


def switch_the_text_off(server: DiscordServer) -> None:
    server.portal.message_content_intent = False


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (refuse_the_token, "click “Bot”, then “Reset Token”"),
        (switch_the_members_off, "switch on “Server Members Intent” and “Message Content Intent”"),
        (switch_the_text_off, "switch on “Server Members Intent” and “Message Content Intent”"),
    ],
)
async def test_who_is_not_let_in_is_told_what_to_click(
    fault: Callable[[DiscordServer], None], told: str, discord_server: DiscordServer, database: Database
) -> None:
    discord_server.add_guild("Home")
    fault(discord_server)
    async with assembled(settings_for(discord_server), SystemClock(), database) as keepsake:
        with pytest.raises(DiscordError, match=re.escape(told)) as ended:
            async with connected_bot(keepsake, tell=lambda _line: None) as serving, asyncio.timeout(60):
                await serving.until_ended()
    assert ended.value.exit_status == 2


async def test_a_token_that_is_revoked_meanwhile_is_told_too(
    discord_server: DiscordServer, database: Database
) -> None:
    discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        discord_server.faults.close(4004)
        with pytest.raises(DiscordError, match="Discord refuses DISCORD_TOKEN"):
            async with asyncio.timeout(60):
                await bot.serving.until_ended()


async def test_a_discord_that_is_away_is_waited_for(
    discord_server: DiscordServer, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    guild = discord_server.add_guild("Home")
    discord_server.faults.fail("GET", "/users/@me", 503, times=2)
    async with running_bot(discord_server, database):
        said = await guild.say("alice", "general", "Bot, remember that I like pizza")
        await discord_server.answer_to(said)
    lines = [record for record in caplog.records if "cannot be reached" in record.getMessage()]
    assert len(lines) == 1


@pytest.mark.smoke
@pytest.mark.processes
async def test_the_process_hears_answers_and_ends_in_good_order(
    discord_server: DiscordServer, dsn: str, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with bot_process(discord_server, dsn) as process:
        assert await process.told("Keepsake ")
        await process.told("server Home")
        assert process.lines[1].startswith("invite: https://discord.com/oauth2/authorize?client_id=")
        said = await guild.say("alice", "general", "Bot, remember that I like pizza")
        assert (await discord_server.answer_to(said)).text == "Remembered: alice likes pizza."
        assert await process.stop() == 128 + 15
        assert process.errors == []
    assert await kept(database, said.message_id)


async def test_all_that_was_heard_is_written_before_the_end(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        many = await guild.say_many("bob", "general", [f"number {number}" for number in range(500)])
        last = many[-1].message_id
        await until(lambda: bot.client.cached_messages and bot.client.cached_messages[-1].id == last)
    assert [one.text for one in many if not await kept(database, one.message_id)] == []


async def kept(database: Database, message_id: int) -> bool:
    return bool(
        await database.read(
            lambda connection: connection.fetchval(
                "SELECT count(*) FROM chat_history WHERE message_id = $1", message_id
            )
        )
    )


@pytest.mark.processes
async def test_a_database_that_hangs_does_not_keep_the_process_from_ending(
    discord_server: DiscordServer, dsn: str, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with bot_process(discord_server, dsn) as process:
        await process.told("server Home")
        heard = await guild.say("alice", "general", "hello")
        await eventually(lambda: kept(database, heard.message_id))
        connection = await asyncpg.connect(dsn)
        try:
            async with connection.transaction():
                await connection.execute("LOCK TABLE chat_history IN ACCESS EXCLUSIVE MODE")
                await guild.say("alice", "general", "this waits")
                assert await process.stop() == 1
        finally:
            await connection.close()


@pytest.mark.processes
async def test_a_process_that_is_told_to_end_at_once_ends(discord_server: DiscordServer, dsn: str) -> None:
    discord_server.add_guild("Home")
    discord_server.faults.slow("GET", "/users/@me", 600)
    async with bot_process(discord_server, dsn) as process:
        await eventually(lambda: asyncio.sleep(0, bool(discord_server.requests)))
        assert await process.stop() == 128 + 15


async def test_the_token_goes_to_no_other_gateway(discord_server: DiscordServer, database: Database) -> None:
    guild = discord_server.add_guild("Home")
    api_url, gateway_url = discord_server.api_url, discord_server.gateway_url
    # Where Discord would have the bot begin and resume; whoever goes there never comes back.
    discord_server.world.address = "http://127.0.0.1:9"
    async with running_bot(
        discord_server, database, discord_api_url=api_url, discord_gateway_url=gateway_url
    ) as bot:
        discord_server.faults.drop_socket()
        said = await guild.say("alice", "general", "Bot, remember that I like pizza")
        await discord_server.answer_to(said)
        assert await bot.stored(said)


@pytest.mark.parametrize(
    ("api", "pictures"),
    [
        (None, "https://cdn.discordapp.com"),
        ("http://127.0.0.1:8080/api/v10", "http://127.0.0.1:8080"),
        ("https://proxy.example/api/v10/", "https://cdn.discordapp.com"),
    ],
)
def test_every_address_of_the_library_is_set_in_one_place(api: str | None, pictures: str) -> None:
    from discord.asset import Asset
    from discord.gateway import DiscordWebSocket
    from discord.http import Route

    gateway = "ws://127.0.0.1:8080" if api else None
    try:
        use_addresses(Settings(_env_file=None, discord_api_url=api, discord_gateway_url=gateway))
        assert (api or "https://discord.com/api/v10").rstrip("/") == Route.BASE
        assert str(DiscordWebSocket.DEFAULT_GATEWAY) == (
            "ws://127.0.0.1:8080" if api else "wss://gateway.discord.gg/"
        )
        assert pictures == Asset.BASE
    finally:
        use_addresses(Settings(_env_file=None))
