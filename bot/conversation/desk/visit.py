"""Who comes to the desk and from where, and what is handed back over it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from bot.conversation.own_rights.hands import CanRead, Reads
from bot.domain import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
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
    reads: Reads | None = None
    """Tells what the visitor can read in a guild."""
    can_read: CanRead | None = None
    """Tells which channels of this guild the visitor can read now, where a face knows."""
    jump: Callable[[int, int], str] | None = None
    """Gives the address of a message of this guild, by its channel's id and its own, where a face has such."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One fact, message or episode as it is shown, and where it was said."""

    text: str
    """What it says with names put in, with its teller where that is not whom it is about."""
    said_at: datetime
    fact_id: int
    """0 where it is no fact."""
    guild_id: int
    """Another one than the visit's for the member's own facts that a direct message shows."""
    channel_id: int
    message_id: int
    """0, as is the channel's id, where no message said it."""
    is_forgettable: bool = False
    """It is a fact that holds, so that it can be forgotten by those who may."""
    is_own: bool = False
    """It is a fact that holds about the visitor, who may say that it was not them."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What is known about somebody, the important and new first; without lines the title says that nothing is."""

    title: str
    lines: tuple[Line, ...] = ()
    lately: str = ""
    """What the current day and the week before it say, below the facts; may be empty."""
    profile: str = ""
    """What was learned of somebody, for themselves alone, below the rest; may be empty."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a member's profile, to read or to choose."""

    sentence_id: str
    text: str
    """With names put in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownProfile:
    """A member's own profile; without sentences the title says that there is none."""

    title: str
    sentences: tuple[Sentence, ...]
    state: str
    """Whether anything is learned."""

    @property
    def text(self) -> str:
        """All of it, the sentences with numbers from 1 on."""
        numbered = [f"{number}. {one.text}" for number, one in enumerate(self.sentences, start=1)]
        return "\n".join([self.title, *numbered, self.state])


@dataclass(frozen=True, slots=True)
class Said:
    """What is said in answer to a visit."""

    text: str
    undo_ids: tuple[int, ...] = ()
    """The facts that it stored, which an Undo may take back."""
    forgot: bool = False
    """It had something forgotten: the visitor may look at what that took."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A fact to choose from a list."""

    fact_id: int
    label: str
    """At most 100 characters, with the day on which it was said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A setting of the guild as it stands."""

    name: str
    value: str
    """As `Desk.change` takes it: the base role by its id; "" is the default."""
    label: str
    """What it is called, in the visitor's language."""
    allowed: str
    """What it may be, in the visitor's language."""
    choices: tuple[str, ...] = field(default=())
    """The values that there are, where these are few."""
