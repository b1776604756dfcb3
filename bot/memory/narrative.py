"""The narrative of one subject's explicit facts, `user_facts.memory_blob`: built behind, never the truth."""

from dataclasses import replace

from bot.clock import Clock
from bot.domain import Fact
from bot.errors import ModelError
from bot.language.operation import Asker, Operations, Outcome
from bot.memory import facts as fact_rules
from bot.memory.lifecycle import contradicting, lines
from bot.memory.merging import MERGE, Merge, Merged, as_dated_sentences, superseded, told_in_full
from bot.memory.retelling import KIND, ask
from bot.memory.sayable import of_present
from bot.memory.sensitive import may_be_told
from bot.memory.telling import for_prompt
from bot.store import burials, facts, narratives
from bot.store.database import Connection, Database
from bot.store.narratives import Narrative
from bot.store.work import Task

__all__ = ["KIND", "MERGE", "Merge", "Merged", "Narrator", "as_dated_sentences", "ask", "for_prompt"]


class Narrator:
    """Builds narratives as background work."""

    def __init__(self, database: Database, operations: Operations, clock: Clock) -> None:
        self._database = database
        self._operations = operations
        self._clock = clock

    async def build(self, task: Task) -> None:
        """Tell the explicit facts of one subject as they are now, whatever concurrent writers do.

        Raises `ModelError` when no model told them, so that they are told again after a pause; until then the
        facts as dated sentences stand in, unless a better text is there.
        """
        subject_id, audience = (int(part) for part in task.work_key.split(":"))
        place = _Place(self._database, self._clock, task.guild_id, subject_id, audience)
        while (degraded := await self._built(place)) is None:
            pass
        if degraded:
            raise ModelError(f"no model told the facts about subject {subject_id}")

    async def _built(self, place: "_Place") -> bool | None:
        """Build once; return whether the text is degraded, or `None` if the facts changed meanwhile."""
        told, earlier = await place.read()
        if not told:
            return False if await place.drop() else None
        newest_first = sorted(told, key=lambda fact: (fact.said_at, fact.fact_id), reverse=True)
        given = Merge(place.subject_id, newest_first, earlier.memory_blob if earlier else "")
        outcome = await self._operations.run(MERGE, given, asker=Asker(guild_id=place.guild_id))
        return outcome.degraded if await place.save(given, outcome) else None


class _Place:
    """Where one narrative is kept: a subject in an audience of a guild."""

    def __init__(
        self, database: Database, clock: Clock, guild_id: int, subject_id: int, audience: int
    ) -> None:
        self._database = database
        self._clock = clock
        self.guild_id = guild_id
        self.subject_id = subject_id
        self.audience = audience

    async def read(self) -> tuple[list[Fact], Narrative | None]:
        """Return the explicit facts that may be told, and the narrative as it stands."""

        async def both(connection: Connection) -> tuple[list[Fact], Narrative | None]:
            narrative = await self._narrative(connection)
            if narrative is not None:
                (left,) = await of_present(
                    connection,
                    guild_id=self.guild_id,
                    texts=[narrative.memory_blob],
                    whose=[self.subject_id],
                )
                narrative = replace(narrative, memory_blob=left)
            return await self._explicit(connection), narrative

        return await self._database.read(both)

    async def drop(self) -> bool:
        """Remove the narrative of a subject without facts; `False` if there are facts by now."""

        async def change(connection: Connection) -> bool:
            if await self._explicit(connection):
                return False
            await narratives.drop(
                connection, guild_id=self.guild_id, subject_id=self.subject_id, audience=self.audience
            )
            return True

        return await self._database.write(change)

    async def save(self, given: Merge, outcome: Outcome[Merged]) -> bool:
        """Save what was told and retire what it contradicts; `False`, and nothing done, if the facts have changed."""
        version = fact_rules.version_of(given.facts)
        pairs = [] if outcome.model is None else superseded(given, outcome.value)
        gone = {older.fact_id for older, _ in pairs}
        holding = [fact for fact in given.facts if fact.fact_id not in gone]
        text = outcome.value.narrative if outcome.model is None else told_in_full(given, outcome.value)

        async def change(connection: Connection) -> bool:
            fact_ids = [fact.fact_id for pair in pairs for fact in pair]
            held = await lines.hold_facts(connection, guild_id=self.guild_id, fact_ids=fact_ids)
            # Held until commit: nobody forgets one of them between the look at them and the write.
            await burials.lock(
                connection, guild_id=self.guild_id, fact_ids=[fact.fact_id for fact in given.facts]
            )
            if fact_rules.version_of(await self._explicit(connection)) != version:
                return False
            await contradicting.retire(
                connection, pairs, guild_id=self.guild_id, held=held, now=self._clock.now()
            )
            earlier = await self._narrative(connection)
            if outcome.degraded and earlier is not None and not earlier.degraded:
                return True
            await narratives.save(
                connection,
                Narrative(
                    memory_blob=text,
                    facts_version=fact_rules.version_of(holding),
                    degraded=outcome.degraded,
                ),
                guild_id=self.guild_id,
                subject_id=self.subject_id,
                audience=self.audience,
                now=self._clock.now(),
            )
            return True

        return await self._database.write(change)

    async def _narrative(self, connection: Connection) -> Narrative | None:
        return await narratives.of_subject(
            connection, guild_id=self.guild_id, subject_id=self.subject_id, audience=self.audience
        )

    async def _explicit(self, connection: Connection) -> list[Fact]:
        told = await facts.active(
            connection,
            guild_ids=[self.guild_id],
            audiences=[self.audience],
            subject_ids=[self.subject_id],
            now=self._clock.now(),
        )
        return [fact for fact in told if fact.is_explicit and may_be_told(fact)]
