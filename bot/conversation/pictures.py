"""Which pictures go with a question to a model that sees."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.language.operation import Image

MOST_IMAGES: Final = 4
MOST_BYTES: Final = 8_000_000
"""All pictures of one question together."""

MEDIA_TYPES: Final = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})


def images_for(message_images: Sequence[Image], replied_images: Sequence[Image]) -> tuple[Image, ...]:
    """Return the pictures that a model is shown: those of the message, then those of the one replied to.

    At most `MOST_IMAGES` of `MEDIA_TYPES` with at most `MOST_BYTES` bytes together; empty ones are left out,
    and one that is too large makes way for those behind it.
    """
    shown: list[Image] = []
    left = MOST_BYTES
    for image in (*message_images, *replied_images):
        media_type = image.media_type.partition(";")[0].strip().lower()
        if len(shown) < MOST_IMAGES and media_type in MEDIA_TYPES and 0 < len(image.content) <= left:
            shown.append(replace(image, media_type=media_type))
            left -= len(image.content)
    return tuple(shown)
