"""Which facts are meant by what somebody wants forgotten, by rules alone: surely, or perhaps, so that they are asked.

A fact is surely meant where it says just that in other words or spellings, or where nothing else could be meant. What
says less, or more in the middle of it, differs by a slip of the pen, or has words in common only, is offered.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from bot.core.domain import MENTION, Fact, FactStatus, mention_of
from bot.text import phrasing, tokens
from bot.text.concepts import WEAK, Concepts, Relation, concepts_of, relation_of, shared
from bot.text.grammar.rules import plain
from bot.text.grammar.words import DETERMINERS, PERSON_VERBS, is_function_word
from bot.text.languages import either

MOST_OFFERED: Final = 3
"""Facts that are offered by number where it is not sure which one is meant."""


@dataclass(frozen=True, slots=True)
class FactPart:
    """A fact that says several things, taken apart."""

    gone: str
    """What is to be forgotten."""
    left: str
    """The rest, as a fact of its own."""


@dataclass(frozen=True, slots=True)
class MeantFacts:
    """What a request may mean of what is known."""

    sure: tuple[Fact, ...] = ()
    """What it means."""
    says_just: bool = False
    """Each of these, or a clause of it, says just what was asked for."""
    nearest: tuple[Fact, ...] = ()
    """Where nothing is sure: what comes closest, the closest first."""


class _Form(Enum):
    """How it is put what is to be forgotten."""

    CLAUSE = "somebody does something"
    OWNED = "something of somebody's"
    TOPIC = "a thing or a name"


_CLAUSE: Final = re.compile(
    rf"(?!{either('question_start')})(?:\w+\s)?<@!?\d+>(?!['’]s\b)\s+\S|.*\s{either('link')}\s",
    re.IGNORECASE | re.DOTALL,
)
_EXCEPTS: Final = re.compile(either("excepts", gap=r"\s+"), re.IGNORECASE | re.DOTALL)
_SINGLE: Final = 1


def facts_meant(what: str, known: Iterable[Fact], *, author_id: int) -> MeantFacts:
    """Return which of `known` are meant by `what`, in the words of `author_id`."""
    request = _Request.of(what, author_id=author_id)
    related = request.related(known)
    if same := related[Relation.SAME]:
        return MeantFacts(tuple(same), says_just=True)
    tails = _current(related[Relation.TAIL])
    holding = _current([*tails, *related[Relation.MORE]])
    for meant in (holding, [] if request.form is _Form.TOPIC else tails):
        if request.means_all(meant, tails=tails):
            return MeantFacts(tuple(meant))
    others = _current([*related[Relation.LESS], *related[Relation.OVERLAP]])
    return MeantFacts(nearest=tuple(request.by_nearness([*holding, *others])))


def facts_that_say(what: str, known: Iterable[Fact], *, author_id: int) -> list[Fact]:
    """Return the facts of `known` that say `what` in the words of `author_id`: just that, else more, else less."""
    related = _Request.of(what, author_id=author_id).related(known)
    return (
        related[Relation.SAME] or [*related[Relation.TAIL], *related[Relation.MORE]] or related[Relation.LESS]
    )


def facts_about(
    words: str, known: Iterable[Fact], *, author_id: int, least: Relation = Relation.MORE
) -> list[Fact]:
    """Return the facts of `known` that are about a name, a thing or a kind of thing, whatever they say of it.

    With `TAIL` as the `least` only those that say it of their subject at once: not where a sister lives.
    """
    asked = concepts_of(phrasing.third_person(words, author_id=author_id))
    return [
        fact
        for fact in known
        if any(
            relation_of(asked, concepts_of(text), as_topic=True) >= least
            for text in (fact.content, fact.raw_content)
        )
    ]


def with_replacing(what: str, meant: Sequence[Fact], known: Iterable[Fact]) -> list[Fact]:
    """Return `meant`, and what of `known` holds in the place of those that were replaced.

    Not where `what` tells the value that was replaced: who wants "lives in Oslo" forgotten after they moved to Bergen
    means Oslo alone, but "my cat's name" is the new name as well as the old.
    """
    newer = {fact.supersedes: fact for fact in known if fact.supersedes is not None}
    asked = concepts_of(what)
    taken = {fact.fact_id: fact for fact in meant}
    for fact in meant:
        above = newer.get(fact.fact_id)
        while above is not None and above.fact_id not in taken and not _tells_value(asked, fact):
            taken[above.fact_id] = above
            above = newer.get(above.fact_id)
    return list(taken.values())


def _tells_value(asked: Concepts, fact: Fact) -> bool:
    value = concepts_of(fact.value)
    if not value.said and not value.names:
        return True
    return bool(shared(asked.said, value.said)) or any(
        one.is_same(other) for one in asked.names for other in value.names
    )


def _current(facts: Iterable[Fact]) -> list[Fact]:
    """Return those that hold, or all if none does."""
    all_of_them = list(facts)
    return [fact for fact in all_of_them if fact.status is FactStatus.ACTIVE] or all_of_them


@dataclass(frozen=True, slots=True)
class _Request:
    """What is to be forgotten."""

    told: str
    """In the third person."""
    wordings: tuple[Concepts, Concepts]
    """In the third person, and in the words of its author."""
    form: _Form

    @classmethod
    def of(cls, what: str, *, author_id: int) -> "_Request":
        told = phrasing.third_person(what, author_id=author_id)
        owned = _Form.OWNED if MENTION.search(told) else _Form.TOPIC
        form = _Form.CLAUSE if _CLAUSE.match(told) else owned
        return cls(told, (concepts_of(told), concepts_of(what)), form)

    def related(self, facts: Iterable[Fact]) -> Mapping[Relation, list[Fact]]:
        """Return facts by how they go together with the request."""
        found: dict[Relation, list[Fact]] = {one: [] for one in Relation}
        if self.form is not _Form.CLAUSE and _EXCEPTS.match(plain(self.told)):
            # "Everything but my name" has the name alone in common with what is known: the one thing that stays.
            return found
        for fact in facts:
            found[self.relation(fact)].append(fact)
        return found

    def relation(self, fact: Fact) -> Relation:
        """Return how a fact, or one clause of it, goes together with the request."""
        told, said = self.wordings
        found = max(self._between(told, fact.content), self._between(said, fact.raw_content))
        if Relation.SAME > found >= Relation.OVERLAP and part_that_says(self.told, fact) is not None:
            return Relation.SAME
        if not told.sure_names and not told.said - WEAK and found < Relation.SAME:
            # "forget that I like" says nothing yet.
            return Relation.NONE
        return found

    def _between(self, asked: Concepts, text: str) -> Relation:
        stored = concepts_of(text)
        found = relation_of(asked, stored, as_topic=self.form is not _Form.CLAUSE)
        if self.form is not _Form.CLAUSE and found is Relation.OVERLAP and _holds_names(asked, stored):
            # A word too many beside what names one thing alone.
            return Relation.MORE
        return found

    def means_all(self, holding: Sequence[Fact], *, tails: Sequence[Fact]) -> bool:
        """Tell whether facts that say more are surely meant: one alone, of which nothing else is said in between."""
        if len({fact.content for fact in holding}) != _SINGLE or any(map(_is_joined, holding)):
            return False
        match self.form:
            case _Form.TOPIC:
                return True
            case _Form.OWNED:
                return all(fact in tails for fact in holding) or bool(self.wordings[0].sure_names)
            case _Form.CLAUSE:
                return all(fact in tails for fact in holding)

    def by_nearness(self, facts: Sequence[Fact]) -> list[Fact]:
        """Return the facts that come closest to the request, the closest first."""
        said = self.wordings[0].said

        def distance(fact: Fact) -> tuple[int, int]:
            stored = concepts_of(fact.content).said
            return -len(shared(said, stored)), len(stored - said)

        return sorted(facts, key=distance)[:MOST_OFFERED]


def _holds_names(asked: Concepts, stored: Concepts) -> bool:
    """Tell whether all identifiers that were asked for, one at least, are surely in what is stored."""
    named = asked.sure_names
    return bool(named) and all(any(map(one.is_same, stored.sure_names)) for one in named)


_BETWEEN_CLAUSES: Final = re.compile(
    rf"(\s*;\s*|\s*,\s+(?:{either('joins_facts')}\s+)?|\s+{either('joins_facts')}\s+)", re.IGNORECASE
)
_JOINED: Final = re.compile(rf";|\s{either('joins_facts')}\s", re.IGNORECASE)
_SUBJECT: Final = re.compile(rf"<@!?\d+>|{either('fact_subject')}(?![\w-])", re.IGNORECASE)
_QUOTED: Final = re.compile(r"^<@!?\d+>: [“«](.*)[”»]$", re.DOTALL)
_FIRST_WORD: Final = re.compile(r"[\w'’]+")


def _is_joined(fact: Fact) -> bool:
    """Tell whether a fact may say several things that cannot be taken apart."""
    return _JOINED.search(fact.content) is not None


def part_that_says(told: str, fact: Fact) -> FactPart | None:
    """Return `fact` taken apart where one clause of it says `told`, which is in the third person.

    `None` where it says one thing alone: "likes salt and pepper" has one verb for both.
    """
    clauses = _clauses(fact)
    asked = concepts_of(told)
    as_topic = _CLAUSE.match(told) is None
    related = [relation_of(asked, concepts_of(clause), as_topic=as_topic) for clause in clauses]
    least = Relation.SAME if Relation.SAME in related else Relation.TAIL
    gone = [clause for clause, one in zip(clauses, related, strict=True) if one >= least]
    left = [clause for clause in clauses if clause not in gone]
    if len(gone) != _SINGLE and least is not Relation.SAME:
        return None
    return FactPart(gone="; ".join(gone), left="; ".join(left)) if gone and left else None


def _clauses(fact: Fact) -> list[str]:
    """Return what a fact says, clause by clause in the third person; one alone is none.

    Each has its own subject, or a verb that was put into the third person, and says what it says without a date that
    only the whole was given.
    """
    if phrasing.is_quoted_from(fact.content, fact.author_id):
        return _quoted_clauses(fact)
    said, told = _BETWEEN_CLAUSES.split(fact.raw_content), _BETWEEN_CLAUSES.split(fact.content)
    subject = mention_of(fact.subject_id)
    if len(said) != len(told) or not _SUBJECT.match(said[0]):
        return []
    clauses = [told[0]]
    for place in range(2, len(told), 2):
        if _SUBJECT.match(said[place]) and subject in told[place]:
            clauses.append(told[place])
        elif told[0].startswith(subject) and (
            _is_verb(said[place], told[place]) or _does_something(told[place])
        ):
            clauses.append(f"{subject} {told[place]}")
        else:
            # "salt and pepper" is one thing.
            clauses[-1] += told[place - 1] + told[place]
    whole = tokens.content_stems(fact.content)
    fits = all(subject in clause and tokens.content_stems(clause) <= whole for clause in clauses)
    return clauses if len(clauses) > _SINGLE and fits else []


def _quoted_clauses(fact: Fact) -> list[str]:
    """Return what a quotation says, clause by clause, each in the third person where that is surely right."""
    said = _BETWEEN_CLAUSES.split(_QUOTED.sub(r"\1", fact.content))
    clauses, subject = [said[0]], _SUBJECT.match(said[0])
    for place in range(2, len(said), 2):
        if _SUBJECT.match(said[place]) or phrasing.speaks_of_author(said[place]):
            clauses.append(said[place])
        elif subject is not None and _does_something(said[place]):
            clauses.append(f"{subject[0]} {said[place]}")
        else:
            clauses[-1] += said[place - 1] + said[place]
    if len(clauses) == _SINGLE or not all(map(phrasing.speaks_of_author, clauses)):
        return []
    return [_told_alone(clause, teller_id=fact.author_id) for clause in clauses]


def _told_alone(clause: str, *, teller_id: int) -> str:
    told = phrasing.told(clause, author_id=teller_id)
    return told.text if told.sure else phrasing.quotation(clause, teller_id=teller_id)


def _does_something(words: str) -> bool:
    """Tell whether words without a subject begin with a verb: no other word stands before "a" or "my"."""
    first, _, rest = words.partition(" ")
    second = rest.partition(" ")[0]
    return first.isalpha() and not is_function_word(first) and second.casefold() in DETERMINERS


def _is_verb(said: str, told: str) -> bool:
    """Tell whether the first word is a verb of the subject: it was put into the third person, or stands in it."""
    before, after = _FIRST_WORD.match(said), _FIRST_WORD.match(told)
    if before is None or after is None:
        return False
    return before[0] != after[0] or after[0].casefold() in PERSON_VERBS
