"""The web server beside the bot, alone, and not at all."""

import asyncio
import socket
import subprocess
import sys

import httpx
import pytest
from pydantic import SecretStr

from bot import cli
from bot.adapters.web.app import make_app
from bot.adapters.web.running import SERVICE
from bot.core.clock import SetClock
from bot.core.errors import SettingsError
from bot.core.settings import Settings
from bot.db.pool import Database
from tests.adapters.discord.bots import bot_process, eventually
from tests.adapters.web.homes import Home, home
from tests.servers.discord.fixtures import discord_server  # noqa: F401
from tests.servers.discord.server import DiscordServer

UNWANTED_MODULES = (
    "fastapi",
    "starlette",
    "uvicorn",
    "bot.adapters.web",
    "opentelemetry.exporter",
    "opentelemetry.sdk",
    "prometheus_client",
    "bot.adapters.monitoring",
)
"""The web part, and what exports figures and traces."""


@pytest.mark.processes
def test_nothing_of_it_is_loaded_unless_it_is_wanted() -> None:
    program = (
        "import sys\n"
        "import bot.adapters.console.app, bot.adapters.discord.running, bot.app, bot.doctor, bot.cli\n"
        f"print([name for name in sys.modules if name.startswith({UNWANTED_MODULES!r})])\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert ended.stdout == "[]\n", ended.stderr


@pytest.mark.processes
def test_without_its_packages_it_says_what_to_install_and_the_rest_works(dsn: str) -> None:
    program = (
        "import sys\n"
        "sys.modules['fastapi'] = None\n"
        "from bot.cli import main\n"
        "print(main(['migrate']), main(['web']))\n"
    )
    environment = {"DATABASE_URL": dsn, "PATH": "/usr/bin:/bin"}
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, env=environment
    )
    assert ended.stdout == "0 2\n", ended.stderr
    assert ended.stderr == (
        "keepsake: the web part needs packages that are not installed: pip install 'keepsake-bot[web]'\n"
    )


@pytest.mark.processes
async def test_beside_the_bot_it_lets_in_and_ends_with_it(discord_server: DiscordServer, dsn: str) -> None:  # noqa: F811
    discord_server.add_guild("Home")
    async with bot_process(discord_server, dsn, WEB_ENABLED="true", WEB_PORT="0") as process:
        await process.told("server Home")
        (link,) = [word for line in process.lines for word in line.split() if "/enter?code=" in word]
        async with httpx.AsyncClient(base_url=link.partition("/enter")[0], trust_env=False) as client:
            assert (await client.get("/api/v1/guilds")).status_code == 401
            assert (await client.get(link)).status_code == 303
            guilds = (await client.get("/api/v1/guilds")).json()["guilds"]
            assert [one["name"] for one in guilds] == ["Home"]
        assert await process.stop() == 128 + 15
        assert process.errors == []


async def test_a_port_that_is_taken_is_one_sentence(database: Database, clock: SetClock) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(SettingsError, match=rf"cannot listen on 127\.0\.0\.1:{port}: .*WEB_PORT"):
            async with home(database, clock, web_port=port):
                pass


async def test_it_is_a_service_that_can_be_started_again_at_the_same_port(served: Home) -> None:
    services = served.keepsake.services
    assert SERVICE in services.names
    async with await served.operator() as client:
        assert (await client.get("/api/v1/guilds")).status_code == 200
    await services.stop(served.server.serve)
    services.start(SERVICE, served.server.serve)

    async def answers() -> bool:
        try:
            async with await served.operator() as client:
                return (await client.get("/api/v1/guilds")).status_code == 200
        except httpx.ConnectError:
            return False

    await eventually(answers)


async def test_tokens_are_made_listed_and_revoked_in_the_terminal(
    database: Database, dsn: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(_env_file=None, database_url=SecretStr(dsn))
    monkeypatch.setattr(Settings, "load", lambda: settings)
    # Signals are for the main thread, where the test itself runs.
    monkeypatch.setattr(cli, "_until_stopped", asyncio.run)

    async def keepsake(*arguments: str) -> str:
        assert await asyncio.to_thread(cli.main, ["token", *arguments]) == 0
        return capsys.readouterr().out

    assert "There is no token" in await keepsake("list")
    made = (await keepsake("create", "laptop", "--scope", "write")).splitlines()
    assert made[0].startswith("keepsake_")
    assert len(made[0]) > 40
    assert (await keepsake("list")).startswith("laptop  write  created ")
    await keepsake("revoke", "laptop")
    assert "revoked" in await keepsake("list")
    assert await asyncio.to_thread(cli.main, ["token", "revoke", "laptop"]) == 2
    assert "no token 'laptop' is in use" in capsys.readouterr().err


async def test_the_description_of_the_api_is_made_when_it_is_asked_for(served: Home) -> None:
    assert make_app(served.server.app.state.parts).openapi_schema is None, "else every start pays for it"
