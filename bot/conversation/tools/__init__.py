"""What a model may do while it replies: keep the memory of whoever is speaking."""

from bot.conversation.tools.memory_tool import MemoryTool, may_be_offered

__all__ = ["MemoryTool", "may_be_offered"]
