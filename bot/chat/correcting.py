"""Carry out corrections of the last write and undo writes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.chat import remembering, replacing
from bot.chat.disclosure import disclosure_of, disclosure_to
from bot.chat.incoming import Route
from bot.chat.intents import CorrectFact, TakeBackFacts
from bot.chat.remembering import note_of
from bot.chat.rights_texts import not_yours_text, not_yours_to_undo_text
from bot.chat.turn import MemoryAccess, Turn
from bot.core.domain import GUILD_SUBJECT, Fact, FactStatus, Language, mention_of
from bot.core.errors import InvalidInputError
from bot.llm.operation import Operations
from bot.memory.facts.about import surfaces_of, with_member
from bot.memory.facts.statements import Remembered, new_fact
from bot.memory.members import roster, subjects
from bot.memory.outbox.answers import DeferredWrite, WrittenAnswer
from bot.memory.outbox.circumstances import OpenQuestion
from bot.memory.outbox.removal_log import Remover
from bot.memory.policy.permissions import may_correct, may_undo
from bot.memory.rights.forgetting.apply import TakenBack
from bot.text import phrasing
from bot.text.commands import MoveSubject, ReplaceValue, TakeBack
from bot.text.extraction import endings, extract, was
from bot.text.extraction_rules import ExtractionInput
from bot.text.grammar import parser
from bot.text.grammar.corrections import is_said_to_be, names_a_day, with_subject, with_value
from bot.text.grammar.understanding import is_joke
from bot.text.sentences import say


@dataclass(frozen=True, slots=True, kw_only=True)
class _Right:
    """What holds instead of a fact."""

    subject_id: int
    statement: str
    value: str = ""
    """What the author put in, where it is not the whole."""
    names: tuple[str, ...] = ()
    """Names in it that are no member's."""
    holds_from_now: bool = False
    """It was no slip: until now the other one held."""


async def replace_value(
    turn: Turn, command: ReplaceValue, access: MemoryAccess, operations: Operations
) -> WrittenAnswer:
    """Let the last write, or the fact that was told last, say another value."""
    if endings(ExtractionInput(turn.text, turn.message.user_id)):
        # What it says to be over is read out of it too: else that would end the last write while it is corrected.
        await access.noticed(turn.message)
    wrong = await _last_written(turn, access, or_told=True)
    if not wrong:
        return _nothing(turn)
    if (moved := _moved(turn, command, wrong[-1])) is not None:
        return await _move(turn, wrong[-1], *moved, access=access, operations=operations)
    value = phrasing.third_person(command.value, author_id=turn.message.user_id)
    for fact in wrong:
        # The words may be somebody else's, whose "I" would become whoever corrects them.
        said = phrasing.third_person(fact.raw_content, author_id=fact.author_id)
        statement = with_value(said, value, instead_of=command.instead_of)
        if statement is None:
            # A name at the head of the value may be that of a member whom the fact mentions.
            named = subjects.with_mentions(value, turn.members)
            statement = value if with_value(said, named) == named else None
        if statement == value:
            right = _said_anew(turn, command.value, fact)
            if isinstance(right, WrittenAnswer):
                return right
            return await _put_right(turn, fact, right, access, operations)
        if statement is not None:
            right = _Right(subject_id=fact.subject_id, statement=statement, value=value)
            return await _put_right(turn, fact, right, access, operations)
    text = turn.say("chat.cannot_place", value=command.value, content=wrong[-1].content)
    return WrittenAnswer(route=Route.CORRECT, parts=(text,), memory_ids=(wrong[-1].fact_id,))


async def restate(turn: Turn, access: MemoryAccess, operations: Operations) -> WrittenAnswer | None:
    """Let what `turn` plainly tells the bot hold instead of what its author had remembered; `None` if there is none."""
    if (ended := await _said_to_be_over(turn, access)) is not None:
        return ended
    told = parser.restatement(turn.text)
    if told is None or turn.visitor or is_joke(turn.text):
        return None
    subject = turn.subject_of(told.statement)
    if not isinstance(subject, subjects.StatementSubject):
        return None
    try:
        new = new_fact(
            note_of(turn, subject_id=subject.user_id, statement=subject.statement, names=subject.names)
        )
    except InvalidInputError:
        return None
    says_a_fact = bool(extract(ExtractionInput(turn.text, turn.message.user_id)))
    if says_a_fact:
        # It is read for facts like any message, and then nothing that somebody else had remembered holds against it.
        await access.noticed(turn.message)
    wrong = await replacing.put_right_by(turn, new, access, is_denial=told.denies)
    if wrong is None:
        return await _put_right_by_saying_so(turn, access) if says_a_fact else None
    right = _Right(
        subject_id=subject.user_id, statement=subject.statement, names=subject.names, holds_from_now=True
    )
    return await _put_right(turn, wrong, right, access, operations)


async def _said_to_be_over(turn: Turn, access: MemoryAccess) -> WrittenAnswer | None:
    """Say what `turn` ended of what is known of its author, which is read out of it as out of any message."""
    message = turn.message
    if not endings(ExtractionInput(turn.text, message.user_id)):
        return None
    await access.noticed(message)
    said = await access.memory.facts_of_message(guild_id=message.guild_id, message_id=message.message_id)
    return _corrected(turn, [fact for fact in said if was(fact.value) is not None])


async def _put_right_by_saying_so(turn: Turn, access: MemoryAccess) -> WrittenAnswer | None:
    """Say what `turn` says of its author that holds now instead of what somebody else had remembered of them."""
    message = turn.message
    said = await access.memory.facts_of_message(guild_id=message.guild_id, message_id=message.message_id)
    by_replaced = {fact.supersedes: fact for fact in said if fact.supersedes is not None}
    older = await access.memory.facts_with_ids(guild_id=message.guild_id, fact_ids=[*by_replaced])
    return _corrected(turn, [by_replaced[one.fact_id] for one in older if one.is_explicit])


def _corrected(turn: Turn, facts: Sequence[Fact]) -> WrittenAnswer | None:
    """Return the answer that these facts hold now; `None` for none."""
    if not facts:
        return None
    fact_ids = tuple(fact.fact_id for fact in facts)
    return WrittenAnswer(
        route=Route.CORRECT,
        parts=(turn.say("chat.corrected", content="; ".join(fact.content for fact in facts)),),
        fact_ids=fact_ids,
        memory_ids=fact_ids,
    )


def _said_anew(turn: Turn, sentence: str, wrong: Fact) -> _Right | WrittenAnswer:
    """Return what a whole sentence says instead of `wrong`: of whom it names, else of whom that told."""
    if wrong.subject_id != GUILD_SUBJECT and (told := with_subject(sentence, mention_of(wrong.subject_id))):
        statement = subjects.with_mentions(told, turn.members)
        return _Right(subject_id=wrong.subject_id, statement=statement, value=sentence)
    if (called := surfaces_of(wrong.content, wrong.name_about)) and (
        told := with_subject(sentence, called[0])
    ):
        statement = subjects.with_mentions(told, turn.members)
        return _Right(subject_id=GUILD_SUBJECT, statement=statement, value=sentence, names=(called[0],))
    subject = subjects.subject_of(sentence, members=turn.members, author_id=turn.message.user_id)
    if not isinstance(subject, subjects.StatementSubject):
        return turn.unresolved(Route.CORRECT, subject)
    is_of_nobody = subject.user_id == GUILD_SUBJECT and not subject.names
    subject_id = wrong.subject_id if is_of_nobody else subject.user_id
    return _Right(subject_id=subject_id, statement=subject.statement, value=sentence, names=subject.names)


async def move_subject(
    turn: Turn, command: MoveSubject, access: MemoryAccess, operations: Operations
) -> WrittenAnswer:
    """Let the last write be about somebody else."""
    wrong = await _last_written(turn, access)
    if not wrong:
        return _nothing(turn)
    user_id = turn.whom(command.to, Route.CORRECT)
    if isinstance(user_id, WrittenAnswer):
        return user_id
    fact = wrong[-1]
    return await _move(turn, fact, fact.subject_id, user_id, access=access, operations=operations)


async def take_back(turn: Turn, _: TakeBack, access: MemoryAccess) -> WrittenAnswer:
    """Undo the last write; where something was forgotten since, which stays so, say which write that is and ask."""
    if turn.replied_to is not None or not await access.memory.answers.last_was_forgetting(turn.message):
        return await take_back_last(turn, _, access)
    # Whoever says "undo" now may mean the forgetting.
    wrong = await _last_written(turn, access)
    if not wrong:
        return WrittenAnswer(route=Route.CORRECT, parts=(turn.say("chat.forgetting_stays"),))
    asked = turn.say("chat.undo_older", content="; ".join(fact.content for fact in wrong))
    return WrittenAnswer(
        route=Route.CORRECT,
        parts=(asked,),
        memory_ids=tuple(fact.fact_id for fact in wrong),
        question=OpenQuestion(text=turn.text),
    )


async def take_back_last(turn: Turn, _: TakeBack, access: MemoryAccess) -> WrittenAnswer:
    """Undo the last write, whatever was forgotten since."""
    if turn.visitor and (refusal := turn.refusal(Route.CORRECT, ())):
        return refusal
    return await _taken_back(turn, await _last_written(turn, access), access)


async def _taken_back(turn: Turn, wrong: Sequence[Fact], access: MemoryAccess) -> WrittenAnswer:
    """Return the order to undo the writes of these facts, if they are the author's to change."""
    if not wrong:
        return _nothing(turn)
    if not await _may_take_back(turn, wrong, access):
        return _not_yours(turn)
    tact = await disclosure_of(turn, access)

    def told(undone: TakenBack) -> WrittenAnswer:
        again = [] if turn.forgets else tact.facts(undone.again)
        return WrittenAnswer(
            route=Route.CORRECT,
            parts=(taken_back_text(undone.gone, again, turn.speech),),
            # Whoever has the same forgotten later takes it from this answer too.
            quoted_ids=tuple(fact.source_message_id for fact in undone.gone),
            memory_ids=tuple(fact.fact_id for fact in (*undone.gone, *again)),
        )

    return WrittenAnswer(route=Route.CORRECT, deferred=taking_back_of(wrong, access, by=turn.by).then(told))


def taking_back_of(wrong: Sequence[Fact], access: MemoryAccess, *, by: Remover) -> DeferredWrite[TakenBack]:
    """Return the write that undoes those of these facts of one guild, one at least."""
    fact_ids = [fact.fact_id for fact in wrong]
    return access.memory.taking_back(guild_id=wrong[0].guild_id, fact_ids=fact_ids, by=by)


def taken_back_text(gone: Sequence[Fact], again: Sequence[Fact], language: str) -> str:
    """Return what is said of facts that were taken back and of those that hold again, members as `<@id>`."""
    taken = "; ".join(fact.content for fact in gone)
    lines = [say("chat.taken_back", language, content=taken)] if gone else []
    lines += [say("chat.holds_again", language, content=fact.content) for fact in again]
    return "\n".join(lines) or say("chat.undone_already", language)


def _moved(turn: Turn, command: ReplaceValue, fact: Fact) -> tuple[int, int] | None:
    """Return from whom to whom a fact is moved by a correction that names members, or `None` if it is not."""
    meant = roster.resolve(command.value, members=turn.members, author_id=turn.message.user_id)
    if not isinstance(meant, roster.FoundMember):
        return None
    if command.instead_of is None:
        is_value = is_said_to_be(fact.content) or mention_of(fact.subject_id) not in fact.content
        return None if is_value or meant.user_id == fact.subject_id else (fact.subject_id, meant.user_id)
    wrong = roster.resolve(command.instead_of, members=turn.members, author_id=turn.message.user_id)
    if not isinstance(wrong, roster.FoundMember) or mention_of(wrong.user_id) not in fact.content:
        return None
    return wrong.user_id, meant.user_id


async def _move(
    turn: Turn, fact: Fact, from_id: int, to_id: int, *, access: MemoryAccess, operations: Operations
) -> WrittenAnswer:
    """Let `fact` tell of one member what it told of another, who may be its subject."""
    is_of_name = fact.is_about_a_name and from_id == fact.subject_id
    named = with_member(fact.content, fact.name_about, to_id) if is_of_name else fact.content
    statement = named.replace(mention_of(from_id), mention_of(to_id))
    subject_id = to_id if from_id == fact.subject_id else fact.subject_id
    right = _Right(subject_id=subject_id, statement=statement)
    return await _put_right(turn, fact, right, access, operations)


async def _last_written(turn: Turn, access: MemoryAccess, *, or_told: bool = False) -> Sequence[Fact]:
    """Return what the write that is corrected left standing, or with `or_told` the fact that was told since."""
    written = await access.memory.answers.last_write(
        turn.message, replied_to=turn.replied_to, or_told=or_told
    )
    if written is None:
        return []
    fact_ids = written.fact_ids or written.memory_ids
    known = await access.memory.facts_with_ids(guild_id=turn.message.guild_id, fact_ids=fact_ids)
    # A room that was opened since opens nothing that was said in it, which every answer here would tell.
    audiences = {*turn.view.audiences, turn.audience} if turn.edited else turn.view.audiences
    visible = [one for one in known if one.audience in audiences]
    if not written.fact_ids:
        # What was only told, or confirmed as if it was new, is told still.
        visible = (await disclosure_of(turn, access)).facts(visible)
    return [fact for one in visible if (fact := await _standing(turn, one, access)) is not None]


async def _standing(turn: Turn, fact: Fact, access: MemoryAccess) -> Fact | None:
    """Return `fact`, or what the asker has put in its place since; `None` if neither holds."""
    if fact.status is FactStatus.ACTIVE:
        return fact
    if fact.status is not FactStatus.SUPERSEDED:
        return None
    asker_id = turn.message.user_id
    for now in await access.library.facts_about(fact.subject_id, turn.view, asker_id=asker_id):
        older: Fact | None = now
        while older is not None and older.supersedes is not None and now.author_id == asker_id:
            if older.supersedes == fact.fact_id:
                return await _under(now, access) if now.fact_id in turn.undoes else now
            before = await access.memory.facts_with_ids(guild_id=fact.guild_id, fact_ids=[older.supersedes])
            older = before[0] if before else None
    return None


async def _under(fact: Fact, access: MemoryAccess) -> Fact | None:
    """Return what holds again once `fact` is taken back."""
    under = [fact.supersedes] if fact.supersedes is not None else []
    found = await access.memory.facts_with_ids(guild_id=fact.guild_id, fact_ids=under)
    return found[0] if found else None


async def _put_right(
    turn: Turn, wrong: Fact, right: _Right, access: MemoryAccess, operations: Operations
) -> WrittenAnswer:
    if refusal := turn.refusal(Route.CORRECT, [wrong.subject_id, right.subject_id]):
        return refusal
    if not await _may_take_back(turn, [wrong], access):
        return _not_yours(turn)
    names = right.names
    if right.subject_id == GUILD_SUBJECT and not names:
        names = tuple(surfaces_of(right.statement, wrong.name_about)[:1])
    said = remembering.wanted_statement(
        turn, subject_id=right.subject_id, statement=right.statement, names=names
    )
    if refusal := await remembering.refusal_of(turn, [said], access, operations, route=Route.CORRECT):
        return refusal
    noted = replace(
        note_of(turn, subject_id=right.subject_id, statement=right.statement, names=names),
        audience=wrong.audience,
    )
    if not (right.holds_from_now or names_a_day(right.value)):
        # "Tomorrow" is still the day after it was first said.
        noted = replace(noted, said_at=wrong.said_at)

    is_of_other = right.subject_id != turn.message.user_id
    tact = await disclosure_of(turn, access) if is_of_other else None
    own_words = new_fact(noted).content
    is_hidden = tact is not None and tact.hides_note(right.subject_id, own_words, names=names)

    def told(corrected: Remembered | None) -> WrittenAnswer:
        if corrected is None or corrected.fact_id is None:
            return _nothing(turn)
        return WrittenAnswer(
            route=Route.CORRECT,
            # In other words whom it is about may have had it remembered before.
            parts=(turn.say("chat.corrected", content=own_words if is_of_other else corrected.content),),
            fact_ids=() if is_hidden else (corrected.fact_id,),
            memory_ids=(corrected.fact_id,),
        )

    return WrittenAnswer(route=Route.CORRECT, deferred=access.memory.correcting(wrong, noted).then(told))


def _nothing(turn: Turn) -> WrittenAnswer:
    nothing = WrittenAnswer(route=Route.CORRECT, parts=(turn.say("chat.nothing_to_correct"),))
    return turn.refusal(Route.CORRECT, ()) or nothing


async def _may_take_back(turn: Turn, wrong: Sequence[Fact], access: MemoryAccess) -> bool:
    """Tell whether all of these facts are the author's to change; of their last write it counts that they asked."""
    who = turn.message.user_id
    mine = [
        fact
        for fact in wrong
        if may_correct(turn.guild, fact, user_id=who, from_moderator=turn.from_moderator)
    ]
    if len(mine) == len(wrong):
        return True
    written = await access.memory.answers.last_write(turn.message, replied_to=turn.replied_to)
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
    return WrittenAnswer(route=Route.CORRECT, parts=(not_yours_text(turn.guild, turn.speech),))


async def correct_fact(
    turn: Turn, command: CorrectFact, access: MemoryAccess, operations: Operations
) -> WrittenAnswer:
    """Let a fact say what a model understood and code found to be said."""
    right = _Right(subject_id=command.subject_id, statement=command.text, value=command.text)
    return await _put_right(turn, command.fact, right, access, operations)


async def take_back_facts(turn: Turn, command: TakeBackFacts, access: MemoryAccess) -> WrittenAnswer:
    """Undo the writes of some facts."""
    if turn.visitor and (refusal := turn.refusal(Route.CORRECT, ())):
        return refusal
    guild_id = turn.message.guild_id
    wrong = await access.memory.facts_with_ids(guild_id=guild_id, fact_ids=command.fact_ids)
    return await _taken_back(turn, wrong, access)


async def undo_answer(
    access: MemoryAccess,
    *,
    guild_id: int,
    channel_id: int,
    message_id: int,
    user_id: int,
    from_moderator: bool,
    language: Language,
) -> str:
    """Take back what the answer to a message wrote, as far as `user_id` may, and return what to say.

    Guild and channel are those in which it is asked for; nothing said elsewhere is meant. Who told it, whom it is
    about and moderators may do so. Raises `DatabaseError`.
    """
    said = await access.library.message(guild_id=guild_id, message_id=message_id)
    if said is None or said.channel_id != channel_id:
        return say("chat.not_from_here", language)
    answer = await access.memory.answers.to_message(guild_id=guild_id, message_id=message_id)
    if answer is None:
        return say("chat.undone_already", language)
    wrote = await access.memory.facts_with_ids(guild_id=guild_id, fact_ids=answer.fact_ids)
    guild = await access.directory.guild(guild_id)
    may = [
        fact
        for fact in wrote
        if may_undo(
            guild,
            fact,
            user_id=user_id,
            from_moderator=from_moderator,
            asked_for_it=user_id == answer.user_id,
        )
    ]
    if wrote and not may:
        return not_yours_to_undo_text(guild, language)
    cause = f"m:{message_id}"
    aside_ids = await access.memory.keeping.set_aside_by(guild_id=guild_id, cause=cause)
    standing = [fact for fact in may if fact.status is FactStatus.ACTIVE and fact.fact_id not in aside_ids]
    by = Remover(user_id=user_id, cause=f"u:{message_id}:{user_id}")
    undoing = taking_back_of(standing, access, by=by) if standing else DeferredWrite.of(TakenBack())
    taking_up: DeferredWrite[list[Fact]] = DeferredWrite.of([])
    if any(fact.fact_id in aside_ids for fact in may):
        taking_up = access.memory.keeping.taking_up(guild_id=guild_id, cause=cause)
    undone, taken_up = await access.memory.carry_out(undoing.beside(taking_up))
    if not undone.gone and not taken_up:
        corrected = any(fact.status is FactStatus.SUPERSEDED for fact in may)
        return say("chat.corrected_since" if corrected else "chat.undone_already", language)
    tact = await disclosure_to(user_id, access, guild_id=guild_id, guild=guild, from_moderator=from_moderator)
    told = taken_back_text(undone.gone, tact.facts((*undone.again, *taken_up)), language)
    return subjects.rendered(told, await access.directory.names(guild_id, [told]))
