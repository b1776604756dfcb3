"""Which errors are surely an outage of the database, and of which kind; every other error is somebody's defect."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final

import asyncpg

from bot.errors import DatabaseError, DatabaseTimeoutError, DatabaseUnavailableError


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
    """Tell whether `error` only says that the database has an outage, which is told for the whole process at once."""
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
