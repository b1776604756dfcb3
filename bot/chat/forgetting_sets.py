"""Carries out "forget everything about X" and "forget everything since Monday". Shows in numbers what would go, and
asks first.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.chat.disclosure import disclosure_of
from bot.chat.forgetting import (
    Rightful,
    author_ids_of,
    dated_words,
    forgotten,
    knowable,
    not_yours_to_forget,
    nothing_to_forget,
    others_stay,
    reaches_of,
    rightful,
    taken_out,
    taking_out,
)
from bot.chat.forgetting_choice import asked_where, places_of, within
from bot.chat.incoming import Route
from bot.chat.own_rights import is_direct
from bot.chat.turn import MemoryAccess, Turn
from bot.core.domain import GUILD_SUBJECT, OPEN, Fact, ForgettingOthers, Language, mention_of
from bot.memory.outbox.answers import DeferredWrite, WrittenAnswer
from bot.memory.outbox.circumstances import OpenQuestion
from bot.memory.rights.forgetting.jobs import FactPlan, FactShare
from bot.memory.rights.forgetting.meant import facts_about
from bot.memory.rights.forgetting.repository import ForgettingReport, Forgotten, MessageSelection
from bot.memory.rights.forgetting.search import OrderedWords, Reach
from bot.text.commands import ForgetEverything, ForgetKind, ForgetSaid
from bot.text.concepts import Relation
from bot.text.grammar.kinds import fact_kind_of
from bot.text.grammar.periods import since_of
from bot.text.grammar.words import means_the_bot
from bot.text.languages import either
from bot.text.sentences import Key

_ERASES: Final = re.compile(rf"{either('erases')}(?!\w)", re.IGNORECASE)
"""Words that may mean all that is kept, where they are about oneself."""

AT_ONCE_FACTS: Final = 20
"""So many facts are forgotten in one transaction; each is looked for in all that was said."""


@dataclass(frozen=True, slots=True)
class _Meant:
    """What a set of facts about somebody is."""

    user_id: int
    """Whom it is about; `GUILD_SUBJECT` for a name or a thing."""
    name: str
    """As a sentence names them, members as `<@id>`."""
    found: Rightful
    """What holds."""
    before: Rightful
    """What held once."""
    words: Sequence[OrderedWords] = ()
    """What says it, where it is read later."""
    learned: bool = False
    """They have a profile that is theirs to have removed."""

    @property
    def all(self) -> tuple[Fact, ...]:
        """All that the asker may have forgotten."""
        return (*self.found.may, *self.before.may)


async def ask_everything(turn: Turn, command: ForgetEverything, access: MemoryAccess) -> WrittenAnswer:
    """Say what would go of all that is known about somebody, and ask; the asker's "yes" carries it out."""
    if means_the_bot(command.about):
        return WrittenAnswer(route=Route.FORGET, parts=(turn.say("chat.about_the_bot"),))
    meant = await _meant(turn, command, access)
    if isinstance(meant, WrittenAnswer):
        return meant
    if not meant.found.may and not meant.learned:
        return taken_out(turn, meant.found, access) if meant.found.named else _kept_out(turn, meant, access)
    if asked := await asked_where(turn, meant.found.may, access):
        return asked
    if turn.within:
        # The number was chosen of a list that said how many would go where.
        return await _forgotten(turn, meant, access)
    name = meant.name
    # In whatever words it was asked, "yes" must find a command that is sure, and of no other namesake.
    again = turn.say("chat.everything_command", name=name)
    erases = meant.user_id == turn.message.user_id and _ERASES.match(turn.text) is not None
    further = [turn.say("forget.or_erase")] if erases else []
    if not meant.learned:
        return await _asked(turn, meant, again, access, further)
    facts = turn.say("count.facts", count=len(meant.found.may))
    learned = turn.say("chat.confirm_everything_learned", facts=facts, name=name)
    return await _question(turn, [learned, *others_stay(turn, meant.found), *further], again, meant, access)


async def ask_kind(turn: Turn, command: ForgetKind, access: MemoryAccess) -> WrittenAnswer:
    """Say what would go of one kind of facts about somebody, and ask."""
    meant = await _meant(turn, command, access)
    if isinstance(meant, WrittenAnswer):
        return meant
    if not meant.found.may:
        return _in_vain(turn, meant)
    if asked := await asked_where(turn, meant.found.may, access):
        return asked
    if turn.within:
        return await _forgotten(turn, meant, access)
    again = turn.say("forget.kind_command", name=mention_of(meant.user_id), kind=command.kind)
    return await _asked(turn, meant, again, access)


async def forget_set(
    turn: Turn, command: ForgetEverything | ForgetKind, access: MemoryAccess
) -> WrittenAnswer:
    """Forget all or one kind of what is known about somebody, after the asker said "yes"."""
    meant = await _meant(turn, command, access)
    return (
        nothing_to_forget(turn) if isinstance(meant, WrittenAnswer) else await _forgotten(turn, meant, access)
    )


async def _meant(
    turn: Turn, command: ForgetEverything | ForgetKind, access: MemoryAccess
) -> _Meant | WrittenAnswer:
    """Return the set of facts that a command means, or what is said where it is about nobody or several."""
    user_id = turn.whom(command.about, Route.FORGET)
    if isinstance(user_id, WrittenAnswer):
        return user_id if user_id.question else await _topic(turn, command, user_id, access)
    if isinstance(command, ForgetKind):
        return await _of_kind(turn, command, user_id, access)
    return await _everything(turn, user_id, access)


async def _everything(turn: Turn, user_id: int, access: MemoryAccess) -> _Meant:
    asker_id = turn.message.user_id
    known, before = await _known(turn, user_id, access)
    if user_id == asker_id:
        holding = {fact.fact_id for fact in known}
        naming = await access.library.facts_known_of([user_id], turn.view, asker_id=asker_id)
        known += [fact for fact in naming if fact.fact_id not in holding]
    learned = user_id == asker_id and bool(
        await access.memory.profiles.text_of(guild_id=turn.message.guild_id, user_id=asker_id)
    )
    return _Meant(
        user_id,
        mention_of(user_id),
        rightful(turn, known),
        rightful(turn, before),
        dated_words(turn, [user_id], ""),
        learned,
    )


async def _topic(
    turn: Turn, command: ForgetEverything | ForgetKind, unknown: WrittenAnswer, access: MemoryAccess
) -> _Meant | WrittenAnswer:
    """Return what is known about a name that no member here has, or about a thing; `unknown` if nothing may be told."""
    words = command.about if isinstance(command, ForgetEverything) else f"{command.about} {command.kind}"
    asker_id = turn.message.user_id
    await access.noticed(turn.message)
    known = within(turn, await access.library.all_facts(turn.view, asker_id=asker_id))
    about = facts_about(words, known, author_id=asker_id)
    if isinstance(command, ForgetEverything):
        of_name = await access.library.facts_known_of((), turn.view, asker_id=asker_id, names=[words])
        about = list({fact.fact_id: fact for fact in (*within(turn, of_name), *about)}.values())
    found = rightful(turn, about)
    if not found.may:
        told = (await disclosure_of(turn, access)).facts(found.others)
        return not_yours_to_forget(turn) if told else unknown
    mine = Rightful(own=found.own, told=found.told)
    return _Meant(
        GUILD_SUBJECT,
        words,
        mine,
        Rightful(),
        dated_words(turn, [asker_id], words),
    )


async def _of_kind(turn: Turn, command: ForgetKind, user_id: int, access: MemoryAccess) -> _Meant:
    """Return what is of a kind by its key or category, and what says so in its own words."""
    known, before = await _known(turn, user_id, access)
    kind = fact_kind_of(command.kind)
    by_words = {
        fact.fact_id
        for fact in facts_about(
            command.kind, [*known, *before], author_id=turn.message.user_id, least=Relation.TAIL
        )
    }

    def meant(facts: Sequence[Fact]) -> Rightful:
        return rightful(
            turn,
            [fact for fact in facts if fact.fact_id in by_words or (kind is not None and kind.holds(fact))],
        )

    words = dated_words(turn, [user_id], command.kind)
    return _Meant(user_id, mention_of(user_id), meant(known), meant(before), words)


async def _known(turn: Turn, user_id: int, access: MemoryAccess) -> tuple[list[Fact], list[Fact]]:
    """Return what is known about somebody here, and what was known once."""
    await access.noticed(turn.message)
    known = within(turn, await access.library.facts_about(user_id, turn.view, asker_id=turn.message.user_id))
    before = await access.memory.retired_facts(
        guild_id=turn.message.guild_id, subject_ids=[user_id], audiences=turn.view.audiences
    )
    holding = {fact.fact_id for fact in known}
    before = [fact for fact in before if fact.fact_id not in holding]
    return await knowable(turn, known, access), await knowable(turn, before, access)


def _quoted(turn: Turn, meant: _Meant) -> str:
    """Return the subject of a set; in Russian a thing is quoted, since its words may be in any case."""
    is_thing = meant.user_id == GUILD_SUBJECT and turn.language is Language.RUSSIAN
    return f"«{meant.name}»" if is_thing else meant.name


async def _asked(
    turn: Turn, meant: _Meant, again: str, access: MemoryAccess, further: Sequence[str] = ()
) -> WrittenAnswer:
    """Ask whether a set of facts shall go, with the numbers of what that takes."""
    guild_id = turn.message.guild_id
    would = await access.memory.forgettings.preview(
        guild_id=guild_id,
        fact_ids=[
            fact.fact_id for fact in (*meant.found.may, *meant.before.may) if fact.guild_id == guild_id
        ],
        author_ids=author_ids_of(turn, meant.found),
        audiences=turn.view.audiences,
    )
    asked = turn.say(
        "forget.ask_facts",
        facts=turn.say("count.facts", count=len(meant.found.may)),
        name=_quoted(turn, meant),
        messages=turn.say("count.messages_of", count=would.messages),
    )
    return await _question(turn, [asked, *others_stay(turn, meant.found), *further], again, meant, access)


async def _forgotten(turn: Turn, meant: _Meant, access: MemoryAccess) -> WrittenAnswer:
    """Forget a set of facts: with its answer if it is small, else by a plan that outlives the process."""
    guild_ids = sorted({turn.message.guild_id, *(fact.guild_id for fact in meant.all)})
    begun = await access.memory.forgettings.resumed(
        guild_ids=[turn.message.guild_id, *turn.view.own_guild_ids], by=turn.by
    )
    if begun is None and len(meant.all) > AT_ONCE_FACTS:
        plans = {guild_id: _plan(turn, meant, guild_id) for guild_id in guild_ids}
        words = Reach(guild_id=turn.message.guild_id, words=meant.words, asked_at=turn.asked_at)
        begun = await access.memory.forgettings.take_facts(
            plans, words=words, facts=len(meant.found.may), by=turn.by
        )
    if begun is not None:
        await access.memory.carry_out(taking_out(turn, meant.found, access))
        return _told(turn, meant, begun)
    if not meant.all and not meant.learned:
        return _kept_out(turn, meant, access)
    return WrittenAnswer(route=Route.FORGET, deferred=_at_once(turn, meant, access))


def _in_vain(turn: Turn, meant: _Meant) -> WrittenAnswer:
    """Say that nothing is known, or nothing that is the asker's to forget."""
    return not_yours_to_forget(turn) if meant.found.others else nothing_to_forget(turn)


def _kept_out(turn: Turn, meant: _Meant, access: MemoryAccess) -> WrittenAnswer:
    """Say that nothing is known, and keep it from being known by what is not read yet."""
    told = _in_vain(turn, meant)
    if meant.user_id == turn.message.user_id:
        told = WrittenAnswer(route=Route.FORGET, parts=(turn.say("forget.nothing_of_you"),))
    if not turn.is_behind:
        return told
    keeping_out = Reach(guild_id=turn.message.guild_id, words=meant.words, asked_at=turn.asked_at)
    deferred = access.memory.forgetting([keeping_out]).then(lambda _: told)
    return WrittenAnswer(route=Route.FORGET, deferred=deferred)


def _at_once(turn: Turn, meant: _Meant, access: MemoryAccess) -> DeferredWrite[WrittenAnswer]:
    """Return the write that takes a small set."""
    taking = access.memory.forgetting(reaches_of(turn, meant.found, words=meant.words))
    # What held before is in no list that anybody saw, so it is in no number either.
    taking = taking.beside(access.memory.forgetting(reaches_of(turn, meant.before))).then(
        lambda took: took[0]
    )
    taking = taking.beside(taking_out(turn, meant.found, access)).then(lambda took: took[0])
    if not meant.learned:
        return taking.then(lambda gone: _gone(turn, meant, gone.facts, had_profile=False))
    profile = access.memory.profiles.forgetting(guild_id=turn.message.guild_id, user_id=meant.user_id)
    return taking.beside(profile).then(lambda took: _gone(turn, meant, took[0].facts, had_profile=took[1]))


def _gone(turn: Turn, meant: _Meant, facts: int, *, had_profile: bool) -> WrittenAnswer:
    """Say what went of a set."""
    if facts:
        return forgotten(turn, meant.found, facts=facts)
    if had_profile:
        return WrittenAnswer(route=Route.FORGET, parts=(turn.say("chat.profile_forgotten"),))
    return _in_vain(turn, meant)


def _plan(turn: Turn, meant: _Meant, guild_id: int) -> FactPlan:
    """Return what a large set takes in one guild."""
    message = turn.message
    is_here = guild_id == message.guild_id
    reaches = [*reaches_of(turn, meant.found), *reaches_of(turn, meant.before)]
    return FactPlan(
        shares=tuple(
            FactShare(
                fact_ids=tuple(reach.fact_ids),
                author_ids=None if reach.author_ids is None else tuple(reach.author_ids),
                audiences=tuple(reach.audiences),
            )
            for reach in reaches
            if reach.guild_id == guild_id and reach.fact_ids
        ),
        message_ids=(message.message_id,) if is_here else (),
        audiences=tuple(turn.view.audiences) if is_here else (OPEN,),
        profile_of=meant.user_id if is_here and meant.learned else None,
    )


def _told(turn: Turn, meant: _Meant, begun: ForgettingReport) -> WrittenAnswer:
    """Say how far a large set has gone."""
    if begun.is_done:
        return forgotten(turn, meant.found, facts=begun.taken.facts)
    facts = turn.say("count.facts", count=begun.taken.facts)
    said = turn.say("forget.facts_go_on", facts=facts)
    lines = [said, *others_stay(turn, meant.found)]
    return WrittenAnswer(route=Route.FORGET, parts=("\n".join(lines),), forgot=True)


async def _question(
    turn: Turn, lines: Sequence[str], again: str, meant: _Meant, access: MemoryAccess
) -> WrittenAnswer:
    """Ask whether what is `meant` shall go; in a direct message with how much of it is kept where."""
    if is_direct(turn):
        lines = [*lines, *(f"- {place}" for place in await places_of(turn, meant.found.may, access))]
    question = OpenQuestion(text=again, within=turn.within, replied_to_id=turn.message.reply_to_id)
    return WrittenAnswer(route=Route.FORGET, parts=("\n".join(lines),), question=question)


async def ask_words(turn: Turn, command: ForgetSaid, access: MemoryAccess) -> WrittenAnswer:
    """Say how many messages would go, and ask; the asker's "yes" carries it out."""
    since = _since(turn, command)
    if command.since is not None and since is None:
        return WrittenAnswer(route=Route.FORGET, parts=(turn.say("forget.wrong_since"),))
    if not turn.view.audiences:
        return nothing_to_forget(turn)
    await access.noticed(turn.message)
    selection = _selection(turn, command, since)
    would = await access.memory.forgettings.count(selection, guild_id=turn.message.guild_id)
    if not would.messages:
        return nothing_to_forget(turn)
    whose = "forget.yours" if selection.author_id is not None else "forget.everybodys"
    asked = turn.say(
        "forget.ask_words",
        messages=turn.say("count.messages", count=would.messages),
        facts=turn.say("count.facts", count=would.facts),
        whose=turn.say(whose),
        where=turn.say("forget.here") if command.here else "",
        since=turn.say("forget.since", time=turn.minute(since)) if since else "",
    )
    lines = [asked]
    if command.here and not command.mine and selection.author_id is not None:
        lines.insert(0, turn.say("forget.only_yours"))
    return WrittenAnswer(
        route=Route.FORGET,
        parts=("\n".join(lines),),
        question=OpenQuestion(text=turn.text, replied_to_id=turn.message.reply_to_id),
    )


async def forget_words(turn: Turn, command: ForgetSaid, access: MemoryAccess) -> WrittenAnswer:
    """Forget what was said, after the asker said "yes"."""
    if not turn.view.audiences:
        return nothing_to_forget(turn)
    selection = _selection(turn, command, _since(turn, command))
    told = await access.memory.forgettings.take(selection, guild_id=turn.message.guild_id, by=turn.by)
    said = "forget.done_words" if told.is_done else "forget.goes_on"
    return WrittenAnswer(route=Route.FORGET, parts=(_said_gone(turn, said, told.taken),), forgot=True)


def _said_gone(turn: Turn, text: Key, taken: Forgotten) -> str:
    return turn.say(
        text,
        facts=turn.say("count.facts", count=taken.facts),
        messages=turn.say("count.messages_of", count=taken.messages),
    )


def _since(turn: Turn, command: ForgetSaid) -> datetime | None:
    if command.since is None:
        return None
    return since_of(command.since, now=turn.message.timestamp, time_zone=turn.time_zone)


def _selection(turn: Turn, command: ForgetSaid, since: datetime | None) -> MessageSelection:
    """Return which messages are meant: everybody's of a channel for its moderators alone, else the asker's own."""
    may_take_all = turn.from_moderator or turn.direct
    everybodys = command.here and not command.mine and may_take_all
    guild = turn.guild
    tellers_may = guild is None or guild.forgetting_others is ForgettingOthers.TELLERS
    return MessageSelection(
        audiences=tuple(turn.view.audiences),
        author_id=None if everybodys else turn.message.user_id,
        channel_id=turn.message.channel_id if command.here else None,
        since=since,
        up_to_id=turn.message.message_id - 1,
        spares_others=not (tellers_may or turn.from_moderator),
    )
