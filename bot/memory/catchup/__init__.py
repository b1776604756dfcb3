"""Catching up: what was said while somebody was away, by topic, or by the busiest conversations."""

from bot.memory.catchup.door import LONGEST_AWAY, CatchUp, Missed, Told, Wanted
from bot.memory.catchup.question import NO_WORDS

__all__ = ["LONGEST_AWAY", "NO_WORDS", "CatchUp", "Missed", "Told", "Wanted"]
