"""`keepsake erase`: an operator sees what goes, is asked, and is told what went."""

import asyncio
from collections.abc import Callable

import pytest
from pydantic import SecretStr

from bot import cli
from bot.app import Keepsake
from bot.core.domain import Guild
from bot.core.settings import Settings
from bot.db.pool import Database
from tests.memory.rights.erasing.lived import (
    BOB,
    CAROL,
    CLOSED_WORDS,
    GUILD_ID,
    NAMES,
    OWN_WORDS,
    columns_with,
    dumped,
    live,
    said,
)


@pytest.fixture(autouse=True)
def without_signals(monkeypatch: pytest.MonkeyPatch, dsn: str) -> None:
    # Signals are for the main thread, where the test itself runs.
    monkeypatch.setattr(cli, "_until_stopped", asyncio.run)
    settings = Settings(_env_file=None, database_url=SecretStr(dsn))
    monkeypatch.setattr(Settings, "load", lambda: settings)


def typing(answer: str | None) -> Callable[[str], str]:
    """Return what types `answer` when asked; `None`: nobody is there."""

    def typed(_question: str) -> str:
        if answer is None:
            raise EOFError
        return answer

    return typed


async def keepsake_erase(*arguments: object) -> int:
    """Run the command line as it is run from a terminal, in a loop of its own."""
    return await asyncio.to_thread(cli.main, ["erase", *map(str, arguments)])


async def test_everywhere_is_every_guild_and_every_room(
    keepsake: Keepsake, database: Database, dsn: str, capsys: pytest.CaptureFixture[str]
) -> None:
    await live(keepsake, database)
    await keepsake.directory.add_guild(Guild(guild_id=GUILD_ID + 1, name="Elsewhere"))
    await keepsake.memory.ingest_messages(
        [
            said("xylophonius, elsewhere", 1, guild_id=GUILD_ID + 1),
            said(f"hello <@{CAROL}>", 2, guild_id=GUILD_ID + 1, user_id=BOB),
        ]
    )
    assert await keepsake_erase("--user", CAROL, "--all", "--yes") == 0
    await keepsake.work.idle()
    assert "Erased: 6 messages, " in capsys.readouterr().out
    dump = await dumped(dsn)
    for gone in (str(CAROL), *OWN_WORDS, *CLOSED_WORDS, *(name.lower() for name in NAMES)):
        assert gone not in dump
    assert "hello <@0>" in dump
    assert "pizza is nice" in dump


async def test_one_guild_leaves_notes_in_closed_rooms_to_its_managers(
    keepsake: Keepsake, database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    await live(keepsake, database)
    assert await keepsake_erase("--guild", GUILD_ID, "--user", CAROL, "--yes") == 0
    assert await columns_with(database, *OWN_WORDS) == []
    assert await columns_with(database, *CLOSED_WORDS)
    told = capsys.readouterr().out.splitlines()
    assert "1 fact that waits" in told[0]
    assert "a manager of the server decides" in told[1]
    assert await keepsake_erase("--guild", GUILD_ID, "--user", CAROL, "--all", "--yes") == 0
    assert await columns_with(database, *CLOSED_WORDS, str(CAROL)) == []


@pytest.mark.parametrize(("answer", "status"), [("yes", 0), (" Y ", 0), ("", 1), ("no", 1), ("yess", 1)])
async def test_it_is_shown_what_goes_and_asked_whether_it_is_meant(
    keepsake: Keepsake,
    database: Database,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    answer: str,
    status: int,
) -> None:
    await keepsake.memory.ingest_messages([said("zanzibarus", 1)])
    monkeypatch.setattr("builtins.input", typing(answer))
    assert await keepsake_erase("--guild", GUILD_ID, "--user", CAROL) == status
    told = capsys.readouterr().out.splitlines()
    assert told[0] == f"Of member {CAROL} there is: 1 message."
    assert told[1] == ("Nothing was erased." if status else "Erased: 1 message.")
    assert bool(await columns_with(database, "zanzibarus")) is bool(status)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--user", "7"], "it must be said where"),
        (["--user", "7", "--guild", "5", "--yes"], "nothing is kept of a guild 5"),
        (["--user", "7", "--all"], "nobody is there to be asked"),
    ],
)
async def test_what_is_not_said_or_not_there_is_one_sentence(
    arguments: list[str],
    told: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("builtins.input", typing(None))
    assert await keepsake_erase(*arguments) == 2
    output = capsys.readouterr()
    assert told in output.err
    assert len(output.err.splitlines()) == 1


@pytest.mark.parametrize("arguments", [[], ["--user", "carol"], ["--user", "7", "--guild", "home"]])
def test_what_is_no_id_is_named(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["erase", *arguments])
    assert ended.value.code == 2
    assert not arguments or repr(arguments[-1]) in capsys.readouterr().err


async def test_who_was_never_there_is_no_error(
    keepsake: Keepsake, capsys: pytest.CaptureFixture[str]
) -> None:
    await keepsake.directory.add_guild(Guild(guild_id=GUILD_ID, name="Home"))
    assert await keepsake_erase("--guild", GUILD_ID, "--user", CAROL, "--yes") == 0
    assert capsys.readouterr().out == "Erased: nothing.\n"
