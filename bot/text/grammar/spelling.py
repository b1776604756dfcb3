"""Text-speak and slips in the words by which the bot is commanded or asked: "bot dont forgt i hate olives".

Only those words are put right; what follows a command is kept as it was typed.
"""

import re
from dataclasses import dataclass
from typing import Final

from rapidfuzz.distance import OSA

from bot.text.grammar.rules import plain
from bot.text.languages import every_word, in_each_language, rows

_SPELLINGS: Final = {
    spelt: meant
    for language in in_each_language("words")
    for meant, spellings in rows(language.SPELLINGS)
    for spelt in spellings.split()
}
_HEAD: Final = every_word("head_words")
_ORDERS: Final = every_word("orders_typed")
_ASKS: Final = every_word("asks_typed")
_REAL: Final = every_word("never_slips") | _HEAD | _ORDERS | _ASKS
_WORD: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")

_SHORTEST_ORDER: Final = 6
"""Letters of an order that may be misspelt: with fewer too many words are near it."""
_SHORTEST_ASKED: Final = 4
_LONG: Final = 8
"""From so many letters on two slips are forgiven, below that one."""

_MOST_HEAD_WORDS: Final = 8
MOST_ASKED_WORDS: Final = 12
"""Words of a question that is put right as a whole: nothing of it is kept."""


@dataclass(frozen=True, slots=True)
class Respelled:
    """A text with its command or question put right."""

    text: str
    slipped: bool
    """A word was only like the one that was meant, and is no usual short spelling of it."""


def respelled_order(text: str) -> Respelled | None:
    """Return `text` with the order at its start put right; `None` if there is none, or nothing is wrong with it."""
    even = plain(text)
    changes: list[tuple[int, int, str]] = []
    slipped = False
    found = False
    for count, token in enumerate(_WORD.finditer(even)):
        word = token.group().lower()
        meant = _SPELLINGS.get(word, word)
        if found:
            if word in _SPELLINGS:
                changes.append((*token.span(), meant))
            break
        if meant not in _HEAD and meant not in _ORDERS:
            meant = _like(word, _ORDERS, shortest=_SHORTEST_ORDER) or ""
            slipped = True
        if not meant or count >= _MOST_HEAD_WORDS:
            return None
        if meant != word:
            changes.append((*token.span(), meant))
        found = meant in _ORDERS
    return Respelled(_changed(text, changes), slipped) if found and changes else None


def respelled_question(text: str) -> Respelled | None:
    """Return a short `text` with all words put right that ask; `None` if nothing is wrong with it, or it is long."""
    tokens = list(_WORD.finditer(plain(text)))
    if len(tokens) > MOST_ASKED_WORDS:
        return None
    changes: list[tuple[int, int, str]] = []
    slipped = False
    for token in tokens:
        word = token.group().lower()
        meant = _SPELLINGS.get(word)
        if meant is None and (meant := _like(word, _ASKS, shortest=_SHORTEST_ASKED)):
            slipped = True
        if meant:
            changes.append((*token.span(), meant))
    return Respelled(_changed(text, changes), slipped) if changes else None


def _like(word: str, known: frozenset[str], *, shortest: int) -> str | None:
    """Return the one of `known` that `word` is the least slip of, if it is no word of its own."""
    if word in _REAL:
        return None
    slips: list[tuple[int, str]] = []
    for meant in known:
        allowed = 2 if len(meant) >= _LONG else 1
        is_long = len(meant) >= shortest and abs(len(word) - len(meant)) <= allowed
        if is_long and meant[0] == word[0]:
            distance = OSA.distance(word, meant, score_cutoff=allowed)
            slips += [(distance, meant)] if distance <= allowed else []
    return min(slips)[1] if slips else None


def _changed(text: str, changes: list[tuple[int, int, str]]) -> str:
    for start, end, meant in reversed(changes):
        text = text[:start] + meant + text[end:]
    return text
