"""Carries out "forget" for single facts, as far as the asker has the right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.chat import rights_texts
from bot.chat.disclosure import disclosure_of
from bot.chat.forgetting_choice import asked_where, listed, offered, within
from bot.chat.incoming import Route
from bot.chat.reply import ReplyContext, asker_of
from bot.chat.turn import MemoryAccess, Turn
from bot.core.domain import GUILD_SUBJECT, OPEN, Fact, ForgettingOthers, Message
from bot.llm.framing import mentioned_in
from bot.memory.members import subjects
from bot.memory.outbox.answers import DeferredWrite, WrittenAnswer
from bot.memory.outbox.circumstances import OpenQuestion
from bot.memory.policy import permissions
from bot.memory.rights.forgetting.matching import choice_among, chosen_facts, facts_chosen
from bot.memory.rights.forgetting.meant import (
    MOST_OFFERED,
    FactPart,
    MeantFacts,
    facts_meant,
    part_that_says,
    with_replacing,
)
from bot.memory.rights.forgetting.repository import Forgotten
from bot.memory.rights.forgetting.search import OrderedWords, Reach, Sayings
from bot.text import phrasing
from bot.text.commands import Forget, ForgetThis


@dataclass(frozen=True, slots=True)
class Rightful:
    """Facts by whose they are to forget."""

    own: tuple[Fact, ...] = ()
    """All messages that say these lose their text, whoever wrote them."""
    told: tuple[Fact, ...] = ()
    """Of these, which the asker told of others, only the asker's own messages, and those that they came from."""
    named: tuple[Fact, ...] = ()
    """Not the asker's to forget, who is named in these: they can have themselves taken out of them."""
    others: tuple[Fact, ...] = ()
    """Not the asker's to forget either."""

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
        named=tuple(fact for fact in known if fact.fact_id not in may and _is_named(turn, fact)),
        others=tuple(fact for fact in known if fact.fact_id not in may and not _is_named(turn, fact)),
    )


async def knowable(turn: Turn, known: Sequence[Fact], access: MemoryAccess) -> list[Fact]:
    """Return those of `known` that the asker may have forgotten, is named in, or may be told.

    To say that a fact is somebody else's to forget would reveal that it exists.
    """
    others = rightful(turn, known).others
    if not others:
        return list(known)
    told = {fact.fact_id for fact in (await disclosure_of(turn, access)).facts(others)}
    hidden = {fact.fact_id for fact in others} - told
    return [fact for fact in known if fact.fact_id not in hidden]


def _is_named(turn: Turn, fact: Fact) -> bool:
    """Tell whether a fact of this server names who asks."""
    return fact.guild_id == turn.message.guild_id and turn.message.user_id in mentioned_in(fact.content)


def reaches_of(
    turn: Turn,
    found: Rightful,
    *,
    also: Sequence[int] = (),
    parts: Mapping[int, FactPart] | None = None,
    statement: str = "",
    words: Sequence[OrderedWords] = (),
    sayings: Sayings | None = None,
) -> list[Reach]:
    """Return all that one order takes: what the asker may have forgotten of `found`, the messages `also`, itself.

    Its `words` are known again where they were said before and are read later; with `sayings`, what the asker said
    in them goes though no fact says it.
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
    orders = [message.message_id, *([turn.order_id] if turn.order_id else [])]
    message_ids = [*(orders if is_taken else []), *also]
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
        sayings=sayings,
        asked_at=turn.asked_at,
        by=turn.by if takes_any or sayings else None,
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
    sayings: Sayings | None = None,
) -> WrittenAnswer:
    """Return the order to forget `known`, of facts in `parts` that part, with the messages `also` and the command.

    `statement` is what was asked for, where it says just what the facts say. All of it is one write, which goes with
    the answer: how many facts went, or how many messages lost their text, and how many facts are somebody else's.
    """
    found = rightful(turn, known)
    if found.named and not found.may:
        return taken_out(turn, found, access)
    in_vain = nothing_to_forget(turn) if not found.others else not_yours_to_forget(turn)
    reaches = reaches_of(
        turn, found, also=also, parts=parts, statement=statement, words=words, sayings=sayings
    )
    if not reaches:
        return in_vain

    def told(gone: Forgotten) -> WrittenAnswer:
        messages = len(also) or gone.sayings
        if not gone.facts and not messages:
            return in_vain
        return forgotten(turn, found, facts=gone.facts, messages=messages)

    taking = access.memory.forgetting(reaches).beside(taking_out(turn, found, access))
    return WrittenAnswer(route=Route.FORGET, deferred=taking.then(lambda took: told(took[0])))


def taking_out(turn: Turn, found: Rightful, access: MemoryAccess) -> DeferredWrite[int]:
    """Return the write that lets the asker be nobody in the facts of others that name them; it results in how many."""
    if not found.named:
        return DeferredWrite.of(0)
    return access.memory.taking_out(
        guild_id=turn.message.guild_id,
        fact_ids=[fact.fact_id for fact in found.named],
        user_id=turn.message.user_id,
    )


def taken_out(turn: Turn, found: Rightful, access: MemoryAccess) -> WrittenAnswer:
    """Return the order to let the asker be nobody in the facts of others that name them, and nothing else."""

    def told(count: int) -> WrittenAnswer:
        said = turn.say("forget.taken_out", facts=turn.say("count.facts", count=count))
        return WrittenAnswer(route=Route.FORGET, parts=(said,), forgot=True)

    return WrittenAnswer(route=Route.FORGET, deferred=taking_out(turn, found, access).then(told))


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
    """Return what is said of facts that are somebody else's to forget: that they stay, or lose the asker's name."""
    lines = []
    if found.named:
        number = turn.say("count.facts", count=len(found.named))
        lines.append(turn.say("forget.taken_out", facts=number))
    if found.others:
        number = turn.say("count.facts", count=len(found.others))
        lines.append(turn.say("forget.others_stay", facts=number))
    return lines


def author_ids_of(turn: Turn, found: Rightful) -> Sequence[int] | None:
    """Return whose messages may lose their text for `found` as a whole; `None` means those of everybody."""
    return [turn.message.user_id] if found.told and not found.own else None


def nothing_to_forget(turn: Turn) -> WrittenAnswer:
    """Say that nothing says that."""
    return WrittenAnswer(route=Route.FORGET, parts=(turn.say("chat.nothing_to_forget"),))


def not_yours_to_forget(turn: Turn) -> WrittenAnswer:
    """Say that it is somebody else's to forget."""
    return WrittenAnswer(
        route=Route.FORGET,
        parts=(rights_texts.not_yours_text(turn.guild, turn.speech, "forget.not_yours"),),
    )


async def forget(turn: Turn, command: Forget, access: MemoryAccess, context: ReplyContext) -> WrittenAnswer:
    """Forget what says the statement: about the member whom it names, else about the guild and the asker."""
    asker_id = turn.message.user_id
    fact = await listed(turn, command.statement, access) if turn.is_message else None
    if fact is not None:
        may = rightful(turn, [fact]).may
        return offered(turn, may) if may else not_yours_to_forget(turn)
    subject = turn.subject_of(command.statement)
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
    known = await access.library.facts_about_each(
        subject_ids, turn.view, asker_id=asker_id, naming_asker=asker_id in subject_ids
    )
    known += await access.memory.retired_facts(
        guild_id=turn.message.guild_id, subject_ids=subject_ids, audiences=turn.view.audiences
    )
    known = await knowable(turn, within(turn, known), access)
    found = facts_meant(what, known, author_id=asker_id)
    if not found.says_just and context.operations.has_models:
        choice = choice_among(what, known, author_id=asker_id, subject_ids=subject_ids)
        outcome = await chosen_facts(context.operations, choice, asker=asker_of(turn))
        if outcome.model is not None:
            chosen = tuple(facts_chosen(choice, outcome.value))
            nearest = () if chosen else (*found.sure, *found.nearest)
            found = MeantFacts(chosen, says_just=bool(chosen), nearest=nearest)
    found = replace(found, sure=tuple(with_replacing(what, found.sure, known)))
    if asked := await _asked_first(turn, found, access):
        return asked
    words = dated_words(turn, subject_ids, what) if what.strip() else ()
    if not found.sure and (asked := await _asked_of_sayings(turn, words, access)):
        return asked
    return forget_facts(
        turn,
        found.sure,
        access,
        parts=_parts(what, found.sure, asker_id=asker_id),
        statement=what if found.says_just else "",
        words=words,
        # What somebody else had noted stays, and so do the words for it.
        sayings=None if found.sure else Sayings.SURE,
    )


async def _asked_of_sayings(
    turn: Turn, words: Sequence[OrderedWords], access: MemoryAccess
) -> WrittenAnswer | None:
    """Ask whether messages of the asker's are meant that hold the one word of an order; `None` if that is clear."""
    if not words or not (turn.is_message and isinstance(turn.command, Forget)):
        return None
    count = {
        sayings: await access.memory.forgettings.count_sayings(reach)
        for sayings in Sayings
        for reach in reaches_of(turn, Rightful(), words=words, sayings=sayings)
    }
    if count[Sayings.SURE] or not count[Sayings.EVERY]:
        return None
    messages = turn.say("count.messages_of", count=count[Sayings.EVERY])
    return WrittenAnswer(
        route=Route.FORGET,
        parts=(turn.say("forget.ask_sayings", messages=messages),),
        question=OpenQuestion(text=turn.text, replied_to_id=turn.message.reply_to_id),
    )


async def forget_sayings(turn: Turn, command: Forget, access: MemoryAccess) -> WrittenAnswer:
    """Forget every message of the asker's that holds the words of the order, after they said "yes"."""
    subject = turn.subject_of(command.statement)
    if not isinstance(subject, subjects.StatementSubject):
        return turn.unresolved(Route.FORGET, subject)
    words = dated_words(turn, (turn.message.user_id,), subject.statement)
    return forget_facts(turn, (), access, words=words, sayings=Sayings.EVERY)


async def _asked_first(turn: Turn, found: MeantFacts, access: MemoryAccess) -> WrittenAnswer | None:
    """Return what is asked before anything is forgotten: which, whether so many, or where; `None` if that is clear."""
    if not found.sure:
        nearest = await _nameable(turn, rightful(turn, found.nearest).may, access)
        return offered(turn, nearest) if nearest and turn.is_message else None
    may = rightful(turn, found.sure).may
    if where := await asked_where(turn, may, access):
        return where
    is_many = len({fact.content for fact in may}) > MOST_OFFERED
    if not (is_many and turn.is_message):
        return None
    return offered(turn, may, named=await _nameable(turn, may, access))


async def _nameable(turn: Turn, facts: Sequence[Fact], access: MemoryAccess) -> Sequence[Fact]:
    """Return those of `facts` that the asker may be told: a moderator may forget facts meant only for their subject."""
    if not facts:
        return facts
    return (await disclosure_of(turn, access)).facts(facts)


async def forget_chosen(turn: Turn, fact_ids: Sequence[int], access: MemoryAccess) -> WrittenAnswer:
    """Forget the facts that the asker chose of those that were offered, or the part of them that was asked for."""
    asker_id = turn.message.user_id
    here = turn.message.guild_id
    known = await access.memory.facts_with_ids(guild_id=here, fact_ids=fact_ids)
    visible = [fact for fact in known if fact.audience in turn.view.audiences]
    for guild_id in turn.view.own_guild_ids:
        own = await access.memory.facts_with_ids(guild_id=guild_id, fact_ids=fact_ids)
        visible += [fact for fact in own if fact.audience == OPEN and fact.subject_id == asker_id]
    what = turn.command.statement if isinstance(turn.command, Forget) else ""
    return forget_facts(turn, visible, access, parts=_parts(what, visible, asker_id=asker_id) if what else {})


async def forget_this(turn: Turn, _: ForgetThis, access: MemoryAccess) -> WrittenAnswer:
    """Forget what the message replied to said or confirmed, else what was remembered last, or the previous message.

    What was remembered since the asker last said something is meant where it is about them, or told by them.
    """
    previous = None if turn.replied_to else await access.library.previous_of(turn.message)
    if turn.replied_to is None and (noted := await _noted_since(turn, previous, access)):
        return forget_facts(turn, noted, access)
    meant = turn.replied_to or previous
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


async def _noted_since(turn: Turn, previous: Message | None, access: MemoryAccess) -> Sequence[Fact]:
    """Return what the last write in the channel since the asker's `previous` message left standing of theirs."""
    last = await access.memory.answers.last_write_of_others(turn.message)
    if last is None or (previous is not None and last.message_id < previous.message_id):
        return ()
    known = await access.memory.facts_with_ids(guild_id=turn.message.guild_id, fact_ids=last.fact_ids)
    visible = [fact for fact in known if fact.audience in turn.view.audiences]
    return [fact for fact in visible if turn.message.user_id in {fact.subject_id, fact.author_id}]


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
    known = await access.memory.facts_with_ids(guild_id=meant.guild_id, fact_ids=told)
    seen = [fact for fact in known if fact.audience in turn.view.audiences]
    visible = await knowable(turn, seen, access)
    if len(told) > 1 and not answer.fact_ids:
        may = rightful(turn, visible).may
        if turn.is_message and 0 < len(may) <= MOST_OFFERED:
            return offered(turn, may)
        return WrittenAnswer(route=Route.FORGET, parts=(turn.say("chat.say_which"),))
    return forget_facts(turn, visible, access)
