"""Carrying out "forget": says how many facts went, never what they said."""

from collections.abc import Sequence

from bot.conversation import names
from bot.conversation.commands import Forget, ForgetThis
from bot.conversation.forgetting_rights import dated, forget_facts, nothing
from bot.conversation.reply import Mind, asker_of
from bot.conversation.router import Route
from bot.conversation.texts import Text
from bot.conversation.turn import Doors, Turn
from bot.domain import GUILD_SUBJECT, Fact, Message
from bot.memory import phrasing
from bot.memory.answering import WrittenAnswer
from bot.memory.choosing import choice_among, chosen_facts, facts_chosen
from bot.memory.forgetting import Part, facts_that_say, part_that_says, says_just


async def forget(turn: Turn, command: Forget, doors: Doors, mind: Mind) -> WrittenAnswer:
    """Forget what says the statement: of the member whom it names, else of the guild and of the asker."""
    asker_id = turn.message.user_id
    subject = names.subject_of(command.statement, members=turn.members, author_id=asker_id)
    match subject:
        case names.Ambiguous(candidates):
            return turn.ask_which(Route.FORGET, candidates)
        case names.Unknown():
            return turn.unknown(Route.FORGET, subject)
        case names.Subject(user_id, statement):
            subject_ids = (user_id,) if user_id != GUILD_SUBJECT else (GUILD_SUBJECT, asker_id)
            return await forget_matching(turn, subject_ids, statement, doors, mind)


async def forget_matching(
    turn: Turn, subject_ids: Sequence[int], what: str, doors: Doors, mind: Mind
) -> WrittenAnswer:
    """Forget the facts about these subjects that say `what`.

    By its words where one says just that, else by its meaning, if there is a model to ask. What was superseded and
    what is over is forgotten like what holds.
    """
    asker_id = turn.message.user_id
    await doors.noticed(turn.message)
    known = await doors.library.facts_about_each(subject_ids, turn.view, asker_id=asker_id)
    known += await _retired(turn, subject_ids, doors)
    found = facts_that_say(what, known, author_id=asker_id)
    is_sure = bool(found) and all(says_just(what, fact, author_id=asker_id) for fact in found)
    if not is_sure and mind.operations.has_models:
        choice = choice_among(what, known, author_id=asker_id, subject_ids=subject_ids)
        outcome = await chosen_facts(mind.operations, choice, asker=asker_of(turn))
        found = facts_chosen(choice, outcome.value)
        is_sure = outcome.model is not None
    return forget_facts(
        turn,
        found,
        doors,
        parts=_parts(what, found, asker_id=asker_id),
        statement=what if is_sure else "",
        words=dated(turn, subject_ids, what) if what.strip() else (),
    )


async def forget_this(turn: Turn, _: ForgetThis, doors: Doors) -> WrittenAnswer:
    """Forget what the message replied to said or confirmed, else the asker's previous message."""
    meant = turn.replied_to or await doors.library.previous_of(turn.message)
    if meant is None:
        return nothing(turn)
    if meant.user_id == turn.bot_id:
        return await _forget_what_was_told(turn, meant, doors)
    await doors.noticed(turn.message)
    known = await doors.memory.facts_of_message(guild_id=meant.guild_id, message_id=meant.message_id)
    may_withhold = meant.user_id == turn.message.user_id or turn.from_moderator
    visible = [fact for fact in known if fact.audience in turn.view.audiences]
    return forget_facts(turn, visible, doors, also=[meant.message_id] if may_withhold else [])


async def _retired(turn: Turn, subject_ids: Sequence[int], doors: Doors) -> list[Fact]:
    """Return what once held about these subjects here."""
    guild_id = turn.message.guild_id
    retired = [
        fact_id
        for subject_id in subject_ids
        for fact_id in await doors.memory.retired_facts(
            guild_id=guild_id, subject_id=subject_id, audiences=turn.view.audiences
        )
    ]
    return await doors.memory.facts_with_ids(guild_id=guild_id, fact_ids=retired)


def _parts(what: str, found: Sequence[Fact], *, asker_id: int) -> dict[int, Part]:
    """Return the facts that say more than `what`, taken apart: only what was meant goes."""
    told = phrasing.third_person(what, author_id=asker_id)
    parts = {fact.fact_id: part_that_says(told, fact) for fact in found}
    return {fact_id: part for fact_id, part in parts.items() if part is not None}


async def _forget_what_was_told(turn: Turn, meant: Message, doors: Doors) -> WrittenAnswer:
    """Forget what an answer of the bot's wrote, or the one thing that it told."""
    answer = (
        await doors.memory.answers.to_message(guild_id=meant.guild_id, message_id=meant.reply_to_id)
        if meant.reply_to_id is not None
        else None
    )
    if answer is None:
        return nothing(turn)
    told = answer.fact_ids or answer.memory_ids
    if len(told) > 1 and not answer.fact_ids:
        return WrittenAnswer(route=Route.FORGET, parts=(turn.say(Text.SAY_WHICH),))
    known = await doors.memory.facts_with_ids(guild_id=meant.guild_id, fact_ids=told)
    visible = [fact for fact in known if fact.audience in turn.view.audiences]
    return forget_facts(turn, visible, doors)
