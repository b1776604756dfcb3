"""Carrying out "forget": says how many facts went, never what they said."""

from collections.abc import Sequence

from bot.conversation import names
from bot.conversation.commands import Forget, ForgetEverything, ForgetThis
from bot.conversation.grammar.words import means_the_bot
from bot.conversation.reply import Mind, asker_of
from bot.conversation.router import Route
from bot.conversation.texts import Text
from bot.conversation.turn import Doors, Turn
from bot.domain import GUILD_SUBJECT, OPEN, Fact, Message, mention_of
from bot.memory.answering import OpenQuestion, WrittenAnswer
from bot.memory.choosing import choice_among, chosen_facts, facts_chosen
from bot.memory.forgetting import Forgotten, facts_that_say


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
    """Forget the facts about these subjects that say `what`: by its words, at once, else by its meaning."""
    asker_id = turn.message.user_id
    await doors.noticed(turn.message)
    known = await doors.library.facts_about_each(subject_ids, turn.view, asker_id=asker_id)
    found = facts_that_say(what, known, author_id=asker_id)
    if not found and mind.operations.has_models:
        choice = choice_among(what, known, author_id=asker_id, subject_ids=subject_ids)
        outcome = await chosen_facts(mind.operations, choice, asker=asker_of(turn))
        found = facts_chosen(choice, outcome.value)
    return await _forget_facts(turn, found, doors)


async def forget_this(turn: Turn, _: ForgetThis, doors: Doors) -> WrittenAnswer:
    """Forget what the message replied to said or confirmed, else the asker's previous message."""
    meant = turn.replied_to or await doors.library.previous_of(turn.message)
    if meant is None:
        return _nothing(turn)
    if meant.user_id == turn.bot_id:
        return await _forget_what_was_told(turn, meant, doors)
    await doors.noticed(turn.message)
    known = await doors.memory.facts_of_message(guild_id=meant.guild_id, message_id=meant.message_id)
    may_withhold = meant.user_id == turn.message.user_id or turn.from_moderator
    visible = [fact for fact in known if fact.audience in turn.view.audiences]
    return await _forget_facts(turn, visible, doors, also=[meant.message_id] if may_withhold else [])


async def forget_everything(turn: Turn, command: ForgetEverything, doors: Doors) -> WrittenAnswer:
    """Say what would go and ask; the asker's "yes" carries it out."""
    asker_id = turn.message.user_id
    if means_the_bot(command.about):
        return WrittenAnswer(route=Route.FORGET, parts=(turn.say(Text.ABOUT_THE_BOT),))
    subject = names.resolve(command.about, members=turn.members, author_id=asker_id)
    match subject:
        case names.Ambiguous(candidates):
            return turn.ask_which(Route.FORGET, candidates)
        case names.Unknown():
            return turn.unknown(Route.FORGET, subject)
        case names.Found(user_id):
            await doors.noticed(turn.message)
            known = await doors.library.facts_about(user_id, turn.view, asker_id=asker_id)
            learned = user_id == asker_id and bool(
                await doors.memory.profiles.text_of(guild_id=turn.message.guild_id, user_id=asker_id)
            )
            if not known and not learned:
                return _nothing(turn)
            asked = turn.say(
                Text.CONFIRM_EVERYTHING_LEARNED if learned else Text.CONFIRM_EVERYTHING,
                facts=turn.counted(len(known), "fact"),
                name=mention_of(user_id),
            )
            # In whatever words it was asked, "yes" must find a command that is sure, and of no other namesake.
            question = OpenQuestion(
                text=turn.say(Text.EVERYTHING_COMMAND, name=mention_of(user_id)),
                replied_to_id=turn.message.reply_to_id,
            )
            return WrittenAnswer(route=Route.FORGET, parts=(asked,), question=question)


async def forget_everything_now(turn: Turn, command: ForgetEverything, doors: Doors) -> WrittenAnswer:
    """Forget every visible fact about somebody, after the asker said "yes"."""
    asker_id = turn.message.user_id
    subject = names.resolve(command.about, members=turn.members, author_id=asker_id)
    if not isinstance(subject, names.Found):
        return _nothing(turn)
    await doors.noticed(turn.message)
    known = await doors.library.facts_about(subject.user_id, turn.view, asker_id=asker_id)
    before = await doors.memory.retired_facts(
        guild_id=turn.message.guild_id, subject_id=subject.user_id, audiences=turn.view.audiences
    )
    answer = await _forget_facts(turn, known, doors)
    await doors.memory.forget(
        guild_id=turn.message.guild_id,
        fact_ids=before,
        author_ids=sorted({asker_id, *([subject.user_id] if turn.from_moderator else [])}),
        audiences=turn.view.audiences,
    )
    had_profile = subject.user_id == asker_id and await doors.memory.profiles.forget(
        guild_id=turn.message.guild_id, user_id=asker_id
    )
    if had_profile and not known:
        return WrittenAnswer(route=Route.FORGET, parts=(turn.say(Text.PROFILE_FORGOTTEN),))
    return answer


async def _forget_what_was_told(turn: Turn, meant: Message, doors: Doors) -> WrittenAnswer:
    """Forget what an answer of the bot's wrote, or the one thing that it told."""
    answer = (
        await doors.memory.answers.to_message(guild_id=meant.guild_id, message_id=meant.reply_to_id)
        if meant.reply_to_id is not None
        else None
    )
    if answer is None:
        return _nothing(turn)
    told = answer.fact_ids or answer.memory_ids
    if len(told) > 1 and not answer.fact_ids:
        return WrittenAnswer(route=Route.FORGET, parts=(turn.say(Text.SAY_WHICH),))
    known = await doors.memory.facts_with_ids(guild_id=meant.guild_id, fact_ids=told)
    visible = [fact for fact in known if fact.audience in turn.view.audiences]
    return await _forget_facts(turn, visible, doors)


async def _forget_facts(
    turn: Turn, known: Sequence[Fact], doors: Doors, *, also: Sequence[int] = ()
) -> WrittenAnswer:
    """Forget `known` and withhold the messages `also`; with anything found, the command itself too."""
    if not known and not also:
        return _nothing(turn)
    message = turn.message
    # Their own messages that say it too lose their text; a moderator's word reaches those of the subjects.
    subject_ids = {fact.subject_id for fact in known} if turn.from_moderator else set()
    taken = Forgotten()
    for guild_id in sorted({fact.guild_id for fact in known} | {message.guild_id}):
        taken += await doors.memory.forget(
            guild_id=guild_id,
            fact_ids=[fact.fact_id for fact in known if fact.guild_id == guild_id],
            message_ids=[message.message_id, *also] if guild_id == message.guild_id else [],
            author_ids=sorted({message.user_id} | subject_ids),
            audiences=turn.view.audiences if guild_id == message.guild_id else [OPEN],
        )
    if taken.facts:
        text = turn.say(Text.FORGOTTEN, facts=turn.counted(taken.facts, "fact"))
    elif also:
        text = turn.say(Text.WORDS_FORGOTTEN, messages=turn.counted(len(also), "text of message"))
    else:
        return _nothing(turn)
    return WrittenAnswer(route=Route.FORGET, parts=(text,))


def _nothing(turn: Turn) -> WrittenAnswer:
    return WrittenAnswer(route=Route.FORGET, parts=(turn.say(Text.NOTHING_TO_FORGET),))
