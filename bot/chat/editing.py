"""Edits of a recent command: replace what it wrote, and its confirmation."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.chat import dispatch
from bot.chat.attention import AttendedMessage, Attention
from bot.chat.incoming import IncomingMessage, MessageOutcome, Route
from bot.chat.pipeline import EDIT_LIFE, Responder, is_put_right, outcome_of
from bot.chat.turn import MemoryAccess
from bot.core.clock import Clock
from bot.core.domain import Fact, FactStatus, Message, MessageKind
from bot.memory.outbox.answers import WrittenAnswer
from bot.memory.outbox.repository import Answer
from bot.memory.policy.permissions import may_undo

_REPLACEABLE: Final = frozenset({Route.REMEMBER, Route.CORRECT})
_WITHOUT_A_WORD: Final = "silent"
"""The state of an answer that says nothing."""


class Editing:
    """Follows the edits of commands that the responder has answered."""

    def __init__(self, doors: MemoryAccess, clock: Clock, responder: Responder, attention: Attention) -> None:
        self._doors = doors
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
        wrote = await self._doors.memory.facts_with_ids(guild_id=guild_id, fact_ids=answer.fact_ids)
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
            written = await dispatch.rewrite_edited(turn, self._doors, self._responder.mind_for(hearing))
        if written is None and not standing:
            return None
        if written is None:
            text = turn.say("chat.taken_back_by_edit")
            written = WrittenAnswer(route=answer.route, parts=(text,))
        # Where the confirmation would tell what no longer holds, it is put right; nothing else is said late.
        is_silent = answer.state == _WITHOUT_A_WORD or (self._is_late(turn.message) and not standing)
        kept = await self._doors.memory.answers.rewrite(
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
        undoing = self._doors.memory.taking_back(guild_id=standing[0].guild_id, fact_ids=fact_ids)
        if written.deferred is None:
            return replace(written, parts=(), deferred=undoing.then(lambda _: written))
        deferred = undoing.beside(written.deferred).then(lambda done: done[1])
        return replace(written, deferred=replace(deferred, refused=written.deferred.refused))

    async def _may_change(self, hearing: IncomingMessage, standing: Sequence[Fact]) -> bool:
        """Tell whether what a command wrote is its author's to take back."""
        guild = await self._doors.directory.guild(hearing.message.guild_id)
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
        answers = self._doors.memory.answers
        answer = await answers.to_message(guild_id=message.guild_id, message_id=message.message_id)
        if answer is None or answer.route not in _REPLACEABLE or answer.settled_by is not None:
            return None
        if message.edited_at is None or (
            answer.edited_at is not None and answer.edited_at >= message.edited_at
        ):
            return None
        kept = await self._doors.library.message(guild_id=message.guild_id, message_id=message.message_id)
        is_newest = kept is not None and kept.withheld is None and kept.text == message.text
        if not is_newest or await answers.has_settled(message):
            return None
        return answer
