"""What holds is decided from everything that was said, whatever the order in which it came."""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import hypothesis.strategies as st
import pytest
from hypothesis import given

from bot.core.domain import EXPLICIT, FactCategory, FactOrigin, FactStatus
from bot.memory.facts.lifecycle import is_past
from bot.memory.facts.repository_slots import RowState, Slot, SlotRow, Source
from bot.memory.facts.slots import rank, settle_rows
from tests.memory import known

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
LINE = Slot(guild_id=1, subject_id=7, audience=0, key="favorite:food")
NOTE = Slot(guild_id=1, subject_id=7, audience=0, key="note:0123456789abcdef")
SELF, BOB = 7, 8


def said(
    source_id: int,
    *,
    fact_id: int,
    origin: FactOrigin = FactOrigin.PATTERN,
    author_id: int = SELF,
    hours: float = 0,
    lasts: timedelta | None = None,
    ended: bool = False,
    retired_by: int | None = None,
) -> Source:
    return Source(
        source_id=source_id,
        fact_id=fact_id,
        origin=origin,
        author_id=author_id,
        channel_id=2,
        message_id=source_id,
        cause=f"m:{source_id}",
        said_at=NOON + timedelta(hours=hours),
        category=FactCategory.PREFERENCE,
        content=f"content of {fact_id}",
        raw_content="",
        importance=80,
        confidence=1.0 if origin in EXPLICIT else 0.8,
        holds_on=None,
        expires_at=NOON + timedelta(hours=hours) + lasts if lasts else None,
        ended=ended,
        retired_by=retired_by,
    )


def row(*sources: Source, line: Slot = LINE, confirmed: bool = False) -> SlotRow:
    return SlotRow(
        line=line,
        fact_id=sources[0].fact_id,
        value=str(sources[0].fact_id),
        sources=sources,
        confirmed_at=NOON if confirmed else None,
    )


def settled(
    *rows: SlotRow, now: datetime = NOON + timedelta(days=9), zone: str = "UTC"
) -> dict[int, RowState]:
    sources = {source.source_id: source for one in rows for source in one.sources}
    return {one.fact_id: one for one in settle_rows(rows, sources=sources, now=now, time_zone=zone)}


COMMAND = FactOrigin.COMMAND


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (said(2, fact_id=2, hours=1), said(1, fact_id=1)),
        (said(1, fact_id=1), said(2, fact_id=2, author_id=BOB, origin=COMMAND, hours=5)),
        (said(1, fact_id=1, origin=COMMAND), said(2, fact_id=2, hours=5)),
        (
            said(1, fact_id=1, origin=FactOrigin.IMPORT),
            said(2, fact_id=2, origin=FactOrigin.LEARNING, hours=5),
        ),
        (said(2, fact_id=2, origin=COMMAND, hours=1), said(1, fact_id=1, origin=COMMAND)),
        # What was imported late and said early takes the place of nothing.
        (said(1, fact_id=1, hours=5), said(2, fact_id=2)),
        (
            said(2, fact_id=2, author_id=BOB, hours=1),
            said(1, fact_id=1, author_id=9, origin=COMMAND),
        ),
        # Causes of one moment count as numbers do.
        (replace(said(10, fact_id=2), message_id=0), replace(said(9, fact_id=1), message_id=0)),
    ],
)
def test_own_words_beat_others_then_what_was_asked_for_beats_what_was_picked_up_then_the_newer_wins(
    better: Source, worse: Source
) -> None:
    for rows in ([row(better), row(worse)], [row(worse), row(better)]):
        stand = settled(*rows)
        assert stand[better.fact_id].status is FactStatus.ACTIVE
        assert stand[worse.fact_id].status is FactStatus.SUPERSEDED
        assert stand[worse.fact_id].superseded_by == better.fact_id
        assert stand[better.fact_id].supersedes == worse.fact_id


def test_lines_do_not_touch_each_other() -> None:
    stand = settled(row(said(1, fact_id=1)), row(said(2, fact_id=2, hours=1), line=NOTE))
    assert {one.status for one in stand.values()} == {FactStatus.ACTIVE}


def test_what_was_named_as_wrong_holds_again_only_when_the_correction_counts_no_more() -> None:
    wrong = row(said(1, fact_id=1, retired_by=2), line=NOTE)
    right = said(2, fact_id=2, author_id=BOB, origin=COMMAND)
    stand = settled(wrong, row(right))
    assert (stand[1].status, stand[1].superseded_by, stand[2].supersedes) == (FactStatus.SUPERSEDED, 2, 1)
    stand = settled(wrong, row(replace(right, ended=True)))
    assert (stand[1].status, stand[2].status) == (FactStatus.ACTIVE, FactStatus.INACTIVE)


def test_a_correction_of_a_correction_that_is_taken_back_leaves_the_first_one_corrected() -> None:
    first = row(said(1, fact_id=1, retired_by=2))
    second = row(said(2, fact_id=2, origin=COMMAND, ended=True, retired_by=3))
    third = row(said(3, fact_id=3, origin=COMMAND, hours=1))
    stand = settled(first, second, third)
    assert (stand[1].status, stand[1].superseded_by) == (FactStatus.SUPERSEDED, 3)


def test_a_value_that_was_corrected_to_another_and_back_is_below_the_last_correction() -> None:
    first, corrected = said(1, fact_id=1, retired_by=3), said(2, fact_id=2, origin=COMMAND, retired_by=3)
    back = said(3, fact_id=1, author_id=BOB, origin=COMMAND, retired_by=4)
    again = said(4, fact_id=2, author_id=BOB, origin=COMMAND, hours=1)
    stand = settled(row(first, back), row(corrected, again))
    assert (stand[1].status, stand[1].superseded_by) == (FactStatus.SUPERSEDED, 2)
    assert (stand[2].status, stand[2].supersedes) == (FactStatus.ACTIVE, 1)


def test_what_expired_counts_no_more_and_what_it_superseded_holds_again() -> None:
    stays = row(said(1, fact_id=1))
    passes = row(said(2, fact_id=2, hours=1, lasts=timedelta(hours=6)))
    before = settled(stays, passes, now=NOON + timedelta(hours=7) - timedelta(microseconds=1))
    assert (before[1].status, before[2].status) == (FactStatus.SUPERSEDED, FactStatus.ACTIVE)
    after = settled(stays, passes, now=NOON + timedelta(hours=7))
    assert (after[1].status, after[2].status) == (FactStatus.ACTIVE, FactStatus.INACTIVE)


@pytest.mark.parametrize(
    ("sources", "zone", "tentative"),
    [
        ([said(1, fact_id=1)], "UTC", True),
        ([said(1, fact_id=1), said(2, fact_id=1, hours=5)], "UTC", True),
        ([said(1, fact_id=1), said(2, fact_id=1, hours=12)], "UTC", False),
        # The same two hours, in a guild whose midnight lies between them.
        ([said(1, fact_id=1), said(2, fact_id=1, hours=5)], "Asia/Tokyo", False),
        ([said(1, fact_id=1, origin=COMMAND)], "UTC", False),
        ([said(1, fact_id=1), said(2, fact_id=1, author_id=BOB, origin=COMMAND)], "UTC", False),
    ],
)
def test_what_is_learned_is_tentative_until_it_is_said_on_another_day_of_the_guild(
    sources: Sequence[Source], zone: str, tentative: bool
) -> None:
    assert settled(row(*sources), zone=zone)[1].tentative is tentative
    assert settled(row(*sources, confirmed=True), zone=zone)[1].tentative is False


def test_each_further_message_adds_five_to_the_importance_up_to_a_hundred() -> None:
    assert settled(row(said(1, fact_id=1)))[1].importance == 80
    assert settled(row(said(1, fact_id=1), said(2, fact_id=1)))[1].importance == 85
    many = [said(number, fact_id=1) for number in range(1, 20)]
    assert settled(row(*many))[1].importance == 100
    same_message = replace(said(2, fact_id=1, origin=COMMAND), message_id=1)
    assert settled(row(said(1, fact_id=1), same_message))[1].importance == 80


def test_a_row_tells_what_was_asked_for_the_first_time() -> None:
    learned, asked, again = (
        said(1, fact_id=1),
        said(2, fact_id=1, origin=COMMAND),
        said(3, fact_id=1, origin=COMMAND),
    )
    assert settled(row(again, learned, asked))[1].shown == asked


# --- any lines at all -------------------------------------------------------------------------------------------

FACTS = 4


@st.composite
def histories(draw: st.DrawFn) -> list[SlotRow]:
    """Rows of two lines with sources of every kind, some of which name others as wrong."""
    number = draw(st.integers(1, 9))
    sources: dict[int, list[Source]] = {}
    for source_id in range(1, number + 1):
        fact_id = draw(st.integers(1, FACTS))
        one = said(
            source_id,
            fact_id=fact_id,
            origin=draw(st.sampled_from(sorted(FactOrigin))),
            author_id=draw(st.sampled_from([SELF, BOB])),
            hours=draw(st.integers(0, 72)),
            lasts=draw(st.sampled_from([None, None, timedelta(hours=6), timedelta(days=7)])),
            ended=draw(st.booleans()) and draw(st.booleans()),
            retired_by=draw(st.none() | st.integers(1, number)),
        )
        sources.setdefault(fact_id, []).append(one)
    return [row(*found, line=LINE if fact_id <= FACTS - 1 else NOTE) for fact_id, found in sources.items()]


@given(histories(), st.integers(0, 200), st.randoms(use_true_random=False))
def test_any_order_of_rows_and_sources_gives_the_same_and_one_holds_in_a_whole_chain(
    rows: list[SlotRow], hours: int, chance: random.Random
) -> None:
    now = NOON + timedelta(hours=hours)
    stand = settled(*rows, now=now)
    shuffled = [replace(one, sources=tuple(chance.sample(one.sources, len(one.sources)))) for one in rows]
    chance.shuffle(shuffled)
    assert settled(*shuffled, now=now) == stand
    assert set(stand) == {one.fact_id for one in rows}
    for line in (LINE, NOTE):
        held = [stand[one.fact_id] for one in rows if one.line == line]
        active = [one for one in held if one.status is FactStatus.ACTIVE]
        assert len(active) <= 1
        for one in held:
            assert (one.superseded_by is not None) is (one.status is FactStatus.SUPERSEDED)
            assert one.supersedes is None or stand[one.supersedes].superseded_by == one.fact_id
            passed = [one]
            while passed[-1].superseded_by is not None:
                passed.append(stand[passed[-1].superseded_by])
                assert len(passed) <= FACTS, "a chain without an end"
            assert len(passed) == 1 or passed[-1].status is FactStatus.ACTIVE


@given(histories())
def test_no_two_sources_are_equally_good(rows: list[SlotRow]) -> None:
    ranks = [rank(source, one.line) for one in rows for source in one.sources]
    assert len(set(ranks)) == len(ranks)


def test_a_fact_about_a_date_is_past_the_day_after_it() -> None:
    exam = replace(known.fact(1, "exam"), holds_on=date(2026, 6, 20))
    assert [is_past(exam, date(2026, 6, day)) for day in (19, 20, 21)] == [False, False, True]
    assert not is_past(replace(exam, holds_on=None), date(2030, 1, 1))
