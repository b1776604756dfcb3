"""The settings of a guild as its managers see and change them."""

from bot.conversation.desk.settings.everyday import TEXT_SEARCH, TIME_ZONE
from bot.conversation.desk.settings.listing import (
    allowed,
    changed,
    closest,
    default_of,
    label,
    listed,
    names,
    value_of,
)
from bot.conversation.desk.settings.permissions import HEARING, LOG_CHANNEL

__all__ = [
    "HEARING",
    "LOG_CHANNEL",
    "TEXT_SEARCH",
    "TIME_ZONE",
    "allowed",
    "changed",
    "closest",
    "default_of",
    "label",
    "listed",
    "names",
    "value_of",
]
