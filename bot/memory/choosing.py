"""Which facts say what is to be forgotten, by meaning: chosen by a model, by their words where there is none."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from pydantic import BaseModel, Field

from bot.domain import GUILD_SUBJECT, Fact
from bot.language import framing
from bot.language.local_ids import LocalIds
from bot.language.local_mentions import mentioned_in, shortened
from bot.language.operation import Asker, Operation, Operations, Outcome, Role
from bot.memory.forgetting import facts_that_say

MOST_CHARACTERS: Final = 16_000
"""Characters of all facts that are offered, about 4,000 tokens: what is left over is found by its words alone."""


@dataclass(frozen=True)
class Choice:
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


class Chosen(BaseModel):
    """What the choice returns."""

    facts: list[str] = Field(
        default_factory=list, description="ids of the facts that say it, such as f2; none if no fact does"
    )


def choice_among(
    statement: str, known: Iterable[Fact], *, author_id: int, subject_ids: Collection[int]
) -> Choice:
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
    return Choice(statement, author_id, offered)


async def chosen_facts(
    operations: Operations, given: Choice, *, asker: Asker | None = None
) -> Outcome[Chosen]:
    """Return the outcome of `CHOOSE`; with nothing to choose from nobody is asked."""
    if not given.facts:
        return Outcome(value=Chosen(), degraded=False, model=None, tokens=0, seconds=0.0)
    return await operations.run(CHOOSE, given, asker=asker)


def facts_chosen(given: Choice, chosen: Chosen) -> list[Fact]:
    """Return the chosen facts, each once; raises `ValueError` for an id that was not offered."""
    wanted = {given.memories.long(short) for short in chosen.facts}
    return [fact for fact in given.facts if fact.fact_id in wanted]


def by_words(given: Choice) -> Chosen:
    """Return the facts that say the statement word for word, or more, or less of it."""
    found = facts_that_say(given.statement, given.facts, author_id=given.author_id)
    return Chosen(facts=[given.memories.short(fact.fact_id) for fact in found])


def _frame(given: Choice) -> Mapping[str, object]:
    return {
        "author": f"@{given.users.short(given.author_id)}",
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


def _check(given: Choice, chosen: Chosen) -> None:
    facts_chosen(given, chosen)


CHOOSE: Final = Operation(
    name="choose_facts",
    role=Role.MEMORY,
    answer=Chosen,
    frame=_frame,
    check=_check,
    fallback=by_words,
    deadline_seconds=10.0,
)
