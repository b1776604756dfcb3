"""Writes that are worked out first: all that one order changes is carried out in the transaction of its answer."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.errors import KeepsakeError
from bot.store.database import Connection

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class Deferred(Generic[T]):
    """A write with what it results in. It may be run again after a lost race, so it keeps nothing of its own."""

    run: Callable[[Connection], Awaitable[T]]
    """Writes inside the transaction of the caller."""
    refused: Callable[[KeepsakeError], T | None] | None = None
    """What results where it was refused with an error, which undid all of it; `None`: no refusal, but a failure."""

    @classmethod
    def of(cls, result: T) -> "Deferred[T]":
        """Return what writes nothing and results in this."""

        async def nothing(_: Connection) -> T:
            return result

        return cls(nothing)

    def then(self, tell: Callable[[T], U]) -> "Deferred[U]":
        """Return this write with what `tell` makes of its result."""

        async def told(connection: Connection) -> U:
            return tell(await self.run(connection))

        return Deferred(told)

    def beside(self, other: "Deferred[U]") -> "Deferred[tuple[T, U]]":
        """Return both writes as one, this one first."""

        async def both(connection: Connection) -> tuple[T, U]:
            return await self.run(connection), await other.run(connection)

        return Deferred(both)
