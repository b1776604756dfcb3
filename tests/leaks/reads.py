"""Which statements of the store read what members said or what was told of them, and which say for what audience."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Final

import bot

_TABLES: Final = re.compile(
    r"\b(?:FROM|JOIN|UPDATE|USING|INTO)\s+"
    r"(?:chat_history|facts|fact_sources|user_facts|distillations|profiles|episodes|conversation_summaries|\*\w+)\b"
)
_WORDS: Final = re.compile(
    r"\b(?:message_text|attachments|lexemes|content|raw_content|value|memory_blob|details|tags)\b|\*(?!\))"
)
_SCOPED: Final = re.compile(r"\baudience\s*(?:=|IN)\s*(?:ANY\s*)?\(?\s*\$\d")
_LISTS: Final = re.compile(r"\b(SELECT|RETURNING|FROM)\b|([()])")


def reads_without_audience() -> set[str]:
    """Return the functions and constants, as `package.module.name`, with a statement that reads such words and

    is not held to audiences that it is given.
    """
    return {
        f"{'.'.join(module.__name__.split('.')[-2:])}.{name}"
        for module in _modules()
        for name, statement in _statements(module)
        if _TABLES.search(statement) and not _SCOPED.search(statement) and _gives_words(statement)
    }


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(bot.__path__, "bot."):
        if found.name.startswith(("bot.db.", "bot.llm.ledger", "bot.memory.")) and not found.ispkg:
            yield importlib.import_module(found.name)


def _statements(module: ModuleType) -> Iterator[tuple[str, str]]:
    """Yield every text of a module with the function or constant that holds it."""
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                pass
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                pass
            case _:
                continue
        for text in _texts(node, module):
            yield name, text


def _texts(node: ast.AST, module: ModuleType) -> Iterator[str]:
    """Yield the texts in `node`, with the module's constants put in where one is made of them."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=parts):
            yield "".join(_part(part, module) for part in parts)
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _texts(child, module)


def _part(part: ast.expr, module: ModuleType) -> str:
    match part:
        case ast.Constant(value=str(text)):
            return text
        case ast.FormattedValue(value=ast.Name(id=name)):
            return str(vars(module).get(name, f"*{name}"))
        case ast.FormattedValue(value=ast.Attribute(value=ast.Name(id=name), attr=attribute)):
            return str(getattr(vars(module).get(name), attribute, f"*{name}"))
        case ast.FormattedValue(value=ast.Call(func=ast.Name(id="columns_of")) as columns):
            return str(eval(ast.unparse(columns), vars(module)))
        case _:
            return " "


def _gives_words(statement: str) -> bool:
    """Tell whether words of members stand in what any SELECT of a statement, or its RETURNING, gives."""
    beginning: list[int | None] = [None]
    for found in _LISTS.finditer(statement):
        word, bracket = found.groups()
        if bracket == "(":
            beginning.append(None)
        elif word == "SELECT" or word == "RETURNING":
            beginning[-1] = found.end()
        elif bracket == ")" or word == "FROM":
            begins = beginning[-1]
            if begins is not None and _WORDS.search(statement, begins, found.start()):
                return True
            beginning[-1] = None
            if bracket == ")" and len(beginning) > 1:
                beginning.pop()
    begins = beginning[-1]
    return begins is not None and bool(_WORDS.search(statement, begins))
