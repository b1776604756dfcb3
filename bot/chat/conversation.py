"""The entry point of chat: one message in, one answer or none out."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import chain, repeat
from typing import Final

from bot.chat import dispatch, editing, questions
from bot.chat.attention import (
    AttendedMessage,
    Attention,
    AuthorOrder,
    PendingAnswers,
    called_in,
    gives_order,
    is_other_bot,
)
from bot.chat.dispatch import SettledQuestion, route_of, routes_of
from bot.chat.incoming import WRITES, IncomingMessage, MessageOutcome, Route
from bot.chat.privacy import DataPractice
from bot.chat.questions import LONGEST_CHOICE, ChosenAnswer, chosen_answer
from bot.chat.reply import ReplyContext, images_for
from bot.chat.sources import may_still_be_told
from bot.chat.streaming import StreamedReply
from bot.chat.turn import MemoryAccess, Turn, turn_of, with_sought
from bot.core.clock import Clock
from bot.core.domain import OPEN, Message, MessageKind
from bot.core.errors import DatabaseError, DatabaseUnavailableError, ForgottenMeanwhileError
from bot.core.log import trace
from bot.core.metering import Meter, ReplySent
from bot.core.settings import Settings
from bot.llm.operation import Operations
from bot.memory.manager import MemoryManager
from bot.memory.members.directory import Directory
from bot.memory.outbox.answers import Claim, WrittenAnswer, as_written
from bot.memory.outbox.circumstances import OpenQuestion
from bot.memory.recall.library import Library
from bot.text.commands import Parsed
from bot.text.grammar.understanding import understood
from bot.text.sentences import ABROAD, say, speech_of

logger = logging.getLogger(__name__)


SENT_LATE: Final = timedelta(minutes=5)
"""How old a message may be whose answer, written down by a process that died, is still sent."""


_TRIES: Final = 3
"""How often an answer is found at most, where what it tells is forgotten before it is written down."""

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
        *,
        meter: Meter | None = None,
    ) -> None:
        self._meter = meter or Meter()
        self._access = MemoryAccess(memory, directory, library)
        self._answers = memory.answers
        self._clock = clock
        self._operations = operations
        self._time_zone = settings.time_zone
        self._practice = DataPractice.of(settings)
        self._streams = settings.stream_replies
        self._attention = Attention(clock, answer_bots=settings.answer_bots)
        self._under_way = PendingAnswers()
        self._in_order = AuthorOrder()

    async def hear(self, hearing: IncomingMessage) -> MessageOutcome:
        """Store a message durably and, if it is for the bot, return the answer, which is stored before it is sent.

        The face sends it and then calls `delivered`. A message that was answered before, in this process or
        another, gets no second answer.
        """
        heard_at = time.monotonic()
        async with self._in_order.entered(hearing.message, writes=gives_order(hearing)):
            return replace(await self._heard_in_order(hearing), heard_at=heard_at)

    async def overhears(self, message: Message) -> bool:
        """Tell whether a message that does not call the bot is none of its business, once it is durable.

        Most of what is said is so, and costs no more than this. `message` is taken by the memory, and a forward or
        a bot's is always for `hear`. Raises `DatabaseUnavailableError` if the writer ended before it was durable.
        """
        if message.kind is not MessageKind.MEMBER or message.forwarded is not None:
            return False
        await self._access.memory.settled()
        self._attention.member_spoke(message)
        await self._in_order.turn(message)
        try:
            return not await self._answers.may_concern_bot(message)
        except DatabaseError:
            # Whoever hears it asks again, and knows what to say if that fails as well.
            return False

    async def _heard_in_order(self, hearing: IncomingMessage) -> MessageOutcome:
        message = await self._stored(hearing)
        hearing = replace(hearing, message=message)
        if message.withheld is not None:
            hearing = replace(hearing, images=())
        if not self._attention.listens(hearing):
            return _nothing(message)
        try:
            await self._in_order.turn(message)
            async with self._under_way.alone(message):
                outcome = await self._answer(hearing) or _nothing(message)
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
            await self._access.memory.settled(hurry=called_in(hearing) is not None)
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
        if not editing.may_change(message):
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
                    return await self._edited(hearing)
            except DatabaseUnavailableError as error:
                logger.info("the edit of message %d waits: %s", hearing.message.message_id, trace(error))
                await asyncio.sleep(next(pauses))

    async def _edited(self, hearing: IncomingMessage) -> MessageOutcome | None:
        """Return what takes the place of the answer to a message; `None` if that stands as it is."""
        command = await editing.edited_command(hearing, self._access)
        heard = None if command is None else await self._attended(hearing)
        if command is None or heard is None or not self._attention.keeps_pace(hearing):
            return None
        turn = command.in_turn(await self._turn_of(hearing, heard))

        async def rewritten() -> MessageOutcome | None:
            written = None
            if heard.is_for_bot:
                written = await dispatch.rewrite_edited(turn, self._access, self._context_of(hearing))
            return await editing.rewritten(turn, command, written, self._access, now=self._clock.now())

        return await _unless_forgotten(rewritten)

    async def unsent(self, hearing: IncomingMessage) -> MessageOutcome | None:
        """Return the answer to a message that is stored, if it stays written; the face sends it as any other.

        `None` if there is none to be sent. Only for who is alone with the channel. Raises `DatabaseError`.
        """
        async with self._under_way.alone(hearing.message):
            begun = await self._answers.take_over(hearing.message)
            if begun is None:
                return None
            heard = await self._attended(hearing)
            outcome = None if heard is None else await self._taken_over(hearing, heard, begun)
        if outcome is None or outcome.text is None:
            # Where the bot is to be silent by now, nothing is wanted any more.
            await self.given_up(guild_id=hearing.message.guild_id, message_id=hearing.message.message_id)
            return None
        return outcome

    async def given_up(self, *, guild_id: int, message_id: int) -> None:
        """Take note that the answer to a message will never be sent. Raises `DatabaseError`."""
        await self._access.memory.turns.sent(guild_id=guild_id, message_id=message_id, sent_ids=[])

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
        if sent and outcome.heard_at:
            seconds = time.monotonic() - outcome.heard_at
            self._meter.note(ReplySent(route=outcome.route, degraded=outcome.degraded, seconds=seconds))

    async def _answer(self, hearing: IncomingMessage) -> MessageOutcome | None:
        """Return the answer to a message that is stored; `None` if it gets none."""
        heard = await self._wanted(hearing)
        if heard is None:
            return None
        newest = editing.newest(hearing, heard.circumstances.kept)
        if newest is not hearing:
            hearing, heard = newest, await self._wanted(newest)
        if heard is None:
            return None
        if hearing.late:
            return await self._carried_out_late(hearing, heard)
        if is_other_bot(hearing):
            return await self._answer_to_bot(hearing, heard)
        if _corrects(heard) and hearing.read_later is not None and hearing.read_later():
            # What it corrects may have been said before and be read only now.
            return None
        turn, chosen = await self._begun(hearing, heard)
        if chosen is None and not heard.is_for_bot:
            return None
        claim = await self._answers.claim(hearing.message, alone=hearing.alone)
        if claim is None or claim.unsent:
            return None if claim is None else await self._left_behind(turn, claim)
        # What was answered before is heard again after a start, and wins no claim: it counts for no pace.
        if heard.is_for_bot and not claim.begun.is_begun and not self._attention.keeps_pace(hearing):
            return await self._slowed_down(hearing, heard, turn, claim)
        settled = await self._settled(turn, heard.circumstances.question, chosen)
        if settled is None and not heard.is_for_bot:
            return await self._kept(turn, claim, WrittenAnswer(route=Route.NONE))
        return _noticed(_in_place(await self._told(hearing, turn, settled, claim), claim), heard)

    async def _taken_over(
        self, hearing: IncomingMessage, heard: AttendedMessage, claim: Claim
    ) -> MessageOutcome | None:
        """Return what a process that died had left to say; of what it showed in part the whole is found anew."""
        turn, chosen = await self._begun(hearing, heard)
        if claim.unsent:
            return await self._left_behind(turn, claim)
        settled = await self._settled(turn, heard.circumstances.question, chosen)
        return _in_place(await self._told(hearing, turn, settled, claim), claim)

    async def _left_behind(self, turn: Turn, claim: Claim) -> MessageOutcome | None:
        """Return what a process that died had written down as a whole; `None` where it may not be said any more."""
        left = as_written(claim.begun)
        if not await may_still_be_told(turn, left, self._access):
            return None
        return _in_place(await turn.outcome(left), claim)

    async def _told(
        self, hearing: IncomingMessage, asked: Turn, settled: SettledQuestion | None, claim: Claim
    ) -> MessageOutcome | None:
        """Find the answer and write it down; find it anew if what it tells was forgotten in between."""
        thinking, guild_id = self._context_of(hearing), hearing.message.guild_id
        is_anew = False

        async def told() -> MessageOutcome | None:
            nonlocal asked, is_anew
            if is_anew and (guild := await self._access.directory.guild(guild_id)) is not None:
                # What was forgotten by now is not among what is read.
                asked = replace(asked, memory_epoch=guild.memory_epoch)
            is_anew = True
            context = replace(thinking, streamed=self._streamed(hearing, asked, claim))
            with self._meter.span("answer") as span:
                turn, written = await self._answered(hearing, asked, settled, context)
                span.put({"keepsake.route": written.route, "keepsake.degraded": written.degraded})
            if claim.begun.is_begun and (written.degraded or not written.says_anything):
                # Something stands there already: sentences that a model wrote, unless their text was taken since.
                written = _shown_before(claim) or replace(written, parts=(turn.say("chat.heard"),))
            if turn.said_to is not None:
                # In a room that was opened since, nothing of what was said there is told.
                return await self._kept(turn, claim, written, silent=True)
            return await self._kept(turn, claim, await questions.with_additions(turn, written, self._access))

        return await _unless_forgotten(told)

    def _streamed(self, hearing: IncomingMessage, turn: Turn, claim: Claim) -> StreamedReply | None:
        """Return what shows a reply while it is written; `None` where it is shown as a whole.

        So is the answer that takes the place of what a process that died has shown, and one that nobody sees.
        """
        if hearing.show is None or not self._streams or claim.begun.is_begun or turn.said_to is not None:
            return None
        return StreamedReply(turn, claim, self._answers, hearing.show)

    async def _attended(self, hearing: IncomingMessage) -> AttendedMessage | None:
        """Return what a message says to the bot; `None` where the bot is to be silent."""
        circumstances = await self._answers.circumstances(
            hearing.message, with_question=self._attention.may_settle(hearing.message)
        )
        return self._attention.heard(hearing, circumstances)

    async def _wanted(self, hearing: IncomingMessage) -> AttendedMessage | None:
        """Return what a message says to the bot; `None` if it is neither for it nor may settle what it asked."""
        if called_in(hearing) is None and not await self._answers.may_concern_bot(hearing.message):
            return None
        heard = await self._attended(hearing)
        if heard is None or not (heard.is_for_bot or heard.circumstances.question):
            return None
        return heard

    async def _turn_of(self, hearing: IncomingMessage, heard: AttendedMessage) -> Turn:
        """Return the turn in which what was heard is answered."""
        return await turn_of(
            hearing, heard.said, heard.circumstances, self._access, time_zone=self._time_zone
        )

    def _context_of(self, hearing: IncomingMessage) -> ReplyContext:
        """Return what a message is thought about with."""
        images = images_for(hearing.images, hearing.replied_images)
        return ReplyContext(self._operations, self._clock.now(), self._practice, images)

    async def _begun(
        self, hearing: IncomingMessage, heard: AttendedMessage
    ) -> tuple[Turn, ChosenAnswer | None]:
        """Return the turn of what was heard, and what it chooses, if it answers what the bot asked."""
        turn = await self._turn_of(hearing, heard)
        question = heard.circumstances.question
        if question is None or len(turn.text) > LONGEST_CHOICE:
            return turn, None
        if not question.is_answered:
            await turn.known.meet(user_ids=question.choices)
        chosen = ChosenAnswer() if question.is_answered else chosen_answer(turn, question)
        return turn if chosen is None else await self._as_asked(turn, question), chosen

    async def _as_asked(self, turn: Turn, question: OpenQuestion) -> Turn:
        """Return a turn that answers `question` as one in its language, for those who could read what it is about."""
        guild_id = turn.message.guild_id
        about = await self._access.library.message(guild_id=guild_id, message_id=question.asked_by_id)
        said_to = OPEN if about is None else about.audience
        return replace(
            turn,
            asked_in=question.language,
            said_to=said_to if said_to > turn.message.audience else turn.said_to,
        )

    async def _answered(
        self, hearing: IncomingMessage, turn: Turn, settled: SettledQuestion | None, context: ReplyContext
    ) -> tuple[Turn, WrittenAnswer]:
        """Return the answer, and the turn with whoever the face found by a name that was all that it lacked."""
        seeking = replace(turn, seeks=hearing.seek is not None)
        written = await dispatch.answer_turn(seeking, _in(settled, seeking), self._access, context)
        if not written.unknown_name:
            return turn, written
        found = await with_sought(turn, hearing, written.unknown_name, self._access)
        if found is None and written.parts:
            return turn, written
        turn = found or turn
        return turn, await dispatch.answer_turn(turn, _in(settled, turn), self._access, context)

    async def _kept(
        self, turn: Turn, claim: Claim, written: WrittenAnswer, *, silent: bool = False
    ) -> MessageOutcome | None:
        """Carry out what an answer defers, write it down and return it; `None` if somebody else has taken over."""
        if written.question is not None and turn.speech in ABROAD:
            asked = written.question.model_copy(update={"language": turn.speech})
            written = replace(written, question=asked)
        kept = await self._answers.write(
            turn.message,
            claim,
            written,
            silent=silent,
            memory_epoch=turn.memory_epoch,
            own_guild_ids=turn.view.own_guild_ids,
        )
        return None if kept is None else await turn.outcome(kept)

    async def _carried_out_late(
        self, hearing: IncomingMessage, heard: AttendedMessage
    ) -> MessageOutcome | None:
        """Carry out a command that writes, without a word; what a dead process meant to say is said if it is new."""
        message = hearing.message
        if self._clock.now() - message.timestamp <= SENT_LATE:
            begun = await self._answers.take_over(message)
            if begun is not None:
                return await self._taken_over(hearing, heard, begun)
        if not _may_write(heard) or await self._is_written(message):
            return None
        turn, chosen = await self._begun(hearing, heard)
        question = heard.circumstances.question
        waiting = (
            turn if chosen is None or question is None else replace(turn, text=question.text, is_one=True)
        )
        command = await dispatch.command_of(waiting, self._access)
        routes = routes_of(waiting.parts) | {route_of(command)}
        if routes.isdisjoint(WRITES) or not (chosen or heard.is_for_bot):
            return None
        claim = await self._answers.claim(message, alone=True)
        if claim is None or claim.unsent:
            return None
        settled = await self._settled(turn, question, chosen)
        if settled is None and not heard.is_for_bot:
            return await self._kept(turn, claim, WrittenAnswer(route=Route.NONE))
        # Reading back costs no call of a model: what only a model understands is not carried out.
        context = ReplyContext(Operations(), self._clock.now(), self._practice)
        turn, written = await self._answered(hearing, turn, settled, context)
        return await self._kept(turn, claim, written, silent=True)

    async def _is_written(self, message: Message) -> bool:
        """Tell whether the answer to a message is written down: claimed once more it would seem about to be sent."""
        answer = await self._answers.to_message(guild_id=message.guild_id, message_id=message.message_id)
        return answer is not None and answer.is_written

    async def _answer_to_bot(self, hearing: IncomingMessage, heard: AttendedMessage) -> MessageOutcome | None:
        """Chat with another bot that calls this one: what it says never writes anything."""
        if not heard.is_called or not self._attention.keeps_company(hearing):
            return None
        turn = await self._turn_of(hearing, heard)
        claim = await self._answers.claim(hearing.message, alone=hearing.alone)
        if claim is None or claim.unsent:
            return None if claim is None else await self._left_behind(turn, claim)
        return await self._kept(
            turn, claim, await dispatch.chat_only(turn, self._access, self._context_of(hearing))
        )

    async def _slowed_down(
        self, hearing: IncomingMessage, heard: AttendedMessage, turn: Turn, claim: Claim
    ) -> MessageOutcome | None:
        """Say once to who floods the bot that they are not answered for now; it need not be called for that."""
        is_told = heard.is_called and self._attention.may_tell_to_slow_down(hearing)
        parts = (turn.say("chat.slow_down"),) if is_told else ()
        return await self._kept(turn, claim, WrittenAnswer(route=Route.CHAT, parts=parts))

    async def _settled(
        self, turn: Turn, question: OpenQuestion | None, chosen: ChosenAnswer | None
    ) -> SettledQuestion | None:
        """Return what the asker wants now that the bot's question is answered; `None` if this is no answer.

        The answer must be claimed: a process that dies leaves the question there.
        """
        if question is None or chosen is None or question.is_answered:
            return None
        if not await self._answers.settle(question, turn.message):
            return None
        replied_to = turn.replied_to
        if question.replied_to_id is not None:
            replied_to = await self._access.library.message(
                guild_id=turn.message.guild_id, message_id=question.replied_to_id
            )
        await turn.known.meet(
            question.text,
            *(text for text, _ in question.then),
            *([replied_to.text] if replied_to is not None else []),
            user_ids=[replied_to.user_id] if replied_to is not None else [],
        )
        others = frozenset(question.choices) - {chosen.user_id} if chosen.user_id is not None else frozenset()
        return SettledQuestion(
            turn=replace(
                turn,
                text=question.text,
                order_id=question.asked_by_id,
                is_one=True,
                set_aside=others,
                replied_to=replied_to,
                within=question.within if chosen.guild_id is None else (chosen.guild_id,),
            ),
            agreed=chosen.agreed,
            fact_id=chosen.fact_id,
            replaces=question.replaces,
            then=tuple(
                Parsed(part.command, part.text, sure=sure)
                for text, sure in question.then
                for part in understood(text)[:1]
            ),
            forgotten_ids=chosen.forgotten_ids,
        )


async def _unless_forgotten(
    tell: Callable[[], Awaitable[MessageOutcome | None]],
) -> MessageOutcome | None:
    """Return what `tell` finds and writes down; it is found anew if what it tells is forgotten in between."""
    for _ in range(_TRIES - 1):
        with contextlib.suppress(ForgottenMeanwhileError):
            return await tell()
    return await tell()


def _in_place(outcome: MessageOutcome | None, claim: Claim) -> MessageOutcome | None:
    """Return an outcome with where a process that died has shown its beginning."""
    begun = claim.begun
    return None if outcome is None else replace(outcome, begun_ids=begun.sent_ids if begun.is_begun else None)


def _shown_before(claim: Claim) -> WrittenAnswer | None:
    """Return what a process that died has shown as an answer by itself; `None` if nothing of it is left."""
    begun = as_written(claim.begun)
    return replace(begun, degraded=True) if begun.parts else None


def _in(settled: SettledQuestion | None, turn: Turn) -> SettledQuestion | None:
    """Return what is settled, with who bears a name sought as in `turn`."""
    if settled is None:
        return None
    return replace(settled, turn=replace(settled.turn, seeks=turn.seeks))


def _corrects(heard: AttendedMessage) -> bool:
    """Tell whether what was heard is a correction of what was said before in its channel."""
    return heard.is_for_bot and Route.CORRECT in routes_of(heard.said.parts)


def _may_write(heard: AttendedMessage) -> bool:
    """Tell whether what was heard may be a command that writes: one in words, a correction, or an answer."""
    return (
        heard.circumstances.question is not None
        or heard.circumstances.replied_to is not None
        or not routes_of(heard.said.parts).isdisjoint(WRITES)
    )


def _noticed(outcome: MessageOutcome | None, heard: AttendedMessage) -> MessageOutcome | None:
    """Return an outcome that shows whoever called the bot that it heard, where nothing is said."""
    if outcome is None or outcome.text is not None or not heard.is_called:
        return outcome
    return replace(outcome, is_noticed=True)


def _nothing(message: Message) -> MessageOutcome:
    return MessageOutcome(guild_id=message.guild_id, message_id=message.message_id, route=Route.NONE)


def _failed(hearing: IncomingMessage, error: Exception) -> MessageOutcome:
    """Return what is said when an answer was impossible, to whom called the bot at least."""
    message = hearing.message
    said = called_in(hearing)
    if said is None or hearing.late or is_other_bot(hearing):
        return _nothing(message)
    text = say(
        "chat.database_away" if isinstance(error, DatabaseError) else "chat.failed", speech_of(said.text)
    )
    return MessageOutcome(
        guild_id=message.guild_id,
        message_id=message.message_id,
        route=route_of(said.command),
        text=text,
        kept_text=text,
    )
