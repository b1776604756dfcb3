"""What members surely say about themselves, read out of their plain words without a model.

Precision goes before recall: a clause is understood as a whole or not at all, and what is asked, doubted, quoted,
played or said of others tells nothing. The message stays in the log, so nothing is lost by silence.
"""

from bot.memory.extraction.reading import extract
from bot.memory.extraction.shapes import Extracted, Said

__all__ = ["Extracted", "Said", "extract"]
