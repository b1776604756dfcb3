"""Where conversations end is derived from what is stored: in any order, from either end, whoever was there."""

import random
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from unittest.mock import AsyncMock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.app import Keepsake
from bot.core.domain import Message, MessageKind
from bot.db.pool import Connection, Database
from bot.memory.messages import conversations, repository
from bot.memory.messages.conversations import Boundaries, SpokenMessage, ends_conversation
from bot.memory.summaries.repository_episodes import EndedConversation, note_ended

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
GAP = timedelta(minutes=30)
BOUNDARIES = Boundaries(gap=GAP)
SMALL = Boundaries(gap=GAP, longest=4, far=9, one_in=3)
"""The same rules with small numbers, so that all of them meet in a short talk."""


@pytest.mark.parametrize(
    "text",
    [
        "that's all",
        "That’s all.",
        "Bot, that's all, thanks!",
        "that's all for now, Bot",
        "ok thanks, that is all",
        "<@77> thats all",
        "это всё",
        "Бот, это все!",
        "Спасибо, это всё на сегодня",
        "на этом всё, бот",
    ],
)
def test_that_is_all_is_recognised(text: str) -> None:
    assert ends_conversation(text)


@pytest.mark.parametrize(
    "text",
    ["that's all?", "is that all", "that's all we know about it so far", "это всё?", "это всё твои шутки", "всё",
     "all", "I bought milk and bread and that's all, Bob", ""],
)  # fmt: skip
def test_other_words_end_nothing(text: str) -> None:
    assert not ends_conversation(text)


def talk(*minutes: float, closes: tuple[int, ...] = ()) -> list[SpokenMessage]:
    return [
        SpokenMessage(place + 1, NOON + timedelta(minutes=at), closes=place in closes)
        for place, at in enumerate(minutes)
    ]


@pytest.mark.parametrize(
    ("said", "starts"),
    [
        (talk(0), [0]),
        (talk(0, 29, 58), [0]),
        (talk(0, 30), [0, 1]),
        (talk(0, 1, 2, 3, closes=(1,)), [0, 2]),
        (talk(*range(301)), [0, 300]),
        (talk(*range(700)), [0, 300, 600]),
        (
            [
                *talk(0, 1, closes=(1,)),
                SpokenMessage(3, NOON + GAP / 10, answers_id=2),
                SpokenMessage(4, NOON + GAP / 9),
            ],
            [0, 3],
        ),
        ([*talk(0, 1, closes=(1,)), SpokenMessage(3, NOON + 2 * GAP, answers_id=2)], [0, 2]),
    ],
)  # fmt: skip
def test_a_silence_the_word_and_three_hundred_messages_end_a_conversation(
    said: list[SpokenMessage], starts: list[int]
) -> None:
    assert BOUNDARIES.starts(said, complete=True) == starts


@st.composite
def talks(draw: st.DrawFn) -> list[SpokenMessage]:
    at, said = NOON, list[SpokenMessage]()
    for place in range(draw(st.integers(1, 60))):
        at += draw(st.sampled_from([timedelta(0), timedelta(minutes=1), timedelta(minutes=29), GAP]))
        closing = [one.message_id for one in said[-3:] if one.closes]
        is_answer = bool(closing) and draw(st.booleans())
        said.append(
            SpokenMessage(
                1_000 + 7 * place,
                at,
                closes=not is_answer and draw(st.integers(0, 12)) == 0,
                answers_id=closing[-1] if is_answer else None,
            )
        )
    return said


@given(talks(), st.data())
def test_ends_are_the_same_from_the_end_as_from_the_start(
    said: list[SpokenMessage], data: st.DataObject
) -> None:
    starts = SMALL.starts(said, complete=True)
    assert starts is not None and starts[0] == 0
    last = data.draw(st.integers(0, len(said) - 1))
    first = data.draw(st.integers(0, last))
    seen = SMALL.starts(said[first : last + 1], complete=first == 0)
    if seen is not None:
        known_from = first + seen[0]
        assert [first + one for one in seen] == [one for one in starts if known_from <= one <= last]


@given(talks(), st.data())
def test_from_an_end_that_was_noted_conversations_begin_where_they_do_from_the_start(
    said: list[SpokenMessage], data: st.DataObject
) -> None:
    boundaries = Boundaries(gap=GAP, longest=4, far=len(said))
    starts = boundaries.starts(said, complete=True) or []
    noted = data.draw(st.sampled_from([start - 1 for start in starts if start] or [0]))
    first = data.draw(st.integers(0, noted))
    last = data.draw(st.integers(noted, len(said) - 1))
    seen = boundaries.starts(said[first : last + 1], complete=first == 0, noted_end_id=said[noted].message_id)
    if last > noted:
        assert seen is not None and first + seen[0] <= noted + 1
    if seen is not None:
        assert [first + one for one in seen] == [one for one in starts if first + seen[0] <= one <= last]


@given(talks())
def test_no_conversation_is_longer_than_it_may_be_or_spans_a_silence(said: list[SpokenMessage]) -> None:
    starts = SMALL.starts(said, complete=True) or []
    for start, end in zip(starts, [*starts[1:], len(said)], strict=True):
        one = said[start:end]
        assert len(one) <= SMALL.longest
        assert all(b.timestamp - a.timestamp < GAP for a, b in pairwise(one))
        following = said[end] if end < len(said) else None
        ended_at = SMALL.over_at(one, following, now=said[-1].timestamp + GAP)
        assert ended_at is not None and ended_at >= one[-1].timestamp


def test_however_long_people_talk_without_a_pause_a_bounded_stretch_tells_where_a_conversation_began() -> (
    None
):
    said = [SpokenMessage((place << 22) + 1, NOON + timedelta(seconds=place)) for place in range(30_000)]
    starts = BOUNDARIES.starts(said, complete=True) or []
    for last in range(5_000, 30_000, 4_321):
        seen = next(
            (known, first)
            for first in range(last - 302, 0, -1_000)
            if (known := BOUNDARIES.starts(said[first : last + 1], complete=False)) is not None
        )
        known, first = seen
        assert first + known[-1] == max(one for one in starts if one <= last)
        assert last - first < 20_000


def said_by_member(place: int, *, minute: float, text: str = "hello there", channel_id: int = 2) -> Message:
    return Message(
        guild_id=1,
        channel_id=channel_id,
        message_id=1_000 * channel_id + place,
        user_id=7,
        text=text,
        timestamp=NOON + timedelta(minutes=minute),
    )


async def answer(database: Database, message: Message) -> None:
    """Note that the bot answered a message."""
    await database.write(
        lambda connection: connection.execute(
            "INSERT INTO answers (guild_id, message_id, channel_id, user_id, route, state, holder, leased_until,"
            " parts, answered_at) VALUES ($1, $2, $3, $4, 'chat', 'sent', gen_random_uuid(), now(), '{ok}', $5)",
            message.guild_id,
            message.message_id,
            message.channel_id,
            message.user_id,
            message.timestamp,
        )
    )


async def first_ids(database: Database, messages: list[Message]) -> list[int | None]:
    async def read(connection: Connection) -> list[int | None]:
        return [
            await conversations.first_message_id(
                connection,
                BOUNDARIES,
                guild_id=one.guild_id,
                channel_id=one.channel_id,
                up_to_id=one.message_id,
            )
            for one in messages
        ]

    return await database.read(read)


async def ended(
    database: Database, minute: float, places: list[tuple[int, int]] | None = None
) -> list[EndedConversation]:
    found = await database.read(
        conversations.conversations_with_bot,
        now=NOON + timedelta(minutes=minute),
        gap=GAP,
        since=NOON - timedelta(days=1),
        places=places,
    )
    return [*found.over]


async def test_the_order_in_which_messages_come_decides_nothing(
    keepsake: Keepsake, database: Database
) -> None:
    minutes = [*range(40), *range(90, 430), *range(600, 640)]
    messages = [said_by_member(place, minute=minute) for place, minute in enumerate(minutes, start=1)]
    shuffled = random.Random(7).sample(messages, len(messages))
    for batch in (shuffled[:100], shuffled[100:], shuffled[50:150]):
        await keepsake.memory.ingest_messages(batch)
    found = await first_ids(database, messages)
    assert found == [2_001] * 40 + [2_041] * 300 + [2_341] * 40 + [2_381] * 40


async def test_where_people_talk_on_no_more_is_read_further_back_than_what_tells_where_it_began(
    keepsake: Keepsake, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an hour of it each look read all that was said, with what may be shown of it: 15 ms, and ever more."""
    messages = [said_by_member(place, minute=place) for place in range(1, 401)]
    await keepsake.memory.ingest_messages(messages)
    whole = AsyncMock(wraps=repository.channel_tail)
    monkeypatch.setattr(repository, "channel_tail", whole)
    assert await first_ids(database, messages[-1:]) == [2_301]
    assert [read.kwargs["limit"] for read in whole.await_args_list] == [BOUNDARIES.longest + 2]


async def test_where_an_end_was_noted_nothing_before_it_is_read_to_tell_where_the_next_conversation_began(
    keepsake: Keepsake, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where people talked on for long, each look read a thousand messages more, again and again."""
    await keepsake.memory.episodes.stop()
    messages = [said_by_member(place, minute=place) for place in range(1, 701)]
    await keepsake.memory.ingest_messages(messages)
    for place in (5, 350):
        await answer(database, messages[place - 1])
    over = await ended(database, minute=700)
    assert [(one.first_message_id, one.last_message_id) for one in over] == [(2_001, 2_300), (2_301, 2_600)]
    await database.write(note_ended, over[:1])
    further = AsyncMock(wraps=repository.said_up_to)
    monkeypatch.setattr(repository, "said_up_to", further)
    # Within the one that was noted nothing else tells where it began.
    assert await first_ids(database, messages[299:301] + messages[599:600]) == [2_001, 2_301, 2_301]
    assert await ended(database, minute=700) == over[1:]
    further.assert_not_awaited()


async def test_only_what_is_said_to_the_bot_ends_a_conversation(
    keepsake: Keepsake, database: Database
) -> None:
    await keepsake.memory.episodes.stop()
    messages = [
        said_by_member(1, minute=0),
        said_by_member(2, minute=1, text="that's all"),
        said_by_member(3, minute=2),
        said_by_member(4, minute=3, text="Bot, that's all"),
        Message(guild_id=1, channel_id=2, message_id=2_005, user_id=77, text="Fine.", reply_to_id=2_004,
                timestamp=NOON + timedelta(minutes=3), kind=MessageKind.BOT),
        said_by_member(6, minute=4),
    ]  # fmt: skip
    await keepsake.memory.ingest_messages(messages)
    await answer(database, messages[3])
    assert await first_ids(database, messages) == [2_001] * 5 + [2_006]
    (over,) = await ended(database, minute=5)
    assert (over.first_message_id, over.last_message_id) == (2_001, 2_005)


async def test_ends_that_nobody_was_there_to_notice_are_found_where_the_bot_answered(
    keepsake: Keepsake, database: Database
) -> None:
    await keepsake.memory.episodes.stop()
    minutes = [*range(20), *range(100, 500), *range(1_000, 1_010)]
    messages = [
        said_by_member(place, minute=minute, channel_id=channel_id)
        for channel_id in (2, 3)
        for place, minute in enumerate(minutes, start=1)
    ]
    await keepsake.memory.ingest_messages(messages)
    for place in (5, 30, 31, 400, 425):
        await answer(database, messages[place - 1])
    running = await ended(database, minute=1_010)
    assert [(one.first_message_id, one.last_message_id) for one in running] == [
        (2_001, 2_020),
        (2_021, 2_320),
        (2_321, 2_420),
    ]
    assert [(one.ended_at - NOON) // timedelta(minutes=1) for one in running] == [49, 399, 529]
    later = await ended(database, minute=1_039)
    assert (later[-1].first_message_id, later[-1].last_message_id) == (2_421, 2_430)
    assert len(later) == 4
    assert await ended(database, minute=1_039, places=[(1, 3)]) == []


@settings(max_examples=5)
@given(st.lists(st.integers(0, 45), min_size=1, max_size=12))
def test_a_conversation_is_over_exactly_once(steps: list[int]) -> None:
    minutes = [sum(steps[: place + 1]) for place in range(len(steps))]
    said = talk(*minutes)
    starts = BOUNDARIES.starts(said, complete=True) or []
    last = said[starts[-1] :]
    assert BOUNDARIES.over_at(last, None, now=last[-1].timestamp + GAP / 2) is None
    assert BOUNDARIES.over_at(last, None, now=last[-1].timestamp + GAP) == last[-1].timestamp + GAP
