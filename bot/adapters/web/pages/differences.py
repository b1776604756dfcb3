"""What is new in a text beside an older one, word by word."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Final

_WORDS: Final = re.compile(r"\s*\S+|\s+")


class PartKind(StrEnum):
    """What became of a part of a text."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class TextPart:
    """A part of a text that was kept, added or removed as a whole."""

    kind: PartKind
    text: str


def differences(older: str, newer: str) -> Sequence[TextPart]:
    """Return the parts of two texts in order: those that are not removed make up `newer`, those not added `older`."""
    before, after = _WORDS.findall(older), _WORDS.findall(newer)
    parts: list[TextPart] = []
    for kind, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            parts.append(TextPart(PartKind.SAME, "".join(before[i:j])))
            continue
        parts += [TextPart(PartKind.REMOVED, "".join(before[i:j]))] if i < j else []
        parts += [TextPart(PartKind.ADDED, "".join(after[k:m]))] if k < m else []
    return parts
