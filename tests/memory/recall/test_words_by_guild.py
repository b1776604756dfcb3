"""Words are looked up by guild: no index of words is shared, and whatever looks words up uses the guild's own."""

import re
from datetime import timedelta

import pytest
from asyncpg.connection import LoggedQuery

from bot.app import Keepsake
from bot.core.domain import OPEN
from bot.db.pool import Connection, Database
from bot.memory.recall import lexicon, repository
from bot.memory.recall.lexicon import AskedWord
from bot.memory.recall.repository_lookup import Lookup, SearchInput
from bot.memory.rights.erasing.steps import count_of_member
from bot.memory.rights.forgetting.repository import SoughtWords, messages_holding, rare_among
from bot.memory.rights.rows import ErasingScope
from tests.memory.recall.talk import ALICE, GUILD_ID, MONDAY, begin

ASKED = SearchInput(
    guild_id=GUILD_ID,
    audiences=[OPEN],
    weights=[1.0],
    whole=1.0,
    lookup=Lookup(query="'honey'"),
    lexemes=[(1, "honey", 1.0)],
    gap=timedelta(minutes=30),
)


async def test_no_index_of_words_is_shared_by_guilds(database: Database) -> None:
    rows = await database.read(
        lambda connection: connection.fetch(
            """
            SELECT pg_get_indexdef(indexrelid) AS definition
            FROM pg_index JOIN pg_opclass ON pg_opclass.oid = ANY(indclass)
            WHERE opcintype = 'tsvector'::regtype
            """
        )
    )
    assert len(rows) == 4
    for row in rows:
        assert re.search(r"USING gin \(guild_words\(guild_id, \w+\)\)", row["definition"]), row["definition"]


async def test_what_waits_for_an_index_of_words_is_bounded(database: Database) -> None:
    rows = await database.read(
        lambda connection: connection.fetch(
            "SELECT relname, reloptions FROM pg_class WHERE relkind = 'i' AND relname ~ '_guild_words$'"
        )
    )
    assert len(rows) == 4
    bounded = {"fastupdate=off"}, {"fastupdate=on", "gin_pending_list_limit=256"}
    for row in rows:
        assert set(row["reloptions"]) in bounded, row["relname"]


async def looked_up(connection: Connection) -> None:
    """Look words up in all ways in which they are."""
    async with repository.swiftly(connection):
        await repository.weighed_messages(connection, ASKED, limit=5)
    await repository.weighed_notes(connection, ASKED, now=MONDAY, limit=5)
    await lexicon.known_words(
        connection, guild_id=GUILD_ID, audiences=[OPEN], words=[AskedWord(1, "honey")], identifiers=[],
        names=["alice"], name_beginnings=["бор"], user_ids=[],
    )  # fmt: skip
    sought = SoughtWords(number=1, subject_id=ALICE, stems=["honey"], names=[], is_sought_elsewhere=True)
    await messages_holding(
        connection, guild_id=GUILD_ID, audiences=[OPEN], sought=[sought], most=5, most_elsewhere=5
    )
    await rare_among(connection, guild_id=GUILD_ID, audiences=[OPEN], stems=["honey"], among=10)
    await count_of_member(
        connection,
        ErasingScope(
            guild_id=GUILD_ID, user_id=ALICE, up_to=MONDAY, audiences=(OPEN,), named=None, now=MONDAY
        ),
    )


async def test_whatever_looks_words_up_reads_no_other_index_for_it(
    keepsake: Keepsake, database: Database
) -> None:
    await begin(keepsake)
    sent: dict[str, int] = {}

    def note(record: LoggedQuery) -> None:
        if "guild_words(" in record.query:
            sent[record.query] = len(record.args)

    async def explained(connection: Connection) -> dict[str, str]:
        connection.add_query_logger(note)
        await looked_up(connection)
        connection.remove_query_logger(note)
        await connection.execute(
            "BEGIN; SET LOCAL plan_cache_mode = force_generic_plan;"
            "SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off;"
            # What earlier tests left of their rows would make one index look longer than another.
            "TRUNCATE chat_history, facts, episodes, members, fact_about, member_names;"
            # Of a table without rows even these would be read from end to end.
            "DROP INDEX facts_by_importance, facts_standing, one_active_fact_per_key"
        )
        plans = {}
        for number, (query, values) in enumerate(sent.items()):
            await connection.execute(f"PREPARE looks_up_{number} AS {query}")
            rows = await connection.fetch(
                f"EXPLAIN EXECUTE looks_up_{number} ({', '.join(['NULL'] * values)})"
            )
            plans[query] = "\n".join(row[0] for row in rows)
            await connection.execute(f"DEALLOCATE looks_up_{number}")
        await connection.execute("ROLLBACK")
        return plans

    plans = await database.read(explained)
    assert len(plans) == 7
    for query, plan in plans.items():
        assert len(re.findall(r"Bitmap Index Scan on \w+_guild_words", plan)) == query.count("guild_words(")
        assert "BitmapAnd" not in plan


@pytest.mark.parametrize(
    ("said", "query"),
    [
        ("it's <-> 'quoted' back\\slash", "'it''s' <-> 'quoted'"),
        ("Маша и Медведь", "'маш':*"),
        ("one two", "'one' <2> 'two' | 'one' & ('x' | 'two')"),
        ("/a<->b/c", "'a<->b' | 'c'"),
        ("b" * 2_040, "'" + "b" * 2_040 + "'"),
        ("c" * 2_046 + " and short", "'short'"),
        ("", "'nothing'"),
    ],
)
async def test_the_words_of_a_guild_are_found_by_what_finds_the_words(
    database: Database, said: str, query: str
) -> None:
    (row,) = await database.read(
        lambda connection: connection.fetch(
            """
            SELECT words @@ query AS plainly, guild_words(7, words) @@ guild_query(7, query) AS here,
                   guild_words(8, words) @@ guild_query(7, query) AS elsewhere
            FROM (SELECT to_tsvector('simple', $1::text) AS words, $2::text::tsquery AS query) AS said
            """,
            said, query,
        )
    )  # fmt: skip
    assert row["here"] or not row["plainly"]
    assert not row["elsewhere"]
