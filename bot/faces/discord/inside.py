"""What lies behind the face: the doors to what is kept, and whoever answers."""

from dataclasses import dataclass
from datetime import datetime

from bot.clock import Clock
from bot.conversation.conversation import Conversation
from bot.conversation.desk.desk import Desk
from bot.memory.clock_watch import ClockWatch
from bot.memory.directory import Directory
from bot.memory.library import Library
from bot.memory.manager import MemoryManager
from bot.service import Services
from bot.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Inside:
    """The parts of the bot that know no Discord, for every module of the face to take what it needs."""

    memory: MemoryManager
    directory: Directory
    library: Library
    conversation: Conversation
    desk: Desk
    settings: Settings
    clock: Clock
    services: Services
    clock_watch: ClockWatch

    def now(self) -> datetime:
        """Return what the clock shows, but nothing that Discord's time is far behind of: see `ClockWatch.now_by`."""
        return self.clock_watch.now_by(self.clock)
