"""Waiting for transactions that are older than an erasing: they may not have seen that it began, and still write."""

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic
from typing import Final

from bot.store import erasing
from bot.store.database import Database

MOST_SECONDS: Final = 10.0
"""Real seconds that an erasing waits at first; then it is given back, to look again later."""

LOOK_AGAIN: Final = timedelta(minutes=1)
"""Real time until an erasing that was given back looks again, and says so if it still has to wait."""

_LOOK_SECONDS: Final = 0.01
"""Real seconds between two looks while it waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StillOpen:
    """Transactions that must end before an erasing may go on."""

    backend_pids: tuple[int, ...]
    """The server processes that have them open, by which an operator can end them."""
    since: datetime
    """The erasing began before that, by the clock of the database; a later transaction knows of it."""
    waited: timedelta


async def wait(database: Database, *, older_than: datetime | None) -> StillOpen | None:
    """Wait for all transactions that are open now, and return what is still open after `MOST_SECONDS`, if anything.

    With `older_than`, the `since` of an earlier wait, there is one look, and later transactions are not looked at: so
    an erasing waits no longer than the oldest of them, however busy the database is.
    """
    now, found = await database.read(erasing.under_way)
    if older_than is not None:
        found = frozenset(one for one in found if one.began_at <= older_than)
    else:
        give_up_at = monotonic() + MOST_SECONDS
        # A clock that was set back must not hide any of them from a later look.
        older_than = max((now, *(one.began_at for one in found)))
        while found and monotonic() < give_up_at:
            await asyncio.sleep(_LOOK_SECONDS)
            now, still = await database.read(erasing.under_way)
            found &= still
    if not found:
        return None
    return StillOpen(
        backend_pids=tuple(sorted(one.backend_pid for one in found)),
        since=older_than,
        waited=max(now - older_than, timedelta(0)),
    )
