"""A process that dies at a chosen moment: after a commit of which it hears no more, or before any statement."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, cast

from bot.db.pool import Connection, Database, P, Statement, T

_STATEMENTS: Final = frozenset({"execute", "executemany", "fetch", "fetchrow", "fetchval"})


class Killed(BaseException):
    """The process is gone: nobody handles this."""


class Life:
    """What is left of a life, in commits, or in statements and commits."""

    def __init__(self, left: int, *, counts_statements: bool) -> None:
        self.left = left
        self.counts_statements = counts_statements

    def spend(self) -> None:
        """Live through one more moment, or die."""
        self.left -= 1
        if self.left < 0:
            raise Killed


_LIFE: ContextVar[Life | None] = ContextVar("life", default=None)


@contextmanager
def living(left: int, *, counts_statements: bool = True) -> Iterator[Life]:
    """Let whoever is called in here die after so many statements and commits, or commits alone."""
    life = Life(left, counts_statements=counts_statements)
    token = _LIFE.set(life)
    try:
        yield life
    finally:
        _LIFE.reset(token)


def _spend(*, is_statement: bool = False) -> None:
    life = _LIFE.get()
    if life is not None and (life.counts_statements or not is_statement):
        life.spend()


class _Dying:
    """A connection whose server never hears what comes after the end: an open transaction is rolled back."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __getattr__(self, name: str) -> object:
        known = getattr(self._connection, name)
        if name not in _STATEMENTS:
            return known

        async def run(*given: object, **named: object) -> object:
            _spend(is_statement=True)
            return await known(*given, **named)

        return run


class MortalDatabase(Database):
    """The database as a process sees it that may die at any statement, and after any commit."""

    async def read(self, query: Statement[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Read, unless death comes first."""
        return await super().read(
            lambda connection: query(cast("Connection", _Dying(connection)), *args, **kwargs)
        )

    async def write(self, change: Statement[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Write, unless death comes first; or do so, and die."""
        done = await super().write(
            lambda connection: change(cast("Connection", _Dying(connection)), *args, **kwargs)
        )
        _spend()
        return done
