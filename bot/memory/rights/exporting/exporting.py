"""Writing the file that hands out all that is kept about one member, page by page, without what it would
tell of others.
"""

from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Final, TypeVar

from pydantic import BaseModel

from bot.core.clock import Clock
from bot.core.domain import OPEN, Episode, FactStatus
from bot.core.errors import ExportTooLargeError, InvalidInputError
from bot.db.pool import Connection, Database
from bot.llm.framing import mentioned_in
from bot.memory.facts import places as facts_places
from bot.memory.facts.places import RememberedPlace
from bot.memory.facts.repository_slots import Source
from bot.memory.guilds import repository as guilds_repository
from bot.memory.policy import consent
from bot.memory.policy.disclosure import without_naming
from bot.memory.profiles import repository as profiles_repository
from bot.memory.profiles.repository import Profile
from bot.memory.recall.documents import DocumentMetadata
from bot.memory.rights.exporting import document, repository
from bot.memory.rights.exporting.document import (
    ExportedCounts,
    ExportedFact,
    ExportedPlace,
    ExportedProfile,
    ExportHead,
    SourcedFact,
    SourcedPlace,
)
from bot.memory.rights.exporting.repository import ExportScope, ToldDay

ToldT = TypeVar("ToldT", ToldDay, Episode, Profile)


async def discreet(connection: Connection, scope: ExportScope, rows: Sequence[ToldT]) -> list[ToldT]:
    """Return `rows` without the sentences that name others who are private, or of whom nothing is kept.

    Of which nothing is left is left out.
    """
    named = sorted({user_id for row in rows for user_id in mentioned_in(row.content)} - {scope.user_id})
    absent = await consent.opted_out(connection, guild_id=scope.guild_id, user_ids=named)
    private = await consent.private_members(connection, guild_id=scope.guild_id, user_ids=named)
    told = (replace(row, content=without_naming(row.content, absent | private)) for row in rows)
    return [row for row in told if row.content]


PartT = TypeVar("PartT", bound=BaseModel)


class ExportWriter:
    """Writes lists of one file, and counts what is in them."""

    def __init__(self) -> None:
        self._counted: dict[str, int] = {}

    @property
    def counts(self) -> ExportedCounts:
        """How much was written until now."""
        return ExportedCounts(**self._counted)

    async def listed(
        self,
        name: str,
        pages: AsyncIterator[Sequence[PartT]],
        *,
        seen: Callable[[PartT], None] = lambda _: None,
    ) -> AsyncIterator[bytes]:
        """Yield a list under its name, a page at a time; `seen` is shown each part."""
        yield f'"{name}":['.encode()
        written = 0
        async for page in pages:
            for part in page:
                seen(part)
            if page:
                yield (b",\n" if written else b"\n") + b",\n".join(
                    part.model_dump_json().encode() for part in page
                )
                written += len(page)
        self._counted[name] = written
        yield b"]"


class MetadataTally:
    """Adds up what a memory document says about itself, while it is written."""

    def __init__(self) -> None:
        self._facts = self._active = self._places = self._tokens = 0

    def add(self, part: ExportedFact | ExportedPlace) -> None:
        """Count a fact or a place."""
        if isinstance(part, ExportedPlace):
            self._places += 1
        else:
            self._facts += 1
            self._active += part.status is FactStatus.ACTIVE
        self._tokens += part.tokens

    def metadata(self, *, last_updated: datetime | None) -> DocumentMetadata:
        """Return what the document says about itself."""
        return DocumentMetadata(
            last_updated=last_updated,
            total_facts=self._facts,
            total_active_facts=self._active,
            total_places=self._places,
            token_count=self._tokens,
        )


def opened(head: BaseModel) -> bytes:
    """Return the beginning of an object that holds the fields of `head` and more after them."""
    return head.model_dump_json().removesuffix("}").encode()


def field(name: str, value: BaseModel) -> bytes:
    """Return one field of an object."""
    return f'"{name}":'.encode() + value.model_dump_json().encode()


MOST_BYTES: Final = 64 * 1024 * 1024
"""The longest file that is made in memory: what is longer does not fit into a message of Discord, packed or not."""

_PAGE_ROWS: Final = 500
_BEGINNING: Final = datetime(1970, 1, 1, tzinfo=UTC)

RowT = TypeVar("RowT")
CursorT = TypeVar("CursorT")


class Exporting:
    """Makes files of all that is kept about members; `docs/export.md` says what they hold."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def guilds_of(self, user_id: int) -> list[int]:
        """Return the ids of the guilds that keep anything of a member."""
        return await self._database.read(repository.guilds_of, user_id=user_id)

    async def export(
        self, *, guild_id: int, user_id: int, audiences: Sequence[int] | None, most_bytes: int = MOST_BYTES
    ) -> bytes:
        """Return the file of a member as `pieces` makes it.

        Raises `ExportTooLargeError` if it has more than `most_bytes`, and what `pieces` raises.
        """
        made = bytearray()
        async for piece in self.pieces(guild_id=guild_id, user_id=user_id, audiences=audiences):
            made += piece
            if len(made) > most_bytes:
                raise ExportTooLargeError(allowed_bytes=most_bytes)
        return bytes(made)

    async def pieces(
        self, *, guild_id: int, user_id: int, audiences: Sequence[int] | None
    ) -> AsyncIterator[bytes]:
        """Yield the file of a member piece by piece: UTF-8, an `Export` in JSON.

        It holds what is of `audiences`, those that the member can read; all if that is `None`. What changes while
        it is made is in it as it was or as it is. Raises `InvalidInputError` for a guild that is not known.
        """
        readable = None if audiences is None else list(audiences)
        scope = ExportScope(guild_id=guild_id, user_id=user_id, audiences=readable)
        writing, tally, now = ExportWriter(), MetadataTally(), self._clock.now()
        yield opened(await self._head(scope)) + b',\n"memory":{'
        facts = self._paged(scope, _facts, 0, lambda row: row.fact.fact_id, partial(document.fact, now=now))
        async for piece in writing.listed("facts", facts, seen=tally.add):
            yield piece
        yield b",\n"
        places = self._paged(
            scope, _places, 0, lambda row: row.place.fact.fact_id, partial(document.place, now=now)
        )
        async for piece in writing.listed("places", places, seen=tally.add):
            yield piece
        changed = await self._database.read(repository.last_change, scope)
        yield b",\n" + field("metadata", tally.metadata(last_updated=changed)) + b"},\n"
        for name, pages in self._lists(scope).items():
            async for piece in writing.listed(name, pages):
                yield piece
            yield b",\n"
        yield field("counts", writing.counts) + b"}\n"

    async def _head(self, scope: ExportScope) -> ExportHead:
        async def read(connection: Connection) -> ExportHead:
            guild = await guilds_repository.guild(connection, guild_id=scope.guild_id)
            if guild is None:
                raise InvalidInputError(
                    f"guild {scope.guild_id} is not known: it must be one that the bot is or was in"
                )
            known = await repository.member(connection, guild_id=scope.guild_id, user_id=scope.user_id)
            chosen = await consent.consent_of(connection, guild_id=scope.guild_id, user_id=scope.user_id)
            return document.head(guild, scope, known, chosen, now=self._clock.now())

        return await self._database.read(read)

    def _lists(self, scope: ExportScope) -> Mapping[str, AsyncIterator[Sequence[BaseModel]]]:
        """Return the lists of a file after the memory document, in their order."""
        return {
            "told": self._paged(
                scope, repository.statements, 0, lambda row: row.source.source_id, document.statement
            ),
            "profile": self._profile(scope),
            "days": self._paged(
                scope,
                repository.days,
                ("", 0),
                lambda row: (row.day, row.audience),
                document.day,
                told=discreet,
            ),
            "episodes": self._paged(
                scope, repository.episodes_of, 0, lambda row: row.episode_id, document.episode, told=discreet
            ),
            "answers": self._paged(scope, repository.answers, 0, lambda row: row.message_id, document.answer),
            "messages": self._paged(
                scope,
                repository.messages,
                (_BEGINNING, 0),
                lambda row: (row.timestamp, row.message_id),
                document.message,
            ),
        }

    async def _paged(
        self,
        scope: ExportScope,
        read: Callable[[Connection, ExportScope, CursorT, int], Awaitable[list[RowT]]],
        first: CursorT,
        cursor_of: Callable[[RowT], CursorT],
        part_of: Callable[[RowT], PartT],
        told: Callable[[Connection, ExportScope, Sequence[RowT]], Awaitable[list[RowT]]] | None = None,
    ) -> AsyncIterator[list[PartT]]:
        """Yield what `read` finds as parts of the file, a page at a time, each from the last row of the other on.

        With `told` only what that leaves of a page.
        """
        after = first
        while page := await self._database.read(partial(_page, read, scope, after)):
            rows = (
                page if told is None else await self._database.read(partial(_told_texts, told, scope, page))
            )
            yield [part_of(row) for row in rows]
            after = cursor_of(page[-1])

    async def _profile(self, scope: ExportScope) -> AsyncIterator[list[ExportedProfile]]:
        """Yield the versions of the profile, newest first; a profile is open."""
        if scope.audiences is not None and OPEN not in scope.audiences:
            return
        kept = await self._database.read(
            profiles_repository.profile_versions, guild_id=scope.guild_id, user_id=scope.user_id
        )
        told = await self._database.read(discreet, scope, kept)
        yield [document.profile(version) for version in told]


async def _page(
    read: Callable[[Connection, ExportScope, CursorT, int], Awaitable[list[RowT]]],
    scope: ExportScope,
    after: CursorT,
    connection: Connection,
) -> list[RowT]:
    return await read(connection, scope, after, _PAGE_ROWS)


async def _told_texts(
    told: Callable[[Connection, ExportScope, Sequence[RowT]], Awaitable[list[RowT]]],
    scope: ExportScope,
    page: Sequence[RowT],
    connection: Connection,
) -> list[RowT]:
    return await told(connection, scope, page)


async def _facts(connection: Connection, scope: ExportScope, after_id: int, limit: int) -> list[SourcedFact]:
    found = await repository.facts_about(connection, scope, after_id, limit)
    sources = await _sources(connection, scope, [fact.fact_id for fact in found])
    return [SourcedFact(fact=fact, sources=tuple(sources[fact.fact_id])) for fact in found]


async def _places(
    connection: Connection, scope: ExportScope, after_id: int, limit: int
) -> list[SourcedPlace]:
    found = await repository.places_about(connection, scope, after_id, limit)
    fact_ids = [fact.fact_id for fact in found]
    read = await facts_places.places_with_ids(connection, guild_id=scope.guild_id, fact_ids=fact_ids)
    details = {one.fact_id: one for one in read}
    sources = await _sources(connection, scope, fact_ids)
    return [
        SourcedPlace(
            place=RememberedPlace(
                fact=fact,
                name=details[fact.fact_id].name,
                notes=details[fact.fact_id].notes,
                mentions=details[fact.fact_id].mentions,
            ),
            sources=tuple(sources[fact.fact_id]),
        )
        for fact in found
        if fact.fact_id in details
    ]


async def _sources(
    connection: Connection, scope: ExportScope, fact_ids: Sequence[int]
) -> Mapping[int, Sequence[Source]]:
    """Return each time that these facts were said, by fact."""
    by_fact: dict[int, list[Source]] = defaultdict(list)
    for source in await repository.sources_of(connection, guild_id=scope.guild_id, fact_ids=fact_ids):
        by_fact[source.fact_id].append(source)
    return by_fact
