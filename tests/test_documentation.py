"""What the documents show is so: the session, the commands, the transcripts, and every place that they name."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.conversation import grammar
from bot.conversation.addressed import addressed
from bot.faces.console.transcript import read_line
from bot.settings import Settings

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(text: str) -> list[str]:
    """Return what stands in blocks of plain text."""
    return re.findall(r"^```text\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_the_session_in_the_readme_is_what_its_transcript_prints(dsn: str) -> None:
    with (ROOT / "tests/transcripts/readme.txt").open("rb") as transcript:
        ended = subprocess.run(
            [sys.executable, "-m", "bot", "chat"],
            stdin=transcript,
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": dsn},
            capture_output=True,
            timeout=120,
        )
    assert ended.returncode == 0, ended.stderr.decode()
    assert [ended.stdout.decode()] == blocks(README)


@pytest.mark.parametrize("said", re.findall(r"`((?:Bot|Бот), [^`]+)`", README))
def test_the_bot_understands_what_the_readme_says_to_it(said: str) -> None:
    names = Settings(_env_file=None).bot_names
    heard = addressed(said, names=names, bot_id=1, replies_to_bot=False, direct=False)
    assert heard is not None
    assert grammar.parse(heard.text) is not None


def test_every_line_of_the_page_on_transcripts_can_be_read() -> None:
    shown = blocks((ROOT / "docs/transcripts.md").read_text(encoding="utf-8"))
    assert len(shown) == 2
    for block in shown:
        for number, line in enumerate(block.splitlines(), start=1):
            assert read_line(number, line).line_number == number


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_place_that_a_document_names_exists(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    named = re.findall(r"`((?:bot|bench|docs|migrations|prompts|scripts|tests)/[\w./]*)`", text)
    linked = re.findall(r"\]\((?!https?://)([^)#]+)", text)
    missing = [place for place in named if not (ROOT / place).exists()]
    missing += [place for place in linked if not (document.parent / place).exists()]
    assert not missing
