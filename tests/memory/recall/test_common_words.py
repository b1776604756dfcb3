"""Words that everybody says: the newest messages that say them, found by going back in time where they are many."""

from datetime import timedelta

import pytest

from bot.app import Keepsake
from bot.memory.recall import plan
from bot.memory.recall.plan import QueryWord, lookup_of
from bot.memory.recall.repository import Lookup
from tests.memory.recall.talk import MODS, MONDAY, Talk, begin


def word(number: int, *, messages: float) -> QueryWord:
    return QueryWord(number=number, lexemes=(f"w{number}",), messages=messages, weight=1.0)


def test_rare_words_are_looked_up_whole_and_common_ones_from_the_newest_back() -> None:
    assert lookup_of([word(1, messages=5)], 1_000_000)[1] is Lookup.ALL
    assert lookup_of([word(1, messages=2_500)], 1_000_000)[1] is Lookup.NEWEST
    assert lookup_of([word(1, messages=10_000)], 1_000_000)[1] is Lookup.BACKWARDS
    pairs, how = lookup_of([word(1, messages=10_000), word(2, messages=9_000)], 1_000_000)
    assert (pairs, how) == ([["w2", "w1"]], Lookup.NEWEST)
    everywhere = [word(1, messages=90_000), word(2, messages=80_000)]
    assert lookup_of(everywhere, 1_000_000)[1] is Lookup.BACKWARDS


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
    monkeypatch.setattr(plan, "MOST_CANDIDATES", 2)
    monkeypatch.setattr(plan, "_MANY", 3)
    return talk


async def test_of_a_word_that_many_say_the_newest_that_may_be_seen_are_found(
    keepsake: Keepsake, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = await teas(keepsake, monkeypatch)
    found = await talk.found("tea", limit=3)
    assert set(found) <= {f"tea again, cup {number}" for number in range(12)}
    assert len(found) == 3
    assert "tea again, cup 11" in found


async def test_an_identifier_beside_it_is_found_however_long_ago(
    keepsake: Keepsake, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = await teas(keepsake, monkeypatch)
    assert (await talk.found("tea TKT-1000", limit=1)) == ["TKT-1000 was about tea"]
