"""Handing out all that is kept about one member of a guild, page by page."""

from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Final, TypeVar

from pydantic import BaseModel

from bot.clock import Clock
from bot.domain import OPEN
from bot.errors import ExportTooLargeError, InvalidInputError
from bot.memory.exporting import parts
from bot.memory.exporting.discreet import discreet
from bot.memory.exporting.document import ExportedProfile, ExportHead
from bot.memory.exporting.parts import SourcedFact, SourcedPlace
from bot.memory.exporting.writing import Tally, Writing, field, opened
from bot.memory.place_facts import RememberedPlace
from bot.store import exporting, guilds, profiles, remembered_places, standing
from bot.store.database import Connection, Database
from bot.store.exporting import Scope
from bot.store.sources import Source

MOST_BYTES: Final = 64 * 1024 * 1024
"""The longest file that is made in memory: what is longer does not fit into a message of Discord, packed or not."""

_PAGE_ROWS: Final = 500
_BEGINNING: Final = datetime(1970, 1, 1, tzinfo=UTC)

RowT = TypeVar("RowT")
CursorT = TypeVar("CursorT")
PartT = TypeVar("PartT", bound=BaseModel)


class Exporting:
    """Makes files of all that is kept about members; `docs/export.md` says what they hold."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def guilds_of(self, user_id: int) -> list[int]:
        """Return the ids of the guilds that keep anything of a member."""
        return await self._database.read(lambda connection: exporting.guilds_of(connection, user_id=user_id))

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
        scope = Scope(guild_id=guild_id, user_id=user_id, audiences=readable)
        writing, tally, now = Writing(), Tally(), self._clock.now()
        yield opened(await self._head(scope)) + b',\n"memory":{'
        facts = self._paged(scope, _facts, 0, lambda row: row.fact.fact_id, partial(parts.fact, now=now))
        async for piece in writing.listed("facts", facts, seen=tally.add):
            yield piece
        yield b",\n"
        places = self._paged(
            scope, _places, 0, lambda row: row.place.fact.fact_id, partial(parts.place, now=now)
        )
        async for piece in writing.listed("places", places, seen=tally.add):
            yield piece
        changed = await self._database.read(lambda connection: exporting.last_change(connection, scope))
        yield b",\n" + field("metadata", tally.metadata(last_updated=changed)) + b"},\n"
        for name, pages in self._lists(scope).items():
            async for piece in writing.listed(name, pages):
                yield piece
            yield b",\n"
        yield field("counts", writing.counts) + b"}\n"

    async def _head(self, scope: Scope) -> ExportHead:
        async def read(connection: Connection) -> ExportHead:
            guild = await guilds.guild(connection, guild_id=scope.guild_id)
            if guild is None:
                raise InvalidInputError(
                    f"guild {scope.guild_id} is not known: it must be one that the bot is or was in"
                )
            known = await exporting.member(connection, guild_id=scope.guild_id, user_id=scope.user_id)
            chosen = await standing.of_member(connection, guild_id=scope.guild_id, user_id=scope.user_id)
            return parts.head(guild, scope, known, chosen, now=self._clock.now())

        return await self._database.read(read)

    def _lists(self, scope: Scope) -> Mapping[str, AsyncIterator[Sequence[BaseModel]]]:
        """Return the lists of a file after the memory document, in their order."""
        return {
            "told": self._paged(
                scope, exporting.statements, 0, lambda row: row.source.source_id, parts.statement
            ),
            "profile": self._profile(scope),
            "days": self._paged(
                scope, exporting.days, ("", 0), lambda row: (row.day, row.audience), parts.day, told=discreet
            ),
            "episodes": self._paged(
                scope, exporting.episodes_of, 0, lambda row: row.episode_id, parts.episode, told=discreet
            ),
            "answers": self._paged(scope, exporting.answers, 0, lambda row: row.message_id, parts.answer),
            "messages": self._paged(
                scope,
                exporting.messages,
                (_BEGINNING, 0),
                lambda row: (row.timestamp, row.message_id),
                parts.message,
            ),
        }

    async def _paged(
        self,
        scope: Scope,
        read: Callable[[Connection, Scope, CursorT, int], Awaitable[list[RowT]]],
        first: CursorT,
        cursor_of: Callable[[RowT], CursorT],
        part_of: Callable[[RowT], PartT],
        told: Callable[[Connection, Scope, Sequence[RowT]], Awaitable[list[RowT]]] | None = None,
    ) -> AsyncIterator[list[PartT]]:
        """Yield what `read` finds as parts of the file, a page at a time, each from the last row of the other on.

        With `told` only what that leaves of a page.
        """
        after = first
        while page := await self._database.read(partial(_page, read, scope, after)):
            rows = page if told is None else await self._database.read(partial(_told, told, scope, page))
            yield [part_of(row) for row in rows]
            after = cursor_of(page[-1])

    async def _profile(self, scope: Scope) -> AsyncIterator[list[ExportedProfile]]:
        """Yield the versions of the profile, newest first; a profile is open."""
        if scope.audiences is not None and OPEN not in scope.audiences:
            return
        kept = await self._database.read(
            lambda connection: profiles.versions(connection, guild_id=scope.guild_id, user_id=scope.user_id)
        )
        told = await self._database.read(lambda connection: discreet(connection, scope, kept))
        yield [parts.profile(version) for version in told]


async def _page(
    read: Callable[[Connection, Scope, CursorT, int], Awaitable[list[RowT]]],
    scope: Scope,
    after: CursorT,
    connection: Connection,
) -> list[RowT]:
    return await read(connection, scope, after, _PAGE_ROWS)


async def _told(
    told: Callable[[Connection, Scope, Sequence[RowT]], Awaitable[list[RowT]]],
    scope: Scope,
    page: Sequence[RowT],
    connection: Connection,
) -> list[RowT]:
    return await told(connection, scope, page)


async def _facts(connection: Connection, scope: Scope, after_id: int, limit: int) -> list[SourcedFact]:
    found = await exporting.facts_about(connection, scope, after_id, limit)
    sources = await _sources(connection, scope, [fact.fact_id for fact in found])
    return [SourcedFact(fact=fact, sources=tuple(sources[fact.fact_id])) for fact in found]


async def _places(connection: Connection, scope: Scope, after_id: int, limit: int) -> list[SourcedPlace]:
    found = await exporting.places_about(connection, scope, after_id, limit)
    fact_ids = [fact.fact_id for fact in found]
    read = await remembered_places.with_ids(connection, guild_id=scope.guild_id, fact_ids=fact_ids)
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
    connection: Connection, scope: Scope, fact_ids: Sequence[int]
) -> Mapping[int, Sequence[Source]]:
    """Return each time that these facts were said, by fact."""
    by_fact: dict[int, list[Source]] = defaultdict(list)
    for source in await exporting.sources_of(connection, guild_id=scope.guild_id, fact_ids=fact_ids):
        by_fact[source.fact_id].append(source)
    return by_fact
