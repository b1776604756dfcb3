"""Sayings with secrets made from patterns, so that no file holds anything that looks like a live key."""

import random
import re
import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.text.secrets.spans import MASK
from tests.text.secrets.harmless import HARMLESS

_HEX = "0123456789abcdef"
_ALPHABETS = {
    "hex": _HEX,
    "HEX": _HEX.upper(),
    "d": string.digits,
    "an": string.ascii_letters + string.digits,
    "AN": string.ascii_uppercase + string.digits,
    "low": string.ascii_lowercase + string.digits,
    "url": string.ascii_letters + string.digits + "_-",
    "b64": string.ascii_letters + string.digits + "+/",
    "B32": string.ascii_uppercase + "234567",
    "B58": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    "BECH": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
}
_UNSEEN = re.compile("[\u200b\u200c\u200d\u2060\ufeff]")
_TELLING = 6
"""Characters of a secret that are enough to count it as told."""
_FILLED = re.compile(rf"\{{(?:(?P<letters>{'|'.join(_ALPHABETS)}):(?P<length>\d+)|uuid)\}}")
_MARKED = re.compile("⟦(.*?)⟧", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Said:
    """What somebody wrote, and what of it is secret."""

    text: str
    secrets: tuple[str, ...]
    around: tuple[str, ...]
    """What stands around the secrets, piece by piece."""


def said(kinds: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, Said]]:
    """Return every saying of `kinds` with its kind, always the same."""
    for kind, patterns in kinds.items():
        for pattern in patterns:
            yield kind, saying(pattern)


def saying(pattern: str) -> Said:
    """Return what `pattern` stands for: secrets between brackets, random letters for `{name:length}`."""
    chance = random.Random(pattern)
    text = _FILLED.sub(lambda found: _filled(found, chance), pattern)
    return Said(_MARKED.sub(r"\1", text), tuple(_MARKED.findall(text)), tuple(_MARKED.split(text)[::2]))


def is_hidden(secrets: Sequence[str], masked: str) -> bool:
    """Return whether nothing of `secrets` can be read in what is left: no six characters in a row, or a short one."""
    rest = _UNSEEN.sub("", masked.replace(MASK, " "))
    return not any(piece in rest for secret in secrets for piece in _pieces(_UNSEEN.sub("", secret)))


def _pieces(secret: str) -> list[str]:
    return [secret[at : at + _TELLING] for at in range(max(len(secret) - _TELLING, 0) + 1)]


def harmless() -> list[str]:
    """Return what nothing is to be masked of."""
    return [saying(pattern).text for pattern in HARMLESS]


def _filled(found: re.Match[str], chance: random.Random) -> str:
    if found["letters"] is None:
        return "-".join("".join(chance.choices(_HEX, k=length)) for length in (8, 4, 4, 4, 12))
    return "".join(chance.choices(_ALPHABETS[found["letters"]], k=int(found["length"])))
