"""Requests and responses of the API. Ids are strings, since most JSON readers keep only 53 bits of a number."""

import re
from datetime import date, datetime
from typing import Annotated, Final, Self, TypeAlias

from fastapi import Path, Query
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic.alias_generators import to_camel

from bot.core.domain import FactCategory, FactOrigin, FactStatus
from bot.memory.recall.search import HitKind
from bot.memory.rights.access.records import AccessScope, AuditAction
from bot.memory.rights.exporting.document import Id

_ID: Final = "[1-8][0-9]{18}|[1-9][0-9]{0,17}"

_ID_PATTERN: Final = f"^({_ID})$"
"""What fits into the database as well as what Discord gives until the year 2080."""


def _read_id(value: object) -> int:
    if isinstance(value, str) and re.fullmatch(_ID, value):
        return int(value)
    raise ValueError("it must be an id, as Discord copies them")


GivenId: TypeAlias = Annotated[
    int,
    BeforeValidator(_read_id),
    WithJsonSchema({"type": "string", "pattern": _ID_PATTERN}, mode="validation"),
]
GuildId: TypeAlias = Annotated[GivenId, Path(description="The server, or the channel of direct messages")]
ChannelId: TypeAlias = Annotated[GivenId, Path(description="The channel or thread")]
UserId: TypeAlias = Annotated[GivenId, Path(description="The member")]
Cursor: TypeAlias = Annotated[GivenId | None, Query(description="`nextCursor` of the page before")]
Limit: TypeAlias = Annotated[int, Query(ge=1, le=200, description="The most entries of a page")]

DEFAULT_LIMIT: Final = 50

IdOrNull: TypeAlias = Annotated[Id | None, BeforeValidator(lambda kept: kept or None)]
"""An id that is kept as 0 where none is meant."""


class ApiModel(BaseModel):
    """An object of the API; its fields are written like this: `createdAt`."""

    model_config = ConfigDict(
        frozen=True, alias_generator=to_camel, populate_by_name=True, use_attribute_docstrings=True
    )

    @classmethod
    def of(cls, kept: object) -> Self:
        """Return what is told of an object that has the fields of this one, by their names or `validation_alias`."""
        return cls.model_validate(kept, from_attributes=True)


class NewSession(ApiModel):
    """What a session is opened by."""

    token: str = Field(max_length=200)


class SessionState(ApiModel):
    """Who asks."""

    name: str
    """The name of the token, or `link`."""
    scope: AccessScope
    expires_at: datetime | None
    """When the session ends; `null` for a token."""
    csrf: str | None
    """What has to stand in `X-CSRF-Token` when the session is to change something; `null` for a token."""


class GuildEntry(ApiModel):
    """A server, or the direct messages with somebody."""

    id: Id
    name: str | None
    """`null` for direct messages, which are named after the member."""
    direct: bool
    time_zone: str
    joined_at: datetime | None
    left_at: datetime | None


class GuildList(ApiModel):
    """A page of servers, by their ids."""

    guilds: list[GuildEntry]
    next_cursor: Id | None


class GuildDetails(GuildEntry):
    """A server with how much is kept of it, open or closed."""

    channels: int
    members: int
    messages: int
    facts: int
    episodes: int


class ChannelEntry(ApiModel):
    """A channel or thread with how much is kept of it."""

    id: Id
    name: str | None
    """`null` where it is closed and was not revealed."""
    parent_id: Id | None
    closed: bool
    """Whether texts of it are shown only once they are revealed."""
    deleted_at: datetime | None
    messages: int
    memories: int


class ChannelList(ApiModel):
    """A page of channels, by their ids."""

    channels: list[ChannelEntry]
    next_cursor: Id | None


class MemberEntry(ApiModel):
    """A member."""

    id: Id = Field(validation_alias="user_id")
    user_name: str
    display_name: str
    nickname: str
    bot: bool = Field(validation_alias="is_bot")
    private: bool
    """Others are told nothing about them, and operators are shown nothing until it is revealed."""
    opted_out: bool
    """Nothing is kept of them."""
    left_at: datetime | None


class MemberList(ApiModel):
    """A page of members, by their ids."""

    members: list[MemberEntry]
    next_cursor: Id | None


class MemoryEntry(ApiModel):
    """What a conversation left behind; members are named as `<@id>`."""

    id: Id = Field(validation_alias="episode_id")
    content: str
    created_at: datetime
    """When the conversation ended."""
    updated_at: datetime


class MemoryList(ApiModel):
    """A page of the memories of a channel, the newest first."""

    memories: list[MemoryEntry]
    next_cursor: Id | None
    hidden: int
    """How many memories of the channel are closed and were not revealed."""


class Deleted(ApiModel):
    """That something was deleted."""

    success: bool = True
    deleted_count: int


class FactSource(ApiModel):
    """One time that a fact was said."""

    author_id: Id = Field(validation_alias="author")
    channel_id: Id = Field(validation_alias="channel")
    message_id: Id = Field(validation_alias="message")
    """0 if no message said it."""
    said_at: datetime
    origin: FactOrigin
    said: str
    """The words in which it was said."""
    counts: bool
    """Whether it still bears the fact out."""


class FactEntry(ApiModel):
    """A fact about a member with its life; members are named as `<@id>`."""

    id: Id
    kind: FactCategory
    content: str
    status: FactStatus
    confidence: float
    importance: int
    origin: FactOrigin
    tentative: bool
    """Learned, and neither said on two days nor confirmed."""
    closed: bool
    """Whether it belongs to a closed channel."""
    said_at: datetime
    updated_at: datetime
    holds_on: date | None
    """The day that it is about."""
    expires_at: datetime | None
    supersedes: Id | None
    superseded_by: Id | None
    sources: list[FactSource]
    """Oldest first."""


class FactList(ApiModel):
    """A page of facts about a member, by their ids, also of what held once."""

    facts: list[FactEntry]
    next_cursor: Id | None
    hidden: int
    """How many facts about the member are closed and were not revealed."""


class WaitingEntry(ApiModel):
    """Notes of others about a member who was erased, in channels that the member could not read."""

    user_id: Id
    facts: int
    channel_ids: list[Id] = Field(validation_alias="audiences")


class WaitingList(ApiModel):
    """The notes that wait for a manager, who decides whether they go too."""

    waiting: list[WaitingEntry]


class ProfileEntry(ApiModel):
    """One version of what was learned of a member."""

    version: int
    content: str
    learned_at: datetime


class ProfileList(ApiModel):
    """The versions of a profile that are kept, the newest first."""

    versions: list[ProfileEntry]


class DayEntry(ApiModel):
    """What is told of a member's words of one day."""

    day: str
    kind: str
    """`day`: what happened; `mood`: how it felt."""
    closed: bool
    content: str
    told_at: datetime


class DayList(ApiModel):
    """A page of days, the oldest first."""

    days: list[DayEntry]
    next_cursor: str | None


class HitEntry(ApiModel):
    """Something that was found."""

    kind: HitKind
    id: Id = Field(validation_alias="hit_id")
    channel_id: Id
    message_id: Id
    author_id: Id
    """0 for a memory of a channel."""
    subject_id: Id | None
    """Of a fact: whom it is about."""
    said_at: datetime
    text: str
    score: float


class HitList(ApiModel):
    """What was found, the best first."""

    hits: list[HitEntry]


class UsageEntry(ApiModel):
    """What models were used for on a day."""

    day: date
    guild_id: Id
    """0 for what belongs to no server."""
    operation: str
    model: str
    calls: int
    failures: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int


class UsageList(ApiModel):
    """A page of what models were used for, by day, server, operation and model."""

    usage: list[UsageEntry]
    next_cursor: str | None


class SettingEntry(ApiModel):
    """A setting of a server as it stands."""

    name: str
    label: str
    """What it is called."""
    value: str
    """"" is the default."""
    allowed: str
    """What it may be."""
    choices: list[str]
    """The values that there are, where these are few."""


class SettingList(ApiModel):
    """The settings of a server."""

    settings: list[SettingEntry]


class NewReveal(ApiModel):
    """What is to be shown that is closed: a channel, or what is about a member."""

    guild_id: GivenId
    channel_id: GivenId | None = None
    user_id: GivenId | None = None
    reason: str = Field(min_length=3, max_length=500, pattern=r"\S.*\S")
    """Why; it is noted."""


class AuditItem(ApiModel):
    """One thing that an operator did; ids are `null` where none is meant."""

    id: Id = Field(validation_alias="audit_id")
    at: datetime
    operator: str
    action: AuditAction
    guild_id: IdOrNull
    channel_id: IdOrNull
    user_id: IdOrNull
    item_id: IdOrNull
    """The fact or the memory."""
    reason: str
    expires_at: datetime | None
    """Until when what was revealed is shown."""


class AuditList(ApiModel):
    """A page of the audit, the newest first."""

    entries: list[AuditItem]
    next_cursor: Id | None
