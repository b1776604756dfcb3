"""How much is answered: whoever floods the bot is slowed down, and two bots never talk without end."""

import bisect
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from cachetools import LRUCache

MOST_MESSAGES: Final = 10
"""So many messages to the bot a member may send within `WITHIN`: faster than that nobody reads the answers."""

WITHIN: Final = timedelta(seconds=20)

MOST_TO_BOTS: Final = 2
"""Answers to other bots in a channel until a member speaks there; a loop of two bots ends here."""

_MOST_TIMES: Final = 300
"""Times that are kept of one member: twice as many as may be answered in what a start hears once more."""

_MOST_KEPT: Final = 10_000
"""Members, and channels, of whom anything is remembered; who was heard longest ago goes first."""


@dataclass(slots=True)
class _Spell:
    """What one member sent lately."""

    times: list[datetime] = field(default_factory=list)
    """In their order, which need not be that in which they were heard."""
    is_told: bool = False


class Pace:
    """Tells who is to be answered. All times are those of the messages: what is read back was no flood when said."""

    def __init__(self) -> None:
        self._members: LRUCache[tuple[int, int], _Spell] = LRUCache(_MOST_KEPT)

    def admits(self, *, guild_id: int, user_id: int, said_at: datetime) -> bool:
        """Count a message of a member to the bot; `False` if there were too many just before it, itself included."""
        spell = self._members.setdefault((guild_id, user_id), _Spell())
        bisect.insort(spell.times, said_at)
        before = bisect.bisect_right(spell.times, said_at - WITHIN)
        is_admitted = bisect.bisect_right(spell.times, said_at) - before <= MOST_MESSAGES
        del spell.times[:-_MOST_TIMES]
        if is_admitted:
            spell.is_told = False
        return is_admitted

    def may_be_told(self, *, guild_id: int, user_id: int) -> bool:
        """Tell whether a member who is slowed down has not been told of it yet; `True` only once in one flood."""
        spell = self._members.get((guild_id, user_id))
        if spell is None or spell.is_told:
            return False
        spell.is_told = True
        return True


class TalkOfBots:
    """Counts the answers to other bots in each channel."""

    def __init__(self) -> None:
        self._answers: LRUCache[int, int] = LRUCache(_MOST_KEPT)

    def member_spoke(self, channel_id: int) -> None:
        """Note that a member takes part in a channel: bots may be answered there again."""
        self._answers.pop(channel_id, None)

    def admits(self, channel_id: int) -> bool:
        """Count an answer to another bot in a channel; `False` if there were enough."""
        answers = self._answers.get(channel_id, 0)
        if answers >= MOST_TO_BOTS:
            return False
        self._answers[channel_id] = answers + 1
        return True
