"""A long day is cut where the talk pauses, no message is lost or told twice; many members are asked about in groups."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from bot.core.domain import Message
from bot.memory.summaries.day_prompt import DayPart, in_parts

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


def part_of(messages: Sequence[Message]) -> DayPart:
    wanted = tuple(dict.fromkeys(message.user_id for message in messages))
    return DayPart(day=NOON.date(), time_zone="UTC", messages=messages, wanted=wanted, members={})


def test_what_few_members_say_is_asked_as_a_whole() -> None:
    part = part_of(said([1] * 40, speakers=15))
    assert part.questions(most=15) == [part]
    assert part_of([]).questions() == []


def test_members_of_a_channel_are_asked_about_together() -> None:
    rooms = [replace(one, channel_id=one.user_id % 2) for one in said([1] * 40, speakers=20)]
    even, odd = part_of(rooms).questions(most=10)
    assert [one.messages for one in (even, odd)] == [rooms[::2], rooms[1::2]]


@given(
    speakers=st.lists(st.tuples(st.integers(1, 30), st.integers(1, 4)), max_size=80), most=st.integers(1, 12)
)
def test_each_member_is_asked_about_once_with_all_that_they_said(
    speakers: list[tuple[int, int]], most: int
) -> None:
    messages = [
        replace(one, user_id=user_id, channel_id=channel_id)
        for one, (user_id, channel_id) in zip(said([1] * len(speakers)), speakers, strict=True)
    ]
    part = part_of(messages)
    questions = part.questions(most=most)
    asked = [user_id for question in questions for user_id in question.wanted]
    assert sorted(asked) == sorted(part.wanted)
    assert len(questions) == -(-len(asked) // most)
    assert all(len(question.wanted) <= most for question in questions)
    for question in questions:
        own = [one for one in messages if one.user_id in question.wanted]
        assert [one for one in question.messages if one.user_id in question.wanted] == own
