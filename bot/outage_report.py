"""What is told of an outage: one line when it begins, one a minute while it lasts, one when it is over."""

import logging
import time
from collections.abc import Callable
from typing import Final

_MINUTE: Final = 60.0

_BLIP_SECONDS: Final = 0.2
"""Real seconds in which one failure and its repetition are no outage yet: connections break, and are made anew."""

_QUIET_SECONDS: Final = 15.0
"""Real seconds without a failure after which an outage is over that does not keep everybody from everything."""


class OutageReport:
    """Tells of the outages of one thing that the whole process needs.

    Whatever fails because of them says nothing of its own: it would say the same hundreds of times.
    """

    def __init__(
        self, subject: str, logger: logging.Logger, *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._subject = subject
        self._logger = logger
        self._monotonic = monotonic
        self._is_total = True
        self._since: float | None = None
        self._failed_at = 0.0
        self._said_at: float | None = None
        self._said: set[str] = set()

    @property
    def is_on(self) -> bool:
        """Whether an outage was told of that is not over."""
        return self._said_at is not None

    def failed(self, told: str, *, is_total: bool = True) -> None:
        """Take note of a failure; `told` is what is the matter, and what to do about it.

        A total one is over with the first success of anybody. Of another one some things succeed meanwhile, so it is
        over when nothing has failed for a while.
        """
        now = self._monotonic()
        if self._since is None:
            self._since = now
        self._failed_at = now
        is_new = told not in self._said
        self._is_total = is_total
        if now - self._since < _BLIP_SECONDS:
            return
        if is_new or self._said_at is None or now - self._said_at >= _MINUTE:
            lasts = "" if self._said_at is None else f" (for {lasting(now - self._since)} now)"
            self._logger.error("%s: %s%s", self._subject, told, lasts)
            self._said.add(told)
            self._said_at = now

    def succeeded(self) -> None:
        """Take note that something went well."""
        if self._since is None:
            return
        now = self._monotonic()
        if not self._is_total and now - self._failed_at < _QUIET_SECONDS:
            return
        if self._said_at is not None:
            self._logger.warning(
                "%s is well again, after %s", self._subject, lasting(self._failed_at - self._since)
            )
        self._since = self._said_at = None
        self._said.clear()


def lasting(seconds: float) -> str:
    """Return how long something took, in seconds, or in minutes if it was more than two of them."""
    return f"{seconds:.0f} s" if seconds < 2 * _MINUTE else f"{seconds / _MINUTE:.0f} min"
