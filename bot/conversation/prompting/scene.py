"""What a chat reply may draw on: the place, the people, what was said and what is to be answered."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from bot.domain import Episode, Fact, Member, Message
from bot.memory.recall import Hit
from bot.memory.relevance import Acquaintance


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPlace:
    """A place of a member, as it is told."""

    fact_id: int
    said_at: datetime
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownMember:
    """A member who takes part, and what is known about them where the reply is read."""

    member: Member
    given_name: str = ""
    """The name that they gave themselves; it goes before nickname, display name and user name."""
    pronouns: str = ""
    acquaintance: Acquaintance | None = None
    """How well the bot and they know each other; `None` if it is not known."""
    since: datetime | None = None
    """When they were first seen."""
    context: str = ""
    """Facts, today and the week as one text."""
    profile: str = ""
    """What was learned about them."""
    facts: tuple[Fact, ...] = ()
    """The weightiest first, without those that the context tells."""
    places: tuple[KnownPlace, ...] = ()
    named_by: tuple[int, ...] = ()
    """The ids of the facts that say name and pronouns."""
    in_context: tuple[int, ...] = ()
    """The ids of the facts that the context tells."""


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
    summary: str = ""
    """What the running conversation said before `messages`."""
    messages: tuple[Message, ...] = ()
    """What was said before it in the channel."""
    chain: tuple[Message, ...] = ()
    """The replies that lead up to it, above the one replied to: what the talk is about, however long ago."""
    members: tuple[KnownMember, ...] = ()
    """Whoever matters most first: where room is short, the last ones go."""
    server_facts: tuple[Fact, ...] = ()
    """Facts about the guild itself, the most important first."""
    episodes: tuple[Episode, ...] = ()
    """What earlier conversations of the channel left behind, newest first."""
    recalled: tuple[Hit, ...] = ()
    """What else was found that has to do with the message, the best first."""
    recalled_facts: Mapping[int, Fact] = field(default_factory=dict)
    """Those of them that are facts, by their ids."""
    channel_names: Mapping[int, str] = field(default_factory=dict)
    """What the channels are called in which something was found."""
    called: Mapping[int, str]
    """What everyone in the guild is called, also who takes no part: texts may mention them."""
