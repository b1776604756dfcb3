"""Learning: what members say in their turns with the bot becomes a profile of each, and a few facts."""

from bot.memory.learning.learner import Learner
from bot.memory.learning.turns import KIND, Turns

__all__ = ["KIND", "Learner", "Turns"]
