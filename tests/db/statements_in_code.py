"""Every SQL statement that the product sends, read from its source without running it."""

import ast
import importlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Final

ROOT: Final = Path(__file__).parents[2]

_SENDING: Final = frozenset({"execute", "executemany", "fetch", "fetchrow", "fetchval"})

COMPOSED: Final[Mapping[str, str]] = {
    "bot.db.jobs.claim": "[{'kinds': given(others=others)} for others in (True, False)]",
    "bot.memory.facts.repository.active_facts": """[{"whose": f"(subject_id = $3 OR {is_of('$1', '$5', 'NULL')})"}]""",
    "bot.memory.facts.repository_narratives.tell_anew": """[
        {"asked": ASK_FOR_NARRATIVES.format(guild="$1", kind="$3", keys="ARRAY(SELECT subject_id::text FROM told)")}
    ]""",
    "bot.memory.facts.repository_slots.with_superseded": "[{'held': True}]",
    "bot.memory.guilds.text_search.batch": "[{'table': table} for table in _INDEXING]",
    "bot.memory.members.repository.members_met": "[{'audiences': (0,)}, {'audiences': ()}]",
    "bot.memory.members.repository.put_members": """[
        {"asked": ASK_TO_BIND.format(guild="guild_id", kind="$3", key="$4::text || user_id", wanted="bearer")}
    ]""",
    "bot.memory.outbox.repository.last_answer": "[{'kind': kind} for kind in AnswerKind]",
    "bot.memory.outbox.repository.write_answer": "[{'held': (holding(13), all_held(13))}]",
    "bot.memory.messages.repository_counts.fullest_channels": "[{'guild_id': 1, 'user_id': 2}]",
    "bot.memory.recall.repository_lookup.hopeful_messages": """[
        {"statement": _HOPEFUL_AMONG.format(candidates=words)} for words in (_ALL, _SINCE, _EACH_SINCE, _BY_TIME)
    ]""",
    "bot.memory.rights.exporting.repository.page_of": "[{'part': part} for part in LISTS.values()]",
    "bot.memory.rights.repository_replay.put_row": "[{'decision': given(kind=kind)} for kind in _ROWS]",
    "bot.memory.rights.rows.take_batch": """[
        {"step": step, "table": table.name} for table in TABLES for step in table.steps
    ]""",
}
"""What the statements of these functions are put together of when they run: an expression in their module."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A statement, and the function that sends it, by its module."""

    function: str
    text: str | None
    """`None` if it is put together from what only a run knows."""


def sent_statements() -> Iterator[Sent]:
    """Yield each statement that `bot/` hands to a connection."""
    for path in sorted((ROOT / "bot").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        calls = list(_calls(ast.parse(path.read_text(encoding="utf-8")), ""))
        module = importlib.import_module(name) if calls else None
        for function, statement in calls:
            if module is not None:
                yield from _read(module, f"{name}.{function}", statement)


def _calls(node: ast.AST, function: str) -> Iterator[tuple[str, ast.expr]]:
    """Yield what stands for the statement in each call of a connection's method, and the function that it is in."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        function = node.name
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in _SENDING
        and "connection" in ast.unparse(node.func.value)
        and node.args
    ):
        yield function, node.args[0]
    for child in ast.iter_child_nodes(node):
        yield from _calls(child, function)


def _read(module: ModuleType, function: str, statement: ast.expr) -> Iterator[Sent]:
    expression = compile(ast.Expression(statement), function, "eval")
    for names in eval(COMPOSED.get(function, "[{}]"), {**vars(module), "given": SimpleNamespace}):
        try:
            text = eval(expression, {**vars(module), **names})
        except NameError:
            text = None
        yield Sent(function=function, text=text)
