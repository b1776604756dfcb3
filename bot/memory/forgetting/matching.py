"""Which facts say what is to be forgotten, by their words; pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bot.domain import Fact, mention_of
from bot.memory import identifiers, phrasing, tokens
from bot.memory.tokens import Likeness

_BETWEEN_CLAUSES: Final = re.compile(r"\s*;\s*|\s*,?\s+(?:and|but|и|а|но)\s+", re.IGNORECASE)
_SUBJECT: Final = re.compile(
    r"<@!?\d+>|(?:i|my|i['’](?:m|ve|d|ll)|(?:у |со? )?<@!?\d+>|я|меня|мне|у меня|мой|моя|мое|моё|мои)(?![\w-])",
    re.IGNORECASE,
)
_LEAST_CLAUSES: Final = 2


@dataclass(frozen=True, slots=True)
class Part:
    """A fact that says several things, taken apart."""

    gone: str
    """What is to be forgotten."""
    left: str
    """The rest, as a fact of its own."""


def facts_that_say(statement: str, known: Iterable[Fact], *, author_id: int) -> list[Fact]:
    """Return the facts of `known` that say `statement`, as `author_id` puts it.

    They match by whole tokens: `TKT-100` is not `TKT-1000`, but it is "tkt 100". Those that say just that come
    before those that say more, and those before the ones that say less of a longer statement: "I like pizza"
    leaves "likes pineapple pizza" alone where "likes pizza" is known.
    """
    told = phrasing.third_person(statement, author_id=author_id)
    ranked: dict[Likeness, list[Fact]] = {}
    for fact in known:
        likeness = max(_likeness(told, fact.content), _likeness(statement, fact.raw_content))
        if likeness is Likeness.MORE and part_that_says(told, fact) is not None:
            likeness = Likeness.SAME
        ranked.setdefault(likeness, []).append(fact)
    ranked.pop(Likeness.NONE, None)
    return ranked[max(ranked)] if ranked else []


def says_just(statement: str, fact: Fact, *, author_id: int) -> bool:
    """Tell whether `fact`, or one clause of it, says `statement` and nothing else."""
    told = phrasing.third_person(statement, author_id=author_id)
    alike = max(_likeness(told, fact.content), _likeness(statement, fact.raw_content))
    return alike is Likeness.SAME or part_that_says(told, fact) is not None


def part_that_says(told: str, fact: Fact) -> Part | None:
    """Return `fact` taken apart where one clause of it says just `told`, which is in the third person.

    `None` where it says one thing alone: "likes salt and pepper" has one verb for both.
    """
    clauses = _clauses(fact)
    gone = [clause for clause in clauses if _likeness(told, clause) is Likeness.SAME]
    left = [clause for clause in clauses if clause not in gone]
    return Part(gone="; ".join(gone), left="; ".join(left)) if gone and left else None


def _clauses(fact: Fact) -> list[str]:
    """Return what a fact says, clause by clause in the third person; one alone is none.

    Each must have its own subject, and say what it says without a date that only the whole was given.
    """
    said = _BETWEEN_CLAUSES.split(fact.raw_content)
    subject = mention_of(fact.subject_id)
    if len(said) < _LEAST_CLAUSES or not all(_SUBJECT.match(clause) for clause in said):
        return []
    told = [phrasing.third_person(clause, author_id=fact.author_id) for clause in said]
    whole = tokens.content_stems(fact.content)
    fits = all(subject in clause and tokens.content_stems(clause) <= whole for clause in told)
    return told if fits else []


def _likeness(statement: str, content: str) -> Likeness:
    """Return how much of `statement` a content says, whatever the spelling of their identifiers."""
    known = identifiers.named(statement) | identifiers.named(content)
    return tokens.likeness(identifiers.respelt(statement, known), identifiers.respelt(content, known))
