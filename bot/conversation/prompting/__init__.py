"""The prompt of a chat reply: what it is made from, how much of each goes in, and how it is written."""

from bot.conversation.prompting.scene import KnownMember, KnownPlace, Scene
from bot.conversation.prompting.shares import DATA_TOKENS
from bot.conversation.prompting.writing import TAGS, WrittenScene, written

__all__ = ["DATA_TOKENS", "TAGS", "KnownMember", "KnownPlace", "Scene", "WrittenScene", "written"]
