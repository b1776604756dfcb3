"""The guild that some of memory is tested in, as members talk in it."""

from tests.chat.guild import guild

__all__ = ["guild"]
