"""What an answer to a question of the bot's chooses: a number, a name, yes or no."""

import re
from dataclasses import dataclass
from typing import Final

from bot.conversation import names
from bot.conversation.grammar.spoken import Spoken
from bot.conversation.grammar.words import word_set
from bot.conversation.turn import Turn
from bot.memory.answering import OpenQuestion

LONGEST_CHOICE: Final = 40
"""Longer messages settle no question, so that they need not be held against one."""

_NUMBER: Final = re.compile(
    r"(?:the |number |no\.? ?|номер )?(?:#?(?P<digits>\d{1,2})(?:st|nd|rd|th)?[.)]?|(?P<word>\w+))(?: one)?",
    re.IGNORECASE,
)
_ORDINALS: Final = tuple(
    word_set(spelt)
    for spelt in (
        "first one первый первая первого первую один",
        "second two второй вторая второго вторую два",
        "third three третий третья третьего третью три",
        "fourth four четвертый четвертая четвертого четвертую четыре",
        "fifth five пятый пятая пятого пятую пять",
    )
)
_YES: Final = word_set(
    "yes y yeah yep sure ok okay do it that's right go ahead confirm confirmed да ага угу конечно давай"
)
_EVERYWHERE: Final = word_set("all both everywhere все всё везде оба обоих всюду")
"""For the last of several guilds, which stands for all of them."""
_NO: Final = word_set("no n nope don't cancel stop нет не надо отмена")


@dataclass(frozen=True, slots=True)
class Choice:
    """A member, a fact, a guild, or whether the asker agreed."""

    user_id: int | None = None
    fact_id: int | None = None
    guild_id: int | None = None
    """0 is all that were offered."""
    agreed: bool | None = None


def choice(turn: Turn, question: OpenQuestion) -> Choice | None:
    """Return what the words of `turn` choose of `question`; `None` if they are about something else."""
    spoken = Spoken.of(turn.text)
    if spoken.asks:
        return None
    words = spoken.plain.casefold().strip()
    if question.facts:
        place = _index(words)
        return (
            Choice(fact_id=question.facts[place])
            if place is not None and place < len(question.facts)
            else None
        )
    if question.guilds:
        place = len(question.guilds) - 1 if words in _EVERYWHERE else _index(words)
        return (
            Choice(guild_id=question.guilds[place])
            if place is not None and place < len(question.guilds)
            else None
        )
    if not question.choices:
        return _agreement(words)
    if (index := _index(words)) is not None:
        return Choice(question.choices[index]) if index < len(question.choices) else None
    offered = [member for member in turn.everyone if member.user_id in question.choices]
    chosen = names.resolve(spoken.written, members=offered, author_id=turn.message.user_id)
    if isinstance(chosen, names.Found) and chosen.user_id in question.choices:
        return Choice(chosen.user_id)
    return None


def _agreement(words: str) -> Choice | None:
    said = re.findall(r"[\w']+", words)
    if not said:
        return None
    if all(word in _YES for word in said):
        return Choice(agreed=True)
    return Choice(agreed=False) if all(word in _NO for word in said) else None


def _index(words: str) -> int | None:
    """Return which of a numbered list is meant, from 0, or `None` if no number is said."""
    number = _NUMBER.fullmatch(words)
    if number is None:
        return None
    if number["digits"]:
        return int(number["digits"]) - 1 if int(number["digits"]) else None
    return next((index for index, spelt in enumerate(_ORDINALS) if number["word"] in spelt), None)
