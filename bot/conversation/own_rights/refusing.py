"""The one sentence that is said when something cannot be remembered."""

from typing import Final, TypeAlias, assert_never

from bot.conversation.own_rights.own_texts import KINDS, OwnText
from bot.conversation.texts import Text, say
from bot.conversation.turn import Turn
from bot.domain import mention_of
from bot.errors import (
    AbsentSubjectError,
    CategorySwitchedOffError,
    EmptyFactError,
    FactTooLongError,
    SecretFactError,
)

NotKept: TypeAlias = (
    EmptyFactError | FactTooLongError | SecretFactError | AbsentSubjectError | CategorySwitchedOffError
)

NOT_KEPT: Final = (
    EmptyFactError,
    FactTooLongError,
    SecretFactError,
    AbsentSubjectError,
    CategorySwitchedOffError,
)
"""What a wish to have something remembered may end in, beside what is wrong with the database."""


def why_not_kept(turn: Turn, error: NotKept) -> str:
    """Return the sentence, in the language of `turn`, with members as `<@id>`."""
    match error:
        case EmptyFactError():
            return turn.say(Text.EMPTY_FACT)
        case FactTooLongError():
            return turn.say(Text.FACT_TOO_LONG, characters=error.characters, allowed=error.allowed)
        case SecretFactError():
            return turn.say(Text.SECRET_FACT)
        case AbsentSubjectError(subject_id=subject_id):
            if subject_id == turn.message.user_id:
                return say(OwnText.YOU_ARE_ABSENT, turn.language, bot=turn.bot_name)
            return say(OwnText.THEY_ARE_ABSENT, turn.language, name=mention_of(subject_id))
        case CategorySwitchedOffError(subject_id=subject_id, category=category):
            if subject_id == turn.message.user_id:
                return say(OwnText.YOU_LEFT_OUT, turn.language, category=say(KINDS[category], turn.language))
            return say(OwnText.THEY_LEFT_OUT, turn.language, name=mention_of(subject_id))
    assert_never(error)
