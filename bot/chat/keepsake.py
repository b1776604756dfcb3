"""The running bot: its parts, from which each adapter takes what it needs."""

from dataclasses import dataclass
from datetime import datetime

from bot.chat.conversation import Conversation
from bot.chat.usecases.usecases import UseCases
from bot.core.clock import Clock
from bot.core.metering import Meter
from bot.core.settings import Settings
from bot.db.clock_watch import ClockWatch
from bot.db.jobs import JobWorkers
from bot.db.service import Services
from bot.llm.models import ConfiguredModels
from bot.memory.manager import MemoryManager
from bot.memory.members.directory import Directory
from bot.memory.recall.library import Library
from bot.memory.rights.retention import Retention


@dataclass(frozen=True, slots=True, kw_only=True)
class Keepsake:
    """The running bot, as adapters see it; `bot.app` makes it."""

    settings: Settings
    clock: Clock
    memory: MemoryManager
    directory: Directory
    library: Library
    conversation: Conversation
    use_cases: UseCases
    work: JobWorkers
    retention: Retention
    services: Services
    clock_watch: ClockWatch
    meter: Meter
    """Who counts what happens, for figures."""
    models: ConfiguredModels | None
    """The models of the settings; `None` if there are none, or others answer in their place."""

    def now(self) -> datetime:
        """Return what the clock shows, but nothing that Discord's time is far behind of: see `ClockWatch.now_by`."""
        return self.clock_watch.now_by(self.clock)
