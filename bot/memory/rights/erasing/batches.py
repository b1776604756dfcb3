"""Carries out one erasing batch by batch, in short transactions, after older transactions have ended."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime, timedelta
from time import monotonic
from typing import Final

from pydantic import TypeAdapter

from bot.db.jobs import LEASE
from bot.db.pool import Connection, Database, P, Statement, T
from bot.memory.rights import rows
from bot.memory.rights.erasing import repository
from bot.memory.rights.personal_data import ErasingStep, Then
from bot.memory.rights.rows import ErasingScope, FoundRows

_WHOLE_GUILD = 0
"""Stands for the member where a whole guild is erased."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """What an erasing took, or would take."""

    messages: int = 0
    """Messages of the member that had a text."""
    mentions: int = 0
    """Messages of others that named the member, who is nobody in them now; or had something about them remembered."""
    answers: int = 0
    """Messages of the bot that answered the member or told of them."""
    facts: int = 0
    profiles: int = 0
    """Versions of the profile."""
    texts: int = 0
    """Days, weeks, contexts and narratives about the member."""
    episodes: int = 0
    """Episodes that rested on what the member wrote."""
    waiting: int = 0
    """Facts that others keep about the member in rooms that the member cannot read: they wait for a manager."""
    unfinished: int = 0
    """Erasings that took nothing yet: they wait for older transactions, and go on behind when those have ended."""

    def __add__(self, other: "Erased") -> "Erased":
        return Erased(
            **{one.name: getattr(self, one.name) + getattr(other, one.name) for one in fields(self)}
        )

    def __bool__(self) -> bool:
        """Tell whether anything went, or waits."""
        return any(getattr(self, one.name) for one in fields(self))


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasingOrder:
    """One erasing as requested: everything that a process needs to continue it."""

    user_id: int = _WHOLE_GUILD
    audiences: tuple[int, ...] | None = None
    """Where what others said about the member goes too; `None` is everywhere."""
    up_to: datetime | None = None
    """What was said until then goes; `None`: it has not begun."""
    left_before: datetime | None = None
    """Only who left before that, and is not back, is erased."""
    notes_only: bool = False
    """Only what others keep about the member goes: all else went before."""
    step: int = 0
    """The place of the step that is under way."""
    after_id: int = 0
    """The last row that the step under way has looked at."""
    older_than: datetime | None = None
    """Transactions from before that, by the clock of the database, are still waited for; `None`: all that are open."""
    turn: int = 0
    """How often it was given back: each turn has a key of its own, so that none ends the lease of the next."""

    @property
    def is_of_guild(self) -> bool:
        """Whether it is a whole guild that is erased."""
        return self.user_id == _WHOLE_GUILD

    def as_key(self) -> str:
        """Return the key of the background work that does it."""
        return json.dumps(asdict(self), default=datetime.isoformat)

    @classmethod
    def of_key(cls, work_key: str) -> "ErasingOrder":
        """Return what a key of `as_key` asks for; of an earlier version it may lack the last fields."""
        return _ORDERS.validate_json(work_key)


_ORDERS: Final = TypeAdapter(ErasingOrder)


TURN_BATCHES: Final = 300
"""Batches before other background work has its turn."""

_PAUSE_SECONDS: Final = 0.02
"""Real seconds between batches done behind, in which replies find connections and disks free."""


Follow = Callable[[Connection, ErasingScope, Then, FoundRows], Awaitable[Erased]]


class _TurnIsOverError(Exception):
    """There is more to erase than one turn of background work takes."""


class Batches:
    """Runs the transactions of one erasing, at most `limit`, and keeps its job alive meanwhile."""

    def __init__(
        self, database: Database, *, guild_id: int, asked: ErasingOrder, limit: int | None = None
    ) -> None:
        self._database = database
        self._guild_id = guild_id
        self._asked = asked
        self._step = asked.step
        self._after_id = asked.after_id
        self._left = limit

    async def in_turn(self, erase: Callable[["Batches"], Awaitable[Erased]]) -> Erased:
        """Run `erase`; if it exceeds a turn, the next worker continues, and nothing is reported as removed yet."""
        try:
            return await erase(self)
        except _TurnIsOverError:
            reached = replace(
                self._asked, step=self._step, after_id=self._after_id, turn=self._asked.turn + 1
            )
            await self._database.write(
                repository.give_back_job,
                guild_id=self._guild_id,
                work_key=self._asked.as_key(),
                goes_on_as=reached.as_key(),
            )
            return Erased()

    async def carry_out(
        self, steps: Sequence[tuple[ErasingStep, str]], scope: ErasingScope, follow: Follow
    ) -> Erased:
        """Do these steps one after the other, from where it was reached; `follow` does what follows a batch."""
        erased = Erased()
        for step, table in steps:
            if step.place < self._step:
                continue
            self._step = step.place
            last_id: int | None = self._after_id
            while last_id is not None:
                self._after_id = last_id
                taken, last_id = await self.run(self._batch, step, table, scope, follow)
                erased += taken
            self._after_id = 0
        return erased

    async def _batch(
        self, connection: Connection, step: ErasingStep, table: str, scope: ErasingScope, follow: Follow
    ) -> tuple[Erased, int | None]:
        found = await rows.take_batch(connection, step, table, scope, after_id=self._after_id)
        taken = await follow(connection, scope, step.then, found) if found.ids else Erased()
        return taken, found.last_id

    async def run(self, change: Statement[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `change(connection, *args, **kwargs)` in one transaction."""
        if self._left is not None:
            if self._left == 0:
                raise _TurnIsOverError
            self._left -= 1
            await asyncio.sleep(_PAUSE_SECONDS)

        async def renewed(connection: Connection) -> T:
            await repository.renew_job(
                connection, guild_id=self._guild_id, work_key=self._asked.as_key(), lease=LEASE
            )
            return await change(connection, *args, **kwargs)

        return await self._database.write(renewed)


MOST_SECONDS: Final = 10.0
"""Real seconds that an erasing waits at first; then it is given back, to look again later."""

LOOK_AGAIN: Final = timedelta(minutes=1)
"""Real time until an erasing that was given back looks again, and says so if it still has to wait."""

_LOOK_SECONDS: Final = 0.01
"""Real seconds between two looks while it waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OlderTransactions:
    """Transactions that must end before an erasing may go on."""

    backend_pids: tuple[int, ...]
    """The server processes that have them open, by which an operator can end them."""
    since: datetime
    """The erasing began before that, by the clock of the database; a later transaction knows of it."""
    waited: timedelta


async def wait_for_older(database: Database, *, older_than: datetime | None) -> OlderTransactions | None:
    """Wait for all transactions that are open now, and return what is still open after `MOST_SECONDS`, if anything.

    With `older_than`, the `since` of an earlier wait, there is one look, and later transactions are not looked at: so
    an erasing waits no longer than the oldest of them, however busy the database is.
    """
    now, found = await database.read(repository.open_transactions)
    if older_than is not None:
        found = frozenset(one for one in found if one.began_at <= older_than)
    else:
        give_up_at = monotonic() + MOST_SECONDS
        # A clock that was set back must not hide any of them from a later look.
        older_than = max((now, *(one.began_at for one in found)))
        while found and monotonic() < give_up_at:
            await asyncio.sleep(_LOOK_SECONDS)
            now, still = await database.read(repository.open_transactions)
            found &= still
    if not found:
        return None
    return OlderTransactions(
        backend_pids=tuple(sorted(one.backend_pid for one in found)),
        since=older_than,
        waited=max(now - older_than, timedelta(0)),
    )
