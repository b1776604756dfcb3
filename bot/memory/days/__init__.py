"""Day summaries: what every member did on one day of the guild, told in one call."""

from bot.memory.days.builder import DayBuilder, Situation

__all__ = ["DayBuilder", "Situation"]
