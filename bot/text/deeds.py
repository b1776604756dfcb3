"""What somebody did, plans or decided, as far as others who ask may read it of their day.

It is an allow list, read from `bot/text/deeds.toml`: a verb, and matters that are known to be harmless. English,
Russian, German and Spanish sentences are known; of others nothing is told.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from bot.text.kinds import HARMLESS, WORKPLACE, harm_in, plain
from bot.text.language_detection import COMMON_WORDS
from bot.text.languages import every_word
from bot.text.tokens import content_stems
from bot.text.topics import Topic, stems_about

_TABLE: Final = tomllib.loads(Path(__file__).with_name("deeds.toml").read_text(encoding="utf-8"))
_MATTERS: Final = (
    Topic.FOOD,
    Topic.MUSIC,
    Topic.GAMES,
    Topic.SCREEN,
    Topic.READING,
    Topic.SPORT,
    Topic.TRAVEL,
    Topic.PETS,
    Topic.COMPUTERS,
    Topic.LEARNING,
    Topic.WORK,
    Topic.DATES,
)
_WORD: Final = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_MENTION: Final = re.compile(r"<@!?\d+>")
_CAPITAL: Final = r"[A-Z\u00c0-\u00dd\u0410-\u042f]"


class _Table(NamedTuple):
    """The patterns of all languages."""

    making: re.Pattern[str]
    arranging: re.Pattern[str]
    denied: re.Pattern[str]
    others: re.Pattern[str]
    known: re.Pattern[str]
    place: re.Pattern[str]
    article: re.Pattern[str]
    """At the end of what stands before a word."""


def _either(patterns: Iterable[str]) -> re.Pattern[str]:
    joined = "|".join(pattern.replace("\n", "").replace("ё", "е") for pattern in patterns)
    return re.compile(rf"(?<!\w)(?:{joined})(?!\w)")


def _spelt(word: str) -> str:
    """Return the pattern of a known word: in compounds anything may stand before, at its end only a form's letters."""
    return re.sub(r"\*\Z", r"\\w{0,3}", re.sub(r"\A\*", r"\\w*", word))


def _known_words() -> list[str]:
    return [plain(word) for one in _TABLE.values() for word in one["known"].split()]


def _listed(row: str) -> str:
    return f"(?:{'|'.join(one[row] for one in _TABLE.values() if row in one)})"


@cache
def _table() -> _Table:
    languages = list(_TABLE.values())
    return _Table(
        making=_either(one["making"] for one in languages),
        arranging=_either(one["arranging"] for one in languages),
        denied=_either(pattern for one in languages for pattern in one["denied"].values()),
        place=re.compile(rf"(?<!\w){_listed('towards')}\s+{_CAPITAL}\w+"),
        article=re.compile(rf"(?<!\w){_listed('articles')}\s+\Z", re.IGNORECASE),
        others=_either(one["denied"][kind] for one in languages for kind in ("others", "love")),
        known=re.compile("|".join(_spelt(word) for word in _known_words() if "*" in word)),
    )


@cache
def _known_stems() -> frozenset[str]:
    whole = content_stems(" ".join(word for word in _known_words() if "*" not in word))
    return whole | (stems_about(_MATTERS) - content_stems(" ".join(every_word("not_only_taste"))))


_COMMON: Final = frozenset(word for one in COMMON_WORDS if one.code in _TABLE for word in one.words)


def may_be_told(sentence: str) -> bool:
    """Tell whether others may read `sentence` of what a model told of somebody's day.

    It has to say what was made, arranged or planned, and all its matters have to be known: of what was made one may be
    unknown. Whatever is denied, or of a kind that is not harmless, is not told.
    """
    said = plain(sentence)
    beside_work = WORKPLACE.sub(" ", said)
    if harm_in(beside_work) is not None or _table().denied.search(beside_work):
        return False
    is_made = _table().making.search(said) is not None
    if not (is_made or any(verbs.search(said) for verbs in _arranging())):
        return False
    return sum(_unknown(sentence)) <= is_made


@cache
def _arranging() -> tuple[re.Pattern[str], ...]:
    """Return what is told with matters that are known: in English and Russian all that harmless facts say, too."""
    return (WORKPLACE, _table().arranging, *(kind.words for kind in HARMLESS if kind.words))


def _unknown(sentence: str) -> Iterator[int]:
    """Yield 1 for each word of a sentence that is not known to be harmless, and 2 for what may be somebody's name."""
    text = _table().place.sub(" ", _MENTION.sub(" ", sentence))
    said = plain(text)
    for verbs in (_table().making, *_arranging()):
        said = verbs.sub(lambda found: " " * len(found[0]), said)
    for found in _WORD.finditer(said):
        if not _is_known(found[0]):
            is_thing = _table().article.search(text[: found.start()])
            yield 2 if text[found.start() : found.start() + 1].isupper() and not is_thing else 1


def _is_known(word: str) -> bool:
    return (
        word in _COMMON or content_stems(word) <= _known_stems() or _table().known.fullmatch(word) is not None
    )


def speaks_of_others(text: str) -> bool:
    """Tell whether `text` speaks of somebody's family, love or neighbours, whose matter it is as well."""
    return _table().others.search(plain(text)) is not None
