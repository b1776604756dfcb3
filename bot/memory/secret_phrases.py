"""Recovery phrases of wallets: by what they are called, or as twelve words in a row that are no sentence."""

import re
from collections.abc import Iterator
from typing import Final

from bot.memory.secret_spans import MASK, Span
from bot.memory.tokens import words

LEAST_WORDS: Final = 12
"""Words of the shortest recovery phrase of a wallet."""

_LENGTHS: Final = frozenset({12, 15, 18, 21, 24})
"""How many words recovery phrases have."""

_ROW_OF_LENGTHS: Final = re.compile(rb"[\x03-\x0a]{%d}" % LEAST_WORDS)
"""How long words of a row are, with a mark behind them."""

_FLAGS: Final = re.VERBOSE | re.IGNORECASE
_NAMED: Final = re.compile(
    r"""(?<!\w)(?=[psrbmwсмfк])(?:(?:pass|seed|recovery|backup|secret|mnemonic|wallet)[\s-]?(?:phrases?|words|seed|mnemonic)|mnemonics?|seed|recovery\s(?:key|codes?)
    |(?:сид|кодов\w+|секретн\w+|мнемоническ\w+)[\s-]фраз[аыу]|сидк?а?|мнемоника|frase\s(?:semilla|de\srecuperación)|wiederherstellungsphrase)
    (?:\s+(?:for|to|of|от|для|к)\s+[\w'’-]+(?:\s+[\w'’-]+){0,2}?)?
    (?P<link>\s*(?:[:=—–]|->|=>)\s*|\s+(?:is|are|was|это|es|ist)\s*:?\s+|\s+-\s+|\s*\n\s*)
    [\"'`*|«“]*(?!\[secret\])(?P<secret>[^\W\d_]+(?:[\s-]+[^\W\d_]+){2,23})""",
    _FLAGS,
)
_GAP: Final = r"(?:[\s|]+|\s*->\s*)"
_WORD: Final = r"[A-Za-z]{3,8}"
_NUMBERED: Final = rf"\d{{1,2}}\s?[.):]?\s?{_WORD}"
_ROW: Final = re.compile(
    rf"(?<!\w){_WORD}(?:{_GAP}{_WORD}(?!\w)){{{LEAST_WORDS - 1},}}|(?<!\w){_NUMBERED}(?:{_GAP}{_NUMBERED}"
    rf"(?!\w)){{{LEAST_WORDS - 1},}}"
)
_OF_SENTENCES: Final = words(
    """the and for are but not was has had his him her hers she our ours who how why does did been were its from them
    some than would could should your yours which their theirs these those where while with about went got getting going
    said says came made make want wants need needs because after before very much many also always never maybe
    really think thought know knew see saw look looks using used try tried trying work works working please thanks
    yes yeah that this have just what when will can you they there then get all out one like any now here into over
    per los las del que una por para con como pero und der die das ist ein eine nicht mit auf les des est pas pour
    should cant dont doesnt didnt isnt"""
)
_INFLECTED: Final = re.compile(r"(?<![sui])s$|ings?$|ed$")
"""How words end that the wallets' lists hardly have."""

_BOUNDS: Final = "\n\r:;,.!?\"'`*|«»“”()[]=>-_~"
"""Marks that part a row of words from a sentence around it."""

_LETTERS: Final = re.compile(r"[^\W\d_]+")


def phrases(text: str) -> Iterator[Span]:
    """Return where recovery phrases lie that are called so."""
    for found in _NAMED.finditer(text):
        if _strangers(found["secret"]) <= len(found["secret"].split()) // 6:
            yield found.span("secret")


def may_hold_row(text: str, lengths: bytes) -> bool:
    """Tell whether there may be a row of so many words in `text`, whose words have these `lengths`, at most 255."""
    if len(lengths) < LEAST_WORDS:
        return max(text.count("|"), text.count("->")) >= LEAST_WORDS - 1
    return _ROW_OF_LENGTHS.search(lengths) is not None or "12" in text


def rows(text: str) -> Iterator[Span]:
    """Return where just so many different words stand in a row by themselves that are no sentence."""
    for found in _ROW.finditer(text):
        said = _LETTERS.findall(found[0].lower())
        if (
            MASK not in found[0]
            and _stands_alone(text, *found.span())
            and len(said) in _LENGTHS
            # One of two thousand words comes twice now and then; the same word again and again is fun.
            and len(set(said)) >= len(said) - 1
            and _strangers(found[0]) <= len(said) // 6
        ):
            yield found.span()


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Tell whether what lies between `start` and `end` is a line by itself, or set off by marks on both sides."""
    before, after = text[:start].rstrip(" \t"), text[end:].lstrip(" \t")
    return (not before or before[-1] in _BOUNDS) and (not after or after[0] in _BOUNDS)


def _strangers(told: str) -> int:
    """Return how many words of `told` no list of a wallet has: those that hold sentences together, and endings."""
    said = _LETTERS.findall(told.lower())
    return sum(word in _OF_SENTENCES or _INFLECTED.search(word) is not None for word in said)
