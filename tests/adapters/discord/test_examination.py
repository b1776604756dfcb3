"""`keepsake doctor` says whether Discord lets the bot in and lets it read, what to click, and what time it is there."""

import re
from pathlib import Path

import pytest

from tests.adapters.discord.test_clock import LEAP, ROOT
from tests.printed import Printed, on_pipes
from tests.servers.discord.server import DiscordServer

pytestmark = pytest.mark.processes

WRONG = "c2VjcmV0c2VjcmV0.Gx4zQd.dGhpcyBpcyBub25lIG9mIHlvdXJz"


async def examined(
    server: DiscordServer, dsn: str, folder: Path, *, token: str | None = None, **settings: str
) -> Printed:
    environment = {
        "DATABASE_URL": dsn,
        "KEEPSAKE_HOME": str(folder),
        "DISCORD_TOKEN": server.token if token is None else token,
        "DISCORD_API_URL": server.api_url,
        **settings,
    }
    printed = await on_pipes("doctor", cwd=folder, settings=environment)
    assert printed.errors == ""
    return printed


def of(printed: Printed, about: str) -> str:
    (line,) = [line for line in printed.output.splitlines() if re.match(rf"(ok|! ) {about}: ", line)]
    return line


async def test_a_token_that_fits_and_the_intents_are_well(
    discord_server: DiscordServer, dsn: str, tmp_path: Path
) -> None:
    line = of(await examined(discord_server, dsn, tmp_path), "discord")
    assert re.fullmatch(
        r"ok discord: the token is that of Keepsake#\d{4}, which may read members and messages\.", line
    )


async def test_a_wrong_token_is_told_with_what_to_click_and_without_the_token(
    discord_server: DiscordServer, dsn: str, tmp_path: Path
) -> None:
    printed = await examined(discord_server, dsn, tmp_path, token=WRONG)
    line = of(printed, "discord")
    assert line.startswith("!  discord: Discord refuses DISCORD_TOKEN: open https://discord.com/developers")
    assert "Reset Token" in line
    assert WRONG not in printed.output
    assert printed.status == 1


@pytest.mark.parametrize(
    ("members", "content", "told", "not_told"),
    [
        (False, True, "switch on “Server Members Intent”, and", "Message Content"),
        (True, False, "switch on “Message Content Intent”, and", "Server Members"),
        (False, False, "switch on “Server Members Intent” and “Message Content Intent”, and", "may read"),
    ],
)
async def test_intents_that_are_off_are_named(
    members: bool,
    content: bool,
    told: str,
    not_told: str,
    discord_server: DiscordServer,
    dsn: str,
    tmp_path: Path,
) -> None:
    discord_server.portal.members_intent = members
    discord_server.portal.message_content_intent = content
    line = of(await examined(discord_server, dsn, tmp_path), "discord")
    assert line.startswith("!  discord: ")
    assert told in line
    assert not_told not in line


async def test_a_discord_that_cannot_be_reached_is_told(
    discord_server: DiscordServer, dsn: str, tmp_path: Path
) -> None:
    nowhere = "http://127.0.0.1:9/api/v10"
    printed = await examined(discord_server, dsn, tmp_path, DISCORD_API_URL=nowhere)
    assert of(printed, "discord").startswith("!  discord: Discord cannot be reached: look at the network")


async def test_a_clock_that_is_far_from_discords_is_told_with_what_it_means(
    discord_server: DiscordServer, dsn: str, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(LEAP)
    printed = await examined(discord_server, dsn, tmp_path, PYTHONPATH=f"{tmp_path}:{ROOT}")
    line = of(printed, "clock")
    assert line.startswith("!  clock: ")
    assert "nothing is removed by age until they agree" in line
