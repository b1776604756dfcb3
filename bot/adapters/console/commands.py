"""The commands `/memory ...` as the console reads them; Discord has the same as slash commands."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.core.domain import AnswerMode
from bot.core.errors import InvalidInputError


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


WORD: Final = "/memory"
"""What these commands begin with."""

PRIVACY: Final = "/privacy"
"""The one that stands by itself."""


@dataclass(frozen=True, slots=True)
class ShowMemory:
    """`/memory show [@member]`; "" is the guild itself."""

    member: str


@dataclass(frozen=True, slots=True)
class RememberText:
    """`/memory remember [@member] TEXT`."""

    text: str


@dataclass(frozen=True, slots=True)
class ForgetNumber:
    """`/memory forget N`: line N of what the speaker was shown last."""

    number: int


@dataclass(frozen=True, slots=True)
class TellForgotten:
    """`/memory forgotten [delete]`: what the speaker's last forgetting took; what the bot said of it goes."""

    delete: bool = False


@dataclass(frozen=True, slots=True)
class TellCatchUp:
    """`/memory catchup [#channel] [SINCE]`; "" is wherever it may be told, and since the speaker's last message."""

    channel: str
    since: str


@dataclass(frozen=True, slots=True)
class DisownNumber:
    """`/memory not-me N`: line N of what the speaker was shown last is not about them."""

    number: int


@dataclass(frozen=True, slots=True)
class SearchMemory:
    """`/memory search WORDS`."""

    words: str


@dataclass(frozen=True, slots=True)
class ShowWhy:
    """`/memory why [N]`: what the answer to message N rests on, else the last answer in the channel."""

    number: int | None = None


@dataclass(frozen=True, slots=True)
class ShowProfile:
    """`/memory profile`."""


@dataclass(frozen=True, slots=True)
class RemoveSentence:
    """`/memory profile remove N`: sentence N of the speaker's own profile as it was shown last."""

    number: int


@dataclass(frozen=True, slots=True)
class SwitchLearning:
    """`/memory profile learning on|off`."""

    on: bool


@dataclass(frozen=True, slots=True)
class TellSettings:
    """`/memory settings`."""


@dataclass(frozen=True, slots=True)
class ChangeSetting:
    """`/memory set NAME [VALUE]`; "" is the default."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class SwitchChannel:
    """`/memory channel [hearing on|off] [answers always|addressed|never]`; without anything it tells."""

    hearing: bool | None = None
    answering: AnswerMode | None = None


@dataclass(frozen=True, slots=True)
class ListEpisodes:
    """`/memory channel episodes`."""


@dataclass(frozen=True, slots=True)
class RemoveEpisode:
    """`/memory channel remove N`: line N of the episodes that the speaker was shown last."""

    number: int


@dataclass(frozen=True, slots=True)
class BeQuiet:
    """`/memory quiet DURATION`."""

    duration: str


@dataclass(frozen=True, slots=True)
class TellHelp:
    """`/memory help`."""


@dataclass(frozen=True, slots=True)
class TellPrivacy:
    """`/privacy`."""


OtherCommand: TypeAlias = (
    ShowMemory
    | RememberText
    | ForgetNumber
    | TellForgotten
    | DisownNumber
    | SearchMemory
    | ShowWhy
    | TellCatchUp
    | ShowProfile
    | RemoveSentence
    | SwitchLearning
    | TellSettings
    | ChangeSetting
    | SwitchChannel
    | ListEpisodes
    | RemoveEpisode
    | BeQuiet
    | TellHelp
    | TellPrivacy
)
"""What is about more than the speaker's own memory."""

MemoryCommand: TypeAlias = OtherCommand | OwnMemoryCommand


def read_memory_command(text: str) -> MemoryCommand | None:
    """Return the command that `text` is, `None` if it begins neither with `/memory` nor with `/privacy`.

    Raises `InvalidInputError` if it does and cannot be read.
    """
    word, *rest = text.split(maxsplit=2)
    if word == PRIVACY:
        if rest:
            raise InvalidInputError(f"{text[:60]!r} cannot be read: write '{PRIVACY}'")
        return TellPrivacy()
    if word != WORD:
        return None
    name, argument = (rest[0] if rest else "help"), (rest[1].strip() if len(rest) > 1 else "")
    if name not in _READERS:
        raise InvalidInputError(
            f"'{WORD} {name[:60]}' is no command: use {WORD} with one of {', '.join(_READERS)}"
        )
    usage, read = _READERS[name]
    command = read(argument)
    if command is None:
        raise InvalidInputError(f"{text[:60]!r} cannot be read: write '{WORD} {usage}'")
    return command


def _forget(argument: str) -> ForgetNumber | None:
    return ForgetNumber(int(argument)) if re.fullmatch(r"[0-9]{1,9}", argument) else None


def _forgotten(argument: str) -> TellForgotten | None:
    return TellForgotten(delete=argument == "delete") if argument in {"", "delete"} else None


def _catchup(argument: str) -> TellCatchUp:
    channel, _, since = argument.partition(" ") if argument.startswith("#") else ("", "", argument)
    return TellCatchUp(channel.removeprefix("#"), since.strip())


def _not_me(argument: str) -> DisownNumber | None:
    return DisownNumber(int(argument)) if re.fullmatch(r"[0-9]{1,9}", argument) else None


def _search(argument: str) -> SearchMemory | None:
    return SearchMemory(argument) if argument else None


def _why(argument: str) -> ShowWhy | None:
    if re.fullmatch(r"[0-9]{1,9}", argument):
        return ShowWhy(int(argument))
    return None if argument else ShowWhy()


def _profile(argument: str) -> ShowProfile | RemoveSentence | SwitchLearning | None:
    found = re.fullmatch(r"remove ([0-9]{1,9})|learning (on|off)", argument)
    if found is None:
        return None if argument else ShowProfile()
    return RemoveSentence(int(found[1])) if found[1] else SwitchLearning(on=found[2] == "on")


def _settings(argument: str) -> TellSettings | None:
    return None if argument else TellSettings()


def _set(argument: str) -> ChangeSetting | None:
    name, _, value = argument.partition(" ")
    return ChangeSetting(name, value.strip()) if name else None


def _channel(argument: str) -> SwitchChannel | ListEpisodes | RemoveEpisode | None:
    if argument == "episodes":
        return ListEpisodes()
    if removed := re.fullmatch(r"remove ([0-9]{1,9})", argument):
        return RemoveEpisode(int(removed[1]))
    found = re.fullmatch(r"(?:hearing (on|off)(?:\s+|$))?(?:answers (always|addressed|never))?", argument)
    if found is None:
        return None
    return SwitchChannel(
        hearing=None if found[1] is None else found[1] == "on",
        answering=None if found[2] is None else AnswerMode(found[2]),
    )


def _quiet(argument: str) -> BeQuiet | None:
    return BeQuiet(argument) if argument else None


def _help(argument: str) -> TellHelp | None:
    return None if argument else TellHelp()


_READERS: Final[Mapping[str, tuple[str, Callable[[str], MemoryCommand | None]]]] = {
    "show": ("show [@member]", ShowMemory),
    "remember": ("remember [@member] TEXT", RememberText),
    "forget": ("forget N', N being a line of what was shown last, as in '/memory forget 1", _forget),
    "forgotten": ("forgotten [delete]", _forgotten),
    "catchup": ("catchup [#channel] [SINCE]", _catchup),
    "not-me": ("not-me N', N being a line of what was shown last, as in '/memory not-me 1", _not_me),
    "search": ("search WORDS", _search),
    "why": ("why [N]', N being the number of a message that was answered, as in '/memory why 2", _why),
    "profile": ("profile [remove N] [learning on|off]", _profile),
    "settings": ("settings", _settings),
    "set": ("set NAME VALUE", _set),
    "channel": (
        "channel [hearing on|off] [answers always|addressed|never], or episodes, or remove N",
        _channel,
    ),
    "quiet": ("quiet 1h", _quiet),
    **OWN_READERS,
    "help": ("help", _help),
}

SUBCOMMANDS: Final = tuple(_READERS)
"""What may follow `/memory`."""
