"""From rows of the store to the parts of a file."""

from dataclasses import dataclass
from datetime import datetime

from bot.domain import Episode, Fact, Guild, Message
from bot.memory.documents import document_fact, document_place
from bot.memory.exporting.document import (
    ExportedAnswer,
    ExportedCategory,
    ExportedDay,
    ExportedEpisode,
    ExportedFact,
    ExportedGuild,
    ExportedMember,
    ExportedMessage,
    ExportedPlace,
    ExportedProfile,
    ExportedSource,
    ExportedStatement,
    ExportHead,
)
from bot.memory.place_facts import RememberedPlace
from bot.store.exporting import Day, Given, KnownMember, Scope, Statement
from bot.store.profiles import Profile
from bot.store.sources import Source
from bot.store.standing import MemberStanding


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
    guild: Guild, scope: Scope, known: KnownMember | None, standing: MemberStanding, *, now: datetime
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


def statement(row: Statement) -> ExportedStatement:
    """Return what the member told about somebody else."""
    return ExportedStatement(
        subject=row.subject_id, audience=row.audience, category=row.source.category, source=source(row.source)
    )


def profile(row: Profile) -> ExportedProfile:
    """Return one version of a profile."""
    return ExportedProfile(
        version=row.version, content=row.content, covers_up_to=row.covers_up_to, learned_at=row.learned_at
    )


def day(row: Day) -> ExportedDay:
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


def answer(row: Given) -> ExportedAnswer:
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
