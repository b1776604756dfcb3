"""What an import leaves in the database, however often it is begun, and what it says about it."""

import logging
from pathlib import Path

import pytest

from bot.adapters.archive.importing import BATCH_RECORDS, ExportFile, import_files
from bot.adapters.archive.records import ArchivedMessage
from bot.app import Keepsake
from bot.core.domain import OPEN, Channel, Guild, Member
from bot.core.errors import ArchiveError, InvalidInputError
from bot.db.pool import Database
from tests.adapters.archive.exports import (
    ALICE,
    BOB,
    CHANNEL_ID,
    GUILD_ID,
    IRC_GUILD_ID,
    IRC_MESSAGES,
    document,
    irc_files,
    record,
    write,
)
from tests.adapters.archive.kept import column, rows


async def test_the_real_exports_imported_twice_leave_the_same_rows(
    keepsake: Keepsake, database: Database
) -> None:
    files = irc_files()
    first = await import_files(keepsake, files)
    kept = await rows(database)
    second = await import_files(keepsake, files)
    assert [(one.new, one.known, one.broken) for one in first] == [(1939, 0, ()), (1721, 0, ())]
    assert [(one.new, one.known, one.broken) for one in second] == [(0, 1939, ()), (0, 1721, ())]
    assert len(set(await column(database, "message_id"))) == IRC_MESSAGES
    assert await rows(database) == kept
    (guild,) = await keepsake.directory.guilds_named("ubuntu HELP")
    assert (guild.guild_id, guild.retention_days) == (IRC_GUILD_ID, 0)
    assert {channel.name for channel in await keepsake.directory.channels(IRC_GUILD_ID)} == {
        "ubuntu",
        "ubuntu-2006",
    }


@pytest.mark.smoke
async def test_what_is_in_the_file_is_what_is_kept(keepsake: Keepsake, tmp_path: Path) -> None:
    file = write(
        tmp_path,
        document(
            [
                record(1, "@Bob look", mentions=[BOB], attachments=[{"fileName": "cat.png"}]),
                record(2, "nice", type="Reply", author=BOB, reference={"messageId": record(1)["id"]}),
                record(3, "Joined the server.", type="GuildMemberJoin"),
            ]
        ),
    )
    await import_files(keepsake, [file])
    for heard in ExportFile.open(file).messages(audience=OPEN):
        assert isinstance(heard, ArchivedMessage)
        message_id = heard.message.message_id
        assert await keepsake.library.message(guild_id=GUILD_ID, message_id=message_id) == heard.message


async def test_nothing_is_written_if_one_of_the_files_is_no_export(
    keepsake: Keepsake, database: Database, tmp_path: Path
) -> None:
    good = write(tmp_path, document([record(1)]))
    bad = write(tmp_path, {"hello": "world"}, "other.json")
    with pytest.raises(ArchiveError, match=r"^other\.json is no JSON export .* it has no object \"guild\"$"):
        await import_files(keepsake, [good, bad])
    assert await rows(database) == []


async def test_broken_records_are_left_out_and_ten_of_them_named(
    keepsake: Keepsake, database: Database, tmp_path: Path
) -> None:
    bad = [record(number, None) for number in range(2, 14)]
    (report,) = await import_files(keepsake, [write(tmp_path, document([record(1), *bad, record(14)]))])
    assert (report.messages, report.new, report.known, len(report.broken)) == (14, 2, 0, 12)
    assert await column(database, "message_text") == ["hello", "hello"]
    line = str(report)
    assert line.startswith("export.json: 14 messages: 2 new, 0 known, 12 broken: ")
    assert line.endswith(f"{bad[9]['id']} (content None is no text), and 2 more")
    assert str(bad[0]["id"]) in line
    assert str(bad[10]["id"]) not in line


async def test_the_same_message_twice_in_a_file_is_kept_once(
    keepsake: Keepsake, database: Database, tmp_path: Path
) -> None:
    (report,) = await import_files(keepsake, [write(tmp_path, document([record(1), record(2), record(1)]))])
    assert (report.new, report.known) == (2, 1)
    assert len(await column(database, "message_id")) == 2


async def test_a_later_edit_wins_and_an_older_one_does_not(
    keepsake: Keepsake, database: Database, tmp_path: Path
) -> None:
    older = write(tmp_path, document([record(1, "Monday")]), "older.json")
    newer = write(
        tmp_path, document([record(1, "Tue", timestampEdited="2025-01-01T00:00:00+00:00")]), "newer.json"
    )
    await import_files(keepsake, [older])
    for file in (newer, older):
        (report,) = await import_files(keepsake, [file])
        assert (report.new, report.known) == (0, 1)
        assert await column(database, "message_text") == ["Tue"]


async def test_an_import_brings_nothing_back_that_was_deleted(
    keepsake: Keepsake, database: Database, tmp_path: Path
) -> None:
    message_id = int(str(record(1)["id"]))
    await keepsake.memory.ingest_deletion(guild_id=GUILD_ID, channel_id=CHANNEL_ID, message_ids=[message_id])
    await import_files(keepsake, [write(tmp_path, document([record(1, "secret")]))])
    assert await column(database, "message_text") == [""]


@pytest.mark.parametrize(("asked", "kept"), [(None, 0), (0, 0), (90, 90)])
async def test_a_guild_that_an_import_makes_keeps_its_messages_as_long_as_asked(
    keepsake: Keepsake, tmp_path: Path, asked: int | None, kept: int
) -> None:
    await import_files(keepsake, [write(tmp_path, document([record(1)]))], retention_days=asked)
    guild = await keepsake.directory.guild(GUILD_ID)
    assert guild is not None
    assert (guild.name, guild.retention_days) == ("Test guild", kept)


@pytest.mark.parametrize("asked", [None, 7])
async def test_a_known_guild_keeps_its_own_settings(
    keepsake: Keepsake, tmp_path: Path, caplog: pytest.LogCaptureFixture, asked: int | None
) -> None:
    known = Guild(guild_id=GUILD_ID, name="Test guild", time_zone="Europe/Berlin", retention_days=None)
    await keepsake.directory.add_guild(known)
    with caplog.at_level(logging.WARNING, "bot.adapters.archive"):
        await import_files(keepsake, [write(tmp_path, document([record(1)]))], retention_days=asked)
    assert await keepsake.directory.guild(GUILD_ID) == known
    assert [entry.getMessage() for entry in caplog.records] == (
        [] if asked is None else [f"guild {GUILD_ID} is known and keeps its own retention, not 7 days"]
    )


async def test_a_name_left_empty_takes_none_away(keepsake: Keepsake, tmp_path: Path) -> None:
    guild = Guild(guild_id=GUILD_ID, name="Home", retention_days=0)
    channel = Channel(guild_id=GUILD_ID, channel_id=CHANNEL_ID, name="lounge")
    await keepsake.directory.add_guild(guild)
    await keepsake.directory.put_channel(channel)
    nameless = document([record(1)], guild={"id": str(GUILD_ID)}, channel={"id": str(CHANNEL_ID)})
    await import_files(keepsake, [write(tmp_path, nameless)])
    assert await keepsake.directory.guild(GUILD_ID) == guild
    assert await keepsake.directory.channels(GUILD_ID) == [channel]


async def test_an_impossible_retention_is_refused(
    keepsake: Keepsake, database: Database, tmp_path: Path
) -> None:
    with pytest.raises(InvalidInputError, match="for -1 days"):
        await import_files(keepsake, [write(tmp_path, document([record(1)]))], retention_days=-1)
    assert await rows(database) == []


async def test_a_channel_known_as_closed_stays_closed(
    keepsake: Keepsake, database: Database, tmp_path: Path
) -> None:
    closed = Channel(guild_id=GUILD_ID, channel_id=CHANNEL_ID, name="general", audience=CHANNEL_ID)
    await keepsake.directory.put_channel(closed)
    await import_files(keepsake, [write(tmp_path, document([record(1)]))])
    assert await column(database, "audience") == [CHANNEL_ID]
    assert await keepsake.directory.channels(GUILD_ID) == [closed]


@pytest.mark.parametrize(
    ("kind", "audience"),
    [
        ("GuildTextChat", OPEN),
        ("GuildPublicThread", 3001),
        ("GuildPrivateThread", CHANNEL_ID),
        ("GuildForum", OPEN),
    ],
)
async def test_a_private_thread_is_closed_and_a_public_one_as_open_as_its_channel(
    keepsake: Keepsake, database: Database, tmp_path: Path, kind: str, audience: int
) -> None:
    parent = Channel(guild_id=GUILD_ID, channel_id=3001, name="mods", audience=3001)
    await keepsake.directory.put_channel(parent)
    channel = {"id": str(CHANNEL_ID), "type": kind, "categoryId": "3001", "category": "mods", "name": "t"}
    await import_files(keepsake, [write(tmp_path, document([record(1)], channel=channel))])
    assert await column(database, "audience") == [audience]


async def test_members_are_known_by_the_last_name_that_was_seen(keepsake: Keepsake, tmp_path: Path) -> None:
    renamed = {**ALICE, "nickname": "Alicia"}
    unnamed = {"id": ALICE["id"], "name": "alice"}
    records = [record(1), record(2, author=renamed)]
    # Of the same batch, and of a later one.
    for number in (3, BATCH_RECORDS + 3):
        records.append(record(number, "@alice", author=BOB, mentions=[unnamed]))
        records += [record(number + after, author=BOB) for after in range(1, BATCH_RECORDS)]
    await import_files(keepsake, [write(tmp_path, document(records))])
    await import_files(keepsake, [write(tmp_path, document([record(4, author={**BOB, "nickname": "Rob"})]))])
    alice, bob = await keepsake.directory.members(GUILD_ID)
    assert (alice.user_id, alice.user_name, alice.name) == (11, "alice", "Alicia")
    assert bob == Member(
        guild_id=GUILD_ID,
        user_id=12,
        user_name="bob_the_2nd",
        nickname="Rob",
        old_names=("Bob",),
        is_bot=False,
    )


async def test_direct_messages_are_a_guild_of_their_own(keepsake: Keepsake, tmp_path: Path) -> None:
    channel = {"id": "555", "type": "DirectTextChat", "name": "bob"}
    exported = document([record(1)], guild={"id": "0", "name": "Direct Messages"}, channel=channel)
    await import_files(keepsake, [write(tmp_path, exported)])
    guild = await keepsake.directory.guild(555)
    assert guild is not None
    assert guild.direct
    assert await keepsake.directory.guild_names() == []
    message = await keepsake.library.message(guild_id=555, message_id=int(str(record(1)["id"])))
    assert message is not None
    assert message.text == "hello"


async def test_progress_is_told_up_to_the_last_record(keepsake: Keepsake, tmp_path: Path) -> None:
    total = 2 * BATCH_RECORDS + 7
    told: list[int] = []
    file = write(tmp_path, document([record(number) for number in range(1, total + 1)]))
    await import_files(keepsake, [file], progress=lambda _, done: told.append(done))
    assert told == [BATCH_RECORDS, 2 * BATCH_RECORDS, total]
