"""Explicit facts: one row per thing remembered, whoever writes at once."""

import asyncio
import json
import os
import sys
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.app import Keepsake
from bot.core.domain import GUILD_SUBJECT, FactStatus
from bot.core.errors import EmptyFactError, FactTooLongError, InvalidInputError
from bot.db.pool import Database
from bot.memory.facts import repository_narratives
from bot.memory.facts.statements import Note, key_and_value
from bot.memory.policy.permissions import scope_of

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
VIEW = scope_of(guild_id=1, channel_audience=0)


def note(statement: str, *, message_id: int = 100, subject_id: int = 7) -> Note:
    return Note(
        guild_id=1,
        subject_id=subject_id,
        author_id=7,
        speaker_id=7,
        audience=0,
        statement=statement,
        cause=f"m:{message_id}",
        channel_id=2,
        message_id=message_id,
        said_at=NOON,
        time_zone="UTC",
    )


async def contents(keepsake: Keepsake, subject_id: int = 7) -> list[str]:
    known = await keepsake.library.facts_about(subject_id, VIEW, asker_id=7)
    return sorted(fact.content for fact in known)


@pytest.mark.parametrize(
    ("content", "key", "value"),
    [
        ("<@7>'s name is José", "name", "José"),
        ("<@7> зовут Маша", "name", "Маша"),
        ("<@7> is called Al", "name", "Al"),
        ("<@7> is Sergey", "alias:sergey", "Sergey"),
        ("<@7> goes by Gruz", "alias:gruz", "Gruz"),
        ("<@7> — это Сергей", "alias:сергей", "Сергей"),
    ],
)
def test_a_name_gets_the_key_of_a_name(content: str, key: str, value: str) -> None:
    assert key_and_value(content) == (key, value)


@pytest.mark.parametrize(
    "content", ["<@7> is German", "<@7> is tired", "<@7> is Sergey's brother", "movie night is fun"]
)
def test_what_is_no_name_stands_under_the_hash_of_its_words(content: str) -> None:
    key, value = key_and_value(content)
    assert key.startswith("note:")
    assert len(key) == len("note:") + 16
    assert value == content


async def test_the_same_thing_remembered_twice_is_one_fact(keepsake: Keepsake) -> None:
    first = await keepsake.memory.remember(note("I like pizza"))
    second = await keepsake.memory.remember(note("I  like PIZZA.", message_id=101))
    assert (first.is_new, second.is_new) == (True, False)
    assert second.fact_id == first.fact_id
    assert await contents(keepsake) == ["<@7> likes pizza"]


async def test_another_name_supersedes_the_one_before_and_points_to_it(keepsake: Keepsake) -> None:
    first = await keepsake.memory.remember(note("my name is Alicia"))
    second = await keepsake.memory.remember(note("my name is Alisa", message_id=101))
    assert first.fact_id is not None
    assert second.fact_id is not None
    old, new = await keepsake.memory.facts_with_ids(guild_id=1, fact_ids=[first.fact_id, second.fact_id])
    assert (old.status, new.status, new.supersedes) == (
        FactStatus.SUPERSEDED,
        FactStatus.ACTIVE,
        first.fact_id,
    )


async def test_a_command_heard_again_neither_supersedes_what_is_newer_nor_revives_what_is_gone(
    keepsake: Keepsake,
) -> None:
    await keepsake.memory.remember(note("my name is Alicia"))
    newer = await keepsake.memory.remember(note("my name is Alisa", message_id=101))
    await keepsake.memory.remember(note("my name is Alicia"))
    assert await contents(keepsake) == ["<@7>'s name is Alisa"]
    assert newer.fact_id is not None
    await keepsake.memory.forget(guild_id=1, fact_ids=[newer.fact_id])
    assert (await keepsake.memory.remember(note("my name is Alisa", message_id=101))).fact_id is None
    assert await contents(keepsake) == []


async def test_a_fact_of_501_characters_is_refused_with_its_length_and_one_of_500_is_kept(
    keepsake: Keepsake,
) -> None:
    with pytest.raises(FactTooLongError, match="501 characters long; one memory holds 500"):
        await keepsake.memory.remember(note("x" * 501, subject_id=GUILD_SUBJECT))
    await keepsake.memory.remember(note("x" * 500, subject_id=GUILD_SUBJECT))
    assert await contents(keepsake, GUILD_SUBJECT) == ["x" * 500]


async def test_nothing_is_no_fact(keepsake: Keepsake) -> None:
    with pytest.raises(EmptyFactError):
        await keepsake.memory.remember(note(" . "))


async def test_a_correction_takes_the_place_of_what_was_wrong(keepsake: Keepsake) -> None:
    stored = await keepsake.memory.remember(note("I moved to Lyon"))
    assert stored.fact_id is not None
    (wrong,) = await keepsake.memory.facts_with_ids(guild_id=1, fact_ids=[stored.fact_id])
    right = await keepsake.memory.correct(wrong, note("I moved to Nantes", message_id=101))
    assert right is not None
    assert await contents(keepsake) == ["<@7> moved to Nantes"]
    assert await keepsake.memory.correct(wrong, note("I moved to Paris", message_id=102)) is None
    assert await contents(keepsake) == ["<@7> moved to Nantes"]


async def test_taking_back_lets_hold_again_what_was_superseded(keepsake: Keepsake) -> None:
    await keepsake.memory.remember(note("my name is Alicia"))
    second = await keepsake.memory.remember(note("my name is Alisa", message_id=101))
    assert second.fact_id is not None
    assert await keepsake.memory.take_back(guild_id=1, fact_ids=[second.fact_id]) == 1
    assert await contents(keepsake) == ["<@7>'s name is Alicia"]


async def test_26_writers_of_one_key_leave_one_active_fact_and_a_whole_chain(
    keepsake: Keepsake, database: Database
) -> None:
    await asyncio.gather(
        *(
            keepsake.memory.remember(note(f"my name is Al{chr(97 + number)}", message_id=200 + number))
            for number in range(26)
        )
    )
    assert len(await contents(keepsake)) == 1
    unlinked = await database.read(
        lambda connection: connection.fetchval(
            """
            SELECT count(*) FROM facts old WHERE status = 'superseded'
              AND NOT EXISTS (SELECT 1 FROM facts new WHERE new.supersedes = old.fact_id)
            """
        )
    )
    assert unlinked == 0


WRITER = """
import asyncio, json, sys
from bot.app import assembled
from bot.core.clock import SystemClock
from bot.core.settings import Settings
from bot.memory.facts import repository_narratives as narratives
from bot.db.pool import Database
from tests.memory.facts.test_facts import note

async def main(dsn, statements):
    # All wait for one subject at once: what is asked is that none gets lost, however long that takes the machine.
    database = await Database.open(dsn, pool_size=5, timeout_seconds=240)
    async with assembled(Settings(_env_file=None), SystemClock(), database) as keepsake:
        await asyncio.gather(*(
            keepsake.memory.remember(note(statement, message_id=message_id))
            for message_id, statement in statements
        ))
        await keepsake.work.idle()
    await database.close()

asyncio.run(main(sys.argv[1], json.loads(sys.argv[2])))
"""


async def write_in_processes(dsn: str, statements: list[tuple[int, str]]) -> None:
    """Have 4 processes remember `statements` about one subject, all at once."""
    children = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-c", WRITER, dsn, json.dumps(statements[start::4]), env=dict(os.environ)
        )
        for start in range(4)
    ]
    assert [await child.wait() for child in children] == [0, 0, 0, 0]


@pytest.mark.processes
async def test_200_remembers_about_one_subject_from_4_processes_are_200_facts(
    keepsake: Keepsake, database: Database, dsn: str
) -> None:
    statements = [(1_000 + number, f"I own book number {number}") for number in range(200)]
    await write_in_processes(dsn, statements)
    assert await contents(keepsake) == sorted(f"<@7> owns book number {number}" for number in range(200))
    await keepsake.work.idle()
    narrative = (
        await database.read(repository_narratives.narratives_of, guild_id=1, subject_ids=[7], audience=0)
    ).get(7)
    assert narrative is not None
    assert all(f"owns book number {number}" in narrative.memory_blob for number in range(200))


@pytest.mark.processes
async def test_the_same_thing_remembered_200_times_from_4_processes_is_one_fact(
    keepsake: Keepsake, dsn: str
) -> None:
    await write_in_processes(dsn, [(1_000 + number, "I like pizza") for number in range(200)])
    assert await contents(keepsake) == ["<@7> likes pizza"]


async def test_a_subject_beyond_bigint_is_refused_before_any_sql(keepsake: Keepsake) -> None:
    with pytest.raises(InvalidInputError, match="is no member's id"):
        await keepsake.memory.remember(replace(note("x y"), subject_id=10**20))


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("у сестры моей день рождения", "<@7>: «у сестры моей день рождения»"),
        ("у брата моего завтра экзамен", "<@7>: «у брата моего завтра экзамен» (2026-03-02)"),
        ("мы с братом играем в теннис", "<@7>: «мы с братом играем в теннис»"),
        ("I watch anime and cry", "<@7>: “I watch anime and cry”"),
        ("my favourite song is I Will Survive", "<@7>'s favourite song is I Will Survive"),
        ("I got married on 4 July", "<@7> got married on 4 July"),
        ("hate olives", "<@7> hates olives"),
        ("родилась в мае", "<@7> родилась в мае"),
    ],
)
async def test_what_is_not_surely_right_in_the_third_person_is_kept_as_it_was_said(
    keepsake: Keepsake, said: str, content: str
) -> None:
    first = await keepsake.memory.remember(note(said))
    again = await keepsake.memory.remember(note(f"{said}.", message_id=101))
    assert (first.content, again.is_new) == (content, False)
    assert await contents(keepsake) == [content]


async def test_what_is_about_somebody_whom_it_does_not_name_is_quoted_from_its_teller(
    keepsake: Keepsake,
) -> None:
    stored = await keepsake.memory.remember(note("he is a nurse", subject_id=8))
    assert stored.content == "<@7>: “he is a nurse”"
