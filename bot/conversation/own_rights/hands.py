"""What only a face can do for members who ask about their own memory: know what they can read, give them files."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

MOST_BYTES: Final = 10 * 1024 * 1024
"""Of one file, where a face says nothing else: what Discord takes of everybody."""


@dataclass(frozen=True, slots=True)
class HandedFile:
    """A file for one pair of eyes."""

    name: str
    content: bytes


Reads: TypeAlias = Callable[[int], Awaitable[Sequence[int]]]
"""Returns the audiences that a member can read in a guild, by its id; none where the member is not."""

CanRead: TypeAlias = Callable[[Collection[int]], Awaitable[frozenset[int]]]
"""Returns those of these channels of a guild, by id, that a member can read at this moment."""

HandOver: TypeAlias = Callable[[HandedFile], Awaitable[bool]]
"""Gives a member a file in private, and tells whether it arrived."""
