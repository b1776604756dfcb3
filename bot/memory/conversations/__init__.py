"""Where one conversation of a channel ends and the next begins: derived from what is stored, held nowhere else."""

from bot.memory.conversations.boundaries import (
    CONVERSATION_MESSAGES,
    Boundaries,
    Spoken,
    ends_conversation,
)
from bot.memory.conversations.reading import (
    Running,
    ended_conversations,
    first_message_id,
    goes_on,
    is_over,
    running_conversation,
)

__all__ = [
    "CONVERSATION_MESSAGES",
    "Boundaries",
    "Running",
    "Spoken",
    "ended_conversations",
    "ends_conversation",
    "first_message_id",
    "goes_on",
    "is_over",
    "running_conversation",
]
