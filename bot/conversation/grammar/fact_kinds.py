"""Kinds of facts by the words for them: which keys and categories "my birthday" and "my preferences" mean."""

import re
from dataclasses import dataclass
from typing import Final

from bot.conversation.grammar.spoken import plain
from bot.domain import Fact, FactCategory


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


_KINDS: Final = (
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

KIND: Final = rf"(?P<x>{'|'.join(kind.words for kind in _KINDS)})"
"""A pattern of the words for any kind, which catches them."""


def kind_of(words: str) -> FactKind | None:
    """Return the kind that `words` mean, if they mean one."""
    said = " ".join(plain(words).casefold().split())
    return next((kind for kind in _KINDS if re.fullmatch(kind.words, said)), None)
