"""Carry out "remember".

Check what may be kept about whom, store it and confirm it, or say why it was not kept.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeAlias, assert_never, get_args

from bot.chat import replacing
from bot.chat.disclosure import AskerDisclosure, disclosure_of
from bot.chat.incoming import Route
from bot.chat.intents import FactToKeep, RememberFacts
from bot.chat.turn import MemoryAccess, Turn
from bot.core.domain import GUILD_SUBJECT, DisclosurePolicy, Message, MessageKind, mention_of
from bot.core.errors import (
    AbsentSubjectError,
    CategorySwitchedOffError,
    EmptyFactError,
    FactTooLongError,
    SecretFactError,
)
from bot.llm.operation import Asker, Operations, Patience
from bot.memory.facts.statements import Note, Remembered, new_fact
from bot.memory.members import subjects
from bot.memory.outbox.answers import WrittenAnswer
from bot.memory.outbox.standing import Standing
from bot.memory.policy.admission import ProposedStatement, Verdict, verdict_on
from bot.memory.rights.forgetting.search import Reach
from bot.text import dates, kinds
from bot.text.clauses import clauses
from bot.text.commands import Remember, RememberThis
from bot.text.dangers import Plan, is_needed
from bot.text.grammar.understanding import asks, is_joke
from bot.text.languages import either
from bot.text.secrets.masking import holds_secret

NotKept: TypeAlias = (
    EmptyFactError | FactTooLongError | SecretFactError | AbsentSubjectError | CategorySwitchedOffError
)

NOT_KEPT: Final[tuple[type[NotKept], ...]] = get_args(NotKept)
"""What a wish to have something remembered may end in, beside what is wrong with the database."""


def why_not_kept(turn: Turn, error: NotKept) -> str:
    """Return the sentence, in the language of `turn`, with members as `<@id>`."""
    match error:
        case EmptyFactError():
            return turn.say("chat.empty_fact")
        case FactTooLongError():
            return turn.say("chat.fact_too_long", characters=error.characters, allowed=error.allowed)
        case SecretFactError():
            return turn.say("chat.secret_fact")
        case AbsentSubjectError(subject_id=subject_id):
            if subject_id == turn.message.user_id:
                return turn.say("rights.you_are_absent")
            return turn.say("rights.they_are_absent", name=mention_of(subject_id))
        case CategorySwitchedOffError(subject_id=subject_id, category=category):
            if subject_id == turn.message.user_id:
                return turn.say("rights.you_left_out", category=turn.say(f"category.{category}"))
            return turn.say("rights.they_left_out", name=mention_of(subject_id))
    assert_never(error)


_SAID: Final = {
    Verdict.INSULT: "refusal.unkind",
    Verdict.ACCUSATION: "refusal.unkind",
    Verdict.SENSITIVE: "refusal.sensitive",
}


def wanted_statement(
    turn: Turn, *, subject_id: int, statement: str, speaker_id: int | None = None, names: tuple[str, ...] = ()
) -> ProposedStatement:
    """Return what the author of `turn` wants kept; in whose words, if not in their own, says `speaker_id`.

    `names` are those in it that are no member's.
    """
    author_id = turn.message.user_id
    return ProposedStatement(
        statement=subjects.with_mentions(statement, turn.members),
        author_id=author_id,
        speaker_id=author_id if speaker_id is None else speaker_id,
        subject_id=subject_id,
        bot_id=turn.bot_id,
        names=names,
    )


async def verdict_on_all(
    turn: Turn, statements: Sequence[ProposedStatement], operations: Operations
) -> Verdict:
    """Return what is wrong with the first of these statements that must not be kept, `FINE` if all may."""
    asker = Asker(guild_id=turn.message.guild_id, user_id=turn.message.user_id, patience=Patience.FOREGROUND)
    for one in statements:
        found = await verdict_on(operations, one, asker=asker)
        if found is not Verdict.FINE:
            return found
    return Verdict.FINE


async def refusal_of(
    turn: Turn,
    statements: Sequence[ProposedStatement],
    access: MemoryAccess,
    operations: Operations,
    *,
    route: str = Route.REMEMBER,
    said_here: bool = True,
) -> WrittenAnswer | None:
    """Return what is said instead of keeping these statements; `None` where they may be kept.

    If the command itself says them (`said_here`), its text is withheld then; other messages stay as they are.
    """
    found = await verdict_on_all(turn, statements, operations)
    if found is Verdict.FINE:
        return None
    message = turn.message
    answer = WrittenAnswer(route=route, parts=(turn.say(_SAID[found]),))
    if not turn.is_message or not said_here:
        return answer
    withholding = [Reach(guild_id=message.guild_id, message_ids=[message.message_id])]
    return WrittenAnswer(route=route, deferred=access.memory.forgetting(withholding).then(lambda _: answer))


LAST_MESSAGES: Final = 3
"""How many of a member's last messages "remember this about Florent" takes when it is no reply."""


_READ_MESSAGES: Final = 5 * LAST_MESSAGES
"""How many are looked at, some of which only say something to the bot."""

STATEMENT_TO_BOT: Final = re.compile(rf"{either('to_the_bot')}\b", re.IGNORECASE)
"""A statement to the bot about the bot, of which it keeps no memories."""


async def remember(
    turn: Turn, command: Remember, access: MemoryAccess, operations: Operations
) -> WrittenAnswer:
    """Store what was said after "remember that", about whom it names."""
    if STATEMENT_TO_BOT.match(command.statement):
        return WrittenAnswer(route=Route.REMEMBER, parts=(turn.say("chat.about_the_bot"),))
    subject = turn.subject_of(command.statement)
    if not isinstance(subject, subjects.StatementSubject):
        return turn.unresolved(Route.REMEMBER, subject)
    if subject.names and subject.user_id == GUILD_SUBJECT and turn.seeks:
        return WrittenAnswer(route=Route.REMEMBER, unknown_name=subject.names[0])
    said = _clauses(turn, command.statement) or [subject]
    user_ids = [one.user_id for one in said]
    if turn.bot_id in user_ids:
        return WrittenAnswer(route=Route.REMEMBER, parts=(turn.say("chat.about_the_bot"),))
    if refusal := turn.refusal(Route.REMEMBER, [one.of_whom for one in said]):
        return refusal
    if day := dates.impossible_day(command.statement):
        return WrittenAnswer(route=Route.REMEMBER, parts=(turn.say("chat.no_such_day", day=day),))
    wanted = [
        wanted_statement(turn, subject_id=one.user_id, statement=one.statement, names=one.names)
        for one in said
    ]
    if refusal := await refusal_of(turn, wanted, access, operations):
        return refusal
    notes = [
        replace(
            note_of(turn, subject_id=one.user_id, statement=one.statement),
            names=one.names,
            # Of another make than the numbers of commands: `m:5#2` is the second command of a message.
            cause=f"{turn.cause}/{place}" if place > 1 else turn.cause,
        )
        for place, one in enumerate(said, start=1)
    ]
    return await store_notes(turn, notes, access)


def _clauses(turn: Turn, statement: str) -> list[subjects.StatementSubject]:
    """Return the clauses of what is to be remembered, each with whom it is about; none where one is about nobody."""
    said = [turn.subject_of(one) for one in clauses(statement)]
    sure = [
        one
        for one in said
        if isinstance(one, subjects.StatementSubject) and (one.user_id != GUILD_SUBJECT or one.names)
    ]
    return sure if 1 < len(said) == len(sure) else []


async def remember_this(
    turn: Turn, command: RememberThis, access: MemoryAccess, operations: Operations
) -> WrittenAnswer:
    """Store the message replied to, else the last ones of whom it names, else the one said just before."""
    about_id = None
    if command.about is not None:
        about = turn.whom(command.about, Route.REMEMBER)
        if isinstance(about, WrittenAnswer):
            return about
        about_id = about
    meant = await _meant(turn, about_id, access)
    earnest = [message for message in meant if not (asks(message.text) or is_joke(message.text))]
    if meant and not earnest and not turn.visitor:
        told = "chat.that_is_a_question" if asks(meant[-1].text) else "chat.that_is_a_joke"
        return WrittenAnswer(route=Route.REMEMBER, parts=(turn.say(told),))
    meant = earnest
    if not meant and not turn.visitor:
        return WrittenAnswer(route=Route.REMEMBER, parts=(turn.say("chat.nothing_to_remember"),))
    facts = [FactToKeep(about_id or message.user_id, message.text, message) for message in meant]
    return await _remember_each(turn, facts, access, operations)


def note_of(turn: Turn, *, subject_id: int, statement: str, names: tuple[str, ...] = ()) -> Note:
    """Return what the author of this turn asks to have remembered; `names` are those in it that are no member's."""
    message = turn.message
    return Note(
        guild_id=message.guild_id,
        subject_id=subject_id,
        author_id=message.user_id,
        speaker_id=message.user_id,
        audience=turn.audience,
        statement=statement,
        cause=turn.cause,
        channel_id=message.channel_id,
        message_id=message.message_id,
        said_at=message.timestamp,
        time_zone=turn.time_zone,
        asked_at=turn.asked_at,
        names=names,
    )


async def store_notes(turn: Turn, notes: Sequence[Note], access: MemoryAccess) -> WrittenAnswer:
    """Return the order to store these notes, all in one write that goes with their confirmation.

    It asks whether a note replaces what says nearly the same, unless it does so by its key.
    """
    facts = [new_fact(note) for note in notes]
    storing = access.memory.remembering(facts, asked_at=turn.asked_at)
    is_of_others = any(note.subject_id != turn.message.user_id for note in notes)
    tact = await disclosure_of(turn, access) if is_of_others else None
    hidden = [
        tact is not None and tact.hides_note(note.subject_id, fact.content, names=note.names)
        for note, fact in zip(notes, facts, strict=True)
    ]
    asks = turn.is_message and not turn.forgets and not any(hidden)
    known = await replacing.like_it(turn, facts, access) if asks else None

    def told(stored: Sequence[Remembered]) -> WrittenAnswer:
        said = [
            _as_new(one, fact.content) if is_hidden else _as_told(one, fact.content, turn, tact)
            for one, fact, is_hidden in zip(stored, facts, hidden, strict=True)
        ]
        answer = confirmation(turn, said, notes)
        # What its author may not know to have stood there before is not theirs to undo.
        kept_back = {one.fact_id for one, is_hidden in zip(stored, hidden, strict=True) if is_hidden}
        answer = replace(answer, fact_ids=tuple(one for one in answer.fact_ids if one not in kept_back))
        return answer if known is None else replacing.with_question(turn, answer, stored, known)

    return WrittenAnswer(
        route=Route.REMEMBER,
        deferred=storing.then(told),
        read_before=Standing() if known is None else Standing(fact_ids=(known.fact_id,)),
    )


def _as_new(one: Remembered, content: str) -> Remembered:
    """Return what became of a note as if nothing had been known, in its own words."""
    return Remembered(fact_id=one.fact_id, content=content, is_new=True)


def _as_told(one: Remembered, content: str, turn: Turn, tact: AskerDisclosure | None) -> Remembered:
    """Return what became of a note without a fact of somebody else that its author is not told; `None`: it is theirs.

    Nor are they told then that there is one, nor in what other words than their own `content` it was known.
    """
    if tact is not None:
        outweighed_by, replaced = tact.fact(one.outweighed_by), tact.fact(one.replaced)
        one = replace(one, content=content, outweighed_by=outweighed_by, replaced=replaced)
    return replace(one, outweighed_by=None, replaced=None) if turn.forgets else one


def confirmation(turn: Turn, stored: Sequence[Remembered], notes: Sequence[Note]) -> WrittenAnswer:
    """Return the confirmation of writes of these notes that have been made; what is simply new is in one line."""
    kept = [
        (one, _to_whom_told(turn, note, one))
        for one, note in zip(stored, notes, strict=True)
        if one.fact_id is not None
    ]
    new = [
        one.content
        for one, remark in kept
        if one.is_new and not (one.replaced or one.outweighed_by or remark)
    ]
    lines = [turn.say("chat.remembered", content="; ".join(new))] if new else []
    lines += [f"{_confirmed(turn, one)} {remark}".rstrip() for one, remark in kept if one.content not in new]
    others = (other for one, _ in kept for other in (one.outweighed_by, one.replaced) if other is not None)
    told = [*(one.fact_id for one, _ in kept if one.fact_id is not None), *(fact.fact_id for fact in others)]
    parts = ("\n".join(lines),) if lines else ()
    return WrittenAnswer(
        route=Route.REMEMBER,
        parts=parts,
        fact_ids=tuple(one.fact_id for one in stored if one.fact_id is not None and one.is_new),
        memory_ids=tuple(dict.fromkeys(told)),
    )


def _confirmed(turn: Turn, one: Remembered) -> str:
    if one.outweighed_by:
        return turn.say("chat.outweighed", content=one.content, holds=one.outweighed_by.content)
    if one.is_new and one.replaced:
        return turn.say("chat.remembered_instead", content=one.content, replaced=one.replaced.content)
    return turn.say("chat.remembered" if one.is_new else "chat.known_already", content=one.content)


def _to_whom_told(turn: Turn, note: Note, one: Remembered) -> str:
    """Return what a confirmation adds on who is told: of what is sensitive nobody else, of others with the teller."""
    guild = turn.guild
    if not one.is_new or (guild is not None and guild.telling_others is DisclosurePolicy.OPEN):
        return ""
    if note.subject_id == note.author_id:
        return _of_themselves(turn, note.subject_id, one.content)
    return "" if note.subject_id == GUILD_SUBJECT else turn.say("chat.told_with_teller")


def _of_themselves(turn: Turn, subject_id: int, content: str) -> str:
    if kinds.kept_alone(content) is None:
        return ""
    if is_needed(content, subject_id=subject_id, plans=frozenset(Plan)):
        return turn.say("chat.for_who_plans")
    return turn.say("chat.for_you_alone")


async def _meant(turn: Turn, about_id: int | None, access: MemoryAccess) -> list[Message]:
    """Return the messages that "this" means, oldest first; what bots say is never remembered."""
    message = turn.message
    if turn.replied_to is not None:
        meant = [turn.replied_to]
    elif about_id is not None:
        meant = await access.library.in_conversation(
            guild_id=message.guild_id,
            channel_id=message.channel_id,
            user_id=about_id,
            before_message_id=message.message_id,
            limit=_READ_MESSAGES,
        )
        meant = [one for one in meant if not turn.asks_the_bot(one)][-LAST_MESSAGES:]
    else:
        meant = await access.library.just_before(message)
    return [
        one
        for one in meant
        if one.kind is MessageKind.MEMBER and one.withheld is None and one.text.strip() and turn.sees(one)
    ]


def _note_of_fact(turn: Turn, fact: FactToKeep) -> Note:
    """Return a note of what a message says that somebody else may have written, told in its writer's name."""
    said_in = fact.said_in
    return replace(
        note_of(turn, subject_id=fact.subject_id, statement=fact.text),
        author_id=said_in.user_id,
        speaker_id=said_in.user_id,
        audience=max(said_in.audience, turn.audience),
        channel_id=said_in.channel_id,
        message_id=said_in.message_id,
        said_at=said_in.timestamp,
    )


async def remember_facts(
    turn: Turn, command: RememberFacts, access: MemoryAccess, operations: Operations
) -> WrittenAnswer:
    """Store what a model understood and code found to be said: in the name of whoever said it."""
    return await _remember_each(turn, command.facts, access, operations)


async def _remember_each(
    turn: Turn, facts: Sequence[FactToKeep], access: MemoryAccess, operations: Operations
) -> WrittenAnswer:
    """Store what messages say, in the name of whoever wrote them, unless it must not be kept."""
    if refusal := turn.refusal(Route.REMEMBER, [fact.subject_id for fact in facts]):
        return refusal
    if facts and not (facts := [fact for fact in facts if not holds_secret(fact.text)]):
        raise SecretFactError
    said = [
        wanted_statement(
            turn, subject_id=fact.subject_id, statement=fact.text, speaker_id=fact.said_in.user_id
        )
        for fact in facts
    ]
    here = any(fact.said_in.message_id == turn.message.message_id for fact in facts)
    if refusal := await refusal_of(turn, said, access, operations, said_here=here):
        return refusal
    return await store_notes(turn, [_note_of_fact(turn, fact) for fact in facts], access)
