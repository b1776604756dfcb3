"""The part of memory's door by which facts are written: remembered, corrected, confirmed, taken back, forgotten."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

from bot.clock import Clock
from bot.domain import OPEN, Fact, FactStatus
from bot.memory import burying, forgetting, removals
from bot.memory import facts as fact_rules
from bot.memory.deferred import Deferred
from bot.memory.facts import Note, Remembered
from bot.memory.forgetting import Forgotten, Reach
from bot.memory.forgetting.saying import commands_of
from bot.memory.hashing import Hasher
from bot.memory.lifecycle import Contradiction, contradicting, lines
from bot.memory.lifecycle.forgotten import may_be_asked_for
from bot.memory.removals import Remover
from bot.store import facts
from bot.store import lifecycle as stored_lines
from bot.store.database import Connection, Database
from bot.store.facts import NewFact

T = TypeVar("T")


class FactWriting:
    """Everything that writes facts on request. `notify` is called after a commit that asked for background work."""

    def __init__(
        self, database: Database, clock: Clock, hasher: Hasher, *, notify: Callable[[], None]
    ) -> None:
        self._database = database
        self._clock = clock
        self._hasher = hasher
        self._notify = notify

    async def carry_out(self, deferred: Deferred[T]) -> T:
        """Run a write that no answer is written down with, in a transaction of its own; returns what came of it."""
        result = await self._database.write(deferred.run)
        self._notify()
        return result

    async def remember(self, note: Note) -> Remembered:
        """Store what `note` says; returns after the commit. The same note heard again changes nothing.

        What was learned until now is explicit from then on. Raises `InvalidInputError` if the note is empty or
        longer than a fact may be.
        """
        (remembered,) = await self.carry_out(self.remembering([note]))
        return remembered

    def remembering(self, notes: Sequence[Note]) -> Deferred[list[Remembered]]:
        """Return the write that stores what `notes` say, as `remember` does. Raises `InvalidInputError` at once."""
        given = [(fact_rules.new_fact(note), note.asked_at) for note in notes]

        async def store(connection: Connection) -> list[Remembered]:
            stored = [await self._store(connection, fact, asked_at=asked_at) for fact, asked_at in given]
            return [_never_too_late(one) for one in stored]

        return Deferred(store)

    async def correct(self, wrong: Fact, note: Note) -> Remembered | None:
        """Put what `note` says in the place of `wrong`, which is superseded by it.

        Returns `None` if `wrong` no longer holds, and changes nothing then. Raises `InvalidInputError`.
        """
        return await self.carry_out(self.correcting(wrong, note))

    def correcting(self, wrong: Fact, note: Note) -> Deferred[Remembered | None]:
        """Return the write that corrects, as `correct` does. Raises `InvalidInputError` at once."""
        right = fact_rules.new_fact(note)
        return Deferred(
            lambda connection: self._store(connection, right, asked_at=note.asked_at, instead_of=wrong)
        )

    async def forget(
        self,
        *,
        guild_id: int,
        fact_ids: Sequence[int],
        message_ids: Sequence[int] = (),
        author_ids: Sequence[int] | None = None,
        audiences: Sequence[int] = (OPEN,),
        statement: str = "",
        by: Remover | None = None,
    ) -> Forgotten:
        """Forget what a `Reach` of these may take, and return what it took."""
        reach = Reach(
            guild_id=guild_id,
            fact_ids=fact_ids,
            message_ids=message_ids,
            author_ids=author_ids,
            audiences=audiences,
            statement=statement,
            by=by,
        )
        return await self.carry_out(self.forgetting([reach]))

    def forgetting(self, reaches: Sequence[Reach]) -> Deferred[Forgotten]:
        """Return the write that forgets all that `reaches` may take; it results in what they took together.

        Facts go with what told them, and the messages that they name are withheld. Further messages that say the
        facts are withheld as well. What is about others than who asked for it is noted for the guild's log channel,
        and what it took for them to look at.
        """

        async def take(connection: Connection) -> Forgotten:
            now = self._clock.now()
            gone = Forgotten()
            for reach in reaches:
                gone += await forgetting.forget(connection, self._hasher, reach=reach, now=now)
            return gone

        return Deferred(take)

    async def take_back(self, *, guild_id: int, fact_ids: Sequence[int], by: Remover | None = None) -> int:
        """Undo the writes of these facts; what they had superseded holds again. Returns how many.

        What is about others than who asked for it (`by`) is noted for the guild's log channel.
        """
        undone, _ = await self.carry_out(self.taking_back(guild_id=guild_id, fact_ids=fact_ids, by=by))
        return undone

    def taking_back(
        self, *, guild_id: int, fact_ids: Sequence[int], by: Remover | None = None
    ) -> Deferred[tuple[int, list[Fact]]]:
        """Return the write that undoes those of these facts; it results in how many, and in what holds again."""

        async def change(connection: Connection) -> tuple[int, list[Fact]]:
            now = self._clock.now()
            wrong = await facts.with_ids(connection, guild_id=guild_id, fact_ids=fact_ids)
            await removals.note(connection, by, guild_id=guild_id, fact_ids=fact_ids, at=now)
            undone = await forgetting.take_back(
                connection, self._hasher, guild_id=guild_id, fact_ids=fact_ids, now=now
            )
            before = [fact.supersedes for fact in wrong if fact.supersedes is not None]
            known = await facts.with_ids(connection, guild_id=guild_id, fact_ids=before)
            return undone, [fact for fact in known if fact.status is FactStatus.ACTIVE]

        return Deferred(change)

    async def disown(self, *, guild_id: int, fact_ids: Sequence[int]) -> int:
        """Forget that these facts are about their subjects, who say that it was not them. Returns how many."""
        disowned = await self._database.write(
            lambda connection: forgetting.disown(
                connection, self._hasher, guild_id=guild_id, fact_ids=fact_ids, now=self._clock.now()
            )
        )
        self._notify()
        return disowned

    async def confirm(self, *, guild_id: int, fact_id: int) -> None:
        """Take a fact for certain, since its subject said that it is so."""
        now = self._clock.now()

        async def change(connection: Connection) -> None:
            held = await lines.hold_facts(connection, guild_id=guild_id, fact_ids=[fact_id])
            await stored_lines.confirm(connection, guild_id=guild_id, fact_id=fact_id, now=now)
            await lines.settled(connection, guild_id=guild_id, lines=held, now=now)

        await self._database.write(change)

    async def contradicted(
        self, *, guild_id: int, subject_id: int, audiences: Sequence[int]
    ) -> Contradiction | None:
        """Return what a member said against what they had asked to be remembered, if nobody asked them about it yet."""
        return await self._database.read(
            lambda connection: contradicting.contradicted(
                connection,
                guild_id=guild_id,
                subject_id=subject_id,
                audiences=audiences,
                now=self._clock.now(),
            )
        )

    async def asked_which(self, found: Contradiction) -> bool:
        """Note that the member is asked which of the two holds; `False` if somebody else has just asked."""
        said = found.said
        return await self._database.write(
            lambda connection: stored_lines.asked(
                connection, guild_id=said.guild_id, fact_id=said.fact_id, now=self._clock.now()
            )
        )

    def settling_which(
        self, chosen: Fact, *, cause: str, channel_id: int, message_id: int
    ) -> Deferred[Remembered | None]:
        """Return the write that lets `chosen` hold, since its subject was asked and said so in a message.

        It is explicit from then on. It results in `None`, and changes nothing, if the fact was forgotten or is no
        longer so.
        """
        said = fact_rules.said_again(
            chosen, cause=cause, channel_id=channel_id, message_id=message_id, said_at=self._clock.now()
        )

        async def change(connection: Connection) -> Remembered | None:
            await lines.hold(connection, guild_id=said.guild_id, lines=[lines.line_of(said)])
            found = await facts.with_ids(connection, guild_id=said.guild_id, fact_ids=[chosen.fact_id])
            if not found or found[0].status not in {FactStatus.ACTIVE, FactStatus.SUPERSEDED}:
                return None
            return await self._store(connection, said)

        return Deferred(change)

    async def _store(
        self,
        connection: Connection,
        fact: NewFact,
        *,
        asked_at: datetime | None = None,
        instead_of: Fact | None = None,
    ) -> Remembered | None:
        guild_id, subject_id = fact.guild_id, fact.subject_id
        if asked_at is not None and not await may_be_asked_for(
            connection, self._hasher, fact, asked_at=asked_at
        ):
            # Whoever had it forgotten did not know of this order, which was given before and is read only now.
            said_ids = sorted({fact.source_message_id, *commands_of([fact.cause])} - {0})
            await forgetting.withhold(
                connection, guild_id=guild_id, message_ids=said_ids, now=self._clock.now()
            )
            return Remembered(fact_id=None, content="", is_new=False)
        stored = await fact_rules.store(
            connection,
            fact,
            buried_key=self._hasher.buried_key(guild_id=guild_id, subject_id=subject_id, key=fact.key),
            now=self._clock.now(),
            instead_of=instead_of,
        )
        if stored is not None and stored.is_new and stored.fact_id is not None:
            await burying.lift(connection, self._hasher, fact)
        return stored


def _never_too_late(remembered: Remembered | None) -> Remembered:
    if remembered is None:
        raise ValueError("only what stands instead of another fact can come too late")
    return remembered
