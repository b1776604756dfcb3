"""Remembering and forgetting by form: the rules are those of the commands in words, the cause is the interaction."""

from collections.abc import Awaitable, Sequence
from dataclasses import replace
from typing import Final

from bot.conversation import considering, forgetting, names, remembering
from bot.conversation.commands import ForgetThis, RememberThis
from bot.conversation.correcting import taking_back
from bot.conversation.desk.form_turn import FormTurn
from bot.conversation.desk.texts import DeskText
from bot.conversation.desk.visit import Said
from bot.conversation.forgetting_rights import forget_facts
from bot.conversation.grammar.words import PERSON_VERBS, word_set
from bot.conversation.own_rights.refusing import NOT_KEPT, why_not_kept
from bot.conversation.refusing import not_yours, not_yours_to_undo
from bot.conversation.router import Route
from bot.conversation.texts import Text, say
from bot.conversation.turn import Doors
from bot.domain import OPEN, Fact, FactStatus, Message, mention_of
from bot.errors import EmptyFactError
from bot.language.operation import Operations
from bot.memory.answering import WrittenAnswer
from bot.memory.rights import may_forget, may_undo

_PREDICATES: Final = PERSON_VERBS | word_set("""
    is isn't isn’t was wasn't wasn’t has hasn't hasn’t had can can't can’t cannot could will won't won’t would
    does doesn't doesn’t did didn't didn’t goes got keeps never always usually often also still really used
    не есть был была были будет может хочет никогда всегда обычно часто тоже еще зовут
""")
"""With these a text goes on after the name of whom it is about: "likes tea", "is allergic to nuts"."""


async def remember(turn: FormTurn, subject_id: int | None, doors: Doors, operations: Operations) -> Said:
    """Store the text of `turn` about a subject, or about whom its own words name if none was chosen."""
    text = turn.text.strip()
    subject = names.subject_of(text, members=turn.members, author_id=turn.message.user_id)
    if subject_id is not None:
        subject = names.Subject(subject_id, _statement_about(turn, subject, subject_id))
    elif remembering._OF_THE_BOT.match(text):
        return Said(turn.say(Text.ABOUT_THE_BOT))
    match subject:
        case names.Ambiguous():
            return Said(say(DeskText.SEVERAL, turn.language, name=subject.name))
        case names.Unknown():
            return _said(turn, turn.unknown(Route.REMEMBER, subject))
        case names.Subject(user_id, statement):
            return await _stored(turn, _store(turn, user_id, statement, doors, operations), doors)


async def remember_message(turn: FormTurn, doors: Doors, operations: Operations) -> Said:
    """Store the message that `turn` replies to, about its writer and in their name."""
    if turn.replied_to is None:
        return Said(say(DeskText.NOT_HEARD, turn.language))
    return await _stored(turn, remembering.remember_this(turn, RememberThis(), doors, operations), doors)


async def forget(turn: FormTurn, fact_id: int, doors: Doors) -> Said:
    """Forget one fact with whatever told it; says how many went, never what they said."""
    fact = await _seen(turn, fact_id, doors)
    if fact is None:
        return Said(say(DeskText.GONE_ALREADY, turn.language))
    if not _may_forget(turn, fact):
        return Said(not_yours(turn.guild, turn.language))
    return _said(turn, await carried_out(forget_facts(turn, [fact], doors), doors))


async def disown(turn: FormTurn, fact_id: int, doors: Doors) -> Said:
    """Forget that a fact is about the visitor, who says that it was not them."""
    fact = await _seen(turn, fact_id, doors)
    if fact is None:
        return Said(say(DeskText.GONE_ALREADY, turn.language))
    if fact.subject_id != turn.message.user_id:
        return Said(say(DeskText.NOT_ABOUT_YOU, turn.language))
    await doors.memory.disown(guild_id=fact.guild_id, fact_ids=[fact.fact_id])
    return Said(say(DeskText.DISOWNED, turn.language))


async def forget_message(turn: FormTurn, doors: Doors) -> Said:
    """Forget what the message that `turn` replies to said, or what that answer of the bot's told."""
    meant = turn.replied_to
    if meant is None:
        return Said(say(DeskText.NOT_HEARD, turn.language))
    standing = [fact for fact in await _told_in(turn, meant, doors) if _stands(turn, fact)]
    if not all(_may_forget(turn, fact) for fact in standing):
        return Said(not_yours(turn.guild, turn.language))
    return _said(turn, await carried_out(await forgetting.forget_this(turn, ForgetThis(), doors), doors))


async def undo(turn: FormTurn, fact_ids: Sequence[int], doors: Doors, *, asked_in: int | None) -> Said:
    """Take back the writes of these facts; what they had superseded holds again."""
    known = await doors.memory.facts_with_ids(guild_id=turn.message.guild_id, fact_ids=fact_ids)
    standing = [fact for fact in known if _stands(turn, fact)]
    if not standing:
        return Said(turn.say(Text.UNDONE_ALREADY))
    if not all(_may_undo(turn, fact, asked_in) for fact in standing):
        return Said(not_yours_to_undo(turn.guild, turn.language))
    undoing = taking_back(standing, turn.language, doors, by=turn.by)
    return Said(turn.rendered(await doors.memory.carry_out(undoing)))


async def _store(
    turn: FormTurn, subject_id: int, statement: str, doors: Doors, operations: Operations
) -> WrittenAnswer:
    if subject_id == turn.bot_id:
        return WrittenAnswer(route=Route.REMEMBER, parts=(turn.say(Text.ABOUT_THE_BOT),))
    if refusal := turn.refusal(Route.REMEMBER, [subject_id]):
        return refusal
    if not any(map(str.isalnum, turn.text)):
        raise EmptyFactError
    said = considering.wanted(turn, subject_id=subject_id, statement=statement)
    if refusal := await considering.refused(turn, [said], doors, operations):
        return refusal
    note = remembering.note(turn, subject_id=subject_id, statement=statement)
    # No message says it: there is none to jump to, and none that a forgetting has to withhold.
    return remembering.remembered(turn, [replace(note, message_id=0)], doors)


async def _stored(turn: FormTurn, storing: Awaitable[WrittenAnswer], doors: Doors) -> Said:
    """Return what is said of a write, or why there is none."""
    try:
        answer = await carried_out(await storing, doors)
    except NOT_KEPT as error:
        return Said(turn.rendered(why_not_kept(turn, error)))
    # Without a word it is a repeated command, whose fact was taken back or forgotten meanwhile.
    return _said(turn, answer) if answer.parts else Said(turn.say(Text.UNDONE_ALREADY))


async def carried_out(answer: WrittenAnswer, doors: Doors) -> WrittenAnswer:
    """Carry out what `answer` defers, and return it with what came of that."""
    if answer.deferred is None:
        return answer
    return answer.with_result(await doors.memory.carry_out(answer.deferred))


def _statement_about(
    turn: FormTurn, subject: names.Subject | names.Ambiguous | names.Unknown, subject_id: int
) -> str:
    """Return the text of `turn` as a statement about the chosen subject, whose name it need not hold."""
    text = turn.text.strip()
    if isinstance(subject, names.Ambiguous) and subject_id in subject.candidates:
        # The form has chosen already, so the name means nobody else.
        others = frozenset(subject.candidates) - {subject_id}
        chosen = replace(turn, set_aside=turn.set_aside | others)
        subject = names.subject_of(text, members=chosen.members, author_id=turn.message.user_id)
    if isinstance(subject, names.Subject) and subject.user_id == subject_id:
        return subject.statement
    said = names.with_mentions(text, turn.members)
    mention = mention_of(subject_id)
    if not text or mention in said:
        return said
    goes_on = text.split()[0].casefold().replace("ё", "е") in _PREDICATES
    return f"{mention} {said}" if goes_on else f"{mention}: {said}"


async def _seen(turn: FormTurn, fact_id: int, doors: Doors) -> Fact | None:
    """Return a fact that holds and that the visitor may see where they are."""
    for guild_id in (turn.view.guild_id, *turn.view.own_guild_ids):
        for fact in await doors.memory.facts_with_ids(guild_id=guild_id, fact_ids=[fact_id]):
            if _stands(turn, fact):
                return fact
    return None


async def _told_in(turn: FormTurn, meant: Message, doors: Doors) -> Sequence[Fact]:
    """Return the facts that a message said, or that an answer of the bot's wrote or told."""
    if meant.user_id != turn.bot_id:
        return await doors.memory.facts_of_message(guild_id=meant.guild_id, message_id=meant.message_id)
    if meant.reply_to_id is None:
        return ()
    answer = await doors.memory.answers.to_message(guild_id=meant.guild_id, message_id=meant.reply_to_id)
    told = () if answer is None else answer.fact_ids or answer.memory_ids
    return await doors.memory.facts_with_ids(guild_id=meant.guild_id, fact_ids=told)


def _stands(turn: FormTurn, fact: Fact) -> bool:
    """Tell whether a fact holds and may be seen where the visitor is."""
    if fact.status is not FactStatus.ACTIVE:
        return False
    if fact.guild_id == turn.view.guild_id:
        return fact.audience in turn.view.audiences
    return fact.audience == OPEN and fact.subject_id == turn.message.user_id


def _may_forget(turn: FormTurn, fact: Fact) -> bool:
    return may_forget(turn.guild, fact, user_id=turn.message.user_id, from_moderator=turn.from_moderator)


def _may_undo(turn: FormTurn, fact: Fact, asked_in: int | None) -> bool:
    return may_undo(
        turn.guild,
        fact,
        user_id=turn.message.user_id,
        from_moderator=turn.from_moderator,
        asked_for_it=fact.cause == f"i:{asked_in}",
    )


def _said(turn: FormTurn, answer: WrittenAnswer) -> Said:
    return Said(turn.rendered("\n".join(answer.parts)), answer.fact_ids, answer.forgot)
