"""What a face tells the conversation of a message, and what becomes of it."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from bot.conversation.own_rights.hands import CanRead, HandOver, Reads
from bot.conversation.router import Route
from bot.domain import Language, Member, Message
from bot.language.operation import Image


@dataclass(frozen=True, slots=True, kw_only=True)
class Hearing:
    """A message as a face heard it."""

    message: Message
    bot_id: int
    bot_names: Sequence[str]
    """What the bot is called where this was said; the first is what it calls itself."""
    direct: bool = False
    from_moderator: bool = False
    is_taken: bool = False
    """The face has handed the message to memory already; that it is durable is only waited for."""
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
    reads: Reads | None = None
    """Tells what the author can read in a guild."""
    can_read: CanRead | None = None
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a message: the way that it went, and what is said in answer, if anything."""

    guild_id: int
    message_id: int
    route: Route
    text: str | None = None
    """The answer with names put in."""
    kept_text: str = ""
    """The answer as it is kept, with members as `<@id>`: names change."""
    degraded: bool = False
    undo_ids: tuple[int, ...] = ()
    """The facts that the answer tells to be written: whoever may, can have them taken back."""
    forgot: bool = False
    """It had something forgotten: who asked may look at what that took."""
    replaces: tuple[int, ...] = ()
    """The messages of the bot in whose place this answer stands, since the command was edited."""
    pings: bool = False
    """Whether the guild wants whoever is answered to be pinged."""
