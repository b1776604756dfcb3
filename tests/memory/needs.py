"""What the parts of the memory are given in tests."""

from collections.abc import Callable

from bot.core.clock import Clock
from bot.core.settings import Settings
from bot.db.clock_watch import ClockWatch
from bot.db.pool import Database
from bot.db.service import Services
from bot.llm.operation import Models, Operations
from bot.memory.derived.engine import MemoryDependencies
from bot.memory.members.directory import Directory
from bot.memory.policy import repository as policy_repository
from bot.memory.policy.tombstones import Hasher


async def needs_over(
    database: Database,
    clock: Clock,
    models: Models | None = None,
    *,
    settings: Settings | None = None,
    notify: Callable[[], None] = lambda: None,
) -> MemoryDependencies:
    """Return what the memory over `database` needs, with the settings that nobody has changed."""
    settings = settings or Settings(_env_file=None)
    return MemoryDependencies(
        database=database,
        directory=Directory(
            database, notify=notify, purge_episodes=settings.purge_episodes_of_deleted_channels
        ),
        operations=Operations(models),
        clock=clock,
        clock_watch=ClockWatch(database, awaits_discord=False),
        settings=settings,
        hasher=Hasher(await database.read(policy_repository.hash_secret)),
        notify=notify,
        services=Services(),
    )
