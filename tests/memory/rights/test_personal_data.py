"""The table of personal data is complete, true of the schema, and each right reaches what it says."""

import importlib.util
import re
from datetime import timedelta
from pathlib import Path

import bot
from bot.app import Keepsake, assembled
from bot.core.clock import SetClock
from bot.core.settings import Settings
from bot.db.pool import Connection, Database
from bot.memory.policy.redaction import STORES
from bot.memory.rights.personal_data import (
    TABLES,
    ErasureEffect,
    Holds,
    OfGuild,
    RightReach,
    Then,
    Window,
    ages_by,
    tables_where,
)
from bot.memory.rights.personal_data_outside import OUTSIDE
from bot.memory.rights.rows import STEPS, remove_member_rows, remove_texts_about
from tests.memory.rights.erasing.lived import (
    BOB,
    CAROL,
    CLOSED_WORDS,
    GUILD_ID,
    NAMES,
    OWN_WORDS,
    columns_with,
    live,
)

SOUGHT = (str(CAROL), *OWN_WORDS, *CLOSED_WORDS, *NAMES)

DECLARED = {
    f"{table.name}.{column}"
    for table in TABLES
    for column, holds in table.holding.items()
    if holds in {Holds.ID, Holds.WORDS}
}


async def where(database: Database, *sought: str) -> set[str]:
    return {found.partition(":")[0] for found in await columns_with(database, *sought)}


async def live_everywhere(keepsake: Keepsake, database: Database) -> None:
    """Let Carol live in the guild, and stand also where only managers, or rare events, would put her."""
    await live(keepsake, database)
    await keepsake.work.idle()

    async def plant(connection: Connection) -> None:
        for change in (
            "UPDATE guilds SET name = '<@' || $2::bigint || '>''s home' WHERE guild_id = $1",
            "UPDATE channels SET name = 'about-' || $2::bigint WHERE guild_id = $1",
            "UPDATE members SET pronouns = 'zanzibarus' WHERE guild_id = $1 AND user_id = $2",
            "UPDATE chat_history SET attachments = ARRAY['https://x.test/' || $2::bigint || '/a.png']"
            " WHERE guild_id = $1 AND withheld IS NULL AND user_id <> $2",
            "UPDATE episodes SET lexemes = to_tsvector('simple', content) WHERE guild_id = $1 AND $2::bigint > 0",
            "INSERT INTO notices (guild_id, kind, day, told_by)"
            " VALUES ($1, 'welcome:' || $2::bigint, '2026-03-01', gen_random_uuid())",
            "INSERT INTO waiting_notes (guild_id, user_id, erased_up_to) VALUES ($1, $2, now())",
        ):
            await connection.execute(change, GUILD_ID, CAROL)

    await database.write(plant)


async def test_every_column_of_the_schema_is_declared_once_and_none_besides(database: Database) -> None:
    async def columns(connection: Connection) -> list[str]:
        rows = await connection.fetch(
            "SELECT table_name || '.' || column_name AS name FROM information_schema.columns"
            " WHERE table_schema = 'public' ORDER BY 1"
        )
        return [row["name"] for row in rows]

    declared = sorted(
        f"{table.name}.{name}" for table in TABLES for group in table.columns for name in group.names.split()
    )
    assert declared == await database.read(columns), "declare it in bot/memory/rights/personal_data.py"


async def test_a_life_leaves_something_in_every_column_that_is_declared_and_in_no_other(
    keepsake: Keepsake, database: Database
) -> None:
    """Otherwise the tests below, and those of erasing, would show nothing of it."""
    await live_everywhere(keepsake, database)
    found = await where(database, *SOUGHT)
    assert found - DECLARED == set(), "these hold something of a member: declare it"
    assert DECLARED - found == set(), "let lived.py put something of a member there"


async def test_a_member_is_taken_out_of_every_column(keepsake: Keepsake, database: Database) -> None:
    await live_everywhere(keepsake, database)
    await keepsake.memory.erasing.erase_member(
        guild_id=GUILD_ID, user_id=CAROL, audiences=None, opted_out=False
    )
    await keepsake.work.idle()
    assert await where(database, *SOUGHT) == set()


async def test_a_guild_is_taken_out_of_every_table_that_says_so(
    keepsake: Keepsake, database: Database
) -> None:
    await live(keepsake, database)
    await keepsake.memory.consent.opt_out(guild_id=GUILD_ID, user_id=CAROL)
    await keepsake.memory.erasing.erase_guild(guild_id=GUILD_ID)
    await keepsake.work.idle()

    assert await tables_with_rows(database) == {table.name for table in tables_where(of_guild=OfGuild.KEPT)}


async def tables_with_rows(database: Database) -> set[str]:
    async def look(connection: Connection) -> set[str]:
        return {
            table.name
            for table in TABLES
            if table.of_guild is not OfGuild.NONE
            and await connection.fetchval(
                f"SELECT EXISTS (SELECT FROM {table.name} WHERE guild_id = $1)", GUILD_ID
            )
        }

    return await database.read(look)


async def test_opting_out_removes_what_it_says(keepsake: Keepsake, database: Database) -> None:
    await live(keepsake, database)
    await keepsake.memory.consent.opt_out(guild_id=GUILD_ID, user_id=CAROL)
    ids = {
        f"{table.name}.{column}"
        for table in tables_where(opting_out=RightReach.ROWS)
        for column in table.having(ErasureEffect.ROW)
    }
    assert not ids & await where(database, str(CAROL))
    assert await database.write(remove_texts_about, guild_id=GUILD_ID, user_id=CAROL) == 0


async def test_forgetting_reaches_every_table_that_says_so(keepsake: Keepsake, database: Database) -> None:
    await live(keepsake, database)
    says = "quokkarium"

    async def plant(connection: Connection) -> list[int]:
        for table in TABLES:
            if table.forgetting is RightReach.SENTENCES:
                await connection.execute(
                    f"UPDATE {table.name} SET content = content || ' <@{CAROL}> lives in {says}.' WHERE guild_id = $1",
                    GUILD_ID,
                )
        rows = await connection.fetch("SELECT fact_id FROM facts WHERE strpos(content, $1) > 0", says)
        return [row["fact_id"] for row in rows]

    fact_ids = await database.write(plant)
    told = {column.partition(".")[0] for column in await where(database, says)}
    assert told == {table.name for table in TABLES if table.forgetting is not RightReach.NOT} - {"answers"}
    await keepsake.memory.forget(guild_id=GUILD_ID, fact_ids=fact_ids, author_ids=None)
    await keepsake.work.idle()
    assert await where(database, says) == set()


async def test_age_takes_every_table_that_says_so_and_no_other(database: Database, clock: SetClock) -> None:
    chosen = Settings(_env_file=None, retention_days=10, profile_retention_days=10, episode_retention_days=10)
    async with assembled(chosen, clock, database) as keepsake:
        await live(keepsake, database)
        await database.write(
            lambda connection: connection.execute("UPDATE ended_conversations SET episode_id = NULL")
        )
        await database.write(
            lambda connection: connection.execute(
                "UPDATE builds SET leased_until = now() - interval '2 days'"
            )
        )
        before = await tables_with_rows(database)
        clock.advance(timedelta(days=20))
        await keepsake.retention.on_a_new_day(GUILD_ID)
        await keepsake.work.idle()
        windows = (Window.MESSAGES, Window.PROFILES, Window.EPISODES)
        aged = {table.name for window in windows for table, _ in ages_by(window)}
        assert aged <= before
        # Those of messages that are gone are not read for facts; a guild that says nothing has nothing to count.
        follow = {"unextracted", "lexicon", "lexicon_counts", "message_counts"}
        assert before - await tables_with_rows(database) - follow == aged


async def test_a_file_holds_the_words_of_every_column_that_is_exported(
    keepsake: Keepsake, database: Database
) -> None:
    await live(keepsake, database)

    async def plant(connection: Connection) -> list[str]:
        words: list[str] = []
        for table in TABLES:
            fields = {field.rpartition("=")[2] for field in table.exported.partition(": ")[2].split()}
            whose = [column for column in ("author_id", "user_id", "subject_id") if column in table.holding]
            for column in sorted(fields):
                if table.holding[column] is not Holds.WORDS:
                    continue
                words.append(f"canary-{table.name}-{column}".replace("_", "-"))
                value = "ARRAY[$2]" if column in {"attachments", "parts", "tags", "old_names"} else "$2"
                await connection.execute(
                    f"UPDATE {table.name} SET {column} = {value} WHERE guild_id = $1"
                    + (f" AND {whose[0]} = {CAROL}" if whose else "")
                    + (" AND withheld IS NULL" if "withheld" in table.holding else ""),
                    GUILD_ID, words[-1],
                )  # fmt: skip
        return words

    words = await database.write(plant)
    file = (await keepsake.memory.exporting.export(guild_id=GUILD_ID, user_id=CAROL, audiences=None)).decode()
    assert len(words) > 12
    assert [word for word in words if word not in file] == []


def test_every_cache_in_memory_is_declared() -> None:
    """A cache that holds what members say must end by itself, and no right may be undone by it."""
    caches = re.compile(r"@lru_cache\(maxsize=(?![12]\))|\b(?:LRU|TTL|Guild)Cache\(")
    package = Path(bot.__file__).parent
    found = {
        ".".join(path.relative_to(package.parent).with_suffix("").parts)
        for path in package.rglob("*.py")
        if caches.search(path.read_text(encoding="utf-8"))
    }
    declared = {module for one in OUTSIDE for module in one.modules}
    assert found - declared == set(), "say in personal_data_outside.py what it holds and what ends it"
    assert {name for name in declared if importlib.util.find_spec(name) is None} == set()


def test_what_needs_a_step_has_one_and_every_step_is_needed() -> None:
    """What a step sets are columns that are declared to need one, or that say what the row was."""
    for table in TABLES:
        assert bool(table.having(ErasureEffect.STEP)) == bool(table.steps), table.name
    assert [step.place for step, _ in STEPS] == [*range(1, len(STEPS) + 1)]
    assert {step.then for step, _ in STEPS} == set(Then)


def test_the_texts_that_lose_sentences_are_those_that_redaction_knows() -> None:
    said = {table.name for table in TABLES if table.forgetting is RightReach.SENTENCES}
    assert said == {table for _, table, _, _ in STORES}
    assert {table.name for table in tables_where(erasing=[ErasureEffect.SENTENCES])} <= said


async def test_rows_that_go_are_counted_in_all_audiences(keepsake: Keepsake, database: Database) -> None:
    await live(keepsake, database)
    await database.write(
        lambda connection: connection.execute(
            "INSERT INTO user_facts (guild_id, user_id, audience, memory_blob, facts_version, degraded, updated_at)"
            " SELECT $1, $2, audience, 'told', 'old', false, now() FROM unnest(ARRAY[5, 6]) AS audience",
            GUILD_ID, CAROL,
        )
    )  # fmt: skip
    count = await database.read(
        lambda connection: connection.fetchval("SELECT count(*) FROM user_facts WHERE user_id = $1", CAROL)
    )
    removed = await database.write(remove_member_rows, guild_id=GUILD_ID, user_id=CAROL)
    assert removed.counts["user_facts"] == count > 2
    assert {subject_id for subject_id, _ in removed.retold} == {BOB}
