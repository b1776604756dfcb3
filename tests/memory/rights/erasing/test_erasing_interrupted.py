"""An erasing that is interrupted is finished by whoever comes next; until then nothing of it comes back."""

import asyncio
from datetime import timedelta

import pytest

from bot.app import Keepsake, assembled
from bot.core.clock import SetClock
from bot.core.domain import OPEN
from bot.core.settings import Settings
from bot.db.pool import Connection, Database
from bot.memory.rights import rows
from bot.memory.rights.erasing import erasing
from bot.memory.rights.erasing import repository as erasing_repository
from bot.memory.rights.erasing.erasing import Erasing
from bot.memory.rights.personal_data import ErasingStep, Then
from bot.memory.rights.rows import ErasingScope, FoundRows
from tests.memory.rights.erasing.lived import (
    BOB,
    CAROL,
    CLOSED_WORDS,
    GUILD_ID,
    NAMES,
    OWN_WORDS,
    columns_with,
    live,
    said,
    settle_in,
)

SOUGHT = (str(CAROL), *OWN_WORDS, *CLOSED_WORDS, *NAMES)


async def let_leases_run_out(database: Database) -> None:
    await database.write(
        lambda connection: connection.execute("UPDATE work SET leased_until = NULL, due_at = now()")
    )


@pytest.mark.parametrize("steps_before", [0, 1, 3, 6, 9, 12, 15])
async def test_whoever_comes_after_a_kill_finishes_it(
    keepsake: Keepsake,
    database: Database,
    clock: SetClock,
    monkeypatch: pytest.MonkeyPatch,
    steps_before: int,
) -> None:
    messages = await live(keepsake, database)
    left = steps_before

    async def renew(*_: object, **__: object) -> None:
        nonlocal left
        if left == 0:
            raise asyncio.CancelledError
        left -= 1

    with monkeypatch.context() as killing:
        killing.setattr(erasing_repository, "renew_job", renew)
        with pytest.raises(asyncio.CancelledError):
            await Erasing(database, clock, Settings(_env_file=None)).erase_member(
                guild_id=GUILD_ID, user_id=CAROL, audiences=None, opted_out=False
            )
    await keepsake.memory.ingest_messages([*messages, said("quokkarium again", 30)])
    assert await columns_with(database, "quokkarium again") == []
    await let_leases_run_out(database)
    async with assembled(Settings(_env_file=None), clock, database) as another:
        another.work.wake()
        await another.work.idle()
    assert await columns_with(database, *SOUGHT) == []


async def test_one_that_is_asked_for_again_after_a_kill_leaves_nothing_of_the_first(
    keepsake: Keepsake, database: Database, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody may be there to take the first one up."""
    await live(keepsake, database)

    async def killed(*_: object, **__: object) -> None:
        raise asyncio.CancelledError

    again = Erasing(database, clock, Settings(_env_file=None))
    with monkeypatch.context() as killing:
        killing.setattr(erasing_repository, "renew_job", killed)
        with pytest.raises(asyncio.CancelledError):
            await again.erase_member(guild_id=GUILD_ID, user_id=CAROL, audiences=[OPEN], opted_out=False)
    clock.advance(timedelta(minutes=1))
    await again.erase_member(guild_id=GUILD_ID, user_id=CAROL, audiences=None, opted_out=False)
    assert await columns_with(database, *SOUGHT) == []


async def test_a_long_one_is_done_in_turns(
    keepsake: Keepsake, database: Database, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await settle_in(keepsake)
    for user_id in (CAROL, BOB):
        await keepsake.memory.ingest_messages(
            [
                said(f"zanzibarus number {number} of <@{CAROL}>", number * 2 + user_id % 2, user_id=user_id)
                for number in range(40)
            ]
        )
    monkeypatch.setattr(erasing, "TURN_BATCHES", 3)
    for name in ("BATCH_ROWS", "SCANNED_ROWS"):
        monkeypatch.setattr(rows, name, 4)
    taken: list[int] = []
    take_batch = rows.take_batch

    async def noted(
        connection: Connection, step: ErasingStep, table: str, scope: ErasingScope, *, after_id: int
    ) -> FoundRows:
        found = await take_batch(connection, step, table, scope, after_id=after_id)
        if step.then is Then.MESSAGES_GO:
            taken.append(len(found.ids))
        return found

    monkeypatch.setattr(rows, "take_batch", noted)
    await keepsake.directory.member_left(guild_id=GUILD_ID, user_id=CAROL, at=clock.now())
    await keepsake.memory.erasing.ask_for_who_left(GUILD_ID, clock.now() + timedelta(days=30))
    await keepsake.work.idle()
    assert await columns_with(database, str(CAROL)) == []
    assert max(taken) == 4
    assert sum(taken) == 40
    standing = await keepsake.library.message(
        guild_id=GUILD_ID, message_id=said("", 80 - 2 + BOB % 2).message_id
    )
    assert standing is not None
    assert standing.text == "zanzibarus number 39 of <@0>"


async def test_two_who_erase_at_once_take_everything_once(
    keepsake: Keepsake, database: Database, clock: SetClock
) -> None:
    await live(keepsake, database)
    doors = [Erasing(database, clock, Settings(_env_file=None)) for _ in range(3)]
    erased = await asyncio.gather(
        *(one.erase_member(guild_id=GUILD_ID, user_id=CAROL, audiences=None, opted_out=True) for one in doors)
    )
    assert sum(one.messages for one in erased) == 5
    assert await columns_with(database, *SOUGHT) == []


async def test_what_is_told_while_it_goes_on_is_not_stored(keepsake: Keepsake, database: Database) -> None:
    """A text that was read before and is written after belongs to an older epoch."""
    await live(keepsake, database)
    before = await keepsake.directory.guild(GUILD_ID)
    await keepsake.memory.erasing.erase_member(
        guild_id=GUILD_ID, user_id=CAROL, audiences=[OPEN], opted_out=False
    )
    after = await keepsake.directory.guild(GUILD_ID)
    assert before is not None
    assert after is not None
    assert after.memory_epoch >= before.memory_epoch + 2
