"""What services report about their own limits, for models without a quota in the settings."""

import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from bot.llm.chain import ModelName

if TYPE_CHECKING:
    import httpx2

FULL: Final = 100
"""Percent: all of something, and the energy of a model that nothing limits."""

_ROUNDING_SECONDS: Final = 0.05
"""A sleep may end a little before its time, and whoever was told to come again must then be let through."""

_UNKNOWN_SECONDS: Final = 60.0
"""Real seconds for which a limit holds that does not say when it is full again: most are counted by the minute."""

_LONGEST_SECONDS: Final = 3_600.0
"""Real seconds after which what was told is old: a quota of a day may have been raised."""

_FAMILIES: Final = (
    "x-ratelimit-{}-requests",
    "x-ratelimit-{}-tokens",
    "x-ratelimit-{}",
    "ratelimit-{}",
)
"""How servers of the OpenAI shape and proxies before them name `limit`, `remaining` and `reset`."""

_NUMBER: Final = re.compile(r"\s*(\d{1,15}(?:\.\d{1,9})?)\b")
_SPAN: Final = re.compile(
    r"(?:(?P<days>\d+)d)?(?:(?P<hours>\d+)h)?(?:(?P<minutes>\d+)m(?!s))?"
    r"(?:(?P<seconds>\d+(?:\.\d+)?)s)?(?:(?P<milliseconds>\d+(?:\.\d+)?)ms)?"
)
_ITEM: Final = re.compile(r'"?(?P<policy>[^";,]{1,64})"?(?P<given>(?:\s*;\s*[a-z]{1,16}=[^;,]{1,64})+)')


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldLimit:
    """How much a service says is left, of the limit that is nearest."""

    percent: float
    seconds: float
    """Real time until all of it is back."""


def told_in(headers: Mapping[str, str]) -> ToldLimit | None:
    """Return what the headers of a response tell of limits; `None` if they tell nothing that can be read.

    Read are `x-ratelimit-*`, `ratelimit-*`, and `RateLimit` with `RateLimit-Policy` of the later drafts.
    """
    told = [*(limit for family in _FAMILIES if (limit := _of_family(headers, family))), *_of_items(headers)]
    return min(told, key=lambda limit: limit.percent, default=None)


def _of_family(headers: Mapping[str, str], family: str) -> ToldLimit | None:
    limit = _number(headers.get(family.format("limit"), ""))
    remaining = _number(headers.get(family.format("remaining"), ""))
    if not limit or remaining is None:
        return None
    return _limit(remaining, limit, _span(headers.get(family.format("reset"), "")))


def _of_items(headers: Mapping[str, str]) -> Iterator[ToldLimit]:
    policies = _items(headers.get("ratelimit-policy", ""))
    for name, given in _items(headers.get("ratelimit", "")).items():
        remaining, limit = _number(given.get("r", "")), _number(policies.get(name, {}).get("q", ""))
        if limit and remaining is not None:
            yield _limit(remaining, limit, _span(given.get("t", "")))


def _items(written: str) -> dict[str, dict[str, str]]:
    """Return the parameters of each item of a structured header."""
    return {
        found["policy"].strip(): {
            name.strip(): value.strip()
            for name, _, value in (part.partition("=") for part in found["given"].split(";") if part.strip())
        }
        for found in _ITEM.finditer(written)
    }


def _limit(remaining: float, limit: float, seconds: float | None) -> ToldLimit:
    percent = FULL * min(1.0, remaining / limit)
    return ToldLimit(
        percent=percent, seconds=min(_LONGEST_SECONDS, _UNKNOWN_SECONDS if seconds is None else seconds)
    )


def _number(written: str) -> float | None:
    found = _NUMBER.match(written)
    return float(found[1]) if found else None


def _span(written: str) -> float | None:
    """Return the seconds of "6m0s", "20ms" or "12"; `None` for a moment, or what is none of them."""
    text = written.strip()
    if (found := _SPAN.fullmatch(text)) and any(found.groups()):
        parts = {name: float(value) for name, value in found.groupdict().items() if value is not None}
        return timedelta(**parts).total_seconds()
    seconds = _number(text)
    return seconds if seconds is not None and seconds < 1e9 else None


class ServiceLimits:
    """What is left of each model by what its service said last, in this process, on real time."""

    def __init__(self, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._told: dict[ModelName, tuple[float, float]] = {}

    def told(self, model: ModelName, limit: ToldLimit) -> None:
        """Take note of what a service told with an answer; a refusal before it holds all the same."""
        until = self._monotonic() + limit.seconds
        if self.left(model) > 0:
            self._told[model] = (limit.percent, until)

    def refused(self, model: ModelName, *, seconds: float) -> None:
        """Take note that a service refused a request, and wants so many seconds to pass before the next one."""
        self._told[model] = (0.0, self._monotonic() + min(_LONGEST_SECONDS, seconds) - _ROUNDING_SECONDS)

    def left(self, model: ModelName) -> float:
        """Return the percent that are left; all of it where nothing was told, or it is full again by now."""
        percent, until = self._told.get(model, (float(FULL), 0.0))
        return percent if self._monotonic() < until else float(FULL)

    async def heard(self, response: "httpx2.Response") -> None:
        """Read the headers of a response to the question of the current task."""
        model, limit = _ASKED.get(), told_in(response.headers)
        if model is not None and limit is not None:
            self.told(model, limit)


_ASKED: Final[ContextVar[ModelName | None]] = ContextVar("asked", default=None)


@contextmanager
def asking(model: ModelName) -> Iterator[None]:
    """Attribute responses received inside to `model`."""
    token = _ASKED.set(model)
    try:
        yield
    finally:
        _ASKED.reset(token)
