"""Rules of living facts, one by one, over a real database."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.app import Keepsake
from bot.core.clock import SetClock
from bot.core.domain import FactOrigin
from bot.db.pool import Database
from bot.memory.facts import repository as facts_repository
from bot.memory.facts.statements import Note
from bot.text.extraction import event_key
from tests.memory.living import (
    BOB,
    CHANNEL_ID,
    GUILD_ID,
    SELF,
    chains,
    learn,
    note,
    on_day,
    only,
    picked_up,
    values,
    withdraw,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def clock() -> SetClock:
    return SetClock(NOON)


def asked(value: str, message_id: int, *, at: datetime = NOON, author_id: int = SELF) -> Note:
    """Return the request to remember a name, whose key commands have."""
    return note(f"<@{SELF}>'s name is {value}", message_id=message_id, said_at=at, author_id=author_id)


def named(value: str, message_id: int, *, at: datetime = NOON) -> facts_repository.NewFact:
    return picked_up(
        value, message_id=message_id, said_at=at, key="name", content=f"<@{SELF}>'s name is {value}"
    )


async def test_the_same_said_again_is_one_fact_that_matters_more(database: Database) -> None:
    first = await learn(database, picked_up("Pizza", message_id=1, said_at=NOON))
    again = await learn(database, picked_up("pizza!", message_id=2, said_at=NOON))
    assert first == again
    fact = await only(database, now=NOON)
    assert (fact.value, fact.importance, fact.tentative) == ("Pizza", 85, True)


async def test_heard_again_from_the_same_message_nothing_changes(database: Database) -> None:
    for _ in range(3):
        await learn(database, picked_up("pizza", message_id=1, said_at=NOON))
    assert (await only(database, now=NOON)).importance == 80


async def test_said_on_another_day_it_is_certain_and_confirmed_it_is_too(
    keepsake: Keepsake, database: Database
) -> None:
    later = on_day(NOON, 1)
    await learn(database, picked_up("pizza", message_id=1, said_at=NOON))
    assert (await only(database, now=NOON)).tentative
    await learn(database, picked_up("pizza", message_id=2, said_at=later))
    assert not (await only(database, now=later)).tentative
    await withdraw(database, 2, now=later)
    fact = await only(database, now=later)
    assert fact.tentative
    await keepsake.memory.confirm(guild_id=GUILD_ID, fact_id=fact.fact_id)
    assert not (await only(database, now=later)).tentative


async def test_the_newer_value_takes_the_place_of_the_older_whichever_comes_first(database: Database) -> None:
    await learn(database, picked_up("ramen", message_id=2, said_at=on_day(NOON, 1)))
    await learn(database, picked_up("pizza", message_id=1, said_at=NOON), now=on_day(NOON, 2))
    assert await chains(database, SELF) == {"favorite:food": [("ramen", "active"), ("pizza", "superseded")]}
    await learn(
        database, picked_up("soup", message_id=3, said_at=NOON + timedelta(hours=3)), now=on_day(NOON, 2)
    )
    assert [value for value, _ in (await chains(database, SELF))["favorite:food"]] == [
        "ramen",
        "soup",
        "pizza",
    ]


async def test_a_value_said_again_later_holds_again(database: Database) -> None:
    for number, value in enumerate(["pizza", "ramen", "pizza"]):
        await learn(database, picked_up(value, message_id=1 + number, said_at=NOON + timedelta(hours=number)))
    assert await chains(database, SELF) == {"favorite:food": [("pizza", "active"), ("ramen", "superseded")]}


async def test_nothing_is_superseded_beyond_subject_audience_and_key(database: Database) -> None:
    """Facts are retired by facts about another key or another subject in other systems, three of four wrongly."""
    await learn(
        database,
        picked_up("pizza", message_id=1, said_at=NOON),
        picked_up("ramen", message_id=2, said_at=NOON, subject_id=BOB),
        picked_up("soup", message_id=3, said_at=NOON, audience=CHANNEL_ID),
        picked_up("pizza", message_id=4, said_at=NOON, key="favorite:dish"),
        picked_up("dislikes", message_id=5, said_at=NOON, key="likes:pizza"),
    )
    rows = await database.read(lambda connection: connection.fetch("SELECT status FROM facts"))
    assert [row["status"] for row in rows] == ["active"] * 5


async def test_a_dislike_takes_the_place_of_the_like_of_the_same_thing(database: Database) -> None:
    for number, value in enumerate(["likes", "dislikes"]):
        await learn(
            database, picked_up(value, message_id=1 + number, said_at=on_day(NOON, number), key="likes:tea")
        )
    assert await values(database, now=on_day(NOON, 2)) == ["dislikes"]


async def test_a_newer_pattern_changes_no_commanded_value_and_is_asked_about_once(
    keepsake: Keepsake, database: Database, clock: SetClock
) -> None:
    await keepsake.memory.remember(asked("Alice", 1))
    await learn(database, named("Alicia", 2, at=on_day(NOON, 1)))
    assert await values(database, now=on_day(NOON, 1)) == ["Alice"]
    clock.advance(timedelta(days=1))
    found = await keepsake.memory.contradicted(guild_id=GUILD_ID, subject_id=SELF, audiences=[0])
    assert found is not None
    assert (found.commanded.value, found.said.value) == ("Alice", "Alicia")
    assert await keepsake.memory.asked_which(found)
    assert not await keepsake.memory.asked_which(found)
    assert await keepsake.memory.contradicted(guild_id=GUILD_ID, subject_id=SELF, audiences=[0]) is None
    # Said once more, it is worth asking once more.
    clock.advance(timedelta(days=1))
    await learn(database, named("Alicia", 3, at=clock.now()))
    assert await keepsake.memory.contradicted(guild_id=GUILD_ID, subject_id=SELF, audiences=[0]) is not None


@pytest.mark.parametrize("chosen", ["Alice", "Alicia"])
async def test_what_the_member_chooses_holds_and_is_explicit(
    keepsake: Keepsake, database: Database, clock: SetClock, chosen: str
) -> None:
    await keepsake.memory.remember(asked("Alice", 1))
    await learn(database, named("Alicia", 2, at=on_day(NOON, 1)))
    clock.advance(timedelta(days=2))
    found = await keepsake.memory.contradicted(guild_id=GUILD_ID, subject_id=SELF, audiences=[0])
    assert found is not None
    fact = found.commanded if chosen == "Alice" else found.said
    settling = keepsake.memory.settling_which(fact, cause="m:5", channel_id=CHANNEL_ID, message_id=5)
    settled = await keepsake.memory.carry_out(settling)
    assert settled is not None and settled.fact_id == fact.fact_id
    held = await only(database, now=clock.now())
    assert (held.value, held.is_explicit, held.tentative) == (chosen, True, False)
    assert await keepsake.memory.contradicted(guild_id=GUILD_ID, subject_id=SELF, audiences=[0]) is None


async def test_what_was_forgotten_meanwhile_is_not_chosen_back(
    keepsake: Keepsake, database: Database, clock: SetClock
) -> None:
    await keepsake.memory.remember(asked("Alice", 1))
    await learn(database, named("Alicia", 2, at=on_day(NOON, 1)))
    clock.advance(timedelta(days=2))
    found = await keepsake.memory.contradicted(guild_id=GUILD_ID, subject_id=SELF, audiences=[0])
    assert found is not None
    await keepsake.memory.forget(guild_id=GUILD_ID, fact_ids=[found.commanded.fact_id])
    settling = keepsake.memory.settling_which(found.said, cause="m:5", channel_id=CHANNEL_ID, message_id=5)
    chosen = await keepsake.memory.carry_out(settling)
    assert chosen is None
    assert await values(database, now=clock.now()) == []


async def test_what_others_say_changes_nothing_that_the_subject_said_and_is_owned_up_to(
    keepsake: Keepsake, database: Database
) -> None:
    await learn(database, named("Alice", 1))
    told = await keepsake.memory.remember(asked("Bob", 2, at=on_day(NOON, 1), author_id=BOB))
    assert told.is_new and told.outweighed_by is not None
    assert told.outweighed_by.content == f"<@{SELF}>'s name is Alice"
    assert await values(database, now=on_day(NOON, 1)) == ["Alice"]
    # The first own word takes the place of hearsay.
    await withdraw(database, 1, now=NOON)
    assert await values(database, now=NOON) == ["Bob"]
    await learn(database, named("Alice", 3))
    assert await values(database, now=NOON) == ["Alice"]


async def test_a_correction_holds_whoever_makes_it_and_undone_it_never_was(
    keepsake: Keepsake, database: Database
) -> None:
    await keepsake.memory.remember(asked("Alicia", 1))
    await keepsake.memory.remember(asked("Alisa", 2, at=on_day(NOON, 1)))
    wrong = await only(database, now=NOON)
    right = await keepsake.memory.correct(wrong, asked("Alice", 3, at=NOON, author_id=BOB))
    assert right is not None and right.fact_id is not None
    assert await values(database, now=NOON) == ["Alice"]
    await keepsake.memory.take_back(guild_id=GUILD_ID, fact_ids=[right.fact_id])
    assert await chains(database, SELF) == {"name": [("Alisa", "active"), ("Alicia", "superseded")]}


async def test_a_command_makes_what_was_learned_explicit_and_undone_it_is_learned_again(
    keepsake: Keepsake, database: Database
) -> None:
    (fact_id,) = await learn(database, named("Alice", 1))
    stored = await keepsake.memory.remember(asked("Alice", 2))
    assert (stored.fact_id, stored.is_new) == (fact_id, True)
    fact = await only(database, now=NOON)
    assert (fact.origin, fact.confidence, fact.tentative) == (FactOrigin.COMMAND, 1.0, False)
    await keepsake.memory.take_back(guild_id=GUILD_ID, fact_ids=[fact_id])
    fact = await only(database, now=NOON)
    assert (fact.origin, fact.tentative, fact.importance) == (FactOrigin.PATTERN, True, 80)
    # The same command heard again by a backfill does not bring back what was undone.
    assert (await keepsake.memory.remember(asked("Alice", 2))).fact_id is None
    assert (await only(database, now=NOON)).origin is FactOrigin.PATTERN


async def test_a_command_takes_the_place_of_what_was_picked_up_from_the_same_message(
    keepsake: Keepsake, database: Database
) -> None:
    await learn(database, named("Alice B", 1))
    stored = await keepsake.memory.remember(asked("Alice", 1))
    assert stored.is_new
    await learn(database, named("Alice B", 1))
    assert await chains(database, SELF) == {"name": [("Alice", "active")]}


async def test_undoing_the_last_of_three_leaves_the_second_and_the_first(
    keepsake: Keepsake, database: Database
) -> None:
    for number, name in enumerate(["Alicia", "Alisa", "Alicia"]):
        stored = await keepsake.memory.remember(asked(name, 1 + number, at=on_day(NOON, number)))
        assert stored.is_new
    assert stored.fact_id is not None
    await keepsake.memory.take_back(guild_id=GUILD_ID, fact_ids=[stored.fact_id])
    assert await chains(database, SELF) == {"name": [("Alisa", "active"), ("Alicia", "superseded")]}


async def test_what_is_asked_for_and_what_is_picked_up_stand_under_one_key(
    keepsake: Keepsake, database: Database
) -> None:
    await learn(database, picked_up("pizza", message_id=1, said_at=NOON))
    await keepsake.memory.remember(note("my favorite food is ramen", message_id=2, said_at=NOON))
    assert await chains(database) == {"favorite:food": [("ramen", "active"), ("pizza", "superseded")]}
    await keepsake.memory.remember(note("my favourite food is soup", message_id=3, said_at=NOON))
    assert await values(database, now=NOON) == ["soup"]


async def test_what_happened_and_is_asked_for_too_is_one_fact_that_stays(
    keepsake: Keepsake, database: Database
) -> None:
    stored = await keepsake.memory.remember(note("I met the mayor of Lyon", message_id=2, said_at=NOON))
    happened = picked_up(
        stored.content,
        key=event_key(stored.content),
        content=stored.content,
        message_id=1,
        said_at=NOON,
        lasts=timedelta(days=7),
    )
    assert await learn(database, happened) == [stored.fact_id]
    fact = await only(database, now=on_day(NOON, 30))
    assert (fact.is_explicit, fact.expires_at) == (True, None)
