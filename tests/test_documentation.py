"""What the documents show is so: sessions, commands, transcripts, the picture, and every place that they name."""

import os
import re
import runpy
import subprocess
import sys
import textwrap
from pathlib import Path

import discord
import pytest
from pydantic import SecretStr

from bot import __version__
from bot.adapters.console.transcript import read_line
from bot.adapters.discord.backfill.healing import GapReport, HealedCounts
from bot.adapters.discord.client import GuildReport, guild_lines, opening_lines
from bot.adapters.discord.library import explain_start_error
from bot.adapters.discord.running import ShardLeaseHolder
from bot.chat.addressed import addressed
from bot.core.errors import ShardsTakenError
from bot.core.settings import Settings, Shards
from bot.db.pool import Database
from bot.memory.members.directory import Directory
from bot.text.grammar import parser
from bot.text.questions import question_of

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
README, SETUP, MEMORY, RIGHTS, DISCORD, CONTENTS, ARCHITECTURE = (
    (ROOT / name).read_text(encoding="utf-8")
    for name in (
        "README.md",
        "docs/setup.md",
        "docs/memory.md",
        "docs/rights.md",
        "docs/discord.md",
        "docs/README.md",
        "docs/architecture.md",
    )
)
PLACES_OF_THEIR_OWN = {"DATABASE_DIRECT_URL", "DATABASE_POOL_SIZE", "DATABASE_STATEMENT_CACHE",
                       "DATABASE_TIMEOUT_SECONDS", "KEEPSAKE_HOME"}  # fmt: skip
"""Settings of the database: the containers bring one along, which needs none of them."""


def blocks(text: str) -> list[str]:
    """Return what stands in blocks of plain text."""
    return re.findall(r"^```text\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.smoke
@pytest.mark.processes
@pytest.mark.parametrize(("page", "name"), [(README, "readme.txt"), (MEMORY, "learned.txt")])
def test_the_sessions_that_are_shown_are_what_their_transcripts_print(dsn: str, page: str, name: str) -> None:
    with (ROOT / "tests/transcripts" / name).open("rb") as transcript:
        ended = subprocess.run(
            [sys.executable, "-m", "bot", "chat"],
            stdin=transcript,
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": dsn},
            capture_output=True,
            timeout=120,
        )
    assert ended.returncode == 0, ended.stderr.decode()
    printed_lines = [line.rstrip() for line in ended.stdout.decode().splitlines()]
    assert [printed_lines] == [block.splitlines() for block in blocks(page)]


@pytest.mark.parametrize("said", re.findall(r"`((?:Bot|Бот), [^`]+)`", README + RIGHTS))
def test_the_bot_understands_what_the_documents_say_to_it(said: str) -> None:
    names = Settings(_env_file=None).bot_names
    heard = addressed(said, names=names, bot_id=1, replies_to_bot=False, direct=False)
    assert heard is not None
    assert (parser.parse(heard.text) or question_of(heard.text)) is not None


def test_every_line_of_the_page_on_transcripts_can_be_read() -> None:
    shown = blocks((ROOT / "docs/transcripts.md").read_text(encoding="utf-8"))
    assert len(shown) == 2
    for block in shown:
        for number, line in enumerate(block.splitlines(), start=1):
            read_line(number, line)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_place_that_a_document_names_exists(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    named = re.findall(r"`((?:bot|bench|docs|migrations|prompts|scripts|tests)/[\w./]*)`", text)
    linked = re.findall(r"\]\((?!https?://)([^)#]+)", text)
    missing = [place for place in named if not (ROOT / place).exists()]
    missing += [place for place in linked if not (document.parent / place).exists()]
    assert not missing


def anchors(document: Path) -> set[str]:
    """Return what a link may name behind a `#`: the headings, as GitHub writes them."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_heading_that_a_document_links_to_exists(document: Path) -> None:
    linked = re.findall(r"\]\((?!https?://)([^)#]*)#([^)]+)\)", document.read_text(encoding="utf-8"))
    missing = [
        f"{place}#{anchor}"
        for place, anchor in linked
        if anchor not in anchors(document.parent / place if place else document)
    ]
    assert not missing


def test_the_example_of_a_command_replaces_lines_that_the_code_has() -> None:
    page = (ROOT / "docs/adding-a-command.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```diff\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    files = re.split(r"^# ([\w/.]+)(?:, .*)?\n", example, flags=re.MULTILINE)[1:]
    missing = [
        (path, line)
        for path, changes in zip(files[::2], files[1::2], strict=True)
        for line in re.findall(r"^-(.*)$", changes, re.MULTILINE)
        if line not in (ROOT / path).read_text(encoding="utf-8").splitlines()
    ]
    assert len(files) > 10
    assert not missing


def test_every_page_is_in_the_table_of_contents() -> None:
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in ROOT.glob("docs/**/*.md")} - {"README.md"}
    assert pages <= set(re.findall(r"\]\(([^)#]+)\)", CONTENTS))


def test_the_picture_of_the_architecture_is_what_the_code_imports() -> None:
    drawing = runpy.run_path(str(ROOT / "scripts/draw_architecture.py"))
    assert f"{drawing['BEGIN']}{drawing['picture']()}{drawing['END']}" in ARCHITECTURE, "run it with --write"


def test_what_is_read_first_stays_short() -> None:
    assert len(README.split()) < 1_500
    assert len(ARCHITECTURE.splitlines()) <= 250


def printed(*, at_home: bool) -> str:
    """Return what `keepsake run` prints, before it was invited anywhere or when it is at home somewhere."""
    opening = opening_lines(
        version=__version__,
        application_id=1_087_163_596_800_000_001,
        settings=Settings(_env_file=None, gemini_api_key=SecretStr("x")),
    )
    if not at_home:
        return "\n".join([*opening, *guild_lines([])])
    friends = GuildReport(
        name="Friends", guild_id=1_573_562_983_664_058_368, unreadable=("1 hidden",), unwritable=("#news",)
    )
    caught_up = GapReport(
        friends.guild_id, friends.name, HealedCounts(messages=6, edits=1, deletions=1, commands=1)
    )
    return "\n".join([*opening, *guild_lines([friends]), str(caught_up)])


def test_what_is_shown_of_a_start_is_what_is_printed() -> None:
    shown = re.findall(r"^```console\n(Keepsake .*?)\n```$", SETUP, re.MULTILINE | re.DOTALL)
    assert shown == [printed(at_home=False), printed(at_home=True)]
    assert textwrap.indent(f"$ keepsake run\n{printed(at_home=True)}\n", "    ") in DISCORD


async def test_the_ends_that_are_shown_are_the_sentences_that_are_said(database: Database) -> None:
    first, second = ShardLeaseHolder(Directory(database)), ShardLeaseHolder(Directory(database))
    shards = Shards(range(1), 1)
    await first.begin(shards)
    with pytest.raises(ShardsTakenError) as taken:
        await second.begin(shards, patience_seconds=0)
    await first.end()
    said = [
        explain_start_error(discord.LoginFailure()),
        explain_start_error(discord.PrivilegedIntentsRequired(None)),
        taken.value,
    ]
    assert re.findall(r"^keepsake: (.*)$", SETUP, re.MULTILINE) == [str(error) for error in said]


def test_the_table_of_commands_is_what_the_code_has() -> None:
    writing = runpy.run_path(str(ROOT / "scripts/write_commands.py"))
    assert f"{writing['BEGIN']}{writing['table']()}{writing['END']}" in DISCORD, "run it with --write"


def test_the_commands_that_other_pages_name_are_in_the_table() -> None:
    named = r"`(/(?:memory|память)(?:-\w+)? \w+)"
    assert {*re.findall(named, README + SETUP + MEMORY + RIGHTS)} <= {*re.findall(named, DISCORD)}


def test_the_containers_take_every_setting_but_those_of_the_database() -> None:
    compose = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    taken = set(re.findall(r"^      ([A-Z_]+): \$\{\1:[-?]", compose, re.MULTILINE))
    settings = {name.upper() for name in Settings.model_fields}
    assert taken | {"DATABASE_URL"} == settings - PLACES_OF_THEIR_OWN
