"""From what a question asks to what the store is asked: numbered words, their weights, and who is named."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from bot.memory.recall.chatter import LIGHT
from bot.memory.recall.identifiers import pattern_of
from bot.memory.recall.query import DateWord, Query, words_of
from bot.memory.recall.weighing import Word, lookup_of, scale_of, weight_of
from bot.store.lexicon import Known, Named
from bot.store.recall_asked import Asked, Lookup

_MOST_WORDS: Final = 60
"""Numbers of words that fit into the bits of one whole number of the database."""

_SHARE_OF_MONTH: Final = 1 / 12
_SHARE_OF_DAY: Final = 1 / 30
_SHARE_OF_YEAR: Final = 1 / 2
_SHARE_OF_PREFERRED: Final = 1 / 12
"""Which part of all messages usually has a given date, or lies in a time that is asked for."""

_SHORTEST_NAME: Final = 2


@dataclass(frozen=True, slots=True)
class Plan:
    """What the store is asked, and how good an answer is."""

    asked: Asked
    scale: float
    """By what a weight is multiplied to make a score of it."""

    @property
    def is_empty(self) -> bool:
        """Whether the question asks for nothing in particular, as small talk does."""
        asked = self.asked
        return not (asked.lookup or asked.identifiers or asked.authors or asked.begins or asked.ends)

    @property
    def names_words(self) -> bool:
        """Whether facts and episodes can be looked up, which takes words."""
        return bool(self.asked.lexemes or any(parts for _, parts, _ in self.asked.identifiers))


class _Words:
    """The words of a question as they are numbered."""

    def __init__(self, known: Known) -> None:
        self.total = float(max(known.messages, 1))
        self.words: list[Word] = []
        self.numbers: dict[int, int] = {}
        """By the place of a word in the question."""
        for word in known.words:
            number = self.add(word.lexeme, messages=max(word.messages, 1))
            self.numbers.setdefault(word.number - 1, number)

    def add(self, *lexemes: str, messages: float = 0.0, share: float = 0.0) -> int:
        """Take up something that so many messages say and, besides, a share of all are; returns its number."""
        number = min(len(self.words), _MOST_WORDS - 1) + 1
        weight = weight_of(messages + share * self.total, self.total)
        if number > len(self.words):
            self.words.append(Word(number=number, lexemes=lexemes, messages=messages, weight=weight))
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


def plan_of(query: Query, known: Known, *, guild_id: int, audiences: Sequence[int], gap: timedelta) -> Plan:
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
        (words.add(), parts, pattern_of(identifier))
        for identifier, parts in zip(query.identifiers, known.identifiers, strict=True)
    ]
    span = query.span
    preferred = None
    if span is not None and not query.narrows and not dates:
        preferred = (words.add(share=_SHARE_OF_PREFERRED), span.begins, span.ends)
    named = {user_id for _, user_id in authors}
    lookup, how = lookup_of(words.words, words.total)
    if identifiers and how is Lookup.BACKWARDS:
        # They are found by the index of words, however long ago they were said.
        how = Lookup.NEWEST
    return Plan(
        Asked(
            guild_id=guild_id,
            audiences=audiences,
            weights=[word.weight for word in words.words],
            lookup=lookup,
            how=how,
            lexemes=[(word.number, lexeme) for word in words.words for lexeme in word.lexemes] + mentions,
            authors=authors,
            dates=dates,
            identifiers=identifiers,
            preferred=preferred,
            begins=span.begins if span is not None and query.narrows else None,
            ends=span.ends if span is not None and query.narrows else None,
            named_id=named.pop() if len(named) == 1 else None,
            time_zone=query.time_zone,
            words_each=max(known.words_each, 1.0),
            channel_id=query.channel_id,
            before_message_id=query.before_message_id,
            exclude_ids=sorted(query.exclude_ids),
            gap=gap,
        ),
        scale_of(
            sum(word.weight for word in words.words),
            _telling(query, known, words, identifiers),
            messages=words.total,
        ),
    )


def _telling(query: Query, known: Known, words: _Words, identifiers: Sequence[tuple[int, str, str]]) -> float:
    """Return the weight of the words that tell what the question is about: no names, no dates, nothing light."""
    called = {word for word in query.words if any(_calls(word, member) for member in known.members)}
    idle = {date.word for date in query.dates} | called | LIGHT
    numbers = {number for place, number in words.numbers.items() if query.words[place] not in idle}
    numbers.update(number for number, _, _ in identifiers)
    return sum(words.words[number - 1].weight for number in numbers)


def _authors(
    query: Query, members: Sequence[Named], words: _Words
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


def _calls(word: str, member: Named) -> bool:
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
