"""The contents of an export file: its parts and their schema."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, PlainSerializer, WithJsonSchema

from bot.core.domain import Fact, FactCategory, FactOrigin, MessageKind, RedactionReason
from bot.memory.facts.places import RememberedPlace
from bot.memory.recall.documents import (
    DocumentFact,
    DocumentMention,
    DocumentMetadata,
    DocumentPlace,
    document_fact,
    document_place,
)

FORMAT: Final = "keepsake-export"

SCHEMA_VERSION: Final = 1
"""Raised whenever a file written before could be read wrongly."""

Id = Annotated[
    int,
    PlainSerializer(str, return_type=str, when_used="json"),
    WithJsonSchema({"type": "string", "pattern": "^[0-9]+$"}, mode="serialization"),
]
"""Written as text: most readers of JSON keep no more than 53 bits of a number."""


_STRICT: Final = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class ExportedPart(BaseModel):
    """One object of the file; which columns its fields are read from is said in `personal_data.py`."""

    model_config = _STRICT


class ExportedGuild(ExportedPart):
    """The server, or the direct messages."""

    id: Id
    name: str
    direct: bool
    """Whether these are direct messages: then there is one audience, 0, and nobody else reads it."""
    time_zone: str
    """The zone of its days."""


class ExportedCategory(ExportedPart):
    """What the member chose of one kind of memory."""

    category: str
    kept: bool
    days: int | None
    """After so many days it goes; `null`: when everything of its age does."""


class ExportedMember(ExportedPart):
    """Who it is about, and how the member chose to be remembered."""

    id: Id
    user_name: str
    display_name: str
    nickname: str
    old_names: tuple[str, ...]
    """Names that were given up; they are never said to others."""
    pronouns: str
    joined_at: datetime | None
    left_at: datetime | None
    turns: int
    """Replies of the bot to the member that were counted for learning."""
    learning: bool
    """Whether the bot learns a profile."""
    opted_out: bool
    opted_in: bool
    private: bool
    """Whether others are told nothing about the member."""
    categories: tuple[ExportedCategory, ...]


class ExportedSource(ExportedPart):
    """One time that something was said."""

    origin: FactOrigin
    author: Id
    """Who said it."""
    channel: Id
    message: Id
    """The message that said it; 0 if none did."""
    said_at: datetime
    content: str
    said: str
    """The words in which it was said."""
    counts: bool
    """Whether it still bears the fact out."""


class ExportedMention(DocumentMention):
    """One message that speaks of a place."""

    model_config = _STRICT

    conversation: Id
    message: Id


class _Told(BaseModel):
    """What facts and places have in common."""

    author: Id
    """The id of the member who told it."""
    guild: Id
    audience: Id
    """0: open to everyone on the server; else the id of the channel that it belongs to."""
    channel: Id
    message: Id
    """The message that said it; 0 if none did."""
    sources: tuple[ExportedSource, ...]
    """Each time that it was said, oldest first."""

    model_config = _STRICT


class ExportedFact(_Told, DocumentFact):
    """A fact about the member, with each time that it was said."""

    model_config = _STRICT


class ExportedPlace(_Told, DocumentPlace):
    """A place of the member, with each time that it was told."""

    model_config = _STRICT

    mentions: tuple[ExportedMention, ...]


class ExportedMemory(ExportedPart):
    """The memory document: facts and places about the member, whatever their status."""

    facts: tuple[ExportedFact, ...]
    places: tuple[ExportedPlace, ...]
    metadata: DocumentMetadata


class ExportedStatement(ExportedPart):
    """Something that the member told about somebody else, or about the server (subject 0)."""

    subject: Id
    audience: Id
    category: FactCategory
    source: ExportedSource


class ExportedNaming(ExportedPart):
    """Something about somebody else, or about the server (subject 0), in which the member is named."""

    subject: Id
    audience: Id
    category: FactCategory
    author: Id
    """Who told it."""
    said_at: datetime
    content: str


class ExportedProfile(ExportedPart):
    """One version of what was learned of the member."""

    version: int
    content: str
    covers_up_to: Id
    """The newest message that it was learned from."""
    learned_at: datetime


class ExportedDay(ExportedPart):
    """The summary of a member's day."""

    day: str
    kind: str
    """`day`: what happened; `mood`: how it felt."""
    audience: Id
    content: str
    told_at: datetime


class ExportedEpisode(ExportedPart):
    """What a conversation left behind that the member took part in."""

    id: Id
    channel: Id
    audience: Id
    content: str
    importance: int
    tags: tuple[str, ...]
    ended_at: datetime


class ExportedAnswer(ExportedPart):
    """What the bot answered to a message of the member."""

    message: Id
    channel: Id
    route: str
    """What kind of answer it was."""
    parts: tuple[str, ...]
    answered_at: datetime


class ExportedWords(ExportedPart):
    """A message, by any author."""

    id: Id
    audience: Id
    kind: MessageKind
    said_at: datetime
    edited_at: datetime | None
    reply_to: Id | None
    text: str
    """Members as `<@id>`; `[secret]` stands where a secret was."""
    attachments: tuple[str, ...]


class ExportedMessage(ExportedWords):
    """A message of the member."""

    channel: Id
    withheld: RedactionReason | None
    """Why it has no text."""
    from_visitor: bool
    """Said without the server's base role: nothing is learned from it."""


class ExportedCounts(ExportedPart):
    """How much the file holds; it is written last, so a file without it was cut off."""

    facts: int = 0
    places: int = 0
    told: int = 0
    naming: int = 0
    profile: int = 0
    days: int = 0
    episodes: int = 0
    answers: int = 0
    messages: int = 0


class ExportHead(ExportedPart):
    """What a file begins with."""

    format: Literal["keepsake-export"] = FORMAT
    schema_version: Literal[1] = SCHEMA_VERSION
    exported_at: datetime
    audiences: tuple[Id, ...] | None
    """What the member could read when it was written, and the file therefore holds; `null`: everything."""
    guild: ExportedGuild
    member: ExportedMember


class MemberExport(ExportHead):
    """All that is kept about one member of a server."""

    memory: ExportedMemory
    told: tuple[ExportedStatement, ...]
    """What the member told about others."""
    naming: tuple[ExportedNaming, ...]
    """What is about others and names the member, as far as the member could be told it."""
    profile: tuple[ExportedProfile, ...]
    """The versions that are kept, newest first."""
    days: tuple[ExportedDay, ...]
    episodes: tuple[ExportedEpisode, ...]
    answers: tuple[ExportedAnswer, ...]
    messages: tuple[ExportedMessage, ...]
    """Oldest first."""
    counts: ExportedCounts


def naming(row: Fact) -> ExportedNaming:
    """Return a fact about somebody else that names the member."""
    return ExportedNaming(
        subject=row.subject_id,
        audience=row.audience,
        category=row.category,
        author=row.author_id,
        said_at=row.said_at,
        content=row.content,
    )


def fact(row: Fact, sources: Sequence[ExportedSource], *, now: datetime) -> ExportedFact:
    """Return a fact; what has expired at `now` holds no longer."""
    return ExportedFact(**document_fact(row, now=now).model_dump(), sources=tuple(sources))


def place(row: RememberedPlace, sources: Sequence[ExportedSource], *, now: datetime) -> ExportedPlace:
    """Return a place; what has expired at `now` holds no longer."""
    return ExportedPlace(**document_place(row, now=now).model_dump(), sources=tuple(sources))
