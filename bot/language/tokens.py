"""How large a text is for a model. An estimate: no model's own tables are loaded, and none would fit all."""

from typing import Final

BYTES_PER_TOKEN: Final = 4
"""Close to what models report for English; Cyrillic takes two bytes a letter and so counts double, as it does there."""


def estimated_tokens(text: str) -> int:
    """Return about how many tokens `text` takes: its UTF-8 bytes by four, rounded up."""
    return -(-len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN)
