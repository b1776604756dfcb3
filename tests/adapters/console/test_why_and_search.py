"""Why an answer says what it says, and searching, at the console: listed with numbers, forgotten by them."""

import re

import pytest
from pydantic import SecretStr

from bot.adapters.console.session import open_session
from bot.adapters.console.transcript import FormCall, read_memory_command
from bot.core.errors import InvalidInputError
from bot.core.settings import Settings
from tests.adapters.console.sessions import play_on


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/memory why", FormCall("why")),
        ("/memory why 3", FormCall("why", {"message": "3"})),
        ("/memory not-me 1", FormCall("not-me", {"fact": "1"})),
        ("/memory search ramen last week", FormCall("search", {"words": "ramen last week"})),
    ],
)
def test_a_command_is_read_as_it_is_written(text: str, command: FormCall) -> None:
    assert read_memory_command(text) == command


@pytest.mark.parametrize(
    ("text", "usage"),
    [
        ("/memory why not", "write '/memory why [N]'"),
        ("/memory not-me", "write '/memory not-me N'"),
        ("/memory search", "write '/memory search WORDS'"),
    ],
)
def test_a_command_that_cannot_be_read_says_how_it_is_written(text: str, usage: str) -> None:
    with pytest.raises(InvalidInputError, match=re.escape(usage)):
        read_memory_command(text)


async def test_what_an_answer_rests_on_is_numbered_and_goes_by_its_number(address: str) -> None:
    async with open_session(Settings(_env_file=None, database_url=SecretStr(address))) as session:
        told = await play_on(session, """
            /member bob
            [2026-03-02T18:00] #general alice: /memory remember @bob plays the cello
            #general alice: Bot, what do you know about @bob?
            #general bob: /memory why
            #general alice: /memory why 1
            #general alice: /memory not-me 1
            #general bob: /memory not-me 1
            #general bob: /memory why 1
        """)  # fmt: skip
        replies = [one.reply or "" for one in told]
        listed = "That answer rests on this:\n1. [2026-03-02] alice says bob plays the cello"
        assert replies[2:4] == [listed, listed]
        assert replies[4].startswith("That is not kept about you")
        assert replies[5].startswith("Taken off you")
        assert "cello" not in replies[6]
        for command, reason in (
            ("#general bob: /memory why 2", "there is no message 2"),
            ("#games bob: /memory why", "the bot has answered nothing in this channel so far"),
        ):
            with pytest.raises(InvalidInputError, match=reason):
                await play_on(session, command)


async def test_what_is_found_is_numbered_and_facts_among_it_are_forgotten_by_their_numbers(
    address: str,
) -> None:
    async with open_session(Settings(_env_file=None, database_url=SecretStr(address))) as session:
        told = await play_on(session, """
            [2026-03-02T18:00] #general alice: the cello is out of tune
            #general bob: /memory search cello
            #general bob: /memory search поиски виолончели
            #general bob: /memory remember I own a tuba
            #general bob: /memory search tuba
            #general bob: /memory forget 1
            #general bob: /memory search tuba
            #general bob: /memory search cello
        """)  # fmt: skip
        replies = [one.reply or "" for one in told]
        assert replies[1] == "What I found about “cello”:\n1. [2026-03-02] alice: the cello is out of tune"
        assert replies[2] == "Среди сказанного здесь ничего о «поиски виолончели» не нашлось."
        assert replies[4] == "What I found about “tuba”:\n1. [2026-03-02] noted: bob owns a tuba"
        assert replies[5].startswith("Forgotten: I removed 1 fact")
        assert replies[6].startswith("I find nothing about “tuba”")
        with pytest.raises(InvalidInputError, match="line 1 is no fact"):
            await play_on(session, "#general bob: /memory forget 1")
