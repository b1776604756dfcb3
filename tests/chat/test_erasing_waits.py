"""Whoever asks for an erasing that must wait for an older transaction is told so, and it goes on by itself."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import asyncpg
import pytest

from bot.db.pool import Database
from tests.chat.guild import MODS, NAMES, TalkingGuild
from tests.chat.usecases.visits import desk_of, manager, remember, shown, visit

ALICE = NAMES["alice"]


@pytest.fixture(autouse=True)
def without_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.memory.rights.erasing.batches.MOST_SECONDS", 0.1)
    monkeypatch.setattr("bot.memory.rights.erasing.batches.LOOK_AGAIN", timedelta(milliseconds=200))
    monkeypatch.setattr("bot.db.jobs._POLL_SECONDS", 0.05)


@pytest.fixture
async def another(dsn: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection of somebody else."""
    connection = await asyncpg.connect(dsn)
    yield connection
    await connection.close()


async def texts_of_alice(database: Database) -> int:
    count: int = await database.read(
        lambda connection: connection.fetchval(
            "SELECT count(*) FROM chat_history WHERE user_id = $1 AND withheld IS NULL", ALICE
        )
    )
    return count


@pytest.mark.parametrize(
    ("order", "agreed", "waits", "goes_on"),
    [
        ("Bot, forget me completely", "yes", "Not everything is erased yet: ", "goes on by itself"),
        ("Бот, забудь меня полностью", "да", "Стёрто пока не всё: ", "продолжится само"),
    ],
)
async def test_a_member_is_told_that_it_waits(
    guild: TalkingGuild,
    database: Database,
    another: asyncpg.Connection,
    order: str,
    agreed: str,
    waits: str,
    goes_on: str,
) -> None:
    await guild.say("alice", "Bot, remember that I like pizza")
    assert await guild.say("alice", order) is not None
    await another.execute("BEGIN")
    answer = await guild.say("alice", agreed)
    assert answer is not None
    assert answer.startswith(waits)
    assert goes_on in answer
    assert await shown(guild, "alice") != []
    await another.execute("COMMIT")
    async with asyncio.timeout(60):
        while await texts_of_alice(database):
            await asyncio.sleep(0.05)
    await guild.keepsake.work.idle()
    assert await shown(guild, "alice") == []


async def test_a_manager_is_told_that_notes_wait_to_be_erased(
    guild: TalkingGuild, another: asyncpg.Connection
) -> None:
    await remember(guild, "bob", "alice is a canary", channel_id=MODS)
    own = desk_of(guild)
    await own.erase(visit(guild, "alice"))
    await another.execute("BEGIN")
    assert (await own.settle(manager(guild), ALICE, erase=True)).text.startswith("Not erased yet: 1 fact")
    assert await shown(guild, "alice", channel_id=MODS) != []
    await another.execute("COMMIT")
    async with asyncio.timeout(60):
        while (await own.waiting(manager(guild))).lines:
            await asyncio.sleep(0.05)
    assert await shown(guild, "alice", channel_id=MODS) == []
