"""The log: to standard error, with ids and counts, never with what people said."""

import logging
import sys
import traceback


def configure(level: str) -> None:
    """Send Keepsake's log lines of `level` and above to standard error; of the libraries, warnings at least.

    What they quote of requests below that is theirs to change at any update, and requests hold what people said.
    """
    logging.basicConfig(
        level=max(logging.WARNING, logging.getLevelNamesMapping()[level]),
        stream=sys.stderr,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
        force=True,
    )
    logging.getLogger("bot").setLevel(level)


def trace(error: BaseException) -> str:
    """Return where `error` came from without its text, which may quote a message or a row."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]
    return " <- ".join([type(error).__name__, *reversed(places)])
