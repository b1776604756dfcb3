"""Asking which holds, where a member said something against what they had asked to be remembered."""

import asyncio
import logging
from dataclasses import replace
from typing import Final

from bot.conversation.router import Route
from bot.conversation.texts import Text
from bot.conversation.turn import Doors, Turn
from bot.errors import DatabaseError
from bot.log import trace
from bot.memory.answering import OpenQuestion, WrittenAnswer
from bot.memory.facts import Remembered

logger = logging.getLogger(__name__)

_READING_SECONDS: Final = 0.5
"""Real seconds that an answer waits at most to be asked about anything."""

_ASKED_AFTER: Final = frozenset({Route.CHAT, Route.ASK_MEMORY})
"""The answers under which such a question may stand: who gives an order wants that carried out."""


async def with_question(turn: Turn, written: WrittenAnswer, doors: Doors) -> WrittenAnswer:
    """Return an answer with the question which of two holds under it, if that is open and nothing else is asked.

    Of each contradiction a member is asked once. An answer goes without the question rather than not at all.
    """
    if not written.parts or written.question or written.route not in _ASKED_AFTER or turn.visitor:
        return written
    try:
        async with asyncio.timeout(_READING_SECONDS):
            found = await doors.memory.contradicted(
                guild_id=turn.message.guild_id,
                subject_id=turn.message.user_id,
                audiences=turn.view.audiences,
            )
            if found is None or not await doors.memory.asked_which(found):
                return written
    except (TimeoutError, DatabaseError) as error:
        logger.warning("message %d: not asked which holds: %s", turn.message.message_id, trace(error))
        return written
    either = (found.commanded, found.said)
    lines = [
        turn.say(Text.WHICH_HOLDS),
        *(f"{number}. {one.content}" for number, one in enumerate(either, 1)),
    ]
    fact_ids = tuple(one.fact_id for one in either)
    return replace(
        written,
        parts=("\n".join([*written.parts, "", *lines]),),
        question=OpenQuestion(text=turn.text, facts=fact_ids),
        memory_ids=tuple(dict.fromkeys([*written.memory_ids, *fact_ids])),
    )


async def settle(turn: Turn, fact_id: int, doors: Doors) -> WrittenAnswer:
    """Let the fact that its subject chose hold, and say so."""
    message = turn.message
    known = await doors.memory.facts_with_ids(guild_id=message.guild_id, fact_ids=[fact_id])
    holds_no_more = WrittenAnswer(route=Route.CORRECT, parts=(turn.say(Text.HOLDS_NO_MORE),))
    if not known or known[0].subject_id != message.user_id:
        return holds_no_more

    def told(remembered: Remembered | None) -> WrittenAnswer:
        if remembered is None or remembered.fact_id is None:
            return holds_no_more
        return WrittenAnswer(
            route=Route.CORRECT,
            parts=(turn.say(Text.THIS_HOLDS, content=remembered.content),),
            fact_ids=(remembered.fact_id,),
        )

    settling = doors.memory.settling_which(
        known[0], cause=turn.cause, channel_id=message.channel_id, message_id=message.message_id
    )
    return WrittenAnswer(route=Route.CORRECT, deferred=settling.then(told))
