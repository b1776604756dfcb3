"""What will be sent in answer to a message, with all that it rests on, and the right to answer it."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from uuid import UUID

from pydantic import BaseModel, Field

from bot.errors import ForgottenMeanwhileError, KeepsakeError
from bot.memory.secrets import masked
from bot.store import sending
from bot.store.answers import Answer, Written
from bot.store.database import Connection

if TYPE_CHECKING:
    from bot.memory.deferred import Deferred


class OpenQuestion(BaseModel):
    """What the bot asked back: the command that waits, and what may be chosen."""

    asked_by_id: int = Field(default=0, exclude=True)
    """The message that was answered with this question."""
    is_answered: bool = Field(default=False, exclude=True)
    """The very message that settled it is heard again: its answer is written down, and perhaps was not sent."""
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
    deferred: "Deferred[WrittenAnswer] | None" = None
    """What the order writes, in the transaction that writes the answer down, and what is said then; `parts` go below
    it."""

    @property
    def says_anything(self) -> bool:
        """Whether anything is said, now or once the order is carried out."""
        return bool(self.parts) or self.deferred is not None

    def with_result(self, told: "WrittenAnswer") -> "WrittenAnswer":
        """Return what is said once the order was carried out and `told` came of it."""
        below = self.parts if told.parts else ()
        return replace(told, parts=(*told.parts, *below), is_turn=self.is_turn)


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to answer a message, until somebody takes it over."""

    holder: UUID
    begun: Answer
    """The answer as far as it was, which a process that died may have left."""

    @property
    def unsent(self) -> tuple[str, ...]:
        """What a process that died had written down and not sent."""
        return self.begun.parts


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


async def hold_told(connection: Connection, answer: WrittenAnswer, *, guild_id: int) -> None:
    """Let nobody forget what an answer tells before it is committed.

    Raises `ForgottenMeanwhileError` if that was forgotten since it was read.
    """
    # An order writes and tells in one transaction, and holds by itself what it changes.
    fact_ids = answer.memory_ids if answer.deferred is None else ()
    if fact_ids and await sending.tells_forgotten(connection, guild_id=guild_id, fact_ids=fact_ids):
        raise ForgottenMeanwhileError("an answer tells what is forgotten by now")


async def carried_out(connection: Connection, answer: WrittenAnswer) -> WrittenAnswer:
    """Carry out what an answer defers, and return it with what came of that."""
    if answer.deferred is None:
        return answer
    return answer.with_result(await answer.deferred.run(connection))


def refused(answer: WrittenAnswer, error: KeepsakeError) -> WrittenAnswer:
    """Return what is said where what an answer defers was refused; raises `error` where that is no refusal."""
    deferred = answer.deferred
    told = deferred.refused(error) if deferred is not None and deferred.refused is not None else None
    if told is None:
        raise error
    return answer.with_result(told)


def as_written(kept: Answer) -> WrittenAnswer:
    """Return what was written down in answer to a message."""
    return WrittenAnswer(route=kept.route, parts=kept.parts, fact_ids=kept.fact_ids, degraded=kept.degraded)
