"""The interface between adapters and chat: an incoming message, its route and its outcome; and what an adapter can do
for a member: tell which channels they can read, and give them files.
"""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

from bot.core.domain import Language, Member, Message
from bot.llm.operation import Image

MOST_BYTES: Final = 10 * 1024 * 1024
"""Of one file, where a face says nothing else: what Discord takes of everybody."""


@dataclass(frozen=True, slots=True)
class PrivateFile:
    """A file for one pair of eyes."""

    name: str
    content: bytes


ReadableAudiences: TypeAlias = Callable[[int], Awaitable[Sequence[int]]]
"""Returns the audiences that a member can read in a guild, by its id; none where the member is not."""

ReadableChannels: TypeAlias = Callable[[Collection[int]], Awaitable[frozenset[int]]]
"""Returns those of these channels of a guild, by id, that a member can read at this moment."""

HandOver: TypeAlias = Callable[[PrivateFile], Awaitable[bool]]
"""Gives a member a file in private, and tells whether it arrived."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingMessage:
    """A message as a face heard it."""

    message: Message
    bot_id: int
    bot_names: Sequence[str]
    """What the bot is called where this was said; the first is what it calls itself."""
    direct: bool = False
    from_moderator: bool = False
    from_manager: bool = False
    """The author may change the settings of the guild, or of the channel in which it was said."""
    is_taken: bool = False
    """Memory has taken the message, which is here as it is stored; that it is durable is only waited for."""
    alone: bool = False
    """Nobody but this process answers where this was said, so that what another began has died with it."""
    late: bool = False
    """Heard too late to be answered: commands that write are carried out without a word, the rest is only heard.

    Whoever hears late is alone with the channel: an answer that another process began is that of a dead one.
    """
    visitor: bool = False
    """Said by somebody without the guild's base role, or where such people read along: nothing from elsewhere is
    used, and nothing is stored."""
    language: Language = Language.ENGLISH
    """What is spoken where this was said, for an answer to a message without words."""
    paced: bool = True
    """Whether who floods is slowed down; a transcript says in a second what people say in an hour."""
    seek: Callable[[str], Awaitable[Sequence[Member]]] | None = None
    """Asks the face for members by a name that nobody known here bears."""
    jump: Callable[[int, int], str] | None = None
    """Gives the address of a message of this guild, by its channel's id and its own, where a face has such."""
    reads: ReadableAudiences | None = None
    """Tells what the author can read in a guild."""
    can_read: ReadableChannels | None = None
    """Tells which channels of this guild the author can read now, where a face knows."""
    hand_over: HandOver | None = None
    """Gives the author files in private."""
    is_behind: Callable[[], bool] | None = None
    """Tells whether anything that was said in this guild before may still be unread."""
    read_later: Callable[[], bool] | None = None
    """Has this message heard again after all that was said before it in its channel; `False` if nothing is missing
    there, so that it is to be answered now."""
    images: tuple[Image, ...] = ()
    """The pictures of the message, for models that see."""
    replied_images: tuple[Image, ...] = ()
    """Those of the message that it replies to."""
    show: "ShowBeginning | None" = None
    """Shows the beginning of the answer while the rest of it is still thought out, where a face can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageOutcome:
    """What became of a message: the way that it went, and what is said in answer, if anything."""

    guild_id: int
    message_id: int
    route: Route
    text: str | None = None
    """The answer with names put in."""
    kept_text: str = ""
    """The answer as it is kept, with members as `<@id>`: names change."""
    language: str = ""
    """The code of the language in which it is told; "" if that is told by its letters alone."""
    degraded: bool = False
    undo_ids: tuple[int, ...] = ()
    """The facts that the answer tells to be written: whoever may, can have them taken back."""
    forgot: bool = False
    """It had something forgotten: who asked may look at what that took."""
    replaces: tuple[int, ...] = ()
    """The messages of the bot in whose place this answer stands, since the command was edited."""
    begun_ids: tuple[int, ...] | None = None
    """The messages, as far as they were noted, in which a process that died showed the beginning of the answer; `None`
    if it did not."""
    is_noticed: bool = False
    """Nothing is said, and whoever called the bot is shown that it heard."""
    heard_at: float = field(default=0.0, compare=False)
    """When the message came, by the monotonic clock; 0 if it did before this process began."""
    pings: bool = False
    """Whether the guild wants whoever is answered to be pinged."""


ShowBeginning: TypeAlias = Callable[[MessageOutcome], Awaitable[Sequence[int]]]
"""Shows what an answer says so far, in the place of what it showed before, where its whole will stand.

Returns the ids of the messages. Raises `KeepsakeError` where it cannot be shown; the whole is delivered all the same.
"""
