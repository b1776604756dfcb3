"""The log channel of a console: what is noted there is printed after the step that brought it."""

from bot.conversation.names import rendered
from bot.conversation.removal_lines import removal_line
from bot.domain import Language
from bot.faces.console.guild import SimulatedGuild
from bot.memory.removals import Removal


class LogLines:
    """Takes the lines of the guild that the console plays; every other guild has a face of its own."""

    def __init__(self, guild: SimulatedGuild) -> None:
        self._guild = guild
        self._lines: list[str] = []

    async def post(self, removal: Removal, *, channel_id: int) -> bool:
        """Take one line, members and channel by their names; `False` for another guild than the one that is played."""
        if removal.guild_id != self._guild.guild.guild_id:
            return False
        channels = {channel.channel_id: channel.name for channel in await self._guild.channels()}
        called = {member.user_id: member.name for member in await self._guild.members()}
        line = rendered(removal_line(removal, Language.ENGLISH), called)
        self._lines.append(f"[#{channels.get(channel_id, 'log')}] {line}")
        return True

    def taken(self) -> list[str]:
        """Return the lines that came since this was last asked."""
        lines, self._lines = self._lines, []
        return lines
