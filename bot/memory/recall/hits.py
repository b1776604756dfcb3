"""What recall gives back."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class HitKind(StrEnum):
    """What was found."""

    MESSAGE = "message"
    FACT = "fact"
    EPISODE = "episode"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A memory that was found, with where it comes from."""

    kind: HitKind
    hit_id: int
    """The message, the fact or the episode."""
    channel_id: int
    message_id: int
    """The message itself; of a fact the one that told it, of an episode the first of its conversation."""
    author_id: int
    """Who said it; 0 for an episode, which nobody did."""
    subject_id: int | None
    """Of a fact: whom it is about."""
    audience: int
    said_at: datetime
    text: str
    """Members are named as `<@id>`."""
    score: float
    """From 0 to 1: how much of what the question asks for is said there, and around it."""
