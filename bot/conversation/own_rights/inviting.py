"""Telling members once how to agree, where a guild asks everybody for that first."""

import logging
from dataclasses import replace

from bot.choices import Consent
from bot.conversation.own_rights.own_texts import OwnText
from bot.conversation.router import Route
from bot.conversation.texts import say
from bot.conversation.turn import Doors, Turn
from bot.domain import MessageKind
from bot.errors import DatabaseError
from bot.log import trace
from bot.memory.answering import WrittenAnswer

logger = logging.getLogger(__name__)


async def with_invitation(turn: Turn, written: WrittenAnswer, doors: Doors) -> WrittenAnswer:
    """Return an answer with a line below it that says how to agree, for who neither did so nor opted out.

    Each member of a guild reads it once. An answer goes without it rather than not at all.
    """
    guild, message = turn.guild, turn.message
    if guild is None or guild.consent is not Consent.ASKED or message.kind is not MessageKind.MEMBER:
        return written
    if not written.says_anything or written.route == Route.OWN_RIGHTS or turn.visitor:
        return written
    try:
        standing = await doors.memory.standing.of(guild_id=guild.guild_id, user_id=message.user_id)
        if standing.opted_in or standing.opted_out:
            return written
        if not await doors.directory.notices.first_to_member(
            guild_id=guild.guild_id, user_id=message.user_id, kind="opt_in"
        ):
            return written
    except DatabaseError as error:
        logger.warning("message %d: not told how to opt in: %s", message.message_id, trace(error))
        return written
    told = say(OwnText.HOW_TO_OPT_IN, turn.language, bot=turn.bot_name)
    return replace(written, parts=(*written.parts, told))
