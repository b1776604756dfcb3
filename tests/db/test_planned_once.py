"""Statements of which one plan is good for all that is asked: Postgres keeps it."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import Final

import asyncpg
import pytest

from bot.db.pool import Connection, Database
from bot.memory.facts.relevance import RelevanceQuery, choose_facts, read_people
from bot.memory.messages.repository import channel_tail, messages_after
from bot.memory.policy.consent import opted_out
from bot.memory.summaries.memories import read_guild_state

NOW: Final = datetime(2026, 3, 2, 12, tzinfo=UTC)
GUILD_ID: Final = 7
ALICE, BOB = 1, 2


async def chosen(connection: Connection) -> object:
    wanted = RelevanceQuery(
        guild_id=GUILD_ID,
        user_ids=[ALICE, BOB, 0],
        close_ids=[ALICE],
        audiences=[0],
        own_guild_ids=[],
        asker_id=ALICE,
        text="what does Bob like?",
        topics=0,
        kin_topics=0,
        with_dates=False,
        now=NOW,
    )
    return await choose_facts(connection, wanted)


async def people(connection: Connection) -> object:
    return await read_people(
        connection, guild_id=GUILD_ID, user_ids=[ALICE, BOB], own_guild_ids=[], asker_id=ALICE
    )


async def tail(connection: Connection) -> object:
    return await channel_tail(
        connection, guild_id=GUILD_ID, channel_id=2, up_to_id=9, noted_before_id=9, limit=302, with_text=120
    )


async def after(connection: Connection) -> object:
    return await messages_after(connection, guild_id=GUILD_ID, channel_id=2, after_id=9, limit=1_000)


async def state(connection: Connection) -> object:
    return await read_guild_state(
        connection, guild_id=GUILD_ID, audiences=[0], user_ids=[ALICE, BOB], now=NOW, model_chain="none"
    )


async def absent(connection: Connection) -> object:
    return await opted_out(connection, guild_id=GUILD_ID, user_ids=[ALICE, BOB])


READS: Final[Mapping[str, Callable[[Connection], Awaitable[object]]]] = {
    "facts for a reply": chosen,
    "people for a reply": people,
    "the end of a channel": tail,
    "what was said since": after,
    "the state of a guild": state,
    "who is not kept": absent,
}


@pytest.mark.parametrize("name", READS)
async def test_a_statement_that_is_asked_for_often_is_not_planned_for_each_call(dsn: str, name: str) -> None:
    # The server of tests keeps every plan, whatever the statement; others choose.
    as_installed = f"{dsn}{'&' if '?' in dsn else '?'}plan_cache_mode=auto"
    database = await Database.open(as_installed, pool_size=1)

    async def plans(connection: Connection) -> list[asyncpg.Record]:
        for _ in range(8):
            await READS[name](connection)
        found: list[asyncpg.Record] = await connection.fetch(
            "SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE generic_plans + custom_plans > 5"
        )
        return found

    try:
        counted = await database.read(plans)
        assert [tuple(row) for row in counted] == [(3, 5)]
    finally:
        await database.close()
