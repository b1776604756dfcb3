"""The door through which things are heard, remembered, corrected and forgotten."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from bot.clock import Clock
from bot.domain import OPEN, Fact, FactStatus, Message
from bot.memory import facts as fact_rules
from bot.memory import forgetting, narrative
from bot.memory.answering import Answers
from bot.memory.facts import Note, Remembered
from bot.memory.forgetting import Forgotten, Reach
from bot.memory.hashing import Hasher
from bot.memory.ingest import Ingested, Writer, deletion, storable
from bot.memory.memories import READING_SECONDS, MemberMemories
from bot.memory.parts import Parts
from bot.store import burials, facts, tombstones
from bot.store.database import Connection, Database
from bot.store.facts import NewFact


class MemoryManager:
    """Everything that changes what is kept. `notify` is called after a commit that asked for background work."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        hasher: Hasher,
        parts: Parts,
        *,
        notify: Callable[[], None],
    ) -> None:
        self._database = database
        self._clock = clock
        self._hasher = hasher
        self._memories = parts.memories
        self._notify = notify
        self._writer = Writer(database)
        self.answers = Answers(database, clock)

    def start(self) -> None:
        """Begin to write what is heard."""
        self._writer.start()

    async def stop(self) -> None:
        """Write everything that was heard, then end; texts that are being built are built by whoever comes next."""
        await self._memories.stop()
        await self._writer.stop()

    async def ingest_message(self, message: Message, *, wait: bool = True) -> Message:
        """Hear `message`, or a later version of it; returns when it is durable unless `wait` is false.

        What is returned is the message as it is stored: without what no database can hold.
        """
        heard = storable(message)
        await self._writer.put([heard], wait=wait)
        return heard

    async def ingest_messages(self, batch: Sequence[Message]) -> Ingested:
        """Hear all of `batch`, return when it is durable, and say how many were new."""
        return await self._writer.put(batch)

    def offer(self, messages: Sequence[Message]) -> bool:
        """Hear all of `messages` if there is room for them now; never waits.

        `False`: none of them was taken, since the database is behind; read them back later. What was taken is
        durable once `settled` has returned. Raises `InvalidInputError` for impossible ids and times.
        """
        return self._writer.offer(messages)

    async def settled(self) -> None:
        """Return when all that was heard until now is durable; only then may a watermark rise above it.

        Raises `DatabaseUnavailableError` if the bot is stopping and the database is away.
        """
        await self._writer.settled()

    async def ingest_deletion(
        self, *, guild_id: int, channel_id: int, message_ids: Sequence[int], wait: bool = True
    ) -> None:
        """Hear that these messages were deleted, which is final, also for one that was not heard yet."""
        await self._writer.put(
            [
                deletion(guild_id=guild_id, channel_id=channel_id, message_id=message_id)
                for message_id in message_ids
            ],
            wait=wait,
        )

    async def remember(self, note: Note) -> Remembered:
        """Store what `note` says; returns after the commit. The same note heard again changes nothing.

        Raises `InvalidInputError` if it is empty or longer than a fact may be.
        """
        fact = fact_rules.new_fact(note)
        remembered = await self._database.write(lambda connection: self._store(connection, fact))
        self._notify()
        return remembered

    async def forget(
        self,
        *,
        guild_id: int,
        fact_ids: Sequence[int],
        message_ids: Sequence[int] = (),
        author_ids: Sequence[int] = (),
        audiences: Sequence[int] = (OPEN,),
    ) -> Forgotten:
        """Forget these facts with what told them, and withhold `message_ids`; returns what it took.

        Further messages that say the facts are withheld where one of `author_ids` wrote them, in `audiences`.
        """
        forgotten = await self._database.write(
            lambda connection: forgetting.forget(
                connection,
                self._hasher,
                guild_id=guild_id,
                reach=Reach(
                    fact_ids=fact_ids, message_ids=message_ids, author_ids=author_ids, audiences=audiences
                ),
                now=self._clock.now(),
            )
        )
        self._notify()
        return forgotten

    async def take_back(self, *, guild_id: int, fact_ids: Sequence[int]) -> int:
        """Undo the writes of these facts; what they had superseded holds again. Returns how many."""
        undone = await self._database.write(
            lambda connection: forgetting.take_back(
                connection, self._hasher, guild_id=guild_id, fact_ids=fact_ids, now=self._clock.now()
            )
        )
        self._notify()
        return undone

    async def correct(self, wrong: Fact, note: Note) -> Remembered | None:
        """Put what `note` says in the place of `wrong`, which is superseded by it.

        Returns `None` if `wrong` no longer holds, and changes nothing then. Raises `InvalidInputError`.
        """
        right = replace(fact_rules.new_fact(note), supersedes=wrong.fact_id)
        now = self._clock.now()

        async def change(connection: Connection) -> Remembered | None:
            done = await facts.of_cause(
                connection,
                guild_id=right.guild_id,
                cause=right.cause,
                keys=[right.key],
                subject_id=right.subject_id,
                audience=right.audience,
            )
            if done is not None:
                return Remembered(fact_id=done.fact_id, content=done.content, is_new=True)
            held = await facts.set_status(
                connection,
                guild_id=wrong.guild_id,
                fact_id=wrong.fact_id,
                was=FactStatus.ACTIVE,
                becomes=FactStatus.SUPERSEDED,
                now=now,
            )
            if not held:
                return None
            await narrative.ask(
                connection, guild_id=wrong.guild_id, subject_id=wrong.subject_id, audience=wrong.audience
            )
            return await self._store(connection, right, now=now)

        corrected = await self._database.write(change)
        self._notify()
        return corrected

    async def get_memories(
        self, guild_id: int, user_id: int, *, audience: int = OPEN, seconds: float = READING_SECONDS
    ) -> str | None:
        """Return what is remembered of one member as `get_memories_of` does, or `None` if nothing is."""
        told = await self.get_memories_of(guild_id, [user_id], audience=audience, seconds=seconds)
        return told[user_id].context if user_id in told else None

    async def get_memories_of(
        self,
        guild_id: int,
        user_ids: Sequence[int],
        *,
        audience: int = OPEN,
        seconds: float = READING_SECONDS,
    ) -> dict[int, MemberMemories]:
        """Return by member what facts, today and the week say where `audience` may read, in about 800 characters.

        Members are named as `<@id>`. After `seconds` of real time what is known by then is returned, and what
        is being told goes on behind.
        """
        return await self._memories.of(
            guild_id=guild_id, user_ids=user_ids, audience=audience, seconds=seconds
        )

    async def told(self) -> None:
        """Return when no memory is being told behind a read that did not wait for it."""
        await self._memories.settled()

    async def retired_facts(self, *, guild_id: int, subject_id: int, audiences: Sequence[int]) -> list[int]:
        """Return the ids of what once held about a subject and was superseded."""
        return await self._database.read(
            lambda connection: burials.retired(
                connection, guild_id=guild_id, subject_id=subject_id, audiences=audiences
            )
        )

    async def facts_with_ids(self, *, guild_id: int, fact_ids: Sequence[int]) -> list[Fact]:
        """Return these facts in any status."""
        return await self._database.read(
            lambda connection: facts.with_ids(connection, guild_id=guild_id, fact_ids=fact_ids)
        )

    async def facts_of_message(self, *, guild_id: int, message_id: int) -> list[Fact]:
        """Return the active facts that a message said or commanded."""
        return await self._database.read(
            lambda connection: facts.of_messages(
                connection, guild_id=guild_id, message_ids=[message_id], causes=[f"m:{message_id}"]
            )
        )

    async def _store(
        self, connection: Connection, fact: NewFact, *, now: datetime | None = None
    ) -> Remembered:
        guild_id, subject_id = fact.guild_id, fact.subject_id
        stored = await fact_rules.store(
            connection,
            fact,
            buried_key=self._hasher.buried_key(guild_id=guild_id, subject_id=subject_id, key=fact.key),
            now=now or self._clock.now(),
        )
        if stored.is_new and stored.fact_id is not None:
            stems = await burials.stems_of(connection, guild_id=guild_id, fact_id=stored.fact_id)
            stone = forgetting.stone_of(
                self._hasher, guild_id=guild_id, subject_id=subject_id, key=fact.key, stems=stems
            )
            await tombstones.lift(connection, guild_id=guild_id, stone=stone)
            await narrative.ask(connection, guild_id=guild_id, subject_id=subject_id, audience=fact.audience)
        return stored
