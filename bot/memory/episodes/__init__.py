"""What conversations leave behind: noticing that one has ended, telling of it, and making room in its channel."""

from bot.memory.episodes.door import Episodes
from bot.memory.episodes.kept import KeptEpisodes

__all__ = ["Episodes", "KeptEpisodes"]
