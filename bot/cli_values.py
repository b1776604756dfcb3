"""Values on the command line: read for argparse, or refused in one sentence that says what is allowed."""

import argparse
from collections.abc import Callable
from datetime import date, timedelta

from bot.core.domain import MAX_ID


def id_of(text: str) -> int:
    """Return the id in `text`, for argparse; raises its `ArgumentTypeError`."""
    if not (text.isascii() and text.isdigit() and 0 < int(text[:20]) <= MAX_ID):
        raise argparse.ArgumentTypeError(f"{text!r} is no id: ids are whole numbers, as Discord copies them")
    return int(text)


def date_of(text: str) -> date:
    """Return the date in `text`, which must not be in the future."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day > date.today() + timedelta(days=1):
        raise argparse.ArgumentTypeError(f"{text!r} is no day that has come: write it as in 2026-01-31")
    return day


def whole(least: int, most: int, what: str) -> Callable[[str], int]:
    """Return what reads a whole number from `least` to `most`, for argparse; `what` ends the sentence that refuses."""

    def read(text: str) -> int:
        if not (
            text.isascii() and text.isdigit() and len(text) <= len(str(most)) and least <= int(text) <= most
        ):
            raise argparse.ArgumentTypeError(f"{text!r} is no number of {what}")
        return int(text)

    return read


def shards_of(text: str) -> str:
    """Return `text` if it says which shards a process runs, of how many."""
    from bot.core.settings import shards_in

    if shards_in(text) is None:
        raise argparse.ArgumentTypeError(
            f"{text!r} names no shards: write the first and the last, and how many there are, as in 0-3/16"
        )
    return text
