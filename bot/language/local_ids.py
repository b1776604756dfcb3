"""Short ids for a prompt, and the way back: no model copies a 19-digit number without a slip."""

from typing import Final


class LocalIds:
    """The ids that one prompt offers, as `u1`, `u2` ... in the order in which they were first asked for."""

    def __init__(self, prefix: str) -> None:
        self._prefix: Final = prefix
        self._shorts: dict[int, str] = {}
        self._longs: dict[str, int] = {}

    def short(self, long: int) -> str:
        """Return the short id of `long`, which from now on counts as offered."""
        if long not in self._shorts:
            short = f"{self._prefix}{len(self._shorts) + 1}"
            self._shorts[long] = short
            self._longs[short] = long
        return self._shorts[long]

    def long(self, short: str) -> int:
        """Return what `short` stands for; `ValueError` if it was not offered."""
        if short not in self._longs:
            raise ValueError(f"{short!r} is no id of this prompt: it must be one of {self._offered()}")
        return self._longs[short]

    def __contains__(self, long: object) -> bool:
        return long in self._shorts

    def _offered(self) -> str:
        return ", ".join(self._longs) or "none, since none was offered"
