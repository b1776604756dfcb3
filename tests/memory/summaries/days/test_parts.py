"""A long day is cut where the talk pauses, and no message is lost or told twice."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from bot.core.domain import Message
from bot.memory.summaries.day_prompt import in_parts

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def said(gaps: Sequence[int], *, speakers: int = 3) -> list[Message]:
    moment = NOON
    messages = []
    for number, gap in enumerate(gaps):
        moment += timedelta(minutes=gap)
        messages.append(
            Message(
                guild_id=1,
                channel_id=2,
                message_id=number + 1,
                user_id=number % speakers,
                text="words",
                timestamp=moment,
            )
        )
    return messages


def test_a_day_that_fits_is_one_part() -> None:
    messages = said([1] * 10)
    assert in_parts(messages, lambda _: 1, limit=10) == [messages]


def test_a_part_ends_at_the_longest_pause_near_its_end() -> None:
    messages = said([1] * 8 + [45] + [1] * 8)
    parts = in_parts(messages, lambda _: 1, limit=10)
    assert [len(part) for part in parts] == [8, 9]


def test_a_part_has_no_more_speakers_than_one_answer_can_tell() -> None:
    messages = said([1] * 40, speakers=40)
    parts = in_parts(messages, lambda _: 1, limit=1_000, most_speakers=15)
    assert all(len({message.user_id for message in part}) <= 15 for part in parts)


@given(
    gaps=st.lists(st.integers(0, 300), max_size=60),
    sizes=st.lists(st.integers(1, 12), min_size=60, max_size=60),
    limit=st.integers(1, 30),
)
def test_every_message_is_in_one_part_in_order_and_no_part_is_larger_than_allowed(
    gaps: list[int], sizes: list[int], limit: int
) -> None:
    messages = said(gaps)

    def tokens(message: Message) -> int:
        return sizes[message.message_id - 1]

    parts = in_parts(messages, tokens, limit=limit)
    assert [message for part in parts for message in part] == messages
    assert all(part for part in parts)
    assert all(len(part) == 1 or sum(map(tokens, part)) <= limit for part in parts)
