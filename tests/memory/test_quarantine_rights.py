"""What is set aside goes and is handed out by the rules that hold for all messages."""

import logging
from dataclasses import replace
from datetime import timedelta

import pytest

from bot import doctor
from bot.app import Keepsake, assembled
from bot.core.clock import SetClock
from bot.core.domain import OPEN, RedactionReason
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.memory.facts.statements import Note
from bot.memory.messages.writer import deletion
from bot.memory.rights.exporting.repository import LISTS, ExportScope, page_of
from tests.memory.messages.test_ingest import NOON, message
from tests.memory.poisoned import POISON, aside, batch, poison


async def test_its_secrets_are_masked_and_the_log_has_ids_alone(
    database: Database, keepsake: Keepsake, caplog: pytest.LogCaptureFixture
) -> None:
    await poison(database)
    await keepsake.memory.ingest_messages(
        [message(1, f"my password is hunter2. The {POISON} sleeps."), message(2)]
    )
    kept = await database.read(
        lambda connection: connection.fetchval("SELECT message::text FROM quarantined_messages")
    )
    assert POISON in kept
    assert "hunter2" not in kept
    lines = [one.getMessage() for one in caplog.records if one.levelno == logging.ERROR]
    assert any("message 1 of guild 1" in line for line in lines)
    assert not any(POISON in line for line in lines)


@pytest.mark.parametrize("is_known", [False, True])
async def test_deleted_it_is_gone_and_an_edit_that_can_be_written_takes_its_place(
    database: Database, keepsake: Keepsake, is_known: bool
) -> None:
    await poison(database)
    if is_known:
        await keepsake.memory.ingest_messages([message(1), message(2)])
    later = timedelta(minutes=1)
    spoiled = [
        replace(message(number, f"{POISON} {number}"), edited_at=message(number).timestamp + later)
        for number in (1, 2)
    ]
    await keepsake.memory.ingest_messages([*spoiled, message(3), message(4)])
    assert await aside(database) == [1, 2]
    await keepsake.memory.ingest_deletion(guild_id=1, channel_id=2, message_ids=[1])
    assert await aside(database) == [2]
    await keepsake.memory.ingest_messages(
        [replace(message(2, "better"), edited_at=message(2).timestamp + 2 * later)]
    )
    assert await aside(database) == []
    gone = await keepsake.library.message(guild_id=1, message_id=1)
    assert gone is not None
    assert (gone.withheld, gone.text) == (RedactionReason.DELETED, "")


async def test_a_deletion_in_the_same_batch_leaves_nothing_of_it(
    database: Database, keepsake: Keepsake
) -> None:
    await poison(database)
    await keepsake.memory.ingest_messages(
        [message(1, POISON), deletion(guild_id=1, channel_id=2, message_id=1), message(2), message(3)]
    )
    assert await aside(database) == []


async def test_opting_out_and_erasing_take_it(database: Database, keepsake: Keepsake) -> None:
    await poison(database)
    by = [
        replace(message(number, f"{POISON} owns a blue tractor"), user_id=number) for number in (11, 12, 13)
    ]
    await keepsake.memory.ingest_messages([*by, *batch(9, first=21)])
    assert await aside(database) == [11, 12, 13]
    await keepsake.memory.consent.opt_out(guild_id=1, user_id=11)
    assert await aside(database) == [12, 13]
    await keepsake.memory.erasing.erase_member(guild_id=1, user_id=12, audiences=None, opted_out=False)
    assert await aside(database) == [13]
    await keepsake.memory.ingest_messages([replace(message(31, f"{POISON} again"), user_id=11), message(32)])
    assert await aside(database) == [13]


async def test_it_is_exported_with_all_else_that_the_member_said(
    database: Database, keepsake: Keepsake
) -> None:
    await poison(database)
    await keepsake.memory.ingest_messages([message(1, POISON), message(2), message(3)])
    scope = ExportScope(guild_id=1, user_id=3, audiences=[OPEN])
    listed = LISTS["messages"]
    found = await database.read(page_of, scope, listed, (message(1).timestamp - timedelta(1), 0), 10)
    assert found is not None
    parts = [one.model_dump(include={"id", "text"}) for one in found.parts]
    assert [(one["id"], one["text"]) for one in parts] == [(1, POISON), (2, "hello"), (3, "hello")]


async def test_what_is_too_old_to_be_kept_is_not_kept_there(database: Database, clock: SetClock) -> None:
    await poison(database)
    async with assembled(Settings(_env_file=None, retention_days=30), clock, database) as keepsake:
        await keepsake.memory.ingest_messages([message(1, POISON), message(2), message(3)])
        assert await aside(database) == [1]
        clock.advance(timedelta(days=40))
        await keepsake.retention.on_a_new_day(1)
        await keepsake.work.idle()
        assert await aside(database) == []


async def test_forgetting_takes_it_with_all_else_that_says_it(database: Database, keepsake: Keepsake) -> None:
    remembered = await keepsake.memory.remember(
        Note(
            guild_id=1,
            subject_id=3,
            author_id=3,
            speaker_id=3,
            audience=OPEN,
            statement="I own a blue tractor",
            cause="m:9",
            channel_id=2,
            message_id=9,
            said_at=NOON,
            time_zone="UTC",
        )
    )
    assert remembered.fact_id is not None
    await poison(database)
    await keepsake.memory.ingest_messages(
        [
            message(1, f"I own a blue tractor, {POISON}"),
            message(2, f"tea is {POISON}"),
            *batch(4, first=3),
        ]
    )
    assert await aside(database) == [1, 2]
    await keepsake.memory.forget(guild_id=1, fact_ids=[remembered.fact_id])
    assert await aside(database) == [2]


async def test_doctor_counts_it(
    database: Database, keepsake: Keepsake, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", dsn)
    await poison(database)
    await keepsake.memory.ingest_messages(batch(5, {2, 4}))
    (finding,) = [one async for one in doctor.examined() if one.about == "messages"]
    assert not finding.is_well
    assert finding.told.startswith("2 could not be written (RaiseError)")
