"""Reading a large JSON document piece by piece, so that its size does not matter."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TextIO

_CHUNK_CHARACTERS: Final = 1 << 20
_MAX_VALUE_CHARACTERS: Final = 1 << 26
"""The longest single value: a message with all its reactions takes some megabytes, and a damaged file must
not be read into memory as a whole in search of the end of a value."""

_MAX_DIGITS: Final = 4000
"""Python refuses to read longer integers; they stay text, and are no id of anything."""


class JsonError(Exception):
    """The document is no JSON object; the text completes a sentence that begins with its name."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the document; the value of the streamed list is always empty, its elements follow."""

    name: str
    value: object


@dataclass(frozen=True, slots=True)
class Element:
    """An element of the streamed list; positions count from 1."""

    position: int
    value: object


def read(file: TextIO, *, streamed: str) -> Iterator[Field | Element]:
    """Yield the fields of the one object in `file`, and each element of its list `streamed` by itself.

    Raises `JsonError` where the text stops to be the JSON of an object.
    """
    source = _Source(file)
    if source.peek() != "{":
        raise JsonError('does not begin with "{"')
    source.skip("{")
    while source.peek() != "}":
        name = source.value()
        if not isinstance(name, str):
            raise JsonError("has a field without a name")
        source.skip(":")
        if name == streamed and source.peek() == "[":
            yield Field(name, [])
            yield from _elements(source)
        else:
            yield Field(name, source.value())
        if source.peek() != "}":
            source.skip(",")
    source.skip("}")
    if source.peek():
        raise JsonError("goes on after its end")


def _elements(source: "_Source") -> Iterator[Element]:
    source.skip("[")
    position = 0
    while source.peek() != "]":
        position += 1
        yield Element(position, source.value())
        if source.peek() != "]":
            source.skip(",")
    source.skip("]")


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= _MAX_DIGITS else digits


# Not strict: a stray control character in somebody's words is no reason to lose a whole channel.
_DECODER: Final = json.JSONDecoder(strict=False, parse_int=_integer)


class _Source:
    """The text of a file from the place that has been read up to."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._text = ""
        self._position = 0

    def peek(self) -> str:
        """Return the next character that is no white space, or "" at the end of the file."""
        while True:
            while self._position < len(self._text):
                if self._text[self._position] not in " \t\r\n":
                    return self._text[self._position]
                self._position += 1
            if not self._read_on(_CHUNK_CHARACTERS):
                return ""

    def skip(self, sign: str) -> None:
        """Go past `sign`, which must come next."""
        found = self.peek()
        if not found:
            raise JsonError("ends in the middle")
        if found != sign:
            raise JsonError(f"has {found!r} where {sign!r} should be")
        self._position += 1

    def value(self) -> object:
        """Go past the value that comes next and return it."""
        self.peek()
        while True:
            value, end, reason = self._decode()
            # A number may go on in the part that has not been read yet.
            if reason is None and end < len(self._text):
                self._position = end
                return value
            held = len(self._text) - self._position
            if held > _MAX_VALUE_CHARACTERS:
                raise JsonError(reason or "has a value that is too long")
            if not self._read_on(held + _CHUNK_CHARACTERS):
                if reason is not None:
                    raise JsonError(reason)
                self._position = end
                return value

    def _decode(self) -> tuple[object, int, str | None]:
        """Return the next value, where it ends, and `None`; or why there is none in what has been read."""
        try:
            value, end = _DECODER.raw_decode(self._text, self._position)
        except json.JSONDecodeError:
            return None, self._position, "is cut off or damaged"
        except RecursionError:
            raise JsonError("is nested too deeply") from None
        return value, end, None

    def _read_on(self, characters: int) -> bool:
        """Read more and forget what lies behind; tell whether there was more."""
        try:
            more = self._file.read(characters)
        except UnicodeDecodeError:
            raise JsonError("is not written in UTF-8") from None
        self._text = self._text[self._position :] + more
        self._position = 0
        return bool(more)
