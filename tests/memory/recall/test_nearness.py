"""What is said in other forms and other words, at the time that is asked for, and in the asker's own channel."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.app import Keepsake
from bot.core.domain import OPEN, Message
from bot.memory.recall.query import query_of
from bot.memory.recall.search import FLOOR, HitKind
from tests.memory.recall.talk import ALICE, BOB, GENERAL, MONDAY, OTHER, Talk, begin


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("who teaches the cello?", "Bob taught me the cello"),
        ("who taught you the cello?", "my aunt teaches cello"),
        ("how many children are in the choir?", "one child left the choir"),
        ("who went to Lisbon?", "I'm going to Lisbon"),
        ("кто идёт на концерт?", "мы с Борей шли на концерт"),
        ("сколько людей в клубе?", "в клуб пришёл один человек"),
        ("у кого есть дети?", "у меня родился ребёнок"),
    ],
)
async def test_irregular_forms_are_found_as_one_word(keepsake: Keepsake, question: str, told: str) -> None:
    talk = await begin(keepsake)
    await talk.chatter()
    await talk.say(told)
    await talk.say("nothing of the kind", at=MONDAY + timedelta(days=1))
    assert (await talk.found(question, limit=1)) == [told]


async def test_who_says_any_form_says_the_word_as_well_as_who_says_another(keepsake: Keepsake) -> None:
    talk = await begin(keepsake)
    await talk.chatter()
    await talk.say("Bob taught the cello", at=MONDAY)
    await talk.say("Bob teaches the cello", at=MONDAY + timedelta(days=2))
    scores = {hit.text: hit.score for hit in await talk.hits("who teaches the cello?")}
    assert scores["Bob taught the cello"] == pytest.approx(scores["Bob teaches the cello"])


async def test_a_word_that_means_the_same_is_found_and_stands_behind_the_word_itself(
    keepsake: Keepsake,
) -> None:
    talk = await begin(keepsake)
    await talk.chatter()
    await talk.say("that film was splendid")
    await talk.say("a movie and popcorn", at=MONDAY - timedelta(days=2))
    assert await talk.found("movie", limit=2) == ["a movie and popcorn", "that film was splendid"]
    await talk.say("снял квартиру у реки", at=MONDAY + timedelta(days=2), by=BOB)
    assert await talk.found("чьё жильё у реки?", limit=1) == ["снял квартиру у реки"]


async def test_small_talk_finds_nothing_more_by_what_means_the_same(keepsake: Keepsake) -> None:
    talk = await begin(keepsake)
    await talk.chatter()
    await talk.say("I adore that, so exciting")
    await talk.say("quick question")
    hits = await talk.hits("haha that was fun, love it")
    assert [hit for hit in hits if hit.score >= FLOOR] == []


async def test_what_was_said_at_the_time_that_is_asked_for_comes_first(keepsake: Keepsake) -> None:
    talk = await begin(keepsake)
    await talk.chatter()
    may, june = (datetime(2025, month, 6, 12, tzinfo=UTC) for month in (5, 6))
    for moment in (may, june):
        await talk.say(f"the regatta was in the month of {moment.month} and windy", at=moment)
    asked = [await talk.found(f"Who won the regatta in {month}?", limit=2) for month in ("May", "June")]
    assert [found[0] for found in asked] == [
        "the regatta was in the month of 5 and windy",
        "the regatta was in the month of 6 and windy",
    ]
    assert [len(found) for found in asked] == [2, 2]


async def _both(talk: Talk) -> tuple[Message, Message]:
    await talk.chatter()
    here = await talk.say("the regatta is on Sunday", channel_id=GENERAL)
    there = await talk.say("the regatta is on Sunday", channel_id=OTHER, at=MONDAY + timedelta(days=1))
    return here, there


async def test_the_askers_channel_comes_before_others_and_is_worth_no_more(keepsake: Keepsake) -> None:
    talk = await begin(keepsake)
    here, there = await _both(talk)
    asked = {
        channel_id: await talk.hits(
            query_of("regatta", now=MONDAY, time_zone="UTC", near_channel_id=channel_id), limit=2
        )
        for channel_id in (GENERAL, OTHER)
    }
    assert [hit.hit_id for hit in asked[GENERAL]] == [here.message_id, there.message_id]
    assert [hit.hit_id for hit in asked[OTHER]] == [there.message_id, here.message_id]
    scores = {hit.hit_id: hit.score for hit in asked[GENERAL]}
    assert scores == {hit.hit_id: hit.score for hit in asked[OTHER]}


async def test_what_says_more_of_the_question_comes_first_from_whichever_channel(keepsake: Keepsake) -> None:
    talk = await begin(keepsake)
    await talk.chatter()
    await talk.say("a regatta?", channel_id=GENERAL)
    await talk.say("Boris steers the yellow boat at the regatta", channel_id=OTHER)
    query = query_of(
        "who steers the yellow boat at the regatta?",
        now=MONDAY,
        time_zone="UTC",
        asker_id=ALICE,
        near_channel_id=GENERAL,
    )
    hits = await talk.hits(query)
    assert (hits[0].kind, hits[0].text) == (HitKind.MESSAGE, "Boris steers the yellow boat at the regatta")
    assert await talk.keepsake.memory.recall(guild_id=1, query=query, audiences=[OPEN], limit=1) == hits[:1]
