"""The parts of the bot that know no Discord, as every module of this adapter takes them."""

from dataclasses import dataclass
from datetime import datetime

from bot.chat.conversation import Conversation
from bot.chat.usecases.usecases import UseCases
from bot.core.clock import Clock
from bot.core.settings import Settings
from bot.db.clock_watch import ClockWatch
from bot.db.service import Services
from bot.memory.manager import MemoryManager
from bot.memory.members.directory import Directory
from bot.memory.recall.library import Library


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscordDependencies:
    """The parts of the bot that know no Discord, for every module of the face to take what it needs."""

    memory: MemoryManager
    directory: Directory
    library: Library
    conversation: Conversation
    use_cases: UseCases
    settings: Settings
    clock: Clock
    services: Services
    clock_watch: ClockWatch

    def now(self) -> datetime:
        """Return what the clock shows, but nothing that Discord's time is far behind of: see `ClockWatch.now_by`."""
        return self.clock_watch.now_by(self.clock)
