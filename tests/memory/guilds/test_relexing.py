"""Another text search: what was kept before is found by it as well."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.app import Keepsake
from bot.core.domain import OPEN, Guild, Message
from bot.db.pool import Database
from bot.memory.facts.statements import Note
from bot.memory.guilds import text_search
from bot.memory.recall.search import HitKind

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
GUILD = Guild(guild_id=1, name="Aquarium", text_search="simple")


async def found(keepsake: Keepsake, words: str) -> list[int]:
    hits = await keepsake.memory.recall(guild_id=1, query=words, audiences=[OPEN], limit=20)
    return sorted(hit.hit_id for hit in hits if hit.kind is HitKind.MESSAGE)


async def lexemes(database: Database) -> list[str]:
    rows = await database.read(
        lambda connection: connection.fetch("SELECT lexemes::text FROM facts ORDER BY fact_id")
    )
    return [row["lexemes"] for row in rows]


def said(message_id: int, text: str) -> Message:
    return Message(guild_id=1, channel_id=2, message_id=message_id, user_id=7, text=text, timestamp=NOON)


async def test_what_was_kept_is_found_by_the_new_text_search_batch_after_batch(
    keepsake: Keepsake, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_search, "BATCH_ROWS", 2)
    await keepsake.directory.add_guild(GUILD)
    await keepsake.memory.ingest_messages(
        [said(number, f"I was running lap {number}") for number in range(1, 8)]
    )
    await keepsake.memory.ingest_deletion(guild_id=1, channel_id=2, message_ids=[4])
    for number in (11, 12, 13):
        await keepsake.memory.remember(
            Note(
                guild_id=1, subject_id=7, author_id=7, audience=0, statement=f"<@7> runs {number} races",
                cause=f"m:{number}", channel_id=2, message_id=number, said_at=NOON, time_zone="UTC", speaker_id=7,
            )
        )  # fmt: skip
    assert await found(keepsake, "run") == []
    assert not any("'run'" in one for one in await lexemes(database))

    await keepsake.directory.change_guild(GUILD, replace(GUILD, text_search="english"))
    await keepsake.work.idle()
    assert await found(keepsake, "run") == [1, 2, 3, 5, 6, 7]
    assert all("'run'" in one for one in await lexemes(database))
    assert (
        await database.read(lambda connection: connection.fetch("SELECT * FROM work WHERE kind = 'relex'"))
        == []
    )


async def test_other_guilds_and_other_settings_leave_the_words_alone(
    keepsake: Keepsake, database: Database
) -> None:
    await keepsake.directory.add_guild(GUILD)
    await keepsake.directory.add_guild(replace(GUILD, guild_id=5))
    await keepsake.memory.ingest_message(said(1, "I was running"))
    await keepsake.directory.change_guild(
        replace(GUILD, guild_id=5), replace(GUILD, guild_id=5, text_search="english")
    )
    await keepsake.directory.change_guild(GUILD, replace(GUILD, pings=True))
    await keepsake.work.idle()
    assert await found(keepsake, "run") == []
    assert await found(keepsake, "running") == [1]
