"""The folders of the languages that are understood, `bot/text/<code>/`, each found by its code.

Every folder has the modules `grammar` (`rules_for`: the rules of commands), `phrasing` (`mentions_author` and
`third_person`), `calendar` (`NUMBERS`, `UNITS`, `MONTHS`, `WEEKDAYS`), `dates` (`RULES`) and `extraction` (`LANGUAGE`).
Whoever uses one of them says what type it has.
"""

from importlib import import_module
from types import ModuleType

from bot.core.domain import Language


def in_each_language(module: str) -> tuple[ModuleType, ...]:
    """Return the module of that name of each language's folder, in the order of `Language`."""
    return tuple(import_module(f"bot.text.{language.value}.{module}") for language in Language)
