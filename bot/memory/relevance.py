"""What of everything known about those who take part goes into one reply: who they are, and the few facts that fit."""

import asyncio
import contextlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from bot.clock import Clock
from bot.domain import GUILD_SUBJECT, Fact, mention_of
from bot.log import trace
from bot.memory.audience import View
from bot.memory.tokens import content_stems, is_negated
from bot.memory.topics import Topic, bits_of, topics_of
from bot.memory.unsaying import sentences_of
from bot.store import relevance
from bot.store.database import Connection, Database
from bot.store.relevance import Chosen, Person, Standing, Wanted

__all__ = ["Acquaintance", "Relevance", "Relevant", "acquaintance_of", "untold"]

logger = logging.getLogger(__name__)

ACQUAINTED_TURNS: Final = 10
"""So many replies make an acquaintance: an evening or two of talking with each other."""

FAMILIAR_TURNS: Final = 100
"""Of somebody with so many, months of talk are kept."""

_TEXT_CHARACTERS: Final = 300
"""Of the beginning and of the end of a message: what it is about stands there, and a pasted log between."""

_FLUSH_SECONDS: Final = 1.0
"""Real seconds in which uses gather: a busy guild gives the same facts many times a minute."""

_MOST_UNWRITTEN: Final = 10_000
"""Uses that wait while the database is away; that a fact was used is no loss worth more memory."""


class Acquaintance(StrEnum):
    """How well the bot and a member know each other: counted, never judged by a model."""

    NEW = "new"
    ACQUAINTED = "acquainted"
    FAMILIAR = "familiar"


def acquaintance_of(turns: int) -> Acquaintance:
    """Return how well a member is known to whom the bot has replied `turns` times."""
    if turns < ACQUAINTED_TURNS:
        return Acquaintance.NEW
    return Acquaintance.ACQUAINTED if turns < FAMILIAR_TURNS else Acquaintance.FAMILIAR


@dataclass(frozen=True, slots=True, kw_only=True)
class Relevant:
    """What a reply is given about one member, or about the guild itself."""

    given_name: str = ""
    """The name that they gave themselves."""
    pronouns: str = ""
    since: datetime | None = None
    """When they were first seen, as far as anything is kept of it."""
    turns: int = 0
    facts: tuple[Fact, ...] = ()
    """How they feel, what they prefer, and what the message is about; the weightiest first."""
    known_by: tuple[int, ...] = ()
    """The ids of the facts that say name and pronouns."""

    @property
    def acquaintance(self) -> Acquaintance:
        """How well the two know each other."""
        return acquaintance_of(self.turns)


def untold(facts: Sequence[Fact], text: str) -> tuple[Fact, ...]:
    """Return those of `facts` that no single sentence of `text` says with all their words.

    Whom a fact is about is not looked for: in a text about them they are mostly "she". What one denies and the
    other does not is not the same.
    """
    told = [(content_stems(sentence), is_negated(sentence)) for sentence in sentences_of(text)]
    return tuple(fact for fact in facts if not _is_told(fact, told))


def _is_told(fact: Fact, told: Sequence[tuple[frozenset[str], bool]]) -> bool:
    stems = content_stems(fact.content) - {mention_of(fact.subject_id)}
    negated = is_negated(fact.content)
    return bool(stems) and any(stems <= sentence and negated == denied for sentence, denied in told)


class Relevance:
    """Chooses facts for replies, and notes behind them which were used."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._used: dict[int, frozenset[int]] = {}
        """Where to look for each fact that was used and is not noted yet."""
        self._noting: asyncio.Task[None] | None = None
        self._hurry = asyncio.Event()

    async def relevant(
        self, *, view: View, user_ids: Sequence[int], text: str, asker_id: int
    ) -> dict[int, Relevant]:
        """Return what a reply to `text` is given about each of `user_ids`, and about the guild as subject 0.

        Only what `view` shows; in a direct message the asker's own open facts from the guilds shared are among it.
        Facts are chosen by one statement, whoever takes part.
        """
        topics = topics_of(text)
        wanted = Wanted(
            guild_id=view.guild_id,
            user_ids=list(dict.fromkeys([GUILD_SUBJECT, *user_ids])),
            audiences=view.audiences,
            own_guild_ids=view.own_guild_ids,
            asker_id=asker_id,
            text=_matter(text),
            topics=bits_of(topics),
            with_dates=Topic.DATES in topics,
            fills=not bits_of(topics),
            now=self._clock.now(),
        )

        async def read(connection: Connection) -> tuple[list[Chosen], list[Person]]:
            chosen = await relevance.choose(connection, wanted)
            people = await relevance.people(
                connection,
                guild_id=view.guild_id,
                user_ids=user_ids,
                own_guild_ids=view.own_guild_ids,
                asker_id=asker_id,
            )
            return chosen, people

        if not view.audiences:
            return {}
        chosen, people = await self._database.read(read)
        known = {person.user_id: person for person in people}
        return {
            user_id: _relevant([one for one in chosen if one.fact.subject_id == user_id], known.get(user_id))
            for user_id in wanted.user_ids
        }

    def used(self, *, view: View, fact_ids: Sequence[int]) -> None:
        """Note behind that these facts were given to a model; returns at once. A crash may lose the last of it."""
        guild_ids = frozenset({view.guild_id, *view.own_guild_ids})
        if len(self._used) < _MOST_UNWRITTEN:
            self._used |= dict.fromkeys(fact_ids, guild_ids)
        if self._used and (self._noting is None or self._noting.done()):
            self._noting = asyncio.create_task(self._note(), name="note what was used")

    async def settled(self) -> None:
        """Return when all uses are noted, at once."""
        self._hurry.set()
        if self._noting is not None:
            await self._noting
        self._hurry.clear()

    async def _note(self) -> None:
        while self._used:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_FLUSH_SECONDS):
                    await self._hurry.wait()
            used, self._used = self._used, {}
            try:
                await self._write(used)
            except Exception as error:
                logger.warning("that %d facts were used is not noted: %s", len(used), trace(error))

    async def _write(self, used: Mapping[int, frozenset[int]]) -> None:
        guild_ids = frozenset[int]().union(*used.values())
        now = self._clock.now()
        await self._database.write(
            lambda connection: relevance.used(
                connection, guild_ids=sorted(guild_ids), fact_ids=sorted(used), at=now
            )
        )


def _relevant(chosen: Sequence[Chosen], person: Person | None) -> Relevant:
    by_key = {one.fact.key: one.fact for one in reversed(chosen) if one.standing is Standing.KNOWN}
    pronouns = by_key["pronouns"].value if "pronouns" in by_key else person.pronouns if person else ""
    return Relevant(
        given_name=by_key["name"].value if "name" in by_key else "",
        pronouns=pronouns,
        since=person.since if person else None,
        turns=person.turns if person else 0,
        facts=tuple(one.fact for one in chosen if one.standing is not Standing.KNOWN),
        known_by=tuple(fact.fact_id for fact in by_key.values()),
    )


def _matter(text: str) -> str:
    if len(text) <= 2 * _TEXT_CHARACTERS:
        return text
    return f"{text[:_TEXT_CHARACTERS]} {text[-_TEXT_CHARACTERS:]}"
