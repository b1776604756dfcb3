"""`keepsake export`: an operator hands out what is kept about a member, in a file that nobody else can read."""

import asyncio
import json
import stat
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot import cli
from bot.core.domain import Guild, Member, Message
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.memory.members.directory import Directory
from bot.memory.messages import repository_writing
from bot.memory.rights.exporting.exporting import Exporting

HOME, OTHER, ALICE, MODS = 1_000, 1_001, 11, 2_001


@pytest.fixture(autouse=True)
async def _kept(database: Database, dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Alice said something openly in two guilds, and in a closed room of one."""
    settings = Settings(_env_file=None, database_url=SecretStr(dsn))
    monkeypatch.setattr(Settings, "load", lambda: settings)
    # Signals are for the main thread, where the test itself runs.
    monkeypatch.setattr(cli, "_until_stopped", asyncio.run)
    directory = Directory(database)
    for guild_id in (HOME, OTHER):
        await directory.add_guild(Guild(guild_id=guild_id, name="Home"))
        await directory.put_members([Member(guild_id=guild_id, user_id=ALICE, user_name="alice")])
    said = [(HOME, 0, "in the open"), (HOME, MODS, "behind the door"), (OTHER, 0, "elsewhere")]
    heard = [
        Message(
            guild_id=guild_id,
            channel_id=audience or 2_000,
            message_id=number,
            user_id=ALICE,
            audience=audience,
            text=text,
            timestamp=datetime(2026, 3, 1, tzinfo=UTC),
        )
        for number, (guild_id, audience, text) in enumerate(said, start=1)
    ]
    await database.write(repository_writing.write_messages, heard)


async def export(*arguments: str | Path) -> int:
    """Run the command line as it is run from a terminal, in a loop of its own."""
    return await asyncio.to_thread(cli.main, ["export", "--user", str(ALICE), *map(str, arguments)])


def texts(content: str | bytes) -> list[str]:
    return [message["text"] for message in json.loads(content)["messages"]]


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.smoke
async def test_a_file_holds_what_is_open_and_with_all_everything(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    readable, everything = tmp_path / "alice.json", tmp_path / "everything.json"
    assert await export("--guild", str(HOME), readable) == 0
    size = readable.stat().st_size
    told = f"{size:,} bytes about member 11 were written to {readable}, which only you can read.\n"
    assert capsys.readouterr().out == told
    assert texts(readable.read_bytes()) == ["in the open"]
    assert await export("--guild", str(HOME), "--all", everything) == 0
    assert texts(everything.read_bytes()) == ["in the open", "behind the door"]
    assert stat.S_IMODE(readable.stat().st_mode) == 0o600
    assert names_in(tmp_path) == ["alice.json", "everything.json"]


async def test_an_archive_holds_a_file_for_each_guild(tmp_path: Path) -> None:
    assert await export(tmp_path / "alice.zip") == 0
    with zipfile.ZipFile(tmp_path / "alice.zip") as archive:
        assert {name: texts(archive.read(name)) for name in archive.namelist()} == {
            "memory-1000.json": ["in the open"],
            "memory-1001.json": ["elsewhere"],
        }


async def test_what_cannot_be_written_is_one_sentence_and_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = tmp_path / "taken.json"
    taken.write_text("mine")
    refused = {
        ("--guild", "5", str(tmp_path / "new.json")): "nothing is kept of member 11 in guild 5",
        (str(tmp_path / "new.json"),): "2 guilds keep something of member 11: name one by --guild",
        ("--guild", str(HOME), str(taken)): "exists already: name a file that is to be made",
        (
            "--guild",
            str(HOME),
            str(tmp_path / "no" / "new.json"),
        ): "cannot be written: No such file or directory",
    }
    for arguments, told in refused.items():
        assert await export(*arguments) == 2
        assert told in capsys.readouterr().err
    assert taken.read_text() == "mine"

    async def broken(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Exporting, "_head", broken)
    assert await export("--guild", str(HOME), tmp_path / "full.json") == 2
    assert "cannot be written: No space left on device" in capsys.readouterr().err
    assert names_in(tmp_path) == ["taken.json"]
