"""Figures at the console: in words and with bars, of a speaker for everybody, of the server for its managers."""

import re

import pytest
from pydantic import SecretStr

from bot.adapters.console.session import open_session
from bot.adapters.console.transcript import FormCall, read_memory_command
from bot.core.errors import InvalidInputError
from bot.core.settings import Settings
from bot.db.pool import Database
from tests.adapters.console.sessions import play_on


@pytest.mark.parametrize("about", ["me", "server"])
def test_a_command_is_read_as_it_is_written(about: str) -> None:
    assert read_memory_command(f"/memory stats {about}") == FormCall("stats", {"about": about})
    assert read_memory_command("/memory stats") == FormCall("stats")


def test_a_command_that_cannot_be_read_says_how_it_is_written() -> None:
    with pytest.raises(InvalidInputError, match=re.escape("stats [me|server]")):
        read_memory_command("/memory stats everybody")


async def test_a_speaker_is_shown_words_and_bars(address: str, database: Database) -> None:
    settings = Settings(_env_file=None, database_url=SecretStr(address))
    async with open_session(settings) as session:
        told = await play_on(
            session,
            "#general alice: Bot, remember that I like pizza\n"
            "#general alice: /memory stats\n"
            "#general alice: /memory stats server\n"
            "/member mona manager\n"
            "#general mona: /memory stats",
        )
    own, refused, of_server = [outcome.reply or "" for outcome in told[1:]]
    assert any(line.startswith("- Messages: 1, the oldest of ") for line in own.splitlines())
    assert [line.split() for line in own.splitlines()[-2:]] == [
        ["Memories", "by", "kind"],
        ["preferences", "█" * 44, "1"],
    ]
    assert refused.startswith("The figures of the server are for those who may manage it")
    assert "- Language models in the last 30 days: not asked" in of_server.splitlines()
