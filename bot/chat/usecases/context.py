"""The context of a slash command, menu or button, and its result. A form turn lets the handlers of commands in words
carry it out.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Self

from bot.chat.incoming import MOST_BYTES, ReadableAudiences, ReadableChannels
from bot.chat.turn import MemoryAccess, Turn
from bot.core.clock import Clock
from bot.core.domain import Guild, Language, Message
from bot.core.settings import Settings
from bot.llm.operation import Operations
from bot.memory.policy.permissions import scope_of
from bot.text.sentences import Key, say


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestContext:
    """One command that a member gave by a form, a menu or a button."""

    guild_id: int
    channel_id: int
    audience: int
    """That of the channel in which it was given."""
    user_id: int
    language: Language
    """The language of the member's client, in which all is said."""
    interaction_id: int
    """Given by the face, in the order of time like ids of messages; the same command keeps it when it is repeated."""
    bot_id: int
    bot_name: str
    """What the bot is called where this was given."""
    from_moderator: bool = False
    from_manager: bool = False
    visitor: bool = False
    """Lacks the guild's base role: sees no memories and writes none."""
    direct: bool = False
    """Given in a direct message, which is a guild of its own."""
    reads: ReadableAudiences | None = None
    """Tells what the visitor can read in a guild."""
    can_read: ReadableChannels | None = None
    """Tells which channels of this guild the visitor can read now, where a face knows."""
    jump: Callable[[int, int], str] | None = None
    """Gives the address of a message of this guild, by its channel's id and its own, where a face has such."""
    most_bytes: int = MOST_BYTES
    """Of a file that can be given to the visitor."""
    within: tuple[int, ...] = ()
    """The guilds that were chosen for it, in a direct message."""

    def say(self, key: Key, **values: str | int) -> str:
        """Return a sentence in the visitor's language; it may name the bot."""
        return say(key, self.language, bot=self.bot_name, **values)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryLine:
    """One fact, message or episode as it is shown, and where it was said."""

    text: str
    """What it says with names put in, with its teller where that is not whom it is about."""
    said_at: datetime
    fact_id: int
    """0 where it is no fact."""
    guild_id: int
    """Another one than the request's for the member's own facts that a direct message shows."""
    channel_id: int
    message_id: int
    """0, as is the channel's id, where no message said it."""
    is_forgettable: bool = False
    """It is a fact that holds, so that it can be forgotten by those who may."""
    may_forget: bool = False
    """It is one, and the visitor is among those who may."""
    is_own: bool = False
    """It is a fact that holds about the visitor, who may say that it was not them."""


@dataclass(frozen=True, slots=True)
class MemoryListing:
    """What is known about somebody, the important and new first; without lines the title says that nothing is."""

    title: str
    lines: tuple[MemoryLine, ...] = ()
    lately: str = ""
    """What the current day and the week before it say, below the facts; may be empty."""
    profile: str = ""
    """What was learned of somebody, for themselves alone, below the rest; may be empty."""
    full: str = ""
    """That there is no room left, and what could go, below the facts; may be empty."""
    by_minute: bool = False
    """The lines are talks, which are told by the minute and are nothing to be forgotten by number."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several things that something is done to once it is chosen."""

    key: str
    """The id by which it is named."""
    text: str
    """With names put in."""
    at: datetime | None = None
    """When it was said, where that is shown beside it."""


@dataclass(frozen=True, slots=True)
class ChoiceListing:
    """Things to choose from; without any the title says that there are none, or for whom they are."""

    title: str
    lines: tuple[Choice, ...] = ()
    below: str = ""

    @property
    def text(self) -> str:
        """All of it, the lines with numbers from 1 on."""
        numbered = [f"{number}. {one.text}" for number, one in enumerate(self.lines, start=1)]
        return "\n".join([self.title, *numbered, *filter(None, [self.below])])


@dataclass(frozen=True, slots=True)
class FormReply:
    """What is said in answer to a request."""

    text: str
    undo_ids: tuple[int, ...] = ()
    """The facts that it stored, which an Undo may take back."""
    forgot: bool = False
    """It had something forgotten: the visitor may look at what that took."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSetting:
    """A setting of the guild as it stands."""

    name: str
    value: str
    """As `UseCases.change` takes it: the base role by its id; "" is the default."""
    label: str
    """What it is called, in the visitor's language."""
    allowed: str
    """What it may be, in the visitor's language."""
    choices: tuple[str, ...] = field(default=())
    """The values that there are, where these are few."""


@dataclass(frozen=True, slots=True)
class SettingListing:
    """The settings of a guild; without any the title says for whom they are."""

    title: str = ""
    settings: tuple[ShownSetting, ...] = ()


@dataclass(frozen=True, kw_only=True)
class FormAccess(MemoryAccess):
    """What forms are answered with."""

    clock: Clock
    settings: Settings
    operations: Operations


@dataclass(frozen=True, kw_only=True)
class FormTurn(Turn):
    """A turn that answers in the language of a form, whatever was put into it, and writes by its interaction."""

    request: RequestContext
    guild: Guild

    @property
    def cause(self) -> str:
        """The cause of what this turn writes: the same command, repeated, writes nothing more."""
        return f"i:{self.message.message_id}"

    @property
    def is_message(self) -> bool:
        """Whether a message said it: what is put into a form stands in no log."""
        return False

    @property
    def language(self) -> Language:
        """The language to answer in: that of the member's client."""
        return self.request.language

    @property
    def speech(self) -> str:
        """The same: what is put into a form may be in any."""
        return self.language

    async def saying(self, text: str) -> Self:
        """Return the turn as one in which `text` was said."""
        await self.known.meet(text)
        return replace(self, text=text, message=replace(self.message, text=text))


async def form_turn(request: RequestContext, access: FormAccess, *, names: bool) -> FormTurn:
    """Return `request` as a turn in which nothing was said yet; an unknown guild has the settings of a new one.

    Without `names` nobody is read whom one might mean: a large guild has many. No message has the id of the turn's: it
    is the interaction's.
    """
    guild = await access.directory.guild(request.guild_id) or Guild(
        guild_id=request.guild_id, name="", direct=request.direct, time_zone=access.settings.time_zone
    )
    view = await access.directory.view(
        guild_id=request.guild_id, channel_audience=request.audience, user_id=request.user_id
    )
    if request.visitor:
        view = scope_of(guild_id=request.guild_id, channel_audience=request.audience, visitor=True)
    known = access.directory.known(view)
    if names:
        await known.meet(user_ids=[request.user_id])
    return FormTurn(
        message=Message(
            guild_id=request.guild_id,
            channel_id=request.channel_id,
            message_id=request.interaction_id,
            user_id=request.user_id,
            text="",
            timestamp=access.clock.now(),
            audience=request.audience,
        ),
        text="",
        bot_id=request.bot_id,
        bot_names=(request.bot_name,),
        known=known,
        set_aside=frozenset(),
        view=view,
        time_zone=guild.time_zone,
        persona=guild.persona,
        memory_epoch=guild.memory_epoch,
        guild=guild,
        from_moderator=request.from_moderator,
        from_manager=request.from_manager,
        direct=request.direct,
        replied_to=None,
        visitor=request.visitor,
        within=request.within,
        reads=request.reads,
        can_read=request.can_read,
        jump=request.jump,
        request=request,
    )


async def replying_to(turn: FormTurn, message_id: int, access: MemoryAccess) -> FormTurn:
    """Return `turn` as a reply to a message of the guild, if it may be seen where the visitor is; else as it was."""
    message = await access.library.message(guild_id=turn.message.guild_id, message_id=message_id)
    if message is None or not turn.sees(message):
        return turn
    await turn.known.meet(message.text, user_ids=[message.user_id])
    return replace(turn, replied_to=message)
