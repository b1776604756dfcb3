"""A circuit breaker: a model that is dead does not cost every caller its timeout."""

from collections.abc import Callable
from typing import Final

FAILURES_TO_OPEN: Final = 3
"""Failures in a row after which a model is taken for dead; one or two are a hiccup."""

FIRST_PAUSE_SECONDS: Final = 30.0
LONGEST_PAUSE_SECONDS: Final = 600.0


class Breaker:
    """Whether one model may be asked, on real time.

    Closed: everybody may ask. Open, after some failures in a row: nobody may, for a pause that doubles each
    time it was in vain. Half-open, after the pause: one caller at a time may find out. Every caller that was
    admitted says in the end how it went: `succeeded`, `failed` or `gave_up`.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._failures = 0
        self._pause_seconds = FIRST_PAUSE_SECONDS
        self._closed_again_at: float | None = None
        self._probing = False

    @property
    def is_open(self) -> bool:
        """Whether the model is taken for dead, and it is not yet time to find out."""
        return self._closed_again_at is not None and (
            self._probing or self._monotonic() < self._closed_again_at
        )

    def admit(self) -> bool:
        """Tell whether the model may be asked now; in the half-open state, the caller is the one that may."""
        if self.is_open:
            return False
        self._probing = self._closed_again_at is not None
        return True

    def succeeded(self) -> None:
        """The model lives: whatever it answered, it answered."""
        self._failures = 0
        self._pause_seconds = FIRST_PAUSE_SECONDS
        self._closed_again_at = None
        self._probing = False

    def failed(self) -> None:
        """The model gave no sign of life."""
        self._failures += 1
        if self._probing:
            self._pause_seconds = min(LONGEST_PAUSE_SECONDS, self._pause_seconds * 2)
        elif self._failures < FAILURES_TO_OPEN or self._closed_again_at is not None:
            # Callers that were admitted before it opened come back late and say nothing new.
            return
        self._probing = False
        self._closed_again_at = self._monotonic() + self._pause_seconds

    def gave_up(self) -> None:
        """The caller went away before the model could answer; the next one may find out."""
        self._probing = False
