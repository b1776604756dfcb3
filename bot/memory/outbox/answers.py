"""Answers from claim to sent: what will be sent with all that it rests on, the writes that are carried out
with it, and the claim that keeps a message from being answered twice.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final, Generic, TypeVar
from uuid import UUID, uuid4

from cachetools import TTLCache

from bot.core.clock import Clock
from bot.core.domain import Message, Waiting
from bot.core.errors import ForgottenMeanwhileError, KeepsakeError
from bot.db.batched import Batched
from bot.db.pool import Connection, Database, savepoint
from bot.memory.outbox import repository, repository_begun
from bot.memory.outbox.circumstances import Circumstances, OpenQuestion, question_in, replied_to_by
from bot.memory.outbox.repository import Answer, AnswerKind, NewAnswer, UnsentAnswer
from bot.memory.outbox.standing import Standing, stands, with_text
from bot.text.secrets.masking import masked

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class DeferredWrite(Generic[T]):
    """A write with what it results in. It may be run again after a lost race, so it keeps nothing of its own."""

    run: Callable[[Connection], Awaitable[T]]
    """Writes inside the transaction of the caller."""
    refused: Callable[[KeepsakeError], T | None] | None = None
    """What results where it was refused with an error, which undid all of it; `None`: no refusal, but a failure."""

    @classmethod
    def of(cls, result: T) -> "DeferredWrite[T]":
        """Return what writes nothing and results in this."""

        async def nothing(_: Connection) -> T:
            return result

        return cls(nothing)

    def then(self, tell: Callable[[T], U]) -> "DeferredWrite[U]":
        """Return this write with what `tell` makes of its result."""

        async def told(connection: Connection) -> U:
            return tell(await self.run(connection))

        return DeferredWrite(told)

    def beside(self, other: "DeferredWrite[U]") -> "DeferredWrite[tuple[T, U]]":
        """Return both writes as one, this one first."""

        async def both(connection: Connection) -> tuple[T, U]:
            return await self.run(connection), await other.run(connection)

        return DeferredWrite(both)


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
    deferred: "DeferredWrite[WrittenAnswer] | None" = None
    """What the order writes, in the transaction that writes the answer down, and what is said then; `parts` go below
    it."""
    read_before: Standing | None = None
    """What it tells that was read before it is written down; `None`: all, where it has parts."""

    @property
    def standing(self) -> Standing:
        """What must have its text still when it is written down. An order holds by itself what it changes."""
        if self.read_before is not None:
            return self.read_before
        return self.told if self.parts else Standing()

    @property
    def told(self) -> Standing:
        """All that it tells."""
        return Standing(fact_ids=self.memory_ids, message_ids=self.quoted_ids, episode_ids=self.episode_ids)

    @property
    def says_anything(self) -> bool:
        """Whether anything is said, now or once the order is carried out."""
        return bool(self.parts) or self.deferred is not None

    def with_result(self, told: "WrittenAnswer") -> "WrittenAnswer":
        """Return what is said once the order was carried out and `told` came of it."""
        below = self.parts if told.parts else ()
        return replace(told, parts=(*told.parts, *below), is_turn=self.is_turn, read_before=self.standing)


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to answer a message, until somebody takes it over."""

    holder: UUID
    begun: Answer
    """The answer as far as it was, which a process that died may have left."""

    @property
    def unsent(self) -> tuple[str, ...]:
        """What a process that died had written down as a whole and not sent."""
        return self.begun.parts if self.begun.is_written else ()


def nonce_of(message_id: int, number: int = 1) -> str:
    """Return the nonce of a part of the answer to a message: sent again under it, it is the same message."""
    return f"{message_id}.{number}"


def as_new_answer(answer: WrittenAnswer) -> NewAnswer:
    """Return an answer as the database takes it: what a model read out of a picture may be a secret."""
    question = answer.question
    return NewAnswer(
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


async def carry_out(connection: Connection, answer: WrittenAnswer) -> WrittenAnswer:
    """Carry out what an answer defers, and return it with what came of that."""
    if answer.deferred is None:
        return answer
    return answer.with_result(await answer.deferred.run(connection))


def as_refused(answer: WrittenAnswer, error: KeepsakeError) -> WrittenAnswer:
    """Return what is said where what an answer defers was refused; raises `error` where that is no refusal."""
    deferred = answer.deferred
    told = deferred.refused(error) if deferred is not None and deferred.refused is not None else None
    if told is None:
        raise error
    return answer.with_result(told)


def in_one_write(answers: Sequence[WrittenAnswer]) -> DeferredWrite[list[WrittenAnswer]]:
    """Return the one write of all that these answers defer, in their order; what is refused undoes nothing else."""

    async def run(connection: Connection) -> list[WrittenAnswer]:
        done = []
        for answer in answers:
            try:
                async with savepoint(connection):
                    done.append(await carry_out(connection, answer))
            except KeepsakeError as error:
                done.append(as_refused(answer, error))
        return done

    return DeferredWrite(run)


def _silenced(answer: WrittenAnswer) -> WrittenAnswer:
    return replace(answer, parts=(), question=None)


def as_written(kept: Answer) -> WrittenAnswer:
    """Return what was written down in answer to a message."""
    return WrittenAnswer(
        route=kept.route,
        parts=kept.parts,
        fact_ids=kept.fact_ids,
        memory_ids=kept.memory_ids,
        quoted_ids=kept.quoted_ids,
        episode_ids=kept.episode_ids,
        degraded=kept.degraded,
    )


CLAIM_LEASE: Final = timedelta(seconds=60)
"""Real time after which the answer of a process that died may be taken over."""

QUESTION_LIFE: Final = timedelta(minutes=5)
"""How long the next message of a member may settle what the bot asked back."""

_MOST_CLAIMS: Final = 10_000
"""Answers of one process that can be under way within one lease."""

CORRECTION_LIFE: Final = timedelta(minutes=10)
"""How long a correction finds the last write without being a reply to it."""


class Answers:
    """The bot's answers, stored."""

    def __init__(self, database: Database, clock: Clock, *, notify: Callable[[], None]) -> None:
        """`notify` is called after a commit that may have asked for background work."""
        self._database = database
        self._clock = clock
        self._notify = notify
        self._claims: TTLCache[UUID, bool] = TTLCache(_MOST_CLAIMS, CLAIM_LEASE.total_seconds())
        """The holders of this process, who are alive."""
        self._concerned: Batched[Message, bool] = Batched(
            self._may_concern, name="telling what is for the bot"
        )

    async def claim(self, message: Message, *, alone: bool = False) -> Claim | None:
        """Claim the answer to `message`; `None` if somebody else answers or has answered it.

        Who is `alone` with the channel takes a claim over at once that was made by another process.
        """
        holder = self._holder()
        living = tuple(self._claims) if alone else None
        begun = await self._database.write_one(
            repository.claim_answer,
            guild_id=message.guild_id,
            message_id=message.message_id,
            channel_id=message.channel_id,
            user_id=message.user_id,
            holder=holder,
            lease=CLAIM_LEASE,
            edited_at=message.edited_at,
            now=self._clock.now(),
            living=living,
        )
        return None if begun is None else Claim(holder, begun)

    async def take_over(self, message: Message) -> Claim | None:
        """Claim an answer to `message` that was written down and not sent, or shown in part; `None` without one.

        Another process wrote it, or its lease has run out. Only for who is alone with the channel.
        """
        holder, living = self._holder(), tuple(self._claims)
        begun = await self._database.write(
            repository.take_over_answer,
            guild_id=message.guild_id,
            message_id=message.message_id,
            holder=holder,
            lease=CLAIM_LEASE,
            living=living,
        )
        return None if begun is None else Claim(holder, begun)

    def _holder(self) -> UUID:
        holder = uuid4()
        self._claims[holder] = True
        return holder

    async def unsent(
        self, *, guild_ids: Sequence[int], with_direct: bool, overdue: timedelta, within: timedelta, most: int
    ) -> Sequence[UnsentAnswer]:
        """Return answers that stay unfinished for longer than `overdue` in real time, at most `most`, oldest first.

        They are of these guilds, and `with_direct` of direct messages; begun `within` this time.
        """
        return await self._database.read(
            repository.unsent_answers,
            guild_ids=guild_ids,
            with_direct=with_direct,
            unleased_for=overdue - CLAIM_LEASE,
            since=self._clock.now() - within,
            most=most,
        )

    async def all_unsent(self, *, now: datetime) -> Waiting:
        """Return how many answers of the last day were not sent yet, anywhere, and since when the oldest."""
        return await self._database.read(repository.all_unsent, now=now)

    async def write(
        self,
        message: Message,
        claim: Claim,
        answer: WrittenAnswer,
        *,
        silent: bool = False,
        memory_epoch: int | None = None,
        own_guild_ids: Sequence[int] = (),
    ) -> WrittenAnswer | None:
        """Write down what will be sent in answer to `message`, before it is sent, and return it.

        What is deferred in it is carried out in the same transaction: a process that dies has done all of it or
        nothing. `silent` ones say nothing, whatever comes of that. What it tells was read after `memory_epoch`, in a
        direct message perhaps in `own_guild_ids`. `None` if the claim was taken over meanwhile: then nothing was done,
        and nothing may be sent. Raises `ForgottenMeanwhileError` if something that it tells was forgotten or deleted
        since it was read.
        """

        guild_id, message_id, holder = message.guild_id, message.message_id, claim.holder
        told_before = Standing() if silent else answer.standing
        if answer.deferred is None and not own_guild_ids:
            told = _silenced(answer) if silent else answer
            if await self._database.write_one(
                repository.write_answer,
                guild_id=guild_id,
                message_id=message_id,
                holder=holder,
                written=as_new_answer(told),
                told=told_before,
                memory_epoch=memory_epoch,
            ):
                return told

        async def write(connection: Connection) -> WrittenAnswer | None:
            held = await repository.held_answer(
                connection, guild_id=guild_id, message_id=message_id, holder=holder
            )
            if held is None:
                return None
            if held.is_written:
                # The commit of the first try was lost on its way here, not what it wrote.
                return as_written(held)
            # Before the order: else whoever forgets it waits for what that writes, and that for them.
            if not await stands(
                connection,
                told_before,
                guild_id=guild_id,
                own_guild_ids=own_guild_ids,
                memory_epoch=memory_epoch,
            ):
                raise ForgottenMeanwhileError("an answer tells what is forgotten by now")
            told = await carry_out(connection, answer)
            told = _silenced(told) if silent else told
            await repository.write_answer(
                connection,
                guild_id=guild_id,
                message_id=message_id,
                holder=holder,
                written=as_new_answer(told),
            )
            return told

        try:
            written = await self._database.write(write)
        except ForgottenMeanwhileError:
            raise
        except KeepsakeError as error:
            return await self.write(
                message,
                claim,
                as_refused(answer, error),
                silent=silent,
                memory_epoch=memory_epoch,
                own_guild_ids=own_guild_ids,
            )
        if answer.deferred is not None:
            self._notify()
        return written

    async def carry_out(self, answer: WrittenAnswer, *, guild_id: int) -> WrittenAnswer:
        """Carry out what an answer defers, before something else is read, and return what is said then.

        What that tells must have its text still when it is written down.
        """
        if answer.deferred is None:
            return answer

        async def write(connection: Connection) -> WrittenAnswer:
            done = await carry_out(connection, answer)
            told = await with_text(connection, done.told, guild_id=guild_id)
            return replace(done, read_before=Standing.of_all([answer.standing, told]))

        try:
            done = await self._database.write(write)
        except KeepsakeError as error:
            return as_refused(answer, error)
        self._notify()
        return done

    async def as_it_stands(self, done: WrittenAnswer, *, guild_id: int) -> WrittenAnswer:
        """Return what is said of an order that was carried out, without a word if any of what it tells is gone."""
        left = await self._database.read(with_text, done.standing, guild_id=guild_id)
        if left.parameters == done.standing.parameters:
            return done
        return replace(_silenced(done), read_before=Standing())

    async def begin(
        self,
        message: Message,
        claim: Claim,
        shown: WrittenAnswer,
        *,
        memory_epoch: int,
        own_guild_ids: Sequence[int] = (),
    ) -> bool:
        """Write down what will be shown in answer to `message` before the answer is whole, with its nonce.

        Again for each longer beginning. `False` if nothing more may be shown: the claim was taken over, or something
        was forgotten since `memory_epoch` was read, or something that it tells lost its text, here or in
        `own_guild_ids`. Whoever takes the claim over finds what stands there.
        """
        begin = partial(
            repository_begun.begin_answer,
            guild_id=message.guild_id,
            message_id=message.message_id,
            holder=claim.holder,
            nonce=nonce_of(message.message_id),
            begun=as_new_answer(shown),
            memory_epoch=memory_epoch,
        )
        if not own_guild_ids:
            return await self._database.write_one(begin, told=shown.standing)

        async def begin_if_it_stands(connection: Connection) -> bool:
            return await stands(
                connection,
                shown.standing,
                guild_id=message.guild_id,
                own_guild_ids=own_guild_ids,
                memory_epoch=memory_epoch,
            ) and await begin(connection, told=Standing())

        return await self._database.write(begin_if_it_stands)

    async def note_begun(self, message: Message, claim: Claim, *, sent_ids: Sequence[int]) -> None:
        """Note in which messages the beginning of the answer to `message` stands."""
        await self._database.write_one(
            repository_begun.note_begun,
            guild_id=message.guild_id,
            message_id=message.message_id,
            holder=claim.holder,
            sent_ids=sent_ids,
        )

    async def rewrite(
        self,
        message: Message,
        answer: WrittenAnswer,
        *,
        silent: bool = False,
        memory_epoch: int | None = None,
        own_guild_ids: Sequence[int] = (),
    ) -> WrittenAnswer | None:
        """Write down what takes the place of the answer to `message`, which was edited, and return it.

        What is deferred in it is carried out in the same transaction. `None` if this version or a later one was
        answered before, or it is no edit; then nothing was done. Raises `ForgottenMeanwhileError` as `write` does.
        """
        edited_at = message.edited_at
        if edited_at is None:
            return None

        async def rewrite(connection: Connection) -> WrittenAnswer | None:
            where = {"guild_id": message.guild_id, "message_id": message.message_id}
            if not await repository.may_rewrite(connection, **where, edited_at=edited_at):
                return None
            if not silent and not await stands(
                connection,
                answer.standing,
                guild_id=message.guild_id,
                own_guild_ids=own_guild_ids,
                memory_epoch=memory_epoch,
            ):
                raise ForgottenMeanwhileError("an answer tells what is forgotten by now")
            told = await carry_out(connection, answer)
            told = _silenced(told) if silent else told
            await repository.rewrite_answer(
                connection, **where, edited_at=edited_at, written=as_new_answer(told)
            )
            return told

        try:
            written = await self._database.write(rewrite)
        except ForgottenMeanwhileError:
            raise
        except KeepsakeError as error:
            return await self.rewrite(
                message,
                as_refused(answer, error),
                silent=silent,
                memory_epoch=memory_epoch,
                own_guild_ids=own_guild_ids,
            )
        if answer.deferred is not None:
            self._notify()
        return written

    async def may_concern_bot(self, message: Message) -> bool:
        """Tell whether a message that does not call the bot may be for it, by where it was said and what it replies to.

        Only then `circumstances` can tell more. Read together for all messages that are heard at once.
        """
        return await self._concerned.of(message)

    async def _may_concern(self, messages: Sequence[Message]) -> Sequence[bool]:
        return await self._database.read(
            repository.may_concern_bot, messages, since=self._clock.now() - QUESTION_LIFE
        )

    async def circumstances(self, message: Message, *, with_question: bool) -> Circumstances:
        """Return what holds where `message` was said; what was asked back in the last five minutes `with_question`."""

        async def read(connection: Connection) -> Circumstances:
            found = await repository.surroundings(
                connection, message, since=self._clock.now() - QUESTION_LIFE
            )
            replied_to = await replied_to_by(connection, message)
            question = question_in(found.question, message) if with_question else None
            return Circumstances(found.place, found.kept, replied_to, question)

        return await self._database.read(read)

    async def has_settled(self, message: Message) -> bool:
        """Tell whether `message` settled what the bot had asked back, so that its command is another message's."""
        return await self._database.read(
            repository.has_settled_question,
            guild_id=message.guild_id,
            channel_id=message.channel_id,
            message_id=message.message_id,
            since=message.timestamp - 2 * QUESTION_LIFE,
        )

    async def settle(self, question: OpenQuestion, message: Message) -> bool:
        """Take `question` down, which `message` answers, whose answer is claimed; `False` if another one did so."""
        return await self._database.write_one(
            repository.settle_question,
            guild_id=message.guild_id,
            message_id=question.asked_by_id,
            settled_by=message.message_id,
        )

    async def to_message(self, *, guild_id: int, message_id: int) -> Answer | None:
        """Return the answer to a message, or `None` if there is none."""
        return await self._database.read(repository.answer_to, guild_id=guild_id, message_id=message_id)

    async def sent_as(self, message: Message) -> Answer | None:
        """Return the answer of which a message of the bot's is a part, or the whole."""
        return await self._database.read(
            repository.answer_sent_as,
            guild_id=message.guild_id,
            channel_id=message.channel_id,
            sent_id=message.message_id,
        )

    async def last_write(
        self, message: Message, *, replied_to: Message | None, or_told: bool = False
    ) -> Answer | None:
        """Return the answer whose write `message` corrects: the one replied to, else the author's last one here.

        With `or_told` also one that told the author a single fact, or knew none.
        """
        if replied_to is not None and replied_to.reply_to_id is not None:
            told = await self.to_message(guild_id=message.guild_id, message_id=replied_to.reply_to_id)
            if told is not None and (told.fact_ids or (or_told and len(told.memory_ids) == 1)):
                return told
        return await self._last(AnswerKind.WROTE_OR_TOLD if or_told else AnswerKind.WROTE, message)

    async def last_write_of_others(self, message: Message) -> Answer | None:
        """Return the answer by which somebody else than the author of `message` last wrote facts in its channel."""
        return await self._last(AnswerKind.OTHERS_WROTE, message)

    async def last_listed(self, message: Message) -> Answer | None:
        """Return the answer that last told the author of `message` several facts in its channel."""
        return await self._last(AnswerKind.LISTED, message)

    async def last_was_forgetting(self, message: Message) -> bool:
        """Tell whether its author had something forgotten here after the last write that a correction would find."""
        last = await self._last(AnswerKind.WROTE_OR_FORGOT, message)
        return last is not None and last.route == "forget"

    async def _last(self, kind: AnswerKind, message: Message) -> Answer | None:
        """Return the last answer of a kind in the channel of `message` that a correction by it would find."""
        return await self._database.read(
            repository.last_answer,
            kind,
            guild_id=message.guild_id,
            channel_id=message.channel_id,
            user_id=message.user_id,
            before_message_id=message.message_id,
            since=message.timestamp - CORRECTION_LIFE,
        )

    async def said_lately(self, message: Message, *, texts: Sequence[str], within: timedelta) -> bool:
        """Tell whether one of `texts` was the answer to something in the channel of `message` within this time."""
        return await self._database.read(
            repository.was_said_since,
            guild_id=message.guild_id,
            channel_id=message.channel_id,
            texts=texts,
            since=self._clock.now() - within,
        )
