"""The door through which things are heard, remembered, corrected and forgotten."""

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from datetime import datetime

from bot.clock import Clock
from bot.domain import OPEN, Fact, Message
from bot.memory.answering import Answers
from bot.memory.audience import View
from bot.memory.hashing import Hasher
from bot.memory.ingest import Ingested, Writer, deletion
from bot.memory.memories import READING_SECONDS, MemberMemories
from bot.memory.parts import Parts
from bot.memory.recall import Hit, Query
from bot.memory.relevance import Relevant
from bot.memory.storable import storable
from bot.memory.writing import FactWriting
from bot.service import Services
from bot.store import burials, facts
from bot.store.database import Database


class MemoryManager(FactWriting):
    """Everything that changes what is kept. `notify` is called after a commit that asked for background work."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        hasher: Hasher,
        parts: Parts,
        *,
        notify: Callable[[], None],
        services: Services,
    ) -> None:
        super().__init__(database, clock, hasher, notify=notify)
        self._memories = parts.memories
        self._recall = parts.recall
        self._relevance = parts.relevance
        self._writer = Writer(database, clock, heard=parts.heard, services=services)
        self.answers = Answers(database, clock, notify=notify)
        self.places = parts.places
        self.documents = parts.documents
        self.keeping = parts.keeping
        self.episodes = parts.episodes
        self.exporting = parts.exporting
        self.catchup = parts.catchup
        self.rolling = parts.rolling
        self.profiles = parts.profiles
        self.turns = parts.turns
        self.noticer = parts.noticer
        self.standing = parts.standing
        self.erasing = parts.erasing
        self.removals = parts.removals
        self.forgettings = parts.forgettings

    def start(self) -> None:
        """Begin to write what is heard, and to read facts out of it."""
        self._writer.start()
        self.noticer.start()

    async def stop(self) -> None:
        """Write everything that was heard, then end; texts that are being built are built by whoever comes next."""
        async with AsyncExitStack() as stack:
            # One that fails to end must not keep the others from it.
            stack.push_async_callback(self.rolling.stop)
            stack.push_async_callback(self.noticer.stop)
            stack.push_async_callback(self._writer.stop)
            stack.push_async_callback(self._relevance.settled)
            stack.push_async_callback(self._recall.settled)
            stack.push_async_callback(self._memories.stop)

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

    async def relevant(
        self, *, view: View, user_ids: Sequence[int], text: str, asker_id: int
    ) -> dict[int, Relevant]:
        """Return what a reply to `text` is given about each of `user_ids`, and about the guild as subject 0.

        That is who they are, how they feel, what they prefer, and the few facts that `text` is about, chosen by
        one statement from what `view` shows; nothing for a visitor.
        """
        return await self._relevance.relevant(view=view, user_ids=user_ids, text=text, asker_id=asker_id)

    def used(self, *, view: View, fact_ids: Sequence[int]) -> None:
        """Note behind that these facts were given to a model; returns at once."""
        self._relevance.used(view=view, fact_ids=fact_ids)

    async def recall(
        self, *, guild_id: int, query: Query | str, audiences: Sequence[int], limit: int
    ) -> list[Hit]:
        """Return at most `limit` messages, facts and episodes that answer `query`, the best first.

        Only what `audiences` may see is found or has any influence. A plain text is asked now, in the guild's time
        zone; `query_of` makes a `Query` with all that can be said of a question. Small talk finds nothing.
        """
        return await self._recall.search(guild_id=guild_id, query=query, audiences=audiences, limit=limit)

    async def kept_since(self, *, guild_id: int, audiences: Sequence[int]) -> datetime | None:
        """Return when the oldest message was written that these audiences may see; `None` if there is none."""
        return await self._recall.kept_since(guild_id=guild_id, audiences=audiences)

    async def told(self) -> None:
        """Return when no memory is being told behind a read that did not wait for it, and every end is noted."""
        await self._memories.settled()
        await self._recall.settled()
        await self._relevance.settled()
        await self.episodes.settled()
        await self.rolling.settled()

    async def retired_facts(self, *, guild_id: int, subject_id: int, audiences: Sequence[int]) -> list[int]:
        """Return the ids of what once held about a subject, and was superseded or is over."""
        now = self._clock.now()
        return await self._database.read(
            lambda connection: burials.retired(
                connection, guild_id=guild_id, subject_id=subject_id, audiences=audiences, now=now
            )
        )

    async def facts_with_ids(
        self, *, guild_id: int, fact_ids: Sequence[int], to_be_told: bool = False
    ) -> list[Fact]:
        """Return these facts in any status; if they are `to_be_told`, none of members of whom nothing is kept."""
        return await self._database.read(
            lambda connection: facts.with_ids(
                connection, guild_id=guild_id, fact_ids=fact_ids, to_be_told=to_be_told
            )
        )

    async def facts_of_message(self, *, guild_id: int, message_id: int) -> list[Fact]:
        """Return the active facts that a message said or commanded."""
        return await self._database.read(
            lambda connection: facts.of_messages(
                connection, guild_id=guild_id, message_ids=[message_id], causes=[f"m:{message_id}"]
            )
        )
