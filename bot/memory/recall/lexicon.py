"""Counting, now and then and behind replies, how many messages say each word."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from bot.clock import Clock
from bot.store import lexicon, work
from bot.store.database import Connection, Database
from bot.store.work import Task

logger = logging.getLogger(__name__)

KIND: Final = "lexicon"
"""The kind of background work that counts the words of a guild."""

REFRESHED_EVERY: Final = timedelta(hours=6)
"""How old the counts may be; what is rare today is rare tomorrow."""


class Lexicographer:
    """Counts the words of a guild, one audience after another, each in a transaction of its own."""

    def __init__(self, database: Database, clock: Clock, *, notify: Callable[[], None]) -> None:
        self._database = database
        self._clock = clock
        self._notify = notify

    async def refresh(self, task: Task) -> None:
        """Count the words of the guild of `task` anew; of very many messages a sample is counted."""
        guild_id, now = task.guild_id, self._clock.now()
        audiences = await self._database.read(
            lambda connection: lexicon.audiences_of(connection, guild_id=guild_id)
        )
        kept = 0
        for audience in audiences:

            async def count(connection: Connection, audience: int = audience) -> int:
                return await lexicon.refresh(connection, guild_id=guild_id, audience=audience, now=now)

            kept += await self._database.write(count)
        logger.info("lexicon of guild %d: %d words in %d audiences", guild_id, kept, len(audiences))

    async def ask_if_old(self, guild_id: int, refreshed_at: datetime | None) -> None:
        """Ask for the count if there is none yet, or if it is too old by the clock; asking twice is once."""
        if refreshed_at is not None and self._clock.now() - refreshed_at < REFRESHED_EVERY:
            return
        await self._database.write(
            lambda connection: work.ask(connection, guild_id=guild_id, kind=KIND, work_key="")
        )
        self._notify()
