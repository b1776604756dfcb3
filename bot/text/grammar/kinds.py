"""The kinds of memory and of facts by the words for them, and how members ask what is kept."""

import re
from dataclasses import dataclass
from typing import Final

from bot.core.domain import Fact, FactCategory
from bot.memory.policy.consent import PROFILE
from bot.text.commands import ChooseCategory, Command
from bot.text.grammar.rules import plain


@dataclass(frozen=True, slots=True)
class FactKind:
    """What facts of one kind have in common."""

    words: str
    """A pattern of the words for it in both languages, with е for ё."""
    keys: tuple[str, ...] = ()
    """Their keys, or with a colon at the end what their keys begin with."""
    category: FactCategory | None = None

    def holds(self, fact: Fact) -> bool:
        """Tell whether `fact` is of this kind."""
        by_key = any(fact.key.startswith(key) if key.endswith(":") else fact.key == key for key in self.keys)
        return by_key or fact.category is self.category


_FACT_KINDS: Final = (
    FactKind(
        r"birthday|bday|b-day|birth ?date|date of birth|день рождения|дня рождения|дату рождения|днюху|др",
        ("birthday",),
    ),
    FactKind(r"(?:real |first |full )?name|(?:настоящее |полное )?имя", ("name",)),
    FactKind(r"nick ?names?|alias(?:es)?|прозвищ[аеу]|клички?|никнеймы?|ники?", ("alias:",)),
    FactKind(r"pronouns|местоимения", ("pronouns",)),
    FactKind(r"home ?town|home|address|city|town|адрес|город|место жительства", ("lives_in",)),
    FactKind(
        r"job|work|workplace|work place|profession|occupation|employer|работу|профессию|место работы",
        ("works_as", "works_at"),
    ),
    FactKind(r"studies|school|university|major|учебу|университет|школу", ("studies",)),
    FactKind(r"favou?rites|favou?rite things|все любимое|любимое", ("favorite:",)),
    FactKind(r"likes(?: and dislikes)?|dislikes|что нравится", ("likes:",)),
    FactKind(r"preferences?|tastes?|предпочтени[яе]|вкусы", ("likes:", "favorite:"), FactCategory.PREFERENCE),
    FactKind(r"events?|plans?|appointments?|события|планы|встречи", (), FactCategory.EVENT),
    FactKind(r"feelings?|moods?|emotions?|чувства|настроение|эмоции", (), FactCategory.FEELING),
    FactKind(r"places?|места", (), FactCategory.PLACE),
)

FACT_KIND: Final = rf"(?P<x>{'|'.join(kind.words for kind in _FACT_KINDS)})"
"""A pattern of the words for any kind, which catches them."""


def fact_kind_of(words: str) -> FactKind | None:
    """Return the kind that `words` mean, if they mean one."""
    said = " ".join(plain(words).casefold().split())
    return next((kind for kind in _FACT_KINDS if re.fullmatch(kind.words, said)), None)


_MEMORY_KINDS: Final = (
    (FactCategory.PREFERENCE.value, r"preferences?|likes|tastes|предпочтени\w+|вкус\w*"),
    (FactCategory.EVENT.value, r"events?|plans?|appointments?|событи\w+|план\w*"),
    (FactCategory.FEELING.value, r"feelings?|moods?|emotions?|чувств\w*|эмоци\w+|настроени\w+"),
    (FactCategory.PLACE.value, r"places?|мест\w?|места\w*"),
    (FactCategory.FACT.value, r"facts?|факт\w*"),
    (FactCategory.OTHER.value, r"other things?|rest|прочее|остальное"),
    (PROFILE, r"profile|портрет\w?|профил\w+"),
)
"""Each kind of memory, with the words for it in both languages; patterns are written with е for ё."""

MEMORY_KIND: Final = rf"(?P<x>{'|'.join(words for _, words in _MEMORY_KINDS)})"
"""A pattern of the words for any kind, which catches them."""

_DAYS_IN: Final = {"d": 1, "w": 7, "m": 30, "y": 365, "д": 1, "с": 1, "н": 7, "м": 30, "г": 365, "л": 365}
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
