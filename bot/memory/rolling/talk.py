"""A running conversation as one place may read it: what of it is summed up, what is not, and what is to be done."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from bot.domain import OPEN
from bot.memory.conversations import Running
from bot.store.conversations import Said
from bot.store.summaries import Summary

LEAST_MESSAGES: Final = 20
"""Messages that are never only in the summary: what is being talked about stands there word for word."""

MOST_MESSAGES: Final = 120
"""Messages that a window holds at most."""

REFUSED: Final = 1_000
"""Failures that stand for a refusal: the same is not asked for again."""


@dataclass(frozen=True)
class Talk:
    """A conversation, and the audiences of what may be read of it."""

    running: Running
    audiences: Sequence[int]

    @cached_property
    def summary(self) -> Summary | None:
        """What is kept in short of this conversation, if it may be read here and nothing is missing in it."""
        kept = self.running.summary
        if kept is None or not kept.conversation_id <= self.running.conversation_id <= kept.covers_up_to:
            return None
        if kept.audience not in self.audiences or kept.covered != self.said_up_to(kept.covers_up_to):
            return None
        # A channel that was opened for a while: what was said before and after in its own audience is missing.
        told = (OPEN, kept.audience)
        if any(one.audience not in told for one in self.readable if one.message_id <= kept.covers_up_to):
            return None
        return kept

    @property
    def covers_up_to(self) -> int:
        """The newest message that the summary tells of; 0 without a summary."""
        return self.summary.covers_up_to if self.summary else 0

    @cached_property
    def readable(self) -> Sequence[Said]:
        """The messages of the conversation that may be read here, oldest first."""
        return self._readable(self.running.said)

    @cached_property
    def open(self) -> Sequence[Said]:
        """Those that the summary does not tell of."""
        return [one for one in self.readable if one.message_id > self.covers_up_to]

    @property
    def before(self) -> Sequence[Said]:
        """The messages of the channel before the conversation that may be read here, as far as they are known."""
        return self._readable(self.running.before)

    def said_up_to(self, message_id: int) -> int:
        """Count what is kept of the conversation up to a message, withheld ones too."""
        return sum(1 for one in self.running.said if one.message_id <= message_id)

    def to_fold(self, *, every: int) -> Sequence[Said]:
        """Return the messages that are to be in the summary and are not: all but the last 20.

        None as long as fewer than `every` would be, so that one question covers many messages.
        """
        return self.open[:-LEAST_MESSAGES] if len(self.open) > most_open(every) else []

    def _readable(self, said: Sequence[Said]) -> Sequence[Said]:
        return [one for one in said if one.is_visible and one.audience in self.audiences]


def most_open(every: int) -> int:
    """Return how many messages may be in no summary where one is made after each `every` messages."""
    return min(LEAST_MESSAGES + every, MOST_MESSAGES)
