"""Long answers as Discord takes them: two messages at most, split where nobody stumbles, the rest as a
file.
"""

import re
from dataclasses import dataclass
from typing import Final

MESSAGE_CHARACTERS: Final = 2_000
"""The longest content of a message that Discord takes from a bot."""

MOST_MESSAGES: Final = 2
"""More than this at once is a wall that pushes everybody else out of sight."""

_FENCE: Final = re.compile(r"```(?:([\w+#.-]{1,20})(?=\n))?")
_CLOSING: Final = "\n```"
_ELLIPSIS: Final = "\n…"


@dataclass(frozen=True, slots=True)
class SplitAnswer:
    """An answer in pieces: what is sent as messages, and what is left for a file."""

    messages: tuple[str, ...]
    rest: str = ""

    def without_rest(self) -> "SplitAnswer":
        """Return the messages alone, the last one ending in `…` where something was left."""
        if not self.rest:
            return self
        *before, last = self.messages
        body = last.removesuffix(_CLOSING)
        closing = _CLOSING if body != last else ""
        end = MESSAGE_CHARACTERS - len(_ELLIPSIS) - len(closing)
        return SplitAnswer((*before, body[:end].rstrip() + _ELLIPSIS + closing))


def split(text: str, *, characters: int = MESSAGE_CHARACTERS, most: int = MOST_MESSAGES) -> SplitAnswer:
    """Return `text` as at most `most` messages of `characters` characters, and what did not fit.

    Pieces end at a paragraph, else at a line, else between words; only a word longer than a message is cut. A
    code fence that is cut is closed and opened again, with its language.
    """
    messages: list[str] = []
    left = text.strip()
    while left and len(messages) < most:
        piece, left = _piece(left, characters)
        messages.append(piece)
    return SplitAnswer(tuple(messages), left)


def _piece(text: str, characters: int) -> tuple[str, str]:
    """Return the first piece of `text`, and what comes after it, which is shorter than `text`."""
    if len(text) <= characters:
        return text, ""
    end = _cut(text, characters - len(_CLOSING))
    opened = _open_fence(text[:end])
    if opened is None:
        return text[:end].rstrip(), text[end:].lstrip()
    if opened.start() > characters // 2 and text[: opened.start()].strip():
        # A fence that has only begun goes into the next piece as a whole.
        return text[: opened.start()].rstrip(), text[opened.start() :]
    begins = f"```{opened[1] or ''}\n"
    rest = text[end:].removeprefix("\n")
    if end <= len(begins):
        # Nothing but the fence itself fits: opened again it would never end.
        return text[:end] + _CLOSING, rest
    return text[:end] + _CLOSING, begins + rest


def _cut(text: str, longest: int) -> int:
    """Return where a piece of at most `longest` characters should end."""
    window = text[: longest + 1]
    for mark in ("\n\n", "\n"):
        found = window.rfind(mark)
        if found > longest // 2:
            return found
    found = max(window.rfind(" "), window.rfind("\n"))
    return found if found > 0 else longest


def _open_fence(text: str) -> re.Match[str] | None:
    """Return the fence that `text` opens and does not close."""
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        opened = None if opened is not None else fence
    return opened
