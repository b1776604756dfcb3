"""Erasing members and guilds: at once when somebody asks, behind when they left and stayed away."""

from bot.memory.erasing.asked import Erased, Waiting
from bot.memory.erasing.door import Erasing

__all__ = ["Erased", "Erasing", "Waiting"]
