"""The kinds of memory by the words for them, and for how long one is to be kept."""

import re
from typing import Final

from bot.conversation.commands import Command
from bot.conversation.grammar.spoken import plain
from bot.conversation.own_commands import ChooseCategory
from bot.domain import FactCategory
from bot.memory.standing import PROFILE

_KINDS: Final = (
    (FactCategory.PREFERENCE.value, r"preferences?|likes|tastes|предпочтени\w+|вкус\w*"),
    (FactCategory.EVENT.value, r"events?|plans?|appointments?|событи\w+|план\w*"),
    (FactCategory.FEELING.value, r"feelings?|moods?|emotions?|чувств\w*|эмоци\w+|настроени\w+"),
    (FactCategory.PLACE.value, r"places?|мест\w?|места\w*"),
    (FactCategory.FACT.value, r"facts?|факт\w*"),
    (FactCategory.OTHER.value, r"other things?|rest|прочее|остальное"),
    (PROFILE, r"profile|портрет\w?|профил\w+"),
)
"""Each kind of memory, with the words for it in both languages; patterns are written with е for ё."""

KIND: Final = rf"(?P<x>{'|'.join(words for _, words in _KINDS)})"
"""A pattern of the words for any kind, which catches them."""

_DAYS_IN: Final = {"d": 1, "w": 7, "m": 30, "y": 365, "д": 1, "с": 1, "н": 7, "м": 30, "г": 365, "л": 365}
"""Days in a unit of time, by its first letter."""

_LONGEST_DAYS: Final = 36_500


def _category(words: str) -> str:
    said = plain(words).casefold()
    return next(category for category, pattern in _KINDS if re.fullmatch(pattern, said))


def left_out(words: str) -> Command:
    """Return the command that nothing of this kind is to be kept."""
    return ChooseCategory(_category(words), kept=False)


def kept(words: str) -> Command:
    """Return the command that this kind is to be kept as everything else is."""
    return ChooseCategory(_category(words), kept=True)


def kept_for(words: str, time: str) -> Command | None:
    """Return the command that this kind is to be kept for a `time` such as "2 weeks"; `None` if that cannot be."""
    number, _, unit = time.partition(" ")
    days = int(number) * _DAYS_IN[unit.strip()[0].casefold()]
    return ChooseCategory(_category(words), kept=True, days=days) if 1 <= days <= _LONGEST_DAYS else None
