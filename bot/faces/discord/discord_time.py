"""Discord's time, as its REST API tells it with every answer."""

from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from types import SimpleNamespace

import aiohttp

Told = Callable[[datetime], None]
"""Told what time it is for Discord."""


def telling_time(told: Told) -> aiohttp.TraceConfig:
    """Return what lets a client of Discord's REST API tell its time, for the library's `http_trace`."""

    async def answered(
        _session: aiohttp.ClientSession, _context: SimpleNamespace, answer: aiohttp.TraceRequestEndParams
    ) -> None:
        moment = _moment_in(answer.response.headers.get("Date", ""))
        if moment is not None:
            told(moment)

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(answered)
    return trace


def unheeded(_moment: datetime) -> None:
    """Make nothing of Discord's time."""


def _moment_in(header: str) -> datetime | None:
    try:
        return parsedate_to_datetime(header).astimezone(UTC)
    except ValueError:
        return None
