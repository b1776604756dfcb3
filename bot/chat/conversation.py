"""The entry point of chat: one message in, one answer or none out."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from itertools import chain, repeat
from typing import Final, TypeAlias
from weakref import WeakValueDictionary

from cachetools import TTLCache

from bot.chat import correcting, dispatch
from bot.chat.attention import AttendedMessage, Attention, called_in, gives_order, is_other_bot
from bot.chat.handlers import route_of
from bot.chat.incoming import IncomingMessage, MessageOutcome, Route
from bot.chat.pipeline import EDIT_LIFE, Responder, is_put_right, outcome_of
from bot.chat.privacy import DataPractice
from bot.chat.turn import MemoryAccess
from bot.core.clock import Clock
from bot.core.domain import Fact, FactStatus, Language, Message, MessageKind
from bot.core.errors import DatabaseError, DatabaseUnavailableError
from bot.core.log import trace
from bot.core.settings import Settings
from bot.llm.operation import Operations
from bot.memory.manager import MemoryManager
from bot.memory.members.directory import Directory
from bot.memory.outbox.answers import WrittenAnswer
from bot.memory.outbox.repository import Answer
from bot.memory.policy.permissions import may_undo
from bot.memory.recall.library import Library
from bot.text.sentences import say

logger = logging.getLogger(__name__)


_REPLACEABLE: Final = frozenset({Route.REMEMBER, Route.CORRECT})
_WITHOUT_A_WORD: Final = "silent"
"""The state of an answer that says nothing."""


class Editing:
    """Follows the edits of commands that the responder has answered."""

    def __init__(
        self, access: MemoryAccess, clock: Clock, responder: Responder, attention: Attention
    ) -> None:
        self._access = access
        self._clock = clock
        self._responder = responder
        self._attention = attention

    def may_change(self, hearing: IncomingMessage) -> bool:
        """Tell whether this version of a message may change more than the log."""
        message = hearing.message
        return message.kind is MessageKind.MEMBER and is_put_right(
            said_at=message.timestamp, edited_at=message.edited_at
        )

    async def edited(self, hearing: IncomingMessage) -> MessageOutcome | None:
        """Return what takes the place of the answer to a message; `None` if that stands as it is."""
        answer = await self._replaceable(hearing.message)
        if answer is None:
            return None
        guild_id = hearing.message.guild_id
        wrote = await self._access.memory.facts_with_ids(guild_id=guild_id, fact_ids=answer.fact_ids)
        standing = [fact for fact in wrote if fact.status is FactStatus.ACTIVE]
        heard = await self._responder.heard(hearing)
        # What was forgotten, undone or corrected since is no longer this command's.
        if heard is None or (wrote and not standing) or not self._attention.keeps_pace(hearing):
            return None
        if not await self._may_change(hearing, standing):
            return None
        return await self._rewritten(hearing, heard, answer, standing)

    async def _rewritten(
        self, hearing: IncomingMessage, heard: AttendedMessage, answer: Answer, standing: Sequence[Fact]
    ) -> MessageOutcome | None:
        turn = replace(
            await self._responder.turn_of(hearing, heard),
            edited=True,
            undoes=frozenset(fact.fact_id for fact in standing),
        )
        written = None
        if heard.is_for_bot:
            written = await dispatch.rewrite_edited(turn, self._access, self._responder.mind_for(hearing))
        if written is None and not standing:
            return None
        if written is None:
            text = turn.say("chat.taken_back_by_edit")
            written = WrittenAnswer(route=answer.route, parts=(text,))
        # Where the confirmation would tell what no longer holds, it is put right; nothing else is said late.
        is_silent = answer.state == _WITHOUT_A_WORD or (self._is_late(turn.message) and not standing)
        kept = await self._access.memory.answers.rewrite(
            turn.message, self._instead_of(standing, written), silent=is_silent
        )
        if kept is None:
            return None
        return replace(outcome_of(turn, kept), replaces=() if is_silent else answer.sent_ids)

    def _is_late(self, message: Message) -> bool:
        return message.edited_at is not None and self._clock.now() - message.edited_at > EDIT_LIFE

    def _instead_of(self, standing: Sequence[Fact], written: WrittenAnswer) -> WrittenAnswer:
        """Return `written` with what the command wrote before taken back in the same transaction, first of all."""
        if not standing:
            return written
        fact_ids = [fact.fact_id for fact in standing]
        undoing = self._access.memory.taking_back(guild_id=standing[0].guild_id, fact_ids=fact_ids)
        if written.deferred is None:
            return replace(written, parts=(), deferred=undoing.then(lambda _: written))
        deferred = undoing.beside(written.deferred).then(lambda done: done[1])
        return replace(written, deferred=replace(deferred, refused=written.deferred.refused))

    async def _may_change(self, hearing: IncomingMessage, standing: Sequence[Fact]) -> bool:
        """Tell whether what a command wrote is its author's to take back."""
        guild = await self._access.directory.guild(hearing.message.guild_id)
        return all(
            may_undo(
                guild,
                fact,
                user_id=hearing.message.user_id,
                from_moderator=hearing.from_moderator,
                asked_for_it=True,
            )
            for fact in standing
        )

    async def _replaceable(self, message: Message) -> Answer | None:
        """Return the answer to a command that remembered or corrected, if this version of it is a new one."""
        answers = self._access.memory.answers
        answer = await answers.to_message(guild_id=message.guild_id, message_id=message.message_id)
        if answer is None or answer.route not in _REPLACEABLE or answer.settled_by is not None:
            return None
        if message.edited_at is None or (
            answer.edited_at is not None and answer.edited_at >= message.edited_at
        ):
            return None
        kept = await self._access.library.message(guild_id=message.guild_id, message_id=message.message_id)
        is_newest = kept is not None and kept.withheld is None and kept.text == message.text
        if not is_newest or await answers.has_settled(message):
            return None
        return answer


_Author: TypeAlias = tuple[int, int]


class AuthorOrder:
    """The commands that write and are under way, by guild and author."""

    def __init__(self) -> None:
        self._under_way: dict[_Author, dict[int, asyncio.Event]] = {}
        self._begun: dict[_Author, int] = {}

    @contextlib.asynccontextmanager
    async def entered(self, message: Message, *, writes: bool) -> AsyncIterator[None]:
        """Let later commands of the author wait for this one, which is a command that `writes`, until the end."""
        if not writes:
            yield
            return
        author = (message.guild_id, message.user_id)
        mine = self._under_way.setdefault(author, {})
        done = mine.setdefault(message.message_id, asyncio.Event())
        try:
            yield
        finally:
            done.set()
            mine.pop(message.message_id, None)
            if self._begun.get(author) == message.message_id:
                del self._begun[author]
            if not mine:
                self._under_way.pop(author, None)

    async def turn(self, message: Message) -> None:
        """Return when no earlier command of the author is under way.

        For a command that writes also when no later one is that has begun: what is read back may come after it, and
        either has to see what the other did.
        """
        author = (message.guild_id, message.user_id)
        while waits_for := self._before(author, message.message_id):
            await waits_for[0].wait()
        if message.message_id in self._under_way.get(author, {}):
            self._begun[author] = message.message_id

    def _before(self, author: _Author, message_id: int) -> list[asyncio.Event]:
        others = self._under_way.get(author, {})
        begun = self._begun.get(author) if message_id in others else None
        return [
            done for one, done in others.items() if one < message_id or (one == begun and one != message_id)
        ]


SENDING_SECONDS: Final = 10.0
"""Real seconds that an edit waits for the answer to be sent; a face that takes longer has failed to send it."""

_MOST_UNSENT: Final = 10_000


class PendingAnswers:
    """One message is answered by one task at a time."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[tuple[int, int], asyncio.Lock] = WeakValueDictionary()
        self._unsent: TTLCache[tuple[int, int], asyncio.Event] = TTLCache(_MOST_UNSENT, SENDING_SECONDS)

    @contextlib.asynccontextmanager
    async def alone(self, message: Message) -> AsyncIterator[None]:
        """Be the only one who is busy with `message`, waiting for whoever is."""
        async with self._locks.setdefault((message.guild_id, message.message_id), asyncio.Lock()):
            yield

    def is_to_be_sent(self, message: Message) -> None:
        """Note that an answer to `message` was handed to the face."""
        self._unsent[message.guild_id, message.message_id] = asyncio.Event()

    def is_sent(self, *, guild_id: int, message_id: int) -> None:
        """Note that the face has sent the answer to a message."""
        sent = self._unsent.pop((guild_id, message_id), None)
        if sent is not None:
            sent.set()

    async def until_sent(self, message: Message) -> None:
        """Wait until the answer to `message`, if there is one on its way, is sent or will not be."""
        unsent = self._unsent.get((message.guild_id, message.message_id))
        if unsent is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(SENDING_SECONDS):
                    await unsent.wait()


_PAUSES_SECONDS: Final = (0.5, 1.0, 2.0, 5.0, 15.0)
"""Real seconds between tries to follow an edit while the database is away; the last again and again."""


class Conversation:
    """Hears messages and answers those that are for the bot."""

    def __init__(
        self,
        memory: MemoryManager,
        directory: Directory,
        library: Library,
        clock: Clock,
        settings: Settings,
        operations: Operations,
    ) -> None:
        self._access = MemoryAccess(memory, directory, library)
        self._clock = clock
        self._attention = Attention(clock, answer_bots=settings.answer_bots)
        self._responder = Responder(
            self._access,
            clock,
            operations,
            self._attention,
            time_zone=settings.time_zone,
            practice=DataPractice.of(settings),
        )
        self._editing = Editing(self._access, clock, self._responder, self._attention)
        self._under_way = PendingAnswers()
        self._in_order = AuthorOrder()

    async def hear(self, hearing: IncomingMessage) -> MessageOutcome:
        """Store a message durably and, if it is for the bot, return the answer, which is stored before it is sent.

        The face sends it and then calls `delivered`. A message that was answered before, in this process or
        another, gets no second answer.
        """
        async with self._in_order.entered(hearing.message, writes=gives_order(hearing)):
            return await self._answered(hearing)

    async def _answered(self, hearing: IncomingMessage) -> MessageOutcome:
        message = await self._stored(hearing)
        hearing = replace(hearing, message=message)
        if message.withheld is not None:
            hearing = replace(hearing, images=())
        if not self._attention.listens(hearing):
            return _nothing(message)
        try:
            await self._in_order.turn(message)
            async with self._under_way.alone(message):
                outcome = await self._responder.answer(hearing) or _nothing(message)
                if outcome.text is not None:
                    self._under_way.is_to_be_sent(message)
                return outcome
        except Exception as error:
            # Whatever it is, somebody may wait for an answer, and the next message must not be lost over it.
            logger.error("message %d could not be answered: %s", message.message_id, trace(error))
            return _failed(hearing, error)

    async def _stored(self, hearing: IncomingMessage) -> Message:
        """Return the message of `hearing` as it is stored, once it is durable."""
        if not hearing.is_taken:
            message = hearing.message
            message = await self._access.memory.ingest_message(
                replace(message, from_visitor=message.from_visitor or hearing.visitor)
            )
        else:
            await self._access.memory.settled()
            message = hearing.message
        return await self._repeatable(message)

    async def _repeatable(self, message: Message) -> Message:
        """Return `message`, a forward without what it repeats if that is withheld where it was said."""
        if message.forwarded is None:
            return message
        kept = await self._access.library.message(guild_id=message.guild_id, message_id=message.message_id)
        if kept is None or kept.withheld is None:
            return message
        return replace(message, text="", attachments=(), withheld=kept.withheld)

    async def hear_edit(self, hearing: IncomingMessage) -> MessageOutcome:
        """Store a later version of a message durably.

        A command that remembers or corrects and is edited within five minutes, whenever that is heard, replaces what
        it wrote, and takes it back if it is no such command any more: the outcome then takes the place of the
        confirmation, and is delivered as any other. Nothing else is done. While the database is away this waits.
        """
        message = await self._access.memory.ingest_message(hearing.message)
        hearing = replace(hearing, message=message)
        if not self._editing.may_change(hearing):
            return _nothing(message)
        try:
            return await self._followed(hearing) or _nothing(message)
        except Exception as error:
            # Nothing was promised, so nothing is said; heard again, the edit is carried out to its end.
            logger.error("the edit of message %d was not followed: %s", message.message_id, trace(error))
            return _nothing(message)

    async def _followed(self, hearing: IncomingMessage) -> MessageOutcome | None:
        """Follow an edit that is stored: nobody hears it again for an outage that comes in between."""
        pauses = chain(_PAUSES_SECONDS, repeat(_PAUSES_SECONDS[-1]))
        while True:
            try:
                async with self._under_way.alone(hearing.message):
                    await self._under_way.until_sent(hearing.message)
                    return await self._editing.edited(hearing)
            except DatabaseUnavailableError as error:
                logger.info("the edit of message %d waits: %s", hearing.message.message_id, trace(error))
                await asyncio.sleep(next(pauses))

    async def unsent(self, hearing: IncomingMessage) -> MessageOutcome | None:
        """Return the answer to a message that is stored, if it stays written; the face sends it as any other.

        `None` if there is none to be sent. Only for who is alone with the channel. Raises `DatabaseError`.
        """
        async with self._under_way.alone(hearing.message):
            outcome = await self._responder.unsent(hearing)
        if outcome is None or outcome.text is not None:
            return outcome
        await self.given_up(guild_id=outcome.guild_id, message_id=outcome.message_id)
        return None

    async def given_up(self, *, guild_id: int, message_id: int) -> None:
        """Take note that the answer to a message will never be sent. Raises `DatabaseError`."""
        await self._access.memory.turns.sent(guild_id=guild_id, message_id=message_id, sent_ids=[])

    async def undo(
        self,
        *,
        guild_id: int,
        channel_id: int,
        message_id: int,
        user_id: int,
        from_moderator: bool,
        language: Language,
    ) -> str:
        """Take back what the answer to a message wrote, and return what to say.

        Guild and channel are those in which it is asked for; nothing said elsewhere is meant. Who told it, whom it is
        about and moderators may do so. Raises `DatabaseError`.
        """
        return await correcting.undo_answer(
            self._access,
            guild_id=guild_id,
            channel_id=channel_id,
            message_id=message_id,
            user_id=user_id,
            from_moderator=from_moderator,
            language=language,
        )

    async def delivered(self, outcome: MessageOutcome, *, sent: Sequence[Message]) -> None:
        """Store the messages in which an answer was sent, and that it was; of one message the text with ids."""
        if len(sent) == 1:
            sent = [replace(sent[0], text=outcome.kept_text)]
        # Where nothing can be referred to it is an answer all the same, and kept only if what it answers is.
        sent = [
            replace(message, reply_to_id=message.reply_to_id or outcome.message_id) if place == 0 else message
            for place, message in enumerate(sent)
        ]
        if outcome.replaces:
            # Without a time of its own a shorter text would not be taken for the later one.
            now = self._clock.now()
            sent = [replace(message, edited_at=message.edited_at or now) for message in sent]
        await self._access.memory.ingest_messages(sent)
        await self._access.memory.turns.sent(
            guild_id=outcome.guild_id,
            message_id=outcome.message_id,
            sent_ids=[message.message_id for message in sent],
        )
        self._under_way.is_sent(guild_id=outcome.guild_id, message_id=outcome.message_id)


def _nothing(message: Message) -> MessageOutcome:
    return MessageOutcome(guild_id=message.guild_id, message_id=message.message_id, route=Route.NONE)


def _failed(hearing: IncomingMessage, error: Exception) -> MessageOutcome:
    """Return what is said when an answer was impossible, to whom called the bot at least."""
    message = hearing.message
    said = called_in(hearing)
    if said is None or hearing.late or is_other_bot(hearing):
        return _nothing(message)
    text = say(
        "chat.database_away" if isinstance(error, DatabaseError) else "chat.failed", Language.of(said.text)
    )
    return MessageOutcome(
        guild_id=message.guild_id,
        message_id=message.message_id,
        route=route_of(said.command),
        text=text,
        kept_text=text,
    )
