"""Careless sentences that people say of themselves in open channels, by language and by what they are about."""

from collections.abc import Mapping
from pathlib import Path

_HERE = Path(__file__).parent


def sensitive(language: str) -> Mapping[str, list[str]]:
    """Return the sensitive sentences of a language ("english", "russian") by kind, 30 of each."""
    kinds: dict[str, list[str]] = {}
    for line in (_HERE / f"sensitive_{language}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            said = kinds[line.removeprefix("# ")] = []
        else:
            said.append(line)
    return kinds
