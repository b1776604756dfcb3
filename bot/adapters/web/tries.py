"""The limit on failed login attempts."""

import ipaddress
import time
from typing import Final

from cachetools import TTLCache

MOST_TRIES: Final = 10
"""Failed tries of one address; a token is copied, not remembered, so that more are no slips."""

TRIES_SECONDS: Final = 900.0
"""Real seconds that they count for, from the first."""

_ADDRESSES: Final = 10_000


class FailedTries:
    """Counts failed attempts by address.

    They are counted in memory and not in the database: an installation has one web server, a failed attempt must not
    cost a write, and whoever locks themselves out can restart it.
    """

    def __init__(self, *, seconds: float = TRIES_SECONDS) -> None:
        self._seconds = seconds
        self._counts: TTLCache[str, list[float]] = TTLCache(_ADDRESSES, seconds)

    def failed(self, address: str) -> None:
        """Count a failed attempt from this address."""
        network = _network_of(address)
        # The first stays where it is: an entry that is written anew would begin to count anew.
        known = self._counts.get(network)
        if known is None:
            self._counts[network] = [time.monotonic()]
        else:
            known.append(time.monotonic())

    def seconds_to_wait(self, address: str) -> int:
        """Return how many seconds this address has to wait before it may try again; 0 if it may now."""
        known = self._counts.get(_network_of(address))
        if known is None or len(known) < MOST_TRIES:
            return 0
        return max(1, round(known[0] + self._seconds - time.monotonic()))


def _network_of(address: str) -> str:
    """Return what of an address counts: of one of IPv6 the half that a provider gives to one customer."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(known, ipaddress.IPv6Address) and known.ipv4_mapped is None:
        return str(ipaddress.ip_network((known, 64), strict=False))
    return address
