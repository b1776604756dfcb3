"""What the bot is answering and has answered, so that no message is answered twice and corrections find their write."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final
from uuid import UUID, uuid4

from cachetools import TTLCache

from bot.clock import Clock
from bot.domain import Message, MessageKind, Withheld
from bot.memory.written import OpenQuestion, WrittenAnswer, stored
from bot.store import answers, history, places, questions, sending, standing
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


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What holds where a message was said, before anything is answered."""

    place: Place
    replied_to: Message | None
    """The message that it replies to, if that was heard."""
    question: OpenQuestion | None
    """What the bot asked its author there, if still open."""


async def _replied_to(connection: Connection, message: Message) -> Message | None:
    """Return the message that one replies to; nothing that it says if nothing is kept of whoever said it."""
    if message.reply_to_id is None:
        return None
    found = await history.message(connection, guild_id=message.guild_id, message_id=message.reply_to_id)
    if found is None or found.kind is MessageKind.BOT:
        return found
    if not await standing.absent(connection, guild_id=message.guild_id, user_ids=[found.user_id]):
        return found
    return replace(found, text="", attachments=(), withheld=Withheld.OPTED_OUT)


class Answers:
    """The bot's answers, stored."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
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

    async def write(self, message: Message, claim: Claim, answer: WrittenAnswer) -> bool:
        """Write down what will be sent in answer to `message`, before it is sent.

        `False` if the claim was taken over meanwhile: then nothing may be sent.
        """
        return await self._database.write(
            lambda connection: answers.write(
                connection,
                guild_id=message.guild_id,
                message_id=message.message_id,
                holder=claim.holder,
                written=stored(answer),
            )
        )

    async def rewrite(self, message: Message, answer: WrittenAnswer) -> bool:
        """Write down what takes the place of the answer to `message`, which was edited.

        `False` if this version or a later one was answered before, or it is no edit.
        """
        edited_at = message.edited_at
        if edited_at is None:
            return False
        return await self._database.write(
            lambda connection: answers.rewrite(
                connection,
                guild_id=message.guild_id,
                message_id=message.message_id,
                edited_at=edited_at,
                written=stored(answer),
            )
        )

    async def circumstances(self, message: Message, *, with_question: bool) -> Circumstances:
        """Return what holds where `message` was said; what was asked back only `with_question`."""

        async def read(connection: Connection) -> Circumstances:
            place = await places.place(connection, guild_id=message.guild_id, channel_id=message.channel_id)
            replied_to = await _replied_to(connection, message)
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
            since=self._clock.now() - QUESTION_LIFE,
        )
        if asked is None or asked.question is None:
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
        """Take `question` down, which `message` answers; `False` if another message did so before."""
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
                since=self._clock.now() - CORRECTION_LIFE,
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
