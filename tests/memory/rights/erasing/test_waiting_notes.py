"""What others keep in closed rooms about who is erased waits for a manager, who is told once."""

import pytest

from bot.app import Keepsake
from bot.core.domain import OPEN
from bot.db.pool import Database
from bot.memory.rights.erasing.steps import WaitingNotes
from tests.memory.rights.erasing.lived import (
    BOB,
    CAROL,
    CLOSED,
    CLOSED_WORDS,
    GUILD_ID,
    OTHER_CLOSED,
    columns_with,
    live,
    note,
    said,
)

WAITING = [WaitingNotes(user_id=CAROL, facts=1, audiences=[CLOSED])]


async def erase(keepsake: Keepsake, *audiences: int) -> None:
    await keepsake.memory.erasing.erase_member(
        guild_id=GUILD_ID, user_id=CAROL, audiences=audiences, opted_out=False
    )


async def test_notes_in_a_room_that_the_member_can_read_go_at_once(
    keepsake: Keepsake, database: Database
) -> None:
    await live(keepsake, database)
    await erase(keepsake, OPEN, CLOSED)
    assert await keepsake.memory.erasing.waiting(guild_id=GUILD_ID) == []
    assert await columns_with(database, *CLOSED_WORDS) == []


async def test_notes_elsewhere_wait_and_managers_are_told_of_them_once(
    keepsake: Keepsake, database: Database
) -> None:
    await live(keepsake, database)
    await erase(keepsake, OPEN, OTHER_CLOSED)
    erasing = keepsake.memory.erasing
    assert await columns_with(database, *CLOSED_WORDS)
    assert await erasing.untold_waiting(guild_id=GUILD_ID) == WAITING
    assert await erasing.untold_waiting(guild_id=GUILD_ID) == []
    await erase(keepsake)
    assert await erasing.untold_waiting(guild_id=GUILD_ID) == []
    assert await erasing.waiting(guild_id=GUILD_ID) == WAITING


@pytest.mark.parametrize("erase_them", [True, False])
async def test_a_manager_decides_what_becomes_of_them(
    keepsake: Keepsake, database: Database, erase_them: bool
) -> None:
    await live(keepsake, database)
    await erase(keepsake)
    later = said(f"Bot, remember that <@{CAROL}> came back", 60 * 24 * 300, user_id=BOB)
    await keepsake.memory.ingest_messages([later])
    await keepsake.memory.remember(note(later, f"<@{CAROL}> came back", subject_id=CAROL))
    erased = await keepsake.memory.erasing.settle_waiting(guild_id=GUILD_ID, user_id=CAROL, erase=erase_them)
    await keepsake.work.idle()
    assert erased.facts == erase_them
    assert bool(await columns_with(database, *CLOSED_WORDS)) is not erase_them
    assert await keepsake.memory.erasing.waiting(guild_id=GUILD_ID) == []
    (fact,) = await keepsake.memory.facts_of_message(guild_id=GUILD_ID, message_id=later.message_id)
    assert fact.content == f"<@{CAROL}> came back"


async def test_where_nothing_waits_there_is_nothing_to_decide(keepsake: Keepsake) -> None:
    erased = await keepsake.memory.erasing.settle_waiting(guild_id=GUILD_ID, user_id=BOB, erase=True)
    assert not erased
