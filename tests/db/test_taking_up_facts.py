"""Facts of before they had sources: each gets its own, what was superseded stays so, and messages are to be read."""

import alembic.command
import asyncpg
import pytest

from bot.db import migrations

OLD_FACTS = """
INSERT INTO facts (guild_id, subject_id, audience, category, key, value, content, raw_content, importance, confidence,
                   status, origin, author_id, source_channel_id, source_message_id, cause, said_at, updated_at)
SELECT 1, 7, 0, 'fact', key, value, content, '', 80, 1, status, 'command', 7, 2, message_id, 'm:' || message_id,
       now(), now()
FROM (VALUES ('name', 'Alicia', 'x', 'superseded', 1), ('name', 'Alisa', 'y', 'active', 2),
             ('note:1', 'z', 'z', 'inactive', 3), ('gone:1', '', '', 'forgotten', 4))
     AS old (key, value, content, status, message_id);
UPDATE facts SET superseded_by = (SELECT fact_id FROM facts WHERE value = 'Alisa') WHERE value = 'Alicia';
INSERT INTO chat_history (guild_id, channel_id, message_id, user_id, audience, kind, message_text, timestamp, withheld)
VALUES (1, 2, 10, 7, 0, 'member', 'hello', now(), NULL), (1, 2, 11, 9, 0, 'bot', 'hello', now(), NULL),
       (1, 2, 12, 7, 0, 'member', '', now(), 'deleted');
"""


async def test_old_facts_and_messages_are_taken_up(dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    connection = await asyncpg.connect(dsn)
    await connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    upgrade = alembic.command.upgrade
    with monkeypatch.context() as before:
        before.setattr(alembic.command, "upgrade", lambda config, _: upgrade(config, "0006"))
        await migrations.migrate(dsn)
    await connection.execute(OLD_FACTS)
    await migrations.migrate(dsn)
    rows = await connection.fetch(
        """
        SELECT f.value, s.cause, s.content, s.ended, named.value AS retired_by
        FROM facts f JOIN fact_sources s USING (guild_id, fact_id)
        LEFT JOIN fact_sources naming ON naming.guild_id = 1 AND naming.source_id = s.retired_by
        LEFT JOIN facts named ON named.guild_id = 1 AND named.fact_id = naming.fact_id
        ORDER BY s.cause
        """
    )
    assert [tuple(row) for row in rows] == [
        ("Alicia", "m:1", "x", False, "Alisa"),
        ("Alisa", "m:2", "y", False, None),
        ("z", "m:3", "z", True, None),
        ("", "m:4", "", True, None),
    ]
    assert [row[0] for row in await connection.fetch("SELECT message_id FROM unextracted")] == [10]
    await connection.close()
