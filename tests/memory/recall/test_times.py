"""Times in a question: what span each means, in the days of the guild's zone."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.text.spans import time_in

# A Wednesday; in Moscow it is already the 19th.
NOW = datetime(2026, 3, 18, 22, tzinfo=UTC)
ZONE = "Europe/Moscow"

CASES = [
    ("what did we say yesterday", "2026-03-18", "2026-03-19"),
    ("о чём говорили вчера", "2026-03-18", "2026-03-19"),
    ("позавчера", "2026-03-17", "2026-03-18"),
    ("the day before yesterday", "2026-03-17", "2026-03-18"),
    ("anything today?", "2026-03-19", "2026-03-20"),
    ("two days ago", "2026-03-17", "2026-03-18"),
    ("3 дня назад", "2026-03-16", "2026-03-17"),
    ("a week ago", "2026-03-09", "2026-03-16"),
    ("две недели назад", "2026-03-02", "2026-03-09"),
    ("a couple of weeks ago", "2026-03-02", "2026-03-09"),
    ("одиннадцать дней назад", "2026-03-08", "2026-03-09"),
    ("last week", "2026-03-09", "2026-03-16"),
    ("на прошлой неделе", "2026-03-09", "2026-03-16"),
    ("на этой неделе", "2026-03-16", "2026-03-23"),
    ("в прошлый четверг", "2026-03-12", "2026-03-13"),
    ("last month", "2026-02-01", "2026-03-01"),
    ("в прошлом месяце", "2026-02-01", "2026-03-01"),
    ("last year", "2025-01-01", "2026-01-01"),
    ("в прошлом году", "2025-01-01", "2026-01-01"),
    ("in March", "2026-03-01", "2026-04-01"),
    ("в марте", "2026-03-01", "2026-04-01"),
    ("in May", "2025-05-01", "2025-06-01"),
    ("в мае", "2025-05-01", "2025-06-01"),
    ("March 2024", "2024-03-01", "2024-04-01"),
    ("в марте 2024 года", "2024-03-01", "2024-04-01"),
    ("on 5 May", "2025-05-05", "2025-05-06"),
    ("May 5th, 2024", "2024-05-05", "2024-05-06"),
    ("5 мая", "2025-05-05", "2025-05-06"),
    ("5 марта 2024", "2024-03-05", "2024-03-06"),
    ("29 February", "2024-02-29", "2024-03-01"),
    ("2026-01-31", "2026-01-31", "2026-02-01"),
    ("31.01.2026", "2026-01-31", "2026-02-01"),
    ("last Monday", "2026-03-16", "2026-03-17"),
    ("в прошлый понедельник", "2026-03-16", "2026-03-17"),
    ("во вторник", "2026-03-17", "2026-03-18"),
    ("on Thursday", "2026-03-19", "2026-03-20"),
    ("last Thursday", "2026-03-12", "2026-03-13"),
    ("last weekend", "2026-03-14", "2026-03-16"),
    ("на выходных", "2026-03-14", "2026-03-16"),
    ("last summer", "2025-06-01", "2025-09-01"),
    ("прошлым летом", "2025-06-01", "2025-09-01"),
    ("in 2024", "2024-01-01", "2025-01-01"),
    ("в 2024 году", "2024-01-01", "2025-01-01"),
    ("since January", "2026-01-01", None),
    ("с января", "2026-01-01", None),
    ("after 2026-01-31", "2026-02-01", None),
    ("before May 2025", None, "2025-05-01"),
    ("до марта", None, "2026-03-01"),
    ("in the last two weeks", "2026-03-05", None),
    ("за последние 3 дня", "2026-03-16", None),
    ("between January and March", "2026-01-01", "2026-04-01"),
    ("с января по март", "2026-01-01", "2026-04-01"),
]


@pytest.mark.parametrize(("text", "begins", "ends"), CASES)
def test_a_time_is_a_span_of_the_guilds_days(text: str, begins: str | None, ends: str | None) -> None:
    found = time_in(text, now=NOW, time_zone=ZONE)
    assert found is not None
    assert (found.span.begins, found.span.ends) == (midnight(begins), midnight(ends))


def midnight(day: str | None) -> datetime | None:
    return datetime.fromisoformat(day).replace(tzinfo=ZoneInfo(ZONE)) if day else None


@pytest.mark.parametrize(
    "text",
    ["", "it may rain", "we march on", "31 February", "c'est la vie", "a bird may sing in the morning",
     "он с Марией", "room 2024", "в начале", "9999999 days ago", "the second of those"],
)  # fmt: skip
def test_what_is_no_time_is_not_taken_for_one(text: str) -> None:
    assert time_in(text, now=NOW, time_zone=ZONE) is None


def test_an_hour_is_counted_from_now_and_a_night_lasts_from_evening_to_dawn() -> None:
    found = time_in("in the last 24 hours", now=NOW, time_zone=ZONE)
    assert found is not None
    assert (found.span.begins, found.span.ends) == (NOW - timedelta(hours=24), None)
    night = time_in("last night", now=NOW, time_zone="UTC")
    assert night is not None
    assert night.span.holds(datetime(2026, 3, 17, 23, tzinfo=UTC))
    assert not night.span.holds(datetime(2026, 3, 17, 12, tzinfo=UTC))


WORDS = [one for text, _, _ in CASES for one in text.split()] + [
    "999",
    "0",
    "12",
    "-",
    "31",
    "30",
    "год",
    "ago",
]


@given(
    st.one_of(st.text(), st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)),
    st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 1, 1)),
)
def test_nothing_is_raised_and_a_span_never_ends_before_it_begins(text: str, moment: datetime) -> None:
    found = time_in(text, now=moment.replace(tzinfo=UTC), time_zone=ZONE)
    if found is not None:
        assert 0 <= found.start < found.end <= len(text)
        assert found.span.begins is None or found.span.ends is None or found.span.begins < found.span.ends
