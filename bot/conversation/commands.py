"""What members can ask of the memory, as types: the grammar and router produce them, the reply obeys."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.conversation.own_commands import OwnCommand
from bot.conversation.set_commands import ForgetSet

HERE: Final = "here"
"""The channel in which something is asked."""


@dataclass(frozen=True, slots=True)
class Remember:
    """As in "remember that gruzilkin is Sergey": the statement is everything after "that", as written."""

    statement: str


@dataclass(frozen=True, slots=True)
class RememberThis:
    """As in "remember this [about Florent]": the message replied to, else the last messages of `about`."""

    about: str | None = None


@dataclass(frozen=True, slots=True)
class Forget:
    """As in "forget that gruzilkin likes pizza": the facts that say `statement`."""

    statement: str


@dataclass(frozen=True, slots=True)
class ForgetThis:
    """As in "forget that", "don't remember this": the message replied to, else the asker's previous one."""


@dataclass(frozen=True, slots=True)
class ForgetEverything:
    """As in "forget everything about me": every fact about `about`, after asking."""

    about: str


@dataclass(frozen=True, slots=True)
class ReplaceValue:
    """As in "no, I said Tuesday": the last write says `value` instead."""

    value: str
    instead_of: str | None = None
    """What was wrong, where that was said too: Monday in "Tuesday, not Monday"."""


@dataclass(frozen=True, slots=True)
class TakeBack:
    """As in "scratch that": the last write is undone."""


@dataclass(frozen=True, slots=True)
class MoveSubject:
    """As in "that was Bob, not me": the last write is about `to`."""

    to: str


@dataclass(frozen=True, slots=True)
class AskMemory:
    """As in "what do you know about @user": everything visible about `about`; `None` is the guild itself."""

    about: str | None


@dataclass(frozen=True, slots=True)
class Search:
    """As in "when did we talk about ramen": messages that hold the words of `topic`."""

    topic: str


@dataclass(frozen=True, slots=True)
class CatchUp:
    """As in "what did I miss in #general since Monday?": what was said while the asker was away."""

    channel: str | None = None
    """`HERE`, or a channel as written, `<#id>` or `#name`; `None`: wherever it may be told."""
    since: str | None = None
    """From when on, as written; `None`: since the asker's own last message."""


@dataclass(frozen=True, slots=True)
class AskWhy:
    """As in "how do you know that?": what an answer of the bot's rests on."""


@dataclass(frozen=True, slots=True)
class Help:
    """As in "help": what can be said to the bot."""


@dataclass(frozen=True, slots=True)
class AskPrivacy:
    """As in "privacy", "what do you keep?": what is kept here, for how long, and who sees it."""


Command: TypeAlias = (
    Remember
    | RememberThis
    | Forget
    | ForgetThis
    | ForgetEverything
    | ForgetSet
    | ReplaceValue
    | TakeBack
    | MoveSubject
    | AskMemory
    | Search
    | CatchUp
    | AskWhy
    | Help
    | AskPrivacy
    | OwnCommand
)
