"""What people do on a day, as data: each act is one thing that one of them does, and what the bot is to do then."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from tests.servers.discord.state import Json

DIRECT = "@me"
"""In the place of a channel: the direct messages of the member with the bot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Says:
    """A member, bot or webhook says something. In `text`, `{bob}` stands for a mention of bob."""

    who: str
    where: str
    text: str = ""
    label: str = ""
    """What later acts call this message; its answer is called the same with `>` before it."""
    to: str = ""
    """The label of the message that this one replies to."""
    answer: str | None = None
    """What the bot says to it, names put in, `…` for anything; `None`: nothing."""
    without: str = ""
    """Words that may be nowhere in the answer."""
    webhook: bool = False
    files: tuple[str, ...] = ()
    embeds: tuple[Json, ...] = ()
    fields: Mapping[str, object] = field(default_factory=dict)
    """Put over what Discord sends: stickers, polls."""
    carries: tuple[str, ...] = ()
    """The attachments as they are kept."""


@dataclass(frozen=True, slots=True)
class Edits:
    """The author of a message gives it a new text; `answer` is what the bot's answer says from then on."""

    label: str
    text: str
    answer: str | None = None


@dataclass(frozen=True, slots=True)
class Deletes:
    """Messages go, one by one or at once."""

    labels: tuple[str, ...]
    in_bulk: bool = False


@dataclass(frozen=True, slots=True)
class Unfurls:
    """Discord adds the preview of a link."""

    label: str
    embed: Json
    carries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Forwards:
    """A member forwards a message."""

    who: str
    where: str
    label: str
    carries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Starts:
    """A member starts a thread on a message, beside the talk, or (with a text) a forum post."""

    who: str
    where: str
    name: str
    on: str = ""
    """The label of the message on which it starts."""
    text: str = ""
    private: bool = False
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Renames:
    """A member takes a nickname."""

    who: str
    nickname: str


@dataclass(frozen=True, slots=True)
class Joins:
    """Somebody joins, and Discord greets them."""

    who: str
    where: str


@dataclass(frozen=True, slots=True)
class Leaves:
    """Somebody leaves; the messages stay."""

    who: str


@dataclass(frozen=True, slots=True)
class Pins:
    """A member pins a message."""

    who: str
    label: str


@dataclass(frozen=True, slots=True)
class Clicks:
    """A member presses a button under an answer; only they see what comes of it."""

    who: str
    label: str
    button: str
    answer: str


@dataclass(frozen=True, slots=True)
class Commands:
    """A member gives a slash command; only they see the answer, which has these words in it."""

    who: str
    where: str
    command: str
    options: Mapping[str, str] = field(default_factory=dict)
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chooses:
    """A member chooses from the menu of a message; only they see the answer, which has these words in it."""

    who: str
    label: str
    entry: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chatters:
    """Members say much at once, and nothing of it is for the bot."""

    who: tuple[str, ...]
    where: str
    count: int


Act: TypeAlias = (
    Says
    | Edits
    | Deletes
    | Unfurls
    | Forwards
    | Starts
    | Renames
    | Joins
    | Leaves
    | Pins
    | Clicks
    | Commands
    | Chooses
    | Chatters
)


def to_bot(
    who: str, where: str, text: str, answer: str, *, label: str = "", to: str = "", without: str = ""
) -> Says:
    """Return something said to the bot, and its answer."""
    return Says(who=who, where=where, text=text, answer=answer, label=label, to=to, without=without)


def aside(who: str, where: str, text: str, *, label: str = "", to: str = "") -> Says:
    """Return something said that is not for the bot."""
    return Says(who=who, where=where, text=text, label=label, to=to)
