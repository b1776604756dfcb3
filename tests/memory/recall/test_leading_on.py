"""What was found leads on: to what was said since of the same thing, and of somebody whom only it names."""

from datetime import timedelta

from bot.app import Keepsake
from bot.core.domain import OPEN
from bot.memory.recall.query import query_of
from tests.memory.recall.talk import BOB, CAROL, GENERAL, GUILD_ID, MODS, MONDAY, OTHER, Talk, begin


async def led_on(talk: Talk, text: str, *, limit: int = 12) -> list[str]:
    hits = await talk.keepsake.memory.recall(
        guild_id=GUILD_ID,
        query=query_of(text, now=MONDAY + timedelta(days=30), time_zone="UTC"),
        audiences=[OPEN],
        limit=limit,
        leads_on=True,
    )
    return [hit.text for hit in hits]


async def test_what_was_said_since_of_the_same_thing_is_found_though_it_shares_no_word_with_the_question(
    keepsake: Keepsake,
) -> None:
    talk = await begin(keepsake)
    await talk.chatter()
    await talk.say("the levy for the roof is two thousand", at=MONDAY + timedelta(hours=3))
    await talk.chatter(at=MONDAY + timedelta(days=1))
    await talk.say("levy went up, now it is two and a half", at=MONDAY + timedelta(days=5), channel_id=OTHER)
    question = "what do I have to pay towards the roof?"
    assert "levy went up, now it is two and a half" not in await talk.found(question)
    found = await led_on(talk, question)
    assert found.index("the levy for the roof is two thousand") < found.index(
        "levy went up, now it is two and a half"
    )


async def test_somebody_whom_only_a_find_names_is_followed(keepsake: Keepsake) -> None:
    talk = await begin(keepsake)
    await talk.chatter()
    await talk.say("мой двоюродный брат Тимур рисует афиши", by=BOB, at=MONDAY + timedelta(hours=3))
    await talk.chatter(at=MONDAY + timedelta(days=1))
    await talk.say("Тимур вернётся из Перми в четверг", at=MONDAY + timedelta(days=5), by=CAROL)
    assert "Тимур вернётся из Перми в четверг" in await led_on(talk, "кто нам нарисует афишу?")


async def test_nothing_closed_is_led_to(keepsake: Keepsake) -> None:
    talk = await begin(keepsake)
    await talk.chatter()
    await talk.say("the levy for the roof is two thousand", at=MONDAY + timedelta(hours=3))
    await talk.say("the levy will be doubled, tell nobody", channel_id=MODS, by=BOB)
    assert "the levy will be doubled, tell nobody" not in await led_on(talk, "how much for the roof?")


async def test_what_is_found_is_found_once_and_no_more_than_is_asked_for(keepsake: Keepsake) -> None:
    talk = await begin(keepsake)
    await talk.chatter()
    for number in range(6):
        await talk.say(f"the roof levy of house {number}", at=MONDAY + timedelta(days=number))
    found = await led_on(talk, "what about the roof levy?", limit=5)
    assert len(found) == len(set(found)) == 5


async def test_what_is_worth_much_stands_before_what_was_only_said_in_the_asker_s_channel(
    keepsake: Keepsake,
) -> None:
    talk = await begin(keepsake)
    await talk.chatter()
    said = (
        ("zebra walnut copper violin tunnel garlic", OTHER),
        ("zebra walnut copper violin", OTHER),
        ("violin tunnel garlic", GENERAL),
    )
    for number, (text, channel_id) in enumerate(said, 1):
        await talk.say(text, channel_id=channel_id, at=MONDAY + timedelta(days=number))
    query = query_of(
        "zebra walnut copper violin tunnel garlic?",
        now=MONDAY + timedelta(days=30),
        time_zone="UTC",
        near_channel_id=GENERAL,
    )
    hits = await talk.keepsake.memory.recall(
        guild_id=GUILD_ID, query=query, audiences=[OPEN], limit=12, leads_on=True
    )
    assert [hit.text for hit in hits[:3]] == [text for text, _ in said]
