"""How long the client waits before it connects again."""

import random
from typing import Final, Literal

from discord import shard
from discord.backoff import ExponentialBackoff

LONGEST_SECONDS: Final = 60.0
"""Between two tries: the library's own pauses grow to 17 minutes, and do not shrink for half an hour after."""


class Backoff(ExponentialBackoff[Literal[False]]):
    """Pauses that grow as the library's do, up to `LONGEST_SECONDS`."""

    def delay(self) -> float:
        """Return the seconds to wait before the next try; the longest ones differ, so that not all come at once."""
        return min(super().delay(), random.uniform(LONGEST_SECONDS / 2, LONGEST_SECONDS))  # noqa: S311 - jitter, no secret


def cap_pauses() -> None:
    """Let every connection of this process that begins from now on be tried again within `LONGEST_SECONDS`."""
    # A shard makes its own, and looks the class up in its module.
    shard.ExponentialBackoff = Backoff  # type: ignore[assignment, attr-defined]
