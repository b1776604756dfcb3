"""Compares derived texts with their sources, sentence by sentence.

A sentence stands if its words, names and numbers occur in the sources, if it does not state one member's claim about
another as a fact, and if it gives no bot instructions. All texts use this check; the caller decides what to do about
sentences that fail it.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import Final
from zoneinfo import ZoneInfo

from bot.core.domain import Language, Message
from bot.llm.framing import mentioned_in
from bot.memory.derived.speech import SpeechKind, affirms, answers_of, kind_of, teller_in
from bot.memory.derived.wording import (
    COUNTED_OFF,
    HEAD,
    TOKEN,
    SentenceWords,
    bare,
    calendar_word,
    counted,
    days_meant,
    is_compound,
    is_form,
    is_grave,
    is_one_of,
    names_of,
    same_meaning,
    spellings,
    stem_of,
    words_in,
)
from bot.memory.members.names import SHORTEST_SOUND, sound_of, sounds_of, spellings_of
from bot.memory.policy.redaction import sentences_of
from bot.text.instructions import instructs
from bot.text.language_detection import detect_language, folded, words_of
from bot.text.orders import own_words
from bot.text.tokens import is_negated

_NOTHING_BEFORE: Final = re.compile(r"[\s\"'“«(\[*•-]*(?:\[[\d-]+\]\s*)?(?:[^\W\d_]{1,2}\s+)?")
"""What may stand before whom a sentence is about: a preposition."""

_LONGEST_ANSWER: Final = 40
"""Characters of a message that says yes to the question before it."""


@dataclass(frozen=True, slots=True)
class Said:
    """Something that a text is made from."""

    text: str
    author_id: int | None = None
    """Who said it; `None` for an older derived text and for facts, which stand for themselves."""
    on: date | None = None
    """When it was said: "tomorrow" is counted from there."""
    with_tellers: bool = True
    """What an older text tells as somebody's words rests on them alone; else somebody else sees to it."""


class SentenceProblem(Enum):
    """What is wrong with a sentence, if anything."""

    STANDS = "stands"
    INSTRUCTS = "it tells the bot what to do"
    UNFOUND = "it is not in what was said"
    VAGUE = "most of its words are not in what was said, and nothing in it is against that"
    HEARSAY = "only others say so: tell who says it, or leave it out"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a sentence is, and how much of it was found."""

    problem: SentenceProblem
    found: int = 0
    """Words near each other, numbers and days among them."""
    wanted: int = 0
    """Words that tell something, numbers and days among them."""


@dataclass(frozen=True)
class _Unit:
    """One sentence as it was said by somebody."""

    author_id: int | None
    kind: SpeechKind
    text: str = ""
    on: date | None = None

    @cached_property
    def days(self) -> frozenset[date]:
        """The days that it may mean."""
        return frozenset(days_meant(self.text, self.on)) if self.on is not None else frozenset()


@dataclass(frozen=True, slots=True)
class _Keys:
    """By what a word that was said is looked up."""

    word: str
    head: str
    tail: str
    named: tuple[str, int] | None
    """The weekday or month that it names."""
    number: str | None
    """What it counts, in digits."""


@lru_cache(maxsize=16384)
def _keys_of(said: str) -> _Keys:
    """Return the keys of a word as it was written."""
    word = folded(said)
    return _Keys(word, bare(word)[:HEAD], word[-_TAIL:], calendar_word(word), counted(word))


class Grounds:
    """What texts of one kind are made from, looked up word by word."""

    def __init__(
        self,
        said: Iterable[Said],
        *,
        names: Mapping[int, Collection[str]] | None = None,
        written_in: Language | None = None,
    ) -> None:
        """`names` are what members are called, by which a sentence may name them in place of a mention.

        `written_in` is the language that a text is asked for in, where it need not be that of what was said.
        """
        self._written_in = written_in
        self._units: list[_Unit] = []
        self._places: dict[str, dict[str, set[int]]] = {}
        self._tails: dict[str, dict[str, set[int]]] = {}
        self._numbers: dict[str, set[int]] = {}
        self._calendar: dict[tuple[str, int], set[int]] = {}
        self._written: dict[int | None, tuple[int, int]] = {}
        self._found: dict[tuple[str, bool], frozenset[int]] = {}
        self._names = {
            folded(part): user_id
            for user_id, called in (names or {}).items()
            for name in called
            for part in name.split()
        }
        self._sounds = {
            (alphabet, sound_of(part)): one
            for part, one in self._names.items()
            for alphabet in Language
            if alphabet is not Language.of(part) and len(sound_of(part)) >= SHORTEST_SOUND
        }
        before: list[Said] = []
        for one in said:
            self._take(one, before[-_ANSWERED:])
            before.append(one)
        spoken = detect_language(self._own_text(None))
        self._is_german = spoken is not None and spoken.name == "German"

    def finding(self, sentence: str, *, whose: int | None = None) -> Finding:
        """Tell whether a sentence stands, what is wrong with it otherwise, and how much of it was found."""
        if instructs(sentence):
            return Finding(SentenceProblem.INSTRUCTS)
        found = self._finding(sentence, whose)
        if found.problem in _NOT_FOUND and self._speaks_otherwise(sentence, whose):
            return Finding(self._verdict_abroad(sentence))
        return found

    def verdict(self, sentence: str, *, whose: int | None = None) -> SentenceProblem:
        """Tell whether a sentence stands by itself, and what is wrong with it otherwise."""
        return self.finding(sentence, whose=whose).problem

    def is_foreign(self, text: str, *, whose: int | None = None) -> bool:
        """Tell whether `text` is in another language than what it is made from: all of it, or what `whose` said."""
        is_cyrillic = Language.of(text) is Language.RUSSIAN
        tongue = detect_language(text, at_least=_SURE_OF_TONGUE)
        if self._written_in is not None:
            spoken = detect_language(self._own_text(whose))
            if Language.of(text) is not self._written_in:
                return is_cyrillic or detect_language(text) is not None
            allowed = (_TONGUES[self._written_in], spoken.name if spoken is not None else "")
            return tongue is not None and tongue.name not in allowed
        own = self._letters(whose)
        if not any(own):
            return False
        share = own[0] / sum(own)
        if (is_cyrillic and share < _HARDLY_ANY) or (not is_cyrillic and share > 1 - _HARDLY_ANY):
            # A few names do not make a text another language's.
            return is_cyrillic or detect_language(text) is not None
        if tongue is None:
            return False
        said = self._own_text(whose)
        other = detect_language(said, at_least=_SURE_OF_TONGUE)
        if other is None or tongue.name == other.name or tongue.language is not other.language:
            return False
        words = words_of(said)
        counts = [sum(word in one.words for word in words) for one in (tongue, other)]
        return counts[0] * _CLEARLY < counts[1]

    def _own_text(self, whose: int | None) -> str:
        mine = [unit.text for unit in self._units if not whose or unit.author_id in (whose, None)]
        return "\n".join(mine or [unit.text for unit in self._units])[:_LOOKED_AT]

    def _letters(self, whose: int | None) -> tuple[int, int]:
        """Return how many Cyrillic and how many other letters were written."""
        if whose not in self._written:
            said = folded(self._own_text(whose))
            cyrillic = len(_CYRILLIC.findall(said))
            self._written[whose] = cyrillic, sum(map(str.isalpha, said)) - cyrillic
        return self._written[whose]

    def _speaks_otherwise(self, sentence: str, whose: int | None) -> bool:
        """Tell whether a good part of what was said is in another alphabet than a sentence, which finds no word."""
        cyrillic, others = self._letters(whose or None)
        foreign = others if Language.of(sentence) is Language.RUSSIAN else cyrillic
        return foreign > _GOOD_PART * (cyrillic + others)

    def _verdict_abroad(self, sentence: str) -> SentenceProblem:
        """Judge a translated sentence: its numbers and names must be found, and it must tell nothing grave."""
        words = words_in(sentence, nouns_are_capital=self._is_german)
        found = all(self._where_name(name) for name in words.names if self._called(name) is None) and all(
            self._where_number(number) for number in words.numbers if not words.is_dated
        )
        grave = any(is_grave(word) for word in words.all)
        return SentenceProblem.STANDS if found and not grave else SentenceProblem.UNFOUND

    def _finding(self, sentence: str, whose: int | None) -> Finding:
        words = words_in(sentence, nouns_are_capital=self._is_german)
        grave = [word for word in words.all if is_grave(word)]
        strange = {name: self._where_name(name) for name in words.names if self._called(name) is None}
        if not all(strange.values()) or any(not self._where(word, loosely=False) for word in grave):
            return Finding(SentenceProblem.UNFOUND)
        telling = [word for word in words.plain if self._called(word) is None]
        known = [places for word in telling if (places := self._where(word) or strange.get(word))]
        exact = self._exact(words, around=known)
        if exact is None:
            return Finding(SentenceProblem.UNFOUND)
        wanted, together = len(telling) + len(exact), _together([*known, *exact])
        # A number that is found says more than a word.
        is_vague = len(telling) > 2 * len(known) + 2 * len(exact) or together < _TOGETHER * wanted
        problem = self._attributed(sentence, words, [*known, *exact], grave, whose)
        if is_vague and problem is SentenceProblem.STANDS:
            problem = SentenceProblem.VAGUE
        return Finding(problem, max(together, len(exact)), wanted)

    def tellers_of(self, sentence: str, *, most: int = 3) -> list[int]:
        """Return those whose words a sentence rests on, the one who said most of it first."""
        words = words_in(sentence, nouns_are_capital=self._is_german)
        found = {word: self._where(word) for word in words.plain} | {
            number: self._where_number(number) for number in words.numbers
        }
        left = {
            word: {place for place in places if self._units[place].kind not in _REPLIES}
            for word, places in found.items()
        }
        tellers: list[int] = []
        while len(tellers) < most:
            covered: dict[int, set[str]] = {}
            for word, places in left.items():
                for author_id in {self._units[place].author_id for place in places}:
                    if author_id is not None and author_id not in tellers:
                        covered.setdefault(author_id, set()).add(word)
            if not covered:
                break
            # Of those who say as much the first who did.
            best = max(covered, key=lambda one: len(covered[one]))
            if tellers and len(covered[best]) < 2:
                break
            tellers.append(best)
            left = {word: places for word, places in left.items() if word not in covered[best]}
        agreed = (self._units[place] for places in found.values() for place in places)
        also = (
            one.author_id for one in agreed if one.kind is SpeechKind.ANSWERS and one.author_id is not None
        )
        return list(dict.fromkeys([*tellers, *also]))[:most]

    def _take(self, one: Said, before: Sequence[Said]) -> None:
        own = own_words(one.text) if one.author_id is not None else one.text
        for sentence in sentences_of(own):
            author_id = one.author_id
            if author_id is None and one.with_tellers:
                author_id = teller_in(sentence)
            self._add(sentence, _Unit(author_id, kind_of(sentence, author_id), sentence, one.on))
        if own != one.text:
            self._add(one.text, _Unit(one.author_id, SpeechKind.ASKS, one.text, one.on))
        if one.author_id is None or len(one.text) > _LONGEST_ANSWER:
            return
        since = [*takewhile(lambda other: other.author_id != one.author_id, reversed(before))]
        agrees = affirms(one.text)
        if not agrees and not any("?" in other.text for other in since):
            return
        answers = answers_of(one.text)
        # A yes agrees with what was said before it, a question or not.
        agreed = since[:1] if answers is SpeechKind.ANSWERS and agrees else []
        asked = next((other for other in (*agreed, *since) if "?" in other.text or agreed), None)
        if asked is None or asked.author_id is None:
            return
        if answers is not None:
            for author_id in (one.author_id, asked.author_id):
                self._add(asked.text, _Unit(author_id, answers, asked.text, asked.on))

    def _add(self, text: str, unit: _Unit) -> None:
        place = len(self._units)
        self._units.append(unit)
        for found in TOKEN.finditer(text):
            if said := found["word"]:
                keys = _keys_of(said)
                self._places.setdefault(keys.head, {}).setdefault(keys.word, set()).add(place)
                self._tails.setdefault(keys.tail, {}).setdefault(keys.word, set()).add(place)
                if keys.named is not None:
                    self._calendar.setdefault(keys.named, set()).add(place)
                if keys.number is not None:
                    self._numbers.setdefault(keys.number, set()).add(place)
            elif found["number"]:
                for number in spellings(found["number"]):
                    self._numbers.setdefault(number, set()).add(place)

    def _where(self, word: str, *, loosely: bool = True) -> frozenset[int]:
        """Return which sentences hold a form of `word`, or a word that means the same."""
        word = folded(word)
        if (known := self._found.get((word, loosely))) is None:
            wanted = {word, *same_meaning(stem_of(word))}
            known = frozenset(
                place
                for one in wanted
                for other, places in self._places.get(bare(one)[:HEAD], {}).items()
                if other == one or is_form(one, other, loosely=loosely)
                for place in places
            )
            if not known and loosely:
                known = self._in_compounds(word)
            self._found[word, loosely] = known
        return known

    def _called(self, word: str) -> int | None:
        """Return whom a word names: by their name in any case, or by its sound in another alphabet."""
        spelt = self._names.get(folded(word))
        if spelt is not None or not word[:1].isupper():
            return spelt
        alphabet = Language.of(word)
        cases = (self._names.get(one) for one in spellings_of(word))
        heard = (self._sounds.get((alphabet, sound)) for sound in sounds_of(word))
        return next((one for one in (*cases, *heard) if one is not None), None)

    def _where_name(self, name: str) -> frozenset[int]:
        """Return which sentences hold a name, in either alphabet."""
        found = self._where(name, loosely=False)
        if found:
            return found
        sounds, alphabet = sounds_of(name), Language.of(name)
        said = {one for sound in sounds for one in self._by_sound.get(sound[:HEAD], ())}
        return frozenset(
            place
            for one in said
            if Language.of(one) is not alphabet and not sounds.isdisjoint(sounds_of(one))
            for place in self._places[bare(one)[:HEAD]][one]
        )

    @cached_property
    def _by_sound(self) -> Mapping[str, Sequence[str]]:
        """The words that were said, by the first letters of their sound."""
        said: dict[str, list[str]] = {}
        for words in self._places.values():
            for word in words:
                said.setdefault(sound_of(word)[:HEAD], []).append(word)
        return said

    def _in_compounds(self, word: str) -> frozenset[int]:
        said = {**self._places.get(bare(word)[:HEAD], {}), **self._tails.get(word[-_TAIL:], {})}
        return frozenset(
            place for other, places in said.items() if is_compound(word, other) for place in places
        )

    def _where_number(self, number: str) -> frozenset[int]:
        return frozenset(place for one in spellings(number) for place in self._numbers.get(one, ()))

    def _exact(
        self, words: SentenceWords, *, around: Sequence[Collection[int]]
    ) -> list[Collection[int]] | None:
        """Return where the numbers and days are said, near the words that they belong to; `None` if one is not."""
        if not (words.numbers or words.days or words.calendar):
            return []
        near = {place for places in around for place in _with_neighbours(places, 2 * _NEAR)}
        wanted = near or range(len(self._units))
        days = self._days_near(wanted) if words.is_dated else {}
        meant: dict[str, set[int]] = {}
        months = {number for unit, number in words.calendar if unit == "month"}
        for day, places in days.items():
            for one in (str(day.day), str(day.year)) if not months or day.month in months else ():
                meant.setdefault(one, set()).update(places)
        found: list[list[int]] = []
        found += [
            [*self._where_number(number), *meant.get(number, ())]
            for number in words.numbers
            if number not in COUNTED_OFF
        ]
        found += [[*days.get(day, ()), *self._where_number(str(day.day))] for day in words.days]
        for named in words.calendar:
            told = (places for day, places in days.items() if named in names_of(day))
            found.append([*self._calendar.get(named, ()), *(place for places in told for place in places)])
        close: list[Collection[int]] = [[place for place in places if place in wanted] for places in found]
        return close if all(close) else None

    def _days_near(self, places: Iterable[int]) -> Mapping[date, set[int]]:
        days: dict[date, set[int]] = {}
        for place in places:
            if 0 <= place < len(self._units):
                for day in self._units[place].days:
                    days.setdefault(day, set()).add(place)
        return days

    def _attributed(
        self,
        sentence: str,
        words: SentenceWords,
        known: Sequence[Collection[int]],
        grave: Sequence[str],
        whose: int | None,
    ) -> SentenceProblem:
        """Tell whether the source is by those whom the sentence is about, or whom it names as having said it."""
        named = self._named_in(sentence)
        leading = bool(named) and _NOTHING_BEFORE.fullmatch(sentence[: named[0][0]]) is not None
        subject = whose or None
        if named and (whose is None or (whose and leading)):
            subject = named[0][1]
        others = {user_id for _, user_id in named} - {subject}
        tells = any(is_one_of(word, "claims") for word in words.all)
        asks = any(is_one_of(word, "asked_about") for word in words.all)
        accused = [self._where(word, loosely=False) for word in grave]
        own = {subject} if subject is not None else set[int | None]()
        themselves = all(self._is_said(places, own, _OF_THEMSELVES) for places in accused)
        if not themselves and not (
            tells and all(self._is_said(places, {*own, *others}, _SAID) for places in accused)
        ):
            return SentenceProblem.HEARSAY
        if subject is None or not known:
            return SentenceProblem.STANDS
        kinds = _SAID | (
            {SpeechKind.ANSWERS} if not is_negated(sentence) else {SpeechKind.ANSWERS, SpeechKind.DENIES}
        )
        if asks or tells:
            kinds |= {SpeechKind.ASKS}
        told = [places for places in known if self._is_said(places, {*own, *others}, kinds)]
        return SentenceProblem.STANDS if _OWN_PART * len(told) >= len(known) else SentenceProblem.HEARSAY

    def _named_in(self, sentence: str) -> list[tuple[int, int]]:
        """Return where a sentence names whom, by mention or by name."""
        named = []
        for found in TOKEN.finditer(sentence):
            called = self._called(found[0])
            named += [(found.start(), one) for one in mentioned_in(found[0])]
            named += [(found.start(), called)] if called is not None else []
        return named

    def _is_said(
        self, places: Collection[int], authors: Collection[int | None], kinds: Collection[SpeechKind]
    ) -> bool:
        """Tell whether one of `authors` says a word there in such a sentence, or an older text, which stands alone."""
        units = (self._units[place] for place in places)
        return any(
            unit.author_id is None or (unit.author_id in authors and unit.kind in kinds) for unit in units
        )


_CYRILLIC: Final = re.compile(r"[\u0400-\u04ff]")

_LOOKED_AT: Final = 20_000
"""Characters by which the language of what was said is told."""

_HARDLY_ANY: Final = 0.05
_GOOD_PART: Final = 0.2
_SURE_OF_TONGUE: Final = 4
_TONGUES: Final = {Language.ENGLISH: "English", Language.RUSSIAN: "Russian"}
_CLEARLY: Final = 4
"""So many more words of one language than of another are no mixture."""

_OWN_PART: Final = 3
"""A third of a sentence about somebody is their own words, at least; the rest are those of whom they talked with."""

_OF_THEMSELVES: Final = frozenset({SpeechKind.ASSERTS})
_SAID: Final = frozenset({SpeechKind.ASSERTS, SpeechKind.REPORTS})
_NOT_FOUND: Final = frozenset({SentenceProblem.UNFOUND, SentenceProblem.VAGUE})
_REPLIES: Final = frozenset({SpeechKind.ANSWERS, SpeechKind.DENIES})

_ANSWERED: Final = 3
"""Messages before one among which the question stands that it answers."""

_TAIL: Final = 5
"""Letters by which the last part of a compound is looked up."""

_NEAR: Final = 6
"""Sentences before and behind one that speak of the same."""

_TOGETHER: Final = 0.4
"""So much of a sentence must have been said in one place: words that are found all over a day prove nothing."""


_EVERYWHERE: Final = 100
"""Sentences with a word that is said all day long, and so near to anything."""


def _with_neighbours(places: Iterable[int], reach: int) -> Iterable[int]:
    return (near for place in places for near in range(place - reach, place + reach + 1))


def _together(known: Sequence[Collection[int]]) -> int:
    """Return how many of the words of a sentence are found near each other."""
    everywhere = sum(len(places) > _EVERYWHERE for places in known)
    rare = (places for places in known if len(places) <= _EVERYWHERE)
    said = sorted((place, number) for number, places in enumerate(rare) for place in set(places))
    most = first = different = 0
    within: Counter[int] = Counter()
    for place, number in said:
        different += within[number] == 0
        within[number] += 1
        while place - said[first][0] > 2 * _NEAR:
            left = said[first][1]
            within[left] -= 1
            different -= within[left] == 0
            first += 1
        most = max(most, different)
    return most + everywhere


def said_in(messages: Iterable[Message], *, time_zone: str) -> list[Said]:
    """Return what messages say, oldest first; names of files and what is enclosed are nobody's words."""
    zone = ZoneInfo(time_zone)
    return [
        Said(message.text, message.user_id, message.timestamp.astimezone(zone).date()) for message in messages
    ]
