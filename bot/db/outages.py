"""Outages of the database: which errors certainly mean an outage, and of which kind. Reports one line when an outage
begins, one a minute while it lasts, and one when it ends.
"""

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import Final

import asyncpg

from bot.core.errors import DatabaseError, DatabaseTimeoutError, DatabaseUnavailableError

_MINUTE: Final = 60.0

_BLIP_SECONDS: Final = 0.2
"""Real seconds in which one failure and its repetition are no outage yet: connections break, and are made anew."""

_QUIET_SECONDS: Final = 15.0
"""Real seconds without a failure after which an outage is over that does not keep everybody from everything."""


class OutageReport:
    """Tells of the outages of one thing that the whole process needs.

    Whatever fails because of them says nothing of its own: it would say the same hundreds of times.
    """

    def __init__(
        self, subject: str, logger: logging.Logger, *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._subject = subject
        self._logger = logger
        self._monotonic = monotonic
        self._is_total = True
        self._since: float | None = None
        self._failed_at = 0.0
        self._said_at: float | None = None
        self._said: set[str] = set()

    @property
    def is_on(self) -> bool:
        """Whether an outage was told of that is not over."""
        return self._said_at is not None

    def failed(self, told: str, *, is_total: bool = True) -> None:
        """Take note of a failure; `told` is what is the matter, and what to do about it.

        A total one is over with the first success of anybody. Of another one some things succeed meanwhile, so it is
        over when nothing has failed for a while.
        """
        now = self._monotonic()
        if self._since is None:
            self._since = now
        self._failed_at = now
        is_new = told not in self._said
        self._is_total = is_total
        if now - self._since < _BLIP_SECONDS:
            return
        if is_new or self._said_at is None or now - self._said_at >= _MINUTE:
            lasts = "" if self._said_at is None else f" (for {lasting(now - self._since)} now)"
            self._logger.error("%s: %s%s", self._subject, told, lasts)
            self._said.add(told)
            self._said_at = now

    def succeeded(self) -> None:
        """Take note that something went well."""
        if self._since is None:
            return
        now = self._monotonic()
        if not self._is_total and now - self._failed_at < _QUIET_SECONDS:
            return
        if self._said_at is not None:
            self._logger.warning(
                "%s is well again, after %s", self._subject, lasting(self._failed_at - self._since)
            )
        self._since = self._said_at = None
        self._said.clear()


def lasting(seconds: float) -> str:
    """Return how long something took, in seconds, or in minutes if it was more than two of them."""
    return f"{seconds:.0f} s" if seconds < 2 * _MINUTE else f"{seconds / _MINUTE:.0f} min"


class Outage(StrEnum):
    """What keeps the database from its work; what was asked of it is no reason, and can be asked again later."""

    UNREACHABLE = "unreachable"
    """No connection can be made, or it broke."""
    RESTARTING = "restarting"
    """The server starts, stops, or ends its connections."""
    CONNECTIONS = "connections"
    """All connections of the server, or of the pool, are taken."""
    DISK = "disk"
    """The disk is full, or does not work."""
    MEMORY = "memory"
    """The server lacks memory or other means."""
    READ_ONLY = "read_only"
    """The server takes no writes: it is a standby, or was set so."""
    REFUSED = "refused"
    """The user, the password or the database is not known to the server any more."""


_UNREACHABLE: Final = "it cannot be reached, and what needs it waits until it can"

WHAT_IS_WRONG: Final[Mapping[Outage, str]] = {
    Outage.UNREACHABLE: _UNREACHABLE,
    # The one is seen as the server goes, the other while it is gone.
    Outage.RESTARTING: _UNREACHABLE,
    Outage.CONNECTIONS: "it gives no connection, since all are taken: lower DATABASE_POOL_SIZE, or raise"
    " max_connections there",
    Outage.DISK: "its disk is full, or does not work: make room there; what is to be written waits until then",
    Outage.MEMORY: "it lacks memory or other means; what needs them waits",
    Outage.READ_ONLY: "it takes no writes, since it is a standby or was set read-only; what is to be written waits",
    Outage.REFUSED: "it refuses the user, the password or the database that DATABASE_URL names: put right what was"
    " changed; what needs it waits until then",
}
"""What each outage is to whoever runs the bot, and what to do about it."""

TOTAL: Final = frozenset({Outage.UNREACHABLE, Outage.RESTARTING})
"""Those in which nothing at all can be read or written."""

_BY_ERROR: Final[tuple[tuple[type[Exception], Outage | None], ...]] = (
    # A statement that took too long says nothing about any other statement.
    (asyncpg.QueryCanceledError, None),
    (asyncpg.OperatorInterventionError, Outage.RESTARTING),
    (asyncpg.TooManyConnectionsError, Outage.CONNECTIONS),
    (asyncpg.DiskFullError, Outage.DISK),
    (asyncpg.PostgresIOError, Outage.DISK),
    (asyncpg.InsufficientResourcesError, Outage.MEMORY),
    (asyncpg.ReadOnlySQLTransactionError, Outage.READ_ONLY),
    (asyncpg.InvalidAuthorizationSpecificationError, Outage.REFUSED),
    (asyncpg.InvalidCatalogNameError, Outage.REFUSED),
    (asyncpg.PostgresConnectionError, Outage.UNREACHABLE),
    # What the library makes of a connection that breaks at a bad moment.
    (asyncpg.InternalClientError, Outage.UNREACHABLE),
    # A part of the operating system's errors, though statements that take too long raise it too.
    (TimeoutError, None),
    (OSError, Outage.UNREACHABLE),
)
"""The first that fits decides."""


def outage_of(error: BaseException) -> Outage | None:
    """Return which outage `error`, or what it was raised from, is; `None` if it need not be one.

    An error of the house that was raised because of an outage counts as that outage. One about a statement that
    took too long counts as none: a server that is well can be asked for too much.
    """
    for one in _causes(error):
        if isinstance(one, DatabaseTimeoutError):
            return None
        if (found := _of_one(one)) is not None:
            return found
    # No connection came free, or the embedded server does not start.
    return Outage.UNREACHABLE if isinstance(error, DatabaseUnavailableError) else None


def is_told_once(error: BaseException) -> bool:
    """Tell whether `error` is only a consequence of an outage, which is reported once for the whole process."""
    # Errors of the operating system come from other services too.
    is_of_database = isinstance(error, DatabaseError | asyncpg.PostgresError | asyncpg.InterfaceError)
    return is_of_database and outage_of(error) is not None


def _of_one(error: BaseException) -> Outage | None:
    if isinstance(error, asyncpg.InterfaceError):
        # Raised for a connection that broke, and for mistakes of the caller, alike.
        return Outage.UNREACHABLE if not isinstance(error, ValueError) and "clos" in str(error) else None
    return next((outage for kind, outage in _BY_ERROR if isinstance(error, kind)), None)


def _causes(error: BaseException) -> Iterator[BaseException]:
    one: BaseException | None = error
    while one is not None:
        yield one
        one = one.__cause__
