"""Limits how much is kept about one member: beyond `memory_document_tokens` learned facts are removed, the least
valuable first.

What somebody asked to have remembered is never removed automatically: its subject is told that their memory is full.
"""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.core.domain import GUILD_SUBJECT, LEARNED, FactOrigin, FactStatus
from bot.db.pool import Connection
from bot.db.rows import rows_as
from bot.db.service import BackgroundWork
from bot.llm.framing import BYTES_PER_TOKEN
from bot.memory.derived.engine import MemoryDependencies
from bot.memory.facts import repository, repository_slots, slots

logger = logging.getLogger(__name__)

_ROOM: Final = 0.9
"""How much of what is allowed is left where it was too much, so that not every further fact lets another one go."""

MOST_OFFERED: Final = 3
"""Facts that are named where there is no room left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptFact:
    """A fact, what it takes, and how much it would be missed."""

    fact_id: int
    origin: FactOrigin
    status: FactStatus
    importance: int
    used_at: datetime
    """When it was last given to a model for a reply, else when it was said."""
    said_at: datetime
    superseded_by: int | None
    tokens: int

    @property
    def is_learned(self) -> bool:
        """Whether nobody asked to have it remembered."""
        return self.origin in LEARNED


# A place is counted as a fact and with its notes: that is more than a document takes, never less.
_TOKENS: Final = " + ".join(
    f"(octet_length({text}) + {BYTES_PER_TOKEN - 1}) / {BYTES_PER_TOKEN}"
    for text in ("value", "content", "raw_content", "coalesce(details ->> 'notes', '')")
)


async def kept_of(connection: Connection, *, guild_id: int, subject_id: int) -> list[KeptFact]:
    """Return all that is kept as facts and places about a member in a guild, in every audience and status."""
    rows = await connection.fetch(
        f"""
        SELECT fact_id, origin, status, importance, coalesce(last_used_at, said_at) AS used_at, said_at,
               superseded_by, {_TOKENS} AS tokens
        FROM facts WHERE guild_id = $1 AND subject_id = $2 AND status <> 'forgotten'
        ORDER BY fact_id
        """,
        guild_id, subject_id,
    )  # fmt: skip
    return rows_as(KeptFact, rows)


async def _over(
    connection: Connection, *, guild_id: int, subject_ids: Sequence[int], allowed_tokens: int
) -> list[int]:
    """Return the members about whom more is kept than is allowed."""
    rows = await connection.fetch(
        f"""
        SELECT subject_id FROM facts
        WHERE guild_id = $1 AND subject_id = ANY($2::bigint[]) AND status <> 'forgotten'
        GROUP BY subject_id HAVING sum({_TOKENS}) > $3 ORDER BY subject_id
        """,
        guild_id, list(subject_ids), allowed_tokens,
    )  # fmt: skip
    return [row["subject_id"] for row in rows]


async def _remove(connection: Connection, *, guild_id: int, fact_ids: Sequence[int], now: datetime) -> None:
    """Remove learned facts, and let the lines that they stood in hold what is left."""
    held = await repository_slots.hold_slots_of_facts(connection, guild_id=guild_id, fact_ids=fact_ids)
    await repository.remove_facts(connection, guild_id=guild_id, fact_ids=fact_ids)
    await slots.settle_slots(connection, guild_id=guild_id, lines=held, now=now)


def _value(kept: KeptFact) -> tuple[bool, int, datetime, datetime, int]:
    """Return how much a fact would be missed: the least important, longest unused, oldest the least."""
    return kept.status is FactStatus.ACTIVE, kept.importance, kept.used_at, kept.said_at, kept.fact_id


def to_go(kept: Sequence[KeptFact], *, allowed_tokens: int) -> list[int]:
    """Return the learned facts to remove so that the rest fits; none if it fits.

    Superseded facts go first. A fact stays if removing it would make a remembered wish that it had replaced current
    again.
    """
    over = sum(one.tokens for one in kept)
    if over <= allowed_tokens:
        return []
    over -= int(_ROOM * allowed_tokens)
    needed = {one.superseded_by for one in kept if not one.is_learned}
    going = []
    for one in sorted((one for one in kept if one.is_learned and one.fact_id not in needed), key=_value):
        if over <= 0:
            break
        over -= one.tokens
        going.append(one.fact_id)
    return going


def offered(kept: Iterable[KeptFact]) -> list[int]:
    """Return what could go of what holds, the least valuable first."""
    holding = sorted((one for one in kept if one.status is FactStatus.ACTIVE), key=_value)
    return [one.fact_id for one in holding[:MOST_OFFERED]]


class Bounds:
    """Keeps what is known of each member within the bounds, behind the writes that add to it."""

    def __init__(self, needs: MemoryDependencies) -> None:
        self._database = needs.database
        self._clock = needs.clock
        self._allowed_tokens = needs.settings.memory_document_tokens
        self._work = BackgroundWork()
        self._one_at_a_time = asyncio.Lock()
        self._told: set[tuple[int, int]] = set()
        """Whose memory was said to be full in the log."""

    def look_at(self, guild_id: int, subject_ids: Iterable[int]) -> None:
        """Look behind whether too much is kept of these members; call it when something was stored about them."""
        self._work.begin(self.keep(guild_id, subject_ids), name="bound what is kept")

    async def settled(self) -> None:
        """Return when nothing is being looked at."""
        await self._work.settled()

    async def could_go(self, *, guild_id: int, subject_id: int) -> list[int]:
        """Return the facts about a member that could go where their memory is full; none where it is not."""
        kept = await self._database.read(kept_of, guild_id=guild_id, subject_id=subject_id)
        return offered(kept) if sum(one.tokens for one in kept) > self._allowed_tokens else []

    async def keep(self, guild_id: int, subject_ids: Iterable[int]) -> None:
        """Remove learned facts about these members as far as too much is kept about them."""
        members = sorted(set(subject_ids) - {GUILD_SUBJECT})
        # One after the other: two that look at the same facts would both let them go.
        async with self._one_at_a_time:
            over = members and await self._database.read(
                _over, guild_id=guild_id, subject_ids=members, allowed_tokens=self._allowed_tokens
            )
            for subject_id in over:
                gone, left = await self._database.write(self._bound, guild_id, subject_id)
                self._log(guild_id, subject_id, gone, left)

    def _log(self, guild_id: int, subject_id: int, gone: Sequence[int], left: int) -> None:
        if gone:
            logger.warning(
                "more than %d tokens were kept of member %d in guild %d: removed the learned facts %s",
                self._allowed_tokens,
                subject_id,
                guild_id,
                ", ".join(map(str, gone)),
            )
        if left > self._allowed_tokens and (guild_id, subject_id) not in self._told:
            self._told.add((guild_id, subject_id))
            logger.warning(
                "the memory of member %d in guild %d is full: %d tokens that nobody but them lets go",
                subject_id,
                guild_id,
                left,
            )

    async def _bound(self, connection: Connection, guild_id: int, subject_id: int) -> tuple[list[int], int]:
        """Remove what goes of one member; return which facts that was, and the tokens that are left."""
        kept = await kept_of(connection, guild_id=guild_id, subject_id=subject_id)
        gone = to_go(kept, allowed_tokens=self._allowed_tokens)
        if gone:
            await _remove(connection, guild_id=guild_id, fact_ids=gone, now=self._clock.now())
        return gone, sum(one.tokens for one in kept if one.fact_id not in gone)
