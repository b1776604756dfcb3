"""Questions of the bot to a member, and what else stands below an answer.

Reading what is chosen (a number, a name, yes or no), asking which of two contradicting facts holds, and telling once
how to agree to be remembered.
"""

import asyncio
import logging
import re
from dataclasses import dataclass, replace
from typing import Final

from bot.chat.incoming import Route
from bot.chat.turn import MemoryAccess, Turn
from bot.core.domain import OPEN, ConsentDefault, MessageKind
from bot.core.errors import DatabaseError
from bot.core.log import trace
from bot.memory.facts.statements import Remembered
from bot.memory.members import roster
from bot.memory.outbox.answers import OpenQuestion, WrittenAnswer
from bot.text.calendar import LEXICONS
from bot.text.grammar.rules import SpokenText
from bot.text.languages import either, every_word
from bot.text.tokens import words

logger = logging.getLogger(__name__)


LONGEST_CHOICE: Final = 40
"""Longer messages settle no question, so that they need not be held against one."""

_NUMBER: Final = re.compile(
    rf"{either('number_first')}?(?:#?(?P<digits>\d{{1,2}})(?:st|nd|rd|th)?[.)]?|(?P<word>\w+))(?: one)?",
    re.IGNORECASE,
)
_ORDINALS: Final = tuple(
    words(" ".join(spelt)) for spelt in zip(*(lexicon.ORDINALS for lexicon in LEXICONS), strict=True)
)
_YES: Final = every_word("yes")
_EVERYWHERE: Final = every_word("all_of_them")
"""For the last of several guilds, which stands for all of them."""
_NO: Final = every_word("no")


@dataclass(frozen=True, slots=True)
class ChosenAnswer:
    """A member, a fact, a guild, or whether the asker agreed."""

    user_id: int | None = None
    fact_id: int | None = None
    guild_id: int | None = None
    """0 is all that were offered."""
    agreed: bool | None = None


def chosen_answer(turn: Turn, question: OpenQuestion) -> ChosenAnswer | None:
    """Return what the words of `turn` choose of `question`; `None` if they are about something else."""
    spoken = SpokenText.of(turn.text)
    if spoken.asks:
        return None
    words = spoken.plain.casefold().strip()
    if question.facts:
        place = _index(words)
        return (
            ChosenAnswer(fact_id=question.facts[place])
            if place is not None and place < len(question.facts)
            else None
        )
    if question.guilds:
        place = len(question.guilds) - 1 if words in _EVERYWHERE else _index(words)
        return (
            ChosenAnswer(guild_id=question.guilds[place])
            if place is not None and place < len(question.guilds)
            else None
        )
    if not question.choices:
        return _agreement(words)
    if (index := _index(words)) is not None:
        return ChosenAnswer(question.choices[index]) if index < len(question.choices) else None
    offered = [member for member in turn.everyone if member.user_id in question.choices]
    chosen = roster.resolve(spoken.written, members=offered, author_id=turn.message.user_id)
    if isinstance(chosen, roster.FoundMember) and chosen.user_id in question.choices:
        return ChosenAnswer(chosen.user_id)
    return None


def _agreement(words: str) -> ChosenAnswer | None:
    said = re.findall(r"[\w']+", words)
    if not said:
        return None
    if all(word in _YES for word in said):
        return ChosenAnswer(agreed=True)
    return ChosenAnswer(agreed=False) if all(word in _NO for word in said) else None


def _index(words: str) -> int | None:
    """Return which of a numbered list is meant, from 0, or `None` if no number is said."""
    number = _NUMBER.fullmatch(words)
    if number is None:
        return None
    if number["digits"]:
        return int(number["digits"]) - 1 if int(number["digits"]) else None
    return next((index for index, spelt in enumerate(_ORDINALS) if number["word"] in spelt), None)


_READING_SECONDS: Final = 0.5
"""Real seconds that an answer waits at most to be asked about anything."""

_ASKED_AFTER: Final = frozenset({Route.CHAT, Route.ASK_MEMORY})
"""The answers under which such a question may stand: who gives an order wants that carried out."""


async def with_additions(turn: Turn, written: WrittenAnswer, access: MemoryAccess) -> WrittenAnswer:
    """Return an answer with what is asked or told below it, and whether it is a turn to be learned from."""
    written = await _with_contradiction_question(turn, written, access)
    written = await _with_invitation(turn, written, access)
    if turn.is_behind and written.route == Route.FORGET and written.says_anything:
        # Something that was said before may still be unread.
        written = replace(written, parts=(*written.parts, turn.say("forget.catching_up")))
    return replace(written, is_turn=_is_turn(turn, written))


async def _with_contradiction_question(
    turn: Turn, written: WrittenAnswer, access: MemoryAccess
) -> WrittenAnswer:
    """Return an answer with the question which of two holds under it, if that is open and nothing else is asked.

    Of each contradiction a member is asked once. An answer goes without the question rather than not at all.
    """
    if not written.parts or written.question or written.route not in _ASKED_AFTER or turn.visitor:
        return written
    try:
        async with asyncio.timeout(_READING_SECONDS):
            found = await access.memory.contradicted(
                guild_id=turn.message.guild_id,
                subject_id=turn.message.user_id,
                audiences=turn.view.audiences,
            )
            if found is None or not await access.memory.asked_which(found):
                return written
    except (TimeoutError, DatabaseError) as error:
        logger.warning("message %d: not asked which holds: %s", turn.message.message_id, trace(error))
        return written
    either = (found.commanded, found.said)
    lines = [
        turn.say("chat.which_holds"),
        *(f"{number}. {one.content}" for number, one in enumerate(either, 1)),
    ]
    fact_ids = tuple(one.fact_id for one in either)
    return replace(
        written,
        parts=("\n".join([*written.parts, "", *lines]),),
        question=OpenQuestion(text=turn.text, facts=fact_ids),
        memory_ids=tuple(dict.fromkeys([*written.memory_ids, *fact_ids])),
    )


async def settle_contradiction(turn: Turn, fact_id: int, access: MemoryAccess) -> WrittenAnswer:
    """Let the fact that its subject chose hold, and say so."""
    message = turn.message
    known = await access.memory.facts_with_ids(guild_id=message.guild_id, fact_ids=[fact_id])
    holds_no_more = WrittenAnswer(route=Route.CORRECT, parts=(turn.say("chat.holds_no_more"),))
    if not known or known[0].subject_id != message.user_id:
        return holds_no_more

    def told(remembered: Remembered | None) -> WrittenAnswer:
        if remembered is None or remembered.fact_id is None:
            return holds_no_more
        return WrittenAnswer(
            route=Route.CORRECT,
            parts=(turn.say("chat.this_holds", content=remembered.content),),
            fact_ids=(remembered.fact_id,),
        )

    settling = access.memory.settling_which(
        known[0], cause=turn.cause, channel_id=message.channel_id, message_id=message.message_id
    )
    return WrittenAnswer(route=Route.CORRECT, deferred=settling.then(told))


def _is_turn(turn: Turn, written: WrittenAnswer) -> bool:
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


async def _with_invitation(turn: Turn, written: WrittenAnswer, access: MemoryAccess) -> WrittenAnswer:
    """Return an answer with a line below it that says how to agree, for who neither did so nor opted out.

    Each member of a guild reads it once. An answer goes without it rather than not at all.
    """
    guild, message = turn.guild, turn.message
    if guild is None or guild.consent is not ConsentDefault.ASKED or message.kind is not MessageKind.MEMBER:
        return written
    if not written.says_anything or written.route == Route.OWN_RIGHTS or turn.visitor:
        return written
    try:
        standing = await access.memory.consent.of(guild_id=guild.guild_id, user_id=message.user_id)
        if standing.opted_in or standing.opted_out:
            return written
        if not await access.directory.notices.first_to_member(
            guild_id=guild.guild_id, user_id=message.user_id, kind="opt_in"
        ):
            return written
    except DatabaseError as error:
        logger.warning("message %d: not told how to opt in: %s", message.message_id, trace(error))
        return written
    told = turn.say("rights.how_to_opt_in")
    return replace(written, parts=(*written.parts, told))
