"""The file of decisions: one JSON object per line, numbered without gaps, after a first line that names the
installation.
"""

import asyncio
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.core.errors import InvalidInputError
from bot.db.pool import Database
from bot.memory.policy.decisions import Decision, decisions_after

_AT_ONCE: Final = 1_000


class _Head(BaseModel):
    """The first line."""

    model_config = ConfigDict(frozen=True)

    keepsake: Literal["decisions"] = "decisions"
    format: Literal[1] = 1
    installation: str


class DecisionFile:
    """What a file of decisions holds; all of it is checked when it is read."""

    def __init__(
        self, path: Path, *, installation: str, decisions: tuple[Decision, ...], whole_bytes: int
    ) -> None:
        self.path: Final = path
        self.installation: Final = installation
        self.decisions: Final = decisions
        self.whole_bytes: Final = whole_bytes
        """How far its whole lines reach; behind them may be a part of one that was not written to its end."""

    @property
    def last(self) -> int:
        """The number of the last decision; 0 if there is none."""
        return self.decisions[-1].number if self.decisions else 0


def read_decisions(path: Path, *, mends: bool = False) -> DecisionFile:
    """Read a file of decisions.

    Raises `InvalidInputError` for a file that cannot be read, is none of these, lacks a line or has a broken one. A
    last line that is cut off is refused too, unless the file is to be gone on with (`mends`).
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InvalidInputError(f"{path} cannot be read: {error.strerror}") from error
    whole_bytes = content.rfind(b"\n") + 1
    if whole_bytes < len(content) and not mends:
        raise InvalidInputError(
            f"{path} is cut off in its last line: copy it anew, or remove that line if there is no other copy"
        )
    lines = content[:whole_bytes].splitlines()
    try:
        head = _Head.model_validate_json(lines[0])
    except (IndexError, ValidationError) as error:
        raise InvalidInputError(
            f"{path} is no file of decisions that this version of Keepsake knows"
        ) from error
    found = tuple(_checked(path, lines))
    return DecisionFile(path, installation=head.installation, decisions=found, whole_bytes=whole_bytes)


def _checked(path: Path, lines: list[bytes]) -> Iterator[Decision]:
    expected: int | None = None
    for place, line in enumerate(lines[1:], 2):
        try:
            decision = Decision.model_validate_json(line)
        except ValidationError as error:
            raise InvalidInputError(f"{path} is damaged: line {place} is no decision") from error
        if expected is not None and decision.number != expected:
            raise InvalidInputError(
                f"{path} is damaged: line {place} has decision {decision.number}, where {expected} should be"
            )
        expected = decision.number + 1
        yield decision


async def append_decisions(
    database: Database, path: Path, *, installation: str, after: int | None
) -> tuple[int, int]:
    """Append to a file, or begin one with, all decisions behind its last one; return the first and the last number.

    A new file begins behind the number `after`, or with the first decision that is kept. If nothing was appended, the
    first is behind the last. Raises `InvalidInputError` if the file is of another installation, or does not go together
    with what the database has.
    """
    known = await asyncio.to_thread(_gone_on_with, path, installation, after)
    begin = number = known.last if known.decisions else after or 0
    if number:
        await _check_going_on(database, known, behind=number)
    lines = [] if known.whole_bytes else [_Head(installation=installation).model_dump_json()]
    while some := await database.read(decisions_after, number, limit=_AT_ONCE):
        if not begin:
            begin = some[0].number - 1
        lines += [one.model_dump_json() for one in some]
        number = some[-1].number
    await asyncio.to_thread(_write_behind, known, lines)
    return begin + 1, number


async def _check_going_on(database: Database, known: DecisionFile, *, behind: int) -> None:
    """Refuse what would leave decisions out, or join those of two lives of an installation."""
    found = await database.read(decisions_after, behind - 1, limit=1)
    first = found[0].number if found else behind
    if first > behind + 1:
        raise InvalidInputError(
            f"the decisions {behind + 1} to {first - 1} are kept no longer (DECISION_RETENTION_DAYS), so {known.path}"
            " cannot go on: keep it as long as a backup that is older than that, and name a new file"
        )
    if known.decisions and first == behind and list(known.decisions[-1:]) != found:
        raise InvalidInputError(
            f"{known.path} has a decision {behind} that this database has not made: a backup was restored without it;"
            " keep it and name a new file"
        )


def _gone_on_with(path: Path, installation: str, after: int | None) -> DecisionFile:
    """Return what is in the file that is to be gone on with; nothing, if there is none yet."""
    if not path.exists() or not path.stat().st_size:
        return DecisionFile(path, installation=installation, decisions=(), whole_bytes=0)
    known = read_decisions(path, mends=True)
    if known.installation != installation:
        raise InvalidInputError(f"{path} has the decisions of another installation: name another file")
    if after is not None and after != known.last:
        raise InvalidInputError(
            f"{path} ends with decision {known.last}, so it goes on behind that and not behind {after}: leave out"
            " --after, or name a new file"
        )
    return known


def _write_behind(known: DecisionFile, lines: Sequence[str]) -> None:
    """Write lines behind the whole ones of a file, which only its owner can read."""
    try:
        known.path.touch(mode=0o600)
        with known.path.open("r+b") as file:
            file.truncate(known.whole_bytes)
            file.seek(known.whole_bytes)
            file.write("".join(f"{line}\n" for line in lines).encode())
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise InvalidInputError(f"{known.path} cannot be written: {error.strerror}") from error
