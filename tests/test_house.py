"""The plan of the house: imports run downwards only, and rooms are entered by their doors."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BOT = ROOT / "bot"

# From the roof down. A module may import its own floor and those below it.
FLOORS = [
    {"bot.cli", "bot.__main__"},
    {"bot.doctor"},
    {"bot.app"},
    {"bot.faces"},
    {"bot.conversation"},
    {"bot.memory"},
    {"bot.work", "bot.ledger", "bot.service", "bot.service_report"},
    {"bot.language", "bot.store"},
    {
        "bot.settings",
        "bot.unknown_names",
        "bot.memory_settings",
        "bot.choices",
        "bot.domain",
        "bot.clock",
        "bot.errors",
        "bot.log",
        "bot.outage_report",
        "bot.resources",
        "bot",
    },
]

# Faces open the app themselves when a command of the command line is theirs from end to end.
UPWARDS = {
    ("bot.faces.archive.importing", "bot.app"),
    ("bot.faces.console.running", "bot.app"),
    ("bot.faces.discord.running", "bot.app"),
}

DOORS = {
    "bot.memory.manager",
    "bot.memory.directory",
    "bot.memory.library",
    # What the doors take and give: types, and the pure rules of phrasing.
    "bot.memory.answering",
    "bot.memory.audience",
    "bot.memory.catchup",
    "bot.memory.choosing",
    "bot.memory.clock_watch",
    "bot.memory.documents",
    "bot.memory.episodes",
    "bot.memory.exporting",
    "bot.memory.erasing",
    "bot.memory.facts",
    "bot.memory.forgetting",
    "bot.memory.guild_settings",
    "bot.memory.ingest",
    "bot.memory.lifecycle.past",
    "bot.memory.keeping",
    "bot.memory.notices",
    "bot.memory.overlap",
    "bot.memory.phrasing",
    "bot.memory.place_facts",
    "bot.memory.places",
    "bot.memory.recall",
    "bot.memory.relevance",
    "bot.memory.telling_others",
    "bot.memory.decency",
    "bot.memory.deferred",
    "bot.memory.removals",
    "bot.memory.rights",
    "bot.memory.secrets",
    "bot.memory.rolling",
    "bot.memory.standing",
    "bot.memory.shards",
    "bot.memory.storable",
}


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(BOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        yield name, ast.parse(path.read_text(encoding="utf-8"))


def imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                module = f"{node.module}.{alias.name}"
                is_module = (ROOT / Path(*module.split("."))).with_suffix(".py").is_file()
                is_package = (ROOT / Path(*module.split("."))).is_dir()
                yield module if is_module or is_package else node.module


def floor(name: str) -> int:
    for number, rooms in enumerate(FLOORS):
        if any(name == room or (room != "bot" and name.startswith(f"{room}.")) for room in rooms):
            return number
    raise AssertionError(f"{name} has no place in the plan of the house")


IMPORTS = [
    (name, target)
    for name, tree in modules()
    for target in sorted(set(imported(tree)))
    if target == "bot" or target.startswith("bot.")
]


def test_imports_run_downwards_only() -> None:
    upwards = {(name, target) for name, target in IMPORTS if floor(target) < floor(name)}
    assert upwards <= UPWARDS


def test_store_and_language_do_not_know_each_other() -> None:
    assert not [
        (name, target)
        for name, target in IMPORTS
        if (room(name), room(target)) in {("store", "language"), ("language", "store")}
    ]


def room(name: str) -> str:
    return name.partition(".")[2].partition(".")[0]


def test_faces_and_conversation_come_in_by_the_doors() -> None:
    assert not [
        (name, target)
        for name, target in IMPORTS
        if name.startswith(("bot.faces.", "bot.conversation."))
        and (
            target.startswith("bot.store")
            or (target.startswith("bot.memory.") and not through_a_door(target))
        )
    ]


def through_a_door(target: str) -> bool:
    return any(target == door or target.startswith(f"{door}.") for door in DOORS)


def test_sql_is_in_the_store_alone() -> None:
    verbs = ("SELECT ", "INSERT INTO ", "UPDATE ", "DELETE FROM ", "CREATE TABLE")
    strays = [
        (name, node.value[:40])
        for name, tree in modules()
        if not name.startswith("bot.store")
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value.strip().startswith(verbs)
    ]
    assert not strays


SESSION_STATE = re.compile(
    r"""
    (?:^|;)\s*SET\s+(?!LOCAL\b|TRANSACTION\b) | (?:^|;)\s*(?:LISTEN|PREPARE|LOAD)\s | \bWITH\s+HOLD\b
    | \bpg_(?:try_)?advisory_lock | \bCREATE\s+(?:LOCAL\s+|GLOBAL\s+)?TEMP | \bset_config\([^)]*\bfalse\b
    """,
    re.VERBOSE,
)


def test_no_statement_leaves_state_in_its_session() -> None:
    """The pool gives connections from one use to the next without a word to the server in between."""
    strays = [
        (name, node.value[:40])
        for name, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SESSION_STATE.search(node.value)
    ]
    assert not strays


def test_only_framing_writes_a_tag_into_a_prompt() -> None:
    tags = ("<message", "<member", "<fact", "<day", "</")
    strays = [
        (name, node.value[:40])
        for name, tree in modules()
        if name != "bot.language.framing"
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
    assert readers <= {"bot.settings", "bot.store.embedded_cluster", "bot.store.embedded_files"}


TASKS = {
    "bot.conversation.tools.memory_tool": "one call of a tool, awaited",
    "bot.faces.console.screen": "one line that was typed, awaited",
    "bot.faces.discord.healing": "the messages of one page, awaited",
    "bot.faces.discord.past": "one reading that a manager asked for, which tells how it ended",
    "bot.faces.discord.pictures": "the pictures of one message, in a group",
    "bot.faces.discord.rooms": "what one guild's taking up sets off, with its errors logged",
    "bot.faces.discord.requests": "one request to Discord, awaited, and never cancelled half-way",
    "bot.faces.discord.running": "the connection, whose end is the process's; the end itself",
    "bot.faces.discord.typing_sign": "as long as one answer is made",
    "bot.memory.memories.flights": "one build, and its lease, with their errors logged",
    "bot.memory.memories.reading": "one read, with its errors logged",
    "bot.memory.recall.recall": "one count of words, with its errors logged",
    "bot.memory.relevance": "what was used until it is noted, with its errors logged",
    "bot.memory.rolling.door": "one look at a conversation, with its errors logged",
    "bot.service": "every loop that runs as long as the process",
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


@pytest.mark.parametrize("path", sorted(ROOT.glob("bot/**/*.py")) + sorted(ROOT.glob("tests/**/*.py")))
def test_a_file_has_under_300_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) < 300
