"""What a conversation says in short without a model."""

from datetime import UTC, datetime, timedelta
from unittest.mock import Mock

import pytest

from bot.core.domain import Message
from bot.memory.summaries import extractive
from bot.memory.summaries.extractive import SUMMARY_CHARACTERS, extract_conversation

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def said(*texts: str) -> list[Message]:
    """Say these in turn, a minute apart."""
    return [
        Message(
            guild_id=1,
            channel_id=2,
            message_id=number,
            user_id=7,
            text=text,
            timestamp=NOON + timedelta(minutes=number),
        )
        for number, text in enumerate(texts, start=1)
    ]


def test_of_a_long_talk_only_what_has_room_is_read_for_what_may_not_be_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is done while somebody waits for an answer: 300 messages took 30 ms, and nobody was heard meanwhile."""
    read = Mock(wraps=extractive.may_be_kept)
    monkeypatch.setattr(extractive, "may_be_kept", read)
    told = extract_conversation(
        "", said(*(f"the lake house number {number} has room for everybody" for number in range(300)))
    )
    assert SUMMARY_CHARACTERS - 100 < len(told) <= SUMMARY_CHARACTERS
    assert read.call_count < 40


def test_what_may_not_be_kept_makes_room_for_what_may() -> None:
    secret = "we decided that my password is hunter2 on 14 May in Lisbon"
    told = extract_conversation("", said(*[secret] * 30, "the lake house has room for everybody"))
    assert told == "<@7>: the lake house has room for everybody"
