"""Frames as they go over the wire: as text or compressed as one stream, whole or broken."""

import zlib
from enum import Enum, auto
from typing import Final

_END: Final = b"\x00\x00\xff\xff"
"""Ends each frame of a compressed stream (the mark of Z_SYNC_FLUSH)."""

_PIECE: Final = 16_384
"""A compressed frame that is larger comes in pieces, of which only the last ends with the mark."""


class Broken(Enum):
    """How a frame can arrive that nobody can read."""

    CUT = auto()
    """The first half of its text."""
    GARBLED = auto()
    """Bytes that cannot be unpacked."""
    NO_OBJECT = auto()
    """JSON, but not what a frame is."""


class Framer:
    """Writes the frames of one connection; a compressed one is one stream from its beginning to its end."""

    def __init__(self, *, compresses: bool) -> None:
        self._deflate: Final = zlib.compressobj() if compresses else None

    def pieces(self, frame: str, broken: Broken | None = None) -> list[str | bytes]:
        """Return what is sent for `frame`: text, or the pieces of its compressed form."""
        if broken is Broken.GARBLED:
            return [b"\xff" * 24 + _END]
        if broken is Broken.CUT:
            frame = frame[: len(frame) // 2]
        elif broken is Broken.NO_OBJECT:
            frame = "[]"
        if self._deflate is None:
            return [frame]
        packed = self._deflate.compress(frame.encode()) + self._deflate.flush(zlib.Z_SYNC_FLUSH)
        return [packed[at : at + _PIECE] for at in range(0, len(packed), _PIECE)]
