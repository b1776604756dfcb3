"""Finding again what was said, what is known and what conversations left behind."""

from bot.memory.recall.calendar import Span
from bot.memory.recall.hits import Hit, HitKind
from bot.memory.recall.query import Query, query_of
from bot.memory.recall.recall import FLOOR, Recall

__all__ = ["FLOOR", "Hit", "HitKind", "Query", "Recall", "Span", "query_of"]
