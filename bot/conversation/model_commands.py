"""What a model may have understood, as types: with resolved subjects, ready to be carried out."""

from dataclasses import dataclass
from typing import TypeAlias

from bot.conversation.commands import ForgetEverything, ForgetThis, Search
from bot.domain import Fact, Message


@dataclass(frozen=True, slots=True)
class FactToKeep:
    """One thing to remember: about whom, in the third person with members as `<@id>`, and where it was said."""

    subject_id: int
    text: str
    said_in: Message
    """The message to the bot, or the one that it points at: whoever wrote that is the teller."""


@dataclass(frozen=True, slots=True)
class RememberFacts:
    """Remember these."""

    facts: tuple[FactToKeep, ...]


@dataclass(frozen=True, slots=True)
class ForgetMatching:
    """Forget what says `what`, in the words of the asker, among the facts about these subjects."""

    subject_ids: tuple[int, ...]
    what: str


@dataclass(frozen=True, slots=True)
class CorrectFact:
    """Let this fact say `text`, in the third person, about `subject_id`."""

    fact: Fact
    subject_id: int
    text: str


@dataclass(frozen=True, slots=True)
class TakeBackFacts:
    """Undo the writes of these facts."""

    fact_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AskAbout:
    """Answer `question` from what is known about these subjects, or from all that is visible if there are none."""

    subject_ids: tuple[int, ...]
    question: str


@dataclass(frozen=True, slots=True)
class Chat:
    """Reply; nothing is asked of the memory."""


@dataclass(frozen=True, slots=True)
class Silence:
    """Nothing that wants a reply."""


ModelCommand: TypeAlias = (
    RememberFacts
    | ForgetMatching
    | ForgetThis
    | ForgetEverything
    | CorrectFact
    | TakeBackFacts
    | AskAbout
    | Search
    | Chat
    | Silence
)
