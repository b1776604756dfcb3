"""What time it is on Discord: by the answers of its REST API, and by the ids that it gives to what is said."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from types import SimpleNamespace
from typing import Final

import aiohttp
import discord

from bot.domain import moment_of
from bot.log import trace

logger = logging.getLogger(__name__)

Told = Callable[[datetime], None]
"""Told what time it is for Discord."""

_RESETS: Final = "X-RateLimit-Reset"
_RESETS_AFTER: Final = "X-RateLimit-Reset-After"


def unheeded(_moment: datetime) -> None:
    """Make nothing of Discord's time."""


class DiscordTime:
    """Keeps the time as Discord told it last, and goes on from there by a clock that nobody sets.

    `heeded` is told the time of every answer.
    """

    def __init__(self, heeded: Told = unheeded) -> None:
        self._heeded = heeded
        self._by_answers: tuple[datetime, float] | None = None
        self._by_ids: tuple[datetime, float] | None = None
        self._client: discord.Client | None = None

    def watch(self) -> aiohttp.TraceConfig:
        """Return what reads the time from every answer of a client's REST API, for the library's `http_trace`."""

        async def read(
            _session: object, _context: SimpleNamespace, ended: aiohttp.TraceRequestEndParams
        ) -> None:
            moment = told_in(ended.response.headers)
            if moment is not None:
                self._by_answers = moment, _elapsed()
                self._heeded(moment)

        config = aiohttp.TraceConfig()
        config.on_request_end.append(read)
        return config

    def ask_by(self, client: discord.Client) -> None:
        """Ask by this client, which is logged in, from now on."""
        self._client = client

    def heard(self, snowflake: int) -> None:
        """Take note of the id of something that happened right now."""
        moment = moment_of(snowflake)
        if self._by_ids is None or moment > _now(self._by_ids):
            self._by_ids = moment, _elapsed()

    def told(self) -> Sequence[datetime]:
        """Return what Discord's time is now, by its answers and by its ids, as far as there were any."""
        return [_now(one) for one in (self._by_answers, self._by_ids) if one is not None]

    async def ask(self) -> None:
        """Have Discord answer something, if it can be reached: the time stands in every answer."""
        if self._client is None:
            return
        try:
            await self._client.http.get_bot_gateway()
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            logger.info("Discord does not tell the time: %s", trace(error))


def told_in(headers: Mapping[str, str]) -> datetime | None:
    """Return what time an answer of Discord's says it is; `None` if it says nothing.

    When a limit is reset stands there as a moment and as a span; their difference is Discord's own time, also behind
    a proxy, which may put its own date on the answer.
    """
    try:
        seconds = float(headers[_RESETS]) - float(headers[_RESETS_AFTER])
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    except (KeyError, ValueError, OverflowError):
        pass
    try:
        told = parsedate_to_datetime(headers["Date"])
    except (KeyError, ValueError):
        return None
    return told if told.tzinfo is not None else None


def _now(told: tuple[datetime, float]) -> datetime:
    moment, at = told
    return moment + timedelta(seconds=_elapsed() - at)


def _elapsed() -> float:
    """Return the seconds that have gone by since some moment, those in which the machine slept too."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)
