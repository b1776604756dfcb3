"""The parts that stand behind the manager's door, each with a door of its own; built here, once for a process."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bot.clock import Clock
from bot.language.operation import Operations
from bot.memory.directory import Directory
from bot.memory.hashing import Hasher
from bot.memory.memories import Memories
from bot.settings import Settings
from bot.store.database import Database
from bot.work import Handler


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What every part may need."""

    database: Database
    directory: Directory
    operations: Operations
    clock: Clock
    settings: Settings
    hasher: Hasher
    notify: Callable[[], None]
    """Called after a commit that asked for background work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What `MemoryManager` offers beside its own methods."""

    memories: Memories

    def handlers(self) -> Mapping[str, Handler]:
        """Return who does the background work of the parts, by its kind."""
        return {}


def build_parts(given: Surroundings) -> Parts:
    """Build the parts over what is given."""
    return Parts(
        memories=Memories(given.database, given.directory, given.operations, given.clock, given.settings)
    )
