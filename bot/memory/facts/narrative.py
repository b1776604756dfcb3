"""The narrative of one subject: its explicit facts merged into one text by a model, checked for omissions and
inventions; without a model, dated sentences.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Final

from pydantic import BaseModel, Field, model_validator

from bot.core.domain import GUILD_SUBJECT, Fact, FactOrigin, Language, mention_of
from bot.core.errors import ModelError
from bot.db.jobs import Job
from bot.db.pool import Connection
from bot.llm import framing
from bot.llm.framing import LocalIds, mentioned_in, shortened
from bot.llm.operation import Operation, Outcome, Role
from bot.memory.derived.checking import MemberInput
from bot.memory.derived.engine import MemoryDependencies, OperationMaker, Sources, whole_lines
from bot.memory.derived.grounding import Grounds, Said
from bot.memory.derived.tellers import keeping_tellers, with_teller
from bot.memory.facts import lifecycle, repository, repository_narratives, repository_slots, statements
from bot.memory.facts.repository_narratives import Narrative
from bot.memory.policy.redaction import without_opted_out
from bot.text.language_detection import CommonWords, detect_language
from bot.text.languages import either
from bot.text.sensitive import may_be_told, without_sensitive
from bot.text.tokens import LOOSELY_ALIKE, shared_stems, telling_stems

PROMPT_CHARACTERS: Final = 2_000
"""What is remembered of one subject takes about so much of a prompt, so that one does not crowd out the others."""

_ONE_MAY_LACK: Final = 5
"""Of so many words one may have been put differently; identifiers never."""

_INVENTED: Final = 3
"""From so many words on, and from half of a sentence on, new words are more than another way to put it."""

_SENTENCE_END: Final = re.compile(r"(?<=[.!?…。！？;])\s+|\n+|(?<=[。！？])")


def dated(fact: Fact) -> str:
    """Return a fact as a sentence with the day on which it was said, who tells it, and whether it is uncertain."""
    doubt = " (said once)" if fact.is_said_once else " (not certain)" if fact.is_guess else ""
    return f"[{fact.said_at.date().isoformat()}] {with_teller(fact)}{doubt}"


def is_told(fact: Fact, text: str) -> bool:
    """Tell whether one sentence of `text`, or two adjacent ones, contain the content of `fact`.

    Numbers, dates, members and addresses must occur exactly; words may occur in any form, and of five or more one may
    be missing. The fact's subject need not be named. Only for a text in the fact's language.
    """
    needed = telling_stems(fact.content) - {mention_of(fact.subject_id)}
    identifiers, words = identifiers_of(needed), needed - identifiers_of(needed)
    return any(
        identifiers <= said
        and len(words) - len(shared_stems(words, said)) <= (1 if len(words) >= _ONE_MAY_LACK else 0)
        for said in _passages(text)
    )


def invented(text: str, sources: Sequence[str]) -> list[str]:
    """Return the sentences of `text` that say a good deal more than `sources` do, in the same language."""
    known = frozenset().union(*(telling_stems(source) for source in sources))
    return [sentence for sentence in _sentences(text) if _says_more(telling_stems(sentence), known)]


def names_the_same(fact: Fact, text: str) -> bool:
    """Tell whether `text`, in another language than `fact`, holds what no translation changes: numbers, members."""
    needed = identifiers_of(telling_stems(fact.content) - {mention_of(fact.subject_id)})
    return needed <= telling_stems(text)


def identifiers_of(stems: frozenset[str]) -> frozenset[str]:
    """Return the stems that are no words: numbers, dates, mentions, addresses."""
    return frozenset(stem for stem in stems if not stem.replace("'", "").isalpha())


def is_foreign(fact: Fact, language: Language) -> bool:
    """Tell whether `fact` is written in another alphabet than `language`."""
    return Language.of(fact.content) is not language


def for_prompt(narrative: str | None, facts: Sequence[Fact], *, limit: int = PROMPT_CHARACTERS) -> str:
    """Return what a prompt tells about a subject, `limit` characters at most.

    That is the `narrative` if there is one and it is short enough, else the facts as dated sentences, the most
    important and newest first, each whole or not at all.
    """
    if narrative and len(narrative) <= limit:
        return narrative
    best_first = sorted(facts, key=lambda one: (one.importance, one.said_at, one.fact_id), reverse=True)
    return "\n".join(whole_lines([(dated(fact), dated(fact)) for fact in best_first], limit=limit))


def _says_more(said: frozenset[str], known: frozenset[str]) -> bool:
    new = len(said) - len(shared_stems(said, known, common_part=LOOSELY_ALIKE))
    return new >= _INVENTED and 2 * new > len(said)


def _sentences(text: str) -> list[str]:
    return [sentence for sentence in _SENTENCE_END.split(text) if sentence and sentence.strip()]


def _passages(text: str) -> list[frozenset[str]]:
    sentences = [telling_stems(sentence) for sentence in _sentences(text)]
    if len(sentences) < 2:
        return sentences
    return [one | next_one for one, next_one in pairwise(sentences)]


MOST_CONTRADICTED: Final = 5
"""One merge takes the place of no more facts: who contradicts more is asked again rather than believed."""

_COMMANDS: Final = frozenset({FactOrigin.COMMAND, FactOrigin.TOOL})
_SURE_OF_TONGUE: Final = 4
"""Common words by which an answer gives away that it is in another language of the same alphabet."""

_FIRST_PERSON: Final = re.compile(rf"(?<![\w<@'’]){either('first_person')}(?![\w'’])")


@dataclass(frozen=True)
class Merge(MemberInput):
    """What the merge is given: the explicit facts of one subject in one audience, newest first, and the narrative
    before them.
    """

    subject_id: int
    facts: Sequence[Fact]
    earlier: str

    @cached_property
    def users(self) -> LocalIds:
        """The short ids of the subject and of everyone mentioned."""
        subject = [self.subject_id] if self.subject_id != GUILD_SUBJECT else []
        named = (one for fact in self.facts for one in (fact.author_id, *mentioned_in(fact.content)) if one)
        return LocalIds("u", [*subject, *named])

    @property
    def wrote(self) -> Sequence[str]:
        """The narrative before, and the facts."""
        return [self.earlier, *(fact.content for fact in self.facts)]

    def grounds_of(self, whose: int | None) -> Grounds:
        """Return the facts, of which each says by itself who tells it, and the narrative before them."""
        return Grounds((Said(one, with_tellers=False) for one in self.wrote), written_in=self.language)

    @property
    def longest(self) -> int:
        """The longest that the narrative may be: far more than the facts is no text about them."""
        return 2 * sum(len(fact.content) for fact in self.facts) + 1_000

    @cached_property
    def memories(self) -> LocalIds:
        """The short ids of the facts."""
        return LocalIds("f", (fact.fact_id for fact in self.facts))

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
                and not is_foreign(fact, self.language)
                and not is_told(fact, self.earlier)
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
    def tongue(self) -> CommonWords | None:
        """The language to write in, where it can be told more closely than by its alphabet."""
        written = self.earlier or "\n".join(
            fact.content for fact in self.facts if not is_foreign(fact, self.language)
        )
        found = detect_language(written)
        return found if found is not None and found.language is self.language else None


class ContradictedFact(BaseModel):
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
    contradicted: list[ContradictedFact] = Field(
        default_factory=list, description="older facts that a new fact says otherwise; usually none"
    )


def superseded_facts(given: Merge, merged: Merged) -> list[tuple[Fact, Fact]]:
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
    return "\n".join([narrative, *(dated(fact) for fact in _left_out(given, merged, narrative))])


def as_dated_sentences(given: Merge) -> Merged:
    """Return the facts as dated sentences, newest first: the narrative that needs no model."""
    return Merged(narrative="\n".join(dated(fact) for fact in given.facts))


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
                teller=f"@{given.users.short(fact.author_id)}" if fact.is_hearsay else None,
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


def _mend(given: Merge, merged: Merged) -> Merged:
    """Remove ids that were not offered, sentences about unknown members, and impossible contradictions."""
    offered = {given.memories.short(fact.fact_id) for fact in given.facts}
    named = {short for one in merged.contradicted for short in (one.older, one.newer) if short}
    # Who names a fact that is not there may mean another one by the other ids, too: nothing is retired on that word.
    pairs = [one for one in merged.contradicted if named <= offered and _can_be(given, one)]
    return Merged(
        narrative=given.fitting(merged.narrative, longest=given.longest),
        told=[short for short in merged.told if short in offered],
        # Who contradicts nearly everything is not believed in anything.
        contradicted=pairs if len(pairs) <= MOST_CONTRADICTED else [],
    )


def _can_be(given: Merge, pair: ContradictedFact) -> bool:
    try:
        return bool(superseded_facts(given, Merged(narrative="", contradicted=[pair])))
    except ValueError:
        return False


def _check(given: Merge, merged: Merged) -> None:
    narrative = _narrative(given, merged)
    if given.facts and not narrative.strip():
        raise ValueError("the narrative is empty: tell the facts")
    gone = {older.fact_id for older, _ in superseded_facts(given, merged)}
    _check_language(given, narrative)
    facts_told = " ".join(fact.content for fact in given.facts)
    if _FIRST_PERSON.search(narrative) and not _FIRST_PERSON.search(facts_told):
        raise ValueError("write in the third person")
    _check_sources(given, narrative)
    _check_tellers(given, merged, narrative)
    holding = [fact for fact in given.facts if fact.fact_id not in gone]
    left_out = _left_out(given, merged, narrative)
    if 2 * len(left_out) > len(holding):
        missing = ", ".join(given.memories.short(fact.fact_id) for fact in left_out)
        raise ValueError(f"the narrative leaves out {missing}: tell every fact in its own words")


def _check_sources(given: Merge, narrative: str) -> None:
    """Refuse sentences that no fact says; of a fact in another alphabet no word can be recognised."""
    foreign = sum(is_foreign(fact, given.language) for fact in given.facts)
    added = invented(narrative, given.wrote)
    if len(added) > foreign:
        raise ValueError(f"no fact says {added[-1][:80]!r}: add nothing, and keep the words of the facts")


def _check_tellers(given: Merge, merged: Merged, narrative: str) -> None:
    """Refuse a translation of what somebody tells of another one that does not say who: its words are not known."""
    for fact in given.facts:
        short = given.memories.short(fact.fact_id)
        if fact.is_hearsay and is_foreign(fact, given.language) and short in merged.told:
            teller = given.users.short(fact.author_id)
            if mention_of(fact.author_id) not in narrative:
                raise ValueError(f"{short} is what @{teller} says: tell it so")


def _check_language(given: Merge, narrative: str) -> None:
    name = given.tongue.name if given.tongue else _ALPHABETS[given.language]
    tongue = detect_language(narrative, at_least=_SURE_OF_TONGUE)
    other = given.tongue is not None and tongue is not None and tongue.name != given.tongue.name
    if other or Language.of(narrative) is not given.language:
        raise ValueError(f"write in another language: {name}")


def _narrative(given: Merge, merged: Merged) -> str:
    narrative = keeping_tellers(
        given.with_ids(merged.narrative.strip()),
        [with_teller(fact) for fact in given.facts],
        subject_id=given.subject_id,
    )
    return without_sensitive(narrative, asked="\n".join(fact.content for fact in given.facts))


def _left_out(given: Merge, merged: Merged, narrative: str) -> list[Fact]:
    gone = {older.fact_id for older, _ in superseded_facts(given, merged)}
    return [
        fact
        for fact in given.facts
        if fact.fact_id not in gone and not _tells(given, merged, narrative, fact)
    ]


def _tells(given: Merge, merged: Merged, narrative: str, fact: Fact) -> bool:
    """Tell whether the narrative tells `fact`; what was translated is taken at the model's word, but for its names."""
    if not is_foreign(fact, given.language):
        return is_told(fact, narrative)
    claimed = given.memories.short(fact.fact_id) in merged.told
    return claimed and names_the_same(fact, narrative)


def _age(fact: Fact) -> tuple[float, int]:
    return fact.said_at.timestamp(), fact.fact_id


MERGE: Final = Operation(
    name="merge_facts",
    role=Role.MEMORY,
    answer=Merged,
    frame=_frame,
    mend=_mend,
    check=_check,
    fallback=as_dated_sentences,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Subject(Sources):
    """One subject in an audience, its explicit facts that may be told, and the narrative as it stands."""

    subject_id: int
    audience: int
    facts: Sequence[Fact]
    earlier: str
    """As far as it may be told; empty if there is none."""
    attempts: int
    """How often it was tried to tell these facts, now included."""


_MOST_TRIES: Final = 3
"""Times that facts are told of which every model makes what cannot be kept: at temperature 0 that is enough."""


class Narrator(OperationMaker[Job, _Subject, Merge, Merged]):
    """Tells the explicit facts of one subject as they are now, whatever concurrent writers do.

    When no model tells them, they are told again after a pause. Until then the facts as dated sentences stand in,
    unless a better text is there; they stay until a fact changes where every model told what cannot be kept, again and
    again.
    """

    def __init__(self, needs: MemoryDependencies) -> None:
        super().__init__(needs, MERGE)

    async def read(self, connection: Connection, key: Job) -> _Subject:
        """Return the facts of the subject that the job names."""
        subject_id, audience = map(int, key.work_key.split(":"))
        place = _Subject(
            guild_id=key.guild_id,
            place=f"subject {subject_id}",
            subject_id=subject_id,
            audience=audience,
            facts=(),
            earlier="",
            attempts=key.attempts,
        )
        narrative = await _narrative_of(connection, place)
        (earlier,) = await without_opted_out(
            connection,
            guild_id=key.guild_id,
            texts=[narrative.memory_blob if narrative is not None else ""],
            whose=[subject_id],
        )
        return replace(place, facts=await self._explicit(connection, place), earlier=earlier)

    def is_worth_asking(self, sources: _Subject) -> bool:
        """Tell whether there are any facts."""
        return bool(sources.facts)

    async def given(self, sources: _Subject) -> Merge:
        """Return the facts, newest first."""
        newest_first = sorted(sources.facts, key=lambda fact: (fact.said_at, fact.fact_id), reverse=True)
        return Merge(sources.subject_id, newest_first, sources.earlier)

    async def store(
        self, connection: Connection, sources: _Subject, told: tuple[Merge, Outcome[Merged]]
    ) -> bool:
        """Save what was told and retire what it contradicts, if the facts are those that were read."""
        given, outcome = told
        pairs = [] if outcome.model is None else superseded_facts(given, outcome.value)
        fact_ids = [fact.fact_id for pair in pairs for fact in pair]
        held = await repository_slots.hold_slots_of_facts(
            connection, guild_id=sources.guild_id, fact_ids=fact_ids
        )
        # Held until commit: nobody forgets one of them between the look at them and the write.
        await repository.lock_for_forgetting(
            connection, guild_id=sources.guild_id, fact_ids=[fact.fact_id for fact in given.facts]
        )
        standing = await self._explicit(connection, sources)
        if statements.version_of(standing) != statements.version_of(given.facts):
            return False
        now = self._needs.clock.now()
        where = {
            "guild_id": sources.guild_id,
            "subject_id": sources.subject_id,
            "audience": sources.audience,
        }
        if not given.facts:
            await repository_narratives.drop_narrative(connection, **where)
            return True
        await lifecycle.retire_facts(connection, pairs, guild_id=sources.guild_id, held=held, now=now)
        before = await _narrative_of(connection, sources)
        if outcome.degraded and before is not None and not before.degraded:
            return True
        gone = {older.fact_id for older, _ in pairs}
        narrative = Narrative(
            memory_blob=outcome.value.narrative
            if outcome.model is None
            else told_in_full(given, outcome.value),
            facts_version=statements.version_of([fact for fact in given.facts if fact.fact_id not in gone]),
            degraded=outcome.degraded,
        )
        await repository_narratives.save_narrative(connection, narrative, **where, now=now)
        return True

    def stored(self, sources: _Subject, told: tuple[Merge, Outcome[Merged]]) -> None:
        """Have it told again if no model told it."""
        if told[1].degraded and not (told[1].unusable and sources.attempts >= _MOST_TRIES):
            raise ModelError(f"no model told the facts about subject {sources.subject_id}")

    async def _explicit(self, connection: Connection, place: _Subject) -> list[Fact]:
        told = await repository.active_facts(
            connection,
            guild_ids=[place.guild_id],
            audiences=[place.audience],
            subject_ids=[place.subject_id],
            now=self._needs.clock.now(),
        )
        return [fact for fact in told if fact.is_explicit and may_be_told(fact)]


async def _narrative_of(connection: Connection, place: _Subject) -> Narrative | None:
    found = await repository_narratives.narratives_of(
        connection, guild_id=place.guild_id, audience=place.audience, subject_ids=[place.subject_id]
    )
    return found.get(place.subject_id)
