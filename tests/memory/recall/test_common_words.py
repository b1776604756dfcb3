"""Which messages a question looks at: the rarest words first, pairs of common ones, and of those that everybody says
the newest.
"""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.app import Keepsake
from bot.memory.recall import plan, repository_lookup
from bot.memory.recall.plan import QueryWord, lookup_of
from bot.memory.recall.query import query_of
from bot.memory.recall.repository_lookup import Lookup
from tests.memory.recall.talk import GENERAL, MODS, MONDAY, OTHER, Talk, begin

MILLION = 1_000_000


def words(*messages: float) -> list[QueryWord]:
    """Return words that so many messages say, called w1, w2 and so on."""
    return [
        QueryWord(number=number, lexemes=(f"w{number}",), messages=said, weight=1.0)
        for number, said in enumerate(messages, 1)
    ]


def test_rare_words_are_looked_up_by_themselves() -> None:
    assert lookup_of(words(5, 700), MILLION) == Lookup(query="('w1') | ('w2')")


def test_words_for_which_there_is_no_room_are_looked_up_in_pairs() -> None:
    assert lookup_of(words(5, 9_000, 8_000), MILLION) == Lookup(query="('w1') | ('w3' & 'w2')")


def test_where_even_pairs_are_said_too_often_threes_are_looked_up() -> None:
    assert lookup_of(words(30_000, 31_000, 32_000), MILLION).query == "('w1' & 'w2' & 'w3')"


def test_a_common_word_is_looked_up_by_itself_where_hardly_anything_else_is() -> None:
    assert lookup_of(words(1_500), MILLION) == Lookup(query="('w1')")
    assert lookup_of(words(1, 1_500), MILLION) == Lookup(query="('w1') | ('w2')")
    assert lookup_of(words(100, 1_500), MILLION) == Lookup(query="('w1')")


def test_of_what_everybody_says_the_newest_are_sought() -> None:
    assert lookup_of(words(300_000), MILLION) == Lookup(query="('w1')", newest=3_000)
    assert lookup_of(words(30_000), MILLION) == Lookup(query="('w1')", newest=10_000)
    assert lookup_of(words(90_000, 80_000), MILLION) == Lookup(query="('w2' & 'w1')", newest=13_888)


def test_an_identifier_of_common_parts_is_looked_up_with_other_words() -> None:
    boot = QueryWord(number=9, lexemes=(), parts="'boot'", messages=19_000, weight=14.0)
    assert lookup_of([boot, *words(4_000)], MILLION) == Lookup(query="('w1' & ('boot'))")


@given(st.lists(st.integers(1, MILLION), max_size=40))
def test_however_common_words_are_a_bounded_number_of_messages_is_sought(messages: list[int]) -> None:
    lookup = lookup_of(words(*messages), MILLION)
    assert bool(lookup.query) == bool(messages)
    said = {f"'w{number}'": count for number, count in enumerate(messages, 1)}
    if lookup.newest is None:
        alone = [one.strip("()") for one in lookup.query.split(" | ") if one and "&" not in one]
        assert sum(said[one] for one in alone) <= 2_000
    else:
        assert 3_000 <= lookup.newest <= 30_000


async def teas(keepsake: Keepsake, monkeypatch: pytest.MonkeyPatch) -> Talk:
    """Let tea be what everybody talks about, where three messages are many."""
    talk = await begin(keepsake)
    for number in range(12):
        await talk.say(f"tea again, cup {number}", at=MONDAY + timedelta(hours=number))
    await talk.say("TKT-1000 was about tea", at=MONDAY - timedelta(days=3))
    await talk.say("tea with the moderators", channel_id=MODS, at=MONDAY + timedelta(days=1))
    await talk.hits("tea")
    await keepsake.memory.told()
    await keepsake.work.idle()
    monkeypatch.setattr(plan, "_MOST_OF_ONE", 2)
    monkeypatch.setattr(plan, "_MOST_CANDIDATES", 2)
    monkeypatch.setattr(plan, "_GONE_THROUGH", (6, 6))
    return talk


@pytest.mark.parametrize("few", [0, 10])
async def test_of_a_word_that_many_say_the_newest_that_may_be_seen_are_found(
    keepsake: Keepsake, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    talk = await teas(keepsake, monkeypatch)
    monkeypatch.setattr(repository_lookup, "_FEW", few)
    # Of the seven newest one is another audience's.
    assert set(await talk.found("tea", limit=20)) == {f"tea again, cup {number}" for number in range(6, 12)}


async def test_in_one_channel_the_newest_of_that_channel_are_found(
    keepsake: Keepsake, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = await teas(keepsake, monkeypatch)
    for number in range(3):
        await talk.say(
            f"tea elsewhere, cup {number}", channel_id=OTHER, at=MONDAY + timedelta(days=2, hours=number)
        )
    asked = query_of("tea", now=MONDAY, time_zone="UTC", channel_id=GENERAL)
    assert set(await talk.found(asked, limit=20)) == {f"tea again, cup {number}" for number in range(5, 12)}


async def test_in_a_time_of_few_messages_all_of_them_are_found(
    keepsake: Keepsake, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = await teas(keepsake, monkeypatch)
    asked = query_of("what did we say about tea yesterday?", now=MONDAY, time_zone="UTC")
    await talk.say("tea of yesterday", at=MONDAY - timedelta(days=1))
    assert await talk.found(asked, limit=20) == ["tea of yesterday"]


async def test_an_identifier_beside_it_is_found_however_long_ago(
    keepsake: Keepsake, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = await teas(keepsake, monkeypatch)
    assert (await talk.found("tea TKT-1000", limit=1)) == ["TKT-1000 was about tea"]
