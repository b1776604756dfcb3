"""What recall asks of the store: which words, how they are looked up, and the numbers of the weighing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum


class Lookup(StrEnum):
    """Which of the messages that say what is looked up are weighed."""

    ALL = "all"
    NEWEST = "newest"
    """The newest of them, where there may be more than are looked at."""
    BACKWARDS = "backwards"
    """The newest, found by going back in time: there are so many that to fetch them all takes longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Constants:
    """The numbers of the weighing."""

    k1: float
    b: float
    agreement: float
    before: tuple[float, float]
    after: tuple[float, float]
    answer: float
    conversation: float
    named: float
    addressed: float
    attached: float
    most_candidates: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is looked for, by the numbers of its words: those of `weights`, from 1."""

    guild_id: int
    audiences: Sequence[int]
    weights: Sequence[float]
    lookup: Sequence[Sequence[str]]
    """Lexemes that stand together, as alternatives; none: what the members named said, else all, the newest first."""
    how: Lookup
    lexemes: Sequence[tuple[int, str]] = ()
    authors: Sequence[tuple[int, int]] = ()
    """Numbers of names, with the members who are called so."""
    dates: Sequence[tuple[int, int | None, int | None, int | None]] = ()
    """Numbers of words of dates, with month, day and year; what is `None` may be any."""
    identifiers: Sequence[tuple[int, str, str]] = ()
    """Numbers, queries of the index for the parts, and regular expressions for the whole."""
    preferred: tuple[int, datetime | None, datetime | None] | None = None
    """The number of a time that is preferred, and that time."""
    begins: datetime | None = None
    ends: datetime | None = None
    named_id: int | None = None
    """The one member whom the question names."""
    time_zone: str = "UTC"
    words_each: float = 1.0
    channel_id: int | None = None
    before_message_id: int | None = None
    exclude_ids: Sequence[int] = ()
    gap: timedelta = timedelta(minutes=30)
    """The silence after which a conversation is another one."""
