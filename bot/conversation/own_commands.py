"""What members can ask about what is kept of themselves, as types; others of their commands are beside."""

from dataclasses import dataclass
from typing import TypeAlias


class OwnRight:
    """A command about the asker's own memory."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class StopRemembering(OwnRight):
    """As in "stop remembering me": nothing of the asker is kept from now on."""


@dataclass(frozen=True, slots=True)
class RememberAgain(OwnRight):
    """As in "remember me again": the asker is remembered as everybody is."""


@dataclass(frozen=True, slots=True)
class BePrivate(OwnRight):
    """As in "keep me private": others are told nothing about the asker, or what they always were."""

    private: bool


@dataclass(frozen=True, slots=True)
class ChooseCategory(OwnRight):
    """As in "keep my events for 30 days": one kind of memory about the asker."""

    category: str
    """A category of facts, or the profile."""
    kept: bool
    days: int | None = None
    """After so many days it goes; `None`: when everything of its age goes."""


@dataclass(frozen=True, slots=True)
class TellCategories(OwnRight):
    """As in "which kinds of memories do you keep of me?"."""


@dataclass(frozen=True, slots=True)
class ExportMine(OwnRight):
    """As in "send me what you keep about me": a file of it, for the asker alone."""


@dataclass(frozen=True, slots=True)
class EraseMine(OwnRight):
    """As in "forget me completely": all of it goes, after asking."""


OwnCommand: TypeAlias = (
    StopRemembering | RememberAgain | BePrivate | ChooseCategory | TellCategories | ExportMine | EraseMine
)
