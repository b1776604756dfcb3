"""The settings of what is kept: how long, how much, and what is learned. Part of `bot/settings.py`."""

from pydantic import Field
from pydantic_settings import BaseSettings


class MemorySettings(BaseSettings):
    """How long memories are kept, what the bot learns by itself, and what conversations leave behind."""

    retention_days: int = Field(default=30, ge=0, le=36_500, description="days messages are kept; 0 for ever")
    fact_retention_days: int = Field(
        default=0, ge=0, le=36_500, description="days facts are kept; 0 for ever"
    )
    profile_retention_days: int = Field(
        default=0, ge=0, le=36_500, description="days what was learned of members is kept; 0 for ever"
    )
    episode_retention_days: int = Field(
        default=0, ge=0, le=36_500, description="days what conversations left behind is kept; 0 for ever"
    )
    learning: bool = Field(default=True, description="whether profiles of members are learned")
    learn_every_turns: int = Field(
        default=20,
        ge=1,
        le=1_000,
        description="replies to a member after which their profile is learned anew",
    )
    memory_document_tokens: int = Field(
        default=10_000, ge=500, le=1_000_000, description="longest memory document, in estimated tokens"
    )
    conversation_gap_minutes: int = Field(
        default=30, ge=1, le=1_440, description="minutes of silence that end a conversation"
    )
    summary_every_messages: int = Field(
        default=20, ge=5, le=200, description="messages after which a running conversation is summed up anew"
    )
    episodes: bool = Field(default=True, description="whether conversations leave episodes behind")
    episodes_per_channel: int = Field(
        default=10, ge=1, le=100, description="episodes that a channel keeps at most"
    )
    purge_episodes_of_deleted_channels: bool = Field(
        default=False, description="whether the episodes of a channel go when it is deleted"
    )
    left_member_grace_days: int = Field(
        default=30,
        ge=0,
        le=36_500,
        description="days after which who left is erased, and the guild that the bot was removed from; 0 at once",
    )
    keep_left_guilds: bool = Field(
        default=False, description="whether a guild is kept that the bot was removed from"
    )
