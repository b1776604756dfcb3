"""The connection pool: short reads and short transactions, limited in time and retried when the server was lost."""

import asyncio
import logging
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, Final, ParamSpec, Self, TypeAlias, TypeVar

import asyncpg

from bot.core.errors import DatabaseError, DatabaseTimeoutError, DatabaseUnavailableError
from bot.core.log import trace
from bot.core.metering import DatabaseAsked, Meter
from bot.db.outages import TOTAL, WHAT_IS_WRONG, Outage, OutageReport, outage_of
from bot.db.signs import sign_of_life

if TYPE_CHECKING:
    from asyncpg.pool import PoolConnectionProxy

logger = logging.getLogger(__name__)


T = TypeVar("T")
P = ParamSpec("P")

Connection: TypeAlias = "PoolConnectionProxy[asyncpg.Record]"
Row: TypeAlias = "asyncpg.Record"
Work: TypeAlias = Callable[[Connection], Awaitable[T]]
Statement: TypeAlias = Callable[Concatenate[Connection, P], Awaitable[T]]

_PAUSES_SECONDS: Final = (0.05, 0.2, 0.5, 1.0, 2.0, 4.0)
"""How long to wait before each new try; an embedded server needs about a second to come back."""

_RACE: Final = (asyncpg.SerializationError, asyncpg.DeadlockDetectedError)


_SPAN_ATTRIBUTES: Final = {"db.system.name": "postgresql"}

_SHARE: ContextVar[asyncio.Semaphore | None] = ContextVar("share", default=None)


@contextmanager
def shared_by(connections: int) -> Iterator[None]:
    """Limit everything that is read and written inside, including tasks started there, to so many connections at once.

    Waiting callers get the next connection in order, so what begins first is read first.
    """
    token = _SHARE.set(asyncio.Semaphore(connections))
    try:
        yield
    finally:
        _SHARE.reset(token)


async def open_pool(
    dsn: str, *, pool_size: int = 10, statement_cache: int = 200, timeout_seconds: float = 15.0
) -> "asyncpg.Pool[Row]":
    """Open the pool that `Database.open` works with. Raises `DatabaseUnavailableError`."""
    try:
        return await asyncpg.create_pool(
            dsn,
            min_size=1,
            max_size=pool_size,
            statement_cache_size=statement_cache,
            # Forgotten after five minutes, as by its default, each is planned anew, and leaves garbage in a cycle.
            max_cached_statement_lifetime=0,
            command_timeout=timeout_seconds,
            timeout=timeout_seconds,
            init=_plan_once if statement_cache else None,
            reset=_keep_session,
        )
    except (OSError, asyncpg.PostgresError, asyncpg.InternalClientError) as error:
        raise DatabaseUnavailableError(f"the database cannot be reached: {error}") from error


async def _plan_once(connection: "asyncpg.Connection[Row]") -> None:
    """Have each statement of a read planned once, and not for its values: of most that takes longer than to run them.

    They find single rows, or the last few of a place, by an index that is the right one for all values. Those that look
    through what was said in a time are surveys. Whoever writes may touch any number of rows, and has its statements
    planned as Postgres sees fit.
    """
    await connection.execute("SET plan_cache_mode = force_generic_plan")


async def _keep_session(_connection: "asyncpg.Connection[Row]") -> None:
    """Leave the session of a connection that is given back as it is; asyncpg has rolled back what was open.

    Its own default resets session state by another round trip after every use, and there is none to reset: but for how
    reads are planned, settings and advisory locks are those of a transaction, nothing listens, and no temporary table
    is made.
    """


@asynccontextmanager
async def transaction(connection: Connection, begin: str) -> AsyncIterator[None]:
    """Run what is inside in a transaction, which `begin` opens and sets up in one message to the server.

    What goes wrong inside is raised, whatever becomes of the rollback: a connection that cannot roll back is ended.
    """
    try:
        await connection.execute(begin)
        yield
        await connection.execute("COMMIT")
    except (Exception, asyncio.CancelledError):
        try:
            if not connection.is_closed():
                await connection.execute("ROLLBACK")
        except Exception as error:
            # A cancellation that came before its statement reached the server is lost there: it goes on.
            logger.debug("a connection is ended, since it did not roll back: %s", trace(error))
            with suppress(asyncpg.InterfaceError):
                connection.terminate()
        raise


@asynccontextmanager
async def savepoint(connection: Connection) -> AsyncIterator[None]:
    """Undo what is inside, and nothing else of the transaction around it, if it raises."""
    await connection.execute("SAVEPOINT inside")
    try:
        yield
    except Exception:
        if not connection.is_closed():
            await connection.execute("ROLLBACK TO SAVEPOINT inside")
        raise
    await connection.execute("RELEASE SAVEPOINT inside")


class Database:
    """Reads and writes of the store. Every write must be idempotent, since it may be tried again."""

    def __init__(
        self,
        pool: "asyncpg.Pool[Row]",
        *,
        timeout_seconds: float = 15.0,
        revive: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self._pool = pool
        # In the pool's own queue whoever asks at the right moment goes first, and the one before them goes last.
        self._turns = asyncio.Semaphore(pool.get_max_size())
        self._timeout_seconds = timeout_seconds
        self._revive = revive
        self._outages = OutageReport("the database", logger)
        self.meter: Final = Meter()
        """Who counts what happens here, and in all that works with this database."""

    @classmethod
    async def open(
        cls,
        dsn: str,
        *,
        pool_size: int = 10,
        statement_cache: int = 200,
        timeout_seconds: float = 15.0,
        revive: Callable[[], Awaitable[None]] | None = None,
    ) -> Self:
        """Open a pool of at most `pool_size` connections to `dsn`.

        `statement_cache` is 0 behind a pooler in transaction mode. `timeout_seconds` bounds each statement.
        `revive` brings a lost server back, where it is ours to start. Raises `DatabaseUnavailableError`.
        """
        pool = await open_pool(
            dsn, pool_size=pool_size, statement_cache=statement_cache, timeout_seconds=timeout_seconds
        )
        return cls(pool, timeout_seconds=timeout_seconds, revive=revive)

    async def close(self) -> None:
        """Close every connection; calls under way get five seconds to finish."""
        try:
            async with asyncio.timeout(5):
                await self._pool.close()
        except TimeoutError:
            self._pool.terminate()

    async def read(self, query: Statement[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `query(connection, *args, **kwargs)` outside of any transaction, so that none is left open."""
        return await self._again_if_lost(query, lambda connection: query(connection, *args, **kwargs))

    async def survey(self, query: Statement[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `query(connection, *args, **kwargs)`, which looks through as many rows as its values say.

        Each of its statements is planned for these: a plan for all values sorts the whole of a large guild for the last
        hundred messages of a time, since it expects few of any time.
        """
        begin = "BEGIN READ ONLY; SET LOCAL plan_cache_mode = force_custom_plan"
        return await self._in_transaction(begin, query, *args, **kwargs)

    async def write(self, change: Statement[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `change(connection, *args, **kwargs)` in one short transaction.

        It is run again if it lost a race or the server. The server itself ends statements that take too long; SET LOCAL
        survives a pooler.
        """
        most = int(self._timeout_seconds * 1000)
        begin = (
            f"BEGIN; SET LOCAL plan_cache_mode = auto; SET LOCAL statement_timeout = {most};"
            f" SET LOCAL idle_in_transaction_session_timeout = {most}"
        )
        return await self._in_transaction(begin, change, *args, **kwargs)

    async def write_one(self, statement: Statement[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `statement(connection, *args, **kwargs)`, a change by a single statement, without a transaction.

        It is run again as by `write`.
        """
        return await self._again_if_lost(statement, lambda connection: statement(connection, *args, **kwargs))

    async def _in_transaction(
        self, begin: str, statements: Statement[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `statements(connection, *args, **kwargs)` in a transaction that `begin` opens and sets up."""

        async def inside(connection: Connection) -> T:
            async with transaction(connection, begin):
                return await statements(connection, *args, **kwargs)

        return await self._again_if_lost(statements, inside)

    async def _again_if_lost(self, named: Callable[..., object], work: Work[T]) -> T:
        """Do `work`, again if the server was lost; a trace shows it under the name of the function `named`."""
        named = named.func if isinstance(named, partial) else named
        name = getattr(named, "__qualname__", "statement").replace("<locals>.", "")
        # What loops look for again and again begins no trace.
        with self.meter.span(f"database {name}", _SPAN_ATTRIBUTES, kind="client", place="only inside"):
            return await self._tried(work)

    async def _tried(self, work: Work[T]) -> T:
        started = time.monotonic()
        for pause in (*_PAUSES_SECONDS, None):
            try:
                done = await self._connected(work)
            except DatabaseUnavailableError:
                self._note(Outage.CONNECTIONS)
                raise
            except Exception as error:
                outage = outage_of(error)
                if outage is not None:
                    self._note(outage)
                if outage is None and not isinstance(error, _RACE):
                    raise
                if pause is None:
                    raise DatabaseUnavailableError(f"the database {_refusal(outage, error)}") from error
                if outage is not None:
                    await self._expire_and_revive()
                await asyncio.sleep(pause * random.uniform(0.5, 1))  # noqa: S311 - jitter, no secret
            else:
                self._outages.succeeded()
                sign_of_life()
                self.meter.note(DatabaseAsked(seconds=time.monotonic() - started))
                return done
        raise AssertionError("unreachable")

    def _note(self, outage: Outage) -> None:
        self._outages.failed(WHAT_IS_WRONG[outage], is_total=outage in TOTAL)

    async def _connected(self, work: Work[T]) -> T:
        """Give `work` a connection as soon as it is its turn."""
        async with _SHARE.get() or nullcontext():
            return await self._with_connection(work)

    async def _with_connection(self, work: Work[T]) -> T:
        """Give `work` a connection, and say of a timeout whether it was waiting for one or working with it."""
        try:
            async with asyncio.timeout(self._timeout_seconds):
                await self._turns.acquire()
            try:
                async with self._pool.acquire(timeout=self._timeout_seconds) as connection:
                    try:
                        return await work(connection)
                    except (TimeoutError, asyncpg.QueryCanceledError) as error:
                        raise DatabaseTimeoutError(
                            f"the database did not answer within {self._timeout_seconds:g} seconds"
                        ) from error
            finally:
                self._turns.release()
        except TimeoutError as error:
            raise DatabaseUnavailableError(
                f"the database gave no connection within {self._timeout_seconds:g} seconds"
            ) from error

    async def _expire_and_revive(self) -> None:
        await self._pool.expire_connections()
        if self._revive is None:
            return
        try:
            await self._revive()
        except DatabaseError as error:
            self._outages.failed(str(error))
            raise DatabaseUnavailableError(str(error)) from error


def _refusal(outage: Outage | None, error: Exception) -> str:
    if outage is Outage.READ_ONLY:
        return "takes no writes: it is a standby, or was set read-only"
    return f"cannot be reached: {error}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseState:
    """The state of a database, as it sees it."""

    server_version: int
    """As Postgres counts: 180001 is 18.1."""
    name: str
    address: str | None
    """Of the server; `None` for a local socket."""
    size_bytes: int
    now: datetime
    revision: str | None
    """Which form the tables have; `None` before there are any."""

    @property
    def version(self) -> str:
        """The server's version as people write it."""
        return f"{self.server_version // 10_000}.{self.server_version % 10_000}"


async def ping(connection: Connection) -> None:
    """Return if the database answers at all."""
    await connection.fetchval("SELECT 1")


async def read_state(connection: Connection) -> DatabaseState:
    """Return the condition of the database behind `connection`, whatever form its tables have."""
    row = await connection.fetchrow(
        """
        SELECT current_setting('server_version_num')::int AS server_version,
               current_database()::text AS name,
               host(inet_server_addr()) AS address,
               pg_database_size(current_database()) AS size_bytes,
               clock_timestamp() AS now,
               to_regclass('alembic_version') IS NOT NULL AS has_tables
        """
    )
    if row is None:
        raise AssertionError("a SELECT without FROM gave no row")
    told = dict(row)
    has_tables = told.pop("has_tables")
    revision = await connection.fetchval("SELECT version_num FROM alembic_version") if has_tables else None
    return DatabaseState(**told, revision=revision)


async def local_data_folder(connection: Connection) -> Path | None:
    """Return where the server keeps its data, if it may be on this machine; `None` if it is not, or hidden."""
    row = await connection.fetchrow(
        """
        SELECT inet_server_addr() IS NULL OR inet_server_addr() = inet_client_addr() AS is_near,
               -- Who may not read it is shown no row; reading it as a setting would be an error.
               (SELECT setting FROM pg_settings WHERE name = 'data_directory') AS folder
        """
    )
    if row is None or not row["is_near"] or row["folder"] is None:
        return None
    return Path(row["folder"])
