"""The account of the models, kept in the database: joins what the budget asks with what the store keeps."""

import dataclasses
from collections.abc import Collection, Mapping
from datetime import date, datetime, timedelta
from typing import Final

from bot.language.budget import Reservation, Spent, Used
from bot.language.outcome import Held
from bot.store import quota, usage
from bot.store.database import Connection, Database

_SHARES_KEPT: Final = timedelta(days=2)
"""Nobody asks for the share of an earlier day, and ids are not kept longer than they are of use."""


class _HeldError(Exception):
    """Rolls a reservation back that was not granted in full."""

    def __init__(self, kind: Held) -> None:
        super().__init__(kind)
        self.kind: Final = kind


class DatabaseLedger:
    """The ledger that all processes on one database share."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._swept: datetime | None = None

    async def reserve(self, reservation: Reservation) -> Held | None:
        """Count one request in, unless that would exceed a limit: then nothing is counted."""

        async def count_in(connection: Connection) -> None:
            model_allows, shares_allow = await quota.reserve(connection, **dataclasses.asdict(reservation))
            if not model_allows:
                raise _HeldError("no_quota")
            if not shares_allow:
                raise _HeldError("no_share")

        await self._sweep(reservation.day)
        try:
            await self._database.write(count_in)
        except _HeldError as held:
            return held.kind
        return None

    async def record(self, spent: Spent) -> None:
        """Add `spent` to the usage of its day."""
        entry = usage.Usage(**dataclasses.asdict(spent))
        await self._database.write(lambda connection: usage.add(connection, entry))

    async def used(self, models: Collection[str], *, minute: datetime, day: datetime) -> Mapping[str, Used]:
        """Return the requests of these models in the minute and the day that began then."""
        counts = await self._database.read(
            lambda connection: quota.used(connection, models, minute=minute, day=day)
        )
        return {model: Used(minute=count.minute, day=count.day) for model, count in counts.items()}

    async def tokens_since(self, day: date) -> Mapping[str, tuple[int, int]]:
        """Return the tokens in and out, by model, since `day`."""
        return await self._database.read(lambda connection: usage.tokens_since(connection, day))

    async def _sweep(self, day: datetime) -> None:
        """Drop old shares, once a day and process."""
        if self._swept is not None and self._swept >= day:
            return
        self._swept = day
        await self._database.write(
            lambda connection: quota.forget_shares(connection, before=day - _SHARES_KEPT)
        )
