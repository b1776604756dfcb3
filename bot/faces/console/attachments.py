"""Attached files: how they are kept, and what a model that sees is shown of them."""

import mimetypes
from pathlib import Path
from typing import Final

from bot.language.operation import Image

_LARGEST_BYTES: Final = 8 * 1024 * 1024
"""What a model is shown of one message at most; a larger file is not worth reading."""


def described(path: str) -> str:
    """Return how an attached file is kept: its name and whether it is an image. It need not be there."""
    name = Path(path).name
    return f"[{'image' if _type_of(name).startswith('image/') else 'file'}: {name}]"


def pictured(path: str) -> tuple[Image, ...]:
    """Return the picture in a file, or nothing if it is none, is not there, or is too large."""
    file = Path(path)
    media_type = _type_of(file.name)
    if not media_type.startswith("image/") or not file.is_file() or file.stat().st_size > _LARGEST_BYTES:
        return ()
    return (Image(content=file.read_bytes(), media_type=media_type),)


def _type_of(name: str) -> str:
    return mimetypes.guess_type(name)[0] or ""
