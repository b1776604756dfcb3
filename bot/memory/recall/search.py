"""Search over all that is kept: a query becomes numbered and weighed words, and messages, facts and
episodes are found by them, weighed together.
"""

import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import combinations
from typing import Final

from bot.db.jobs import Handler
from bot.db.pool import Connection
from bot.db.service import BackgroundWork
from bot.memory.derived.engine import MemoryDependencies
from bot.memory.guilds import repository as guilds_repository
from bot.memory.messages import repository as messages_repository
from bot.memory.policy.redaction import without_opted_out
from bot.memory.recall import lexicon, repository
from bot.memory.recall.lexicon import LEXICON_JOB, KnownWords, Lexicographer, NamedMember
from bot.memory.recall.query import LIGHT, DateWord, Query, pattern_of, query_of, words_of
from bot.memory.recall.repository import (
    CONVERSATION,
    MOST_CANDIDATES,
    Lookup,
    SearchInput,
    WeighedMessage,
    WeighedNote,
)

logger = logging.getLogger(__name__)


class HitKind(StrEnum):
    """What was found."""

    MESSAGE = "message"
    FACT = "fact"
    EPISODE = "episode"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A memory that was found, with where it comes from."""

    kind: HitKind
    hit_id: int
    """The message, the fact or the episode."""
    channel_id: int
    message_id: int
    """The message itself; of a fact the one that told it, of an episode the first of its conversation."""
    author_id: int
    """Who said it; 0 for an episode, which nobody did."""
    subject_id: int | None
    """Of a fact: whom it is about."""
    audience: int
    said_at: datetime
    text: str
    """Members are named as `<@id>`."""
    score: float
    """From 0 to 1: how much of what the question asks for is said there, and around it."""


_MANY: Final = 3_000
"""Of a word that more messages say, the newest are found sooner by going back in time."""

_MOST_PAIRS: Final = 6
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


def weight_of(messages: float, total: float) -> float:
    """Return the weight of a word that this many of `total` messages say (BM25's idf, never negative)."""
    said = min(max(messages, 0.0), total)
    return math.log(1 + (total - said + 0.5) / (said + 0.5))


def lookup_of(found: Sequence[QueryWord], total: float) -> tuple[list[list[str]], Lookup]:
    """Return which lexemes to look up, as alternatives of lexemes that stand together, and how.

    The rarest words first, as many as `MOST_CANDIDATES` of the `total` messages say. If even the rarest is said more
    often, pairs of words are looked up, those first that are the least likely to meet: a common word alone finds
    nothing worth having. Of these more messages may say them than are looked at.
    """
    rarest = sorted((word for word in found if word.lexemes), key=lambda word: (word.messages, word.number))
    taken: list[list[str]] = []
    room = float(MOST_CANDIDATES)
    for word in rarest:
        room -= word.messages
        if room < 0:
            break
        taken += [[lexeme] for lexeme in word.lexemes]
    if taken or not rarest:
        return taken, Lookup.ALL
    if len(rarest) == 1:
        return [[lexeme] for lexeme in rarest[0].lexemes], _how(rarest[0].messages)
    expected = 0.0
    met = sorted(combinations(rarest, 2), key=lambda pair: pair[0].messages * pair[1].messages)
    for one, other in met[:_MOST_PAIRS]:
        more = _TOGETHER * one.messages * other.messages / max(total, 1.0)
        if taken and expected + more > MOST_CANDIDATES:
            break
        expected += more
        taken += [[left, right] for left in one.lexemes for right in other.lexemes]
    return taken, _how(expected)


def _how(messages: float) -> Lookup:
    return Lookup.BACKWARDS if messages > _MANY else Lookup.NEWEST


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
        return not (asked.lookup or asked.identifiers or asked.authors or asked.begins or asked.ends)

    @property
    def names_words(self) -> bool:
        """Whether facts and episodes can be looked up, which takes words."""
        return bool(self.asked.lexemes or any(parts for _, parts, _ in self.asked.identifiers))


class _Words:
    """The words of a question as they are numbered."""

    def __init__(self, known: KnownWords) -> None:
        self.total = float(max(known.messages, 1))
        self.words: list[QueryWord] = []
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
            self.words.append(QueryWord(number=number, lexemes=lexemes, messages=messages, weight=weight))
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
    return SearchPlan(
        SearchInput(
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


def _telling(
    query: Query, known: KnownWords, words: _Words, identifiers: Sequence[tuple[int, str, str]]
) -> float:
    """Return the weight of the words that tell what the question is about: no names, no dates, nothing light."""
    called = {word for word in query.words if any(_calls(word, member) for member in known.members)}
    idle = {date.word for date in query.dates} | called | LIGHT
    numbers = {number for place, number in words.numbers.items() if query.words[place] not in idle}
    numbers.update(number for number, _, _ in identifiers)
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


FLOOR: Final = 0.4
"""The score from which a hit is worth telling unasked.

A score is a share: what was found, against a message that says all that is asked amid talk about it, and less where
the question is of too common words to single anything out. Small talk stays below, however well something matches it.
"""

_ALONE: Final = 1.5
"""What a fact or an episode gains, which has no neighbours that could lend it weight."""


class Recall:
    """Finds again what was said and what is known. `notify` is called after a commit that asked for work."""

    def __init__(self, needs: MemoryDependencies) -> None:
        self._database = needs.database
        self._clock = needs.clock
        self._gap = needs.gap
        self._lexicographer = Lexicographer(needs.database, needs.clock, notify=needs.notify)
        self._asking = BackgroundWork()

    def handlers(self) -> Mapping[str, Handler]:
        """Return who does the background work of recall, by its kind."""
        return {LEXICON_JOB: self._lexicographer.refresh}

    async def settled(self) -> None:
        """Return when all background work that searches made necessary was asked for."""
        await self._asking.settled()

    async def search(
        self, *, guild_id: int, query: Query | str, audiences: Sequence[int], limit: int
    ) -> list[Hit]:
        """Return at most `limit` memories that answer `query` and that these audiences may see, the best first.

        A plain text is asked now, by nobody, in the guild's time zone. Small talk finds nothing.
        """
        if not audiences or limit < 1:
            return []

        async def read(connection: Connection) -> tuple[list[Hit], datetime | None]:
            async with repository.swiftly(connection):
                return await found(connection)

        async def found(connection: Connection) -> tuple[list[Hit], datetime | None]:
            wanted = query if isinstance(query, Query) else await self._query(connection, guild_id, query)
            names, beginnings = possible_names(wanted)
            known = await lexicon.known_words(
                connection,
                guild_id=guild_id,
                audiences=audiences,
                words=wanted.words,
                identifiers=wanted.identifiers,
                names=names,
                name_beginnings=beginnings,
                user_ids=wanted.named_ids,
            )
            plan = plan_of(wanted, known, guild_id=guild_id, audiences=audiences, gap=self._gap)
            return await self._hits(connection, plan, limit), known.refreshed_at

        hits, refreshed_at = await self._database.read(read)
        self._refresh(guild_id, refreshed_at)
        return hits

    async def kept_since(self, *, guild_id: int, audiences: Sequence[int]) -> datetime | None:
        """Return when the oldest message was written that these audiences may see; `None` if there is none."""
        return await self._database.read(
            messages_repository.kept_since, guild_id=guild_id, audiences=audiences
        )

    async def _query(self, connection: Connection, guild_id: int, text: str) -> Query:
        guild = await guilds_repository.guild(connection, guild_id=guild_id)
        return query_of(text, now=self._clock.now(), time_zone=guild.time_zone if guild else "UTC")

    async def _hits(self, connection: Connection, plan: SearchPlan, limit: int) -> list[Hit]:
        if plan.is_empty:
            return []
        said = await repository.weighed_messages(connection, plan.asked, limit=limit)
        hits = [_hit_of_message(one, plan.scale) for one in said]
        if plan.names_words:
            noted = await repository.weighed_notes(connection, plan.asked, now=self._clock.now(), limit=limit)
            hits += [_hit_of_note(one, plan.scale) for one in await _tellable(connection, plan, noted)]
            hits.sort(key=lambda hit: -hit.score)
        return hits[:limit]

    def _refresh(self, guild_id: int, refreshed_at: datetime | None) -> None:
        """Ask behind the search for the lexicon to be counted, if it is old."""
        asking = self._lexicographer.ask_if_old(guild_id, refreshed_at)
        self._asking.begin(asking, name=f"asking for the lexicon of guild {guild_id}")


async def _tellable(
    connection: Connection, plan: SearchPlan, noted: Sequence[WeighedNote]
) -> list[WeighedNote]:
    """Return `noted` without the sentences of episodes that name members of whom nothing is kept."""
    left = await without_opted_out(
        connection, guild_id=plan.asked.guild_id, texts=[one.text for one in noted]
    )
    return [replace(one, text=text) for one, text in zip(noted, left, strict=True) if text]


def _hit_of_message(found: WeighedMessage, scale: float) -> Hit:
    message = found.message
    return Hit(
        kind=HitKind.MESSAGE,
        hit_id=message.message_id,
        channel_id=message.channel_id,
        message_id=message.message_id,
        author_id=message.user_id,
        subject_id=None,
        audience=message.audience,
        said_at=message.timestamp,
        text=message.text,
        score=min(1.0, found.weight * scale),
    )


def _hit_of_note(found: WeighedNote, scale: float) -> Hit:
    return Hit(
        kind=HitKind.FACT if found.is_fact else HitKind.EPISODE,
        hit_id=found.note_id,
        channel_id=found.channel_id,
        message_id=found.message_id,
        author_id=found.author_id,
        subject_id=found.subject_id,
        audience=found.audience,
        said_at=found.said_at,
        text=found.text,
        score=min(1.0, _ALONE * found.weight * scale),
    )
