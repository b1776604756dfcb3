"""`keepsake episodes`: an operator lists and removes what conversations left behind, and is told how many went."""

import asyncio

import pytest
from pydantic import SecretStr

from bot import cli
from bot.core.domain import Channel, Guild, Member
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.memory.members.directory import Directory
from tests.memory.summaries.episodes.kept import keep

GUILD, GENERAL, RANDOM = 1_000, 2_000, 2_001


@pytest.fixture
async def kept(database: Database, dsn: str, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    settings = Settings(_env_file=None, database_url=SecretStr(dsn))
    monkeypatch.setattr(Settings, "load", lambda: settings)
    directory = Directory(database)
    await directory.add_guild(Guild(guild_id=GUILD, name="Home"))
    await directory.put_channel(Channel(guild_id=GUILD, channel_id=GENERAL, name="general"))
    await directory.put_members([Member(guild_id=GUILD, user_id=7, user_name="bob")])
    numbered = [(GENERAL, 1), (GENERAL, 2), (GENERAL, 3), (RANDOM, 4)]
    return [
        await keep(database, f"<@7> decided {number}.", guild_id=GUILD, channel_id=channel_id, number=number)
        for channel_id, number in numbered
    ]


async def keepsake(*arguments: str) -> int:
    """Run the command line as it is run from a terminal, in a loop of its own."""
    return await asyncio.to_thread(cli.main, ["episodes", *arguments])


@pytest.fixture(autouse=True)
def without_signals(monkeypatch: pytest.MonkeyPatch) -> None:
    # Signals are for the main thread, where the test itself runs.
    monkeypatch.setattr(cli, "_until_stopped", asyncio.run)


async def test_they_are_listed_by_channel_with_ids_and_names(
    kept: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert await keepsake("list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "guild 1000 (Home), channel 2000 (#general):"
    assert lines[1] == f"  {kept[2]}  2026-03-04  importance 3  bob decided 3."
    assert lines[-1] == "4 episodes were found."
    assert await keepsake("list", "--channel", str(RANDOM)) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 episode was found."
    assert await keepsake("list", "--guild", "5") == 0
    assert capsys.readouterr().out == "0 episodes were found.\n"


async def test_one_or_all_of_a_channel_are_removed_and_counted(
    kept: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert await keepsake("purge", str(kept[0])) == 0
    assert capsys.readouterr().out == "1 episode was removed.\n"
    assert await keepsake("purge", "--channel", str(GENERAL)) == 0
    assert capsys.readouterr().out == "2 episodes were removed.\n"
    assert await keepsake("list") == 0
    assert "1 episode was found." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["purge"], "one episode by its id"),
        (["purge", "1", "--channel", "2000"], "one episode by its id"),
        (["purge", "999999"], "no episode 999999 is kept"),
        (["purge", "--channel", "77"], "no episode of channel 77 is kept"),
    ],
)
@pytest.mark.usefixtures("kept")
async def test_what_is_not_there_or_not_said_is_one_sentence(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await keepsake(*arguments) == 2
    output = capsys.readouterr()
    assert told in output.err
    assert len(output.err.splitlines()) == 1


@pytest.mark.parametrize("arguments", [["list", "--channel", "general"], ["purge", "x"], [], ["sing"]])
async def test_what_is_no_id_is_named(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["episodes", *arguments])
    assert ended.value.code == 2
    assert arguments == [] or repr(arguments[-1]) in capsys.readouterr().err
