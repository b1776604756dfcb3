"""The door to what conversations left behind."""

from collections.abc import Callable, Mapping, Sequence

from bot.clock import Clock
from bot.domain import Message
from bot.language.operation import Operations
from bot.memory.directory import Directory
from bot.memory.episodes import compacting
from bot.memory.episodes.compacting import Compactor
from bot.memory.episodes.ends import Ends
from bot.memory.episodes.kept import KeptEpisodes
from bot.memory.episodes.making import Maker
from bot.memory.hashing import Hasher
from bot.service import Services
from bot.settings import Settings
from bot.store import ended
from bot.store.database import Database
from bot.work import Handler


class Episodes(KeptEpisodes):
    """Reads and removes episodes, and sees to it that conversations leave them: `start`, and `stop` in the end.

    `notify` is called after a commit that asked for background work.
    """

    def __init__(
        self,
        database: Database,
        directory: Directory,
        operations: Operations,
        clock: Clock,
        settings: Settings,
        hasher: Hasher,
        *,
        notify: Callable[[], None],
        services: Services,
    ) -> None:
        super().__init__(database)
        self._ends = Ends(database, clock, settings, notify=notify, services=services)
        self._maker = Maker(database, directory, operations, clock, settings, hasher, notify=notify)
        self._compactor = Compactor(database, operations, clock, settings, hasher)

    def handlers(self) -> Mapping[str, Handler]:
        """Return who does the background work, by its kind."""
        return {ended.KIND: self._maker.make, compacting.KIND: self._compactor.compact}

    async def start(self) -> None:
        """Begin to notice ends, those first that came while no process was there."""
        await self._ends.start()

    async def stop(self) -> None:
        """End; what is left is noticed and told by whoever comes next."""
        await self._ends.stop()

    def heard(self, messages: Sequence[Message]) -> None:
        """Take note of messages that were stored; waits for nothing."""
        self._ends.heard(messages)

    async def settled(self, guild_id: int | None = None) -> None:
        """Return when every end of a conversation that the clock shows by now has been noted, its episode asked for.

        `guild_id` names a guild in which the clock holds although nothing was heard there yet.
        """
        await self._ends.settled(guild_id)
