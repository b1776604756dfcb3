"""Which way a message to the bot goes: a command that the grammar is sure of, else chat."""

from enum import StrEnum
from typing import Final, assert_never

from bot.conversation.commands import (
    AskMemory,
    AskPrivacy,
    AskWhy,
    CatchUp,
    Command,
    Forget,
    ForgetEverything,
    ForgetThis,
    Help,
    MoveSubject,
    Remember,
    RememberThis,
    ReplaceValue,
    Search,
    TakeBack,
)
from bot.conversation.own_commands import OwnRight
from bot.conversation.set_commands import ForgetSet


class Route(StrEnum):
    """The ways; `none` is a message that is heard and not answered."""

    REMEMBER = "remember"
    FORGET = "forget"
    CORRECT = "correct"
    ASK_MEMORY = "ask_memory"
    SEARCH = "search"
    CATCH_UP = "catch_up"
    WHY = "why"
    OWN_RIGHTS = "own_rights"
    PRIVACY = "privacy"
    CHAT = "chat"
    NONE = "none"


WRITES: Final = frozenset({Route.REMEMBER, Route.FORGET, Route.CORRECT, Route.OWN_RIGHTS})
"""The ways that change what is kept."""


def route_of(command: Command | None) -> Route:
    """Return the way of a command; what the grammar is not sure of is chat, never a write."""
    match command:
        case None | Help():
            return Route.CHAT
        case Remember() | RememberThis():
            return Route.REMEMBER
        case Forget() | ForgetThis() | ForgetEverything() | ForgetSet():
            return Route.FORGET
        case ReplaceValue() | TakeBack() | MoveSubject():
            return Route.CORRECT
        case AskMemory():
            return Route.ASK_MEMORY
        case Search():
            return Route.SEARCH
        case CatchUp():
            return Route.CATCH_UP
        case AskWhy():
            return Route.WHY
        case AskPrivacy():
            return Route.PRIVACY
        case OwnRight():
            return Route.OWN_RIGHTS
    assert_never(command)
