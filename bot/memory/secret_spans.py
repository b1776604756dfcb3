"""Where secrets lie in a text, and the mask that is put there."""

from collections.abc import Iterable
from typing import Final

MASK: Final = "[secret]"
"""What stands in the place of a secret."""

Span = tuple[int, int]
"""Where a secret begins and ends in a text, in characters."""


def without(text: str, spans: Iterable[Span]) -> str:
    """Return `text` with the mask in the place of each span.

    Of spans that overlap, the first one counts,
    and a span that touches a mask is none: what it found is masked.
    """
    parts: list[str] = []
    done = 0
    for begin, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if end <= done or MASK in text[max(begin - len(MASK) + 1, 0) : end + len(MASK) - 1]:
            continue
        if begin >= done:
            parts += [text[done:begin], MASK]
        done = end
    return "".join([*parts, text[done:]]) if parts else text


class Keywords:
    """Words of which a text holds one before it is worth looking closer."""

    def __init__(self, *keywords: str) -> None:
        self._all = keywords
        self._plain = tuple(keyword for keyword in keywords if keyword.isascii())

    def are_in(self, lowered: str) -> bool:
        """Return whether one of them stands in a text of lower case."""
        # A loop over plain searches takes a tenth of what one expression with all of them takes.
        for keyword in self._plain if lowered.isascii() else self._all:  # noqa: SIM110
            if keyword in lowered:
                return True
        return False
