"""Writes the export of everything kept about one member, page by page, without what it would reveal about others."""

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final, TypeVar

from pydantic import BaseModel

from bot.core.clock import Clock
from bot.core.domain import GUILD_SUBJECT, NOBODY, Fact, FactStatus
from bot.core.errors import ExportTooLargeError, InvalidInputError
from bot.db.pool import Connection, Database, Statement
from bot.llm.framing import mentioned_in
from bot.memory.facts import places
from bot.memory.guilds import repository as guilds_repository
from bot.memory.policy import consent
from bot.memory.policy.disclosure import (
    DisclosureLevel,
    disclosure_level,
    may_be_disclosed,
    without_naming,
)
from bot.memory.recall.documents import DocumentMetadata
from bot.memory.rights.exporting import document, repository
from bot.memory.rights.exporting.document import (
    ExportedCounts,
    ExportedDay,
    ExportedEpisode,
    ExportedFact,
    ExportedPart,
    ExportedPlace,
    ExportedProfile,
    ExportHead,
)
from bot.memory.rights.exporting.repository import ExportScope, RowPage


async def discreet(
    connection: Connection, scope: ExportScope, parts: Sequence[ExportedPart]
) -> list[ExportedPart]:
    """Return `parts` without the sentences that name others who are private or about whom nothing is kept, and without
    parts that become empty.
    """
    told = [one for one in parts if isinstance(one, ExportedDay | ExportedEpisode | ExportedProfile)]
    named = sorted({user_id for one in told for user_id in mentioned_in(one.content)} - {scope.user_id})
    absent = await consent.opted_out(connection, guild_id=scope.guild_id, user_ids=named)
    private = await consent.private_members(connection, guild_id=scope.guild_id, user_ids=named)
    left = ((one, without_naming(one.content, absent | private)) for one in told)
    return [one.model_copy(update={"content": content}) for one, content in left if content]


async def told_to_member(connection: Connection, scope: ExportScope, facts: Sequence[Fact]) -> list[Fact]:
    """Return those of these facts about others that the member could be told, who asks for them."""
    concerned = {fact.fact_id: {fact.subject_id, *mentioned_in(fact.content)} for fact in facts}
    others = sorted(set().union(*concerned.values()) - {scope.user_id, GUILD_SUBJECT})
    guild = await guilds_repository.guild(connection, guild_id=scope.guild_id)
    absent = await consent.opted_out(connection, guild_id=scope.guild_id, user_ids=others)
    private = await consent.private_members(connection, guild_id=scope.guild_id, user_ids=others)

    def level(fact: Fact) -> DisclosureLevel:
        return disclosure_level(
            guild,
            asker_id=scope.user_id,
            subject_id=NOBODY if fact.is_about_a_name else fact.subject_id,
            from_moderator=False,
            is_private=False,
        )

    return [
        fact
        for fact in facts
        if concerned[fact.fact_id].isdisjoint(absent | private)
        and may_be_disclosed(fact, level(fact), asker_id=scope.user_id)
    ]


class ExportWriter:
    """Writes lists of one file, and counts what is in them."""

    def __init__(self) -> None:
        self._counted: dict[str, int] = {}

    @property
    def counts(self) -> ExportedCounts:
        """How much was written until now."""
        return ExportedCounts(**self._counted)

    async def listed(self, name: str, pages: AsyncIterator[Sequence[BaseModel]]) -> AsyncIterator[bytes]:
        """Yield a list under its name, a page at a time."""
        yield f'"{name}":['.encode()
        written = 0
        async for page in pages:
            if page:
                yield (b",\n" if written else b"\n") + b",\n".join(
                    part.model_dump_json().encode() for part in page
                )
                written += len(page)
        self._counted[name] = written
        yield b"]"


def opened(head: BaseModel) -> bytes:
    """Return the beginning of an object that holds the fields of `head` and more after them."""
    return head.model_dump_json().removesuffix("}").encode()


def field(name: str, value: BaseModel) -> bytes:
    """Return one field of an object."""
    return f'"{name}":'.encode() + value.model_dump_json().encode()


MOST_BYTES: Final = 64 * 1024 * 1024
"""The longest file that is made in memory: what is longer does not fit into a message of Discord, packed or not."""

_PAGE_ROWS: Final = 500

MemoryT = TypeVar("MemoryT", ExportedFact, ExportedPlace)


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
        writing, tally, now = ExportWriter(), Counter[str](), self._clock.now()
        yield opened(await self._head(scope)) + b',\n"memory":{'
        async for piece in writing.listed("facts", self._memories(scope, _facts, now, tally)):
            yield piece
        yield b",\n"
        async for piece in writing.listed("places", self._memories(scope, _places, now, tally)):
            yield piece
        metadata = DocumentMetadata(
            last_updated=await self._database.read(repository.last_change, scope),
            total_facts=writing.counts.facts,
            total_active_facts=tally["active"],
            total_places=writing.counts.places,
            token_count=tally["tokens"],
        )
        yield b",\n" + field("metadata", metadata) + b"},\n"
        async for piece in writing.listed("naming", self._naming(scope, now)):
            yield piece
        yield b",\n"
        for name in repository.LISTS:
            async for piece in writing.listed(name, self._paged(scope, name)):
                yield piece
            yield b",\n"
        yield field("counts", writing.counts) + b"}\n"

    async def page(
        self,
        name: str,
        *,
        guild_id: int,
        user_id: int,
        audiences: Sequence[int],
        after: tuple[object, ...] | None,
        limit: int,
    ) -> RowPage | None:
        """Return a page of one of the lists of a member's file, as `name` calls it there; `None` if none is left.

        It begins behind the row `after`, which the page before ended with, or with the first (`None`).
        """
        scope = ExportScope(guild_id=guild_id, user_id=user_id, audiences=list(audiences))
        return await self._page(scope, name, after, limit)

    async def _page(
        self, scope: ExportScope, name: str, after: tuple[object, ...] | None, limit: int
    ) -> RowPage | None:
        part = repository.LISTS[name]
        begins = part.first if after is None else after
        page = await self._database.read(repository.page_of, scope, part, begins, limit)
        if page is None or not part.is_generated:
            return page
        return replace(page, parts=await self._database.read(discreet, scope, page.parts))

    async def _head(self, scope: ExportScope) -> ExportHead:
        async def read(connection: Connection) -> ExportHead:
            guild = await repository.guild(connection, scope)
            if guild is None:
                raise InvalidInputError(
                    f"guild {scope.guild_id} is not known: it must be one that the bot is or was in"
                )
            return ExportHead(
                exported_at=self._clock.now(),
                audiences=None if scope.audiences is None else tuple(scope.audiences),
                guild=guild,
                member=await repository.member(connection, scope),
            )

        return await self._database.read(read)

    async def _paged(self, scope: ExportScope, name: str) -> AsyncIterator[Sequence[ExportedPart]]:
        """Yield a list of the file a page at a time, each from the last row of the other on."""
        after = None
        while page := await self._page(scope, name, after, _PAGE_ROWS):
            yield page.parts
            after = page.last

    async def _naming(self, scope: ExportScope, now: datetime) -> AsyncIterator[Sequence[ExportedPart]]:
        """Yield what is about others and names the member, a page at a time."""
        after_id = 0
        while found := await self._database.read(repository.facts_naming, scope, after_id, now, _PAGE_ROWS):
            told = await self._database.read(told_to_member, scope, found)
            yield [document.naming(fact) for fact in told]
            after_id = found[-1].fact_id

    async def _memories(
        self,
        scope: ExportScope,
        read: Statement[[ExportScope, int, datetime], list[MemoryT]],
        now: datetime,
        tally: Counter[str],
    ) -> AsyncIterator[Sequence[MemoryT]]:
        """Yield facts or places a page at a time; `tally` adds up their tokens, and the facts that are active."""
        after_id = 0
        while page := await self._database.read(read, scope, after_id, now):
            for part in page:
                tally["tokens"] += part.tokens
                tally["active"] += isinstance(part, ExportedFact) and part.status is FactStatus.ACTIVE
            yield page
            after_id = int(page[-1].id)


async def _facts(
    connection: Connection, scope: ExportScope, after_id: int, now: datetime
) -> list[ExportedFact]:
    found = await repository.facts_about(connection, scope, after_id, _PAGE_ROWS, places=False)
    sources = await repository.sources_of(
        connection, guild_id=scope.guild_id, fact_ids=[fact.fact_id for fact in found]
    )
    return [document.fact(fact, sources.get(fact.fact_id, ()), now=now) for fact in found]


async def _places(
    connection: Connection, scope: ExportScope, after_id: int, now: datetime
) -> list[ExportedPlace]:
    found = await repository.facts_about(connection, scope, after_id, _PAGE_ROWS, places=True)
    fact_ids = [fact.fact_id for fact in found]
    sources = await repository.sources_of(connection, guild_id=scope.guild_id, fact_ids=fact_ids)
    details = await places.places_with_ids(connection, guild_id=scope.guild_id, fact_ids=fact_ids)
    return [
        document.place(place, sources.get(place.fact.fact_id, ()), now=now)
        for place in await places.with_facts(connection, details)
    ]
