"""What became of one line of a console."""

from dataclasses import dataclass
from typing import Final

from bot.faces.console.transcript import Said

MEMORY_ROUTE: Final = "memory"
"""The way that a command given by a form goes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What became of one message line, or of a command given by a form."""

    number: int | None
    """`None` for a command given by a form, which is no message."""
    said: Said
    attachments: tuple[str, ...]
    reply: str | None
    route: str
    degraded: bool
    seconds: float
    """How long the answer took, in real time."""
