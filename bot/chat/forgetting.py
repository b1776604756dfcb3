"""Carry out "forget" for single facts, as far as it is the asker's right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.chat import rights_texts
from bot.chat.incoming import Route
from bot.chat.reply import ReplyContext, asker_of
from bot.chat.turn import MemoryAccess, Turn
from bot.core.domain import GUILD_SUBJECT, OPEN, Fact, ForgettingOthers, Message
from bot.memory.members import subjects
from bot.memory.outbox.answers import WrittenAnswer
from bot.memory.policy import permissions
from bot.memory.rights.forgetting.matching import (
    FactPart,
    choice_among,
    chosen_facts,
    facts_chosen,
    facts_that_say,
    part_that_says,
    says_just,
)
from bot.memory.rights.forgetting.repository import Forgotten
from bot.memory.rights.forgetting.search import OrderedWords, Reach
from bot.text import phrasing
from bot.text.commands import Forget, ForgetThis


@dataclass(frozen=True, slots=True)
class Rightful:
    """Facts by whose they are to forget."""

    own: tuple[Fact, ...] = ()
    """All messages that say these lose their text, whoever wrote them."""
    told: tuple[Fact, ...] = ()
    """Of these, which the asker told of others, only the asker's own messages, and those that they came from."""
    others: tuple[Fact, ...] = ()
    """Not the asker's to forget."""

    @property
    def may(self) -> tuple[Fact, ...]:
        """What the asker may have forgotten."""
        return (*self.own, *self.told)


def rightful(turn: Turn, known: Sequence[Fact]) -> Rightful:
    """Return `known` by whose they are to forget, for who asks in `turn`."""
    asker_id = turn.message.user_id
    may = {
        fact.fact_id
        for fact in known
        if permissions.may_forget(turn.guild, fact, user_id=asker_id, from_moderator=turn.from_moderator)
    }
    own = {fact.fact_id for fact in known if turn.from_moderator or fact.subject_id == asker_id}
    return Rightful(
        own=tuple(fact for fact in known if fact.fact_id in may & own),
        told=tuple(fact for fact in known if fact.fact_id in may - own),
        others=tuple(fact for fact in known if fact.fact_id not in may),
    )


def reaches_of(
    turn: Turn,
    found: Rightful,
    *,
    also: Sequence[int] = (),
    parts: Mapping[int, FactPart] | None = None,
    statement: str = "",
    words: Sequence[OrderedWords] = (),
) -> list[Reach]:
    """Return all that one order takes: what the asker may have forgotten of `found`, the messages `also`, itself.

    Its `words` are known again where they were said before and are read later.
    """
    message = turn.message
    reaches = [
        Reach(
            guild_id=guild_id,
            fact_ids=[fact.fact_id for fact in facts if fact.guild_id == guild_id],
            author_ids=author_ids,
            audiences=turn.view.audiences if guild_id == message.guild_id else [OPEN],
            parts=parts or {},
            statement=statement,
            asked_at=turn.asked_at,
            by=turn.by,
        )
        for facts, author_ids in ((found.own, None), (found.told, [message.user_id]))
        for guild_id in sorted({fact.guild_id for fact in facts})
    ]
    takes_any = bool(also or found.may)
    if not takes_any and not words:
        return reaches
    # Where nothing is known yet, the order would be all that is left of what it says.
    is_taken = turn.is_message and (takes_any or turn.is_behind)
    message_ids = [*([message.message_id] if is_taken else []), *also]
    for place, reach in enumerate(reaches):
        if reach.guild_id == message.guild_id and reach.author_ids is None:
            # What is taken together is looked for once.
            reaches[place] = replace(reach, message_ids=message_ids, words=words)
            return reaches
    own = Reach(
        guild_id=message.guild_id,
        message_ids=message_ids,
        audiences=turn.view.audiences,
        words=words,
        asked_at=turn.asked_at,
        by=turn.by if takes_any else None,
    )
    return [*reaches, own]


def dated_words(turn: Turn, subject_ids: Sequence[int], text: str) -> list[OrderedWords]:
    """Return what an order says about these subjects in its own words, as far as it is the asker's to forget.

    About others that is what the asker tells of them. Without a text it is all that is told.
    """
    asker_id, guild = turn.message.user_id, turn.guild
    tellers_may = guild is None or guild.forgetting_others is ForgettingOthers.TELLERS
    told_by = {
        subject_id: None if subject_id == asker_id or turn.from_moderator else asker_id
        for subject_id in subject_ids
        if turn.from_moderator or tellers_may or subject_id in {asker_id, GUILD_SUBJECT}
    }
    if text:
        # In other words of the asker's it may be about nobody: "the boats in the harbour are mine".
        told_by.setdefault(GUILD_SUBJECT, asker_id)
    # "I own a boat" and "owns a boat" have other words for a search.
    wordings = dict.fromkeys([text, phrasing.third_person(text, author_id=asker_id)])
    return [
        OrderedWords(subject_id=subject_id, author_id=author_id, text=said)
        for subject_id, author_id in told_by.items()
        for said in wordings
    ]


def forget_facts(
    turn: Turn,
    known: Sequence[Fact],
    access: MemoryAccess,
    *,
    also: Sequence[int] = (),
    parts: Mapping[int, FactPart] | None = None,
    statement: str = "",
    words: Sequence[OrderedWords] = (),
) -> WrittenAnswer:
    """Return the order to forget `known`, of facts in `parts` that part, with the messages `also` and the command.

    `statement` is what was asked for, where it says just what the facts say. All of it is one write, which goes with
    the answer: how many facts went, or how many messages lost their text, and how many facts are somebody else's.
    """
    found = rightful(turn, known)
    in_vain = nothing_to_forget(turn) if not found.others else not_yours_to_forget(turn)
    reaches = reaches_of(turn, found, also=also, parts=parts, statement=statement, words=words)
    if not reaches:
        return in_vain

    def told(gone: Forgotten) -> WrittenAnswer:
        if not gone.facts and not also:
            return in_vain
        return forgotten(turn, found, facts=gone.facts, messages=len(also))

    return WrittenAnswer(route=Route.FORGET, deferred=access.memory.forgetting(reaches).then(told))


def forgotten(turn: Turn, found: Rightful, *, facts: int, messages: int = 0) -> WrittenAnswer:
    """Say how many facts went, else how many messages lost their text, and what stays."""
    if facts:
        said = turn.say("chat.forgotten", facts=turn.say("count.facts", count=facts))
    else:
        said = turn.say("chat.words_forgotten", messages=turn.say("count.messages_of", count=messages))
    return WrittenAnswer(
        route=Route.FORGET, parts=("\n".join([said, *others_stay(turn, found)]),), forgot=True
    )


def others_stay(turn: Turn, found: Rightful) -> list[str]:
    """Return the sentence that facts stay which are somebody else's to forget, if there are any."""
    if not found.others:
        return []
    number = turn.say("count.facts", count=len(found.others))
    return [turn.say("forget.others_stay", facts=number)]


def author_ids_of(turn: Turn, found: Rightful) -> Sequence[int] | None:
    """Return whose messages may lose their text for `found` as a whole; `None`: whoever wrote them."""
    return [turn.message.user_id] if found.told and not found.own else None


def nothing_to_forget(turn: Turn) -> WrittenAnswer:
    """Say that nothing says that."""
    return WrittenAnswer(route=Route.FORGET, parts=(turn.say("chat.nothing_to_forget"),))


def not_yours_to_forget(turn: Turn) -> WrittenAnswer:
    """Say that it is somebody else's to forget."""
    return WrittenAnswer(
        route=Route.FORGET,
        parts=(rights_texts.not_yours_text(turn.guild, turn.language, "forget.not_yours"),),
    )


async def forget(turn: Turn, command: Forget, access: MemoryAccess, context: ReplyContext) -> WrittenAnswer:
    """Forget what says the statement: of the member whom it names, else of the guild and of the asker."""
    asker_id = turn.message.user_id
    subject = subjects.subject_of(command.statement, members=turn.members, author_id=asker_id)
    if not isinstance(subject, subjects.StatementSubject):
        return turn.unresolved(Route.FORGET, subject)
    user_id = subject.user_id
    subject_ids = (user_id,) if user_id != GUILD_SUBJECT else (GUILD_SUBJECT, asker_id)
    return await forget_matching(turn, subject_ids, subject.statement, access, context)


async def forget_matching(
    turn: Turn, subject_ids: Sequence[int], what: str, access: MemoryAccess, context: ReplyContext
) -> WrittenAnswer:
    """Forget the facts about these subjects that say `what`.

    By its words where one says just that, else by its meaning, if there is a model to ask. What was superseded and
    what is over is forgotten like what holds.
    """
    asker_id = turn.message.user_id
    await access.noticed(turn.message)
    known = await access.library.facts_about_each(subject_ids, turn.view, asker_id=asker_id)
    known += await access.memory.retired_facts(
        guild_id=turn.message.guild_id, subject_ids=subject_ids, audiences=turn.view.audiences
    )
    found = facts_that_say(what, known, author_id=asker_id)
    is_sure = bool(found) and all(says_just(what, fact, author_id=asker_id) for fact in found)
    if not is_sure and context.operations.has_models:
        choice = choice_among(what, known, author_id=asker_id, subject_ids=subject_ids)
        outcome = await chosen_facts(context.operations, choice, asker=asker_of(turn))
        found = facts_chosen(choice, outcome.value)
        is_sure = outcome.model is not None
    return forget_facts(
        turn,
        found,
        access,
        parts=_parts(what, found, asker_id=asker_id),
        statement=what if is_sure else "",
        words=dated_words(turn, subject_ids, what) if what.strip() else (),
    )


async def forget_this(turn: Turn, _: ForgetThis, access: MemoryAccess) -> WrittenAnswer:
    """Forget what the message replied to said or confirmed, else the asker's previous message."""
    meant = turn.replied_to or await access.library.previous_of(turn.message)
    if meant is None:
        return nothing_to_forget(turn)
    if meant.user_id == turn.bot_id:
        return await _forget_what_was_told(turn, meant, access)
    await access.noticed(turn.message)
    known = await access.memory.facts_of_message(guild_id=meant.guild_id, message_id=meant.message_id)
    may_withhold = meant.user_id == turn.message.user_id or turn.from_moderator
    visible = [fact for fact in known if fact.audience in turn.view.audiences]
    return forget_facts(turn, visible, access, also=[meant.message_id] if may_withhold else [])


def _parts(what: str, found: Sequence[Fact], *, asker_id: int) -> dict[int, FactPart]:
    """Return the facts that say more than `what`, taken apart: only what was meant goes."""
    told = phrasing.third_person(what, author_id=asker_id)
    parts = {fact.fact_id: part_that_says(told, fact) for fact in found}
    return {fact_id: part for fact_id, part in parts.items() if part is not None}


async def _forget_what_was_told(turn: Turn, meant: Message, access: MemoryAccess) -> WrittenAnswer:
    """Forget what an answer of the bot's wrote, or the one thing that it told."""
    answer = (
        await access.memory.answers.to_message(guild_id=meant.guild_id, message_id=meant.reply_to_id)
        if meant.reply_to_id is not None
        else None
    )
    if answer is None:
        return nothing_to_forget(turn)
    told = answer.fact_ids or answer.memory_ids
    if len(told) > 1 and not answer.fact_ids:
        return WrittenAnswer(route=Route.FORGET, parts=(turn.say("chat.say_which"),))
    known = await access.memory.facts_with_ids(guild_id=meant.guild_id, fact_ids=told)
    visible = [fact for fact in known if fact.audience in turn.view.audiences]
    return forget_facts(turn, visible, access)
