"""MemoryManager: the facade over the memory, through which messages are stored and facts remembered, corrected and
forgotten.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from functools import partial
from typing import Final

from bot.core.domain import OPEN, Fact, FactStatus, Message
from bot.db.jobs import Handler, Job
from bot.db.pool import Connection
from bot.memory.derived.engine import JobMaker, MemoryDependencies
from bot.memory.facts import lifecycle, repository_slots, slots, statements
from bot.memory.facts import repository as facts_repository
from bot.memory.facts.about_binding import NameBinding
from bot.memory.facts.bounds import Bounds
from bot.memory.facts.extractor import Extractor
from bot.memory.facts.lifecycle import Contradiction, may_be_asked_for, rules_for
from bot.memory.facts.narrative import Narrator
from bot.memory.facts.places import Places
from bot.memory.facts.relevance import Relevance, Relevant
from bot.memory.facts.repository import NewFact
from bot.memory.facts.repository_narratives import NARRATIVE_JOB
from bot.memory.facts.statements import Note, Remembered
from bot.memory.facts.tool_keeping import ToolKeeping
from bot.memory.members.repository import BIND_JOB
from bot.memory.messages.writer import Ingested, MessageWriter, deletion
from bot.memory.outbox.answers import Answers, DeferredWrite
from bot.memory.outbox.removal_log import REMOVAL_LOG_JOB, RemovalLog
from bot.memory.policy.permissions import ReadScope
from bot.memory.profiles.learning import Learner, Turns
from bot.memory.profiles.profiles import Profiles
from bot.memory.profiles.repository import LEARNING_JOB
from bot.memory.recall.documents import Documents
from bot.memory.recall.query import Query
from bot.memory.recall.search import Hit, Recall
from bot.memory.rights.access.access import OperatorAccess
from bot.memory.rights.consent import Consent
from bot.memory.rights.counting.counting import Counting
from bot.memory.rights.counting.installation import InstallationCounting
from bot.memory.rights.erasing.erasing import Erasing
from bot.memory.rights.exporting.channel import ChannelExporting
from bot.memory.rights.exporting.exporting import Exporting
from bot.memory.rights.forgetting import naming, tombstones, withholding
from bot.memory.rights.forgetting.apply import FactRemoval
from bot.memory.rights.forgetting.jobs import Forgettings
from bot.memory.rights.forgetting.search import commands_of
from bot.memory.rights.inspecting.inspecting import Inspecting
from bot.memory.summaries.digest import Digests
from bot.memory.summaries.episode_builder import COMPACTION_JOB, Compactor, EpisodeBuilder
from bot.memory.summaries.episodes import Episodes
from bot.memory.summaries.memories import READING_SECONDS, MemberMemories, Memories
from bot.memory.summaries.repository import ROLLING_JOB
from bot.memory.summaries.repository_episodes import EPISODE_JOB
from bot.memory.summaries.rolling import Rolling
from bot.memory.summaries.rolling_builder import RollingBuilder

DERIVED_TEXTS: Final[Mapping[str, Callable[[MemoryDependencies], JobMaker]]] = {
    NARRATIVE_JOB: Narrator,
    LEARNING_JOB: Learner,
    ROLLING_JOB: RollingBuilder,
    EPISODE_JOB: EpisodeBuilder,
    COMPACTION_JOB: Compactor,
}
"""The texts that are made as background work: by the kind of the job, what makes one."""


class FactWriting(FactRemoval):
    """Everything that writes facts on request."""

    async def remember(self, note: Note) -> Remembered:
        """Store what `note` says; returns after the commit. The same note heard again changes nothing.

        What was learned until now is explicit from then on. Raises `InvalidInputError` if the note is empty or
        longer than a fact may be.
        """
        storing = self.remembering([statements.new_fact(note)], asked_at=note.asked_at)
        (remembered,) = await self.carry_out(storing)
        return remembered

    def remembering(
        self, facts: Sequence[NewFact], *, asked_at: datetime | None
    ) -> DeferredWrite[list[Remembered]]:
        """Return the write that stores what notes of one order say, as `remember` does."""

        async def store(connection: Connection) -> list[Remembered]:
            stored = [await self._store(connection, fact, asked_at=asked_at) for fact in facts]
            return [_never_too_late(one) for one in stored]

        return DeferredWrite(store)

    async def correct(self, wrong: Fact, note: Note) -> Remembered | None:
        """Put what `note` says in the place of `wrong`, which is superseded by it.

        Returns `None` if `wrong` no longer holds, and changes nothing then. Raises `InvalidInputError`.
        """
        return await self.carry_out(self.correcting(wrong, note))

    def correcting(self, wrong: Fact, note: Note) -> DeferredWrite[Remembered | None]:
        """Return the write that corrects, as `correct` does. Raises `InvalidInputError` at once."""
        right = statements.new_fact(note)
        return DeferredWrite(partial(self._store, fact=right, asked_at=note.asked_at, instead_of=wrong))

    def replacing(self, *, guild_id: int, older_id: int, newer_id: int) -> DeferredWrite[bool]:
        """Return the write that lets one fact of a subject supersede another; whether it did, as long as both hold."""
        now = self._clock.now()

        async def change(connection: Connection) -> bool:
            fact_ids = [older_id, newer_id]
            held = await repository_slots.hold_slots_of_facts(
                connection, guild_id=guild_id, fact_ids=fact_ids
            )
            found = await facts_repository.facts_with_ids(connection, guild_id=guild_id, fact_ids=fact_ids)
            by_id = {fact.fact_id: fact for fact in found if fact.status is FactStatus.ACTIVE}
            if len(by_id) < len(fact_ids):
                return False
            pair = (by_id[older_id], by_id[newer_id])
            await lifecycle.retire_facts(connection, [pair], guild_id=guild_id, held=held, now=now)
            return True

        return DeferredWrite(change)

    async def confirm(self, *, guild_id: int, fact_id: int) -> None:
        """Take a fact for certain, since its subject said that it is so."""
        now = self._clock.now()

        async def change(connection: Connection) -> None:
            held = await repository_slots.hold_slots_of_facts(
                connection, guild_id=guild_id, fact_ids=[fact_id]
            )
            await repository_slots.confirm_fact(connection, guild_id=guild_id, fact_id=fact_id, now=now)
            await slots.settle_slots(connection, guild_id=guild_id, lines=held, now=now)

        await self._database.write(change)

    async def contradicted(
        self, *, guild_id: int, subject_id: int, audiences: Sequence[int]
    ) -> Contradiction | None:
        """Return what a member said against what they had asked to be remembered, if nobody asked them about it yet."""
        return await self._database.read(
            lifecycle.contradicted,
            guild_id=guild_id,
            subject_id=subject_id,
            audiences=audiences,
            now=self._clock.now(),
        )

    async def asked_which(self, found: Contradiction) -> bool:
        """Note that the member is asked which of the two holds; `False` if somebody else has just asked."""
        said = found.said
        return await self._database.write(
            repository_slots.note_asked, guild_id=said.guild_id, fact_id=said.fact_id, now=self._clock.now()
        )

    def settling_which(
        self, chosen: Fact, *, cause: str, channel_id: int, message_id: int
    ) -> DeferredWrite[Remembered | None]:
        """Return the write that lets `chosen` hold, since its subject was asked and said so in a message.

        It is explicit from then on. It results in `None`, and changes nothing, if the fact was forgotten or is no
        longer so.
        """
        said = statements.said_again(
            chosen, cause=cause, channel_id=channel_id, message_id=message_id, said_at=self._clock.now()
        )

        async def change(connection: Connection) -> Remembered | None:
            await repository_slots.hold_slots(connection, guild_id=said.guild_id, lines=[slots.slot_of(said)])
            found = await facts_repository.facts_with_ids(
                connection, guild_id=said.guild_id, fact_ids=[chosen.fact_id]
            )
            if not found or found[0].status not in {FactStatus.ACTIVE, FactStatus.SUPERSEDED}:
                return None
            return await self._store(connection, said)

        return DeferredWrite(change)

    def taking_out(self, *, guild_id: int, fact_ids: Sequence[int], user_id: int) -> DeferredWrite[int]:
        """Return the write that lets a member be nobody in facts about others; it results in how many named them."""

        async def take(connection: Connection) -> int:
            return await naming.take_out(
                connection,
                self._hasher,
                guild_id=guild_id,
                fact_ids=fact_ids,
                user_id=user_id,
                now=self._clock.now(),
            )

        return DeferredWrite(take)

    async def _store(
        self,
        connection: Connection,
        fact: NewFact,
        *,
        asked_at: datetime | None = None,
        instead_of: Fact | None = None,
    ) -> Remembered | None:
        guild_id, subject_id = fact.guild_id, fact.subject_id
        rules = await rules_for(connection, self._hasher, [fact], guild_id=guild_id, since=asked_at)
        if (
            asked_at is not None
            and rules.has_tombstones
            and not await may_be_asked_for(connection, self._hasher, fact, asked_at=asked_at)
        ):
            # Whoever had it forgotten did not know of this order, which was given before and is read only now.
            said_ids = sorted({fact.source_message_id, *commands_of([fact.cause])} - {0})
            await withholding.refuse(
                connection,
                guild_id=guild_id,
                message_ids=said_ids,
                author_id=fact.author_id,
                text=fact.raw_content,
                now=self._clock.now(),
            )
            return Remembered(fact_id=None, content="", is_new=False)
        stored = await statements.store_fact(
            connection,
            fact,
            rules=rules,
            buried_key=self._hasher.buried_key(guild_id=guild_id, subject_id=subject_id, key=fact.key),
            now=self._clock.now(),
            instead_of=instead_of,
        )
        if stored is not None and stored.is_new and stored.fact_id is not None:
            await tombstones.lift_tombstones(connection, self._hasher, fact)
        return stored


def _never_too_late(remembered: Remembered | None) -> Remembered:
    if remembered is None:
        raise ValueError("only what stands instead of another fact can come too late")
    return remembered


class MemoryManager(FactWriting):
    """Everything that changes what is kept."""

    def __init__(self, needs: MemoryDependencies) -> None:
        super().__init__(needs)
        database, clock, notify = needs.database, needs.clock, needs.notify
        self.recollection = Recall(needs)
        self._relevance = Relevance(database, clock)
        self._writer = MessageWriter(database, clock, heard=self._heard, services=needs.services)
        self.access = OperatorAccess(database)
        self.inspecting = Inspecting(database)
        self.channel_exporting = ChannelExporting(database, clock)
        self.bounds = Bounds(needs)
        self.answers = Answers(database, clock, notify=notify)
        self.counting = Counting(database)
        self.installation = InstallationCounting(database)
        self.consent = Consent(database, clock, needs.clock_watch, notify=notify)
        self.digests = Digests(needs)
        self.documents = Documents(database, clock, needs.settings)
        self.episodes = Episodes(needs)
        self.erasing = Erasing(database, clock, needs.settings, notify=notify)
        self.exporting = Exporting(database, clock)
        self.extractor = Extractor(needs, learned=self.bounds.look_at)
        self.forgettings = Forgettings(database, clock, needs.hasher, notify=notify)
        self.keeping = ToolKeeping(needs)
        self.memories = Memories(needs)
        self.places = Places(needs)
        self.profiles = Profiles(database, clock, needs.hasher, take_answers=withholding.take_answers)
        self.removal_log = RemovalLog(database, notify=notify)
        self.rolling = Rolling(needs)
        self.turns = Turns(needs)
        self.names = NameBinding(needs)
        needs.directory.bind_by(self.names.bind_to)
        self.makers: Final = {kind: maker(needs).make for kind, maker in DERIVED_TEXTS.items()}
        """What makes derived texts as background work, by the kind of the job."""

    def handlers(self) -> Mapping[str, Handler]:
        """Return who does the background work of the memory, by its kind."""
        return {
            **self.erasing.handlers(),
            **self.recollection.handlers(),
            **self.forgettings.handlers(),
            **self.makers,
            NARRATIVE_JOB: self._narrate,
            BIND_JOB: self.names.carry_out,
            REMOVAL_LOG_JOB: self.removal_log.post,
        }

    async def _narrate(self, job: Job) -> None:
        """Keep what is known of a member within its bounds, then tell what they asked to have remembered."""
        await self.bounds.keep(job.guild_id, [int(job.work_key.partition(":")[0])])
        await self.makers[NARRATIVE_JOB](job)

    def _heard(self, messages: Sequence[Message]) -> None:
        """Take note of what was stored; waits for nothing."""
        self.episodes.heard(messages)
        self.rolling.heard(messages)
        self.extractor.wake()

    def start(self) -> None:
        """Begin to write what is heard, and to read facts out of it."""
        self._writer.start()
        self.extractor.start()

    async def stop(self) -> None:
        """Write everything that was heard, then end; texts that are being built are left to the next process."""
        async with AsyncExitStack() as stack:
            # One that fails to end must not keep the others from it.
            stack.push_async_callback(self.rolling.stop)
            stack.push_async_callback(self.extractor.stop)
            stack.push_async_callback(self._writer.stop)
            stack.push_async_callback(self._relevance.settled)
            stack.push_async_callback(self.bounds.settled)
            stack.push_async_callback(self.recollection.settled)
            stack.push_async_callback(self.memories.stop)

    async def ingest_message(self, message: Message, *, wait: bool = True) -> Message:
        """Hear `message`, or a later version of it; returns when it is durable unless `wait` is false.

        What is returned is the message as it is stored: without what no database can hold.
        """
        (heard,) = (await self._writer.put([message], wait=wait)).messages
        return heard

    async def ingest_messages(self, batch: Sequence[Message]) -> Ingested:
        """Hear all of `batch`, return when it is durable, and say how many were new."""
        return await self._writer.put(batch)

    def offer(self, messages: Sequence[Message]) -> list[Message] | None:
        """Hear all of `messages` if there is room for them now, and return them as they are stored; never waits.

        `None`: none of them was taken, since the database is behind; read them back later. What was taken is
        durable once `settled` has returned. Raises `InvalidInputError` for impossible ids and times.
        """
        return self._writer.offer(messages)

    async def settled(self, *, hurry: bool = False) -> None:
        """Return when all that was heard until now is durable; only then may a watermark rise above it.

        With `hurry` nothing more is waited for. Raises `DatabaseUnavailableError` if the bot is stopping and the
        database is away.
        """
        await self._writer.settled(hurry=hurry)

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
        return await self.memories.of(
            guild_id=guild_id, user_ids=user_ids, audience=audience, seconds=seconds
        )

    async def relevant(
        self,
        *,
        view: ReadScope,
        user_ids: Sequence[int],
        close_ids: Collection[int] = (),
        text: str,
        asker_id: int,
    ) -> dict[int, Relevant]:
        """Return what a reply to `text` is given about each of `user_ids`, and about the guild as subject 0.

        That is who they are and what `text` is about, of the asker and `close_ids` also how they feel, what they
        prefer and what is important, chosen by one statement from what `view` shows; nothing for a visitor. Others
        whom facts that fit name are among it.
        """
        return await self._relevance.relevant(
            view=view, user_ids=user_ids, close_ids=close_ids, text=text, asker_id=asker_id
        )

    def used(self, *, view: ReadScope, fact_ids: Sequence[int]) -> None:
        """Note behind that these facts were given to a model; returns at once."""
        self._relevance.used(view=view, fact_ids=fact_ids)

    async def recall(
        self,
        *,
        guild_id: int,
        query: Query | str,
        audiences: Sequence[int],
        limit: int,
        leads_on: bool = False,
    ) -> list[Hit]:
        """Return at most `limit` messages, facts and episodes that answer `query`, the best first.

        Only what `audiences` may see is found or has any influence. A plain text is asked now, in the guild's time
        zone; `query_of` makes a `Query` with all that can be said of a question. Small talk finds nothing. With
        `leads_on` there stands behind the few best what shares rare words or names with these alone.
        """
        return await self.recollection.search(
            guild_id=guild_id, query=query, audiences=audiences, limit=limit, leads_on=leads_on
        )

    async def told(self) -> None:
        """Return when no memory is being told behind a read that did not wait for it, and every end is noted."""
        await self.memories.settled()
        await self.recollection.settled()
        await self._relevance.settled()
        await self.bounds.settled()
        await self.episodes.settled()
        await self.rolling.settled()

    async def retired_facts(
        self, *, guild_id: int, subject_ids: Sequence[int], audiences: Sequence[int]
    ) -> list[Fact]:
        """Return what once held about these subjects, and was superseded or is over."""
        return await self._database.read(
            facts_repository.retired_facts,
            guild_id=guild_id,
            subject_ids=subject_ids,
            audiences=audiences,
            now=self._clock.now(),
        )

    async def facts_with_ids(
        self, *, guild_id: int, fact_ids: Sequence[int], to_be_told: bool = False
    ) -> list[Fact]:
        """Return these facts in any status; if they are `to_be_told`, none of members of whom nothing is kept."""
        return await self._database.read(
            facts_repository.facts_with_ids, guild_id=guild_id, fact_ids=fact_ids, to_be_told=to_be_told
        )

    async def facts_of_message(self, *, guild_id: int, message_id: int) -> list[Fact]:
        """Return the active facts that a message said or commanded."""
        return await self._database.read(
            facts_repository.facts_of_messages,
            guild_id=guild_id,
            message_ids=[message_id],
            causes=[f"m:{message_id}"],
        )
