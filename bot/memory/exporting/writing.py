"""JSON that is written piece by piece, so that no log is ever held as a whole."""

from collections.abc import AsyncIterator, Callable, Sequence
from datetime import datetime
from typing import TypeVar

from pydantic import BaseModel

from bot.domain import FactStatus
from bot.memory.documents import DocumentMetadata
from bot.memory.exporting.document import ExportedCounts, ExportedFact, ExportedPlace

PartT = TypeVar("PartT", bound=BaseModel)


class Writing:
    """Writes lists of one file, and counts what is in them."""

    def __init__(self) -> None:
        self._counted: dict[str, int] = {}

    @property
    def counts(self) -> ExportedCounts:
        """How much was written until now."""
        return ExportedCounts(**self._counted)

    async def listed(
        self,
        name: str,
        pages: AsyncIterator[Sequence[PartT]],
        *,
        seen: Callable[[PartT], None] = lambda _: None,
    ) -> AsyncIterator[bytes]:
        """Yield a list under its name, a page at a time; `seen` is shown each part."""
        yield f'"{name}":['.encode()
        written = 0
        async for page in pages:
            for part in page:
                seen(part)
            if page:
                yield (b",\n" if written else b"\n") + b",\n".join(
                    part.model_dump_json().encode() for part in page
                )
                written += len(page)
        self._counted[name] = written
        yield b"]"


class Tally:
    """Adds up what a memory document says about itself, while it is written."""

    def __init__(self) -> None:
        self._facts = self._active = self._places = self._tokens = 0

    def add(self, part: ExportedFact | ExportedPlace) -> None:
        """Count a fact or a place."""
        if isinstance(part, ExportedPlace):
            self._places += 1
        else:
            self._facts += 1
            self._active += part.status is FactStatus.ACTIVE
        self._tokens += part.tokens

    def metadata(self, *, last_updated: datetime | None) -> DocumentMetadata:
        """Return what the document says about itself."""
        return DocumentMetadata(
            last_updated=last_updated,
            total_facts=self._facts,
            total_active_facts=self._active,
            total_places=self._places,
            token_count=self._tokens,
        )


def opened(head: BaseModel) -> bytes:
    """Return the beginning of an object that holds the fields of `head` and more after them."""
    return head.model_dump_json().removesuffix("}").encode()


def field(name: str, value: BaseModel) -> bytes:
    """Return one field of an object."""
    return f'"{name}":'.encode() + value.model_dump_json().encode()
