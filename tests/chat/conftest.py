"""The guild that conversations are tested in."""

from tests.chat.guild import guild

__all__ = ["guild"]
