"""Which facts answer a question: whom it is about, what they must say, and which kind of answer it wants.

A wrong answer is worse than none: a fact must say everything that is asked, about the member who is asked about.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Final

from rapidfuzz import fuzz

from bot.core.domain import GUILD_SUBJECT, Fact
from bot.memory.facts.about import bare_key
from bot.memory.members.roster import Roster
from bot.text import questions
from bot.text.calendar import month_of
from bot.text.commands import AskFact, QuestionForm
from bot.text.extraction import key_and_value_of, was
from bot.text.forms import same_word
from bot.text.grammar.words import DETERMINERS, is_function_word
from bot.text.languages import either
from bot.text.phrasing import is_quoted_from
from bot.text.questions import Meaning
from bot.text.tokens import content_stems
from bot.text.topics import Topic, topics_of

_MENTION: Final = re.compile(r"<@!?(\d{1,19})>")
_POSSESSIVE: Final = re.compile(r"'s?$")
_JOINS: Final = re.compile(rf"&|{either('joins_names')}", re.IGNORECASE)
_MOST_NAME_WORDS: Final = 3


@dataclass(frozen=True, slots=True)
class Whom:
    """Whom a question is about."""

    user_ids: tuple[int, ...] = ()
    candidates: tuple[int, ...] = ()
    """Those of whom one is meant, where a name does not say which."""
    object_id: int = 0
    """Whom a fact must name beside whom it is about: "who likes Anna?"."""
    words: str = ""
    """The words of the question without their names."""


def whom(asked: AskFact, members: Roster, *, asker_id: int) -> Whom:
    """Return whom a question is about: nobody if it asks who, or asks about a thing."""
    words = list(questions.words_of(asked.words))
    if asked.form is QuestionForm.WHO:
        if not questions.asks_who_of_somebody(words, is_name=lambda word: bool(members.named(word))):
            return _object(words, members, asker_id=asker_id)
        words = words[1:]
    at = 0
    while at < len(words):
        for end in range(min(len(words), at + _MOST_NAME_WORDS), at, -1):
            ids = _called(words, at, end, members)
            if len(ids) > 1:
                return Whom(candidates=ids)
            if ids:
                return _with_others(words, at, end, ids, members, asker_id=asker_id)
        at += 1
    if any(questions.means_asker(word.lower()) for word in words):
        return Whom((asker_id,), words=" ".join(words))
    return Whom(words=" ".join(words))


def _object(words: Sequence[str], members: Roster, *, asker_id: int) -> Whom:
    """Return a question who does something, with whom it is done: "who is married to Max?"."""
    for at in range(1, len(words)):
        ids = members.meant(words[at]) if words[at][0].isupper() or words[at][0] in "@<" else ()
        if questions.means_asker(words[at].lower()) and at == len(words) - 1:
            ids = (asker_id,)
        if len(ids) == 1:
            return Whom(object_id=ids[0], words=" ".join([*words[:at], *words[at + 1 :]]))
    return Whom(words=" ".join(words))


def _with_others(
    words: list[str], at: int, end: int, ids: tuple[int, ...], members: Roster, *, asker_id: int
) -> Whom:
    """Return whom a question is about that joins a name to what was found: "Alice and Bob"."""
    found = list(ids)
    while end + 1 < len(words) and _JOINS.fullmatch(words[end]):
        more = members.meant(words[end + 1])
        if questions.means_asker(words[end + 1].lower()):
            more = (asker_id,)
        if len(more) != 1:
            break
        found.extend(more)
        end += 2
    return Whom(tuple(dict.fromkeys(found)), words=" ".join([*words[:at], *words[end:]]))


def _called(words: Sequence[str], at: int, end: int, members: Roster) -> tuple[int, ...]:
    """Return whom the words from `at` to `end` call, if a name can stand there."""
    said = " ".join(words[at:end])
    if mention := _MENTION.fullmatch(_POSSESSIVE.sub("", said)):
        return (int(mention[1]),)
    if end - at == 1 and is_function_word(said):
        # "What does May like?": where a name is asked for, the word that somebody is called by is one.
        return members.named(said) if at == 0 and said.lower() not in DETERMINERS else ()
    stands = (
        at == 0
        or end == len(words)
        or said[0].isupper()
        or said[0] == "@"
        or _POSSESSIVE.search(said) is not None
        or questions.stands_before_name(words[at - 1])
    )
    if not stands:
        return ()
    if ids := members.meant(said):
        return ids
    if end - at == 1 and (ids := members.first_named(said)):
        return ids
    # "annas bday" is typed for "Anna's".
    owner = said[:-1] if end < len(words) and said[-1:] == "s" else ""
    if owner and (ids := members.named(owner) or members.first_named(owner)):
        return ids
    close = members.close(_POSSESSIVE.sub("", said)) if said[0].isupper() or at == 0 else None
    return () if close is None else (close,)


_BY_KEY: Final[Mapping[str, str]] = {
    "birthday": "birthday",
    "age": "age",
    "name": "name",
    "alias": "name",
    "pronouns": "pronouns",
    "lives_in": "home",
    "works_as": "work",
    "works_at": "work",
    "studies": "study",
    "from": "origin",
    "relationship": "relationship",
    "pet": "pet",
    "diet": "diet",
    "vehicle": "vehicle",
    "phone": "phone",
    "likes": "like",
    "favorite": "favourite",
}
"""What a fact speaks of by its key, or what stands before the colon in it."""

_BY_TOPIC: Final[Mapping[str, frozenset[Topic]]] = {
    "food": frozenset({Topic.FOOD}),
    "drink": frozenset({Topic.DRINK}),
    "movie": frozenset({Topic.SCREEN}),
    "music": frozenset({Topic.MUSIC}),
    "game": frozenset({Topic.GAMES}),
    "sport": frozenset({Topic.SPORT}),
    "book": frozenset({Topic.READING}),
    "pet": frozenset({Topic.PETS}),
    "instrument": frozenset({Topic.MUSIC}),
    "hobby": frozenset({Topic.GAMES, Topic.SPORT, Topic.MUSIC, Topic.READING, Topic.SCREEN}),
}
"""Classes of things that a fact need not name: "bob plays chess" says what games Bob plays."""

_INTRINSIC: Final = frozenset(
    {"birthday", "age", "home", "work", "study", "origin", "name", "pronouns", "phone", "timezone"}
)
"""What everybody has one of: in a free sentence it must stand beside whose it is."""

_NAME_FIRST: Final = re.compile(rf"\A{either('capital')}\w+")
_OF_SUBJECT: Final = re.compile(r"<@!?\d+>'s ")
_NAMED: Final = re.compile(rf"\w\W+{either('capital')}\w+")
_YEAR: Final = re.compile(r"(?<![\w@-])(?:19|20)\d\d(?!\w)")
_LIGHT: Final = frozenset({"have"})
_NEAR: Final = 40
"""Characters from the start of a sentence within which it names what it is about."""

_LEAST_TELLING: Final = 2
"""Words that a question about a thing must have to be answered by what is said of a member."""
_ALIKE: Final = 88
_SHORTEST_ALIKE: Final = 6


@dataclass(frozen=True)
class _Known:
    """A fact as it is compared with questions."""

    fact: Fact

    @cached_property
    def kind(self) -> str:
        key = bare_key(self.fact.key)
        if self.fact.subject_id == GUILD_SUBJECT:
            # Of who is no member the same would be known by the same words.
            key, _ = key_and_value_of(_NAME_FIRST.sub("<@1>", self.fact.content)) or (key, "")
        return key.partition(":")[0]

    @cached_property
    def places(self) -> dict[str, int]:
        """What the fact speaks of, each with where it says so; by its key alone it says so at the start."""
        found = questions.concepts_in(self.fact.content)
        if self.kind == "likes":
            others = {name: place for name, place in found.items() if name not in {"like", "dislike"}}
            return others | {"dislike" if self.fact.value == "dislikes" else "like": 0}
        if self.kind == "favorite":
            return found | {"favourite": 0, "like": 0}
        if by_key := _BY_KEY.get(self.kind):
            return found | {by_key: 0}
        return found

    @cached_property
    def stems(self) -> frozenset[str]:
        return _stems_in(_MENTION.sub(" ", self.fact.content))

    @cached_property
    def topics(self) -> frozenset[Topic]:
        return topics_of(self.fact.content)

    def says(self, asked: Meaning) -> bool:
        """Tell whether the fact says all that is asked for."""
        if not all(map(self._says_stem, asked.stems)):
            return False
        said = {concept for concept in asked.concepts if self._says_concept(concept)}
        if (asked.stems or asked.concepts - {"name"}) and _NAMED.search(_MENTION.sub("", self.fact.content)):
            # Of what is spoken of as a thing the name may stand beside it: "has a cat, Tofu".
            said |= asked.concepts & {"name"}
        # "What should I eat" is not answered by any word for food: something else that is asked must be said.
        is_sure = bool(said - {"favourite"} or asked.stems) and "favourite" not in asked.concepts
        return all(
            is_sure and self.topics & _BY_TOPIC.get(concept, frozenset()) for concept in asked.concepts - said
        )

    def _says_concept(self, concept: str) -> bool:
        match concept:
            case "have" if concept not in self.places:
                return _OF_SUBJECT.match(questions.even(self.fact.content)) is not None
            case "from":
                return "origin" in self.places
            case "hobby" if self.places.keys() & {"like", "play"}:
                return bool(self.topics & _BY_TOPIC[concept])
            case _:
                return concept in self.places

    def _says_stem(self, stem: str) -> bool:
        if stem in self.stems:
            return True
        long = len(stem) >= _SHORTEST_ALIKE and stem.isalpha()
        return long and any(
            one[0] == stem[0] and fuzz.ratio(one, stem) >= _ALIKE
            for one in self.stems
            if len(one) >= _SHORTEST_ALIKE
        )

    def is_of_its_subject(self, asked: Meaning, words: str) -> bool:
        """Tell whether what is said is said of the subject itself, not of their sister or of somebody else."""
        if self.kind in _BY_KEY and self.kind not in {"pet"}:
            return True
        content = self.fact.content
        said = [place for concept, place in self.places.items() if concept in asked.concepts]
        first = min(said, default=len(content))
        own = {word for _, word in questions.relations_in(words)}
        if any(place < first and word not in own for place, word in questions.relations_in(content)):
            return bool({"pet", "relationship", "have"} & asked.concepts)
        named = _MENTION.search(content)
        first_id = int(named[1]) if named is not None and not self._is_teller(named) else 0
        others = [
            match.start()
            for match in _MENTION.finditer(content)
            if int(match[1]) not in {self.fact.subject_id, first_id} and not self._is_teller(match)
        ]
        if any(place < first for place in others):
            return False
        if asked.concepts & _INTRINSIC:
            return first <= _NEAR and not {"like", "dislike"} & (self.places.keys() - asked.concepts)
        return True

    def _is_teller(self, mention: re.Match[str]) -> bool:
        """Tell whether somebody is named only as who is quoted."""
        return mention.start() == 0 and is_quoted_from(self.fact.content, int(mention[1]))

    def fits(self, form: QuestionForm, asked: Meaning) -> bool:
        """Tell whether a fact can answer what is asked by this word: "when" by a time, "where" by a place."""
        content = self.fact.content
        match form:
            case QuestionForm.WHEN:
                return self.fact.holds_on is not None or questions.tells_time(content)
            case QuestionForm.WHERE:
                return self.kind in {"lives_in", "works_at"} or questions.tells_place(content)
            case QuestionForm.HOW_OLD:
                return questions.tells_number(content)
            case _:
                return True

    def is_polar(self, form: QuestionForm, asked: Meaning) -> bool:
        """Tell whether the fact does not deny what is asked for, which answers "does ...?" alone.

        What is so no longer answers also where somebody lives or works, but not who does.
        """
        if was(self.fact.value) is not None:
            return form is not QuestionForm.WHO
        if form is QuestionForm.WHETHER or "not" in asked.stems:
            return True
        return "not" not in self.stems or "dislike" in asked.concepts


def facts_that_answer(asked: AskFact, meant: Whom, known: Iterable[Fact], *, today: date) -> list[Fact]:
    """Return those of `known` facts that surely answer a question, in the order of `known`."""
    if asked.form is QuestionForm.WHO and questions.asks_for_next_birthday(asked.words):
        return _next_birthdays(known, today)
    wanted = _wanted(asked, meant)
    if not wanted.stems and not wanted.concepts - _LIGHT:
        return []
    read = [_Known(fact) for fact in known]
    found = [one.fact for one in read if _answers(one, asked, meant, wanted)]
    if found or meant.user_ids or meant.object_id or asked.form is QuestionForm.WHO:
        return found
    # "When is the wedding?" is answered by somebody's wedding if there is no other: the fact says whose it is.
    theirs = [one.fact for one in read if _answers(one, asked, meant, wanted, whose_ever=True)]
    return theirs if len({fact.subject_id for fact in theirs}) == 1 else []


def message_answers(asked: AskFact, meant: Whom, text: str) -> bool:
    """Tell whether what somebody wrote answers a question: it says all that is asked for, and asks nothing itself."""
    wanted = _wanted(asked, meant)
    places = questions.concepts_in(text)
    said = _stems_in(text)
    if not wanted.stems or "?" in text or not (wanted.stems <= said and wanted.concepts <= places.keys()):
        return False
    match asked.form:
        case QuestionForm.WHEN:
            return questions.tells_time(text)
        case QuestionForm.WHERE:
            return questions.tells_place(text)
        case QuestionForm.HOW_OLD | QuestionForm.HOW_MANY:
            return questions.tells_number(text)
        case _:
            return len(wanted.stems) + len(wanted.concepts) >= _LEAST_TELLING


def _wanted(asked: AskFact, meant: Whom) -> Meaning:
    wanted = questions.meaning_of_question(meant.words)
    concepts = wanted.concepts | ({asked.topic} if asked.topic else set())
    if concepts - {"have", "pet"}:
        # Who has a birthday, a job or an allergy owns nothing.
        concepts -= {"have"}
    return Meaning(concepts, frozenset(map(same_word, wanted.stems)))


def _stems_in(text: str) -> frozenset[str]:
    """Return the stems of a text, one for all forms of a word: "taught" is "teach"."""
    return frozenset(map(same_word, content_stems(text)))


def _answers(
    known: _Known, asked: AskFact, meant: Whom, wanted: Meaning, *, whose_ever: bool = False
) -> bool:
    fact = known.fact
    if meant.user_ids:
        if not is_known_of(fact, meant.user_ids):
            return False
    elif meant.object_id:
        ids = [int(one) for one in _MENTION.findall(fact.content)]
        if fact.subject_id == meant.object_id or meant.object_id not in ids[ids[:1] == [meant.object_id] :]:
            return False
    elif asked.form is not QuestionForm.WHO and not _is_about_a_thing(known, wanted, whose_ever=whose_ever):
        return False
    wanted = _either_way(wanted, asked, known)
    return (
        known.says(wanted)
        and known.is_polar(asked.form, wanted)
        and known.fits(asked.form, wanted)
        and (whose_ever or known.is_of_its_subject(wanted, meant.words))
    )


def _either_way(wanted: Meaning, asked: AskFact, known: _Known) -> Meaning:
    """Whether somebody likes something is answered by their disliking it too; how old, by the year of birth."""
    concepts = wanted.concepts
    if asked.form is QuestionForm.WHETHER and "like" in concepts and "dislike" in known.places:
        concepts = concepts - {"like"} | {"dislike"}
    if asked.form is QuestionForm.HOW_OLD and known.kind == "birthday" and _YEAR.search(known.fact.content):
        concepts = concepts - {"age"} | {"birthday"}
    return Meaning(concepts, wanted.stems)


def is_known_of(fact: Fact, user_ids: Collection[int]) -> bool:
    """Tell whether a fact is about one of these members, or begins with one, whomever it is kept of."""
    first = _MENTION.search(fact.content)
    return fact.subject_id in user_ids or (
        first is not None
        and int(first[1]) in user_ids
        and len(fact.content[: first.start()].split()) <= _MOST_NAME_WORDS
    )


def _is_about_a_thing(known: _Known, wanted: Meaning, *, whose_ever: bool) -> bool:
    """Tell whether a fact may answer a question that is about no member: it begins with what is asked about."""
    is_vague = len(wanted.stems) + len(wanted.concepts) < _LEAST_TELLING
    if is_vague and known.fact.subject_id != GUILD_SUBJECT and not whose_ever:
        return False
    start = _stems_in(_MENTION.sub(" ", known.fact.content)[:_NEAR])
    return not wanted.stems or any(stem in start for stem in wanted.stems)


def _next_birthdays(known: Iterable[Fact], today: date) -> list[Fact]:
    """Return the facts of the birthday that comes next, more than one if they fall on one day."""
    days = [(day, fact) for fact in known if (day := _birthday_of(fact)) is not None]
    if not days:
        return []
    now = (today.month, today.day)
    soonest = min((day for day, _ in days), key=lambda day: (day < now, day))
    return [fact for day, fact in days if day == soonest]


_MONTH_AND_DAY: Final = re.compile(r"(?:\d{4}-)?(\d\d)-(\d\d)$")


def _birthday_of(fact: Fact) -> tuple[int, int] | None:
    """Return month and day of a birthday."""
    if fact.key != "birthday":
        return None
    if found := _MONTH_AND_DAY.search(fact.value):
        return int(found[1]), int(found[2])
    number = re.search(r"\d{1,2}", fact.value)
    word = re.search(r"[^\W\d_]{3,}", fact.value)
    if number is None or word is None:
        return None
    try:
        return month_of(word[0]), int(number[0])
    except ValueError:
        return None
