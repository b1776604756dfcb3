"""Who is meant by a name, whom a sentence is about, and names in and out of stored text."""

from bot.conversation.names.mentions import rendered, with_mentions
from bot.conversation.names.resolve import Ambiguous, Found, Unknown, resolve
from bot.conversation.names.roster import Roster
from bot.conversation.names.subjects import Subject, subject_of

__all__ = [
    "Ambiguous",
    "Found",
    "Roster",
    "Subject",
    "Unknown",
    "rendered",
    "resolve",
    "subject_of",
    "with_mentions",
]
