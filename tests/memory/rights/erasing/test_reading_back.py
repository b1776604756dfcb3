"""Imports and late commands, after somebody was erased, bring nothing of them back."""

from pathlib import Path

import pytest

from bot.adapters.archive.importing import import_files
from bot.app import Keepsake
from bot.core.domain import Member
from bot.core.errors import AbsentSubjectError
from bot.db.pool import Database
from tests.adapters.archive.exports import BOB as BOB_RECORD
from tests.adapters.archive.exports import GUILD_ID as ARCHIVE_GUILD_ID
from tests.adapters.archive.exports import document, record, write
from tests.memory.rights.erasing.lived import BOB, CAROL, GUILD_ID, NAMES, columns_with, live, note, said

CAROL_RECORD = {
    "id": str(CAROL),
    "name": "carolinga",
    "discriminator": "0000",
    "nickname": "Rellibird",
    "isBot": False,
}


async def test_an_import_brings_neither_words_nor_id_nor_names_back(
    keepsake: Keepsake, database: Database, tmp_path: Path
) -> None:
    file = write(
        tmp_path,
        document(
            [
                record(1, "I come from zanzibarus", author=CAROL_RECORD),
                record(2, "@Rellibird nice", author=BOB_RECORD, mentions=[CAROL_RECORD]),
                record(3, f"see x.test/{CAROL}", author=BOB_RECORD),
            ]
        ),
    )
    await import_files(keepsake, [file])
    there = {column.partition(":")[0] for column in await columns_with(database, str(CAROL), "zanzibarus")}
    assert {"chat_history.user_id", "chat_history.message_text", "members.user_id"} <= there
    await keepsake.memory.erasing.erase_member(
        guild_id=ARCHIVE_GUILD_ID, user_id=CAROL, audiences=None, opted_out=False
    )
    for _ in range(2):
        assert await columns_with(database, str(CAROL), "zanzibarus", "carolinga") == []
        await import_files(keepsake, [file])
        await keepsake.work.idle()
    texts = await database.read(
        lambda connection: connection.fetch(
            "SELECT message_text FROM chat_history WHERE withheld IS NULL ORDER BY message_id"
        )
    )
    assert [row["message_text"] for row in texts] == ["<@0> nice", "see x.test/0"]


async def test_an_import_into_an_empty_log_brings_nothing_back_either(
    keepsake: Keepsake, database: Database, tmp_path: Path
) -> None:
    """What was never heard before is no more welcome than what was erased."""
    await keepsake.memory.erasing.erase_member(
        guild_id=ARCHIVE_GUILD_ID, user_id=CAROL, audiences=None, opted_out=False
    )
    records = [
        record(1, "I come from zanzibarus", author=CAROL_RECORD),
        record(2, "@Rellibird nice", author=BOB_RECORD, mentions=[CAROL_RECORD]),
    ]
    # The clock of these tests stands after both of them.
    await import_files(keepsake, [write(tmp_path, document(records))])
    assert await columns_with(database, str(CAROL), "zanzibarus", "carolinga") == []


async def test_a_command_from_before_that_is_carried_out_late_writes_nothing(
    keepsake: Keepsake, database: Database
) -> None:
    messages = await live(keepsake, database)
    await keepsake.memory.erasing.erase_member(
        guild_id=GUILD_ID, user_id=CAROL, audiences=None, opted_out=False
    )
    for at, statement, subject_id in (
        (2, "I live in quokkarium", CAROL),
        (5, f"<@{CAROL}> fears quokkarium", CAROL),
        (6, f"<@{BOB}> owns a zanzibarus", BOB),
        (7, f"I adore <@{CAROL}>", BOB),
    ):
        with pytest.raises(AbsentSubjectError):
            await keepsake.memory.remember(note(messages[at], statement, subject_id=subject_id))
    assert await columns_with(database, str(CAROL), "quokkarium", "zanzibarus") == []


async def test_the_name_of_who_wants_nothing_kept_is_not_taken_up_again(
    keepsake: Keepsake, database: Database
) -> None:
    await live(keepsake, database)
    await keepsake.memory.erasing.erase_member(
        guild_id=GUILD_ID, user_id=CAROL, audiences=None, opted_out=True
    )
    await keepsake.directory.put_members(
        [
            Member(guild_id=GUILD_ID, user_id=CAROL, user_name="carolinga"),
            Member(guild_id=GUILD_ID, user_id=BOB, user_name="bobby"),
        ]
    )
    assert await columns_with(database, str(CAROL), *NAMES) == []
    assert await columns_with(database, "bobby")
    await keepsake.memory.consent.opt_in(guild_id=GUILD_ID, user_id=CAROL)
    await keepsake.directory.put_members([Member(guild_id=GUILD_ID, user_id=CAROL, user_name="carolinga")])
    later = said("here again", 60 * 24 * 300)
    await keepsake.memory.ingest_messages([later])
    assert await keepsake.library.message(guild_id=GUILD_ID, message_id=later.message_id) == later
