"""From a message that was heard to the turn in which it is answered: everything that its answer may draw on."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.choices import Answering
from bot.conversation.addressed import Addressed
from bot.conversation.gathering import READING_SECONDS
from bot.conversation.hearing import Hearing
from bot.conversation.router import Route
from bot.conversation.turn import Doors, Turn
from bot.domain import OPEN, Guild, Member, MessageKind
from bot.log import trace
from bot.memory.answering import Circumstances, WrittenAnswer
from bot.memory.audience import View, view_of

logger = logging.getLogger(__name__)

SEEKING_SECONDS: Final = 5.0
"""Real seconds for a face to find members by a name."""

_LONGEST_NAME: Final = 32
"""No name on Discord is longer."""


async def turn_of(
    hearing: Hearing, said: Addressed, circumstances: Circumstances, doors: Doors, *, time_zone: str
) -> Turn:
    """Return the turn in which `said` is answered; `time_zone` is that of a guild that is not known."""
    message = hearing.message
    guild, channel = circumstances.place.guild, circumstances.place.channel
    view = await _view(hearing, guild, doors)
    # A command must know every name; a reply never waits for one.
    seconds = None if said.command is not None else READING_SECONDS
    everyone = await doors.directory.members(message.guild_id, audiences=view.audiences, seconds=seconds)
    # Facts from the guilds shared tell of people whom this conversation does not know.
    elsewhere = [
        member for guild_id in view.own_guild_ids for member in await doors.directory.members(guild_id)
    ]
    always = channel is not None and channel.answering is Answering.ALWAYS
    return Turn(
        message=message,
        text=said.text,
        said=said,
        bot_id=hearing.bot_id,
        bot_names=hearing.bot_names,
        everyone=everyone,
        elsewhere=elsewhere,
        set_aside=frozenset(),
        view=view,
        time_zone=guild.time_zone if guild else time_zone,
        persona=guild.persona if guild else "",
        memory_epoch=guild.memory_epoch if guild else 0,
        guild=guild,
        from_moderator=hearing.from_moderator,
        direct=hearing.direct or always,
        spoken=hearing.language,
        jump=hearing.jump,
        reads=hearing.reads,
        can_read=hearing.can_read,
        # What is read back later is answered by nothing, so nothing is given either.
        hand_over=None if hearing.late else hearing.hand_over,
        visitor=hearing.visitor,
        is_behind=hearing.is_behind is not None and hearing.is_behind(),
        replied_to=circumstances.replied_to,
    )


def is_turn(turn: Turn, written: WrittenAnswer) -> bool:
    """Tell whether an answer is a turn of its author once it is delivered, to be learned from.

    That is a chat reply to a member where everybody in a guild can read it; no command, and no visitor.
    """
    message = turn.message
    in_guild = turn.guild is not None and not turn.guild.direct
    return (
        written.route == Route.CHAT
        and in_guild
        and message.audience == OPEN
        and message.kind is MessageKind.MEMBER
        and not turn.visitor
        and turn.command is None
        and bool(turn.text.strip())
    )


async def with_sought(turn: Turn, hearing: Hearing, name: str, doors: Doors) -> Turn | None:
    """Return `turn` with the members whom the face found by `name`; `None` if it found nobody."""
    guild_id = hearing.message.guild_id
    found = [member for member in await _sought(hearing, name) if member.guild_id == guild_id]
    if not found:
        return None
    await doors.directory.put_members(found)
    everyone = await doors.directory.members(guild_id, audiences=turn.view.audiences)
    return replace(turn, everyone=everyone)


async def _sought(hearing: Hearing, name: str) -> Sequence[Member]:
    if hearing.seek is None or not 0 < len(name) <= _LONGEST_NAME:
        return ()
    try:
        async with asyncio.timeout(SEEKING_SECONDS):
            return await hearing.seek(name)
    except Exception as error:
        # Whatever the face meets with, the answer that nobody bears the name stands.
        logger.warning("message %d: nobody could be sought: %s", hearing.message.message_id, trace(error))
        return ()


async def _view(hearing: Hearing, guild: Guild | None, doors: Doors) -> View:
    message = hearing.message
    if guild is None or not guild.direct:
        return view_of(guild_id=message.guild_id, channel_audience=message.audience, visitor=hearing.visitor)
    return await doors.directory.view(
        guild_id=message.guild_id, channel_audience=message.audience, user_id=message.user_id
    )
