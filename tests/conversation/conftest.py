"""The guild that conversations are tested in."""

from tests.conversation.guild import guild

__all__ = ["guild"]
