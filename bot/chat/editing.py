"""Edited commands: what the old text wrote is replaced by what the new text says, or taken back."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.chat.incoming import IncomingMessage, MessageOutcome, Route
from bot.chat.turn import MemoryAccess, Turn
from bot.core.domain import Fact, FactStatus, Message, MessageKind
from bot.memory.outbox.answers import WrittenAnswer
from bot.memory.outbox.repository import Answer
from bot.memory.policy.permissions import may_undo

EDIT_LIFE: Final = timedelta(minutes=5)
"""How long after a command its author may put it right by an edit; later only the log changes."""

_REPLACEABLE: Final = frozenset({Route.REMEMBER, Route.CORRECT})
_WITHOUT_A_WORD: Final = "silent"
"""The state of an answer that says nothing."""


def is_put_right(*, said_at: datetime, edited_at: datetime | None) -> bool:
    """Tell whether a message was edited so soon that what it commands follows the edit.

    When it was edited counts, not when that was heard: the bot may have been away meanwhile.
    """
    return edited_at is not None and edited_at - said_at <= EDIT_LIFE


def may_change(message: Message) -> bool:
    """Tell whether this version of a message may change more than the log."""
    return message.kind is MessageKind.MEMBER and is_put_right(
        said_at=message.timestamp, edited_at=message.edited_at
    )


def newest(hearing: IncomingMessage, kept: Message | None) -> IncomingMessage:
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


@dataclass(frozen=True, slots=True)
class EditedCommand:
    """A command that was edited, as it was carried out before."""

    answer: Answer
    standing: Sequence[Fact]
    """What it wrote, as far as that still holds."""

    def in_turn(self, turn: Turn) -> Turn:
        """Return the turn in which the edited command is answered again."""
        return replace(turn, edited=True, undoes=frozenset(fact.fact_id for fact in self.standing))


async def edited_command(hearing: IncomingMessage, access: MemoryAccess) -> EditedCommand | None:
    """Return the command that a message was before its edit, if what it did is still its author's to change."""
    message = hearing.message
    answer = await _replaceable(message, access)
    if answer is None:
        return None
    wrote = await access.memory.facts_with_ids(guild_id=message.guild_id, fact_ids=answer.fact_ids)
    standing = [fact for fact in wrote if fact.status is FactStatus.ACTIVE]
    # What was forgotten, undone or corrected since is no longer this command's.
    if wrote and not standing:
        return None
    guild = await access.directory.guild(message.guild_id)
    is_theirs = all(
        may_undo(
            guild,
            fact,
            user_id=message.user_id,
            from_moderator=hearing.from_moderator,
            asked_for_it=True,
        )
        for fact in standing
    )
    return EditedCommand(answer, standing) if is_theirs else None


async def rewritten(
    turn: Turn, command: EditedCommand, written: WrittenAnswer | None, access: MemoryAccess, *, now: datetime
) -> MessageOutcome | None:
    """Write down what takes the place of the answer to a command, which is no such command any more without `written`.

    `None` if nothing does.
    """
    standing = command.standing
    if written is None and not standing:
        return None
    if written is None:
        written = WrittenAnswer(route=command.answer.route, parts=(turn.say("chat.taken_back_by_edit"),))
    # Where the confirmation would tell what no longer holds, it is put right; nothing else is said late.
    is_late = turn.message.edited_at is not None and now - turn.message.edited_at > EDIT_LIFE
    # In a room that was opened since, nothing of it is told either.
    is_silent = (
        command.answer.state == _WITHOUT_A_WORD or (is_late and not standing) or turn.said_to is not None
    )
    written = _instead_of(standing, written, access, teller_id=turn.message.user_id)
    kept = await access.memory.answers.rewrite(
        turn.message,
        written,
        silent=is_silent,
        memory_epoch=turn.memory_epoch,
        own_guild_ids=turn.view.own_guild_ids,
    )
    if kept is None:
        return None
    return replace(await turn.outcome(kept), replaces=() if is_silent else command.answer.sent_ids)


def _instead_of(
    standing: Sequence[Fact], written: WrittenAnswer, access: MemoryAccess, *, teller_id: int
) -> WrittenAnswer:
    """Return `written` with what the command wrote before taken back in the same transaction, first of all."""
    if not standing:
        return written
    fact_ids = [fact.fact_id for fact in standing]
    undoing = access.memory.taking_back(guild_id=standing[0].guild_id, fact_ids=fact_ids, teller_id=teller_id)
    if written.deferred is None:
        return replace(written, parts=(), deferred=undoing.then(lambda _: written))
    deferred = undoing.beside(written.deferred).then(lambda done: done[1])
    return replace(written, deferred=replace(deferred, refused=written.deferred.refused))


async def _replaceable(message: Message, access: MemoryAccess) -> Answer | None:
    """Return the answer to a command that remembered or corrected, if this version of it is a new one."""
    answers = access.memory.answers
    answer = await answers.to_message(guild_id=message.guild_id, message_id=message.message_id)
    if answer is None or answer.route not in _REPLACEABLE or answer.settled_by is not None:
        return None
    if message.edited_at is None or (answer.edited_at is not None and answer.edited_at >= message.edited_at):
        return None
    kept = await access.library.message(guild_id=message.guild_id, message_id=message.message_id)
    is_newest = kept is not None and kept.withheld is None and kept.text == message.text
    if not is_newest or await answers.has_settled(message):
        return None
    return answer
