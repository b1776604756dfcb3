"""What the bot is answering and has answered, so that no message is answered twice and corrections find their write."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final
from uuid import UUID, uuid4

from cachetools import TTLCache

from bot.clock import Clock
from bot.domain import Message
from bot.errors import KeepsakeError
from bot.memory.circumstances import Circumstances, replied_to_by
from bot.memory.written import (
    Claim,
    OpenQuestion,
    WrittenAnswer,
    as_written,
    carried_out,
    hold_told,
    refused,
    stored,
)
from bot.store import answers, answers_edited, places, questions, sending
from bot.store.answers import Answer
from bot.store.database import Connection, Database
from bot.store.places import Place
from bot.store.sending import Unsent

__all__ = [
    "Answer",
    "Answers",
    "Circumstances",
    "Claim",
    "OpenQuestion",
    "Place",
    "Unsent",
    "WrittenAnswer",
]

LEASE: Final = timedelta(seconds=60)
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
        self._claims: TTLCache[UUID, bool] = TTLCache(_MOST_CLAIMS, LEASE.total_seconds())
        """The holders of this process, who are alive."""

    async def claim(self, message: Message, *, alone: bool = False) -> Claim | None:
        """Claim the answer to `message`; `None` if somebody else answers or has answered it.

        Who is `alone` with the channel takes a claim over at once that was made by another process.
        """
        holder = self._holder()
        living = tuple(self._claims) if alone else None
        begun = await self._database.write(
            lambda connection: answers.claim(
                connection,
                guild_id=message.guild_id,
                message_id=message.message_id,
                channel_id=message.channel_id,
                user_id=message.user_id,
                holder=holder,
                lease=LEASE,
                edited_at=message.edited_at,
                now=self._clock.now(),
                living=living,
            )
        )
        return None if begun is None else Claim(holder, begun)

    async def take_over(self, message: Message) -> Claim | None:
        """Claim an answer to `message` that was written down and not sent; `None` if there is none.

        Another process wrote it, or its lease has run out. Only for who is alone with the channel.
        """
        holder, living = self._holder(), tuple(self._claims)
        begun = await self._database.write(
            lambda connection: answers.take_over(
                connection,
                guild_id=message.guild_id,
                message_id=message.message_id,
                holder=holder,
                lease=LEASE,
                living=living,
            )
        )
        return None if begun is None else Claim(holder, begun)

    def _holder(self) -> UUID:
        holder = uuid4()
        self._claims[holder] = True
        return holder

    async def unsent(
        self, *, guild_ids: Sequence[int], with_direct: bool, overdue: timedelta, within: timedelta, most: int
    ) -> Sequence[Unsent]:
        """Return answers that stay written for longer than `overdue` in real time, at most `most`, oldest first.

        They are of these guilds, and `with_direct` of direct messages; begun `within` this time.
        """
        return await self._database.read(
            lambda connection: sending.unsent(
                connection,
                guild_ids=guild_ids,
                with_direct=with_direct,
                unleased_for=overdue - LEASE,
                since=self._clock.now() - within,
                most=most,
            )
        )

    async def write(
        self, message: Message, claim: Claim, answer: WrittenAnswer, *, silent: bool = False
    ) -> WrittenAnswer | None:
        """Write down what will be sent in answer to `message`, before it is sent, and return it.

        What is deferred in it is carried out in the same transaction: a process that dies has done all of it or
        nothing. `silent` ones say nothing, whatever comes of that. `None` if the claim was taken over meanwhile: then
        nothing was done, and nothing may be sent. Raises `ForgottenMeanwhileError` if a fact that it tells was
        forgotten since it was read.
        """

        async def write(connection: Connection) -> WrittenAnswer | None:
            where = {"guild_id": message.guild_id, "message_id": message.message_id}
            if not silent:
                await hold_told(connection, answer, guild_id=message.guild_id)
            held = await answers.held(connection, **where, holder=claim.holder)
            if held is None:
                return None
            if held.is_written:
                # The commit of the first try was lost on its way here, not what it wrote.
                return as_written(held)
            told = await carried_out(connection, answer)
            told = replace(told, parts=(), question=None) if silent else told
            await answers.write(connection, **where, holder=claim.holder, written=stored(told))
            return told

        try:
            written = await self._database.write(write)
        except KeepsakeError as error:
            return await self.write(message, claim, refused(answer, error), silent=silent)
        if answer.deferred is not None:
            self._notify()
        return written

    async def rewrite(
        self, message: Message, answer: WrittenAnswer, *, silent: bool = False
    ) -> WrittenAnswer | None:
        """Write down what takes the place of the answer to `message`, which was edited, and return it.

        What is deferred in it is carried out in the same transaction. `None` if this version or a later one was
        answered before, or it is no edit; then nothing was done.
        """
        edited_at = message.edited_at
        if edited_at is None:
            return None

        async def rewrite(connection: Connection) -> WrittenAnswer | None:
            where = {"guild_id": message.guild_id, "message_id": message.message_id}
            if not await answers_edited.may_rewrite(connection, **where, edited_at=edited_at):
                return None
            told = await carried_out(connection, answer)
            told = replace(told, parts=(), question=None) if silent else told
            await answers_edited.rewrite(connection, **where, edited_at=edited_at, written=stored(told))
            return told

        try:
            written = await self._database.write(rewrite)
        except KeepsakeError as error:
            return await self.rewrite(message, refused(answer, error), silent=silent)
        if answer.deferred is not None:
            self._notify()
        return written

    async def circumstances(self, message: Message, *, with_question: bool) -> Circumstances:
        """Return what holds where `message` was said; what was asked back only `with_question`."""

        async def read(connection: Connection) -> Circumstances:
            place = await places.place(connection, guild_id=message.guild_id, channel_id=message.channel_id)
            replied_to = await replied_to_by(connection, message)
            question = await self._open_question(connection, message) if with_question else None
            return Circumstances(place, replied_to, question)

        return await self._database.read(read)

    async def open_question(self, message: Message) -> OpenQuestion | None:
        """Return what the bot asked this author in this channel in the last five minutes, if still open."""
        return await self._database.read(lambda connection: self._open_question(connection, message))

    async def _open_question(self, connection: Connection, message: Message) -> OpenQuestion | None:
        asked = await questions.open_question(
            connection,
            guild_id=message.guild_id,
            channel_id=message.channel_id,
            user_id=message.user_id,
            message_id=message.message_id,
            since=self._clock.now() - QUESTION_LIFE,
        )
        if asked is None:
            return None
        if asked.message_id == message.message_id and asked.is_written:
            return OpenQuestion(asked_by_id=asked.message_id, is_answered=True, text="")
        if asked.question is None:
            return None
        return OpenQuestion(asked_by_id=asked.message_id, **json.loads(asked.question))

    async def has_settled(self, message: Message) -> bool:
        """Tell whether `message` settled what the bot had asked back, so that its command is another message's."""
        return await self._database.read(
            lambda connection: questions.has_settled(
                connection,
                guild_id=message.guild_id,
                channel_id=message.channel_id,
                message_id=message.message_id,
                since=message.timestamp - 2 * QUESTION_LIFE,
            )
        )

    async def settle(self, question: OpenQuestion, message: Message) -> bool:
        """Take `question` down, which `message` answers, whose answer is claimed; `False` if another one did so."""
        return await self._database.write(
            lambda connection: questions.settle(
                connection,
                guild_id=message.guild_id,
                message_id=question.asked_by_id,
                settled_by=message.message_id,
            )
        )

    async def to_message(self, *, guild_id: int, message_id: int) -> Answer | None:
        """Return the answer to a message, or `None` if there is none."""
        return await self._database.read(
            lambda connection: answers.to_message(connection, guild_id=guild_id, message_id=message_id)
        )

    async def sent_as(self, message: Message) -> Answer | None:
        """Return the answer of which a message of the bot's is a part, or the whole."""
        return await self._database.read(
            lambda connection: answers.sent_as(
                connection,
                guild_id=message.guild_id,
                channel_id=message.channel_id,
                sent_id=message.message_id,
            )
        )

    async def last_write(self, message: Message, *, replied_to: Message | None) -> Answer | None:
        """Return the answer whose write `message` corrects: the one replied to, else the author's last one here."""

        async def read(connection: Connection) -> Answer | None:
            if replied_to is not None and replied_to.reply_to_id is not None:
                told = await answers.to_message(
                    connection, guild_id=message.guild_id, message_id=replied_to.reply_to_id
                )
                if told is not None and told.fact_ids:
                    return told
            return await answers.last_write(
                connection,
                guild_id=message.guild_id,
                channel_id=message.channel_id,
                user_id=message.user_id,
                before_message_id=message.message_id,
                since=message.timestamp - CORRECTION_LIFE,
            )

        return await self._database.read(read)

    async def said_lately(self, message: Message, *, texts: Sequence[str], within: timedelta) -> bool:
        """Tell whether one of `texts` was the answer to something in the channel of `message` within this time."""
        return await self._database.read(
            lambda connection: answers.said_since(
                connection,
                guild_id=message.guild_id,
                channel_id=message.channel_id,
                texts=texts,
                since=self._clock.now() - within,
            )
        )
