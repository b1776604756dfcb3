"""Remember, forget and undo by slash commands, under the same rules as in words."""

from collections.abc import Awaitable, Sequence
from dataclasses import replace
from typing import Final

from bot.chat import forgetting, remembering
from bot.chat.correcting import taken_back_text, taking_back_of
from bot.chat.disclosure import disclosure_of
from bot.chat.forgetting import forget_facts, rightful
from bot.chat.incoming import Route
from bot.chat.remembering import NOT_KEPT, why_not_kept
from bot.chat.rights_texts import not_yours_text, not_yours_to_undo_text
from bot.chat.turn import MemoryAccess
from bot.chat.usecases.context import FormAccess, FormReply, FormTurn, replying_to
from bot.core.domain import OPEN, Fact, FactStatus, Message, mention_of
from bot.core.errors import EmptyFactError
from bot.memory.members import roster, subjects
from bot.memory.outbox.answers import WrittenAnswer
from bot.memory.policy.admission import clean
from bot.memory.policy.permissions import may_forget, may_undo
from bot.text.commands import ForgetThis, RememberThis
from bot.text.grammar.words import PERSON_VERBS
from bot.text.languages import every_word

_PREDICATES: Final = PERSON_VERBS | every_word("goes_on_after_a_name")
"""With these a text goes on after the name of whom it is about: "likes tea", "is allergic to nuts"."""


async def remember_text(turn: FormTurn, access: FormAccess, subject_id: int | None, text: str) -> FormReply:
    """Store `text` about a member, or (`None`) about whom its words name, as in "remember that ..."."""
    turn = await turn.saying(clean(text))
    text = turn.text.strip()
    subject = turn.subject_of(text)
    if subject_id is not None:
        subject = subjects.StatementSubject(subject_id, _statement_about(turn, subject, subject_id))
    elif remembering.STATEMENT_TO_BOT.match(text):
        return FormReply(turn.say("chat.about_the_bot"))
    match subject:
        case roster.AmbiguousName():
            return FormReply(turn.say("form.several", name=subject.name))
        case roster.UnknownName():
            return await _said(turn, turn.unknown(Route.REMEMBER, subject))
        case subjects.StatementSubject():
            return await _stored(turn, _store(turn, subject, access), access)


async def remember_message(turn: FormTurn, access: FormAccess, message_id: int) -> FormReply:
    """Store what a message says about its writer, in their name, as "remember this" in reply to it does."""
    turn = await replying_to(turn, message_id, access)
    if turn.replied_to is None:
        return FormReply(turn.say("form.not_heard"))
    return await _stored(
        turn, remembering.remember_this(turn, RememberThis(), access, access.operations), access
    )


async def forget_fact(turn: FormTurn, access: FormAccess, fact_id: int) -> FormReply:
    """Forget a fact that may be seen here with whatever told it, for its teller, its subject and moderators.

    Says how many went, never what they said.
    """
    fact = await _seen(turn, fact_id, access)
    if fact is None:
        return FormReply(turn.say("form.gone_already"))
    if not rightful(turn, [fact]).named and not _may_forget(turn, fact):
        return FormReply(not_yours_text(turn.guild, turn.language))
    return await _said(turn, await completed(forget_facts(turn, [fact], access), access))


async def disown_fact(turn: FormTurn, access: FormAccess, fact_id: int) -> FormReply:
    """Forget that a fact is about the visitor, who says that it was not them."""
    fact = await _seen(turn, fact_id, access)
    if fact is None:
        return FormReply(turn.say("form.gone_already"))
    if fact.subject_id != turn.message.user_id:
        return FormReply(turn.say("form.not_about_you"))
    await access.memory.disown(guild_id=fact.guild_id, fact_ids=[fact.fact_id])
    return FormReply(turn.say("form.disowned"))


async def forget_message(turn: FormTurn, access: FormAccess, message_id: int) -> FormReply:
    """Forget what a message said, or what that answer of the bot's told, as "forget this" in reply to it does."""
    turn = await replying_to(turn, message_id, access)
    meant = turn.replied_to
    if meant is None:
        return FormReply(turn.say("form.not_heard"))
    told = [fact for fact in await _told_in(turn, meant, access) if _stands(turn, fact)]
    standing = await forgetting.knowable(turn, told, access)
    if not all(_may_forget(turn, fact) for fact in standing):
        return FormReply(not_yours_text(turn.guild, turn.language))
    return await _said(
        turn, await completed(await forgetting.forget_this(turn, ForgetThis(), access), access)
    )


async def undo_writes(
    turn: FormTurn, access: FormAccess, fact_ids: Sequence[int], *, asked_in: int | None = None
) -> FormReply:
    """Take back the writes of these facts, for teller, subject and moderators; what they had superseded holds again.

    `asked_in` is the interaction that stored them where the visitor is known to have given it.
    """
    known = await access.memory.facts_with_ids(guild_id=turn.message.guild_id, fact_ids=fact_ids)
    standing = [fact for fact in known if _stands(turn, fact)]
    if not standing:
        return FormReply(turn.say("chat.undone_already"))
    if not all(_may_undo(turn, fact, asked_in) for fact in standing):
        return FormReply(not_yours_to_undo_text(turn.guild, turn.language))
    tact = await disclosure_of(turn, access)
    undone = await access.memory.carry_out(taking_back_of(standing, access, by=turn.by))
    return FormReply(await turn.named(taken_back_text(undone.gone, tact.facts(undone.again), turn.language)))


async def _store(turn: FormTurn, subject: subjects.StatementSubject, access: FormAccess) -> WrittenAnswer:
    subject_id, statement, names = subject.user_id, subject.statement, subject.names
    if subject_id == turn.bot_id:
        return WrittenAnswer(route=Route.REMEMBER, parts=(turn.say("chat.about_the_bot"),))
    if refusal := turn.refusal(Route.REMEMBER, [subject.of_whom]):
        return refusal
    if not any(map(str.isalnum, turn.text)):
        raise EmptyFactError
    said = remembering.wanted_statement(turn, subject_id=subject_id, statement=statement, names=names)
    if refusal := await remembering.refusal_of(turn, [said], access, access.operations):
        return refusal
    note = remembering.note_of(turn, subject_id=subject_id, statement=statement, names=names)
    # No message says it: there is none to jump to, and none that a forgetting has to withhold.
    return await remembering.store_notes(turn, [replace(note, message_id=0)], access)


async def _stored(turn: FormTurn, storing: Awaitable[WrittenAnswer], access: MemoryAccess) -> FormReply:
    """Return what is said of a write, or why there is none."""
    try:
        answer = await completed(await storing, access)
    except NOT_KEPT as error:
        return FormReply(await turn.named(why_not_kept(turn, error)))
    # Without a word it is a repeated command, whose fact was taken back or forgotten meanwhile.
    return await _said(turn, answer) if answer.parts else FormReply(turn.say("chat.undone_already"))


async def completed(answer: WrittenAnswer, access: MemoryAccess) -> WrittenAnswer:
    """Carry out what `answer` defers, and return it with what came of that."""
    if answer.deferred is None:
        return answer
    return answer.with_result(await access.memory.carry_out(answer.deferred))


def _statement_about(
    turn: FormTurn,
    subject: subjects.StatementSubject | roster.AmbiguousName | roster.UnknownName,
    subject_id: int,
) -> str:
    """Return the text of `turn` as a statement about the chosen subject, whose name it need not hold."""
    text = turn.text.strip()
    if isinstance(subject, roster.AmbiguousName) and subject_id in subject.candidates:
        # The form has chosen already, so the name means nobody else.
        others = frozenset(subject.candidates) - {subject_id}
        chosen = replace(turn, set_aside=turn.set_aside | others)
        subject = chosen.subject_of(text)
    if isinstance(subject, subjects.StatementSubject) and subject.user_id == subject_id:
        return subject.statement
    said = subjects.with_mentions(text, turn.members)
    mention = mention_of(subject_id)
    if not text or mention in said:
        return said
    goes_on = text.split()[0].casefold().replace("ё", "е") in _PREDICATES
    return f"{mention} {said}" if goes_on else f"{mention}: {said}"


async def _seen(turn: FormTurn, fact_id: int, access: MemoryAccess) -> Fact | None:
    """Return a fact that holds and that the visitor may see where they are."""
    for guild_id in (turn.view.guild_id, *turn.view.own_guild_ids):
        for fact in await access.memory.facts_with_ids(guild_id=guild_id, fact_ids=[fact_id]):
            if _stands(turn, fact):
                return fact
    return None


async def _told_in(turn: FormTurn, meant: Message, access: MemoryAccess) -> Sequence[Fact]:
    """Return the facts that a message said, or that an answer of the bot's wrote or told."""
    if meant.user_id != turn.bot_id:
        return await access.memory.facts_of_message(guild_id=meant.guild_id, message_id=meant.message_id)
    if meant.reply_to_id is None:
        return ()
    answer = await access.memory.answers.to_message(guild_id=meant.guild_id, message_id=meant.reply_to_id)
    told = () if answer is None else answer.fact_ids or answer.memory_ids
    return await access.memory.facts_with_ids(guild_id=meant.guild_id, fact_ids=told)


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


async def _said(turn: FormTurn, answer: WrittenAnswer) -> FormReply:
    return FormReply(await turn.named("\n".join(answer.parts)), answer.fact_ids, answer.forgot)
