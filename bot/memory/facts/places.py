"""The places of members: a place as a fact with name, notes and mentions, when two are the same, and storing and
reading them.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from bot.core.domain import (
    MAX_FACT_CHARACTERS,
    OPEN,
    Fact,
    FactCategory,
    FactOrigin,
    FactStatus,
    Language,
    mention_of,
)
from bot.core.errors import EmptyFactError, FactTooLongError, SecretFactError
from bot.db.pool import Connection
from bot.db.rows import columns_of, json_of, row_as, rows_as
from bot.memory.derived.engine import MemoryDependencies
from bot.memory.facts import repository, repository_slots, slots
from bot.memory.facts.lifecycle import check_allowed, rules_for
from bot.memory.facts.repository import NewFact
from bot.memory.facts.repository_slots import Slot
from bot.memory.facts.statements import COMMANDED_IMPORTANCE
from bot.memory.messages.conversations import Boundaries, first_message_id
from bot.memory.policy import consent, redaction
from bot.memory.policy import repository as policy_repository
from bot.memory.policy.permissions import ReadScope
from bot.memory.policy.repository import tells_of_present
from bot.memory.policy.tombstones import tombstone_of
from bot.text import tokens
from bot.text.languages import either
from bot.text.secrets.masking import holds_secret, masked
from bot.text.sentences import say

MOST_MENTIONS: Final = 500
"""Mentions that one place keeps; the oldest go."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceMention:
    """One message that speaks of a place."""

    conversation_id: int
    """The id of the first message of the conversation in which it was said."""
    message_id: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceDetails:
    """What the details of a fact about a place hold."""

    fact_id: int
    guild_id: int
    name: str
    notes: str
    mentions: tuple[PlaceMention, ...]


DETAILS_COLUMNS: Final = columns_of(
    PlaceDetails,
    name="coalesce(details ->> 'name', '')",
    notes="coalesce(details ->> 'notes', '')",
    mentions="coalesce(details -> 'mentions', '[]')",
)


async def active_places(
    connection: Connection,
    *,
    guild_ids: Sequence[int],
    audiences: Sequence[int],
    subject_ids: Sequence[int],
    now: datetime,
) -> list[PlaceDetails]:
    """Return the places of these subjects that hold at `now` in these audiences."""
    rows = await connection.fetch(
        f"""
        SELECT {DETAILS_COLUMNS} FROM facts
        WHERE guild_id = ANY($1::bigint[]) AND audience = ANY($2::bigint[]) AND subject_id = ANY($3::bigint[])
          AND category = 'place' AND status = 'active' AND (expires_at IS NULL OR expires_at > $4)
          AND {tells_of_present("subject_id", "content", guild="guild_id", guilds="$1")}
        ORDER BY fact_id
        """,
        list(guild_ids), list(audiences), list(subject_ids), now,
    )  # fmt: skip
    return rows_as(PlaceDetails, rows)


async def places_with_ids(
    connection: Connection, *, guild_id: int, fact_ids: Sequence[int]
) -> list[PlaceDetails]:
    """Return the details of these places, in any status."""
    rows = await connection.fetch(
        f"SELECT {DETAILS_COLUMNS} FROM facts WHERE guild_id = $1"
        " AND fact_id = ANY($2::bigint[]) AND category = 'place' ORDER BY fact_id",
        guild_id, list(fact_ids),
    )  # fmt: skip
    return rows_as(PlaceDetails, rows)


async def place_holding(connection: Connection, line: Slot) -> PlaceDetails | None:
    """Return the details of the place that holds in a line, which must be held."""
    row = await connection.fetchrow(
        f"""
        SELECT {DETAILS_COLUMNS} FROM facts
        WHERE guild_id = $1 AND subject_id = $2 AND audience = $3 AND key = $4
          AND status = 'active' AND category = 'place'
        """,
        line.guild_id, line.subject_id, line.audience, line.key,
    )  # fmt: skip
    return row_as(PlaceDetails, row)


async def describe_place(connection: Connection, details: PlaceDetails) -> None:
    """Write the details of a place; its line must be held, so that no mention of another message is lost."""
    mentions = sorted(details.mentions, key=lambda one: one.message_id)[-MOST_MENTIONS:]
    kept = {"name": details.name, "notes": details.notes, "mentions": mentions}
    await connection.execute(
        "UPDATE facts SET details = details || $3::text::jsonb WHERE guild_id = $1 AND fact_id = $2",
        details.guild_id, details.fact_id, json_of(kept),
    )  # fmt: skip


_DETERMINER: Final = re.compile(rf"{either('before_a_place')}\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberedPlace:
    """A place of a member, and the fact that it is."""

    fact: Fact
    name: str
    notes: str
    mentions: tuple[PlaceMention, ...]

    @property
    def conversations(self) -> int:
        """In how many conversations it was mentioned, however often in each."""
        return len({one.conversation_id for one in self.mentions})


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPlace:
    """A place that somebody told of in a message."""

    guild_id: int
    subject_id: int
    author_id: int
    audience: int
    name: str
    notes: str = ""
    language: Language = Language.ENGLISH
    cause: str
    channel_id: int
    message_id: int
    said_at: datetime
    said: str = ""
    """The words in which it was told."""
    origin: FactOrigin = FactOrigin.TOOL

    @property
    def line(self) -> Slot:
        """Where it competes."""
        key = place_key(self.name)
        return Slot(guild_id=self.guild_id, subject_id=self.subject_id, audience=self.audience, key=key)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceOutcome:
    """What became of a place: the fact that now tells it, and what was new."""

    fact_id: int | None
    """`None` if this very note was taken back or forgotten before it was heard again, or nothing is known of it."""
    content: str = ""
    is_new: bool = False
    is_mentioned: bool = False
    """Whether a place that was known already was mentioned once more."""


def place_key(name: str) -> str:
    """Return the key of a place: "my home", "Home" and "home!" are one."""
    plain = tokens.normalised(name)
    return f"place:{_DETERMINER.sub('', plain, count=1) if _DETERMINER.match(plain) else plain}"


def united_places(places: Iterable[RememberedPlace]) -> list[RememberedPlace]:
    """Return `places` with those of one subject and one name as one: all mentions, the newest notes."""
    by_key: dict[tuple[int, int, str], RememberedPlace] = {}
    for place in sorted(places, key=lambda one: (one.fact.said_at, one.fact.fact_id)):
        key = (place.fact.guild_id, place.fact.subject_id, place.fact.key)
        older = by_key.pop(key, None)
        by_key[key] = place if older is None else _joined(older, place)
    return list(by_key.values())


def _joined(older: RememberedPlace, newer: RememberedPlace) -> RememberedPlace:
    mentions = {one.message_id: one for one in (*older.mentions, *newer.mentions)}
    return replace(newer, notes=newer.notes or older.notes, mentions=tuple(mentions.values()))


def notes_alike(one: str, other: str) -> bool:
    """Tell whether two notes say the same."""
    return tokens.normalised(one) == tokens.normalised(other)


def place_name(name: str) -> str:
    """Return a name as it is told: "my home" is "home"."""
    plain = " ".join(name.split())
    return _DETERMINER.sub("", plain, count=1) if _DETERMINER.match(plain) else plain


def place_fact(place: NewPlace) -> NewFact:
    """Return the fact that `place` is.

    Raises `EmptyFactError` without a name, `SecretFactError`, and `FactTooLongError`.
    """
    if place_key(place.name) == "place:":
        raise EmptyFactError
    if holds_secret(place.name) or holds_secret(place.notes):
        raise SecretFactError
    notes = " ".join(place.notes.split())
    who, name = mention_of(place.subject_id), place_name(place.name)
    content = (
        say("place.with_notes", place.language, who=who, name=name, notes=notes)
        if notes
        else say("place.named", place.language, who=who, name=name)
    )
    if len(content) > MAX_FACT_CHARACTERS:
        raise FactTooLongError(characters=len(content), allowed=MAX_FACT_CHARACTERS)
    return NewFact(
        guild_id=place.guild_id,
        subject_id=place.subject_id,
        audience=place.audience,
        category=FactCategory.PLACE,
        key=place_key(place.name),
        value=f"{place_name(place.name)}: {notes}" if notes else place_name(place.name),
        content=content,
        raw_content=masked(place.said or content),
        importance=COMMANDED_IMPORTANCE,
        confidence=1.0,
        origin=place.origin,
        author_id=place.author_id,
        source_channel_id=place.channel_id,
        source_message_id=place.message_id,
        cause=place.cause,
        said_at=place.said_at,
    )


class Places:
    """The door to the places of members. `notify` is called after a commit that asked for background work."""

    def __init__(self, needs: MemoryDependencies) -> None:
        self._database = needs.database
        self._clock = needs.clock
        self._hasher = needs.hasher
        self._boundaries = Boundaries(gap=needs.gap)
        self._notify = needs.notify

    async def of(
        self, subject_ids: Sequence[int], view: ReadScope, *, asker_id: int
    ) -> dict[int, tuple[RememberedPlace, ...]]:
        """Return by subject the places that `view` shows, those mentioned in most conversations first.

        A place that is known in the open and in a closed channel is one, where both are seen.
        """
        now = self._clock.now()

        async def read(connection: Connection) -> list[RememberedPlace]:
            found = await active_places(
                connection,
                guild_ids=[view.guild_id],
                audiences=view.audiences,
                subject_ids=subject_ids,
                now=now,
            )
            if asker_id in subject_ids and view.own_guild_ids:
                found += await active_places(
                    connection,
                    guild_ids=view.own_guild_ids,
                    audiences=[OPEN],
                    subject_ids=[asker_id],
                    now=now,
                )
            return await with_facts(connection, found)

        places = united_places(await self._database.read(read))
        ordered = sorted(places, key=lambda one: (-one.conversations, one.fact.fact_id))
        return {
            subject_id: tuple(one for one in ordered if one.fact.subject_id == subject_id)
            for subject_id in dict.fromkeys(one.fact.subject_id for one in ordered)
        }

    async def add(self, place: NewPlace) -> PlaceOutcome:
        """Remember a place; returns after the commit. The same one again is a mention, with new notes a new version.

        Raises `InvalidInputError` for a place without a name, one that is longer than a fact may be, and one that its
        member does not want kept.
        """
        fact = place_fact(place)
        placed = await self._database.write(self._add, place, fact)
        self._notify()
        return placed

    async def mention(self, place: NewPlace) -> PlaceOutcome:
        """Mention a place that is known by its name; nothing is done if it is not."""

        async def change(connection: Connection) -> PlaceOutcome:
            if await consent.opted_out(connection, guild_id=place.guild_id, user_ids=[place.subject_id]):
                return PlaceOutcome(fact_id=None)
            await repository_slots.hold_slots(connection, guild_id=place.guild_id, lines=[place.line])
            known = await place_holding(connection, place.line)
            if known is None:
                return PlaceOutcome(fact_id=None)
            (told,) = await repository.facts_with_ids(
                connection, guild_id=place.guild_id, fact_ids=[known.fact_id]
            )
            is_mentioned = await self._described(connection, place, known.fact_id, [known])
            return PlaceOutcome(fact_id=known.fact_id, content=told.content, is_mentioned=is_mentioned)

        return await self._database.write(change)

    async def _add(self, connection: Connection, place: NewPlace, fact: NewFact) -> PlaceOutcome:
        guild_id, now = place.guild_id, self._clock.now()
        check_allowed(await rules_for(connection, self._hasher, [fact], guild_id=guild_id), fact)
        held = await repository_slots.hold_slots(connection, guild_id=guild_id, lines=[place.line])
        known = await place_holding(connection, place.line)
        if known is not None and (not place.notes.strip() or notes_alike(place.notes, known.notes)):
            (told,) = await repository.facts_with_ids(connection, guild_id=guild_id, fact_ids=[known.fact_id])
            # The same place in other words: one more time that it was said.
            fact = replace(fact, value=told.value, content=told.content)
        buried = self._hasher.buried_key(guild_id=guild_id, subject_id=place.subject_id, key=fact.key)
        loaded = await repository_slots.load_slots(
            connection, guild_id=guild_id, lines=held, buried_keys=[buried]
        )
        (placed,), slots_now = await slots.put_into_slots(
            connection, [fact], buried_keys=[buried], known=loaded, now=now
        )
        standings = await slots.settle_loaded(connection, slots_now, now=now)
        if placed.fact_id is None:
            return PlaceOutcome(fact_id=None)
        holds = standings[placed.fact_id].status is FactStatus.ACTIVE
        if placed.is_repeated:
            return PlaceOutcome(fact_id=placed.fact_id, content=fact.content, is_new=holds)
        await self._lift(connection, place, placed.fact_id)
        before = await places_with_ids(connection, guild_id=guild_id, fact_ids=[placed.fact_id])
        is_mentioned = await self._described(
            connection, place, placed.fact_id, [*([known] if known is not None else []), *before]
        )
        is_new = holds and placed.before is not FactStatus.ACTIVE
        return PlaceOutcome(
            fact_id=placed.fact_id,
            content=fact.content,
            is_new=is_new,
            is_mentioned=is_mentioned and not is_new,
        )

    async def _described(
        self, connection: Connection, place: NewPlace, fact_id: int, before: Sequence[PlaceDetails]
    ) -> bool:
        """Write what is known of a place now; `False` if this message was among its mentions before."""
        mentions = {one.message_id: one for details in before for one in details.mentions}
        is_mentioned = place.message_id not in mentions
        if is_mentioned:
            mentions[place.message_id] = await self._mention_in(connection, place)
        names = [details.name for details in before if details.name]
        notes = [" ".join(place.notes.split()), *(details.notes for details in before)]
        described = PlaceDetails(
            fact_id=fact_id,
            guild_id=place.guild_id,
            name=next(iter(names), place_name(place.name)),
            notes=next(filter(None, notes), ""),
            mentions=tuple(mentions.values()),
        )
        await describe_place(connection, described)
        return is_mentioned

    async def _lift(self, connection: Connection, place: NewPlace, fact_id: int) -> None:
        """Take down the tombstone of a place: who tells of it again wants it to be known."""
        (fact,) = await repository.facts_with_ids(connection, guild_id=place.guild_id, fact_ids=[fact_id])
        words = await redaction.stemmed(connection, guild_id=place.guild_id, texts=[fact.content])
        stone = tombstone_of(
            self._hasher,
            guild_id=place.guild_id,
            subject_id=place.subject_id,
            key=place_key(place.name),
            stems=sorted(words.needed(fact.content, subject_id=place.subject_id)),
        )
        await policy_repository.remove_tombstones(
            connection, guild_id=place.guild_id, stones=[stone], said=stone.stem_hashes
        )

    async def _mention_in(self, connection: Connection, place: NewPlace) -> PlaceMention:
        conversation_id = await first_message_id(
            connection,
            self._boundaries,
            guild_id=place.guild_id,
            channel_id=place.channel_id,
            up_to_id=place.message_id,
        )
        return PlaceMention(
            conversation_id=conversation_id or place.message_id, message_id=place.message_id, at=place.said_at
        )


async def with_facts(connection: Connection, found: Sequence[PlaceDetails]) -> list[RememberedPlace]:
    """Return the places whose details were read with the facts that they are; one statement a guild."""
    told: dict[int, Fact] = {}
    for guild_id in dict.fromkeys(one.guild_id for one in found):
        fact_ids = [one.fact_id for one in found if one.guild_id == guild_id]
        known = await repository.facts_with_ids(connection, guild_id=guild_id, fact_ids=fact_ids)
        told |= {fact.fact_id: fact for fact in known}
    # What was forgotten between the two reads has no text left.
    return [
        RememberedPlace(fact=fact, name=one.name, notes=one.notes, mentions=one.mentions)
        for one in found
        if (fact := told.get(one.fact_id)) is not None and fact.content
    ]
