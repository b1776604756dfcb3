"""What the Discord face says on its own: labels and the few sentences that no other face needs."""

from enum import Enum

from bot.domain import Language


class Text(Enum):
    """English first, then Russian."""

    UNDO = ("Undo", "Отменить")
    REST_OF_ANSWER = ("answer.md", "ответ.md")


def say(text: Text, language: Language) -> str:
    """Return a sentence of this catalogue."""
    english, russian = text.value
    return russian if language is Language.RUSSIAN else english
