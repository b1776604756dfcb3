"""What a model stores with its tool on the word of a member: whether it may be stored, what was stored, and how a fact
is set aside, with its SQL.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal

from bot.core.domain import Fact, FactStatus, Message
from bot.db.pool import Connection
from bot.db.rows import json_of, rows_as
from bot.memory.derived.engine import MemoryDependencies
from bot.memory.facts import repository, repository_slots, slots
from bot.memory.messages import repository as messages_repository
from bot.memory.outbox.answers import DeferredWrite
from bot.memory.policy import redaction
from bot.text.instructions import instructs
from bot.text.secrets.masking import holds_secret, masked
from bot.text.sensitive import says_sensitive

# A fact that was set aside says so in its details, with the sources that count no more for it:
# {"set_aside": {"m:1": [7, 8]}}. Once that is undone, nothing is left of the list but that there was one.


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAsideFact:
    """A fact that a cause set aside, and the sources that it let count no more; none once that is undone."""

    fact_id: int
    source_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolChange:
    """A fact that a tool changed, and how."""

    fact_id: int
    what: Literal["kept", "set aside", "mentioned"]


async def mark_set_aside(
    connection: Connection, *, guild_id: int, fact_id: int, cause: str, source_ids: Sequence[int]
) -> None:
    """Note in a fact which sources of it a cause let count no more; its line must be held."""
    await connection.execute(
        """
        UPDATE facts SET details = details || jsonb_build_object('set_aside',
            coalesce(details->'set_aside', '{}') || jsonb_build_object($3::text, to_jsonb($4::bigint[])))
        WHERE guild_id = $1 AND fact_id = $2
        """,
        guild_id, fact_id, cause, list(source_ids),
    )  # fmt: skip


async def facts_set_aside(connection: Connection, *, guild_id: int, cause: str) -> list[SetAsideFact]:
    """Return the facts that a cause ever set aside, in the order in which they were written."""
    rows = await connection.fetch(
        """
        SELECT fact_id, ARRAY(
            SELECT jsonb_array_elements_text(details->'set_aside'->$2::text)::bigint
        ) AS source_ids FROM facts
        WHERE guild_id = $1
          AND details @> jsonb_build_object('set_aside', jsonb_build_object($2::text, '[]'::jsonb))
        ORDER BY fact_id
        """,
        guild_id, cause,
    )  # fmt: skip
    return rows_as(SetAsideFact, rows)


async def count_sources_again(
    connection: Connection, *, guild_id: int, one: SetAsideFact, cause: str
) -> None:
    """Make the sources of a fact that was set aside count again; its slot must be locked, and settled afterwards."""
    await connection.execute(
        """
        UPDATE fact_sources SET ended = false
        WHERE guild_id = $1 AND source_id = ANY($2::bigint[]) AND content <> ''
        """,
        guild_id, list(one.source_ids),
    )  # fmt: skip
    await mark_set_aside(connection, guild_id=guild_id, fact_id=one.fact_id, cause=cause, source_ids=[])


async def changes_by_tool(
    connection: Connection, *, guild_id: int, message_id: int, cause: str
) -> tuple[int | None, list[ToolChange]]:
    """Return the epoch of the guild's memory, `None` if it is not known, and what a tool did that stands until then.

    It is what was done by `cause`, the cause of the reply to a message; all is read by one statement.
    """
    rows = await connection.fetch(
        """
        WITH done AS (
            SELECT 'kept' AS what, fact_id FROM facts
            WHERE guild_id = $1 AND cause = $2 AND origin = 'tool' AND status = 'active'
            UNION ALL
            SELECT 'set aside', fact_id FROM facts
            WHERE guild_id = $1 AND status = 'inactive'
              AND details @> jsonb_build_object('set_aside', jsonb_build_object($2::text, '[]'::jsonb))
            UNION ALL
            SELECT 'mentioned', fact_id FROM facts
            WHERE guild_id = $1 AND category = 'place' AND status = 'active' AND cause <> $2
              AND details @> $3::text::jsonb
        )
        SELECT memory_epoch, what, fact_id FROM guilds LEFT JOIN done ON true WHERE guild_id = $1 ORDER BY fact_id
        """,
        guild_id, cause, json_of({"mentions": [{"message_id": message_id}]}),
    )  # fmt: skip
    epoch = rows[0]["memory_epoch"] if rows else None
    return epoch, rows_as(ToolChange, [row for row in rows if row["fact_id"] is not None])


_WORD: Final = re.compile(r"[^\s,;:!?\"'()]+")


class Hindrance(Enum):
    """Why something that a message says is not to be kept."""

    UNSPEAKABLE = "unspeakable"
    """It holds a secret, or words that are one in the message."""
    SENSITIVE = "sensitive"
    """It tells of health, religion, politics, orientation or money, and nobody asked to have it remembered."""
    INSTRUCTS = "instructs"
    """It tells the bot what to do or to be, which is nothing to know of anybody."""
    WITHHELD = "withheld"
    """The message was deleted or forgotten meanwhile."""
    FORGOTTEN = "forgotten"
    """Somebody had that forgotten: only who asks for it outright brings it back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptByTool:
    """What the reply to one message had kept and still stands."""

    facts: tuple[Fact, ...] = ()
    """New ones, places among them."""
    set_aside: tuple[Fact, ...] = ()
    mentioned: tuple[Fact, ...] = ()
    """Places that were known before."""
    memory_epoch: int | None = None
    """The epoch of the guild's memory when this was read; `None` if that is not known."""

    def __bool__(self) -> bool:
        return bool(self.facts or self.set_aside or self.mentioned)


class ToolKeeping:
    """The door for a tool that keeps memories. `notify` is called after a commit that asked for background work."""

    def __init__(self, needs: MemoryDependencies) -> None:
        self._database = needs.database
        self._clock = needs.clock
        self._hasher = needs.hasher
        self._notify = needs.notify

    async def hindrance(
        self, message: Message, *, subject_id: int, content: str, ordered: bool
    ) -> Hindrance | None:
        """Return why `content`, which `message` says, may not be kept; `None` if it may.

        Who `ordered` it outright may have again what was forgotten, and have kept what is sensitive.
        """
        if _is_secret(content, said=message.text):
            return Hindrance.UNSPEAKABLE
        if instructs(content):
            return Hindrance.INSTRUCTS
        if not ordered and says_sensitive(content):
            return Hindrance.SENSITIVE

        async def read(connection: Connection) -> Hindrance | None:
            kept = await messages_repository.message(
                connection, guild_id=message.guild_id, message_id=message.message_id
            )
            if kept is not None and kept.withheld is not None:
                return Hindrance.WITHHELD
            if ordered:
                return None
            left = await redaction.without_forgotten(
                connection,
                self._hasher,
                guild_id=message.guild_id,
                subject_ids=[subject_id],
                text=content,
            )
            return None if left == content else Hindrance.FORGOTTEN

        return await self._database.read(read)

    async def set_aside(self, fact: Fact, *, cause: str) -> bool:
        """Make `fact` inactive without forgetting it; `False` if it is not active.

        Earlier values of its key do not become current again. `taking_up` undoes it.
        """
        guild_id, now = fact.guild_id, self._clock.now()

        async def change(connection: Connection) -> bool:
            held = await repository_slots.hold_slots_of_facts(
                connection, guild_id=guild_id, fact_ids=[fact.fact_id]
            )
            own = [line for line in held if (line.subject_id, line.audience, line.key) == _line_of(fact)]
            known = await repository_slots.load_slots(connection, guild_id=guild_id, lines=own)
            if not any(row.fact_id == fact.fact_id and row.status is FactStatus.ACTIVE for row in known.rows):
                return False
            counting = [source for row in known.rows for source in row.sources if not source.ended]
            source_ids = [source.source_id for source in counting]
            await repository_slots.end_sources(connection, guild_id=guild_id, source_ids=source_ids)
            await mark_set_aside(
                connection, guild_id=guild_id, fact_id=fact.fact_id, cause=cause, source_ids=source_ids
            )
            await slots.settle_slots(connection, guild_id=guild_id, lines=held, now=now)
            return True

        done = await self._database.write(change)
        self._notify()
        return done

    def taking_up(self, *, guild_id: int, cause: str) -> DeferredWrite[list[Fact]]:
        """Return the write that lets the facts hold again that `cause` set aside, as far as nothing better does.

        It results in these.
        """
        now = self._clock.now()

        async def change(connection: Connection) -> list[Fact]:
            found = await facts_set_aside(connection, guild_id=guild_id, cause=cause)
            aside = [one for one in found if one.source_ids]
            fact_ids = [one.fact_id for one in aside]
            held = await repository_slots.hold_slots_of_facts(
                connection, guild_id=guild_id, fact_ids=fact_ids
            )
            for one in aside:
                await count_sources_again(connection, guild_id=guild_id, one=one, cause=cause)
            await slots.settle_slots(connection, guild_id=guild_id, lines=held, now=now)
            again = await repository.facts_with_ids(connection, guild_id=guild_id, fact_ids=fact_ids)
            return [fact for fact in again if fact.status is FactStatus.ACTIVE]

        return DeferredWrite(change)

    async def set_aside_by(self, *, guild_id: int, cause: str) -> list[int]:
        """Return the ids of the facts that `cause` ever set aside: it wrote none of these."""
        found = await self._database.read(facts_set_aside, guild_id=guild_id, cause=cause)
        return [one.fact_id for one in found]

    async def kept_by(self, message: Message, *, cause: str) -> KeptByTool:
        """Return what the reply to `message` stored with `cause`, if it is still there."""
        guild_id = message.guild_id

        async def read(connection: Connection) -> KeptByTool:
            epoch, done = await changes_by_tool(
                connection, guild_id=guild_id, message_id=message.message_id, cause=cause
            )
            if not done:
                return KeptByTool(memory_epoch=epoch)
            fact_ids = [one.fact_id for one in done]
            told = await repository.facts_with_ids(connection, guild_id=guild_id, fact_ids=fact_ids)
            # What was forgotten between the two reads has no text left.
            known = {fact.fact_id: fact for fact in told if fact.content}

            def of(what: str) -> tuple[Fact, ...]:
                return tuple(known[one.fact_id] for one in done if one.what == what and one.fact_id in known)

            return KeptByTool(
                facts=of("kept"), set_aside=of("set aside"), mentioned=of("mentioned"), memory_epoch=epoch
            )

        return await self._database.read(read)


def _is_secret(content: str, *, said: str) -> bool:
    """Tell whether `content` holds a secret: one by its own words, or one by how the message says it."""
    if holds_secret(content):
        return True
    left = masked(said)
    hidden = set(_WORD.findall(said)) - set(_WORD.findall(left)) if left != said else set()
    return bool(hidden & set(_WORD.findall(content)))


def _line_of(fact: Fact) -> tuple[int, int, str]:
    return fact.subject_id, fact.audience, fact.key
