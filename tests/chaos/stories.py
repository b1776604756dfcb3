"""What members tell the bot, as short stories of commands, in English and Russian; each has words of its own."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Final


class Kind(StrEnum):
    """What a message to the bot is for."""

    REMEMBER = "remember"
    FORGET = "forget"
    CORRECT = "correct"
    ASK = "ask"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One message of a story, or a later version of the one before."""

    kind: Kind
    text: str
    elsewhere: bool = False
    """Said in another channel than the step before."""
    is_edit: bool = False
    """The text that the step before gets by an edit."""
    ends: tuple[str, ...] = ()
    """The words that are to be nowhere any more after this."""


THINGS: Final = ("boat", "cat", "guitar", "kettle", "tent")

ASKED: Final = {"en": "Bot, what do you know about me?", "ru": "Бот, что ты знаешь обо мне?"}
"""What members ask to see all that is kept of them."""


def story(chance: Random, words: Iterator[str], language: str) -> list[Step]:
    """Return the next story of a member who speaks `language`."""
    return _english(chance, words) if language == "en" else _russian(chance, words)


def _english(chance: Random, words: Iterator[str]) -> list[Step]:
    thing, word = chance.choice(THINGS), next(words)
    is_thing = chance.random() < 0.5
    said = f"my {thing} is called {word}" if is_thing else f"I like {word}"
    remember = Step(kind=Kind.REMEMBER, text=f"Bot, remember that {said}")
    match chance.choices(("keep", "forget", "correct", "edit", "ask"), (3, 4, 2, 2, 2))[0]:
        case "forget":
            text = f"Bot, forget that {said}"
            return [remember, Step(kind=Kind.FORGET, text=text, elsewhere=True, ends=(word,))]
        case "correct":
            other = next(words)
            return [remember, Step(kind=Kind.CORRECT, text=f"Bot, it's {other}, not {word}")]
        case "edit":
            text = f"Bot, remember that {said.replace(word, next(words))}"
            return [remember, Step(kind=Kind.REMEMBER, text=text, is_edit=True)]
        case "ask":
            return [Step(kind=Kind.ASK, text=ASKED["en"])]
        case _:
            return [remember]


def _russian(chance: Random, words: Iterator[str]) -> list[Step]:
    word = next(words)
    remember = Step(kind=Kind.REMEMBER, text=f"Бот, запомни, что я люблю {word}")
    match chance.choices(("keep", "forget", "correct", "edit", "ask"), (3, 4, 2, 2, 2))[0]:
        case "forget":
            text = f"Бот, забудь, что я люблю {word}"
            return [remember, Step(kind=Kind.FORGET, text=text, elsewhere=True, ends=(word,))]
        case "correct":
            return [remember, Step(kind=Kind.CORRECT, text=f"Бот, нет, я сказала, что я люблю {next(words)}")]
        case "edit":
            text = f"Бот, запомни, что я люблю {next(words)}"
            return [remember, Step(kind=Kind.REMEMBER, text=text, is_edit=True)]
        case "ask":
            return [Step(kind=Kind.ASK, text=ASKED["ru"])]
        case _:
            return [remember]
