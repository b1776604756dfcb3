"""Carrying out "forget everything since Monday": messages with all that rests on them, after asking."""

from datetime import datetime

from bot.choices import ForgettingOthers
from bot.conversation import forgetting_sets
from bot.conversation.forget_texts import ForgetText
from bot.conversation.forgetting_rights import nothing
from bot.conversation.router import Route
from bot.conversation.set_commands import ForgetKind, ForgetSaid, ForgetSet
from bot.conversation.since import since_of
from bot.conversation.texts import say
from bot.conversation.turn import Doors, Turn
from bot.memory.answering import OpenQuestion, WrittenAnswer
from bot.memory.forgetting import Forgotten
from bot.memory.forgetting.sets import Selection


async def ask(turn: Turn, command: ForgetSet, doors: Doors) -> WrittenAnswer:
    """Say in numbers what a set would take, and ask; the asker's "yes" carries it out."""
    match command:
        case ForgetKind():
            return await forgetting_sets.ask_kind(turn, command, doors)
        case ForgetSaid():
            return await _ask_words(turn, command, doors)
    raise ValueError(f"{type(command).__name__} is no set")


async def carry_out(turn: Turn, command: ForgetSet, doors: Doors) -> WrittenAnswer:
    """Forget a set, after the asker said "yes"."""
    match command:
        case ForgetKind():
            return await forgetting_sets.forget_kind(turn, command, doors)
        case ForgetSaid():
            return await _forget_words(turn, command, doors)
    raise ValueError(f"{type(command).__name__} is no set")


async def _ask_words(turn: Turn, command: ForgetSaid, doors: Doors) -> WrittenAnswer:
    since = _since(turn, command)
    if command.since is not None and since is None:
        return WrittenAnswer(route=Route.FORGET, parts=(say(ForgetText.WRONG_SINCE, turn.language),))
    if not turn.view.audiences:
        return nothing(turn)
    await doors.noticed(turn.message)
    selection = _selection(turn, command, since)
    would = await doors.memory.forgettings.count(selection, guild_id=turn.message.guild_id)
    if not would.messages:
        return nothing(turn)
    whose = ForgetText.YOURS if selection.author_id is not None else ForgetText.EVERYBODYS
    asked = say(
        ForgetText.ASK_WORDS,
        turn.language,
        messages=turn.counted(would.messages, "message"),
        facts=turn.counted(would.facts, "fact"),
        whose=say(whose, turn.language),
        where=say(ForgetText.HERE, turn.language) if command.here else "",
        since=say(ForgetText.SINCE, turn.language, time=turn.minute(since)) if since else "",
    )
    lines = [asked]
    if command.here and not command.mine and selection.author_id is not None:
        lines.insert(0, say(ForgetText.ONLY_YOURS, turn.language))
    return WrittenAnswer(
        route=Route.FORGET,
        parts=("\n".join(lines),),
        question=OpenQuestion(text=turn.text, replied_to_id=turn.message.reply_to_id),
    )


async def _forget_words(turn: Turn, command: ForgetSaid, doors: Doors) -> WrittenAnswer:
    if not turn.view.audiences:
        return nothing(turn)
    selection = _selection(turn, command, _since(turn, command))
    told = await doors.memory.forgettings.take(selection, guild_id=turn.message.guild_id, by=turn.by)
    said = ForgetText.DONE_WORDS if told.is_done else ForgetText.GOES_ON
    return WrittenAnswer(route=Route.FORGET, parts=(_told(turn, said, told.taken),), forgot=True)


def _told(turn: Turn, text: ForgetText, taken: Forgotten) -> str:
    return say(
        text,
        turn.language,
        facts=turn.counted(taken.facts, "fact"),
        messages=turn.counted(taken.messages, "text of message"),
    )


def _since(turn: Turn, command: ForgetSaid) -> datetime | None:
    if command.since is None:
        return None
    return since_of(command.since, now=turn.message.timestamp, time_zone=turn.time_zone)


def _selection(turn: Turn, command: ForgetSaid, since: datetime | None) -> Selection:
    """Return which messages are meant: everybody's of a channel for its moderators alone, else the asker's own."""
    may_take_all = turn.from_moderator or turn.direct
    everybodys = command.here and not command.mine and may_take_all
    guild = turn.guild
    tellers_may = guild is None or guild.forgetting_others is ForgettingOthers.TELLERS
    return Selection(
        audiences=tuple(turn.view.audiences),
        author_id=None if everybodys else turn.message.user_id,
        channel_id=turn.message.channel_id if command.here else None,
        since=since,
        up_to_id=turn.message.message_id - 1,
        spares_others=not (tellers_may or turn.from_moderator),
    )
