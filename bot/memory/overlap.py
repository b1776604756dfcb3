"""What two texts have in common, whatever their language: the check on what a model claims to have read."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from bot.language.tongues import TONGUES
from bot.memory.tokens import content_stems

_UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]+")
"""Scripts that put no blanks between words."""

_SHORTEST_ALIKE: Final = 4
ALIKE: Final = 0.7
"""So much of the longer of two stems must be common: allerg(ic) and allergi(es), not Paris and Parisian."""

LOOSELY_ALIKE: Final = 0.55
"""Enough where languages that are not stemmed here inflect: długi, długach."""


def stems(text: str) -> frozenset[str]:
    """Return the content of `text` as stems; scripts without blanks give pairs of letters."""
    pairs = {run[at : at + 2] for run in _UNSPACED.findall(text) for at in range(max(1, len(run) - 1))}
    return content_stems(_UNSPACED.sub(" ", text)) | pairs


def telling(text: str) -> frozenset[str]:
    """Return the stems of `text` without the words that say nothing by themselves, in any known language."""
    return stems(text) - _common()


def alike(one: str, other: str, *, common_part: float = ALIKE) -> bool:
    """Tell whether two stems are forms of one word, alike in `common_part` of the longer; identifiers must be equal."""
    if one == other:
        return True
    if not (one.isalpha() and other.isalpha()):
        return False
    common = next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    return common >= max(_SHORTEST_ALIKE, common_part * max(len(one), len(other)))


def shared(some: Iterable[str], among: Iterable[str], *, common_part: float = ALIKE) -> frozenset[str]:
    """Return those of `some` stems that have their like `among` others."""
    others = frozenset(among)
    return frozenset(
        one
        for one in some
        if one in others or any(alike(one, other, common_part=common_part) for other in others)
    )


@cache
def _common() -> frozenset[str]:
    return frozenset().union(*(stems(" ".join(sorted(tongue.words))) for tongue in TONGUES)) - {"not"}
