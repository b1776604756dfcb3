"""Endings: what members say is no longer true of themselves, and which known facts that ends.

Such a sentence is a fact of its own under the key of what it ends: it takes precedence over that, says since when, and
lets it apply again if the sentence is taken back, edited or removed. `slots.py` settles what applies.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.db.pool import Connection
from bot.memory.facts import repository
from bot.memory.facts.repository import KnownValue, NewFact
from bot.text.extraction import is_ended_by, was
from bot.text.tokens import normalised

_ENDS: Final = "ends:"
"""What the key of a fact begins with of which it is not known yet what it ends."""


def open_key(kinds: Sequence[str]) -> str:
    """Return the key of what ends facts whose keys begin with one of `kinds`, until it is known which."""
    return f"{_ENDS}{','.join(kinds)}"


def is_open(fact: NewFact) -> bool:
    """Tell whether it is to be found still what a fact ends."""
    return fact.key.startswith(_ENDS)


async def placed(
    connection: Connection, given: Mapping[int, Sequence[NewFact]], *, guild_id: int
) -> dict[int, list[NewFact]]:
    """Return, by message, the endings among `given` under the keys of the facts that they end; others are left out.

    Nothing is ended but what is kept of their author where the same people read.
    """
    ends = [fact for told in given.values() for fact in told if is_open(fact)]
    if not ends:
        return {}
    known = await repository.known_values(
        connection,
        guild_id=guild_id,
        subject_ids=sorted({fact.subject_id for fact in ends}),
        kinds=sorted({kind for fact in ends for kind in _kinds(fact)}),
    )
    return {
        message_id: [one for fact in told if is_open(fact) for one in _under_their_keys(fact, known)]
        for message_id, told in given.items()
    }


def _kinds(fact: NewFact) -> list[str]:
    return fact.key.removeprefix(_ENDS).split(",")


def _under_their_keys(fact: NewFact, known: Iterable[KnownValue]) -> list[NewFact]:
    """Return an ending once for each key that has a fact which it ends, or that has the ending itself."""
    found: dict[str, NewFact] = {}
    for one in known:
        if (one.subject_id, one.audience) != (fact.subject_id, fact.audience):
            continue
        if one.key.partition(":")[0] not in _kinds(fact):
            continue
        if normalised(one.value) == normalised(fact.value):
            found.setdefault(one.key, replace(fact, key=one.key))
        elif is_ended_by(fact.value, key=one.key, known=one.value):
            found[one.key] = replace(_as_written(fact, one.value), key=one.key)
    return list(found.values())


def _as_written(fact: NewFact, known: str) -> NewFact:
    """Return an ending with what ended as it was written before: "no longer works at valve" of Valve."""
    ended = was(fact.value)
    if not ended or ended.lower() != known.lower():
        return fact
    content = fact.content.replace(ended, known)
    return replace(fact, value=fact.value.replace(ended, known), content=content, raw_content=content)
