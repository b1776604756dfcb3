"""A second search by other words, such as a model names them, where the question's own words find little."""

from dataclasses import replace
from datetime import timedelta

from bot.app import Keepsake
from bot.core.domain import OPEN
from bot.memory.recall.query import Query, query_of
from bot.memory.recall.search import FLOOR, Hit
from tests.memory.recall.talk import ALICE, BOB, GUILD_ID, MODS, MONDAY, OTHER, Talk, begin


async def again(talk: Talk, query: Query, found: list[Hit], *words: str, limit: int = 5) -> list[Hit]:
    return await talk.keepsake.memory.recollection.search_again(
        guild_id=GUILD_ID, query=query, words=words, found=found, audiences=[OPEN], limit=limit
    )


def asked(text: str) -> Query:
    return query_of(text, now=MONDAY + timedelta(days=30), time_zone="UTC")


async def test_other_words_find_what_the_question_shares_no_word_with(keepsake: Keepsake) -> None:
    talk = await begin(keepsake)
    await talk.chatter()
    told = await talk.say("I am allergic to hazelnuts")
    closed = await talk.say("Carol is allergic too", channel_id=MODS, by=BOB)
    query = asked("what can I cook for dinner?")
    found = await talk.hits(query)
    assert told.message_id not in {hit.hit_id for hit in found}
    more = await again(talk, query, found, "allergic", "vegetarian", "cannot eat")
    assert told.message_id in {hit.hit_id for hit in more if hit.score >= FLOOR}
    assert closed.message_id not in {hit.hit_id for hit in more}


async def test_what_the_question_found_itself_stands_first(keepsake: Keepsake) -> None:
    talk = await begin(keepsake)
    await talk.chatter()
    dinner = await talk.say("the dinner party is on friday")
    await talk.chatter(at=MONDAY + timedelta(days=1))
    allergy = await talk.say("allergic to hazelnuts, by the way", at=MONDAY + timedelta(days=2), by=ALICE)
    query = asked("when is the dinner party?")
    found = await talk.hits(query)
    more = await again(talk, query, found, "allergic", "hazelnuts")
    assert next(hit for hit in more if hit.score >= FLOOR).hit_id == dinner.message_id
    assert allergy.message_id in {hit.hit_id for hit in more}
    assert len({hit.hit_id for hit in more}) == len(more)


async def test_nothing_is_searched_again_where_enough_was_found_or_no_word_is_named(
    keepsake: Keepsake,
) -> None:
    talk = await begin(keepsake)
    await talk.chatter()
    await talk.say("the zeppelin lands at noon")
    await talk.say("allergic to hazelnuts", channel_id=OTHER)
    query = asked("when does the zeppelin land?")
    found = await talk.hits(query)
    assert found[0].score >= FLOOR
    assert await again(talk, query, found, "hello", "", limit=3) == found[:3]
    assert await again(talk, query, found, "allergic", limit=1) == found[:1]


async def test_other_words_are_looked_for_in_the_same_channel_and_time(keepsake: Keepsake) -> None:
    talk = await begin(keepsake)
    await talk.chatter()
    early = await talk.say("allergic to hazelnuts")
    await talk.say("allergic to cats", channel_id=OTHER)
    late = await talk.say("allergic to dogs", at=MONDAY + timedelta(hours=1))
    query = replace(asked("what to cook?"), channel_id=early.channel_id, before_message_id=late.message_id)
    more = await again(talk, query, [], "allergic")
    assert early.message_id in {hit.hit_id for hit in more}
    assert {hit.channel_id for hit in more} == {early.channel_id}
    assert late.message_id not in {hit.hit_id for hit in more}
