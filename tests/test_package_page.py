"""The page about the package shows a program that runs, and methods that are there."""

import re
import runpy
from pathlib import Path

import pytest

from bot.memory.manager import MemoryManager

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/package.md").read_text(encoding="utf-8")


def test_the_program_prints_what_the_page_says(
    dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (program,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (printed,) = re.findall(r"^```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    example = tmp_path / "example.py"
    example.write_text(program, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", dsn)
    runpy.run_path(str(example), run_name="__main__")
    assert capsys.readouterr().out == printed


def test_the_methods_of_the_page_are_there_and_documented() -> None:
    cells = re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)
    methods = [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]
    assert len(methods) > 15
    assert all(getattr(MemoryManager, name).__doc__ for name in methods)
