"""The door to the places that members tell of: the same place twice is one place, mentioned once more."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

from bot.clock import Clock
from bot.domain import OPEN, Fact, FactStatus
from bot.memory import wording
from bot.memory.audience import View
from bot.memory.conversations import Boundaries, first_message_id
from bot.memory.hashing import Hasher
from bot.memory.lifecycle import lines
from bot.memory.lifecycle.allowed import check
from bot.memory.place_facts import (
    NewPlace,
    Placed,
    RememberedPlace,
    alike,
    name_of,
    new_fact,
    place_key,
    united,
)
from bot.memory.stones import stone_of
from bot.settings import Settings
from bot.store import facts, remembered_places, standing, tombstones
from bot.store.database import Connection, Database
from bot.store.facts import NewFact
from bot.store.remembered_places import Mention, PlaceDetails
from bot.store.sources import Line

__all__ = ["Mention", "NewPlace", "Placed", "Places", "RememberedPlace", "with_facts"]


class Places:
    """The door to the places of members. `notify` is called after a commit that asked for background work."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        hasher: Hasher,
        settings: Settings,
        *,
        notify: Callable[[], None],
    ) -> None:
        self._database = database
        self._clock = clock
        self._hasher = hasher
        self._boundaries = Boundaries(gap=timedelta(minutes=settings.conversation_gap_minutes))
        self._notify = notify

    async def of(
        self, subject_ids: Sequence[int], view: View, *, asker_id: int
    ) -> dict[int, tuple[RememberedPlace, ...]]:
        """Return by subject the places that `view` shows, those mentioned in most conversations first.

        A place that is known in the open and in a closed channel is one, where both are seen.
        """
        now = self._clock.now()

        async def read(connection: Connection) -> list[RememberedPlace]:
            found = await remembered_places.active(
                connection,
                guild_ids=[view.guild_id],
                audiences=view.audiences,
                subject_ids=subject_ids,
                now=now,
            )
            if asker_id in subject_ids and view.own_guild_ids:
                found += await remembered_places.active(
                    connection,
                    guild_ids=view.own_guild_ids,
                    audiences=[OPEN],
                    subject_ids=[asker_id],
                    now=now,
                )
            return await with_facts(connection, found)

        places = united(await self._database.read(read))
        ordered = sorted(places, key=lambda one: (-one.conversations, one.fact.fact_id))
        return {
            subject_id: tuple(one for one in ordered if one.fact.subject_id == subject_id)
            for subject_id in dict.fromkeys(one.fact.subject_id for one in ordered)
        }

    async def add(self, place: NewPlace) -> Placed:
        """Remember a place; returns after the commit. The same one again is a mention, with new notes a new version.

        Raises `InvalidInputError` for a place without a name, one that is longer than a fact may be, and one that its
        member does not want kept.
        """
        fact = new_fact(place)
        placed = await self._database.write(lambda connection: self._add(connection, place, fact))
        self._notify()
        return placed

    async def mention(self, place: NewPlace) -> Placed:
        """Mention a place that is known by its name; nothing is done if it is not."""

        async def change(connection: Connection) -> Placed:
            if await standing.absent(connection, guild_id=place.guild_id, user_ids=[place.subject_id]):
                return Placed(fact_id=None)
            await lines.hold(connection, guild_id=place.guild_id, lines=[_line(place)])
            known = await _holding(connection, place)
            if known is None:
                return Placed(fact_id=None)
            (told,) = await facts.with_ids(connection, guild_id=place.guild_id, fact_ids=[known.fact_id])
            is_mentioned = await self._described(connection, place, known.fact_id, [known])
            return Placed(fact_id=known.fact_id, content=told.content, is_mentioned=is_mentioned)

        return await self._database.write(change)

    async def _add(self, connection: Connection, place: NewPlace, fact: NewFact) -> Placed:
        guild_id, now = place.guild_id, self._clock.now()
        await check(connection, fact)
        held = await lines.hold(connection, guild_id=guild_id, lines=[_line(place)])
        known = await _holding(connection, place)
        if known is not None and (not place.notes.strip() or alike(place.notes, known.notes)):
            (told,) = await facts.with_ids(connection, guild_id=guild_id, fact_ids=[known.fact_id])
            # The same place in other words: one more time that it was said.
            fact = replace(fact, value=told.value, content=told.content)
        buried = self._hasher.buried_key(guild_id=guild_id, subject_id=place.subject_id, key=fact.key)
        (placed,) = await lines.place(connection, [fact], buried_keys=[buried], held=held, now=now)
        standings = await lines.settled(connection, guild_id=guild_id, lines=held, now=now)
        if placed.fact_id is None:
            return Placed(fact_id=None)
        holds = standings[placed.fact_id].status is FactStatus.ACTIVE
        if placed.is_repeated:
            return Placed(fact_id=placed.fact_id, content=fact.content, is_new=holds)
        await self._lift(connection, place, placed.fact_id)
        before = await remembered_places.with_ids(connection, guild_id=guild_id, fact_ids=[placed.fact_id])
        is_mentioned = await self._described(
            connection, place, placed.fact_id, [*([known] if known is not None else []), *before]
        )
        is_new = holds and placed.before is not FactStatus.ACTIVE
        return Placed(
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
            name=next(iter(names), name_of(place.name)),
            notes=next(filter(None, notes), ""),
            mentions=tuple(mentions.values()),
        )
        await remembered_places.describe(connection, described)
        return is_mentioned

    async def _lift(self, connection: Connection, place: NewPlace, fact_id: int) -> None:
        """Take down the tombstone of a place: who tells of it again wants it to be known."""
        (fact,) = await facts.with_ids(connection, guild_id=place.guild_id, fact_ids=[fact_id])
        (words,) = await wording.words_of(
            connection, guild_id=place.guild_id, texts=[fact.content], subject_ids=[place.subject_id]
        )
        stone = stone_of(
            self._hasher,
            guild_id=place.guild_id,
            subject_id=place.subject_id,
            key=place_key(place.name),
            stems=sorted(words),
        )
        await tombstones.lift(connection, guild_id=place.guild_id, stone=stone, said=stone.stem_hashes)

    async def _mention_in(self, connection: Connection, place: NewPlace) -> Mention:
        conversation_id = await first_message_id(
            connection,
            self._boundaries,
            guild_id=place.guild_id,
            channel_id=place.channel_id,
            up_to_id=place.message_id,
        )
        return Mention(
            conversation_id=conversation_id or place.message_id, message_id=place.message_id, at=place.said_at
        )


async def with_facts(connection: Connection, found: Sequence[PlaceDetails]) -> list[RememberedPlace]:
    """Return the places whose details were read with the facts that they are; one statement a guild."""
    told: dict[int, Fact] = {}
    for guild_id in dict.fromkeys(one.guild_id for one in found):
        fact_ids = [one.fact_id for one in found if one.guild_id == guild_id]
        known = await facts.with_ids(connection, guild_id=guild_id, fact_ids=fact_ids)
        told |= {fact.fact_id: fact for fact in known}
    # What was forgotten between the two reads has no text left.
    return [
        RememberedPlace(fact=fact, name=one.name, notes=one.notes, mentions=one.mentions)
        for one in found
        if (fact := told.get(one.fact_id)) is not None and fact.content
    ]


def _line(place: NewPlace) -> Line:
    return Line(
        guild_id=place.guild_id,
        subject_id=place.subject_id,
        audience=place.audience,
        key=place_key(place.name),
    )


async def _holding(connection: Connection, place: NewPlace) -> PlaceDetails | None:
    return await remembered_places.holding(
        connection,
        guild_id=place.guild_id,
        subject_id=place.subject_id,
        audience=place.audience,
        key=place_key(place.name),
    )
