"""Search over everything that is still kept: messages, facts and episodes, weighed together."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from bot.clock import Clock
from bot.errors import DatabaseError
from bot.log import trace
from bot.memory.recall import weighing
from bot.memory.recall.hits import Hit, HitKind
from bot.memory.recall.lexicon import KIND, Lexicographer
from bot.memory.recall.planning import Plan, plan_of, possible_names
from bot.memory.recall.query import Query, query_of
from bot.memory.sayable import of_present
from bot.store import guilds, history, lexicon, recall, recall_notes
from bot.store.database import Connection, Database
from bot.store.recall import Weighed
from bot.store.recall_asked import Constants
from bot.store.recall_notes import Note
from bot.work import Handler

logger = logging.getLogger(__name__)

FLOOR: Final = 0.4
"""The score from which a hit is worth telling unasked.

A score is a share: what was found, against a message that says all that is asked amid talk about it, and less where
the question is of too common words to single anything out. Small talk stays below, however well something matches it.
"""

CONSTANTS: Final = Constants(
    k1=weighing.K1,
    b=weighing.B,
    agreement=weighing.AGREEMENT,
    before=weighing.BEFORE,
    after=weighing.AFTER,
    answer=weighing.ANSWER,
    conversation=weighing.CONVERSATION,
    named=weighing.NAMED,
    addressed=weighing.ADDRESSED,
    attached=weighing.ATTACHED,
    most_candidates=weighing.MOST_CANDIDATES,
)
_ALONE: Final = 1.5
"""What a fact or an episode gains, which has no neighbours that could lend it weight."""


class Recall:
    """Finds again what was said and what is known. `notify` is called after a commit that asked for work."""

    def __init__(
        self, database: Database, clock: Clock, *, notify: Callable[[], None], gap: timedelta
    ) -> None:
        self._database = database
        self._clock = clock
        self._gap = gap
        self._lexicographer = Lexicographer(database, clock, notify=notify)
        self._asking: set[asyncio.Task[None]] = set()

    def handlers(self) -> Mapping[str, Handler]:
        """Return who does the background work of recall, by its kind."""
        return {KIND: self._lexicographer.refresh}

    async def settled(self) -> None:
        """Return when all background work that searches made necessary was asked for."""
        await asyncio.gather(*self._asking)

    async def search(
        self, *, guild_id: int, query: Query | str, audiences: Sequence[int], limit: int
    ) -> list[Hit]:
        """Return at most `limit` memories that answer `query` and that these audiences may see, the best first.

        A plain text is asked now, by nobody, in the guild's time zone. Small talk finds nothing.
        """
        if not audiences or limit < 1:
            return []

        async def read(connection: Connection) -> tuple[list[Hit], datetime | None]:
            async with recall.swiftly(connection):
                return await found(connection)

        async def found(connection: Connection) -> tuple[list[Hit], datetime | None]:
            wanted = query if isinstance(query, Query) else await self._query(connection, guild_id, query)
            names, beginnings = possible_names(wanted)
            known = await lexicon.known(
                connection,
                guild_id=guild_id,
                audiences=audiences,
                words=wanted.words,
                identifiers=wanted.identifiers,
                names=names,
                name_beginnings=beginnings,
                user_ids=wanted.named_ids,
            )
            plan = plan_of(wanted, known, guild_id=guild_id, audiences=audiences, gap=self._gap)
            return await self._hits(connection, plan, limit), known.refreshed_at

        hits, refreshed_at = await self._database.read(read)
        self._refresh(guild_id, refreshed_at)
        return hits

    async def kept_since(self, *, guild_id: int, audiences: Sequence[int]) -> datetime | None:
        """Return when the oldest message was written that these audiences may see; `None` if there is none."""
        return await self._database.read(
            lambda connection: history.kept_since(connection, guild_id=guild_id, audiences=audiences)
        )

    async def _query(self, connection: Connection, guild_id: int, text: str) -> Query:
        guild = await guilds.guild(connection, guild_id=guild_id)
        return query_of(text, now=self._clock.now(), time_zone=guild.time_zone if guild else "UTC")

    async def _hits(self, connection: Connection, plan: Plan, limit: int) -> list[Hit]:
        if plan.is_empty:
            return []
        said = await recall.messages(connection, plan.asked, constants=CONSTANTS, limit=limit)
        hits = [_hit_of_message(one, plan.scale) for one in said]
        if plan.names_words:
            noted = await recall_notes.notes(
                connection, plan.asked, constants=CONSTANTS, now=self._clock.now(), limit=limit
            )
            hits += [_hit_of_note(one, plan.scale) for one in await _tellable(connection, plan, noted)]
            hits.sort(key=lambda hit: -hit.score)
        return hits[:limit]

    def _refresh(self, guild_id: int, refreshed_at: datetime | None) -> None:
        """Ask behind the search for the lexicon to be counted, if it is old."""
        task = asyncio.create_task(self._ask(guild_id, refreshed_at), name="asking for a lexicon")
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _ask(self, guild_id: int, refreshed_at: datetime | None) -> None:
        try:
            await self._lexicographer.ask_if_old(guild_id, refreshed_at)
        except DatabaseError as error:
            logger.warning("the lexicon of guild %d stays as it is: %s", guild_id, trace(error))


async def _tellable(connection: Connection, plan: Plan, noted: Sequence[Note]) -> list[Note]:
    """Return `noted` without the sentences of episodes that name members of whom nothing is kept."""
    left = await of_present(connection, guild_id=plan.asked.guild_id, texts=[one.text for one in noted])
    return [replace(one, text=text) for one, text in zip(noted, left, strict=True) if text]


def _hit_of_message(found: Weighed, scale: float) -> Hit:
    message = found.message
    return Hit(
        kind=HitKind.MESSAGE,
        hit_id=message.message_id,
        channel_id=message.channel_id,
        message_id=message.message_id,
        author_id=message.user_id,
        subject_id=None,
        audience=message.audience,
        said_at=message.timestamp,
        text=message.text,
        score=min(1.0, found.weight * scale),
    )


def _hit_of_note(found: Note, scale: float) -> Hit:
    return Hit(
        kind=HitKind.FACT if found.is_fact else HitKind.EPISODE,
        hit_id=found.note_id,
        channel_id=found.channel_id,
        message_id=found.message_id,
        author_id=found.author_id,
        subject_id=found.subject_id,
        audience=found.audience,
        said_at=found.said_at,
        text=found.text,
        score=min(1.0, _ALONE * found.weight * scale),
    )
