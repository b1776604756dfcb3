"""The narrative of one subject's explicit facts, `user_facts.memory_blob`: built behind, never the truth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, Field

from bot.clock import Clock
from bot.domain import GUILD_SUBJECT, Fact, mention_of
from bot.language import framing
from bot.language.operation import Operation, Operations, Role
from bot.memory import facts as fact_rules
from bot.store import facts, narratives, work
from bot.store.database import Connection, Database
from bot.store.narratives import Narrative
from bot.store.work import Task

KIND = "narrative"
"""The kind of background work that builds narratives; its key is `<subject>:<audience>`."""


@dataclass(frozen=True, slots=True)
class Merge:
    """What the merge operation is given: the facts, newest first, and the narrative before them."""

    subject_id: int
    facts: Sequence[Fact]
    earlier: str


class Merged(BaseModel):
    """What the merge operation returns."""

    narrative: str = Field(description="all the facts as one text in the third person")


def _frame(given: Merge) -> Mapping[str, object]:
    subject = "the guild" if given.subject_id == GUILD_SUBJECT else mention_of(given.subject_id)
    return {
        "subject": framing.tag("subject", subject),
        "facts": framing.lines(
            framing.tag(
                "fact",
                fact.content,
                date=fact.said_at.date().isoformat(),
                teller=None if fact.author_id == fact.subject_id else mention_of(fact.author_id),
            )
            for fact in given.facts
        ),
        "earlier": framing.tag("earlier", given.earlier),
    }


def as_dated_sentences(given: Merge) -> Merged:
    """Return the facts as dated sentences, newest first: the narrative that needs no model."""
    return Merged(
        narrative="\n".join(f"[{fact.said_at.date().isoformat()}] {fact.content}" for fact in given.facts)
    )


MERGE = Operation(
    name="merge_facts", role=Role.MEMORY, answer=Merged, frame=_frame, fallback=as_dated_sentences
)


async def ask(connection: Connection, *, guild_id: int, subject_id: int, audience: int) -> None:
    """Ask, in the transaction that changes the facts of a subject, for its narrative to be told anew."""
    await work.ask(connection, guild_id=guild_id, kind=KIND, work_key=f"{subject_id}:{audience}")


class Narrator:
    """Builds narratives as background work."""

    def __init__(self, database: Database, operations: Operations, clock: Clock) -> None:
        self._database = database
        self._operations = operations
        self._clock = clock

    async def build(self, task: Task) -> None:
        """Tell the explicit facts of one subject as they are now, whatever concurrent writers do."""
        subject_id, audience = (int(part) for part in task.work_key.split(":"))
        while not await self._built(task.guild_id, subject_id, audience):
            pass

    async def _built(self, guild_id: int, subject_id: int, audience: int) -> bool:
        before = await self._database.read(
            lambda connection: self._explicit(connection, guild_id, subject_id, audience)
        )
        if not before:
            await self._database.write(
                lambda connection: narratives.drop(
                    connection, guild_id=guild_id, subject_id=subject_id, audience=audience
                )
            )
            return True
        earlier = await self._database.read(
            lambda connection: narratives.of_subject(
                connection, guild_id=guild_id, subject_id=subject_id, audience=audience
            )
        )
        newest_first = sorted(before, key=lambda fact: (fact.said_at, fact.fact_id), reverse=True)
        given = Merge(subject_id, newest_first, earlier.memory_blob if earlier else "")
        outcome = await self._operations.run(MERGE, given)
        version = fact_rules.version_of(before)

        async def save_if_it_still_stands(connection: Connection) -> bool:
            now_told = await self._explicit(connection, guild_id, subject_id, audience)
            if fact_rules.version_of(now_told) != version:
                return False
            if outcome.degraded and earlier is not None and earlier.facts_version == version:
                return True
            await narratives.save(
                connection,
                Narrative(
                    memory_blob=outcome.value.narrative, facts_version=version, degraded=outcome.degraded
                ),
                guild_id=guild_id,
                subject_id=subject_id,
                audience=audience,
                now=self._clock.now(),
            )
            return True

        return await self._database.write(save_if_it_still_stands)

    async def _explicit(
        self, connection: Connection, guild_id: int, subject_id: int, audience: int
    ) -> list[Fact]:
        told = await facts.active(
            connection,
            guild_ids=[guild_id],
            audiences=[audience],
            subject_ids=[subject_id],
            now=self._clock.now(),
        )
        return [fact for fact in told if fact.is_explicit]
