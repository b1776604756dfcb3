"""The commands `/memory ...` about the speaker's own memory, as the console reads them."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias


@dataclass(frozen=True, slots=True)
class SwitchMemory:
    """`/memory on` or `/memory off`."""

    on: bool


@dataclass(frozen=True, slots=True)
class SwitchPrivate:
    """`/memory private [on|off]`."""

    private: bool


@dataclass(frozen=True, slots=True)
class ChooseKind:
    """`/memory categories [KIND on|off|DAYS]`; "" tells how all of them stand."""

    category: str = ""
    kept: bool = True
    days: int | None = None


@dataclass(frozen=True, slots=True)
class ExportMemory:
    """`/memory export [FILE]`; "" is a new file in the folder where the console was started."""

    file: str


@dataclass(frozen=True, slots=True)
class EraseMemory:
    """`/memory erase`, which says what would go, or `/memory erase yes`."""

    confirmed: bool


@dataclass(frozen=True, slots=True)
class InPlace:
    """`/memory in N`: the speaker's last command, for guild N of those between which they were asked to choose."""

    number: int


@dataclass(frozen=True, slots=True)
class ListWaiting:
    """`/memory waiting`."""


@dataclass(frozen=True, slots=True)
class SettleWaiting:
    """`/memory waiting erase N` or `/memory waiting keep N`: line N of what waited when it was listed last."""

    number: int
    erase: bool


OwnMemoryCommand: TypeAlias = (
    SwitchMemory
    | SwitchPrivate
    | ChooseKind
    | ExportMemory
    | EraseMemory
    | InPlace
    | ListWaiting
    | SettleWaiting
)

OWN_MEMORY_COMMANDS: Final = (
    SwitchMemory,
    SwitchPrivate,
    ChooseKind,
    ExportMemory,
    EraseMemory,
    InPlace,
    ListWaiting,
    SettleWaiting,
)


def _on(argument: str) -> SwitchMemory | None:
    return None if argument else SwitchMemory(on=True)


def _off(argument: str) -> SwitchMemory | None:
    return None if argument else SwitchMemory(on=False)


def _private(argument: str) -> SwitchPrivate | None:
    return SwitchPrivate(argument != "off") if argument in {"", "on", "off"} else None


def _categories(argument: str) -> ChooseKind | None:
    if not argument:
        return ChooseKind()
    found = re.fullmatch(r"([a-z]+)\s+(?:(on)|(off)|([0-9]{1,9})(?:\s+days?)?)", argument)
    if found is None:
        return None
    return ChooseKind(found[1], kept=not found[3], days=int(found[4]) if found[4] else None)


def _export(argument: str) -> ExportMemory:
    return ExportMemory(argument)


def _erase(argument: str) -> EraseMemory | None:
    return EraseMemory(argument == "yes") if argument in {"", "yes"} else None


def _in(argument: str) -> InPlace | None:
    return InPlace(int(argument)) if re.fullmatch(r"[0-9]{1,9}", argument) else None


def _waiting(argument: str) -> ListWaiting | SettleWaiting | None:
    if not argument:
        return ListWaiting()
    found = re.fullmatch(r"(erase|keep) ([0-9]{1,9})", argument)
    return SettleWaiting(int(found[2]), erase=found[1] == "erase") if found else None


OWN_READERS: Final[Mapping[str, tuple[str, Callable[[str], OwnMemoryCommand | None]]]] = {
    "off": ("off", _off),
    "on": ("on", _on),
    "private": ("private [on|off]", _private),
    "categories": ("categories [KIND on|off|DAYS]', as in '/memory categories event 30", _categories),
    "export": ("export [FILE]", _export),
    "erase": ("erase' to be told what would go, and '/memory erase yes", _erase),
    "in": ("in N', N being a server of those that were listed last, as in '/memory in 1", _in),
    "waiting": ("waiting [erase|keep N]", _waiting),
}
"""By the word after `/memory`: how it is written, and what reads the rest."""
