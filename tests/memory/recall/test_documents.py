"""The memory document: it survives being written down, and what it leaves out is what is missed least."""

import logging
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.clock import SetClock
from bot.core.domain import EXPLICIT, FactCategory, FactOrigin, FactStatus
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.memory.policy.permissions import scope_of
from bot.memory.recall.documents import (
    DocumentFact,
    DocumentMention,
    DocumentPlace,
    Documents,
    MemoryDocument,
    document_of,
    trimmed,
)
from tests.memory.diary import ALICE, GENERAL, GUILD_ID, MODS, Diary, close, open_diary
from tests.memory.facts.test_places import tell

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
VIEW = scope_of(guild_id=GUILD_ID, channel_audience=0)

moments = st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC))
ids = st.integers(0, 2**63 - 1)
kept = {
    "id": st.integers(1, 10**6).map(str),
    "status": st.sampled_from(sorted(set(FactStatus) - {FactStatus.FORGOTTEN})),
    "importance": st.integers(0, 100),
    "origin": st.sampled_from(sorted(FactOrigin)),
    "author": ids,
    "guild": ids,
    "audience": ids,
    "channel": ids,
    "message": ids,
    "said_at": moments,
}
facts = st.builds(
    DocumentFact,
    **kept,
    category=st.sampled_from(sorted(FactCategory)),
    key=st.text(max_size=30),
    value=st.text(max_size=30),
    content=st.text(max_size=500),
    said=st.text(max_size=500),
    confidence=st.floats(0, 1),
    holds_on=st.none() | st.dates(date(2020, 1, 1)),
    expires_at=st.none() | moments,
    tentative=st.booleans(),
)
mentions = st.builds(DocumentMention, conversation=ids, message=ids, at=moments)
places = st.builds(
    DocumentPlace,
    **kept,
    name=st.text(max_size=50),
    notes=st.text(max_size=200),
    conversations=st.integers(0, 99),
    mentions=st.lists(mentions, max_size=3).map(tuple),
)
documents = st.builds(
    document_of,
    st.lists(facts, max_size=8, unique_by=lambda one: one.id),
    st.lists(places, max_size=4, unique_by=lambda one: one.id),
    last_updated=st.none() | moments,
)


def fact(number: int, *, tokens: int = 100, days_ago: int = 0, **values: object) -> DocumentFact:
    return DocumentFact.model_validate(
        {
            "id": str(number),
            "status": FactStatus.ACTIVE,
            "importance": 50,
            "origin": FactOrigin.PATTERN,
            "said_at": NOON - timedelta(days=days_ago),
            "category": FactCategory.FACT,
            "content": "x" * 4 * tokens,
            **values,
        }
    )


@given(documents)
def test_a_document_survives_writing_and_reading_unchanged(document: MemoryDocument) -> None:
    assert MemoryDocument.model_validate_json(document.model_dump_json()) == document
    assert MemoryDocument.model_validate(document.model_dump()) == document


@given(documents, st.integers(0, 1500))
def test_it_is_never_longer_than_allowed_and_counts_what_it_holds(
    document: MemoryDocument, allowed: int
) -> None:
    short, left_out = trimmed(document, allowed_tokens=allowed)
    assert short.metadata.token_count <= allowed
    assert short.metadata.total_facts == len(short.facts)
    assert short.metadata.total_places == len(short.places)
    assert short.metadata.total_active_facts == sum(one.status is FactStatus.ACTIVE for one in short.facts)
    assert len(left_out) == len(document.facts) + len(document.places) - len(short.facts) - len(short.places)
    if document.metadata.token_count <= allowed:
        assert (short, left_out) == (document, [])


@given(documents, st.integers(0, 1500))
def test_nothing_goes_while_something_that_is_missed_less_stays(
    document: MemoryDocument, allowed: int
) -> None:
    short, _ = trimmed(document, allowed_tokens=allowed)
    every: list[DocumentFact | DocumentPlace] = [*document.facts, *document.places]
    stays: list[DocumentFact | DocumentPlace] = [*short.facts, *short.places]
    gone = [one for one in every if one not in stays]

    def worth(one: DocumentFact | DocumentPlace) -> tuple[bool, bool]:
        active = one.status is FactStatus.ACTIVE
        return active, active and one.origin in EXPLICIT

    assert all(worth(lost) <= worth(left) for lost in gone for left in stays)


def test_what_goes_first() -> None:
    told = [
        fact(1, importance=90, origin=FactOrigin.COMMAND, days_ago=9),
        fact(2, importance=20, days_ago=1),
        fact(3, importance=20, days_ago=5),
        fact(4, importance=95, days_ago=3),
        fact(5, importance=100, status=FactStatus.INACTIVE, origin=FactOrigin.COMMAND, days_ago=1),
        fact(6, importance=100, status=FactStatus.SUPERSEDED, days_ago=8),
    ]
    document = document_of(told, [], last_updated=NOON)
    order = ["6", "5", "3", "2", "4", "1"]
    for allowed, gone in ((600, 0), (599, 1), (450, 2), (350, 3), (100, 5), (0, 6)):
        assert trimmed(document, allowed_tokens=allowed)[1] == order[:gone]


def test_only_texts_are_counted() -> None:
    bare = fact(1, tokens=10)
    laden = fact(2, tokens=10, key="k" * 400, author=2**62, message=2**62)
    assert document_of([bare], [], last_updated=None).metadata.token_count == 10
    assert document_of([laden], [], last_updated=None).metadata.token_count == 10


@pytest.fixture
async def diary(database: Database, clock: SetClock) -> AsyncIterator[Diary]:
    diary = await open_diary(database, clock, has_models=False)
    yield diary
    await close(diary)


async def test_the_document_holds_every_fact_and_place_of_a_member(diary: Diary) -> None:
    await diary.remember(ALICE, "my name is Alicia")
    await diary.remember(ALICE, "I like pizza")
    await diary.remember(ALICE, "my exam is on 2026-06-20")
    gone = await diary.remember(ALICE, "I like olives")
    (olives,) = await diary.memory.facts_with_ids(guild_id=GUILD_ID, fact_ids=[gone])
    assert await diary.memory.keeping.set_aside(olives, cause="m:1")
    forgotten = await diary.remember(ALICE, "I like plums")
    await diary.memory.forget(guild_id=GUILD_ID, fact_ids=[forgotten])
    await tell(diary, "Home", "quiet street in Seattle")
    changed_at = diary.clock.now()
    await tell(diary, "Hideout", channel_id=MODS)
    document = await diary.memory.documents.of(ALICE, VIEW, asker_id=ALICE)
    assert {one.content: one.status for one in document.facts} == {
        f"<@{ALICE}>'s name is Alicia": FactStatus.ACTIVE,
        f"<@{ALICE}> likes pizza": FactStatus.ACTIVE,
        f"<@{ALICE}>'s exam is on 2026-06-20": FactStatus.ACTIVE,
        f"<@{ALICE}> likes olives": FactStatus.INACTIVE,
    }
    (place,) = document.places
    assert (place.name, place.notes, place.conversations, len(place.mentions)) == (
        "Home", "quiet street in Seattle", 1, 1,
    )  # fmt: skip
    about = document.metadata
    assert (about.total_facts, about.total_active_facts, about.total_places) == (4, 3, 1)
    assert (about.schema_version, about.last_updated) == (1, changed_at)
    assert MemoryDocument.model_validate_json(document.model_dump_json()) == document
    assert [one.content for one in document.active().facts] == [
        one.content for one in document.facts if one.status is FactStatus.ACTIVE
    ]


async def test_what_is_left_out_is_one_warning_with_ids(
    diary: Diary, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    learned = [
        await diary.remember(ALICE, f"I like the number {number} " + "very much " * 40) for number in range(9)
    ]
    await diary.remember(ALICE, "I like pizza")
    settings = Settings(_env_file=None, memory_document_tokens=500)
    caplog.set_level(logging.WARNING)
    document = await Documents(database, diary.clock, settings).of(ALICE, VIEW, asker_id=ALICE)
    assert document.metadata.token_count <= 500
    assert document.facts[-1].content == f"<@{ALICE}> likes pizza"
    (warning,) = [one.getMessage() for one in caplog.records if one.name == "bot.memory.recall.documents"]
    left_out = len(learned) + 1 - len(document.facts)
    assert f"leaves out {left_out}: {learned[0]}, " in warning
    assert "number" not in warning
    assert GENERAL not in {int(one) for one in warning.split() if one.isdigit()}


async def test_an_expired_fact_is_not_active_in_the_document(diary: Diary, database: Database) -> None:
    fact_id = await diary.remember(ALICE, "I like pizza")
    await database.write(
        lambda connection: connection.execute(
            "UPDATE facts SET expires_at = $2 WHERE fact_id = $1", fact_id, diary.clock.now()
        )
    )
    document = await diary.memory.documents.of(ALICE, VIEW, asker_id=ALICE)
    assert [one.status for one in document.facts] == [FactStatus.INACTIVE]
    assert document.active().facts == ()
