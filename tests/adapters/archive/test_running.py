"""The import as somebody at a terminal runs it: in a process of its own, killed at any moment, begun again."""

import asyncio
import re
import sys
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.adapters.archive.importing import BATCH_RECORDS, ExportFile, run
from bot.adapters.archive.records import ArchivedMessage
from bot.app import open_database
from bot.core.domain import OPEN
from bot.core.errors import ArchiveError
from bot.core.settings import Settings
from tests.adapters.archive.exports import document, record, write
from tests.adapters.archive.kept import column, rows

LONG = 6_000
"""Messages that take an import long enough to be killed in the middle of it."""

IMPORT = """
import sys
from pathlib import Path
from bot.adapters.archive.importing import run
from bot.core.settings import Settings
sys.exit(run(Settings.load(), [Path(sys.argv[1])], None))
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings, here and for child processes, that name an embedded server which only this test uses."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv("KEEPSAKE_HOME", str(tmp_path / "home"))
    return Settings(_env_file=None)


async def import_in_a_process(file: Path) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-c", IMPORT, str(file), cwd=file.parent, stdout=asyncio.subprocess.PIPE
    )


@pytest.mark.processes
async def test_an_import_killed_half_way_goes_on_and_leaves_the_same_rows(
    home: Settings, tmp_path: Path
) -> None:
    people = [{"id": str(100 + number), "name": f"member{number}"} for number in range(50)]
    file = write(
        tmp_path,
        document(
            [record(number, f"word{number}", author=people[number % 50]) for number in range(1, LONG + 1)]
        ),
    )
    async with open_database(home) as database:
        killed = await import_in_a_process(file)
        while len(await column(database, "message_id")) < 2 * BATCH_RECORDS:
            assert killed.returncode is None, "the import ended before it could be killed"
            await asyncio.sleep(0.01)
        killed.kill()
        await killed.communicate()
        half = len(await column(database, "message_id"))
        assert half < LONG

        output, _ = await (await import_in_a_process(file)).communicate()
        new, known = (int(number) for number in re.findall(rb"(\d+) (?:new|known)", output))
        assert new + known == LONG
        # The server may still have finished what the killed process had asked of it.
        assert 0 < new <= LONG - half
        expected = [
            (one.message.message_id, one.message.user_id, one.message.text)
            for one in ExportFile.open(file).messages(audience=OPEN)
            if isinstance(one, ArchivedMessage)
        ]
        found = [await column(database, name) for name in ("message_id", "user_id", "message_text")]
        assert list(zip(*found, strict=True)) == expected
        kept = await rows(database)

        output, _ = await (await import_in_a_process(file)).communicate()
        assert output.decode() == f"export.json: {LONG} messages: 0 new, {LONG} known, 0 broken\n"
        assert await rows(database) == kept


def test_a_run_reports_each_file_on_a_line_and_refuses_what_is_no_export(
    home: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = write(tmp_path, document([record(1), record(2, None)]), "one.json")
    two = write(tmp_path, document([record(3)]), "two.json")
    bad = write(tmp_path, [], "bad.json")
    assert run(home, [one, bad, two], None) == 1
    output = capsys.readouterr()
    assert output.out.splitlines() == [
        f"one.json: 2 messages: 1 new, 0 known, 1 broken: {record(2)['id']} (content None is no text)",
        "two.json: 1 messages: 1 new, 0 known, 0 broken",
    ]
    refusal = 'bad.json is no JSON export of DiscordChatExporter that can be read: it does not begin with "{"'
    assert output.err.splitlines() == [refusal]
    assert run(home, [two], None) == 0
    assert capsys.readouterr().out.splitlines() == ["two.json: 1 messages: 0 new, 1 known, 0 broken"]


def test_a_run_without_any_export_needs_no_database(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = Settings(_env_file=None, database_url=SecretStr("postgresql://localhost:1/none"))
    assert run(nowhere, [tmp_path / "absent.json"], None) == ArchiveError.exit_status
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.splitlines() == [f"{tmp_path}/absent.json cannot be read: there is no such file"]
