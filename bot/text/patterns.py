"""Patterns that are compiled when they are first used: of more than a thousand, a start needs few."""

import re
from typing import cast


class LazyPattern:
    """Stands for a pattern: it has the same attributes, and is compiled when one but its text is asked for."""

    __slots__ = (
        "_compiled", "_wanted", "findall", "finditer", "flags", "fullmatch", "groupindex", "groups", "match", "pattern",
        "search", "split", "sub", "subn",
    )  # fmt: skip

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._wanted = flags

    def compiled(self) -> re.Pattern[str]:
        """Return the pattern itself, compiled anew. Raises `re.error` if it is none."""
        return re.compile(self.pattern, self._wanted)

    def __getattr__(self, name: str) -> object:
        # What was asked for once stays in its slot: from then on it is as quick as the pattern's own.
        found: object = self.compiled() if name == "_compiled" else getattr(self._compiled, name)
        setattr(self, name, found)
        return found


def lazy_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return what behaves as `re.compile(pattern, flags)`, but tells what is wrong with it only at its first use."""
    return cast("re.Pattern[str]", LazyPattern(pattern, flags))
