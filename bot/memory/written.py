"""What will be sent in answer to a message, with all that it rests on."""

from dataclasses import dataclass

from pydantic import BaseModel, Field

from bot.memory.secrets import masked
from bot.store.answers import Written


class OpenQuestion(BaseModel):
    """What the bot asked back: the command that waits, and what may be chosen."""

    asked_by_id: int = Field(default=0, exclude=True)
    """The message that was answered with this question."""
    text: str
    """The command as it was said to the bot, without its name."""
    choices: tuple[int, ...] = ()
    """Member ids in the order in which they were numbered; none for a question of yes or no."""
    facts: tuple[int, ...] = ()
    """In their place facts, of which one holds, in the order in which they were numbered."""
    guilds: tuple[int, ...] = ()
    """In their place guilds in which the command may be meant, as they were numbered; 0 is all of them."""
    within: tuple[int, ...] = ()
    """The guilds in which it is meant, where that is settled; 0 is all of them."""
    replied_to_id: int | None = None
    """The message that the command was a reply to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenAnswer:
    """What will be sent in answer to a message."""

    route: str
    parts: tuple[str, ...] = ()
    fact_ids: tuple[int, ...] = ()
    """The facts that it wrote."""
    memory_ids: tuple[int, ...] = ()
    """The facts that it tells."""
    quoted_ids: tuple[int, ...] = ()
    """The messages that it quotes, or that were found for it."""
    episode_ids: tuple[int, ...] = ()
    """The episodes that it was given."""
    question: OpenQuestion | None = None
    degraded: bool = False
    is_turn: bool = False
    """A chat reply that counts as a turn of the member as soon as it is delivered."""
    forgot: bool = False
    """It had something forgotten: who asked may look at what that took."""
    unknown_name: str = ""
    """The name that nobody known bears, if that is all that it says; without parts it is to be sought first."""


def stored(answer: WrittenAnswer) -> Written:
    """Return an answer as the database takes it: what a model read out of a picture may be a secret."""
    question = answer.question
    return Written(
        route=answer.route,
        parts=tuple(map(masked, answer.parts)),
        fact_ids=answer.fact_ids,
        memory_ids=answer.memory_ids,
        quoted_ids=answer.quoted_ids,
        episode_ids=answer.episode_ids,
        question=question.model_dump_json() if question else None,
        degraded=answer.degraded,
        is_turn=answer.is_turn,
    )
