"""The memory document: all facts and places kept about one member, as one value that can be written down."""

import logging
from collections.abc import Sequence
from datetime import date, datetime
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from bot.core.clock import Clock
from bot.core.domain import EXPLICIT, OPEN, Fact, FactCategory, FactOrigin, FactStatus
from bot.core.settings import Settings
from bot.db.pool import Connection, Database
from bot.llm.framing import estimated_tokens
from bot.memory.facts import places as facts_places
from bot.memory.facts import repository as facts_repository
from bot.memory.facts.places import PlaceDetails, RememberedPlace, with_facts
from bot.memory.policy.permissions import ReadScope
from bot.memory.policy.repository import tells_of_present

logger = logging.getLogger(__name__)


async def facts_of_subject(
    connection: Connection, *, guild_id: int, subject_id: int, audiences: Sequence[int]
) -> tuple[list[Fact], list[PlaceDetails], datetime | None]:
    """Return a subject's facts but for forgotten ones, the details of the places among them, and the last change.

    What is about members of whom nothing is kept is left out.
    """
    rows = await connection.fetch(
        f"""
        SELECT fact_id, category, updated_at FROM facts
        WHERE guild_id = $1 AND subject_id = $2 AND audience = ANY($3::bigint[]) AND status <> 'forgotten'
          AND {tells_of_present("$2", "content")}
        ORDER BY fact_id
        """,
        guild_id, subject_id, list(audiences),
    )  # fmt: skip
    known = await facts_repository.facts_with_ids(
        connection, guild_id=guild_id, fact_ids=[row["fact_id"] for row in rows]
    )
    places = await facts_places.places_with_ids(
        connection,
        guild_id=guild_id,
        fact_ids=[row["fact_id"] for row in rows if row["category"] == "place"],
    )
    return known, places, max((row["updated_at"] for row in rows), default=None)


SCHEMA_VERSION: Final = 1
"""Raised whenever a document written before could be read wrongly."""


class _Kept(BaseModel):
    """What facts and places have in common."""

    model_config = ConfigDict(frozen=True)

    id: str
    status: FactStatus = FactStatus.ACTIVE
    importance: int = Field(ge=0, le=100)
    origin: FactOrigin
    author: int = 0
    """The id of the member who told it."""
    guild: int = 0
    audience: int = OPEN
    channel: int = 0
    message: int = 0
    """The message that said it; 0 if none did."""
    said_at: datetime

    @property
    def texts(self) -> tuple[str, ...]:
        """What the document's length is counted over."""
        return ()

    @property
    def tokens(self) -> int:
        """About how many tokens its texts take."""
        return sum(map(estimated_tokens, self.texts))


class DocumentFact(_Kept):
    """A fact in a document."""

    category: FactCategory
    key: str = ""
    value: str = ""
    content: str
    """Third person, members as `<@id>`."""
    said: str = ""
    """The words of the teller."""
    confidence: float = Field(default=1.0, ge=0, le=1)
    holds_on: date | None = None
    expires_at: datetime | None = None
    tentative: bool = False
    """It was learned and said once only."""

    @property
    def texts(self) -> tuple[str, ...]:
        """What is told: value and content, and the words in which it was said."""
        return (self.value, self.content, self.said)


class DocumentMention(BaseModel):
    """One message that speaks of a place."""

    model_config = ConfigDict(frozen=True)

    conversation: int
    """The id of the first message of its conversation."""
    message: int
    at: datetime


class DocumentPlace(_Kept):
    """A place in a document."""

    name: str
    notes: str = ""
    conversations: int = Field(default=0, ge=0)
    """In how many conversations it was mentioned."""
    mentions: tuple[DocumentMention, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """Its name and its notes."""
        return (self.name, self.notes)


class DocumentMetadata(BaseModel):
    """What a document says about itself."""

    model_config = ConfigDict(frozen=True)

    last_updated: datetime | None = None
    """When anything of it changed last; `None` if nothing is kept."""
    total_facts: int = Field(default=0, ge=0)
    total_active_facts: int = Field(default=0, ge=0)
    total_places: int = Field(default=0, ge=0)
    token_count: int = Field(default=0, ge=0)
    """An estimate, over the texts alone."""
    schema_version: int = SCHEMA_VERSION


class MemoryDocument(BaseModel):
    """All that is kept as facts and places about one member; its metadata counts what it holds."""

    model_config = ConfigDict(frozen=True)

    facts: tuple[DocumentFact, ...] = ()
    places: tuple[DocumentPlace, ...] = ()
    metadata: DocumentMetadata = DocumentMetadata()

    def active(self) -> "MemoryDocument":
        """Return the document of what holds now."""
        return document_of(
            [one for one in self.facts if one.status is FactStatus.ACTIVE],
            [one for one in self.places if one.status is FactStatus.ACTIVE],
            last_updated=self.metadata.last_updated,
        )


class Documents:
    """The door to the documents of members."""

    def __init__(self, database: Database, clock: Clock, settings: Settings) -> None:
        self._database = database
        self._clock = clock
        self._allowed_tokens = settings.memory_document_tokens

    async def of(self, user_id: int, view: ReadScope, *, asker_id: int) -> MemoryDocument:
        """Return the document of a member, as far as `view` shows, whatever still holds of it.

        In a direct message the asker's own open facts from the guilds shared with the bot are among it, and nowhere
        what is about members of whom nothing is kept. Over `memory_document_tokens` the least valuable is left out.
        """
        places = [(view.guild_id, tuple(view.audiences))]
        if asker_id == user_id:
            places += [(guild_id, (OPEN,)) for guild_id in view.own_guild_ids]
        now = self._clock.now()

        async def read(connection: Connection) -> tuple[list[Fact], list[RememberedPlace], list[datetime]]:
            told: list[Fact] = []
            known: list[RememberedPlace] = []
            changes: list[datetime] = []
            for guild_id, audiences in places:
                kept, details, changed = await facts_of_subject(
                    connection, guild_id=guild_id, subject_id=user_id, audiences=audiences
                )
                told += kept
                known += await with_facts(connection, details)
                changes += [changed] if changed is not None else []
            return told, known, changes

        told, known, changes = await self._database.read(read)
        document = document_of(
            [
                document_fact(one, now=now)
                for one in told
                if one.category is not FactCategory.PLACE and one.content
            ],
            [document_place(one, now=now) for one in known],
            last_updated=max(changes, default=None),
        )
        kept, left_out = trimmed(document, allowed_tokens=self._allowed_tokens)
        if left_out:
            logger.warning(
                "the memory document of member %d in guild %d leaves out %d: %s",
                user_id,
                view.guild_id,
                len(left_out),
                ", ".join(left_out),
            )
        return kept


def document_of(
    facts: Sequence[DocumentFact], places: Sequence[DocumentPlace], *, last_updated: datetime | None
) -> MemoryDocument:
    """Return the document of these facts and places, with what it says about itself."""
    return MemoryDocument(
        facts=tuple(facts),
        places=tuple(places),
        metadata=DocumentMetadata(
            last_updated=last_updated,
            total_facts=len(facts),
            total_active_facts=sum(one.status is FactStatus.ACTIVE for one in facts),
            total_places=len(places),
            token_count=sum(one.tokens for one in (*facts, *places)),
        ),
    )


def trimmed(document: MemoryDocument, *, allowed_tokens: int) -> tuple[MemoryDocument, list[str]]:
    """Return `document` cut to at most so many tokens of text, and the ids of what was left out.

    Superseded facts go first, oldest first; then learned facts, least important first; and last what somebody asked to
    have remembered.
    """
    over = document.metadata.token_count - allowed_tokens
    if over <= 0:
        return document, []
    left_out: list[_Kept] = []
    for one in sorted((*document.facts, *document.places), key=_value):
        if over <= 0:
            break
        over -= one.tokens
        left_out.append(one)
    gone = {id(one) for one in left_out}
    kept = document_of(
        [one for one in document.facts if id(one) not in gone],
        [one for one in document.places if id(one) not in gone],
        last_updated=document.metadata.last_updated,
    )
    return kept, [one.id for one in left_out]


def _value(one: _Kept) -> tuple[bool, bool, int, datetime, str]:
    """Return how much one would be missed; the least goes first."""
    if one.status is not FactStatus.ACTIVE:
        return False, False, 0, one.said_at, one.id
    return True, one.origin in EXPLICIT, one.importance, one.said_at, one.id


def _status(fact: Fact, *, now: datetime) -> FactStatus:
    expired = fact.expires_at is not None and fact.expires_at <= now
    return FactStatus.INACTIVE if expired and fact.status is FactStatus.ACTIVE else fact.status


def document_fact(fact: Fact, *, now: datetime) -> DocumentFact:
    """Return a fact as a document has it; what has expired at `now` holds no longer."""
    return DocumentFact(
        id=str(fact.fact_id),
        status=_status(fact, now=now),
        importance=fact.importance,
        origin=fact.origin,
        author=fact.author_id,
        guild=fact.guild_id,
        audience=fact.audience,
        channel=fact.source_channel_id,
        message=fact.source_message_id,
        said_at=fact.said_at,
        category=fact.category,
        key=fact.key,
        value=fact.value,
        content=fact.content,
        said=fact.raw_content,
        confidence=fact.confidence,
        holds_on=fact.holds_on,
        expires_at=fact.expires_at,
        tentative=fact.tentative,
    )


def document_place(place: RememberedPlace, *, now: datetime) -> DocumentPlace:
    """Return a place as a document has it; what has expired at `now` holds no longer."""
    fact = place.fact
    return DocumentPlace(
        id=str(fact.fact_id),
        status=_status(fact, now=now),
        importance=fact.importance,
        origin=fact.origin,
        author=fact.author_id,
        guild=fact.guild_id,
        audience=fact.audience,
        channel=fact.source_channel_id,
        message=fact.source_message_id,
        said_at=fact.said_at,
        name=place.name,
        notes=place.notes,
        conversations=place.conversations,
        mentions=tuple(
            DocumentMention(conversation=one.conversation_id, message=one.message_id, at=one.at)
            for one in place.mentions
        ),
    )
