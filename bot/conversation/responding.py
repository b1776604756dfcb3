"""From a message that may be for the bot to its answer, which is written down before it is sent."""

from dataclasses import replace
from datetime import timedelta
from typing import Final

from bot.clock import Clock
from bot.conversation import answering, contradicting, understanding
from bot.conversation.answering import Settled
from bot.conversation.attention import Attention, Heard, is_other_bot
from bot.conversation.choosing import LONGEST_CHOICE, Choice, choice
from bot.conversation.forget_texts import ForgetText
from bot.conversation.hearing import Hearing, Outcome
from bot.conversation.own_rights import inviting
from bot.conversation.pictures import images_for
from bot.conversation.practice import Practice
from bot.conversation.reply import Mind
from bot.conversation.router import WRITES, Route, route_of
from bot.conversation.texts import Text, say
from bot.conversation.turn import Doors, Turn
from bot.conversation.turns import is_turn, turn_of, with_sought
from bot.errors import ForgottenMeanwhileError
from bot.language.operation import Operations
from bot.memory.answering import Claim, OpenQuestion, WrittenAnswer

SENT_LATE: Final = timedelta(minutes=5)
"""How old a message may be whose answer, written down by a process that died, is still sent."""


class Responder:
    """Answers what `attention` finds to be for the bot; a message that is answered already, never again."""

    def __init__(
        self,
        doors: Doors,
        clock: Clock,
        operations: Operations,
        attention: Attention,
        *,
        time_zone: str,
        practice: Practice,
    ) -> None:
        self._doors = doors
        self._answers = doors.memory.answers
        self._clock = clock
        self._operations = operations
        self._attention = attention
        self._time_zone = time_zone
        self._practice = practice

    async def answer(self, hearing: Hearing) -> Outcome | None:
        """Return the answer to a message that is stored; `None` if it gets none."""
        heard = await self._wanted(hearing)
        if heard is None:
            return None
        newest = await self._newest(hearing)
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
        self, hearing: Hearing, asked: Turn, settled: Settled | None, claim: Claim, *, tries: int = 3
    ) -> Outcome | None:
        """Find the answer and write it down; find it anew if what it tells was forgotten in between."""
        turn, written = await self._answered(hearing, asked, settled, self.mind_for(hearing))
        written = await contradicting.with_question(turn, written, self._doors)
        written = await inviting.with_invitation(turn, written, self._doors)
        written = _with_what_is_unread(turn, written)
        try:
            return await self._kept(turn, claim, replace(written, is_turn=is_turn(turn, written)))
        except ForgottenMeanwhileError:
            if tries == 1:
                raise
        return await self._told(hearing, asked, settled, claim, tries=tries - 1)

    async def unsent(self, hearing: Hearing) -> Outcome | None:
        """Return the answer to a message that stays written, to be sent now; one without a text is not wanted any more.

        `None` if there is none, or somebody else is about to send it. Only for who is alone with the channel.
        """
        begun = await self._answers.take_over(hearing.message)
        if begun is None:
            return None
        heard = await self.heard(hearing)
        if heard is None:
            message = hearing.message
            return Outcome(
                guild_id=message.guild_id, message_id=message.message_id, route=Route(begun.begun.route)
            )
        return unsent(await self.turn_of(hearing, heard), begun)

    async def heard(self, hearing: Hearing) -> Heard | None:
        """Return what a message says to the bot; `None` where the bot is to be silent."""
        circumstances = await self._answers.circumstances(
            hearing.message, with_question=self._attention.may_settle(hearing.message)
        )
        return self._attention.heard(hearing, circumstances)

    async def _wanted(self, hearing: Hearing) -> Heard | None:
        """Return what a message says to the bot; `None` if it is neither for it nor may settle what it asked."""
        heard = await self.heard(hearing)
        if heard is None or not (heard.is_for_bot or heard.circumstances.question):
            return None
        return heard

    async def _newest(self, hearing: Hearing) -> Hearing:
        """Return what was heard as it reads now: an edit of it may have been stored before its turn came."""
        message = hearing.message
        kept = await self._doors.library.message(guild_id=message.guild_id, message_id=message.message_id)
        if kept is None or kept.withheld is not None or kept.edited_at is None:
            return hearing
        if message.edited_at is not None and kept.edited_at <= message.edited_at:
            return hearing
        return replace(hearing, message=replace(message, text=kept.text, edited_at=kept.edited_at))

    async def turn_of(self, hearing: Hearing, heard: Heard) -> Turn:
        """Return the turn in which what was heard is answered."""
        return await turn_of(hearing, heard.said, heard.circumstances, self._doors, time_zone=self._time_zone)

    def mind_for(self, hearing: Hearing) -> Mind:
        """Return what a message is thought about with."""
        images = images_for(hearing.images, hearing.replied_images)
        return Mind(self._operations, self._clock.now(), self._practice, images)

    async def _begun(self, hearing: Hearing, heard: Heard) -> tuple[Turn, Choice | None]:
        """Return the turn of what was heard, and what it chooses, if it answers what the bot asked."""
        turn = await self.turn_of(hearing, heard)
        question = heard.circumstances.question
        if question is None or len(turn.text) > LONGEST_CHOICE:
            return turn, None
        return turn, Choice() if question.is_answered else choice(turn, question)

    async def _answered(
        self, hearing: Hearing, turn: Turn, settled: Settled | None, mind: Mind
    ) -> tuple[Turn, WrittenAnswer]:
        """Return the answer, and the turn with whoever the face found by a name that was all that it lacked."""
        seeking = replace(turn, seeks=hearing.seek is not None)
        written = await answering.answer(seeking, _in(settled, seeking), self._doors, mind)
        if not written.unknown_name:
            return turn, written
        found = await with_sought(turn, hearing, written.unknown_name, self._doors)
        if found is None and written.parts:
            return turn, written
        turn = found or turn
        return turn, await answering.answer(turn, _in(settled, turn), self._doors, mind)

    async def _kept(
        self, turn: Turn, claim: Claim, written: WrittenAnswer, *, silent: bool = False
    ) -> Outcome | None:
        """Carry out what an answer defers, write it down and return it; `None` if somebody else has taken over."""
        kept = await self._answers.write(turn.message, claim, written, silent=silent)
        return None if kept is None else outcome_of(turn, kept)

    async def _carried_out_late(self, hearing: Hearing, heard: Heard) -> Outcome | None:
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
        command = await answering.command_of(waiting, self._doors)
        if route_of(command) not in WRITES or not (chosen or heard.is_for_bot):
            return None
        claim = await self._answers.claim(message, alone=True)
        if claim is None or claim.unsent:
            return None
        settled = await self._settled(turn, question, chosen)
        if settled is None and not heard.is_for_bot:
            return await self._kept(turn, claim, WrittenAnswer(route=Route.NONE))
        # Reading back costs no call of a model: what only a model understands is not carried out.
        mind = Mind(Operations(), self._clock.now(), self._practice)
        turn, written = await self._answered(hearing, turn, settled, mind)
        return await self._kept(turn, claim, written, silent=True)

    async def _answer_to_bot(self, hearing: Hearing, heard: Heard) -> Outcome | None:
        """Chat with another bot that calls this one: what it says never writes anything."""
        if not heard.is_called or not self._attention.keeps_company(hearing):
            return None
        turn = await self.turn_of(hearing, heard)
        claim = await self._answers.claim(hearing.message, alone=hearing.alone)
        if claim is None or claim.unsent:
            return None if claim is None else unsent(turn, claim)
        return await self._kept(
            turn, claim, await understanding.chatted(turn, self._doors, self.mind_for(hearing))
        )

    async def _slowed_down(self, hearing: Hearing, heard: Heard, turn: Turn, claim: Claim) -> Outcome | None:
        """Say once to who floods the bot that they are not answered for now; it need not be called for that."""
        is_told = heard.is_called and self._attention.may_tell_to_slow_down(hearing)
        parts = (turn.say(Text.SLOW_DOWN),) if is_told else ()
        return await self._kept(turn, claim, WrittenAnswer(route=Route.CHAT, parts=parts))

    async def _settled(
        self, turn: Turn, question: OpenQuestion | None, chosen: Choice | None
    ) -> Settled | None:
        """Return what the asker wants now that the bot's question is answered; `None` if this is no answer.

        The answer must be claimed: a process that dies leaves the question there.
        """
        if question is None or chosen is None or question.is_answered:
            return None
        if not await self._answers.settle(question, turn.message):
            return None
        replied_to = turn.replied_to
        if question.replied_to_id is not None:
            replied_to = await self._doors.library.message(
                guild_id=turn.message.guild_id, message_id=question.replied_to_id
            )
        others = frozenset(question.choices) - {chosen.user_id} if chosen.user_id else frozenset()
        return Settled(
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


def _in(settled: Settled | None, turn: Turn) -> Settled | None:
    """Return what is settled with those who are known in `turn`, and who are sought as there."""
    if settled is None:
        return None
    return replace(settled, turn=replace(settled.turn, everyone=turn.everyone, seeks=turn.seeks))


def outcome_of(turn: Turn, written: WrittenAnswer) -> Outcome:
    """Return an answer that is written down as the face gets it, with names put in."""
    kept_text = "\n".join(written.parts)
    return Outcome(
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


def unsent(turn: Turn, claim: Claim) -> Outcome:
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
    return replace(written, parts=(*written.parts, say(ForgetText.CATCHING_UP, turn.language)))


def _corrects(heard: Heard) -> bool:
    """Tell whether what was heard is a correction of what was said before in its channel."""
    return heard.is_for_bot and route_of(heard.said.command) is Route.CORRECT


def _may_write(heard: Heard) -> bool:
    """Tell whether what was heard may be a command that writes: one in words, a correction, or an answer."""
    return (
        heard.circumstances.question is not None
        or heard.circumstances.replied_to is not None
        or route_of(heard.said.command) in WRITES
    )
