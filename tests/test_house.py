"""Rules of the code that no linter knows. Which room may import which is told by the contracts in `pyproject.toml`."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.text.languages import in_each_language, rows

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


def test_the_contracts_name_every_repository() -> None:
    # A wildcard of import-linter stands for a whole name of a module, so `repository_*` cannot be written.
    found = {name for name, _ in modules() if re.search(r"^bot\.memory\..*\.repository_\w+$", name)}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = [one for one in project["tool"]["importlinter"]["contracts"] if one["type"] == "forbidden"]
    named = [
        {name for name in one[side] if ".repository_" in name}
        for one, side in zip(contracts, ("forbidden_modules", "source_modules"), strict=True)
    ]
    assert named == [found, found]


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
    "bot.chat.streaming": "as long as one reply is written, awaited",
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


# Each stands for a reason why no folder of one language can hold it.
MODULES_WITH_CYRILLIC_LETTERS = {
    "bot.adapters.console.app": "an example in the help of the terminal, which is English",
    "bot.core.settings": "a name that the bot answers to",
    "bot.memory.members.names": "letters beside those that they are written as in Roman",
    "bot.memory.recall.plan": "letters with which forms of a name end",
    "bot.text.claims": "languages without a folder, too: a model may claim a write in any of them",
    "bot.text.bot_orders": "languages without a folder, too: nothing is kept of what the bot is told to be in any",
    "bot.text.dates_abroad": "languages without a folder, too: a model may keep a date in any of them",
    "bot.text.accusations": "languages without a folder, too: misdeeds are told in any of them",
    "bot.text.instructions": "languages without a folder, too: a bot may be told what to do in any of them",
    "bot.text.language_detection": "languages without a folder, too: what tells them apart",
    "bot.text.orders": "languages without a folder, too: an order may be given in any of them",
    "bot.text.secrets.credentials": "languages without a folder, too: nobody's secret may be kept",
    "bot.text.secrets.masking": "the same",
    "bot.text.secrets.numbers": "the same",
    "bot.text.secrets.spans": "the same",
    "bot.text.slips": "languages without a folder, too: a model may promise or excuse itself in any of them",
}


def test_words_of_a_language_stand_in_its_folder() -> None:
    found = set()
    for name, tree in modules():
        nodes = list(ast.walk(tree))
        docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        said = [
            str(node.value) for node in nodes if isinstance(node, ast.Constant) and id(node) not in docstrings
        ]
        # A single letter is one that is written in two ways, such as е and ё.
        if any(len(text.strip()) > 1 and re.search(r"[\u0400-\u04ff]", text) for text in said):
            found.add(name)
    assert {name for name in found if not name.startswith("bot.text.ru.")} == set(
        MODULES_WITH_CYRILLIC_LETTERS
    )


def test_words_of_languages_are_used_and_every_use_has_words() -> None:
    asked: dict[str, set[str]] = {"either": set(), "every_word": set()}
    for _, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in asked:
                said = node.args[0]
                if isinstance(said, ast.Constant):
                    asked[node.func.id].add(str(said.value))
    tables = in_each_language("words")
    for function, table, joint in (("either", "PATTERNS", ""), ("every_word", "WORDS", " ")):
        listed = [[name for name, _ in rows(getattr(words, table), joint=joint)] for words in tables]
        assert all(len(names) == len(set(names)) for names in listed)
        assert asked[function] == {name for names in listed for name in names}
