"""The names by which the bot is called, and a text without them where they are no part of what it says."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from bot.text.languages import either

_EVEN: Final = str.maketrans({"ё": "е", "Ё": "Е"})
_BELONGS_TO_SENTENCE: Final = re.compile(
    rf"(?<!\w)(?:{either('never_before_a_call')}|{either('before_an_object')})\Z", re.IGNORECASE
)
"""After these a name is what the sentence speaks of: "I love Keepsake", "I run a bot"."""


def any_of(names: Sequence[str]) -> str:
    """Return a pattern for any of `names`, the longest first; it is matched against a text without ё."""
    spelled = sorted({name.strip().translate(_EVEN) for name in names if name.strip()}, key=len, reverse=True)
    return "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in spelled) or r"(?!)"


def without_calls(text: str, names: Sequence[str]) -> str:
    """Return `text` without the names of the bot that stand at the end of a clause, with no comma before them.

    "I hate mushrooms bot, don't forget it" is "I hate mushrooms, don't forget it". What stands behind a comma is a
    clause of its own, and needs nothing.
    """
    even = text.translate(_EVEN)
    for call in reversed(list(_at_clause_end(tuple(names)).finditer(even))):
        if _BELONGS_TO_SENTENCE.search(even[: call.start()]) is None:
            text = text[: call.start()] + text[call.end() :]
    return text


@lru_cache(maxsize=256)
def _at_clause_end(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<=\w)[ \t]+@?(?:{any_of(names)})(?=\s*(?:[,.;!?…)\n]|\Z))", re.IGNORECASE)
