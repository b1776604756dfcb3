"""Catching up at the console, by command and in words."""

import pytest

from bot.adapters.console.transcript import FormCall, read_memory_command
from bot.core.errors import InvalidInputError
from tests.adapters.console.sessions import play

TALK = """\
/channel mods closed
[2026-03-01T09:00] #general alice: I am off to the lake
[2026-03-01T09:10] #general bob: shall we meet on Friday?
#general carol: Friday it is
#mods bob: the coup is on Sunday
#games bob: chess tonight?
"""


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/memory catchup", FormCall("catchup")),
        ("/memory catchup #general", FormCall("catchup", {"channel": "general"})),
        ("/memory catchup 2 hours", FormCall("catchup", {"since": "2 hours"})),
        ("/memory catchup #общий  2 часа", FormCall("catchup", {"channel": "общий", "since": "2 часа"})),
    ],
)
def test_the_command_names_a_channel_and_a_time_or_neither(text: str, command: FormCall) -> None:
    assert read_memory_command(text) == command


async def test_what_was_missed_is_listed_by_minute(dsn: str) -> None:
    told = await play(
        dsn,
        TALK
        + "[2026-03-01T10:00] #general alice: /memory catchup\n"
        + "#general alice: /memory catchup #games 2 часа\n"
        + "#general alice: /memory catchup #mods\n"
        + "#general alice: Bot, what did I miss in #games?\n",
    )
    everything, russian, closed, words = (one.reply for one in told[-4:])
    assert everything == (
        "What you missed since you last wrote:\n"
        "- [2026-03-01 09:10] #general · bob, carol · 2 messages: “shall we meet on Friday?”\n"
        "- [2026-03-01 09:10] #games · bob · 1 message: “chess tonight?”"
    )
    assert russian is not None
    assert russian.splitlines()[1:] == ["- [2026-03-01 09:10] #games · bob · 1 сообщение: “chess tonight?”"]
    assert closed is not None
    assert "ask me there" in closed
    assert words is not None
    assert words.splitlines()[1:] == ["- [2026-03-01 09:10] #games · bob · 1 message: “chess tonight?”"]


async def test_a_channel_that_is_not_there_is_named(dsn: str) -> None:
    with pytest.raises(InvalidInputError, match="no channel #nowhere here"):
        await play(dsn, TALK + "#general alice: /memory catchup #nowhere\n")
