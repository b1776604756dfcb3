"""Rules of the code that no linter knows. Which room may import which is told by the contracts in `pyproject.toml`."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BOT = ROOT / "bot"


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(BOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        yield name, ast.parse(path.read_text(encoding="utf-8"))


def test_sql_is_in_the_database_s_room_and_the_memory_alone() -> None:
    verbs = ("SELECT ", "INSERT INTO ", "UPDATE ", "DELETE FROM ", "CREATE TABLE")
    strays = [
        (name, node.value[:40])
        for name, tree in modules()
        # The ledger of models' quota is kept beside the models, since nobody else has a use for it.
        if not name.startswith(("bot.db.", "bot.memory.", "bot.llm.ledger"))
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value.strip().startswith(verbs)
    ]
    assert not strays


def test_text_becomes_words_by_one_function_of_the_database() -> None:
    strays = [
        (path.name, found[0])
        for path in sorted(BOT.rglob("*.py"))
        # Tombstones of old have words as that function did not make them.
        if path.name != "redaction.py"
        for found in re.finditer(
            r"to_tsvector\(|to_tsquery\((?![^()]*,\s*searchable\()", path.read_text(encoding="utf-8")
        )
    ]
    assert not strays


def test_only_framing_writes_a_tag_into_a_prompt() -> None:
    tags = ("<message", "<member", "<fact", "<day", "</")
    strays = [
        (name, node.value[:40])
        for name, tree in modules()
        if name != "bot.llm.framing"
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith(tags)
    ]
    assert not strays


def test_the_environment_is_read_by_settings_alone() -> None:
    readers = {
        name
        for name, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in {"environ", "getenv"}
    }
    # The embedded server passes a stripped environment on to the programs that it runs.
    assert readers <= {"bot.core.settings", "bot.db.embedded.cluster", "bot.db.embedded.files"}


TASKS = {
    "bot.adapters.console.app": "one line that was typed, awaited",
    "bot.adapters.discord.backfill.healing": "the messages of one page, awaited",
    "bot.adapters.discord.delivery": "as long as one answer is made",
    "bot.adapters.discord.messages": "the pictures of one message, in a group",
    "bot.adapters.discord.rest": "one request to Discord, awaited, and never cancelled half-way",
    "bot.adapters.discord.running": "the connection, whose end is the process's; the end itself",
    "bot.chat.tools.manage_memory": "one call of a tool, awaited",
    "bot.db.service": "every loop that runs as long as the process, and all short work behind",
    "bot.memory.derived.reading": "the lease of one build, as long as that is under way",
}
"""Where a task may be begun, and why it needs nobody to start it again."""


def test_every_loop_of_the_process_is_a_service() -> None:
    beginning = {
        name
        for name, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in {"create_task", "ensure_future"}
    }
    assert beginning == TASKS.keys()


def test_packages_load_nothing_that_is_not_used() -> None:
    assert not [path for path in BOT.rglob("__init__.py") if path.parent != BOT and path.read_text().strip()]


@pytest.mark.parametrize("path", sorted(ROOT.glob("bot/**/*.py")) + sorted(ROOT.glob("tests/**/*.py")))
def test_a_file_has_at_most_600_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 600
