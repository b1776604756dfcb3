"""Cuts a day that is too long for one prompt, where the talk pauses."""

from collections.abc import Callable, Sequence
from typing import Final

from bot.domain import Message

PART_TOKENS: Final = 24_000
"""Estimated tokens of messages in one prompt: about 1,500 usual ones, a busy day of a large guild in two or three."""

MOST_SPEAKERS: Final = 100
"""Members that one answer can tell at 300 characters each, before models cut it off."""

_LOOK_BACK: Final = 3
"""A pause is looked for in the last third of a part: further back it would make parts too small."""


def in_parts(
    messages: Sequence[Message],
    tokens: Callable[[Message], int],
    *,
    limit: int = PART_TOKENS,
    most_speakers: int = MOST_SPEAKERS,
) -> list[Sequence[Message]]:
    """Return `messages`, oldest first, in as few parts as hold `limit` tokens and `most_speakers` authors.

    A part ends at the longest pause near its end. A message that is larger alone is a part of its own.
    """
    parts: list[Sequence[Message]] = []
    first = 0
    while first < len(messages):
        end = _end(messages, first, tokens, limit, most_speakers)
        if end < len(messages):
            end = _quietest(messages, first, end)
        parts.append(messages[first:end])
        first = end
    return parts


def _end(
    messages: Sequence[Message],
    first: int,
    tokens: Callable[[Message], int],
    limit: int,
    most_speakers: int,
) -> int:
    """Return the end of the largest part that begins at `first`."""
    left = limit
    speakers: set[int] = set()
    for at in range(first, len(messages)):
        left -= tokens(messages[at])
        speakers.add(messages[at].user_id)
        if at > first and (left < 0 or len(speakers) > most_speakers):
            return at
    return len(messages)


def _quietest(messages: Sequence[Message], first: int, end: int) -> int:
    """Return where the longest pause in the last third before `end` is over."""
    earliest = max(first + 1, end - (end - first) // _LOOK_BACK)
    return max(
        range(earliest, end + 1), key=lambda at: (messages[at].timestamp - messages[at - 1].timestamp, at)
    )
