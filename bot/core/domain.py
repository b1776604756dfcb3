"""Domain types used everywhere: guilds, channels, members, messages, facts, episodes, and the values of a guild's
settings. They depend on no framework, no SQL and no Discord client.
"""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Final


class AnswerMode(StrEnum):
    """When the bot answers in a channel."""

    ALWAYS = "always"
    ADDRESSED = "addressed"
    NEVER = "never"


class RememberingOthers(StrEnum):
    """Who may have something remembered about somebody else in a guild."""

    EVERYONE = "everyone"
    MODERATORS = "moderators"
    NOBODY = "nobody"


class ForgettingOthers(StrEnum):
    """Who, beside its subject and moderators, may have forgotten what was told about somebody else."""

    TELLERS = "tellers"
    """Whoever told it."""
    MODERATORS = "moderators"
    """Nobody else."""


class DisclosurePolicy(StrEnum):
    """How much members are told about one another, of what is visible where they ask."""

    SAID = "said"
    """What was said and done openly; no profile, feelings, love, sensitive matters or hours of activity."""
    OPEN = "open"
    """Everything that is open."""
    MODERATORS = "moderators"
    """Nothing, but moderators as with `SAID`."""


class ConsentDefault(StrEnum):
    """Whether anything is kept of members who never said so."""

    PRESUMED = "presumed"
    """Of everybody who did not opt out."""
    ASKED = "asked"
    """Of those alone who opted in."""


OPEN: Final = 0
"""The audience of what everyone in the guild may see; any other audience is a channel's id."""

ANYBODY: Final = -1
"""Stands for no member in particular where what is read is asked for by member."""

GUILD_SUBJECT: Final = 0
"""The subject id of facts about the guild itself: "movie night is on Friday"."""

MAX_FACT_CHARACTERS: Final = 500
"""The longest content of a fact; longer text belongs into a message, which is kept anyway."""

MAX_ID: Final = 2**63 - 1
"""The largest id that a bigint column holds; a model or a person may well name a larger one."""

DISCORD_EPOCH: Final = datetime(2015, 1, 1, tzinfo=UTC)


def snowflake_at(moment: datetime) -> int:
    """Return the smallest id that Discord could give to something created at `moment`."""
    return max(0, (moment - DISCORD_EPOCH) // timedelta(milliseconds=1)) << 22


def moment_of(snowflake: int) -> datetime:
    """Return when the thing with this id was created, in UTC, to the millisecond."""
    return DISCORD_EPOCH + timedelta(milliseconds=snowflake >> 22)


def mention_of(user_id: int) -> str:
    """Return how stored text names a member; names are put in only when a text is rendered."""
    return f"<@{user_id}>"


MENTION: Final = re.compile(r"<@!?([0-9]{1,19})>")
"""Finds a mention, with the id of the member."""


class Language(StrEnum):
    """The languages of the fixed sentences and of the grammar."""

    ENGLISH = "en"
    RUSSIAN = "ru"

    @classmethod
    def of(cls, text: str) -> "Language":
        """Return the language of `text` by its script: more Cyrillic than Latin letters is Russian."""
        if text.isascii():
            return cls.ENGLISH
        cyrillic = sum("а" <= letter <= "я" or letter == "ё" for letter in text.lower())
        latin = sum("a" <= letter <= "z" for letter in text.lower())
        return cls.RUSSIAN if cyrillic > latin else cls.ENGLISH


class MessageKind(StrEnum):
    """Who wrote a message; only members are ever learned from."""

    MEMBER = "member"
    BOT = "bot"
    WEBHOOK = "webhook"
    SYSTEM = "system"


class RedactionReason(StrEnum):
    """Why a message is kept without its text."""

    DELETED = "deleted"
    FORGOTTEN = "forgotten"
    OPTED_OUT = "opted_out"


@dataclass(frozen=True, slots=True, kw_only=True)
class ForwardOrigin:
    """The message whose words a forward repeats; it may be of another guild, and need not be known."""

    guild_id: int
    message_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One version of one message, as it was heard or as it is kept."""

    guild_id: int
    channel_id: int
    message_id: int
    user_id: int
    text: str
    timestamp: datetime
    audience: int = OPEN
    kind: MessageKind = MessageKind.MEMBER
    attachments: tuple[str, ...] = ()
    """Short plain descriptions such as `[image: cat.png]`, never addresses: those expire."""
    edited_at: datetime | None = None
    reply_to_id: int | None = None
    withheld: RedactionReason | None = None
    from_visitor: bool = False
    """Whether its author lacked the guild's base role: nothing is learned from it."""
    forwarded: ForwardOrigin | None = None
    """What it forwards: those are not its author's words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guild:
    """A guild and its settings; a direct-message channel is a guild of its own."""

    guild_id: int
    name: str
    time_zone: str = "UTC"
    text_search: str = "russian"
    retention_days: int | None = None
    """Days that messages are kept; `None` is the installation's setting, 0 is for ever."""
    direct: bool = False
    persona: str = ""
    """Who the bot is here, in the words of the guild's managers."""
    memory_epoch: int = 0
    """Raised whenever something is forgotten: what was read in an earlier epoch is not told."""
    base_role_id: int | None = None
    """The role whose channels are open; `None` is @everyone, who has the guild's own id."""
    pings: bool = False
    """Whether a reply pings whom it answers."""
    remembering_others: RememberingOthers = RememberingOthers.EVERYONE
    forgetting_others: ForgettingOthers = ForgettingOthers.TELLERS
    telling_others: DisclosurePolicy = DisclosurePolicy.SAID
    consent: ConsentDefault = ConsentDefault.PRESUMED
    hearing: bool = True
    """Whether anything that is said here is kept."""
    log_channel_id: int | None = None
    """Where it is noted that something about somebody else was removed; `None`: nowhere."""

    def kept_days(self, default: int) -> int:
        """Return the days that messages are kept, 0 for ever; `default` is the installation's."""
        return default if self.retention_days is None else self.retention_days


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A channel or thread; `audience` is what its new messages get."""

    guild_id: int
    channel_id: int
    name: str
    audience: int = OPEN
    parent_id: int | None = None
    """Of a thread: the channel that it belongs to, whose switches hold for it too."""
    hearing: bool = True
    """Whether what is said here is kept."""
    answering: AnswerMode = AnswerMode.ADDRESSED
    quiet_until: datetime | None = None
    """Until then the bot answers nothing here."""
    persona: str = ""
    """Who the bot is in this channel, before what it is in the guild; "" leaves that."""
    model: str = ""
    """The model that is asked first for replies here; "" leaves the order of the installation."""
    watermark: int = 0
    """The newest message id below which nothing is missing; 0 if nothing was ever heard here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A member by all the names that recognise them."""

    guild_id: int
    user_id: int
    user_name: str
    display_name: str = ""
    nickname: str = ""
    aliases: tuple[str, ...] = ()
    """Names from remembered facts ("gruzilkin is Sergey"); they go when the fact goes."""
    old_names: tuple[str, ...] = ()
    """Names that were given up: they help to recognise and are never said to anybody."""
    is_bot: bool = False
    pronouns: str = ""

    @property
    def name(self) -> str:
        """What the member is called here: nickname, else display name, else user name."""
        return self.nickname or self.display_name or self.user_name


class FactCategory(StrEnum):
    """What kind of thing a fact tells."""

    FACT = "fact"
    PREFERENCE = "preference"
    EVENT = "event"
    FEELING = "feeling"
    PLACE = "place"
    OTHER = "other"


class FactStatus(StrEnum):
    """Where a fact stands in its life; a forgotten row keeps no text."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    INACTIVE = "inactive"
    FORGOTTEN = "forgotten"


class FactOrigin(StrEnum):
    """How a fact came to be known; command, tool and import make explicit facts."""

    COMMAND = "command"
    PATTERN = "pattern"
    TOOL = "tool"
    LEARNING = "learning"
    IMPORT = "import"


EXPLICIT: Final = frozenset({FactOrigin.COMMAND, FactOrigin.TOOL, FactOrigin.IMPORT})
"""The origins that mean that somebody asked to have the fact remembered."""

LEARNED: Final = frozenset(FactOrigin) - EXPLICIT
"""The origins of what nobody asked for: what the bot picked up by itself."""


NOBODY: Final = -1
"""Stands for somebody who is no member, where the id of whom something is about is asked for."""

OF_A_NAME: Final = "of:"
"""What the key of a fact begins with that is about a name which is no member's: `of:dave|lives_in`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One atomic memory about one subject, with its provenance."""

    guild_id: int
    fact_id: int
    subject_id: int
    audience: int
    category: FactCategory
    key: str
    value: str
    content: str
    """Third person, members as `<@id>`, at most 500 characters."""
    raw_content: str
    """The words of the teller."""
    importance: int
    confidence: float
    status: FactStatus
    origin: FactOrigin
    author_id: int
    source_channel_id: int
    source_message_id: int
    cause: str
    """What made the row: `m:<message>` (of an edited one `m:<message>:<time of the edit>`), `i:<interaction>`,
    `l:<profile version>`, `w:<key>`, `x:<import>`."""
    said_at: datetime
    holds_on: date | None = None
    expires_at: datetime | None = None
    supersedes: int | None = None
    tentative: bool = False
    """Learned, and neither said on two days nor confirmed: never stated as certain."""
    last_used_at: datetime | None = None
    """When it was last given to a model for a reply."""

    @property
    def is_explicit(self) -> bool:
        """Whether somebody asked to have it remembered; other facts are learned."""
        return self.origin in EXPLICIT

    @property
    def is_about_a_name(self) -> bool:
        """Whether it is about somebody who is no member, and not about the guild, whose id it has for its subject."""
        return self.key.startswith(OF_A_NAME)

    @property
    def name_about(self) -> str:
        """The name that it is about and that is nobody's, in the spelling by which names are compared; else ""."""
        return self.key.removeprefix(OF_A_NAME).partition("|")[0] if self.is_about_a_name else ""

    @property
    def is_hearsay(self) -> bool:
        """Whether somebody tells it of another one; of the guild itself everybody may speak."""
        of_somebody = self.subject_id != GUILD_SUBJECT or self.is_about_a_name
        return of_somebody and self.author_id not in {self.subject_id, 0}

    @property
    def is_said_once(self) -> bool:
        """Whether it is tentative only since its subject has said it on one day: those are their own words."""
        return self.tentative and self.origin is FactOrigin.PATTERN and self.author_id == self.subject_id

    @property
    def is_guess(self) -> bool:
        """Whether it is tentative, and not in anybody's own words."""
        return self.tentative and not self.is_said_once


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """What a conversation that has ended left behind, or several that were merged."""

    guild_id: int
    episode_id: int
    channel_id: int
    audience: int
    """The narrowest of its messages'."""
    content: str
    """Two to four sentences, members as `<@id>`."""
    importance: int
    """From 0 to 10."""
    tags: tuple[str, ...]
    first_message_id: int
    last_message_id: int
    merged_from: tuple[int, ...]
    """The ids of the episodes that were merged into it, which are gone."""
    created_at: datetime
    """When its conversation ended."""
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """What waits to be done, of one kind."""

    count: int = 0
    oldest_seconds: float = 0.0
    """How long the oldest has waited; 0 if nothing does."""
