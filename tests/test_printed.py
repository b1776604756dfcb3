"""Nothing but ours is ever printed: every command as a process, and its whole output."""

import re
import shutil
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot import __version__
from bot.cli import _parser
from bot.core.domain import Channel, Guild, Member, Message
from bot.db import migrations
from bot.db.embedded.files import Layout
from bot.db.pool import Database
from bot.memory.members.directory import Directory
from bot.memory.messages import repository_writing
from tests.adapters.archive.exports import ALICE, GUILD_ID, document, record, write
from tests.adapters.console.conftest import address
from tests.memory.summaries.episodes.kept import keep
from tests.printed import Terminal, on_pipes
from tests.servers.gemini import GeminiServer

pytestmark = pytest.mark.processes

__all__ = ["address"]

COMMANDS = ["run", "chat", "backfill", "import", "stats", "episodes", "erase", "export", "migrate", "doctor"]
ASKED = "Bot, how are you?"
ANSWER = "Quite well, thanks!"
GREETING = f"""\
Keepsake {__version__} in the guild “Keepsake”
Talk as in any chat: it hears everything, and answers what begins with “Bot”. 
Try:
  Bot, remember that I like pizza
  Bot, what do you know about me?
  Bot, forget that I like pizza
/help lists everything, Ctrl-D leaves.
"""  # noqa: W291 - the terminal is 80 columns wide, and lines are broken behind a blank
_MODES = re.compile(r"\x1b\[\?(12l|25h)")
"""How prompt_toolkit shows the cursor, which prints nothing."""
_LATE = re.compile(
    r"[\d-]{10} [\d:,]{12} WARNING bot\.[\w.]+: the reply to message \d+ goes without [a-z' ]+: TimeoutError"
)
"""What a machine that is too busy for a second is told."""


def without_late(errors: str) -> list[str]:
    return [line for line in errors.splitlines() if not _LATE.fullmatch(line)]


@pytest.fixture
async def gemini() -> AsyncIterator[GeminiServer]:
    async with GeminiServer() as server:
        server.answer("reply", ANSWER)
        yield server


@contextmanager
def terminal(*arguments: str, **settings: str) -> Iterator[Terminal]:
    started = Terminal(*arguments, **settings)
    try:
        yield started
    finally:
        started.kill()


@pytest.mark.parametrize("arguments", [["--help"], *([command, "--help"] for command in COMMANDS)])
async def test_help_is_all_that_help_prints(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    with pytest.raises(SystemExit):
        _parser().parse_args(arguments)
    assert (printed := await on_pipes(*arguments)).output == capsys.readouterr().out
    assert (printed.errors, printed.status) == ("", 0)
    assert arguments[0] in (printed.output + "--help")


async def test_the_version_and_a_missing_command() -> None:
    printed = await on_pipes("--version")
    assert (printed.output, printed.errors) == (f"keepsake {__version__}\n", "")
    printed = await on_pipes()
    assert (printed.output, printed.status) == ("", 2)
    assert printed.errors == (await on_pipes("--help")).output


async def test_a_chat_with_a_model_prints_the_chat_on_a_pipe(
    address: str, tmp_path: Path, gemini: GeminiServer
) -> None:
    printed = await on_pipes(
        "chat",
        typed=f"#general alice: {ASKED}\n",
        settings={
            "DATABASE_URL": address,
            "KEEPSAKE_HOME": str(tmp_path),
            "GEMINI_API_KEY": "key",
            "GOOGLE_API_KEY": "another",
            "GEMINI_BASE_URL": gemini.url,
            "LOG_LEVEL": "ERROR",
        },
    )
    assert printed.output == f"#general alice: {ASKED}\n  Bot: {ANSWER}\n"
    assert without_late(printed.errors) == []
    assert gemini.requests_of("reply")


async def test_a_chat_with_a_model_prints_the_chat_in_a_terminal(
    address: str, tmp_path: Path, gemini: GeminiServer
) -> None:
    settings = {
        "DATABASE_URL": address,
        "KEEPSAKE_HOME": str(tmp_path),
        "GEMINI_API_KEY": "key",
        "GEMINI_BASE_URL": gemini.url,
        # A machine that is too busy for a second is told so, and a terminal breaks that line.
        "LOG_LEVEL": "ERROR",
    }
    with terminal("chat", **settings) as at_it:
        await at_it.until("alice #general> ")
        at_it.type(ASKED)
        await at_it.until("(1)")
        await at_it.until("alice #general> ")
        at_it.type("/quit")
        printed = await at_it.ended()
    shown = [line for line in _MODES.sub("", printed.output).split("\n") if not _LATE.fullmatch(line)]
    assert "\n".join(shown).replace("\r", "") == (
        f"{GREETING}alice #general> {ASKED}\n  Bot: {ANSWER} (1)\nalice #general> /quit\n"
    )
    assert printed.status == 0


async def test_a_chat_without_a_model_prints_the_chat(tmp_path: Path) -> None:
    """On the embedded server, which programs of others make and start."""
    try:
        printed = await on_pipes(
            "chat",
            typed="#general alice: Bot, remember that I like tea\n",
            settings={"KEEPSAKE_HOME": str(tmp_path)},
        )
    finally:
        shutil.rmtree(Layout.of(tmp_path, 18).folder.parent, ignore_errors=True)
    assert printed.output == (
        "#general alice: Bot, remember that I like tea\n  Bot: Remembered: alice likes tea.\n"
    )
    assert without_late(printed.errors) == []


async def test_the_doctor_prints_findings(address: str, tmp_path: Path, gemini: GeminiServer) -> None:
    settings = {"DATABASE_URL": address, "KEEPSAKE_HOME": str(tmp_path)}
    database = (
        r"ok database: Postgres 18\.\d+, test_\d+ at a local socket, \d+ MB; its tables are up to date"
        rf" \(revision {migrations.revisions()[0]}\)\."
    )
    work = [
        r"ok services: none is reported to fail\.",
        r"ok work: none is due\.",
        r"ok answers: none waits to be sent\.",
        r"ok backups: none was made yet: .*\.",
    ]
    clock = r"ok clock: [\d-]{10} [\d:]{8} UTC\."
    # The server is on this machine, so its own folder is looked at rather than KEEPSAKE_HOME.
    disk = r"(ok|! ) disk: [\d.]+ GB free \(\d+%\) for /\S+/postgres/data-\d+(: .*)?\."
    printed = await on_pipes("doctor", cwd=tmp_path, settings=settings)
    lines_are(
        printed.output,
        [
            r"ok settings: set: DATABASE_URL, KEEPSAKE_HOME\.",
            database,
            *work,
            r"ok models: none is configured, .*\.",
            clock,
            disk,
        ],
    )
    assert printed.errors == ""
    printed = await on_pipes(
        "doctor", cwd=tmp_path, settings={**settings, "GEMINI_API_KEY": "key", "GEMINI_BASE_URL": gemini.url}
    )
    model = r"(ok|! ) model google:[\w.-]+ \([a-z, ]+\): .*\."
    named = r"ok settings: set: DATABASE_URL, GEMINI_API_KEY, GEMINI_BASE_URL, KEEPSAKE_HOME\."
    lines_are(printed.output, [named, database, *work, model, model, model, model, clock, disk])
    assert printed.errors == ""


def lines_are(printed: str, patterns: Sequence[str]) -> None:
    """Match every line with the pattern of its place."""
    lines = printed.splitlines()
    for line, pattern in zip(lines, patterns, strict=True):
        assert re.fullmatch(pattern, line), (line, pattern)


async def test_migrate_and_import_print_their_report(address: str, tmp_path: Path) -> None:
    settings = {"DATABASE_URL": address, "KEEPSAKE_HOME": str(tmp_path)}
    printed = await on_pipes("migrate", settings=settings)
    assert (printed.output, printed.errors, printed.status) == ("", "", 0)
    file = write(tmp_path, document([record(1), record(2)]), "one.json")
    printed = await on_pipes("import", str(file), cwd=tmp_path, settings=settings)
    assert printed.output == f"{file.name}: 2 messages: 2 new, 0 known, 0 broken\n"
    assert (printed.errors, printed.status) == ("", 0)
    file = tmp_path / "mine.json"
    alice = str(ALICE["id"])
    printed = await on_pipes(
        "export", "--user", alice, "--guild", str(GUILD_ID), str(file), settings=settings
    )
    size = f"{file.stat().st_size:,}"
    assert printed.output == (
        f"{size} bytes about member {alice} were written to {file}, which only you can read.\n"
    )
    assert (printed.errors, printed.status) == ("", 0)


async def test_the_operators_commands_print_what_they_did(
    address: str, tmp_path: Path, database: Database
) -> None:
    settings = {"DATABASE_URL": address, "KEEPSAKE_HOME": str(tmp_path)}
    directory = Directory(database)
    await directory.add_guild(Guild(guild_id=1_000, name="Home"))
    await directory.put_channel(Channel(guild_id=1_000, channel_id=2_000, name="general"))
    await directory.put_members([Member(guild_id=1_000, user_id=7, user_name="bob")])
    number = await keep(database, "<@7> decided.", guild_id=1_000, channel_id=2_000, number=1)
    printed = await on_pipes("episodes", "list", settings=settings)
    lines_are(
        printed.output,
        [
            r"guild 1000 \(Home\), channel 2000 \(#general\):",
            rf"  {number}  2026-\d\d-\d\d  importance \d  bob decided\.",
            r"1 episode was found\.",
        ],
    )
    assert printed.errors == ""
    printed = await on_pipes("episodes", "purge", str(number), settings=settings)
    assert (printed.output, printed.errors) == ("1 episode was removed.\n", "")
    said = Message(
        guild_id=1_000,
        channel_id=2_000,
        message_id=5_000,
        user_id=7,
        text="hello",
        timestamp=datetime.now(UTC),
    )
    await database.write(repository_writing.write_messages, [said])
    printed = await on_pipes("erase", "--user", "7", "--guild", "1000", typed="y\n", settings=settings)
    assert printed.output == (
        "Of member 7 there is: 1 message.\nIt cannot be brought back. Erase it? [y/N] Erased: 1 message.\n"
    )
    assert (printed.errors, printed.status) == ("", 0)
