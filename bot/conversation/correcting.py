"""Carrying out corrections of the last write: they replace, move or take back, and never add beside it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.conversation import considering, names
from bot.conversation.commands import MoveSubject, ReplaceValue, TakeBack
from bot.conversation.refusing import not_yours
from bot.conversation.remembering import note
from bot.conversation.replacing import is_said_to_be, names_a_day, with_value
from bot.conversation.router import Route
from bot.conversation.texts import Text, say
from bot.conversation.turn import Doors, Turn
from bot.domain import Fact, FactStatus, Language, mention_of
from bot.language.operation import Operations
from bot.memory import phrasing
from bot.memory.answering import WrittenAnswer
from bot.memory.deferred import Deferred
from bot.memory.facts import Remembered
from bot.memory.removals import Remover
from bot.memory.rights import may_correct, may_undo


async def replace_value(
    turn: Turn, command: ReplaceValue, doors: Doors, operations: Operations
) -> WrittenAnswer:
    """Let the last write say another value."""
    wrong = await _last_written(turn, doors)
    if not wrong:
        return _nothing(turn)
    if (moved := _moved(turn, command, wrong[-1])) is not None:
        return await _move(turn, wrong[-1], *moved, doors=doors, operations=operations)
    value = phrasing.third_person(command.value, author_id=turn.message.user_id)
    for fact in wrong:
        # The words may be somebody else's, whose "I" would become whoever corrects them.
        said = phrasing.third_person(fact.raw_content, author_id=fact.author_id)
        statement = with_value(said, value, instead_of=command.instead_of)
        if statement is not None:
            right = _Right(subject_id=fact.subject_id, statement=statement, value=value)
            return await _put_right(turn, fact, right, doors, operations)
    text = turn.say(Text.CANNOT_PLACE, value=command.value, content=wrong[-1].content)
    return WrittenAnswer(route=Route.CORRECT, parts=(text,))


async def move_subject(
    turn: Turn, command: MoveSubject, doors: Doors, operations: Operations
) -> WrittenAnswer:
    """Let the last write be about somebody else."""
    wrong = await _last_written(turn, doors)
    if not wrong:
        return _nothing(turn)
    resolved = names.resolve(command.to, members=turn.members, author_id=turn.message.user_id)
    match resolved:
        case names.Ambiguous(candidates):
            return turn.ask_which(Route.CORRECT, candidates)
        case names.Unknown():
            return turn.unknown(Route.CORRECT, resolved)
        case names.Found(user_id):
            fact = wrong[-1]
            return await _move(turn, fact, fact.subject_id, user_id, doors=doors, operations=operations)


async def take_back(turn: Turn, _: TakeBack, doors: Doors) -> WrittenAnswer:
    """Undo the last write."""
    if turn.visitor and (refusal := turn.refusal(Route.CORRECT, ())):
        return refusal
    wrong = await _last_written(turn, doors)
    if not wrong:
        return _nothing(turn)
    if not await _may_take_back(turn, wrong, doors):
        return _not_yours(turn)
    undoing = taking_back(wrong, turn.language, doors, by=turn.by)
    return WrittenAnswer(
        route=Route.CORRECT,
        deferred=undoing.then(lambda text: WrittenAnswer(route=Route.CORRECT, parts=(text,))),
    )


def taking_back(wrong: Sequence[Fact], language: Language, doors: Doors, *, by: Remover) -> Deferred[str]:
    """Return the write that undoes those of these facts of one guild, one at least.

    It results in what to say, members as `<@id>`.
    """

    def told(undone: tuple[int, Sequence[Fact]]) -> str:
        _, again = undone
        lines = [say(Text.HOLDS_AGAIN, language, content=fact.content) for fact in again]
        return "\n".join([say(Text.TAKEN_BACK, language), *lines])

    fact_ids = [fact.fact_id for fact in wrong]
    return doors.memory.taking_back(guild_id=wrong[0].guild_id, fact_ids=fact_ids, by=by).then(told)


def _moved(turn: Turn, command: ReplaceValue, fact: Fact) -> tuple[int, int] | None:
    """Return from whom to whom a fact is moved by a correction that names members, or `None` if it is not."""
    meant = names.resolve(command.value, members=turn.members, author_id=turn.message.user_id)
    if not isinstance(meant, names.Found):
        return None
    if command.instead_of is None:
        is_value = is_said_to_be(fact.content) or mention_of(fact.subject_id) not in fact.content
        return None if is_value or meant.user_id == fact.subject_id else (fact.subject_id, meant.user_id)
    wrong = names.resolve(command.instead_of, members=turn.members, author_id=turn.message.user_id)
    if not isinstance(wrong, names.Found) or mention_of(wrong.user_id) not in fact.content:
        return None
    return wrong.user_id, meant.user_id


async def _move(
    turn: Turn, fact: Fact, from_id: int, to_id: int, *, doors: Doors, operations: Operations
) -> WrittenAnswer:
    """Let `fact` tell of one member what it told of another, who may be its subject."""
    statement = fact.content.replace(mention_of(from_id), mention_of(to_id))
    subject_id = to_id if from_id == fact.subject_id else fact.subject_id
    right = _Right(subject_id=subject_id, statement=statement)
    return await _put_right(turn, fact, right, doors, operations)


async def _last_written(turn: Turn, doors: Doors) -> Sequence[Fact]:
    """Return what the write that is corrected left standing."""
    written = await doors.memory.answers.last_write(turn.message, replied_to=turn.replied_to)
    if written is None:
        return []
    known = await doors.memory.facts_with_ids(guild_id=turn.message.guild_id, fact_ids=written.fact_ids)
    return [fact for one in known if (fact := await _standing(turn, one, doors)) is not None]


async def _standing(turn: Turn, fact: Fact, doors: Doors) -> Fact | None:
    """Return `fact`, or what the asker has put in its place since; `None` if neither holds."""
    if fact.status is FactStatus.ACTIVE:
        return fact
    if fact.status is not FactStatus.SUPERSEDED:
        return None
    asker_id = turn.message.user_id
    for now in await doors.library.facts_about(fact.subject_id, turn.view, asker_id=asker_id):
        older: Fact | None = now
        while older is not None and older.supersedes is not None and now.author_id == asker_id:
            if older.supersedes == fact.fact_id:
                return await _under(now, doors) if now.fact_id in turn.undoes else now
            before = await doors.memory.facts_with_ids(guild_id=fact.guild_id, fact_ids=[older.supersedes])
            older = before[0] if before else None
    return None


async def _under(fact: Fact, doors: Doors) -> Fact | None:
    """Return what holds again once `fact` is taken back."""
    under = [fact.supersedes] if fact.supersedes is not None else []
    found = await doors.memory.facts_with_ids(guild_id=fact.guild_id, fact_ids=under)
    return found[0] if found else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Right:
    """What holds instead of a fact."""

    subject_id: int
    statement: str
    value: str = ""
    """What the author put in, where it is not the whole."""


async def _put_right(
    turn: Turn, wrong: Fact, right: _Right, doors: Doors, operations: Operations
) -> WrittenAnswer:
    if refusal := turn.refusal(Route.CORRECT, [wrong.subject_id, right.subject_id]):
        return refusal
    if not await _may_take_back(turn, [wrong], doors):
        return _not_yours(turn)
    said = considering.wanted(turn, subject_id=right.subject_id, statement=right.statement)
    if refusal := await considering.refused(turn, [said], doors, operations, route=Route.CORRECT):
        return refusal
    noted = replace(
        note(turn, subject_id=right.subject_id, statement=right.statement), audience=wrong.audience
    )
    if not names_a_day(right.value):
        # "Tomorrow" is still the day after it was first said.
        noted = replace(noted, said_at=wrong.said_at)

    def told(corrected: Remembered | None) -> WrittenAnswer:
        if corrected is None or corrected.fact_id is None:
            return _nothing(turn)
        return WrittenAnswer(
            route=Route.CORRECT,
            parts=(turn.say(Text.CORRECTED, content=corrected.content),),
            fact_ids=(corrected.fact_id,),
            memory_ids=(corrected.fact_id,),
        )

    return WrittenAnswer(route=Route.CORRECT, deferred=doors.memory.correcting(wrong, noted).then(told))


def _nothing(turn: Turn) -> WrittenAnswer:
    return WrittenAnswer(route=Route.CORRECT, parts=(turn.say(Text.NOTHING_TO_CORRECT),))


async def _may_take_back(turn: Turn, wrong: Sequence[Fact], doors: Doors) -> bool:
    """Tell whether all of these facts are the author's to change; of their last write it counts that they asked."""
    who = turn.message.user_id
    mine = [
        fact
        for fact in wrong
        if may_correct(turn.guild, fact, user_id=who, from_moderator=turn.from_moderator)
    ]
    if len(mine) == len(wrong):
        return True
    written = await doors.memory.answers.last_write(turn.message, replied_to=turn.replied_to)
    asked_ids = written.fact_ids if written is not None and written.user_id == who else ()
    return all(
        may_undo(
            turn.guild,
            fact,
            user_id=who,
            from_moderator=turn.from_moderator,
            asked_for_it=fact.fact_id in asked_ids,
        )
        for fact in wrong
    )


def _not_yours(turn: Turn) -> WrittenAnswer:
    return WrittenAnswer(route=Route.CORRECT, parts=(not_yours(turn.guild, turn.language),))


async def correct_fact(
    turn: Turn, wrong: Fact, *, subject_id: int, text: str, doors: Doors, operations: Operations
) -> WrittenAnswer:
    """Let `wrong` say `text`, in the third person, about `subject_id`."""
    right = _Right(subject_id=subject_id, statement=text, value=text)
    return await _put_right(turn, wrong, right, doors, operations)


async def take_back_facts(turn: Turn, fact_ids: Sequence[int], doors: Doors) -> WrittenAnswer:
    """Undo the writes of these facts."""
    if turn.visitor and (refusal := turn.refusal(Route.CORRECT, ())):
        return refusal
    guild_id = turn.message.guild_id
    wrong = await doors.memory.facts_with_ids(guild_id=guild_id, fact_ids=fact_ids)
    if not await _may_take_back(turn, wrong, doors):
        return _not_yours(turn)
    undoing = doors.memory.taking_back(guild_id=guild_id, fact_ids=fact_ids, by=turn.by)
    told = WrittenAnswer(route=Route.CORRECT, parts=(turn.say(Text.TAKEN_BACK),))
    return WrittenAnswer(route=Route.CORRECT, deferred=undoing.then(lambda _: told))
