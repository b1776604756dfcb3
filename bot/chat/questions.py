"""Questions of the bot to a member, and other lines below an answer: reading a choice (a number, a name, yes or no),
asking which of two contradicting facts is right, and explaining once how to give consent.
"""

import asyncio
import logging
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.chat.incoming import Route
from bot.chat.turn import MemoryAccess, Turn
from bot.core.domain import OPEN, ConsentDefault, Member, MessageKind
from bot.core.errors import DatabaseError
from bot.core.log import trace
from bot.memory.facts.statements import Remembered
from bot.memory.members import roster
from bot.memory.outbox.answers import WrittenAnswer
from bot.memory.outbox.circumstances import OpenQuestion
from bot.memory.outbox.standing import Standing
from bot.memory.rights.forgetting.meant import MOST_OFFERED
from bot.text.calendar import LEXICONS
from bot.text.grammar.rules import SpokenText, plain
from bot.text.languages import either, every_word
from bot.text.ru.declension import nominatives
from bot.text.sentences import heard_abroad
from bot.text.tokens import words

logger = logging.getLogger(__name__)


LONGEST_CHOICE: Final = 40
"""Longer messages settle no question, so that they need not be held against one."""

_NUMBER: Final = re.compile(
    rf"{either('number_first')}*(?:#?(?P<digits>\d{{1,2}})(?:{either('day_ending')})?[.)]?|(?P<word>\w+)){either('after_a_number')}?",
    re.IGNORECASE,
)
_ORDINALS: Final = tuple(
    words(" ".join(spelt)) for spelt in zip(*(lexicon.ORDINALS for lexicon in LEXICONS), strict=True)
)
_LAST: Final = every_word("last_of_them")
_WORDS: Final = re.compile(r"[\w']+")
_YES: Final = every_word("yes") | heard_abroad("yes")
_BESIDE_A_YES: Final = every_word("beside_a_yes")
_EVERYWHERE: Final = every_word("all_of_them") | heard_abroad("all")
"""For the last of several guilds, which stands for all of them, or for all facts that were offered."""
_NO: Final = every_word("no") | heard_abroad("no")
_BESIDE_A_NO: Final = every_word("beside_a_no")
_DECLINED: Final = every_word("none_of_them") | heard_abroad("none")
_OFFERED: Final = every_word("the_offered")
"""Words for what was offered, without saying which of it."""
_BESIDE: Final = _OFFERED | every_word("beside_a_choice")
"""Words that may stand beside what is chosen, or refused."""


@dataclass(frozen=True, slots=True)
class ChosenAnswer:
    """A member, a fact, a guild, or whether the asker agreed."""

    user_id: int | None = None
    fact_id: int | None = None
    forgotten_ids: tuple[int, ...] = ()
    """The facts that are to be forgotten."""
    guild_id: int | None = None
    """0 is all that were offered."""
    agreed: bool | None = None


def chosen_answer(turn: Turn, question: OpenQuestion) -> ChosenAnswer | None:
    """Return what the words of `turn` choose of `question`; `None` if they are about something else."""
    spoken = SpokenText.of(turn.text)
    if spoken.asks:
        return None
    said = spoken.closed().plain.casefold().strip()
    if not (question.facts or question.guilds or question.choices):
        # "Ok thx" is no more than an opening and thanks.
        return _agreement(said) or _agreement(plain(turn.text).casefold())
    if _declines(said):
        return ChosenAnswer(agreed=False)
    if question.forgets:
        return _to_be_forgotten(said, question.facts)
    offered: Sequence[int] = question.facts or question.guilds or question.choices
    place = _place(said, len(offered))
    if question.guilds and said in _EVERYWHERE:
        place = len(offered) - 1
    if place is None:
        return _named(turn, spoken.written, question.choices) if question.choices else None
    if question.facts:
        return ChosenAnswer(fact_id=question.facts[place])
    if question.guilds:
        return ChosenAnswer(guild_id=question.guilds[place])
    return ChosenAnswer(question.choices[place])


def _to_be_forgotten(said: str, fact_ids: Sequence[int]) -> ChosenAnswer | None:
    """Return which of the facts are to go: by number where they were numbered, else all of them or none."""
    is_numbered = 1 < len(fact_ids) <= MOST_OFFERED
    place = _place(said, len(fact_ids)) if len(fact_ids) <= MOST_OFFERED else None
    if place is not None:
        return ChosenAnswer(forgotten_ids=(fact_ids[place],))
    agreed = _agreement(said)
    words_said = _WORDS.findall(said)
    means_all = not (_EVERYWHERE | _OFFERED).isdisjoint(words_said)
    if means_all and all(word in _EVERYWHERE | _BESIDE for word in words_said):
        return ChosenAnswer(forgotten_ids=tuple(fact_ids))
    if is_numbered or agreed is None or not agreed.agreed:
        return None
    return ChosenAnswer(forgotten_ids=tuple(fact_ids))


def _named(turn: Turn, said: str, user_ids: Sequence[int]) -> ChosenAnswer | None:
    """Return which of several members a name means: whole, or a word of it that only one of them has."""
    offered = [member for member in turn.everyone if member.user_id in user_ids]
    if len(exactly := roster.Roster(offered).named(said)) == 1:
        return ChosenAnswer(exactly[0])
    chosen = roster.resolve(said, members=offered, author_id=turn.message.user_id)
    if isinstance(chosen, roster.FoundMember):
        return ChosenAnswer(chosen.user_id) if chosen.user_id in user_ids else None
    words_said = [word for word in _WORDS.findall(roster.name_key(said)) if word not in _BESIDE]
    meant = [member.user_id for member in offered if words_said and _is_called(member, words_said)]
    return ChosenAnswer(meant[0]) if len(meant) == 1 else None


def _is_called(member: Member, said: Iterable[str]) -> bool:
    """Tell whether each word, as it is or in another case, is one of a member's names."""
    names = (member.nickname, member.display_name, member.user_name, *member.aliases)
    called = {word for name in names for word in _WORDS.findall(roster.name_key(name))}
    return all(not called.isdisjoint({word, *nominatives(word)}) for word in said)


def _agreement(said: str) -> ChosenAnswer | None:
    words_said = _WORDS.findall(said)
    if not words_said:
        return None
    if not _YES.isdisjoint(words_said) and all(word in _YES | _BESIDE_A_YES for word in words_said):
        return ChosenAnswer(agreed=True)
    return ChosenAnswer(agreed=False) if _declines(said) else None


def _declines(said: str) -> bool:
    """Tell whether nothing that was offered is meant: "no", "neither of them", "cancel that"."""
    words_said = _WORDS.findall(said)
    refusing = _NO | _DECLINED
    beside = _BESIDE | _BESIDE_A_NO
    return not refusing.isdisjoint(words_said) and all(word in refusing | beside for word in words_said)


def _place(said: str, count: int) -> int | None:
    """Return which of a numbered list of `count` is meant, from 0, or `None` if no number of it is said."""
    number = _NUMBER.fullmatch(said)
    if number is None:
        return None
    if number["digits"]:
        place: int | None = int(number["digits"]) - 1
    elif number["word"] in _LAST:
        place = count - 1
    else:
        place = next((index for index, spelt in enumerate(_ORDINALS) if number["word"] in spelt), None)
    return place if place is not None and 0 <= place < count else None


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
    """Return an answer with the question which of two facts is right below it, if one is open and nothing else is
    asked.

    A member is asked once about each contradiction. If in doubt, the answer is sent without the question.
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
        read_before=Standing.of_all([written.standing, Standing(fact_ids=fact_ids)]),
    )


async def settle_contradiction(turn: Turn, fact_id: int, access: MemoryAccess) -> WrittenAnswer:
    """Make the fact that its subject chose the current one, and say so."""
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
            memory_ids=(remembered.fact_id,),
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
