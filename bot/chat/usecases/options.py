"""The options of slash commands, and the values that were given for them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from bot.text.sentences import Key

ON: Final = "on"
OFF: Final = "off"


class OptionKind(StrEnum):
    """What a value is. Values are texts: ids and numbers in digits, a switch as "on" or "off"."""

    TEXT = "text"
    NAMING = "naming"
    """A text that may name members."""
    MEMBER = "member"
    CHANNEL = "channel"
    ROLE = "role"
    TEXT_CHANNEL = "text channel"
    NUMBER = "number"
    CHOICE = "choice"
    """One of a few words."""
    VALUE = "value"
    """Of a setting: a text, or a channel."""
    DURATION = "duration"
    TIME_ZONE = "time zone"
    TEXT_SEARCH = "text search"
    MODEL = "model"
    """One that the operator configured."""
    FILE = "file"
    MESSAGE = "message"
    FACT = "fact"
    SENTENCE = "sentence"
    """Of a profile."""
    EPISODE = "episode"
    WAITING = "waiting"
    """A member about whom notes wait."""
    PLACE = "place"
    """A guild, of those between which was asked to choose."""


@dataclass(frozen=True, slots=True)
class Option:
    """A value that a command takes."""

    kind: OptionKind
    label: Key = ""
    """What it is called on Discord; "" where that has no such option, but a button or a menu."""
    what: Key = ""
    """What is told about it there."""
    required: bool = False
    choices: Mapping[str, Key] = field(default_factory=dict)
    """The values that there are, where these are few, and what they are called."""
    least: int = 1
    """Of a number; of a text its characters."""
    most: int | None = None


SWITCH: Final[Mapping[str, Key]] = {ON: "choice.on", OFF: "choice.off"}


@dataclass(frozen=True, slots=True)
class Given:
    """The values with which a command was given, by the names of its options."""

    values: Mapping[str, str] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """Return a value, "" if there is none."""
        return self.values.get(name, "")

    def number(self, name: str) -> int | None:
        """Return a number or an id."""
        return int(self.values[name]) if name in self.values else None

    def switch(self, name: str) -> bool | None:
        """Return whether something is to be on."""
        return self.values[name] == ON if name in self.values else None
