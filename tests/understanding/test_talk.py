"""Whoever does not speak to the bot is not answered."""

import pytest

from tests.understanding.talk import called, friends, help_channels

MESSAGES_PER_CALL = 3_000
"""At most one message of so many is taken for one to the bot."""


def test_of_ordinary_talk_nothing_is_taken_for_a_command() -> None:
    talk = [*help_channels(), *friends()]
    if not talk:
        pytest.skip("the chat logs are not in ../shared/data")
    taken = [said.text for said in talk if called(said) is not None]
    assert len(taken) * MESSAGES_PER_CALL <= len(talk), taken
