"""What is forgotten while an answer is being found is not told by it."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest

from bot.db.pool import Connection, Database
from bot.memory.facts import lifecycle
from bot.memory.policy import repository as policy_repository
from bot.memory.policy.tombstones import Hasher
from bot.memory.rights.forgetting import apply
from tests.chat.guild import GUILD_ID, TalkingGuild
from tests.databases import until_awaited

Meanwhile = Callable[[Connection, Sequence[int]], Awaitable[object]]


async def asked_while(
    guild: TalkingGuild, database: Database, question: str, word: str, meanwhile: Meanwhile, *, direct: bool
) -> str | None:
    """Ask something, and do `meanwhile` to the facts with this word when they were read and nothing is written yet."""

    async def ask(connection: Connection) -> "asyncio.Task[str | None]":
        rows = await connection.fetch(
            "SELECT fact_id FROM facts WHERE content LIKE '%' || $1 || '%' FOR UPDATE", word
        )
        asking = asyncio.create_task(guild.say("alice", question, direct=direct))
        await until_awaited(connection, asking.done)
        await meanwhile(connection, [row["fact_id"] for row in rows])
        return asking

    return await (await database.write(ask))


async def disowning(guild: TalkingGuild, database: Database) -> Meanwhile:
    """Return what forgets facts, and leaves messages as they are."""
    hasher = Hasher(await database.read(policy_repository.hash_secret))

    async def disown(connection: Connection, fact_ids: Sequence[int]) -> None:
        now = guild.clock.now()
        await apply.disown(connection, hasher, guild_id=GUILD_ID, fact_ids=fact_ids, now=now)

    return disown


async def answers_with(database: Database, words: str) -> list[str]:
    rows = await database.read(
        lambda connection: connection.fetch(
            "SELECT answers::text AS told FROM answers WHERE answers::text LIKE $1", words
        )
    )
    return [row["told"] for row in rows]


@pytest.mark.parametrize("direct", [False, True])
async def test_an_answer_whose_fact_was_forgotten_before_it_is_written_is_found_anew(
    guild: TalkingGuild, database: Database, direct: bool
) -> None:
    """In a direct message, too, where facts of a server are told."""
    for said in ("my boat is called Zeppelina", "I like tea"):
        await guild.say("alice", f"Bot, remember that {said}")
    disown = await disowning(guild, database)
    answer = await asked_while(
        guild, database, "Bot, what do you know about me?", "Zeppelina", disown, direct=direct
    )
    assert answer is not None
    assert "tea" in answer
    assert "Zeppelina" not in answer
    assert await answers_with(database, "%know%Zeppelina%") == []


async def test_an_answer_whose_fact_went_with_its_message_is_found_anew(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "my favorite food is ramen")
    said = guild.last
    assert said is not None
    assert await guild.keepsake.memory.extractor.noticed(guild_id=GUILD_ID, up_to_id=said.message_id)

    async def withdraw(connection: Connection, _: Sequence[int]) -> None:
        await lifecycle.withdraw_facts(
            connection, guild_id=GUILD_ID, message_ids=[said.message_id], now=guild.clock.now()
        )

    answer = await asked_while(
        guild, database, "Bot, what is my favorite food?", "ramen", withdraw, direct=False
    )
    assert answer is not None
    assert "ramen" not in answer
    assert await answers_with(database, "%ramen%") == []


async def test_nobody_is_asked_whether_something_replaces_what_was_forgotten_before_it_is_written(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "Bot, remember that I take the bus to work")
    disown = await disowning(guild, database)
    answer = await asked_while(
        guild, database, "Bot, remember that I take the train to work", "the bus", disown, direct=False
    )
    assert answer == "Remembered: alice takes the train to work."
    assert await answers_with(database, "%train%the bus%") == []


async def test_what_one_order_told_goes_from_the_answer_if_it_is_forgotten_while_the_next_is_found(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "Bot, remember that my favorite food is ramen")
    disown = await disowning(guild, database)

    async def forget_the_boat(connection: Connection, _: Sequence[int]) -> None:
        boat = "SELECT fact_id FROM facts WHERE content LIKE '%Zeppelina%'"
        async with asyncio.timeout(60):
            # Whoever else waits, the first order is carried out before the answer is written.
            while not (rows := await connection.fetch(boat)):
                await asyncio.sleep(0.01)
        await disown(connection, [row["fact_id"] for row in rows])

    question = "Bot, remember that my boat is called Zeppelina. Bot, what do you know about ramen?"
    answer = await asked_while(guild, database, question, "ramen", forget_the_boat, direct=False)
    assert answer is not None
    assert "favorite food is ramen" in answer
    assert "Zeppelina" not in answer
    assert await answers_with(database, "%Zeppelina%") == []


async def test_an_order_is_carried_out_once_also_if_what_is_told_beside_it_is_forgotten(
    guild: TalkingGuild, database: Database
) -> None:
    for said in ("my favorite food is ramen", "I like figs", "I like tea"):
        await guild.say("alice", f"Bot, remember that {said}")
    disown = await disowning(guild, database)
    question = "Bot, undo. Bot, what do you know about ramen?"
    answer = await asked_while(guild, database, question, "ramen", disown, direct=False)
    assert answer is not None
    assert answer.startswith("Taken back, and no longer kept: alice likes tea.")
    assert "favorite food" not in answer
    assert await guild.known("alice") == ["alice likes figs"]


async def test_a_reply_that_is_thought_out_anew_is_said(talking: TalkingGuild, database: Database) -> None:
    await talking.say("alice", "Bot, remember that my favorite food is ramen")
    disown = await disowning(talking, database)

    async def disown_what_is_told(connection: Connection, fact_ids: Sequence[int]) -> None:
        writing = """
            SELECT EXISTS (
                SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%UPDATE answers%'
            )
        """
        async with asyncio.timeout(60):
            while not await connection.fetchval(writing):
                await asyncio.sleep(0.01)
                # Else a transaction sees what it has seen before.
                await connection.execute("SELECT pg_stat_clear_snapshot()")
        await disown(connection, fact_ids)

    answer = await asked_while(
        talking, database, "Bot, ramen or udon?", "ramen", disown_what_is_told, direct=False
    )
    assert answer == "Hm."
