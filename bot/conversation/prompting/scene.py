"""What a chat reply may draw on: the place, the people, what was said and what is to be answered."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from bot.domain import Fact, Member, Message


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownMember:
    """A member who takes part, and what is known about them where the reply is read."""

    member: Member
    given_name: str = ""
    """The name that they gave themselves; it goes before nickname, display name and user name."""
    pronouns: str = ""
    facts: tuple[Fact, ...] = ()
    """The most important first."""
    memory: str = ""
    """Facts, today and the week as one text; it comes before the single facts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Everything that the prompt of one reply is made from."""

    bot_id: int
    bot_name: str
    now: datetime
    """Aware, in any zone."""
    time_zone: str
    """The guild's, by its IANA name: days and times are told in it."""
    message: Message
    """The message to answer."""
    persona: str = ""
    channel_name: str = ""
    """Empty in a direct message."""
    replied_to: Message | None = None
    messages: tuple[Message, ...] = ()
    """What was said before it in the channel."""
    chain: tuple[Message, ...] = ()
    """The replies that lead up to it, above the one replied to: what the talk is about, however long ago."""
    members: tuple[KnownMember, ...] = ()
    """Whoever matters most first: where room is short, the last ones go."""
    server_facts: tuple[Fact, ...] = ()
    """Facts about the guild itself, the most important first."""
    called: Mapping[int, str]
    """What everyone in the guild is called, also who takes no part: texts may mention them."""
