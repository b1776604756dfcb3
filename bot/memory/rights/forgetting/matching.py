"""Lets a model choose the facts that say what is to be forgotten, by their meaning."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from pydantic import BaseModel, Field

from bot.core.domain import GUILD_SUBJECT, Fact
from bot.llm import framing
from bot.llm.framing import LocalIds, mentioned_in, shortened
from bot.llm.operation import Asker, Operation, Operations, Outcome, Role
from bot.memory.rights.forgetting.meant import facts_that_say

MOST_CHARACTERS: Final = 16_000
"""Characters of all facts that are offered, about 4,000 tokens: what is left over is found by its words alone."""


@dataclass(frozen=True)
class FactChoiceInput:
    """What the choice is made from: what is to be forgotten, who says so, and the facts that may say it."""

    statement: str
    """In the words of the author, with members as `<@id>`."""
    author_id: int
    facts: Sequence[Fact]

    @cached_property
    def users(self) -> LocalIds:
        """The short ids of the author and of everyone whom the texts speak of."""
        users = LocalIds("u")
        users.short(self.author_id)
        for text in (self.statement, *(fact.content for fact in self.facts)):
            for user_id in mentioned_in(text):
                users.short(user_id)
        for fact in self.facts:
            if fact.subject_id != GUILD_SUBJECT:
                users.short(fact.subject_id)
        return users

    @cached_property
    def memories(self) -> LocalIds:
        """The short ids of the facts."""
        memories = LocalIds("f")
        for fact in self.facts:
            memories.short(fact.fact_id)
        return memories


class ChosenFacts(BaseModel):
    """What the choice returns."""

    facts: list[str] = Field(
        default_factory=list, description="ids of the facts that say it, such as f2; none if no fact does"
    )


def choice_among(
    statement: str, known: Iterable[Fact], *, author_id: int, subject_ids: Collection[int]
) -> FactChoiceInput:
    """Return the choice among those of `known` that are about `subject_ids`; no other fact is ever offered.

    Where there are too many, those that say it by their words come first, then the others as they are ordered.
    """
    about = [fact for fact in known if fact.subject_id in subject_ids]
    by_words = {fact.fact_id for fact in facts_that_say(statement, about, author_id=author_id)}
    about.sort(key=lambda fact: fact.fact_id not in by_words)
    offered: list[Fact] = []
    left = MOST_CHARACTERS
    for fact in about:
        left -= len(fact.content)
        if left >= 0 or fact.fact_id in by_words:
            offered.append(fact)
    return FactChoiceInput(statement, author_id, offered)


async def chosen_facts(
    operations: Operations, given: FactChoiceInput, *, asker: Asker | None = None
) -> Outcome[ChosenFacts]:
    """Return the outcome of `CHOOSE_FACTS`; with nothing to choose from nobody is asked."""
    if not given.facts:
        return Outcome(value=ChosenFacts(), seconds=0.0)
    return await operations.run(CHOOSE_FACTS, given, asker=asker)


def facts_chosen(given: FactChoiceInput, chosen: ChosenFacts) -> list[Fact]:
    """Return the chosen facts, each once; raises `ValueError` for an id that was not offered."""
    wanted = {given.memories.long(short) for short in chosen.facts}
    return [fact for fact in given.facts if fact.fact_id in wanted]


def chosen_by_words(given: FactChoiceInput) -> ChosenFacts:
    """Return the facts that say the statement word for word, or more, or less of it."""
    found = facts_that_say(given.statement, given.facts, author_id=given.author_id)
    return ChosenFacts(facts=[given.memories.short(fact.fact_id) for fact in found])


def _frame(given: FactChoiceInput) -> Mapping[str, object]:
    return {
        "statement": framing.tag("statement", shortened(given.statement, given.users)),
        "facts": framing.lines(
            framing.tag(
                "fact",
                shortened(fact.content, given.users),
                id=given.memories.short(fact.fact_id),
                subject="guild"
                if fact.subject_id == GUILD_SUBJECT
                else f"@{given.users.short(fact.subject_id)}",
            )
            for fact in given.facts
        ),
    }


def _mend(given: FactChoiceInput, chosen: ChosenFacts) -> ChosenFacts:
    """Leave out ids that were not offered; if there are no others, the answer is wrong as a whole."""
    offered = {given.memories.short(fact.fact_id) for fact in given.facts}
    return ChosenFacts(facts=[short for short in chosen.facts if short in offered] or chosen.facts)


def _check(given: FactChoiceInput, chosen: ChosenFacts) -> None:
    facts_chosen(given, chosen)


CHOOSE_FACTS: Final = Operation(
    name="choose_facts",
    role=Role.MEMORY,
    answer=ChosenFacts,
    frame=_frame,
    mend=_mend,
    check=_check,
    fallback=chosen_by_words,
    deadline_seconds=10.0,
)
