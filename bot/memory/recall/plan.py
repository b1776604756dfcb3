"""Plans a search: numbers the words of a question, weighs them by rarity, and decides which of them are looked up."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from itertools import combinations, product, takewhile
from typing import Final

from bot.memory.recall.lexicon import (
    AskedWord,
    KnownIdentifier,
    KnownWord,
    KnownWords,
    NamedMember,
    Nearness,
    quoted,
)
from bot.memory.recall.query import LIGHT, DateWord, Query, pattern_of, words_of
from bot.memory.recall.repository import CONVERSATION, SYNONYM
from bot.memory.recall.repository_lookup import AskedIdentifier, Lookup, SearchInput
from bot.text.forms import forms_of, synonyms_of

_MOST_CANDIDATES: Final = 1_000
"""Messages that the words of one question are chosen to find, as far as it is known how many say them."""

_ENOUGH: Final = 60
"""Messages that are enough to choose from; if fewer are expected, a word is looked up that more say than usual."""

_MOST_OF_ONE: Final = 2_000
"""How many may say that word."""

_WANTED: Final = 300
"""Of what everybody says so many of the newest messages are sought."""

_GONE_THROUGH: Final = (3_000, 30_000)
"""Among how many of the newest messages they are sought, at least and at most."""

_MOST_COMBINED: Final = 12
"""Words of which pairs and threes are made, the rarest ones."""

_MOST_TOGETHER: Final = 6
"""Pairs of words, or threes, that are looked up."""

_TOGETHER: Final = 3.0
"""How much more often words of one question meet in a message than by chance."""

_SURE: Final = 9.0
"""The weight from which words single something out: two that are each said in one of a hundred messages.

A question of less than that scores low whatever is found: that one common word is said somewhere tells nothing.
Where so little is kept that no two words weigh as much, two that are each said once before the question are enough.
"""
_AROUND: Final = 0.4
"""What of a perfect score usually comes from the neighbours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryWord:
    """One thing that is asked for; a name, a date or an identifier is one as well."""

    number: int
    lexemes: tuple[str, ...]
    """The words of the index that say it; none if it is only known in other ways."""
    messages: float
    """About how many messages say it."""
    weight: float
    """How much it tells that a message says it: the rarer, the more."""
    parts: str = ""
    """Of an identifier: the query by which the index finds what it consists of."""

    @property
    def alternatives(self) -> list[str]:
        """Queries of the index that find it, each of them; none if it is only known in other ways."""
        return [*map(quoted, self.lexemes), *([f"({self.parts})"] if self.parts else [])]


def weight_of(messages: float, total: float) -> float:
    """Return the weight of a word that this many of `total` messages say (BM25's idf, never negative)."""
    said = min(max(messages, 0.0), total)
    return math.log(1 + (total - said + 0.5) / (said + 0.5))


class _Choice:
    """What is chosen to be looked up."""

    def __init__(self) -> None:
        self.queries: list[str] = []
        self.messages = 0.0
        """How many messages it will find, about."""

    def takes(self, queries: Sequence[str], *, messages: float, most: int) -> bool:
        """Take up what so many messages say, unless it would be more than `most` in all; return whether it is."""
        if self.messages + messages > most:
            return False
        self.queries += queries
        self.messages += messages
        return True


def lookup_of(found: Sequence[QueryWord], total: float, *, synonyms: Sequence[KnownWord] = ()) -> Lookup:
    """Return which of `total` messages to look at: the rarest words first, under a budget of messages.

    First words by themselves, and `synonyms` where there is room for them besides; then pairs of the other words, those
    first that the fewest messages say together, or threes where even pairs are said too often. A common word by itself
    finds little worth having, and is looked up only if hardly anything else is. Of what everybody says, whatever
    it stands beside, the newest are sought.
    """
    rarest = sorted(
        (word for word in found if word.alternatives), key=lambda word: (word.messages, word.number)
    )
    if not rarest:
        return Lookup()
    choice = _Choice()
    takes = partial(choice.takes, most=_MOST_CANDIDATES)
    alone = list(takewhile(lambda word: takes(word.alternatives, messages=word.messages), rarest))
    for synonym in sorted(synonyms, key=lambda synonym: synonym.messages) if alone else ():
        if not takes([quoted(synonym.lexeme)], messages=max(synonym.messages, 1)):
            break
    others = rarest[len(alone) :][:_MOST_COMBINED]
    for size in (2, 3):
        least = _least_together(others, size, total)[:_MOST_TOGETHER]
        taken = [takes(_all_of(words), messages=_together(words, total)) for words in least]
        if any(taken):
            break
    if choice.messages < _ENOUGH and others:
        choice.takes(others[0].alternatives, messages=others[0].messages, most=_MOST_OF_ONE)
    if choice.queries:
        return Lookup(query=_any_of(choice.queries))
    everywhere = _least_together(rarest, min(2, len(rarest)), total)[0]
    fewest, most = _GONE_THROUGH
    among = min(max(_WANTED * total / _together(everywhere, total), fewest), most)
    return Lookup(query=_any_of(_all_of(everywhere)), newest=int(among))


def _least_together(words: Sequence[QueryWord], size: int, total: float) -> list[tuple[QueryWord, ...]]:
    """Return so many of `words` at a time, those first that the fewest messages say together."""
    return sorted(combinations(words, size), key=lambda chosen: _together(chosen, total))


def _together(words: Sequence[QueryWord], total: float) -> float:
    """Return how many messages say all of `words`, about."""
    said = words[0].messages
    for word in words[1:]:
        said *= min(1.0, _TOGETHER * word.messages / max(total, 1.0))
    return said


def _all_of(words: Sequence[QueryWord]) -> list[str]:
    """Return the queries of the index for what says all of `words`, by whichever of their forms."""
    return [" & ".join(chosen) for chosen in product(*(word.alternatives for word in words))]


def _any_of(alternatives: Sequence[str]) -> str:
    return " | ".join(f"({alternative})" for alternative in alternatives)


def scale_of(total: float, telling: float, *, messages: float) -> float:
    """Return by what to multiply a weight to make a score of it, where so many messages are kept.

    `total` is the weight of all words, `telling` that of those by which one can be sure what the question is about.
    A message that says all that is asked, amid a conversation about it, scores 1, if the question is telling enough.
    """
    sure = max(min(_SURE, 2 * weight_of(2, messages)), 0.001)
    return min(1.0, telling / sure) / (max(total, 0.001) * (1 + CONVERSATION + _AROUND))


_MOST_WORDS: Final = 60
"""Numbers of words that fit into the bits of one whole number of the database."""

_SHARE_OF_MONTH: Final = 1 / 12
_SHARE_OF_DAY: Final = 1 / 30
_SHARE_OF_YEAR: Final = 1 / 2
_SHARE_OF_PREFERRED: Final = 1 / 12
"""Which part of all messages usually has a given date, or lies in a time that is asked for."""

_SHORTEST_NAME: Final = 2


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """What the store is asked, and how good an answer is."""

    asked: SearchInput
    scale: float
    """By what a weight is multiplied to make a score of it."""

    @property
    def is_empty(self) -> bool:
        """Whether the question asks for nothing in particular, as small talk does."""
        asked = self.asked
        return not (asked.lookup.query or asked.identifiers or asked.authors or asked.begins or asked.ends)

    @property
    def names_words(self) -> bool:
        """Whether facts and episodes can be looked up, which takes words."""
        return bool(self.asked.lexemes or any(one.parts for one in self.asked.identifiers))


class _Words:
    """The words of a question as they are numbered."""

    def __init__(self, known: KnownWords) -> None:
        self.total = float(max(known.messages, 1))
        self.words: list[QueryWord] = []
        self.numbers: dict[int, int] = {}
        """By the place of a word in the question."""
        self.synonyms: list[tuple[int, KnownWord]] = []
        """Words that mean much the same as a word of the question, with its number."""
        for word in sorted(known.words, key=lambda word: word.nearness):
            match word.nearness:
                case Nearness.SAID:
                    number = self.add(word.lexeme, messages=max(word.messages, 1))
                    self.numbers.setdefault(word.number - 1, number)
                case Nearness.FORM:
                    self.add_form(word)
                case Nearness.SYNONYM:
                    self.add_synonym(word)

    def add(self, *lexemes: str, messages: float = 0.0, share: float = 0.0) -> int:
        """Take up something that so many messages say and, besides, a share of all are; returns its number."""
        number = min(len(self.words), _MOST_WORDS - 1) + 1
        weight = weight_of(messages + share * self.total, self.total)
        if number > len(self.words):
            self.words.append(QueryWord(number=number, lexemes=lexemes, messages=messages, weight=weight))
        return number

    def add_form(self, form: KnownWord) -> None:
        """Take up another form of a word: who says either says the word."""
        number = self.numbers.get(form.number - 1)
        if number is None:
            self.numbers[form.number - 1] = self.add(form.lexeme, messages=max(form.messages, 1))
            return
        word = self.words[number - 1]
        messages = word.messages + form.messages
        self.words[number - 1] = replace(
            word,
            lexemes=(*word.lexemes, form.lexeme),
            messages=messages,
            weight=weight_of(messages, self.total),
        )

    def add_synonym(self, synonym: KnownWord) -> None:
        """Take up a word that means much the same as one of the question, which keeps its weight."""
        if (number := self.numbers.get(synonym.number - 1)) is not None:
            self.synonyms.append((number, synonym))

    def add_identifier(self, identifier: KnownIdentifier) -> int:
        """Take up an identifier, which tells much however many messages say what it consists of."""
        number = self.add()
        word = self.words[number - 1]
        self.words[number - 1] = replace(word, parts=identifier.parts, messages=float(identifier.messages))
        return number

    def number_of(self, place: int, *, also: float) -> int:
        """Return the number of the word at `place` of the question, which so many more messages count as saying."""
        number = self.numbers.get(place)
        if number is None:
            number = self.numbers[place] = self.add(messages=also)
            return number
        word = self.words[number - 1]
        self.words[number - 1] = replace(word, weight=weight_of(word.messages + also, self.total))
        return number


def possible_names(query: Query) -> tuple[list[str], list[str]]:
    """Return the words of the question that may be names, and the beginnings of names that others may stand for.

    Names are inflected in Russian ("Маше" is Маша), so the end of a Cyrillic word is left open.
    """
    words = [word for word in query.words if len(word) >= _SHORTEST_NAME]
    whole = [word for word in words if _stem(word) == word]
    return whole, list(dict.fromkeys(_stem(word) for word in words if _stem(word) != word))


def words_to_look_up(query: Query) -> list[AskedWord]:
    """Return the words of the question, with other forms of each and with what means much the same."""
    asked: list[AskedWord] = []
    for number, word in enumerate(query.words, 1):
        asked.append(AskedWord(number, word))
        asked += [AskedWord(number, form, Nearness.FORM) for form in forms_of(word)]
        asked += [AskedWord(number, synonym, Nearness.SYNONYM) for synonym in synonyms_of(word)]
    return asked


def plan_of(
    query: Query, known: KnownWords, *, guild_id: int, audiences: Sequence[int], gap: timedelta
) -> SearchPlan:
    """Return what to ask of the store for `query`, by what is `known` of its words.

    A silence of `gap` ends a conversation.
    """
    words = _Words(known)
    authors, mentions = _authors(query, known.members, words)
    dates = [
        (
            words.number_of(query.words.index(date.word), also=_share(date) * words.total),
            date.month,
            date.day,
            date.year,
        )
        for date in query.dates
    ]
    identifiers = [
        AskedIdentifier(
            number=words.add_identifier(found),
            text=identifier,
            parts=found.parts,
            pattern=pattern_of(identifier),
        )
        for identifier, found in zip(query.identifiers, known.identifiers, strict=True)
    ]
    span = query.span
    preferred = (span.begins, span.ends) if span is not None and not query.narrows else None
    preferred_number = words.add(share=_SHARE_OF_PREFERRED) if preferred is not None and not dates else None
    named = {user_id for _, user_id in authors}
    weights = [word.weight for word in words.words]
    # Of words that are each enough the one that tells most is all that can be said.
    whole = (max if query.any_word else sum)([0.0, *weights])
    return SearchPlan(
        SearchInput(
            guild_id=guild_id,
            audiences=audiences,
            weights=weights,
            whole=max(whole, 0.001),
            lookup=lookup_of(words.words, words.total, synonyms=[synonym for _, synonym in words.synonyms]),
            lexemes=[
                *((word.number, lexeme, 1.0) for word in words.words for lexeme in word.lexemes),
                *((number, lexeme, 1.0) for number, lexeme in mentions),
                *((number, synonym.lexeme, SYNONYM) for number, synonym in words.synonyms),
            ],
            authors=authors,
            dates=dates,
            identifiers=identifiers,
            preferred=preferred,
            preferred_number=preferred_number,
            begins=span.begins if span is not None and query.narrows else None,
            ends=span.ends if span is not None and query.narrows else None,
            named_id=named.pop() if len(named) == 1 else None,
            time_zone=query.time_zone,
            words_each=max(known.words_each, 1.0),
            channel_id=query.channel_id,
            near_channel_id=query.near_channel_id,
            before_message_id=query.before_message_id,
            exclude_ids=sorted(query.exclude_ids),
            gap=gap,
        ),
        scale_of(
            whole,
            _telling(query, known, words, identifiers),
            messages=words.total,
        ),
    )


def _telling(query: Query, known: KnownWords, words: _Words, identifiers: Sequence[AskedIdentifier]) -> float:
    """Return the weight of the words that tell what the question is about: no names, no dates, nothing light."""
    called = {word for word in query.words if any(_calls(word, member) for member in known.members)}
    idle = {date.word for date in query.dates} | called | LIGHT
    numbers = {number for place, number in words.numbers.items() if query.words[place] not in idle}
    numbers.update(one.number for one in identifiers)
    return sum(words.words[number - 1].weight for number in numbers)


def _authors(
    query: Query, members: Sequence[NamedMember], words: _Words
) -> tuple[list[tuple[int, int]], list[tuple[int, str]]]:
    """Return by number who is named, and the words by which stored text mentions them."""
    authors: list[tuple[int, int]] = []
    for place, word in enumerate(query.words):
        called = [member for member in members if _calls(word, member)]
        if called:
            number = words.number_of(place, also=sum(member.messages for member in called))
            authors += [(number, member.user_id) for member in called]
    by_name = {user_id for _, user_id in authors}
    said = {member.user_id: member.messages for member in members}
    authors += [
        (words.add(messages=said.get(user_id, 0)), user_id)
        for user_id in query.named_ids
        if user_id not in by_name
    ]
    return authors, [(number, str(user_id)) for number, user_id in authors]


def _calls(word: str, member: NamedMember) -> bool:
    return any(_is_called(word, name) for name in member.names)


def _is_called(word: str, name: str) -> bool:
    """Return whether a word of a question calls somebody by this name: by its first word, in whatever case."""
    parts = words_of(name)
    if not parts or len(parts[0]) < _SHORTEST_NAME:
        return False
    first = parts[0]
    if word == first:
        return True
    is_russian = "а" <= first[0] <= "я"
    stem = _stem(first)
    return is_russian and len(stem) >= 2 and word.startswith(stem) and len(word) - len(stem) <= 3


def _stem(word: str) -> str:
    """Return a word without the end that a case of Russian may change."""
    if not "а" <= word[0] <= "я" or len(word) < 3:
        return word
    bare = word.rstrip("аеёийоуыьэюямх")
    return bare if len(bare) >= 2 else word[:2]


def _share(date: DateWord) -> float:
    if date.day is not None:
        return _SHARE_OF_DAY
    return _SHARE_OF_MONTH if date.month is not None else _SHARE_OF_YEAR
