"""The folders of the languages that are understood, `bot/text/<code>/`, each found by its code, and the tables in
which their patterns are written.

Every folder has the modules `words` (of the calendar, and sets and patterns by what they mean), `grammar` (`GRAMMAR`:
the rules of commands), `phrasing` (`mentions_author`, `speaks_of_author`, `with_subject`, `third_person` and
`is_past_form`), `dates` (`RULES`) and `extraction` (`LANGUAGE`). Whoever uses one of them says what type it has.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import Final, NamedTuple

from bot.core.domain import Language
from bot.text.patterns import lazy_pattern


class Rewritten(NamedTuple):
    """What the rules of a language made of a statement."""

    tokens: list[str]
    sure: bool
    """Whether every form that they made is right for certain."""


_PART: Final = re.compile(r"\{([a-z_]+)\}")


@cache
def in_each_language(module: str) -> tuple[ModuleType, ...]:
    """Return the module of that name of each language's folder, in the order of `Language`."""
    return tuple(import_module(f"bot.text.{language.value}.{module}") for language in Language)


def every_word(name: str, *, table: str = "WORDS") -> frozenset[str]:
    """Return the words of any language that have this name in its `table`. Raises `KeyError` if none has them."""
    return frozenset(word for said in _said(name, table) for word in said.split())


def either(name: str, *, gap: str = r"\ ") -> str:
    """Return the pattern of what has this name in the `PATTERNS` of any language, with `gap` for each blank.

    It is one group, for verbose expressions as well as others. Raises `KeyError` if no language has it.
    """
    return f"(?:{'|'.join(_said(name, 'PATTERNS'))})".replace(" ", gap)


def _said(name: str, table: str) -> list[str]:
    said = [named[name] for named in _named(table) if name in named]
    if not said:
        raise KeyError(name)
    return said


@cache
def _named(table: str) -> list[dict[str, str]]:
    joint = "" if table == "PATTERNS" else " "
    return [dict(rows(getattr(words, table), joint=joint)) for words in in_each_language("words")]


def rows(table: str, *, joint: str = "") -> list[tuple[str, str]]:
    """Return the rows `name: text` of a table; indented lines go on with a row after `joint`, remarks begin with #."""
    lines: list[str] = []
    for line in table.strip("\n").splitlines():
        if line[:1].isspace():
            lines[-1] += joint + line.strip()
        elif not line.startswith("#"):
            lines.append(line)
    return [(name, text) for name, _, text in (line.partition(": ") for line in lines)]


def filled(text: str, parts: Mapping[str, str]) -> str:
    """Return a pattern in one line, whatever its indentation; `{part}` stands for the part of that name."""
    text = "".join(line.strip() for line in text.split("\n")) if "\n" in text else text
    while (part := _PART.search(text)) is not None:
        text = text[: part.start()] + filled(parts[part[1]], parts) + text[part.end() :]
    return text


def with_gaps(pattern: str) -> str:
    """Return `pattern` with each blank as any white space, and with each that has a question mark as such or none."""
    return pattern.replace(" ?", r"\s*").replace(" ", r"\s+")


def compiled_rows(table: str, parts: Mapping[str, str] = MappingProxyType({})) -> dict[str, re.Pattern[str]]:
    """Return the patterns of a table by their names, each of which may be part of others; a blank is any gap."""
    named = dict(rows(table))
    return {
        name: lazy_pattern(with_gaps(filled(text, named | dict(parts))), re.IGNORECASE | re.DOTALL)
        for name, text in named.items()
    }
