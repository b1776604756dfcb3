"""What an exported file holds: its parts, their schema, and how each is made from rows."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, PlainSerializer, WithJsonSchema

from bot.core.domain import (
    Episode,
    Fact,
    FactCategory,
    FactOrigin,
    Guild,
    Message,
    MessageKind,
    RedactionReason,
)
from bot.memory.facts.places import RememberedPlace
from bot.memory.facts.repository_slots import Source
from bot.memory.policy.consent import MemberConsent
from bot.memory.profiles.repository import Profile
from bot.memory.recall.documents import (
    DocumentFact,
    DocumentMention,
    DocumentMetadata,
    DocumentPlace,
    document_fact,
    document_place,
)
from bot.memory.rights.exporting.repository import (
    ExportScope,
    GivenAnswer,
    MemberDetails,
    ToldDay,
    ToldStatement,
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


class _Part(BaseModel):
    model_config = _STRICT


class ExportedGuild(_Part):
    """The server, or the direct messages."""

    id: Id
    name: str
    direct: bool
    """Whether these are direct messages: then there is one audience, 0, and nobody else reads it."""
    time_zone: str
    """The zone of its days."""


class ExportedCategory(_Part):
    """What the member chose of one kind of memory."""

    category: str
    kept: bool
    days: int | None
    """After so many days it goes; `null`: when everything of its age does."""


class ExportedMember(_Part):
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


class ExportedSource(_Part):
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


class ExportedFact(DocumentFact):
    """A fact about the member, with each time that it was said."""

    model_config = _STRICT

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


class ExportedPlace(DocumentPlace):
    """A place of the member, with each time that it was told."""

    model_config = _STRICT

    author: Id
    """The id of the member who told it."""
    guild: Id
    audience: Id
    """0: open to everyone on the server; else the id of the channel that it belongs to."""
    channel: Id
    message: Id
    """The message that said it; 0 if none did."""
    mentions: tuple[ExportedMention, ...]
    sources: tuple[ExportedSource, ...]
    """Each time that it was told, oldest first."""


class ExportedMemory(_Part):
    """The memory document: facts and places about the member, whatever their status."""

    facts: tuple[ExportedFact, ...]
    places: tuple[ExportedPlace, ...]
    metadata: DocumentMetadata


class ExportedStatement(_Part):
    """Something that the member told about somebody else, or about the server (subject 0)."""

    subject: Id
    audience: Id
    category: FactCategory
    source: ExportedSource


class ExportedProfile(_Part):
    """One version of what was learned of the member."""

    version: int
    content: str
    covers_up_to: Id
    """The newest message that it was learned from."""
    learned_at: datetime


class ExportedDay(_Part):
    """What is told of the member's words of one day."""

    day: str
    audience: Id
    content: str
    told_at: datetime


class ExportedEpisode(_Part):
    """What a conversation left behind that the member took part in."""

    id: Id
    channel: Id
    audience: Id
    content: str
    importance: int
    tags: tuple[str, ...]
    ended_at: datetime


class ExportedAnswer(_Part):
    """What the bot answered to a message of the member."""

    message: Id
    channel: Id
    route: str
    """What kind of answer it was."""
    parts: tuple[str, ...]
    answered_at: datetime


class ExportedMessage(_Part):
    """A message of the member."""

    id: Id
    channel: Id
    audience: Id
    kind: MessageKind
    said_at: datetime
    edited_at: datetime | None
    reply_to: Id | None
    text: str
    """Members as `<@id>`; `[secret]` stands where a secret was."""
    attachments: tuple[str, ...]
    withheld: RedactionReason | None
    """Why it has no text."""
    from_visitor: bool
    """Said without the server's base role: nothing is learned from it."""


class ExportedCounts(_Part):
    """How much the file holds; it is written last, so a file without it was cut off."""

    facts: int = 0
    places: int = 0
    told: int = 0
    profile: int = 0
    days: int = 0
    episodes: int = 0
    answers: int = 0
    messages: int = 0


class ExportHead(_Part):
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
    profile: tuple[ExportedProfile, ...]
    """The versions that are kept, newest first."""
    days: tuple[ExportedDay, ...]
    episodes: tuple[ExportedEpisode, ...]
    answers: tuple[ExportedAnswer, ...]
    messages: tuple[ExportedMessage, ...]
    """Oldest first."""
    counts: ExportedCounts


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcedFact:
    """A fact with each time that it was said, oldest first."""

    fact: Fact
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcedPlace:
    """A place with each time that it was told, oldest first."""

    place: RememberedPlace
    sources: tuple[Source, ...]


def head(
    guild: Guild, scope: ExportScope, known: MemberDetails | None, standing: MemberConsent, *, now: datetime
) -> ExportHead:
    """Return what the file begins with; a member who is not known has no names."""
    return ExportHead(
        exported_at=now,
        audiences=None if scope.audiences is None else tuple(scope.audiences),
        guild=ExportedGuild(
            id=guild.guild_id, name=guild.name, direct=guild.direct, time_zone=guild.time_zone
        ),
        member=ExportedMember(
            id=scope.user_id,
            user_name=known.user_name if known else "",
            display_name=known.display_name if known else "",
            nickname=known.nickname if known else "",
            old_names=known.old_names if known else (),
            pronouns=known.pronouns if known else "",
            joined_at=known.joined_at if known else None,
            left_at=known.left_at if known else None,
            turns=known.turns if known else 0,
            learning=known.learning if known else True,
            opted_out=standing.opted_out,
            opted_in=standing.opted_in,
            private=standing.private,
            categories=tuple(
                ExportedCategory(category=category, kept=chosen.kept, days=chosen.days)
                for category, chosen in standing.kept_categories.items()
            ),
        ),
    )


def fact(row: SourcedFact, *, now: datetime) -> ExportedFact:
    """Return a fact; what has expired at `now` holds no longer."""
    told = document_fact(row.fact, now=now)
    return ExportedFact(**told.model_dump(), sources=tuple(map(source, row.sources)))


def place(row: SourcedPlace, *, now: datetime) -> ExportedPlace:
    """Return a place; what has expired at `now` holds no longer."""
    told = document_place(row.place, now=now)
    return ExportedPlace(**told.model_dump(), sources=tuple(map(source, row.sources)))


def source(row: Source) -> ExportedSource:
    """Return one time that something was said."""
    return ExportedSource(
        origin=row.origin,
        author=row.author_id,
        channel=row.channel_id,
        message=row.message_id,
        said_at=row.said_at,
        content=row.content,
        said=row.raw_content,
        counts=not row.ended and row.retired_by is None,
    )


def statement(row: ToldStatement) -> ExportedStatement:
    """Return what the member told about somebody else."""
    return ExportedStatement(
        subject=row.subject_id, audience=row.audience, category=row.source.category, source=source(row.source)
    )


def profile(row: Profile) -> ExportedProfile:
    """Return one version of a profile."""
    return ExportedProfile(
        version=row.version, content=row.content, covers_up_to=row.covers_up_to, learned_at=row.learned_at
    )


def day(row: ToldDay) -> ExportedDay:
    """Return what is told of a day."""
    return ExportedDay(day=row.day, audience=row.audience, content=row.content, told_at=row.built_at)


def episode(row: Episode) -> ExportedEpisode:
    """Return what a conversation left behind."""
    return ExportedEpisode(
        id=row.episode_id,
        channel=row.channel_id,
        audience=row.audience,
        content=row.content,
        importance=row.importance,
        tags=row.tags,
        ended_at=row.created_at,
    )


def answer(row: GivenAnswer) -> ExportedAnswer:
    """Return what the bot answered to a message."""
    return ExportedAnswer(
        message=row.message_id,
        channel=row.channel_id,
        route=row.route,
        parts=row.parts,
        answered_at=row.answered_at,
    )


def message(row: Message) -> ExportedMessage:
    """Return a message of the member."""
    return ExportedMessage(
        id=row.message_id,
        channel=row.channel_id,
        audience=row.audience,
        kind=row.kind,
        said_at=row.timestamp,
        edited_at=row.edited_at,
        reply_to=row.reply_to_id,
        text=row.text,
        attachments=row.attachments,
        withheld=row.withheld,
        from_visitor=row.from_visitor,
    )
