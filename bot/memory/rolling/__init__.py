"""What a running conversation said before the messages that a prompt carries word for word."""

from bot.memory.rolling.door import Rolling, Window

__all__ = ["Rolling", "Window"]
