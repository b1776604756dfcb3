"""Which past is to be read, how far the reading is, and what became of each channel."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TypeAlias

from bot.memory.ingest import Ingested


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which past is to be read: of one guild or all, of one channel (by name or id, with its threads) or all."""

    guild_id: int | None = None
    channel: str | None = None
    since: date | None = None
    """The first day, in the guild's time zone; `None`: as far back as messages are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """How far the reading of a channel is, backwards, by the moments of its messages."""

    channel_id: int
    name: str
    newest: datetime
    reached: datetime
    oldest: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBack:
    """What became of one channel."""

    name: str
    ingested: Ingested = field(default_factory=Ingested)
    back_to: datetime | None = None
    note: str = ""
    failed: bool = False
    """Whether the same command, given again, goes on with it."""

    def __str__(self) -> str:
        count = self.ingested.new + self.ingested.known
        if not count and self.note:
            return f"{self.name}: {self.note}"
        line = f"{self.name}: {count} messages: {self.ingested.new} new, {self.ingested.known} known"
        if self.back_to is not None:
            line += f", back to {self.back_to:%Y-%m-%d}"
        return f"{line}; {self.note}" if self.note else line


Watching: TypeAlias = Callable[[Reached], None]
"""Is told, after each page, how far a channel has been read."""
