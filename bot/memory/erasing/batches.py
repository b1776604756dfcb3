"""Erasing batch by batch, each in a short transaction, so that whoever comes after a crash goes on."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, TypeVar

from bot.memory.erasing.asked import Asked, Erased
from bot.store import erasing
from bot.store.database import Connection, Database
from bot.work import LEASE

BATCH_ROWS: Final = 500
"""Rows that one transaction takes."""

SCANNED_ROWS: Final = 2_000
"""Rows that one transaction looks through."""

TURN_BATCHES: Final = 300
"""Batches before other background work has its turn."""

_PAUSE_SECONDS: Final = 0.02
"""Real seconds between batches done behind, in which replies find connections and disks free."""

T = TypeVar("T")


class _TurnIsOverError(Exception):
    """There is more to erase than one turn of background work takes."""


class Batches:
    """Runs the transactions of one erasing, and keeps its work for whoever is at it; `limit` of them at most."""

    def __init__(self, database: Database, *, guild_id: int, asked: Asked, limit: int | None = None) -> None:
        self._database = database
        self._guild_id = guild_id
        self._asked = asked
        self._step = asked.step
        self._after_id = asked.after_id
        self._left = limit

    async def in_turn(self, erase: Callable[["Batches"], Awaitable[Erased]]) -> Erased:
        """Run `erase`; if it takes more than a turn, whoever comes next goes on, and nothing is said to have gone."""
        try:
            return await erase(self)
        except _TurnIsOverError:
            reached = replace(
                self._asked, step=self._step, after_id=self._after_id, turn=self._asked.turn + 1
            )
            await self._database.write(
                lambda connection: erasing.give_back(
                    connection,
                    guild_id=self._guild_id,
                    work_key=self._asked.as_key(),
                    goes_on_as=reached.as_key(),
                )
            )
            return Erased()

    async def steps(self, steps: Sequence[Callable[[], Awaitable[Erased]]]) -> Erased:
        """Take these steps one after the other, from the one on that was reached."""
        erased = Erased()
        for number, step in enumerate(steps):
            if number < self._step:
                continue
            self._step = number
            erased += await step()
            self._after_id = 0
        return erased

    async def run(self, change: Callable[[Connection], Awaitable[T]]) -> T:
        """Run one transaction."""
        if self._left is not None:
            if self._left == 0:
                raise _TurnIsOverError
            self._left -= 1
            await asyncio.sleep(_PAUSE_SECONDS)

        async def renewed(connection: Connection) -> T:
            await erasing.renew(
                connection, guild_id=self._guild_id, work_key=self._asked.as_key(), lease=LEASE
            )
            return await change(connection)

        return await self._database.write(renewed)

    async def until_none(self, batch: Callable[[Connection], Awaitable[Erased | None]]) -> Erased:
        """Run `batch` until it finds nothing, and return what all of them took."""
        erased = Erased()
        while (taken := await self.run(batch)) is not None:
            erased += taken
        return erased

    async def through(
        self, batch: Callable[[Connection, int], Awaitable[tuple[Erased, int | None]]]
    ) -> Erased:
        """Run `batch` from the id on that was reached, each time after the last that it looked at, until `None`."""
        erased = Erased()
        after_id: int | None = self._after_id
        while after_id is not None:
            self._after_id = after_id
            taken, after_id = await self.run(partial(_after, batch, after_id))
            erased += taken
        return erased


async def _after(
    batch: Callable[[Connection, int], Awaitable[tuple[Erased, int | None]]],
    after_id: int,
    connection: Connection,
) -> tuple[Erased, int | None]:
    return await batch(connection, after_id)
