"""The table of what members do by slash commands, menus and buttons: who may do it, and what carries it out."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Concatenate, Final, Generic, ParamSpec, TypeAlias, TypeVar

from bot.chat.asking import count_own
from bot.chat.figures import Figures
from bot.chat.own_rights import ask_to_erase, be_private, choose_categories, erase_own, remember_again
from bot.chat.usecases import counting, managing, own_rights, showing, writing
from bot.chat.usecases.context import (
    ChoiceListing,
    FormAccess,
    FormReply,
    FormTurn,
    MemoryListing,
    RequestContext,
    SettingListing,
    form_turn,
)
from bot.text.sentences import Key

P = ParamSpec("P")
T = TypeVar("T")

Act: TypeAlias = Callable[Concatenate[FormTurn, FormAccess, P], Awaitable[T]]


@dataclass(frozen=True, slots=True)
class Permission:
    """Who may do something; others get one sentence."""

    may: Callable[[RequestContext], bool]
    refusal: Key


MEMBERS: Final = (Permission(lambda request: not request.visitor, "form.for_members"),)
"""Who has the base role: to visitors no memories are shown, and they change none."""

MODERATORS: Final = (
    Permission(lambda request: request.from_moderator or request.from_manager, "form.for_moderators"),
)
MANAGERS: Final = (Permission(lambda request: request.from_manager, "form.for_managers"),)
"""Also one without the base role, which they may have to set."""

MANAGERS_SEE: Final = (Permission(lambda request: request.from_manager, "form.settings_for_managers"),)
MANAGERS_COUNT: Final = (Permission(lambda request: request.from_manager, "form.stats_for_managers"),)
MANAGERS_IN_GUILD: Final = (
    Permission(lambda request: request.from_manager and not request.direct, "waiting.for_managers"),
)
MODERATORS_SEE: Final = (
    *MEMBERS,
    Permission(
        lambda request: request.from_moderator or request.from_manager or request.direct,
        "form.episodes_for_moderators",
    ),
)


def refusal(who: tuple[Permission, ...], request: RequestContext) -> str | None:
    """Return the refusal for a visitor who may not do something; `None` if they may."""
    refused = (request.say(one.refusal) for one in who if not one.may(request))
    return next(refused, None)


@dataclass(frozen=True, slots=True)
class UseCase(Generic[P, T]):
    """Something that members do: called with a request, it answers those who may do it, and refuses others."""

    act: Act[P, T]
    who: tuple[Permission, ...] = ()
    refused: Callable[[str], T] | None = None
    """Makes an answer of the sentence for those who may not."""
    names: bool = True
    """Members may be named in it, or in what it shows."""

    def __get__(
        self, use_cases: FormAccess, _: type[FormAccess]
    ) -> Callable[Concatenate[RequestContext, P], Awaitable[T]]:
        """Return what is called."""

        async def carry_out(request: RequestContext, /, *args: P.args, **kwargs: P.kwargs) -> T:
            if self.refused is not None and (told := refusal(self.who, request)):
                return self.refused(told)
            return await self.act(
                await form_turn(request, use_cases, names=self.names), use_cases, *args, **kwargs
            )

        return carry_out


class UseCases(FormAccess):
    """Answers forms. Everything goes by what may be seen where the visitor is and by what they may do.

    What is said was done is done. Each may raise `DatabaseError`.
    """

    show = UseCase(showing.show_memories, MEMBERS, MemoryListing)
    why = UseCase(showing.show_sources, MEMBERS, MemoryListing)
    catch_up = UseCase(showing.show_digest, MEMBERS, MemoryListing)
    search = UseCase(showing.search_memories, MEMBERS, MemoryListing)
    choices = UseCase(showing.fact_choices, MEMBERS, lambda _: [])
    remember = UseCase(writing.remember_text, MEMBERS, FormReply)
    remember_message = UseCase(writing.remember_message, MEMBERS, FormReply)
    forget = UseCase(writing.forget_fact, MEMBERS, FormReply)
    forget_message = UseCase(writing.forget_message, MEMBERS, FormReply)
    disown = UseCase(writing.disown_fact, MEMBERS, FormReply)
    undo = UseCase(writing.undo_writes, MEMBERS, FormReply)

    profile = UseCase(showing.show_profile, MEMBERS, ChoiceListing)
    sentences = UseCase(showing.sentence_choices, MEMBERS, lambda _: [])
    delete_sentence = UseCase(showing.delete_sentence, MEMBERS, FormReply)
    switch_learning = UseCase(showing.switch_learning, MEMBERS, FormReply)

    stats = UseCase(count_own, names=False)
    guild_stats = UseCase(counting.count_guild, MANAGERS_COUNT, Figures, names=False)

    off = UseCase(own_rights.stop_remembering)
    on = UseCase(remember_again)
    be_private = UseCase(be_private)
    categories = UseCase(choose_categories)
    export = UseCase(own_rights.export_own)
    erasable = UseCase(ask_to_erase)
    erase = UseCase(erase_own)
    forgotten = UseCase(own_rights.tell_forgotten)
    deleted = UseCase(own_rights.note_deleted, names=False)
    ask = UseCase(showing.answer_in_words)

    listed_settings = UseCase(managing.list_settings, MANAGERS_SEE, SettingListing, names=False)
    preview = UseCase(managing.preview_persona, MANAGERS_SEE, FormReply, names=False)
    persona = UseCase(managing.hear_persona, MANAGERS_SEE, FormReply, names=False)
    change = UseCase(managing.change_setting, MANAGERS, FormReply, names=False)
    channel_state = UseCase(managing.tell_channel, names=False)
    channel = UseCase(managing.change_channel, MANAGERS, FormReply, names=False)
    left_out = UseCase(managing.left_out_channels, MANAGERS, lambda _: (), names=False)
    leave_out = UseCase(managing.leave_channels_out, MANAGERS, FormReply, names=False)
    waiting = UseCase(own_rights.waiting_notes, MANAGERS_IN_GUILD, ChoiceListing, names=False)
    settle = UseCase(own_rights.settle_waiting, MANAGERS_IN_GUILD, FormReply, names=False)
    quiet = UseCase(managing.be_quiet, MODERATORS, FormReply, names=False)
    episodes = UseCase(showing.list_episodes, MODERATORS_SEE, ChoiceListing)
    remove_episode = UseCase(showing.remove_episode, MODERATORS_SEE, FormReply)
