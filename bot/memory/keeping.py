"""What a model keeps on a member's own word: may it be kept, what was kept, and how a fact is set aside."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from bot.clock import Clock
from bot.domain import Fact, FactStatus, Message
from bot.memory import unsaying
from bot.memory.deferred import Deferred
from bot.memory.hashing import Hasher
from bot.memory.lifecycle import lines
from bot.memory.secrets import holds_secret, masked
from bot.memory.sensitive import says_sensitive
from bot.store import facts, history, kept_by_tool, lifecycle, sources
from bot.store.database import Connection, Database

_WORD: Final = re.compile(r"[^\s,;:!?\"'()]+")


class Hindrance(Enum):
    """Why something that a message says is not to be kept."""

    UNSPEAKABLE = "unspeakable"
    """It holds a secret, or words that are one in the message."""
    SENSITIVE = "sensitive"
    """It tells of health, religion, politics, orientation or money, and nobody asked to have it remembered."""
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

    def __bool__(self) -> bool:
        return bool(self.facts or self.set_aside or self.mentioned)


class Keeping:
    """The door for a tool that keeps memories. `notify` is called after a commit that asked for background work."""

    def __init__(
        self, database: Database, clock: Clock, hasher: Hasher, *, notify: Callable[[], None]
    ) -> None:
        self._database = database
        self._clock = clock
        self._hasher = hasher
        self._notify = notify

    async def hindrance(
        self, message: Message, *, subject_id: int, content: str, ordered: bool
    ) -> Hindrance | None:
        """Return why `content`, which `message` says, may not be kept; `None` if it may.

        Who `ordered` it outright may have again what was forgotten, and have kept what is sensitive.
        """
        if _is_secret(content, said=message.text):
            return Hindrance.UNSPEAKABLE
        if not ordered and says_sensitive(content):
            return Hindrance.SENSITIVE

        async def read(connection: Connection) -> Hindrance | None:
            kept = await history.message(connection, guild_id=message.guild_id, message_id=message.message_id)
            if kept is not None and kept.withheld is not None:
                return Hindrance.WITHHELD
            if ordered:
                return None
            left = await unsaying.without_buried(
                connection,
                self._hasher,
                guild_id=message.guild_id,
                subject_ids=[subject_id],
                text=content,
            )
            return None if left == content else Hindrance.FORGOTTEN

        return await self._database.read(read)

    async def set_aside(self, fact: Fact, *, cause: str) -> bool:
        """Let `fact` hold no longer, without forgetting it; `False` if it does not hold.

        Whatever had been said under its key before does not return. `taking_up` undoes it.
        """
        guild_id, now = fact.guild_id, self._clock.now()

        async def change(connection: Connection) -> bool:
            held = await lines.hold_facts(connection, guild_id=guild_id, fact_ids=[fact.fact_id])
            own = [line for line in held if (line.subject_id, line.audience, line.key) == _line_of(fact)]
            known = await lifecycle.load(connection, guild_id=guild_id, lines=own)
            if not any(row.fact_id == fact.fact_id and row.status is FactStatus.ACTIVE for row in known.rows):
                return False
            counting = [source for row in known.rows for source in row.sources if not source.ended]
            source_ids = [source.source_id for source in counting]
            await sources.end(connection, guild_id=guild_id, source_ids=source_ids)
            await kept_by_tool.mark(
                connection, guild_id=guild_id, fact_id=fact.fact_id, cause=cause, source_ids=source_ids
            )
            await lines.settled(connection, guild_id=guild_id, lines=held, now=now)
            return True

        done = await self._database.write(change)
        self._notify()
        return done

    def taking_up(self, *, guild_id: int, cause: str) -> Deferred[list[Fact]]:
        """Return the write that lets the facts hold again that `cause` set aside, as far as nothing better does.

        It results in these.
        """
        now = self._clock.now()

        async def change(connection: Connection) -> list[Fact]:
            found = await kept_by_tool.aside(connection, guild_id=guild_id, cause=cause)
            aside = [one for one in found if one.source_ids]
            fact_ids = [one.fact_id for one in aside]
            held = await lines.hold_facts(connection, guild_id=guild_id, fact_ids=fact_ids)
            for one in aside:
                await kept_by_tool.count_again(connection, guild_id=guild_id, one=one, cause=cause)
            await lines.settled(connection, guild_id=guild_id, lines=held, now=now)
            again = await facts.with_ids(connection, guild_id=guild_id, fact_ids=fact_ids)
            return [fact for fact in again if fact.status is FactStatus.ACTIVE]

        return Deferred(change)

    async def set_aside_by(self, *, guild_id: int, cause: str) -> list[int]:
        """Return the ids of the facts that `cause` ever set aside: it wrote none of these."""
        found = await self._database.read(
            lambda connection: kept_by_tool.aside(connection, guild_id=guild_id, cause=cause)
        )
        return [one.fact_id for one in found]

    async def kept_by(self, message: Message, *, cause: str) -> KeptByTool:
        """Return what the reply to `message` had kept by `cause`, as far as it stands."""
        guild_id = message.guild_id

        async def read(connection: Connection) -> KeptByTool:
            done = await kept_by_tool.done_by(
                connection, guild_id=guild_id, message_id=message.message_id, cause=cause
            )
            if not done:
                return KeptByTool()
            fact_ids = [one.fact_id for one in done]
            told = await facts.with_ids(connection, guild_id=guild_id, fact_ids=fact_ids)
            # What was forgotten between the two reads has no text left.
            known = {fact.fact_id: fact for fact in told if fact.content}

            def of(what: str) -> tuple[Fact, ...]:
                return tuple(known[one.fact_id] for one in done if one.what == what and one.fact_id in known)

            return KeptByTool(facts=of("kept"), set_aside=of("set aside"), mentioned=of("mentioned"))

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
