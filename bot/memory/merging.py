"""The merge: the explicit facts of one subject as one narrative, and what the newest commands contradict."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from pydantic import BaseModel, Field, model_validator

from bot.domain import GUILD_SUBJECT, Fact, FactOrigin, Language
from bot.language import framing
from bot.language.local_ids import LocalIds
from bot.language.local_mentions import lengthened, mentioned_in, shortened
from bot.language.operation import Operation, Role
from bot.language.tongues import Tongue, tongue_of
from bot.memory import telling
from bot.memory.sensitive import without_sensitive

MOST_CONTRADICTED: Final = 5
"""One merge takes the place of no more facts: who contradicts more is asked again rather than believed."""

_COMMANDS: Final = frozenset({FactOrigin.COMMAND, FactOrigin.TOOL})
_SURE_OF_TONGUE: Final = 4
"""Common words by which an answer gives away that it is in another language of the same alphabet."""

_FIRST_PERSON: Final = re.compile(r"(?<![\w<@'’])(?:I|I['’]m|my|me|я|мне|меня|мой|моя)(?![\w'’])")


@dataclass(frozen=True)
class Merge:
    """What the merge is given: the explicit facts of one subject in one audience, newest first, and the narrative
    before them.
    """

    subject_id: int
    facts: Sequence[Fact]
    earlier: str

    @cached_property
    def users(self) -> LocalIds:
        """The short ids of the subject and of everyone mentioned."""
        users = LocalIds("u")
        if self.subject_id != GUILD_SUBJECT:
            users.short(self.subject_id)
        for fact in self.facts:
            for user_id in (*([fact.author_id] if fact.author_id else []), *mentioned_in(fact.content)):
                users.short(user_id)
        return users

    @cached_property
    def memories(self) -> LocalIds:
        """The short ids of the facts."""
        memories = LocalIds("f")
        for fact in self.facts:
            memories.short(fact.fact_id)
        return memories

    @cached_property
    def by_id(self) -> Mapping[int, Fact]:
        """The facts by their ids."""
        return {fact.fact_id: fact for fact in self.facts}

    @cached_property
    def new_ids(self) -> frozenset[int]:
        """The commands that no narrative has told yet: only these can contradict what is older."""
        new = [fact for fact in self.facts[:1] if fact.origin in _COMMANDS]
        if self.earlier:
            new += [
                fact
                for fact in self.facts[1:]
                if fact.origin in _COMMANDS
                and not telling.is_foreign(fact, self.language)
                and not telling.is_told(fact, self.earlier)
            ]
        return frozenset(fact.fact_id for fact in new)

    @cached_property
    def language(self) -> Language:
        """The alphabet to write in: the earlier narrative's, else that of most facts, of as many the older."""
        if self.earlier:
            return Language.of(self.earlier)
        told = [Language.of(fact.content) for fact in reversed(self.facts)]
        return max(dict.fromkeys(told), key=told.count, default=Language.ENGLISH)

    @cached_property
    def tongue(self) -> Tongue | None:
        """The language to write in, where it can be told more closely than by its alphabet."""
        written = self.earlier or "\n".join(
            fact.content for fact in self.facts if not telling.is_foreign(fact, self.language)
        )
        found = tongue_of(written)
        return found if found is not None and found.language is self.language else None


class Contradiction(BaseModel):
    """That a new fact and an older one cannot both be true now."""

    older: str = Field(description="id of the older fact that is no longer true, such as f4")
    newer: str = Field(default="", description="id of the new fact that says otherwise, such as f1")

    @model_validator(mode="before")
    @classmethod
    def _from_a_plain_id(cls, given: object) -> object:
        return {"older": given} if isinstance(given, str) else given


class Merged(BaseModel):
    """What the merge returns."""

    narrative: str = Field(description="all the facts that hold as one text in the third person")
    told: list[str] = Field(default_factory=list, description="ids of all facts that the narrative tells")
    contradicted: list[Contradiction] = Field(
        default_factory=list, description="older facts that a new fact says otherwise; usually none"
    )


def superseded(given: Merge, merged: Merged) -> list[tuple[Fact, Fact]]:
    """Return each contradicted fact with the one that takes its place.

    Raises `ValueError` for an id that was not offered, for what is not older, and for a fact that is not new.
    """
    pairs: dict[int, tuple[Fact, Fact]] = {}
    for one in merged.contradicted:
        older = given.by_id[given.memories.long(one.older)]
        newer = given.by_id[given.memories.long(one.newer)] if one.newer else given.facts[0]
        if newer.fact_id not in given.new_ids:
            raise ValueError(f"{one.newer or 'the newest fact'} is not new, so it contradicts nothing")
        if _age(older) >= _age(newer):
            raise ValueError(f"{one.older} is not older than {one.newer or 'the newest fact'}")
        pairs[older.fact_id] = (older, newer)
    if len(pairs) > MOST_CONTRADICTED:
        raise ValueError(f"{len(pairs)} facts cannot all be contradicted, {MOST_CONTRADICTED} at most")
    gone = {older_id for older_id, _ in pairs.items()}
    return [pair for pair in pairs.values() if pair[1].fact_id not in gone]


def told_in_full(given: Merge, merged: Merged) -> str:
    """Return the narrative with members as `<@id>`; facts that it left out follow as dated sentences."""
    narrative = _narrative(given, merged)
    return "\n".join([narrative, *(telling.dated(fact) for fact in _left_out(given, merged, narrative))])


def as_dated_sentences(given: Merge) -> Merged:
    """Return the facts as dated sentences, newest first: the narrative that needs no model."""
    return Merged(narrative="\n".join(telling.dated(fact) for fact in given.facts))


def _frame(given: Merge) -> Mapping[str, object]:
    is_guild = given.subject_id == GUILD_SUBJECT
    return {
        "subject": framing.tag(
            "subject", "the server" if is_guild else f"@{given.users.short(given.subject_id)}"
        ),
        "tongue": given.tongue.name if given.tongue else _ALPHABETS[given.language],
        "facts": framing.lines(
            framing.tag(
                "fact",
                shortened(fact.content, given.users),
                id=given.memories.short(fact.fact_id),
                date=fact.said_at.date().isoformat(),
                teller=f"@{given.users.short(fact.author_id)}" if _is_hearsay(fact) else None,
                new="yes" if fact.fact_id in given.new_ids else None,
            )
            for fact in given.facts
        ),
        "earlier": framing.tag("earlier", shortened(given.earlier, given.users)),
    }


_ALPHABETS: Final = {
    Language.RUSSIAN: "Russian",
    Language.ENGLISH: "that of the earlier text, else of most facts",
}


def _check(given: Merge, merged: Merged) -> None:
    narrative = _narrative(given, merged)
    if given.facts and not narrative.strip():
        raise ValueError("the narrative is empty: tell the facts")
    for short in merged.told:
        given.memories.long(short)
    gone = {older.fact_id for older, _ in superseded(given, merged)}
    _check_language(given, narrative)
    facts_told = " ".join(fact.content for fact in given.facts)
    if _FIRST_PERSON.search(narrative) and not _FIRST_PERSON.search(facts_told):
        raise ValueError("write in the third person")
    if len(narrative) > 2 * len(facts_told) + 1_000:
        raise ValueError("the narrative is far longer than the facts: add nothing to them")
    _check_sources(given, narrative)
    holding = [fact for fact in given.facts if fact.fact_id not in gone]
    left_out = _left_out(given, merged, narrative)
    if 2 * len(left_out) > len(holding):
        missing = ", ".join(given.memories.short(fact.fact_id) for fact in left_out)
        raise ValueError(f"the narrative leaves out {missing}: tell every fact in its own words")


def _check_sources(given: Merge, narrative: str) -> None:
    """Refuse sentences that no fact says; of a fact in another alphabet no word can be recognised."""
    sources = [given.earlier, *(fact.content for fact in given.facts)]
    foreign = sum(telling.is_foreign(fact, given.language) for fact in given.facts)
    added = telling.invented(narrative, sources)
    if len(added) > foreign:
        raise ValueError(f"no fact says {added[-1][:80]!r}: add nothing, and keep the words of the facts")


def _check_language(given: Merge, narrative: str) -> None:
    name = given.tongue.name if given.tongue else _ALPHABETS[given.language]
    tongue = tongue_of(narrative, at_least=_SURE_OF_TONGUE)
    other = given.tongue is not None and tongue is not None and tongue.name != given.tongue.name
    if other or Language.of(narrative) is not given.language:
        raise ValueError(f"write in another language: {name}")


def _narrative(given: Merge, merged: Merged) -> str:
    known = " ".join([given.earlier, *(fact.content for fact in given.facts)])
    narrative = lengthened(merged.narrative.strip(), given.users, known=known)
    return without_sensitive(narrative, asked="\n".join(fact.content for fact in given.facts))


def _left_out(given: Merge, merged: Merged, narrative: str) -> list[Fact]:
    gone = {older.fact_id for older, _ in superseded(given, merged)}
    return [
        fact
        for fact in given.facts
        if fact.fact_id not in gone and not _tells(given, merged, narrative, fact)
    ]


def _tells(given: Merge, merged: Merged, narrative: str, fact: Fact) -> bool:
    """Tell whether the narrative tells `fact`; what was translated is taken at the model's word, but for its names."""
    if not telling.is_foreign(fact, given.language):
        return telling.is_told(fact, narrative)
    claimed = given.memories.short(fact.fact_id) in merged.told
    return claimed and telling.names_the_same(fact, narrative)


def _is_hearsay(fact: Fact) -> bool:
    return fact.author_id not in {fact.subject_id, 0}


def _age(fact: Fact) -> tuple[float, int]:
    return fact.said_at.timestamp(), fact.fact_id


MERGE: Final = Operation(
    name="merge_facts",
    role=Role.MEMORY,
    answer=Merged,
    frame=_frame,
    check=_check,
    fallback=as_dated_sentences,
)
