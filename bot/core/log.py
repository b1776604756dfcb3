"""Logging to standard error: ids and counts, never what people said, and no text written by others."""

import json
import logging
import sys
import time
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal, TextIO, TypeAlias

_OURS: Final = "bot"

_REPEATED_SECONDS: Final = 60.0
"""Real seconds in which a library that complains from the same place again is left out."""


_told_once: Final[list[Callable[[BaseException], bool]]] = []
"""Who tells of errors in one place, for the whole process."""


LogFormat: TypeAlias = Literal["text", "json"]
"""How a line of the log is written: for people, or as one JSON object for programs that collect logs."""


def configure(level: str, form: LogFormat = "text") -> None:
    """Send Keepsake's log lines of `level` and above to standard error, each in this form.

    Of the libraries come errors, and warnings where `level` is below WARNING; each is one line that says where it
    comes from. Their own words are left out: they may quote requests, which hold what people said.
    """
    lowest = logging.getLevelNamesMapping()[level]
    handler = _StandardError()
    handler.setFormatter(
        JsonLine() if form == "json" else OneLine("%(asctime)s %(levelname)s %(name)s: %(message)s")
    )
    handler.addFilter(_NotAgain())
    handler.addFilter(_not_told_elsewhere)
    logging.basicConfig(
        level=max(lowest, logging.ERROR) if lowest >= logging.WARNING else logging.WARNING,
        handlers=[handler],
        force=True,
    )
    logging.captureWarnings(True)
    logging.getLogger(_OURS).setLevel(lowest)


def suppress_errors(is_told_once: Callable[[BaseException], bool]) -> None:
    """Suppress log lines about errors for which `is_told_once` is true, since they are reported elsewhere."""
    _told_once.append(is_told_once)


class Trace(str):
    """What an error is and where it came from, in words, with the error itself."""

    __slots__ = ("error",)

    error: BaseException


def trace(error: BaseException) -> Trace:
    """Return where `error` came from without its text, which may quote a message or a row."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]
    return _of(error, " <- ".join([type(error).__name__, *reversed(places)]))


def where(error: BaseException) -> str:
    """Return what `error` is and the innermost line that is no library's, in some 60 characters."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "site-packages" not in frame.filename] or frames
    places = [f" in {frame.name} ({Path(frame.filename).name}:{frame.lineno})" for frame in ours[-1:]]
    return "".join([type(error).__name__, *places])


def error_kind(error: BaseException) -> Trace:
    """Return what `error` is, where it came from is no matter."""
    return _of(error, type(error).__name__)


def _of(error: BaseException, words: str) -> Trace:
    told = Trace(words)
    told.error = error
    return told


class _StandardError(logging.StreamHandler[TextIO]):
    """Writes to what is standard error at that moment: a prompt puts something else there meanwhile."""

    def emit(self, record: logging.LogRecord) -> None:
        self.stream = sys.stderr
        super().emit(record)


class OneLine(logging.Formatter):
    """Makes one line of each record: of ours its words, of a library's where it comes from."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line; of an error that belongs to the record it tells the trace without its text."""
        told = logging.makeLogRecord(vars(record))
        told.msg, told.args = _words_of(record), ()
        told.exc_info = told.exc_text = told.stack_info = None
        return super().format(told)


class JsonLine(logging.Formatter):
    """Makes one JSON object of each record, on one line, with the same words as `OneLine`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the object: `time` (UTC), `level`, `logger`, `message`, and `error`, the type of one it tells of."""
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": _words_of(record),
        }
        if errors := _errors_of(record):
            told["error"] = type(errors[0]).__name__
        return json.dumps(told, ensure_ascii=False)


class _NotAgain(logging.Filter):
    """Leaves out what a library says from the same place again within a minute."""

    def __init__(self) -> None:
        super().__init__()
        self._said_at: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if _is_ours(record):
            return True
        now = time.monotonic()
        place = f"{record.pathname}:{record.lineno}"
        if now - self._said_at.get(place, -_REPEATED_SECONDS) < _REPEATED_SECONDS:
            return False
        self._said_at[place] = now
        return True


def _not_told_elsewhere(record: logging.LogRecord) -> bool:
    return not any(is_told(error) for error in _errors_of(record) for is_told in _told_once)


def _errors_of(record: logging.LogRecord) -> list[BaseException]:
    """Return the errors that a record tells of."""
    errors = (
        [one.error for one in record.args if isinstance(one, Trace)] if isinstance(record.args, tuple) else []
    )
    if record.exc_info and record.exc_info[1] is not None:
        errors.append(record.exc_info[1])
    return errors


def _is_ours(record: logging.LogRecord) -> bool:
    return record.name == _OURS or record.name.startswith(f"{_OURS}.")


def _words_of(record: logging.LogRecord) -> str:
    error = record.exc_info[1] if record.exc_info else None
    ending = f" ({trace(error)})" if error is not None else ""
    if _is_ours(record):
        return " ".join(record.getMessage().split("\n")) + ending
    return f"a library complains at {record.pathname}:{record.lineno}{ending}"
