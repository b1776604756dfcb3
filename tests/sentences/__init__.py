"""Careless sentences that people say of themselves in open channels, by language and by what they are about."""

from collections.abc import Mapping
from pathlib import Path

_HERE = Path(__file__).parent


def sensitive(language: str) -> Mapping[str, list[str]]:
    """Return the sensitive sentences of a language ("english", "russian") by kind, 30 of each."""
    return _by_heading(f"sensitive_{language}.txt")


def told_of_others(language: str) -> Mapping[str, list[str]]:
    """Return what is to be remembered by what should come of it; {x} and {y} are members."""
    return _by_heading(f"kinds_{language}.txt")


def _by_heading(name: str) -> Mapping[str, list[str]]:
    kinds: dict[str, list[str]] = {}
    for line in (_HERE / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            said = kinds[line.removeprefix("# ")] = []
        else:
            said.append(line)
    return kinds
