"""The table of commands in words: which way each goes, and what carries it out.

A command is a type: of `bot.text.commands` where a grammar finds it, of `bot.chat.intents` where a model proposes it.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeAlias, TypeVar

from bot.chat import (
    asking,
    correcting,
    digest,
    forgetting,
    forgetting_sets,
    own_rights,
    privacy,
    remembering,
    reply,
    searching,
    sources,
)
from bot.chat.incoming import Route
from bot.chat.intents import CorrectFact, ForgetMatching, ModelCommand, RememberFacts, TakeBackFacts
from bot.chat.own_rights import OwnRightsAnswer
from bot.chat.reply import ReplyContext
from bot.chat.turn import MemoryAccess, Turn
from bot.llm.operation import Operations
from bot.memory.outbox.answers import WrittenAnswer
from bot.text import commands
from bot.text.sentences import Key

C = TypeVar("C")

CarryOut: TypeAlias = Callable[[Turn, C, MemoryAccess, ReplyContext], Awaitable[WrittenAnswer]]


@dataclass(frozen=True, slots=True)
class Handler(Generic[C]):
    """One kind of command."""

    kind: type[C]
    route: Route
    carry_out: CarryOut[C]
    agreed: Callable[[Turn, C, MemoryAccess], Awaitable[WrittenAnswer]] | None = None
    """What is done once the asker said yes, where `carry_out` asks first."""
    follows_edits: bool = False
    """It is carried out again when its message is edited."""


def _alone(act: Callable[[Turn, C, MemoryAccess], Awaitable[WrittenAnswer]]) -> CarryOut[C]:
    """Return what carries out a command without a model."""
    return lambda turn, command, access, _: act(turn, command, access)


def _thinking(
    act: Callable[[Turn, C, MemoryAccess, Operations], Awaitable[WrittenAnswer]],
) -> CarryOut[C]:
    """Return what carries out a command and may ask models."""
    return lambda turn, command, access, context: act(turn, command, access, context.operations)


def _of_oneself(
    act: Callable[[Turn, MemoryAccess], Awaitable[OwnRightsAnswer]], offer: Key | None = None
) -> CarryOut[Any]:
    """Return what carries out a command about the asker's own memory; `offer` says what "yes" does after it."""
    return lambda turn, _, access, __: own_rights.in_words(turn, act(turn, access), offer=offer)


HANDLERS: Final[tuple[Handler[Any], ...]] = (
    Handler(commands.AskHelp, Route.CHAT, lambda turn, *_: reply.answer_help(turn)),
    Handler(commands.Remember, Route.REMEMBER, _thinking(remembering.remember), follows_edits=True),
    Handler(commands.RememberThis, Route.REMEMBER, _thinking(remembering.remember_this), follows_edits=True),
    Handler(RememberFacts, Route.REMEMBER, _thinking(remembering.remember_facts), follows_edits=True),
    Handler(commands.Forget, Route.FORGET, forgetting.forget),
    Handler(commands.ForgetThis, Route.FORGET, _alone(forgetting.forget_this)),
    Handler(
        ForgetMatching,
        Route.FORGET,
        lambda turn, command, access, context: forgetting.forget_matching(
            turn, command.subject_ids, command.what, access, context
        ),
    ),
    Handler(
        commands.ForgetEverything,
        Route.FORGET,
        _alone(forgetting_sets.ask_everything),
        agreed=forgetting_sets.forget_everything,
    ),
    Handler(
        commands.ForgetKind,
        Route.FORGET,
        _alone(forgetting_sets.ask_kind),
        agreed=forgetting_sets.forget_kind,
    ),
    Handler(
        commands.ForgetSaid,
        Route.FORGET,
        _alone(forgetting_sets.ask_words),
        agreed=forgetting_sets.forget_words,
    ),
    Handler(commands.ReplaceValue, Route.CORRECT, _thinking(correcting.replace_value), follows_edits=True),
    Handler(commands.MoveSubject, Route.CORRECT, _thinking(correcting.move_subject), follows_edits=True),
    Handler(CorrectFact, Route.CORRECT, _thinking(correcting.correct_fact), follows_edits=True),
    Handler(commands.TakeBack, Route.CORRECT, _alone(correcting.take_back)),
    Handler(TakeBackFacts, Route.CORRECT, _alone(correcting.take_back_facts)),
    Handler(commands.AskMemory, Route.ASK_MEMORY, _alone(asking.ask_memory)),
    Handler(commands.Search, Route.SEARCH, _alone(searching.search)),
    Handler(commands.AskCatchUp, Route.CATCH_UP, _alone(digest.answer_digest)),
    Handler(commands.AskWhy, Route.WHY, _alone(lambda turn, _, access: sources.answer_why(turn, access))),
    Handler(
        commands.AskPrivacy,
        Route.PRIVACY,
        lambda turn, _, __, context: privacy.answer_privacy(turn, context.practice),
    ),
    Handler(
        commands.StopRemembering,
        Route.OWN_RIGHTS,
        _of_oneself(own_rights.stop_remembering, offer="rights.offer_to_erase"),
    ),
    Handler(commands.RememberAgain, Route.OWN_RIGHTS, _of_oneself(own_rights.remember_again)),
    Handler(
        commands.BePrivate,
        Route.OWN_RIGHTS,
        lambda turn, command, access, _: own_rights.in_words(
            turn, own_rights.be_private(turn, access, private=command.private)
        ),
    ),
    Handler(
        commands.ChooseCategory,
        Route.OWN_RIGHTS,
        lambda turn, command, access, _: own_rights.in_words(
            turn, own_rights.choose_categories(turn, access, [command])
        ),
    ),
    Handler(commands.TellCategories, Route.OWN_RIGHTS, _of_oneself(own_rights.choose_categories)),
    Handler(commands.ExportMine, Route.OWN_RIGHTS, _of_oneself(own_rights.hand_over)),
    Handler(
        commands.EraseMine,
        Route.OWN_RIGHTS,
        _of_oneself(own_rights.ask_to_erase, offer="rights.say_yes"),
        agreed=lambda turn, _, access: own_rights.in_words(turn, own_rights.erase_own(turn, access)),
    ),
)
"""All of them, but for what a model takes for chat, for a question, or for nothing: `dispatch` replies to these."""

_BY_KIND: Final[Mapping[type, Handler[Any]]] = {handler.kind: handler for handler in HANDLERS}


def handler_of(command: commands.Command | ModelCommand) -> Handler[Any]:
    """Return the entry of a command's kind."""
    return _BY_KIND[type(command)]


def route_of(command: commands.Command | None) -> Route:
    """Return the way of a command; what the grammar is not sure of is chat, never a write."""
    return Route.CHAT if command is None else handler_of(command).route
