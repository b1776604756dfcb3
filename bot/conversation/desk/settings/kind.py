"""What a setting of a guild is made of."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bot.domain import Guild
from bot.settings import Settings


@dataclass(frozen=True, slots=True)
class Kind:
    """One setting. `read` takes text and gives the guild as it becomes; text "" never comes to it."""

    label: tuple[str, str]
    allowed: tuple[str, str]
    """What it may be; `{searches}` in it stands for the text-search configurations that there are."""
    written: Callable[[Guild], str]
    read: Callable[[Guild, str], Guild | None]
    default: Callable[[Guild, Settings], Guild]
    choices: tuple[str, ...] = ()


NEW: Final = Guild(guild_id=0, name="")
"""What the settings of a guild are that chose none."""
