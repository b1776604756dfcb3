"""Asks which facts are meant to be forgotten, and on which of several servers.

Nothing is forgotten before the asker has chosen, and only what is theirs to forget is offered.
"""

import re
from collections.abc import Sequence
from typing import Final

from bot.chat.disclosure import disclosure_of
from bot.chat.incoming import Route
from bot.chat.own_rights import EVERYWHERE, is_direct
from bot.chat.turn import MemoryAccess, Turn
from bot.core.domain import Fact
from bot.memory.outbox.answers import WrittenAnswer
from bot.memory.outbox.circumstances import OpenQuestion
from bot.memory.rights.forgetting.meant import MOST_OFFERED
from bot.text.calendar import LEXICONS
from bot.text.languages import either

_SINGLE: Final = 1


def offered(turn: Turn, facts: Sequence[Fact], *, named: Sequence[Fact] | None = None) -> WrittenAnswer:
    """Ask which of `facts` is meant: one by yes or no, a few by number; for more, whether all of them are.

    In that case some of those that may be `named` are quoted; without `named`, any of them.
    """
    shown = [turn.content_of(fact) for fact in (facts if named is None else named)[:MOST_OFFERED]]
    if len(facts) == _SINGLE:
        lines = [turn.say("forget.is_it_this"), f"- {shown[0]}"]
    elif len(facts) <= MOST_OFFERED:
        numbered = (f"{number}. {content}" for number, content in enumerate(shown, start=1))
        lines = [turn.say("forget.which_one"), *numbered]
    else:
        asked = turn.say("forget.ask_many", facts=turn.say("count.facts", count=len(facts)))
        more = turn.say("chat.and_more", number=len(facts) - len(shown))
        lines = [asked, *(f"- {content}" for content in shown), more]
    fact_ids = tuple(fact.fact_id for fact in facts)
    return WrittenAnswer(
        route=Route.FORGET,
        parts=("\n".join(lines),),
        memory_ids=fact_ids,
        question=OpenQuestion(
            text=turn.text,
            facts=fact_ids,
            forgets=True,
            within=turn.within,
            replied_to_id=turn.message.reply_to_id,
        ),
    )


_ORDINALS: Final = [
    frozenset(" ".join(spelt).split())
    for spelt in zip(*(lexicon.ORDINALS for lexicon in LEXICONS), strict=True)
]
_PLACE: Final = re.compile(either("place_in_a_list"), re.IGNORECASE)


async def listed(turn: Turn, what: str, access: MemoryAccess) -> Fact | None:
    """Return the fact that `what` means by its place in the list that the asker was told last; `None` if none is."""
    if not _PLACE.fullmatch(what.strip()):
        return None
    number = re.search(r"\d+", what)
    said = re.findall(r"\w+", what.casefold())
    place = (
        int(number[0]) - 1
        if number
        else next((at for at, spelt in enumerate(_ORDINALS) if not spelt.isdisjoint(said)), -1)
    )
    told = await access.memory.answers.last_listed(turn.message)
    if told is None or not 0 <= place < len(told.memory_ids):
        return None
    known = await access.memory.facts_with_ids(
        guild_id=turn.message.guild_id, fact_ids=[told.memory_ids[place]]
    )
    seen = next((fact for fact in known if fact.audience in turn.view.audiences), None)
    return (await disclosure_of(turn, access)).fact(seen)


def within(turn: Turn, facts: Sequence[Fact]) -> list[Fact]:
    """Return those of `facts` that are kept where the command was settled to hold; all where nothing was settled."""
    if not turn.within or EVERYWHERE in turn.within:
        return list(facts)
    return [fact for fact in facts if fact.guild_id in turn.within]


async def asked_where(turn: Turn, facts: Sequence[Fact], access: MemoryAccess) -> WrittenAnswer | None:
    """Ask on which of several servers `facts` shall be forgotten, with how many on each; `None` if that is clear."""
    guild_ids = sorted({fact.guild_id for fact in facts})
    if turn.within or not is_direct(turn) or len(guild_ids) <= _SINGLE:
        return None
    places = [*(await places_of(turn, facts, access)), _line(turn, turn.say("rights.all_places"), len(facts))]
    numbered = (f"{number}. {place}" for number, place in enumerate(places, start=1))
    return WrittenAnswer(
        route=Route.FORGET,
        parts=("\n".join([turn.say("forget.which_place"), *numbered]),),
        question=OpenQuestion(
            text=turn.text, guilds=(*guild_ids, EVERYWHERE), replied_to_id=turn.message.reply_to_id
        ),
    )


async def places_of(turn: Turn, facts: Sequence[Fact], access: MemoryAccess) -> list[str]:
    """Return how many of `facts` are kept on which server, in the order of their ids."""
    lines = []
    for guild_id in sorted({fact.guild_id for fact in facts}):
        guild = await access.directory.guild(guild_id)
        is_here = guild_id == turn.message.guild_id
        named = guild.name if guild is not None and guild.name else turn.say("rights.nameless")
        place = turn.say("forget.in_private") if is_here else named
        lines.append(_line(turn, place, sum(fact.guild_id == guild_id for fact in facts)))
    return lines


def _line(turn: Turn, place: str, facts: int) -> str:
    return f"{place}: {turn.say('count.facts', count=facts)}"
