"""The door to the file that hands out all that is kept about one member: what they said, and what is known of them."""

from bot.memory.exporting.document import Export, ExportedCounts
from bot.memory.exporting.exporting import MOST_BYTES, Exporting

__all__ = ["MOST_BYTES", "Export", "ExportedCounts", "Exporting"]
