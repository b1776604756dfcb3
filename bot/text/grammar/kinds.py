"""The kinds of memory and of facts by the words for them, and how members ask what is kept."""

import re
from dataclasses import dataclass
from typing import Final

from bot.core.domain import Fact, FactCategory
from bot.memory.policy.consent import PROFILE
from bot.text.calendar import LENGTHS, UNITS
from bot.text.commands import ChooseCategory, Command
from bot.text.grammar.rules import plain
from bot.text.languages import either


@dataclass(frozen=True, slots=True)
class FactKind:
    """What facts of one kind have in common."""

    words: str
    """A pattern of the words for it."""
    keys: tuple[str, ...] = ()
    """Their keys, or with a colon at the end what their keys begin with."""
    category: FactCategory | None = None

    def holds(self, fact: Fact) -> bool:
        """Tell whether `fact` is of this kind."""
        by_key = any(fact.key.startswith(key) if key.endswith(":") else fact.key == key for key in self.keys)
        return by_key or fact.category is self.category


_FACT_KINDS: Final = (
    FactKind(either("kind_birthday", gap=" "), ("birthday",)),
    FactKind(either("kind_name", gap=" "), ("name",)),
    FactKind(either("kind_alias", gap=" "), ("alias:",)),
    FactKind(either("kind_pronouns", gap=" "), ("pronouns",)),
    FactKind(either("kind_age", gap=" "), ("age",)),
    FactKind(either("kind_home", gap=" "), ("lives_in",)),
    FactKind(either("kind_time_zone", gap=" "), ("time_zone",)),
    FactKind(either("kind_pets", gap=" "), ("pet:",)),
    FactKind(either("kind_work", gap=" "), ("works_as", "works_at")),
    FactKind(either("kind_studies", gap=" "), ("studies",)),
    FactKind(either("kind_favourites", gap=" "), ("favorite:",)),
    FactKind(either("kind_likes", gap=" "), ("likes:",)),
    FactKind(either("kind_tastes", gap=" "), ("likes:", "favorite:"), FactCategory.PREFERENCE),
    FactKind(either("kind_events", gap=" "), (), FactCategory.EVENT),
    FactKind(either("kind_feelings", gap=" "), (), FactCategory.FEELING),
    FactKind(either("kind_places", gap=" "), (), FactCategory.PLACE),
)

FACT_KIND: Final = rf"(?P<x>{'|'.join(kind.words for kind in _FACT_KINDS)})"
"""A pattern of the words for any kind, which catches them."""


def fact_kind_of(words: str) -> FactKind | None:
    """Return the kind that `words` mean, if they mean one."""
    said = " ".join(plain(words).casefold().split())
    return next((kind for kind in _FACT_KINDS if re.fullmatch(kind.words, said)), None)


_MEMORY_KINDS: Final = (
    (FactCategory.PREFERENCE.value, either("memory_tastes", gap=" ")),
    (FactCategory.EVENT.value, either("memory_events", gap=" ")),
    (FactCategory.FEELING.value, either("memory_feelings", gap=" ")),
    (FactCategory.PLACE.value, either("memory_places", gap=" ")),
    (FactCategory.FACT.value, either("memory_facts", gap=" ")),
    (FactCategory.OTHER.value, either("memory_others", gap=" ")),
    (PROFILE, either("memory_profile", gap=" ")),
)
"""Each kind of memory, with the words for it."""

MEMORY_KIND: Final = rf"(?P<x>{'|'.join(words for _, words in _MEMORY_KINDS)})"
"""A pattern of the words for any kind, which catches them."""

_DAYS_IN: Final = {
    word[0]: LENGTHS[unit].days for word, unit in UNITS.items() if unit in {"day", "week", "month", "year"}
}
"""Days in a unit of time, by its first letter."""

_LONGEST_DAYS: Final = 36_500


def _category_named(words: str) -> str:
    said = plain(words).casefold()
    return next(category for category, pattern in _MEMORY_KINDS if re.fullmatch(pattern, said))


def leave_kind_out(words: str) -> Command:
    """Return the command that nothing of this kind is to be kept."""
    return ChooseCategory(_category_named(words), kept=False)


def keep_kind(words: str) -> Command:
    """Return the command that this kind is to be kept as everything else is."""
    return ChooseCategory(_category_named(words), kept=True)


def keep_kind_for(words: str, time: str) -> Command | None:
    """Return the command that this kind is to be kept for a `time` such as "2 weeks"; `None` if that cannot be."""
    number, _, unit = time.partition(" ")
    days = int(number) * _DAYS_IN[unit.strip()[0].casefold()]
    return (
        ChooseCategory(_category_named(words), kept=True, days=days) if 1 <= days <= _LONGEST_DAYS else None
    )
