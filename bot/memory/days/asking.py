"""Asks about one part of a day, once more about whom the answer left out, and extracts whom nothing is told of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from bot.domain import Message, MessageKind
from bot.language.operation import Asker, Operations
from bot.memory.days.extract import extracts
from bot.memory.days.question import SUMMARISE_DAY, DayPart
from bot.memory.sensitive import without_sensitive
from bot.memory.telling_each import texts_by_member


@dataclass(frozen=True, slots=True)
class DayAsked:
    """What is told of a day by member."""

    texts: Mapping[int, str]
    """An empty one tells that there is nothing that may be told."""
    degraded_ids: frozenset[int] = field(default=frozenset())
    """Those whose text is a fallback's although a model was configured."""
    degraded: bool = False
    """A model was configured and told nothing at all of some part."""
    refused: bool = False
    """Every model refused some part."""

    def __add__(self, later: "DayAsked") -> "DayAsked":
        """Return the day told on by what is told of a later part."""
        better = later.texts.keys() - later.degraded_ids
        return DayAsked(
            texts={**self.texts, **later.texts},
            degraded_ids=(self.degraded_ids - better) | later.degraded_ids,
            degraded=self.degraded or later.degraded,
            refused=self.refused or later.refused,
        )


async def tell_part(operations: Operations, part: DayPart, *, asker: Asker) -> DayAsked:
    """Return what a model tells of the wanted members in this part of a day, and what was told of the others before."""
    outcome = await operations.run(SUMMARISE_DAY, part, asker=asker)
    told = texts_by_member(outcome.value, part)
    degraded_ids = frozenset(told) if outcome.degraded else frozenset()
    left = tuple(user_id for user_id in part.wanted if user_id not in told)
    if left and outcome.model is not None:
        rest = replace(part, wanted=left)
        again = await operations.run(SUMMARISE_DAY, rest, asker=asker)
        more = texts_by_member(again.value, rest)
        told |= more
        if again.model is None:
            degraded_ids = frozenset(more)
    return DayAsked(
        texts={user_id: without_sensitive(text) for user_id, text in told.items()},
        degraded_ids=degraded_ids,
        degraded=outcome.degraded,
        refused=outcome.refused,
    )


async def with_extracts(told: DayAsked, messages: Sequence[Message], *, degraded: bool) -> DayAsked:
    """Return `told` with the most telling sentences of those members of whom no model told anything.

    `degraded` says whether a model was configured, so that these are not the last word.
    """
    spoke = dict.fromkeys(message.user_id for message in messages if message.kind is MessageKind.MEMBER)
    own = [message for message in messages if message.kind is MessageKind.MEMBER]
    extracted = await extracts(own, [user_id for user_id in spoke if user_id not in told.texts])
    return replace(
        told,
        texts={**told.texts, **extracted},
        degraded_ids=told.degraded_ids | (frozenset(extracted) if degraded else frozenset()),
    )
