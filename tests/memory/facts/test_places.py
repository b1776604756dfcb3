"""Places: the same one twice is one, mentioned in as many conversations as it was, and seen where its facts are."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta

import pytest

from bot.chat.disclosure import place_line
from bot.core.clock import SetClock
from bot.core.domain import FactStatus, Language, Message
from bot.core.errors import EmptyFactError, FactTooLongError
from bot.db.pool import Database
from bot.memory.facts.places import MOST_MENTIONS, NewPlace, PlaceOutcome, RememberedPlace, place_key
from bot.memory.policy.permissions import ReadScope, scope_of
from tests.memory.diary import ALICE, BOB, GENERAL, GUILD_ID, MODS, Diary, close, open_diary

OPEN_VIEW = scope_of(guild_id=GUILD_ID, channel_audience=0)
MODS_VIEW = scope_of(guild_id=GUILD_ID, channel_audience=MODS)


@pytest.fixture
async def diary(database: Database, clock: SetClock) -> AsyncIterator[Diary]:
    diary = await open_diary(database, clock, has_models=False)
    yield diary
    await close(diary)


def place_in(
    message: Message, name: str, notes: str = "", *, language: Language = Language.ENGLISH
) -> NewPlace:
    return NewPlace(
        guild_id=GUILD_ID,
        subject_id=message.user_id,
        author_id=message.user_id,
        audience=message.audience,
        name=name,
        notes=notes,
        language=language,
        cause=f"m:{message.message_id}",
        channel_id=message.channel_id,
        message_id=message.message_id,
        said_at=message.timestamp,
        said=message.text,
    )


async def tell(
    diary: Diary,
    name: str,
    notes: str = "",
    *,
    after: timedelta = timedelta(seconds=5),
    channel_id: int = GENERAL,
) -> PlaceOutcome:
    """Let Alice tell of a place in a message."""
    message = await diary.say(ALICE, f"about {name}", at=diary.clock.now() + after, channel_id=channel_id)
    return await diary.memory.places.add(place_in(message, name, notes))


async def known(diary: Diary, view: ReadScope = OPEN_VIEW, user_id: int = ALICE) -> Sequence[RememberedPlace]:
    return (await diary.memory.places.of([user_id], view, asker_id=user_id)).get(user_id, ())


async def lines(diary: Diary, view: ReadScope = OPEN_VIEW) -> list[str]:
    return [place_line(one, Language.ENGLISH) for one in await known(diary, view)]


async def test_the_same_place_twice_is_one_place_with_one_more_mention(diary: Diary) -> None:
    first = await tell(diary, "Home", "quiet street in Seattle")
    for name in ("home", "My home", "HOME!"):
        again = await tell(diary, name)
        assert (again.fact_id, again.is_new, again.is_mentioned) == (first.fact_id, False, True)
    (place,) = await known(diary)
    assert (place.name, place.notes, len(place.mentions)) == ("Home", "quiet street in Seattle", 4)
    assert place.fact.content == f"<@{ALICE}>'s place “Home”: quiet street in Seattle"


async def test_conversations_are_counted_and_not_messages(diary: Diary) -> None:
    await tell(diary, "Home", "quiet street in Seattle")
    await tell(diary, "Home")
    for minutes in (31, 29, 60):
        await tell(diary, "Home", after=timedelta(minutes=minutes))
    await tell(diary, "Home", channel_id=MODS, after=timedelta(minutes=1))
    await diary.say(BOB, "talk goes on", at=diary.clock.now() + timedelta(minutes=20))
    assert await lines(diary) == ["Home: quiet street in Seattle (mentioned in 3 conversations)"]


async def test_a_talk_that_goes_on_is_one_conversation_however_long_the_place_is_not_named(
    diary: Diary,
) -> None:
    await tell(diary, "Home")
    for _ in range(4):
        await diary.say(BOB, "and so on", at=diary.clock.now() + timedelta(minutes=25))
    await tell(diary, "Home", after=timedelta(minutes=25))
    assert await lines(diary) == ["Home (mentioned in 1 conversation)"]


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (1, "Дом: тихая улица (упоминается в 1 разговоре)"),
        (3, "Дом: тихая улица (упоминается в 3 разговорах)"),
        (21, "Дом: тихая улица (упоминается в 21 разговоре)"),
    ],
)
async def test_a_place_is_told_in_russian_too(count: int, told: str, diary: Diary) -> None:
    for number in range(count):
        message = await diary.say(ALICE, "о доме", at=diary.clock.now() + timedelta(hours=1))
        notes = "тихая улица" if number == 0 else ""
        await diary.memory.places.add(place_in(message, "Дом", notes, language=Language.RUSSIAN))
    (place,) = await known(diary)
    assert place_line(place, Language.RUSSIAN) == told
    assert place.fact.content == f"у <@{ALICE}> есть место «Дом»: тихая улица"


async def test_the_same_message_heard_again_mentions_nothing_again(diary: Diary) -> None:
    message = await diary.say(ALICE, "about home")
    place = place_in(message, "Home", "quiet street")
    for _ in range(3):
        assert (await diary.memory.places.add(place)).is_new
        assert not (await diary.memory.places.mention(place)).is_mentioned
    (told,) = await known(diary)
    assert len(told.mentions) == 1


async def test_however_many_tell_of_it_at_once_it_is_one_place_and_no_mention_is_lost(diary: Diary) -> None:
    messages = [await diary.say(ALICE, f"home {number}") for number in range(12)]
    placed = await asyncio.gather(
        *(
            diary.memory.places.add(place_in(message, "Home", "quiet street" if number % 3 else ""))
            for number, message in enumerate([*messages, *messages])
        )
    )
    assert {one.is_new for one in placed} == {True, False}
    (place,) = await known(diary)
    assert {one.message_id for one in place.mentions} == {message.message_id for message in messages}
    assert len(place.mentions) == len(messages)
    assert place.notes == "quiet street"


async def test_new_notes_take_the_place_of_the_old_and_keep_the_mentions(diary: Diary) -> None:
    await tell(diary, "Home", "quiet street in Seattle")
    moved = await tell(diary, "Home", "flat in Lyon", after=timedelta(hours=2))
    assert moved.is_new
    assert await lines(diary) == ["Home: flat in Lyon (mentioned in 2 conversations)"]
    assert moved.fact_id is not None
    await diary.memory.take_back(guild_id=GUILD_ID, fact_ids=[moved.fact_id])
    assert await lines(diary) == ["Home: quiet street in Seattle (mentioned in 1 conversation)"]


async def test_a_mention_needs_a_place_that_is_known(diary: Diary) -> None:
    message = await diary.say(ALICE, "the library is great")
    assert (await diary.memory.places.mention(place_in(message, "Library"))).fact_id is None
    assert await known(diary) == ()
    await tell(diary, "the library")
    message = await diary.say(ALICE, "off to the library", at=diary.clock.now() + timedelta(hours=1))
    assert (await diary.memory.places.mention(place_in(message, "library"))).is_mentioned
    assert await lines(diary) == ["library (mentioned in 2 conversations)"]


async def test_places_of_a_closed_room_are_seen_there_alone_and_are_one_with_the_open_ones(
    diary: Diary,
) -> None:
    await tell(diary, "Home", "quiet street")
    await tell(diary, "Home", channel_id=MODS)
    await tell(diary, "Hideout", "under the bridge", channel_id=MODS)
    assert await lines(diary) == ["Home: quiet street (mentioned in 1 conversation)"]
    assert sorted(await lines(diary, MODS_VIEW)) == [
        "Hideout: under the bridge (mentioned in 1 conversation)",
        "Home: quiet street (mentioned in 2 conversations)",
    ]
    assert await lines(diary, ReadScope(guild_id=GUILD_ID, audiences=())) == []


async def test_forgetting_a_place_leaves_nothing_of_it(diary: Diary, database: Database) -> None:
    placed = await tell(diary, "Home", "quiet street in Seattle")
    await tell(diary, "Home", after=timedelta(hours=1))
    assert placed.fact_id is not None
    await diary.memory.forget(guild_id=GUILD_ID, fact_ids=[placed.fact_id])
    assert await known(diary) == ()
    rows = await database.read(
        lambda connection: connection.fetch("SELECT status, content, details::text AS details FROM facts")
    )
    assert [tuple(row) for row in rows] == [(FactStatus.FORGOTTEN, "", "{}")]


async def test_a_place_that_was_taken_back_does_not_come_back_with_its_message(diary: Diary) -> None:
    message = await diary.say(ALICE, "about home")
    placed = await diary.memory.places.add(place_in(message, "Home"))
    assert placed.fact_id is not None
    await diary.memory.take_back(guild_id=GUILD_ID, fact_ids=[placed.fact_id])
    assert (await diary.memory.places.add(place_in(message, "Home"))).fact_id is None
    assert await known(diary) == ()


async def test_a_place_has_a_name_and_no_more_than_a_fact_holds(diary: Diary) -> None:
    message = await diary.say(ALICE, "about home")
    for name in ("", "  ", "!!!"):
        with pytest.raises(EmptyFactError):
            await diary.memory.places.add(place_in(message, name))
    with pytest.raises(FactTooLongError):
        await diary.memory.places.add(place_in(message, "Home", "x" * 500))


async def test_mentions_are_bounded(diary: Diary, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_MENTIONS >= 100
    monkeypatch.setattr("bot.memory.facts.places.MOST_MENTIONS", 3)
    for _ in range(5):
        await tell(diary, "Home", after=timedelta(hours=1))
    (place,) = await known(diary)
    assert len(place.mentions) == 3


def test_articles_and_case_make_no_other_place() -> None:
    assert len({place_key(name) for name in ("Home", "my home", "the  HOME", "home.")}) == 1
    assert place_key("Мой дом") == place_key("дом")
    assert place_key("Home") != place_key("Home 2")
