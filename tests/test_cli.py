"""The command line answers at once, and says in one line what it cannot use."""

import subprocess
import sys

import pytest

from bot import __version__
from bot.cli import main


@pytest.mark.processes
def test_help_needs_none_of_the_heavy_libraries() -> None:
    program = (
        "import sys\n"
        "from bot.cli import main\n"
        "try:\n"
        "    main(['--help'])\n"
        "finally:\n"
        "    print('heavy:', *sorted({name.split('.')[0] for name in sys.modules}"
        " & {'asyncpg', 'pydantic', 'rich', 'prompt_toolkit', 'sqlalchemy', 'alembic'}))\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0
    assert "usage: keepsake" in ended.stdout
    assert ended.stdout.endswith("heavy:\n")


@pytest.mark.parametrize(
    "command", ["run", "chat", "import", "stats", "episodes", "web", "token", "migrate", "doctor"]
)
def test_every_command_has_help_with_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert f"Example: keepsake {command}" in capsys.readouterr().out


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"keepsake {__version__}\n"


def test_no_command_shows_the_help_and_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "usage: keepsake" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [["dance"], ["import"], ["import", "a.json", "--retention", "-1"], ["chat", "--retention", "3"]],
)
def test_wrong_arguments_are_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "keepsake" in capsys.readouterr().err


def test_a_wrong_time_or_setting_is_one_line_and_status_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["chat", "--at", "noon"]) == 2
    assert capsys.readouterr().err.startswith("keepsake: 'noon' is no time: ")
    monkeypatch.setenv("LOG_LEVEL", "loud")
    assert main(["migrate"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("keepsake: LOG_LEVEL: 'loud' cannot be used")
    assert told.count("\n") == 1


def test_a_database_that_cannot_be_reached_is_one_line_and_status_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://somebody:secret@127.0.0.1:1/nothing")
    assert main(["migrate"]) == 1
    told = capsys.readouterr().err
    assert told.startswith("keepsake: ")
    assert told.count("\n") == 1
    assert "secret" not in told


def test_shards_that_cannot_be_are_refused_with_what_is_allowed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["run", "--shards", "4-3/16"])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert (
        "'4-3/16' names no shards: write the first and the last, and how many there are, as in 0-3/16" in told
    )
