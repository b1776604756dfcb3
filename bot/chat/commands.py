"""The table of commands that are given by form: `/memory ...` on Discord and in the terminal.

An entry says how a command is called, what it takes, and what carries it out. Both faces read their commands from
here, ask for the values in their own ways, and show what comes back.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

from bot.chat.own_rights import OwnRightsAnswer
from bot.chat.usecases.context import (
    FormReply,
    MemoryListing,
    RequestContext,
    SettingListing,
    ShownProfile,
)
from bot.chat.usecases.own_rights import ForgottenDetails, WaitingListing
from bot.chat.usecases.showing import EpisodeListing
from bot.chat.usecases.usecases import UseCases
from bot.core.domain import AnswerMode
from bot.text.commands import ChooseCategory

ON: Final = "on"
OFF: Final = "off"


class Kind(StrEnum):
    """What a value is. Values are texts: ids and numbers in digits, a switch as "on" or "off"."""

    TEXT = "text"
    NAMING = "naming"
    """A text that may name members."""
    MEMBER = "member"
    CHANNEL = "channel"
    NUMBER = "number"
    CHOICE = "choice"
    """One of a few words."""
    VALUE = "value"
    """Of a setting: a text, or a channel."""
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
class Given:
    """The values with which a command was given, by the names of its options."""

    values: Mapping[str, str] = field(default_factory=dict)
    within: tuple[int, ...] = ()
    """The guilds that were chosen for it, in a direct message."""

    def text(self, name: str) -> str:
        """Return a value, "" if there is none."""
        return self.values.get(name, "")

    def number(self, name: str) -> int | None:
        """Return a number or an id."""
        return int(self.values[name]) if name in self.values else None

    def switch(self, name: str) -> bool | None:
        """Return whether something is to be on."""
        return self.values[name] == ON if name in self.values else None


Shown: TypeAlias = (
    FormReply
    | MemoryListing
    | ShownProfile
    | EpisodeListing
    | WaitingListing
    | ForgottenDetails
    | SettingListing
    | OwnRightsAnswer
)
"""What comes of a command, for a face to show."""


@dataclass(frozen=True, slots=True)
class FormCommand:
    """One command."""

    handle: Callable[[UseCases, RequestContext, Given], Awaitable[Shown]]
    options: Mapping[str, Kind]
    """What it takes, by name."""
    usage: str
    """How it is written in the terminal."""
    pattern: str = ""
    """The regular expression of what is written after its name there, with a group for each option."""


def _categories(desk: UseCases, visit: RequestContext, given: Given) -> Awaitable[OwnRightsAnswer]:
    """Change what is kept of one kind, if anything is to be changed, else tell how all stand."""
    category, keep, days = given.text("category"), given.switch("keep"), given.number("days")
    wants_change = category and (keep is not None or days is not None)
    chosen = [ChooseCategory(category, kept=keep is not False, days=days)] if wants_change else []
    return desk.own.categories(visit, chosen, given.within)


def _erase(desk: UseCases, visit: RequestContext, given: Given) -> Awaitable[OwnRightsAnswer]:
    if given.text("confirmed"):
        return desk.own.erase(visit, within=given.within)
    return desk.own.erasable(visit, given.within)


def _channel(desk: UseCases, visit: RequestContext, given: Given) -> Awaitable[FormReply]:
    answers = given.text("answers")
    answering = AnswerMode(answers) if answers else None
    return desk.channel(visit, hearing=given.switch("hearing"), answering=answering)


async def _profile(desk: UseCases, visit: RequestContext, given: Given) -> FormReply | ShownProfile:
    """Remove a sentence, switch learning, or show the profile if neither is wanted."""
    told = []
    if remove := given.text("remove"):
        told.append((await desk.delete_sentence(visit, remove)).text)
    if (learning := given.switch("learning")) is not None:
        told.append((await desk.switch_learning(visit, on=learning)).text)
    return FormReply("\n".join(told)) if told else await desk.profile(visit)


async def _settings(desk: UseCases, visit: RequestContext, _: Given) -> FormReply | SettingListing:
    return desk.refused_settings(visit) or SettingListing(await desk.settings(visit))


async def _waiting(desk: UseCases, visit: RequestContext, given: Given) -> FormReply | WaitingListing:
    """Decide on what waits about a member, or list about whom anything does."""
    user_id = given.number("member")
    if user_id is None:
        return await desk.own.waiting(visit)
    return await desk.own.settle(visit, user_id, erase=given.text("act") == "erase")


_NUMBER: Final = "[0-9]{1,9}"
_NUMBERED: Final = "N', N being a line of what was shown last, as in '/memory {name} 1"

COMMANDS: Final[Mapping[str, FormCommand]] = {
    "show": FormCommand(
        lambda desk, visit, given: desk.show(visit, given.number("member")),
        {"member": Kind.MEMBER},
        "show [@member]",
        "(?P<member>.*)",
    ),
    "remember": FormCommand(
        lambda desk, visit, given: desk.remember(visit, given.number("member"), given.text("text")),
        {"text": Kind.NAMING, "member": Kind.MEMBER},
        "remember [@member] TEXT",
        "(?P<text>.*)",
    ),
    "forget": FormCommand(
        lambda desk, visit, given: desk.forget(visit, given.number("fact") or 0),
        {"fact": Kind.FACT},
        f"forget {_NUMBERED.format(name='forget')}",
        f"(?P<fact>{_NUMBER})",
    ),
    "forgotten": FormCommand(
        lambda desk, visit, _: desk.forgotten.details(visit),
        {"delete": Kind.CHOICE},
        "forgotten [delete]",
        "(?P<delete>delete)?",
    ),
    "catchup": FormCommand(
        lambda desk, visit, given: desk.catch_up(visit, given.number("channel"), given.text("since")),
        {"channel": Kind.CHANNEL, "since": Kind.TEXT},
        "catchup [#channel] [SINCE]",
        r"(?:#(?P<channel>\S*)\s*)?(?P<since>.*)",
    ),
    "not-me": FormCommand(
        lambda desk, visit, given: desk.disown(visit, given.number("fact") or 0),
        {"fact": Kind.FACT},
        f"not-me {_NUMBERED.format(name='not-me')}",
        f"(?P<fact>{_NUMBER})",
    ),
    "search": FormCommand(
        lambda desk, visit, given: desk.search(visit, given.text("words")),
        {"words": Kind.NAMING},
        "search WORDS",
        "(?P<words>.+)",
    ),
    "why": FormCommand(
        lambda desk, visit, given: desk.why(visit, given.number("message") or 0),
        {"message": Kind.MESSAGE},
        "why [N]', N being the number of a message that was answered, as in '/memory why 2",
        f"(?P<message>{_NUMBER})?",
    ),
    "profile": FormCommand(
        _profile,
        {"remove": Kind.SENTENCE, "learning": Kind.CHOICE},
        "profile [remove N] [learning on|off]",
        f"(?:remove (?P<remove>{_NUMBER})|learning (?P<learning>on|off))?",
    ),
    "settings": FormCommand(_settings, {}, "settings"),
    "set": FormCommand(
        lambda desk, visit, given: desk.change(visit, given.text("name"), given.text("value")),
        {"name": Kind.CHOICE, "value": Kind.VALUE},
        "set NAME VALUE",
        r"(?P<name>\S+)(?:\s+(?P<value>.*))?",
    ),
    "channel": FormCommand(
        _channel,
        {"hearing": Kind.CHOICE, "answers": Kind.CHOICE},
        "channel [hearing on|off] [answers always|addressed|never], or episodes, or remove N",
        r"(?:hearing (?P<hearing>on|off)(?:\s+|$))?(?:answers (?P<answers>always|addressed|never))?",
    ),
    "channel episodes": FormCommand(lambda desk, visit, _: desk.episodes(visit), {}, "channel episodes"),
    "channel remove": FormCommand(
        lambda desk, visit, given: desk.remove_episode(visit, given.number("episode") or 0),
        {"episode": Kind.EPISODE},
        "channel remove N",
        f"(?P<episode>{_NUMBER})",
    ),
    "quiet": FormCommand(
        lambda desk, visit, given: desk.quiet(visit, given.text("duration")),
        {"duration": Kind.TEXT},
        "quiet 1h",
        "(?P<duration>.+)",
    ),
    "off": FormCommand(lambda desk, visit, given: desk.own.off(visit, given.within), {}, "off"),
    "on": FormCommand(lambda desk, visit, given: desk.own.on(visit, given.within), {}, "on"),
    "private": FormCommand(
        lambda desk, visit, given: desk.own.be_private(
            visit, private=given.switch("state") is not False, within=given.within
        ),
        {"state": Kind.CHOICE},
        "private [on|off]",
        "(?P<state>on|off)?",
    ),
    "categories": FormCommand(
        _categories,
        {"category": Kind.CHOICE, "keep": Kind.CHOICE, "days": Kind.NUMBER},
        "categories [KIND on|off|DAYS]', as in '/memory categories event 30",
        rf"(?:(?P<category>[a-z]+)\s+(?:(?P<keep>on|off)|(?P<days>{_NUMBER})(?:\s+days?)?))?",
    ),
    "export": FormCommand(
        lambda desk, visit, given: desk.own.export(visit, given.within),
        {"file": Kind.FILE},
        "export [FILE]",
        "(?P<file>.*)",
    ),
    "erase": FormCommand(
        _erase,
        {"confirmed": Kind.CHOICE},
        "erase' to be told what would go, and '/memory erase yes",
        "(?P<confirmed>yes)?",
    ),
    "waiting": FormCommand(
        _waiting,
        {"act": Kind.CHOICE, "member": Kind.WAITING},
        "waiting [erase|keep N]",
        f"(?:(?P<act>erase|keep) (?P<member>{_NUMBER}))?",
    ),
    "help": FormCommand(lambda desk, visit, _: desk.help(visit), {}, "help"),
    "privacy": FormCommand(lambda desk, visit, _: desk.privacy(visit), {}, "privacy"),
}
"""All of them, by name."""
