"""Whether this process does its work, judged from a few signs and reported as the names of what fails."""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.chat.keepsake import Keepsake
from bot.core.errors import DatabaseError
from bot.core.log import error_kind
from bot.db.service import ServiceFailure

logger = logging.getLogger(__name__)


DATABASE: Final = "database"
SENDING: Final = "sending of answers"

UNSENT_SECONDS: Final = 60.0
"""How long an answer may be written down and not sent: no reply takes longer, sending included."""

FAILURES: Final = 3
"""Failures of a loop in a row from which on it does no work; after one or two it is started again at once."""

DATABASE_SECONDS: Final = 5.0
"""Real seconds that the database gets to answer."""

CACHED_SECONDS: Final = 2.0
"""Real seconds for which a judgement is told again: nobody is asked who may ask, so asking must cost nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vitals:
    """What is known at one moment."""

    database_answers: bool
    standing_still: Sequence[str] = ()
    """Loops that hang, and the gateway."""
    failing: Sequence[ServiceFailure] = ()
    unsent_seconds: float = 0.0
    """For how long the oldest answer has been written down that was not sent; 0 if there is none."""


def what_fails(vitals: Vitals) -> list[str]:
    """Return the names of what stands still or fails, in order; none if all is well."""
    failing = {*vitals.standing_still, *(one.name for one in vitals.failing if one.failures >= FAILURES)}
    if not vitals.database_answers:
        failing.add(DATABASE)
    if vitals.unsent_seconds > UNSENT_SECONDS:
        failing.add(SENDING)
    return sorted(failing)


class Health:
    """Looks at the signs of a running bot; however many ask at once, it looks once."""

    def __init__(self, keepsake: Keepsake, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._keepsake = keepsake
        self._monotonic = monotonic
        self._looking = asyncio.Lock()
        self._looked_at: float | None = None
        self._failing: Sequence[str] = ()

    async def failing(self) -> Sequence[str]:
        """Return the names of what stands still or fails, as they were two seconds ago at the earliest."""
        async with self._looking:
            if self._looked_at is None or self._monotonic() - self._looked_at >= CACHED_SECONDS:
                self._failing = what_fails(await self._vitals())
                self._looked_at = self._monotonic()
            return self._failing

    async def _vitals(self) -> Vitals:
        services = self._keepsake.services
        unsent_seconds = await self._unsent_seconds()
        return Vitals(
            database_answers=unsent_seconds is not None,
            standing_still=services.standing_still(),
            failing=services.failing(),
            unsent_seconds=unsent_seconds or 0.0,
        )

    async def _unsent_seconds(self) -> float | None:
        """Return the age of the oldest answer that was not sent; `None` if the database does not answer."""
        try:
            async with asyncio.timeout(DATABASE_SECONDS):
                unsent = await self._keepsake.memory.answers.all_unsent(now=self._keepsake.now())
        except (TimeoutError, DatabaseError) as error:
            logger.info("the database does not answer: %s", error_kind(error))
            return None
        return unsent.oldest_seconds
