"""How much somebody wrote, and where: to others links and no words, to themselves also what they wrote last."""

from datetime import datetime
from typing import Final

from bot.conversation.quoting import words_of
from bot.conversation.texts import Text
from bot.conversation.turn import Doors, Turn
from bot.domain import Message, mention_of

LATEST_MESSAGES: Final = 3
"""How many messages of the asker stand in for facts where there are none."""

_MOST_CHANNELS: Final = 3
"""Channels that are named: those in which somebody wrote most."""


async def where_written(turn: Turn, subject_id: int, doors: Doors) -> list[str]:
    """Return how much a member has written where the asker may look, and in which channels; empty if nothing.

    Nothing of what they wrote is in it.
    """
    tally, channels = await doors.library.wrote_in(
        user_id=subject_id, view=turn.view, before_message_id=turn.message.message_id
    )
    if tally.first_at is None:
        return []
    known = {channel.channel_id: channel for channel in await doors.directory.channels(turn.view.guild_id)}
    lines = [_how_much(turn, subject_id, tally.messages, since=tally.first_at)]
    for one in channels[:_MOST_CHANNELS]:
        channel = known.get(one.channel_id)
        name = f"#{channel.name}" if channel is not None and channel.name else ""
        link = turn.link(one.channel_id, one.last_message_id)
        if name or link:
            lines.append("- " + " · ".join(filter(None, (name, turn.counted(one.messages, "message"), link))))
    return lines


async def own_latest(turn: Turn, doors: Doors) -> tuple[list[str], list[Message]]:
    """Return how much the asker has written, and their last messages word for word; empty if nothing."""
    asker_id = turn.message.user_id
    tally, latest = await doors.library.said_before(
        user_id=asker_id,
        view=turn.view,
        before_message_id=turn.message.message_id,
        limit=LATEST_MESSAGES,
    )
    if tally.first_at is None:
        return [], []
    head = turn.say(Text.THE_LATEST, said=_how_much(turn, asker_id, tally.messages, since=tally.first_at))
    return [head, *(f"- [{turn.minute(one.timestamp)}] {words_of(one)}" for one in latest)], latest


def _how_much(turn: Turn, user_id: int, messages: int, *, since: datetime) -> str:
    counted = turn.counted(messages, "message")
    return turn.say(Text.HAS_SAID, name=mention_of(user_id), messages=counted, date=turn.day(since))
