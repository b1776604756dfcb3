"""Whether anything that was said before is still unread, for who answers what is said now."""

from collections.abc import Callable

from bot.faces.discord.watermarks import Watermarks


class OpenGaps:
    """The gaps that are open. `missed` is told of a channel that is to be read again."""

    def __init__(self, marks: Watermarks, missed: Callable[[int], None]) -> None:
        self._marks = marks
        self._missed = missed

    def is_in(self, guild_id: int) -> bool:
        """Tell whether something in a guild, or in the direct messages of this id, may be unread."""
        return any(map(self._marks.is_open, self._marks.channels_of(guild_id) or {guild_id}))

    def read_again(self, *, channel_id: int, message_id: int) -> bool:
        """Have a channel read again, in its order; `False` if nothing is missing there before a message.

        What lies below the mark is never read again, so a message there must be answered now.
        """
        if not self._marks.lacks_before(channel_id, message_id):
            return False
        self._missed(channel_id)
        return True
