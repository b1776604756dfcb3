"""From a message that may be for the bot to its answer, which is written down before it is sent."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from bot.chat import dispatch, questions
from bot.chat.addressed import Addressed
from bot.chat.attention import AttendedMessage, Attention, is_other_bot
from bot.chat.dispatch import SettledQuestion
from bot.chat.gathering import READING_SECONDS
from bot.chat.handlers import route_of
from bot.chat.incoming import WRITES, IncomingMessage, MessageOutcome, Route
from bot.chat.privacy import DataPractice
from bot.chat.questions import LONGEST_CHOICE, ChosenAnswer, chosen_answer
from bot.chat.reply import ReplyContext
from bot.chat.turn import MemoryAccess, Turn
from bot.core.clock import Clock
from bot.core.domain import OPEN, AnswerMode, ConsentDefault, Guild, Member, Message, MessageKind
from bot.core.errors import DatabaseError, ForgottenMeanwhileError
from bot.core.log import trace
from bot.llm.operation import Image, Operations
from bot.memory.outbox.answers import Circumstances, Claim, OpenQuestion, WrittenAnswer
from bot.memory.policy.permissions import ReadScope, scope_of

logger = logging.getLogger(__name__)


MOST_IMAGES: Final = 4
MOST_BYTES: Final = 8_000_000
"""All pictures of one question together."""

MEDIA_TYPES: Final = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})


def images_for(message_images: Sequence[Image], replied_images: Sequence[Image]) -> tuple[Image, ...]:
    """Return the pictures that a model is shown: those of the message, then those of the one replied to.

    At most `MOST_IMAGES` of `MEDIA_TYPES` with at most `MOST_BYTES` bytes together; empty ones are left out,
    and one that is too large makes way for those behind it.
    """
    shown: list[Image] = []
    left = MOST_BYTES
    for image in (*message_images, *replied_images):
        media_type = image.media_type.partition(";")[0].strip().lower()
        if len(shown) < MOST_IMAGES and media_type in MEDIA_TYPES and 0 < len(image.content) <= left:
            shown.append(replace(image, media_type=media_type))
            left -= len(image.content)
    return tuple(shown)


SEEKING_SECONDS: Final = 5.0
"""Real seconds for a face to find members by a name."""

_LONGEST_NAME: Final = 32
"""No name on Discord is longer."""


async def turn_of(
    hearing: IncomingMessage,
    said: Addressed,
    circumstances: Circumstances,
    access: MemoryAccess,
    *,
    time_zone: str,
) -> Turn:
    """Return the turn in which `said` is answered; `time_zone` is that of a guild that is not known."""
    message = hearing.message
    guild, channel = circumstances.place.guild, circumstances.place.channel
    view = await _view(hearing, guild, access)
    # A command must know every name; a reply never waits for one.
    seconds = None if said.command is not None else READING_SECONDS
    everyone = await access.directory.members(message.guild_id, audiences=view.audiences, seconds=seconds)
    # Facts from the guilds shared tell of people whom this conversation does not know.
    elsewhere = [
        member for guild_id in view.own_guild_ids for member in await access.directory.members(guild_id)
    ]
    always = channel is not None and channel.answering is AnswerMode.ALWAYS
    return Turn(
        message=message,
        text=said.text,
        said=said,
        bot_id=hearing.bot_id,
        bot_names=hearing.bot_names,
        everyone=everyone,
        elsewhere=elsewhere,
        set_aside=frozenset(),
        view=view,
        time_zone=guild.time_zone if guild else time_zone,
        persona=guild.persona if guild else "",
        memory_epoch=guild.memory_epoch if guild else 0,
        guild=guild,
        from_moderator=hearing.from_moderator,
        direct=hearing.direct or always,
        spoken=hearing.language,
        jump=hearing.jump,
        reads=hearing.reads,
        can_read=hearing.can_read,
        # What is read back later is answered by nothing, so nothing is given either.
        hand_over=None if hearing.late else hearing.hand_over,
        visitor=hearing.visitor,
        is_behind=hearing.is_behind is not None and hearing.is_behind(),
        replied_to=circumstances.replied_to,
    )


def is_turn(turn: Turn, written: WrittenAnswer) -> bool:
    """Tell whether an answer is a turn of its author once it is delivered, to be learned from.

    That is a chat reply to a member where everybody in a guild can read it; no command, and no visitor.
    """
    message = turn.message
    in_guild = turn.guild is not None and not turn.guild.direct
    return (
        written.route == Route.CHAT
        and in_guild
        and message.audience == OPEN
        and message.kind is MessageKind.MEMBER
        and not turn.visitor
        and turn.command is None
        and bool(turn.text.strip())
    )


async def with_sought(turn: Turn, hearing: IncomingMessage, name: str, access: MemoryAccess) -> Turn | None:
    """Return `turn` with the members whom the face found by `name`; `None` if it found nobody."""
    guild_id = hearing.message.guild_id
    found = [member for member in await _sought(hearing, name) if member.guild_id == guild_id]
    if not found:
        return None
    await access.directory.put_members(found)
    everyone = await access.directory.members(guild_id, audiences=turn.view.audiences)
    return replace(turn, everyone=everyone)


async def _sought(hearing: IncomingMessage, name: str) -> Sequence[Member]:
    if hearing.seek is None or not 0 < len(name) <= _LONGEST_NAME:
        return ()
    try:
        async with asyncio.timeout(SEEKING_SECONDS):
            return await hearing.seek(name)
    except Exception as error:
        # Whatever the face meets with, the answer that nobody bears the name stands.
        logger.warning("message %d: nobody could be sought: %s", hearing.message.message_id, trace(error))
        return ()


async def _view(hearing: IncomingMessage, guild: Guild | None, access: MemoryAccess) -> ReadScope:
    message = hearing.message
    if guild is None or not guild.direct:
        return scope_of(guild_id=message.guild_id, channel_audience=message.audience, visitor=hearing.visitor)
    return await access.directory.view(
        guild_id=message.guild_id, channel_audience=message.audience, user_id=message.user_id
    )


async def with_invitation(turn: Turn, written: WrittenAnswer, access: MemoryAccess) -> WrittenAnswer:
    """Return an answer with a line below it that says how to agree, for who neither did so nor opted out.

    Each member of a guild reads it once. An answer goes without it rather than not at all.
    """
    guild, message = turn.guild, turn.message
    if guild is None or guild.consent is not ConsentDefault.ASKED or message.kind is not MessageKind.MEMBER:
        return written
    if not written.says_anything or written.route == Route.OWN_RIGHTS or turn.visitor:
        return written
    try:
        standing = await access.memory.standing.of(guild_id=guild.guild_id, user_id=message.user_id)
        if standing.opted_in or standing.opted_out:
            return written
        if not await access.directory.notices.first_to_member(
            guild_id=guild.guild_id, user_id=message.user_id, kind="opt_in"
        ):
            return written
    except DatabaseError as error:
        logger.warning("message %d: not told how to opt in: %s", message.message_id, trace(error))
        return written
    told = turn.say("rights.how_to_opt_in")
    return replace(written, parts=(*written.parts, told))


EDIT_LIFE: Final = timedelta(minutes=5)
"""How long after a command its author may put it right by an edit; later only the log changes."""


def is_put_right(*, said_at: datetime, edited_at: datetime | None) -> bool:
    """Tell whether a message was edited so soon that what it commands follows the edit.

    When it was edited counts, not when that was heard: the bot may have been away meanwhile.
    """
    return edited_at is not None and edited_at - said_at <= EDIT_LIFE


SENT_LATE: Final = timedelta(minutes=5)
"""How old a message may be whose answer, written down by a process that died, is still sent."""


def _newest(hearing: IncomingMessage, kept: Message | None) -> IncomingMessage:
    """Return what was heard as it reads now: an edit of it may have been stored before its turn came.

    An edit that came too late to be followed changes no command, whenever that is carried out.
    """
    message = hearing.message
    if kept is None or kept.withheld is not None or kept.edited_at is None:
        return hearing
    if message.edited_at is not None and kept.edited_at <= message.edited_at:
        return hearing
    if not is_put_right(said_at=message.timestamp, edited_at=kept.edited_at):
        return hearing
    return replace(hearing, message=replace(message, text=kept.text, edited_at=kept.edited_at))


class Responder:
    """Answers what `attention` finds to be for the bot; a message that is answered already, never again."""

    def __init__(
        self,
        access: MemoryAccess,
        clock: Clock,
        operations: Operations,
        attention: Attention,
        *,
        time_zone: str,
        practice: DataPractice,
    ) -> None:
        self._access = access
        self._answers = access.memory.answers
        self._clock = clock
        self._operations = operations
        self._attention = attention
        self._time_zone = time_zone
        self._practice = practice

    async def answer(self, hearing: IncomingMessage) -> MessageOutcome | None:
        """Return the answer to a message that is stored; `None` if it gets none."""
        heard = await self._wanted(hearing)
        if heard is None:
            return None
        newest = _newest(hearing, heard.circumstances.kept)
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
            return None if claim is None else unsent(turn, claim)
        # What was answered before is heard again after a start, and wins no claim: it counts for no pace.
        if heard.is_for_bot and not self._attention.keeps_pace(hearing):
            return await self._slowed_down(hearing, heard, turn, claim)
        settled = await self._settled(turn, heard.circumstances.question, chosen)
        if settled is None and not heard.is_for_bot:
            return await self._kept(turn, claim, WrittenAnswer(route=Route.NONE))
        return await self._told(hearing, turn, settled, claim)

    async def _told(
        self,
        hearing: IncomingMessage,
        asked: Turn,
        settled: SettledQuestion | None,
        claim: Claim,
        *,
        tries: int = 3,
    ) -> MessageOutcome | None:
        """Find the answer and write it down; find it anew if what it tells was forgotten in between."""
        turn, written = await self._answered(hearing, asked, settled, self.mind_for(hearing))
        written = await questions.with_contradiction_question(turn, written, self._access)
        written = await with_invitation(turn, written, self._access)
        written = _with_what_is_unread(turn, written)
        try:
            return await self._kept(turn, claim, replace(written, is_turn=is_turn(turn, written)))
        except ForgottenMeanwhileError:
            if tries == 1:
                raise
        return await self._told(hearing, asked, settled, claim, tries=tries - 1)

    async def unsent(self, hearing: IncomingMessage) -> MessageOutcome | None:
        """Return the answer to a message that stays written, to be sent now; one without a text is not wanted any more.

        `None` if there is none, or somebody else is about to send it. Only for who is alone with the channel.
        """
        begun = await self._answers.take_over(hearing.message)
        if begun is None:
            return None
        heard = await self.heard(hearing)
        if heard is None:
            message = hearing.message
            return MessageOutcome(
                guild_id=message.guild_id, message_id=message.message_id, route=Route(begun.begun.route)
            )
        return unsent(await self.turn_of(hearing, heard), begun)

    async def heard(self, hearing: IncomingMessage) -> AttendedMessage | None:
        """Return what a message says to the bot; `None` where the bot is to be silent."""
        circumstances = await self._answers.circumstances(
            hearing.message, with_question=self._attention.may_settle(hearing.message)
        )
        return self._attention.heard(hearing, circumstances)

    async def _wanted(self, hearing: IncomingMessage) -> AttendedMessage | None:
        """Return what a message says to the bot; `None` if it is neither for it nor may settle what it asked."""
        heard = await self.heard(hearing)
        if heard is None or not (heard.is_for_bot or heard.circumstances.question):
            return None
        return heard

    async def turn_of(self, hearing: IncomingMessage, heard: AttendedMessage) -> Turn:
        """Return the turn in which what was heard is answered."""
        return await turn_of(
            hearing, heard.said, heard.circumstances, self._access, time_zone=self._time_zone
        )

    def mind_for(self, hearing: IncomingMessage) -> ReplyContext:
        """Return what a message is thought about with."""
        images = images_for(hearing.images, hearing.replied_images)
        return ReplyContext(self._operations, self._clock.now(), self._practice, images)

    async def _begun(
        self, hearing: IncomingMessage, heard: AttendedMessage
    ) -> tuple[Turn, ChosenAnswer | None]:
        """Return the turn of what was heard, and what it chooses, if it answers what the bot asked."""
        turn = await self.turn_of(hearing, heard)
        question = heard.circumstances.question
        if question is None or len(turn.text) > LONGEST_CHOICE:
            return turn, None
        return turn, ChosenAnswer() if question.is_answered else chosen_answer(turn, question)

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
        kept = await self._answers.write(turn.message, claim, written, silent=silent)
        return None if kept is None else outcome_of(turn, kept)

    async def _carried_out_late(
        self, hearing: IncomingMessage, heard: AttendedMessage
    ) -> MessageOutcome | None:
        """Carry out a command that writes, without a word; what a dead process meant to say is said if it is new."""
        message = hearing.message
        if self._clock.now() - message.timestamp <= SENT_LATE:
            begun = await self._answers.take_over(message)
            if begun is not None:
                return unsent(await self.turn_of(hearing, heard), begun)
        if not _may_write(heard):
            return None
        turn, chosen = await self._begun(hearing, heard)
        question = heard.circumstances.question
        waiting = turn if chosen is None or question is None else replace(turn, text=question.text)
        command = await dispatch.command_of(waiting, self._access)
        if route_of(command) not in WRITES or not (chosen or heard.is_for_bot):
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

    async def _answer_to_bot(self, hearing: IncomingMessage, heard: AttendedMessage) -> MessageOutcome | None:
        """Chat with another bot that calls this one: what it says never writes anything."""
        if not heard.is_called or not self._attention.keeps_company(hearing):
            return None
        turn = await self.turn_of(hearing, heard)
        claim = await self._answers.claim(hearing.message, alone=hearing.alone)
        if claim is None or claim.unsent:
            return None if claim is None else unsent(turn, claim)
        return await self._kept(
            turn, claim, await dispatch.chat_only(turn, self._access, self.mind_for(hearing))
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
        others = frozenset(question.choices) - {chosen.user_id} if chosen.user_id else frozenset()
        return SettledQuestion(
            turn=replace(
                turn,
                text=question.text,
                set_aside=others,
                replied_to=replied_to,
                within=question.within if chosen.guild_id is None else (chosen.guild_id,),
            ),
            agreed=chosen.agreed,
            fact_id=chosen.fact_id,
        )


def _in(settled: SettledQuestion | None, turn: Turn) -> SettledQuestion | None:
    """Return what is settled with those who are known in `turn`, and who are sought as there."""
    if settled is None:
        return None
    return replace(settled, turn=replace(settled.turn, everyone=turn.everyone, seeks=turn.seeks))


def outcome_of(turn: Turn, written: WrittenAnswer) -> MessageOutcome:
    """Return an answer that is written down as the face gets it, with names put in."""
    kept_text = "\n".join(written.parts)
    return MessageOutcome(
        guild_id=turn.message.guild_id,
        message_id=turn.message.message_id,
        route=Route(written.route),
        text=turn.rendered(kept_text) or None,
        kept_text=kept_text,
        degraded=written.degraded,
        undo_ids=written.fact_ids if kept_text else (),
        forgot=written.forgot,
        pings=turn.guild is not None and turn.guild.pings,
    )


def unsent(turn: Turn, claim: Claim) -> MessageOutcome:
    """Return the answer that a process which died had written down and not sent."""
    begun = claim.begun
    return outcome_of(
        turn,
        WrittenAnswer(route=begun.route, parts=begun.parts, fact_ids=begun.fact_ids, degraded=begun.degraded),
    )


def _with_what_is_unread(turn: Turn, written: WrittenAnswer) -> WrittenAnswer:
    """Return an answer about forgetting with a line below it while something said before may still be unread."""
    if not turn.is_behind or written.route != Route.FORGET or not written.says_anything:
        return written
    return replace(written, parts=(*written.parts, turn.say("forget.catching_up")))


def _corrects(heard: AttendedMessage) -> bool:
    """Tell whether what was heard is a correction of what was said before in its channel."""
    return heard.is_for_bot and route_of(heard.said.command) is Route.CORRECT


def _may_write(heard: AttendedMessage) -> bool:
    """Tell whether what was heard may be a command that writes: one in words, a correction, or an answer."""
    return (
        heard.circumstances.question is not None
        or heard.circumstances.replied_to is not None
        or route_of(heard.said.command) in WRITES
    )
