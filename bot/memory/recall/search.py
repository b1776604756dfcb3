"""Searches messages, facts and episodes by the words of a question, and scores them together."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final, Self

from bot.core.domain import Message
from bot.db.jobs import Handler
from bot.db.pool import Connection
from bot.db.service import BackgroundWork
from bot.memory.derived.engine import MemoryDependencies
from bot.memory.guilds import repository as guilds_repository
from bot.memory.messages import repository as messages_repository
from bot.memory.policy.redaction import without_opted_out
from bot.memory.recall import lexicon, repository, repository_lookup
from bot.memory.recall.lexicon import LEXICON_JOB, Lexicographer
from bot.memory.recall.plan import SearchPlan, plan_of, possible_names, words_to_look_up
from bot.memory.recall.query import LIGHT, Query, query_of, words_of
from bot.memory.recall.repository import WeighedNote
from bot.text.grammar.words import is_function_word

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

    @classmethod
    def of_message(cls, message: Message, *, score: float) -> Self:
        """Return a message as what was found."""
        return cls(
            kind=HitKind.MESSAGE,
            hit_id=message.message_id,
            channel_id=message.channel_id,
            message_id=message.message_id,
            author_id=message.user_id,
            subject_id=None,
            audience=message.audience,
            said_at=message.timestamp,
            text=message.text,
            score=score,
        )


FLOOR: Final = 0.4
"""The score from which a hit is worth telling unasked.

A score is a share: what was found, against a message that says all that is asked amid talk about it, and less where
the question is of too common words to single anything out. Small talk stays below, however well something matches it.
"""

LEADERS: Final = 4
"""How many of the best memories lead on: messages to others that share words or names with them.

What facts lead to is chosen with them."""

_LEADING_SHARE: Final = 0.5
"""What a memory must be worth, against the best, to lead on."""

_LED_TO: Final = 6
"""Of those that they lead to, how many are told."""

_BEFORE_LED: Final = 6
"""Behind how many of the best they stand."""

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
        self,
        *,
        guild_id: int,
        query: Query | str,
        audiences: Sequence[int],
        limit: int,
        leads_on: bool = False,
    ) -> list[Hit]:
        """Return at most `limit` memories that answer `query` and that these audiences may see, best first.

        A plain text is searched as of now, without an asker, in the guild's time zone. Small talk finds nothing. With
        `leads_on`, the few best messages are followed by messages that share rare words or names with them, if not with
        the question: what was moved or cancelled since, and what was said about somebody whom only they name.
        """
        if not audiences or limit < 1:
            return []

        async def read(connection: Connection) -> tuple[list[Hit], datetime | None]:
            async with repository.swiftly(connection):
                return await found(connection)

        async def found(connection: Connection) -> tuple[list[Hit], datetime | None]:
            wanted = query if isinstance(query, Query) else await self._query(connection, guild_id, query)
            plan, refreshed_at = await self._plan(connection, wanted, guild_id=guild_id, audiences=audiences)
            hits = await self._hits(connection, plan, limit)
            if leads_on:
                sure, others = _surest_first(hits)
                best = sure[:_BEFORE_LED]
                led_to = await self._led_to(connection, wanted, best, audiences=audiences, guild_id=guild_id)
                hits = _each_once([*best, *led_to, *sure[_BEFORE_LED:], *others])[:limit]
            return hits, refreshed_at

        hits, refreshed_at = await self._database.read(read)
        self._refresh(guild_id, refreshed_at)
        return hits

    async def _plan(
        self, connection: Connection, query: Query, *, guild_id: int, audiences: Sequence[int]
    ) -> tuple[SearchPlan, datetime | None]:
        """Return what to ask of the store for `query`, and when the words of the guild were counted."""
        names, beginnings = possible_names(query)
        known = await lexicon.known_words(
            connection,
            guild_id=guild_id,
            audiences=audiences,
            words=words_to_look_up(query),
            identifiers=query.identifiers,
            names=names,
            name_beginnings=beginnings,
            user_ids=query.named_ids,
        )
        plan = plan_of(query, known, guild_id=guild_id, audiences=audiences, gap=self._gap)
        return plan, known.refreshed_at

    async def _led_to(
        self,
        connection: Connection,
        query: Query,
        best: Sequence[Hit],
        *,
        guild_id: int,
        audiences: Sequence[int],
    ) -> list[Hit]:
        """Return what the first of the `best` lead to, without these."""
        further = _led_on(query, best[:LEADERS])
        if not further.words:
            return []
        plan, _ = await self._plan(connection, further, guild_id=guild_id, audiences=audiences)
        if not plan.names_words:
            return []
        known = {hit.message_id for hit in best}
        found = await _messages(connection, plan, _LED_TO + len(best))
        return [hit for _, hit in found if hit.message_id not in known][:_LED_TO]

    async def search_again(
        self,
        *,
        guild_id: int,
        query: Query,
        words: Sequence[str],
        found: Sequence[Hit],
        audiences: Sequence[int],
        limit: int,
    ) -> list[Hit]:
        """Return what was `found` for `query`, and behind it what other `words` find, where that was little.

        Each of `words` is another way to say what is looked for ("allergic", "vegetarian", for "who cooks?"), and
        one is enough. Where `found` has `limit` memories that are worth telling unasked, nothing more is searched.
        """
        other = query.in_other_words(words)
        telling = [hit for hit in found if hit.score >= FLOOR]
        if len(telling) >= limit or not other.words:
            return list(found[:limit])
        more = await self.search(guild_id=guild_id, query=other, audiences=audiences, limit=limit)
        best: dict[tuple[HitKind, int], Hit] = {}
        for hit in (*telling, *more, *found):
            best.setdefault((hit.kind, hit.hit_id), hit)
        return list(best.values())[:limit]

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
        hits = await _messages(connection, plan, limit)
        if plan.names_words:
            noted = await repository.weighed_notes(connection, plan.asked, now=self._clock.now(), limit=limit)
            # What is known is of no channel: it loses nothing where one comes before others.
            here = 1.0 if plan.asked.near_channel_id is None else 1 + repository_lookup.HERE
            hits += [
                (_ALONE * one.weight * here, _hit_of_note(one, plan.scale))
                for one in await _tellable(connection, plan, noted)
            ]
            hits.sort(key=lambda ranked: -ranked[0])
        return [hit for _, hit in hits[:limit]]

    def _refresh(self, guild_id: int, refreshed_at: datetime | None) -> None:
        """Ask behind the search for the lexicon to be counted, if it is old."""
        asking = self._lexicographer.ask_if_old(guild_id, refreshed_at)
        self._asking.begin(asking, name=f"asking for the lexicon of guild {guild_id}")


def _surest_first(hits: Sequence[Hit]) -> tuple[list[Hit], list[Hit]]:
    """Return those of `hits` that are worth much beside the best, and the others, each in their order.

    What is said in the asker's channel comes before others however little it is worth.
    """
    least = _LEADING_SHARE * max((hit.score for hit in hits), default=0.0)
    return [hit for hit in hits if hit.score >= least], [hit for hit in hits if hit.score < least]


def _led_on(query: Query, leaders: Sequence[Hit]) -> Query:
    """Return the question for what shares words with the messages among `leaders`, other words than `query` has."""
    idle = LIGHT.union(query.words)
    words = words_of(" ".join(hit.text for hit in leaders if hit.kind is HitKind.MESSAGE))
    return query.in_other_words([word for word in words if word not in idle and not is_function_word(word)])


def _each_once(hits: Iterable[Hit]) -> list[Hit]:
    return list({(hit.kind, hit.hit_id): hit for hit in hits}.values())


async def _messages(connection: Connection, plan: SearchPlan, limit: int) -> list[tuple[float, Hit]]:
    """Return the messages that weigh most, each with the weight by which it stands among others."""
    said = await repository.weighed_messages(connection, plan.asked, limit=limit)
    return [(one.rank, Hit.of_message(one.message, score=min(1.0, one.weight * plan.scale))) for one in said]


async def _tellable(
    connection: Connection, plan: SearchPlan, noted: Sequence[WeighedNote]
) -> list[WeighedNote]:
    """Return `noted` without the sentences of episodes that name members about whom nothing is kept."""
    left = await without_opted_out(
        connection, guild_id=plan.asked.guild_id, texts=[one.text for one in noted]
    )
    return [replace(one, text=text) for one, text in zip(noted, left, strict=True) if text]


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
