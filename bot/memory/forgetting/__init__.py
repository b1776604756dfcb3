"""Forgetting: rows lose their text, messages that said it are withheld, tombstones keep it from coming back."""

from bot.memory.forgetting.matching import Part, facts_that_say, part_that_says, says_just
from bot.memory.forgetting.reach import DatedWords, Forgotten, Reach
from bot.memory.forgetting.taking import disown, forget, preview, take_back, withhold

__all__ = [
    "DatedWords",
    "Forgotten",
    "Part",
    "Reach",
    "disown",
    "facts_that_say",
    "forget",
    "part_that_says",
    "preview",
    "says_just",
    "take_back",
    "withhold",
]
