"""Catching up by a form: what a visitor of the desk missed, as lines with their sources."""

from bot.conversation.catching_up import content_of, left_out, may_tell_of, missed_by, moment_of, title_of
from bot.conversation.desk.form_turn import FormTurn
from bot.conversation.desk.texts import DeskText
from bot.conversation.desk.visit import Line, Shown
from bot.conversation.texts import Text, say
from bot.conversation.turn import Doors


async def catch_up(turn: FormTurn, channel_id: int | None, since: str, doors: Doors) -> Shown:
    """Return what was said since the asker's last message, or since the moment that `since` means.

    With a channel only there and in its threads, if it may be told of where this is asked.
    """
    if turn.direct:
        return Shown(turn.say(Text.MISSED_IN_PRIVATE))
    if channel_id is not None and not await may_tell_of(turn, channel_id, doors):
        return Shown(say(DeskText.CHANNEL_STAYS_CLOSED, turn.language))
    moment = moment_of(turn, since) if since else None
    if since and moment is None:
        return Shown(say(DeskText.WRONG_SINCE, turn.language, value=since))
    missed = await missed_by(turn, doors, channel_id=channel_id, since=moment)
    lines = tuple(
        Line(
            text=turn.rendered(content_of(turn, missed, told)),
            said_at=told.begins.timestamp,
            fact_id=0,
            guild_id=told.begins.guild_id,
            channel_id=told.begins.channel_id,
            message_id=told.begins.message_id,
        )
        for told in missed.told
    )
    return Shown(
        title_of(turn, missed, moment), lines, lately=left_out(turn, missed) if missed.not_told else ""
    )
