"""What a reply remembers of members: facts, today and the week as one text each, in time."""

from bot.memory.memories.reading import READING_SECONDS, MemberMemories, Memories

__all__ = ["READING_SECONDS", "MemberMemories", "Memories"]
