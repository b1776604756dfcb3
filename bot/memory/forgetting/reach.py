"""What a forgetting may take, and what it took."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bot.domain import OPEN
from bot.memory.forgetting.matching import Part
from bot.memory.removals import Remover
from bot.store.forgettings import Taken as Forgotten

__all__ = ["DatedWords", "Forgotten", "Reach"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedWords:
    """What was ordered to be forgotten, in its own words."""

    subject_id: int
    author_id: int | None
    """Whose telling of it is meant; `None`: whoever tells it."""
    text: str
    """In the first or third person; "" is all that there is about the subject."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What a forgetting may take in one guild."""

    guild_id: int
    fact_ids: Sequence[int] = ()
    message_ids: Sequence[int] = ()
    author_ids: Sequence[int] | None = None
    """Whose messages that say the facts lose their text, beside the bot's own; `None`: whoever wrote them."""
    audiences: Sequence[int] = (OPEN,)
    """Where those messages may stand."""
    parts: Mapping[int, Part] = field(default_factory=dict)
    """Of facts that say more than is to be forgotten, what goes and what stays."""
    statement: str = ""
    """What was asked for, in the asker's words, where it says just what the facts say; may be empty."""
    words: Sequence[DatedWords] = ()
    """What older orders may not have remembered, be they read later, though nothing says it now."""
    asked_at: datetime | None = None
    """When it was asked for; what somebody asked to have remembered since stays. `None`: now."""
    is_counted: bool = True
    """Whether its facts add to the number that is told; that of a plan is known from the beginning."""
    by: Remover | None = None
    """Who asks, and by which command; `None`: nobody who could look at what it took."""
