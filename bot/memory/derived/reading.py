"""Reads generated texts within a deadline: from the cache, from the database, or built once for all readers, in this
process and across all.
"""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Final, Generic, NamedTuple, TypeVar
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from cachetools import LRUCache

from bot.core.errors import DatabaseError
from bot.core.log import error_kind, trace
from bot.core.metering import TextsServed
from bot.db.leases import release_build, take_build
from bot.db.pool import Connection, Database
from bot.db.service import BackgroundWork

logger = logging.getLogger(__name__)

T = TypeVar("T")
MadeT_co = TypeVar("MadeT_co", covariant=True)


class ReadInTime:
    """A read with a deadline: what is late or fails is missing from it, and nothing else is."""

    def __init__(self, seconds: float, *, of: str, level: int = logging.WARNING) -> None:
        """Begin now, for real `seconds`; `of` says in the log what goes without a part."""
        self._of = of
        self._level = level
        self._began = asyncio.get_running_loop().time()
        self._seconds = seconds

    @property
    def left(self) -> float:
        """The seconds until the deadline."""
        return max(0.0, self._began + self._seconds - asyncio.get_running_loop().time())

    async def part(self, name: str, read: Callable[[], Awaitable[T]], *, share: float = 1.0) -> T | None:
        """Return what `read` gives within `share` of all the time; `None` if it is late or fails, which is logged."""
        try:
            async with asyncio.timeout_at(self._began + share * self._seconds):
                return await read()
        except (TimeoutError, DatabaseError) as error:
            logger.log(self._level, "%s goes without %s: %s", self._of, name, error_kind(error))
            return None


@dataclass(frozen=True, slots=True, kw_only=True)
class GuildSituation:
    """Where a guild stands when texts about it are read."""

    guild_id: int
    time_zone: str
    memory_epoch: int
    model_chain: str
    """The models that sum up days, as the settings name them; empty if there are none."""
    now: datetime = field(compare=False)

    @property
    def today(self) -> date:
        """The day that is not over, in the guild's time zone."""
        return self.now.astimezone(ZoneInfo(self.time_zone)).date()


@dataclass(frozen=True, slots=True)
class TextKey(Generic[MadeT_co]):
    """A text that a read requests; two keys are equal if one text serves both.

    Keys of different epochs never are, since a later epoch may exclude a member.
    """

    kind: str
    situation: GuildSituation
    audience: int
    subject_id: int
    address: str
    """What tells it from others of its kind: its day, or the version of what it is made from."""
    of: MadeT_co = field(compare=False)
    """What it is made from, as it stood when the text was asked for."""


class GuildCache(LRUCache[TextKey[object], T]):
    """What is held of guilds in the process."""

    def hold(self, key: TextKey[object], text: T) -> None:
        """Hold a text, without what it was made from."""
        self[replace(key, of=None)] = text

    def drop(self, guild_id: int) -> None:
        """Discard what is cached about a guild."""
        for key in [key for key in self if key.situation.guild_id == guild_id]:
            del self[key]


class ReadTexts(ABC, Generic[MadeT_co, T]):
    """The texts of one kind, as they are read: from the cache, else as they are stored, else built once.

    The keys of one call are all of one guild, in one situation.
    """

    def __init__(self, database: Database, flights: "SingleFlight", *, most_held: int) -> None:
        self._database = database
        self._flights = flights
        self.held: Final[GuildCache[T]] = GuildCache(most_held)

    @abstractmethod
    async def look_up(
        self, connection: Connection, wanted: Sequence[TextKey[MadeT_co]]
    ) -> Mapping[TextKey[MadeT_co], T]:
        """Return those of these texts that are stored and may be served."""

    def is_due(self, key: TextKey[MadeT_co], text: T | None) -> bool:
        """Tell whether a text has to be built."""
        return text is None

    def may_be_held(self, text: T) -> bool:
        """Tell whether a text may be served again without a look at what is stored."""
        return True

    def builds_of(self, due: Sequence[TextKey[MadeT_co]]) -> Sequence[Sequence[TextKey[MadeT_co]]]:
        """Return which texts are built together."""
        return [due]

    def build_key(self, keys: Sequence[TextKey[MadeT_co]]) -> str:
        """Return what no other process builds meanwhile."""
        raise NotImplementedError

    async def build(self, keys: Sequence[TextKey[MadeT_co]]) -> None:
        """Build and store these texts."""
        raise NotImplementedError

    async def are_built(self, keys: Sequence[TextKey[MadeT_co]]) -> bool:
        """Tell whether these texts are stored by now."""
        stored = await self._database.read(self.look_up, keys)
        return not any(self.is_due(key, stored.get(key)) for key in keys)

    async def known(self, wanted: Sequence[TextKey[MadeT_co]]) -> dict[TextKey[MadeT_co], T]:
        """Return what may be served of these texts at once, in one read at most; nothing is built."""
        held = {key: text for key in wanted if (text := self.held.get(key)) is not None}
        # One that is due is looked up: somebody may have built it.
        found = {key: text for key, text in held.items() if not self.is_due(key, text)}
        known = {**found, **await self._stored([key for key in wanted if key not in found])}
        if served := [key for key, text in known.items() if not self.is_due(key, text)]:
            self._database.meter.note(TextsServed(kind=served[0].kind, count=len(served)))
        return known

    async def complete(
        self, wanted: Sequence[TextKey[MadeT_co]], known: Mapping[TextKey[MadeT_co], T]
    ) -> Mapping[TextKey[MadeT_co], T]:
        """Return these texts after building the due ones in parallel; `known` itself if none is due.

        A text that may be served while it is rebuilt is not waited for: a long day takes many minutes, and everybody
        who reads something of its guild would wait.
        """
        due = [key for key in wanted if self.is_due(key, known.get(key))]
        builds = [
            keys
            for keys in (self.builds_of(due) if due else ())
            if not (all(key in known for key in keys) and self._flights.is_building(self, keys))
        ]
        if not builds:
            return known
        await asyncio.gather(*(self._flights.built(self, keys) for keys in builds))
        return {**known, **await self._stored([key for keys in builds for key in keys])}

    async def _stored(self, wanted: Sequence[TextKey[MadeT_co]]) -> Mapping[TextKey[MadeT_co], T]:
        found = await self._database.read(self.look_up, wanted) if wanted else {}
        for key, text in found.items():
            if self.may_be_held(text):
                self.held.hold(key, text)
        return found


BUILD_LEASE: Final = timedelta(seconds=60)
"""Real time after which the build of a process that died may be taken over."""

_RENEW_SECONDS: Final = 20.0
"""A build that goes on renews its lease so often: a long day takes many minutes."""

_FIRST_LOOK_SECONDS: Final = 0.05
_LONGEST_LOOK_SECONDS: Final = 1.0


class _LeaseKey(NamedTuple):
    """What the builder of a text leases."""

    guild_id: int
    build_key: str


def _lease_of(texts: ReadTexts[MadeT_co, T], keys: Sequence[TextKey[MadeT_co]]) -> _LeaseKey:
    return _LeaseKey(keys[0].situation.guild_id, texts.build_key(keys))


class _Queue:
    """Who wants a text in this process while it is built here: of them those in the newest epoch of the memory."""

    def __init__(self) -> None:
        self.flights = 0
        """Those who wait, and the one that builds."""
        self._epoch = 0
        self._is_building = False
        self._changed = asyncio.Event()

    async def turn(self, epoch: int) -> bool:
        """Return `True` when the caller may build; `False` as soon as the text is requested in a later epoch.

        No text is served in a later epoch than the one it was built in.
        """
        self._epoch = max(self._epoch, epoch)
        self._tell()
        while self._is_building and epoch == self._epoch:
            await self._changed.wait()
        if epoch < self._epoch:
            return False
        self._is_building = True
        return True

    def end(self) -> None:
        """Let the next one build."""
        self._is_building = False
        self._tell()

    def _tell(self) -> None:
        # Whoever waits looks for themselves, and waits anew for the next change.
        self._changed.set()
        self._changed.clear()


class SingleFlight:
    """The builds that are under way, one of a text at a time; `stop` ends them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._work = BackgroundWork()
        self._tasks: dict[TextKey[object], asyncio.Task[None]] = {}
        self._queues: dict[_LeaseKey, _Queue] = {}
        """No two flights of one process ask the database for the same lease."""

    def is_building(self, texts: ReadTexts[MadeT_co, T], wanted: Sequence[TextKey[MadeT_co]]) -> bool:
        """Tell whether these texts are built in this process, or wait for their turn; in whatever epoch."""
        return _lease_of(texts, wanted) in self._queues

    async def built(self, texts: ReadTexts[MadeT_co, T], wanted: Sequence[TextKey[MadeT_co]]) -> None:
        """Return when all `wanted` texts are built, by any process, or are requested in a later epoch.

        Cancelling a waiting caller does not stop the builds. A build that fails is logged, and no longer waited for.
        """
        new = [key for key in wanted if key not in self._tasks]
        if new:
            lease = _lease_of(texts, new)
            task = self._work.begin(
                self._fly(texts, new, lease), name=f"the build {lease.build_key} of guild {lease.guild_id}"
            )
            self._tasks |= dict.fromkeys(new, task)
            task.add_done_callback(lambda _: [self._tasks.pop(key, None) for key in new])
        tasks = {self._tasks[key] for key in wanted}
        # Whatever fails is logged behind.
        await asyncio.gather(*(asyncio.shield(task) for task in tasks), return_exceptions=True)

    async def stop(self) -> None:
        """Cancel running builds; the next reader builds the texts."""
        await self._work.stop()

    async def settled(self) -> None:
        """Return when nothing is under way."""
        await self._work.settled()

    async def _fly(
        self, texts: ReadTexts[MadeT_co, T], keys: Sequence[TextKey[MadeT_co]], lease: _LeaseKey
    ) -> None:
        queue = self._queues.setdefault(lease, _Queue())
        queue.flights += 1
        try:
            if await queue.turn(keys[0].situation.memory_epoch):
                try:
                    await self._build(texts, keys, lease)
                finally:
                    queue.end()
        finally:
            queue.flights -= 1
            if not queue.flights:
                del self._queues[lease]

    async def _build(
        self, texts: ReadTexts[MadeT_co, T], keys: Sequence[TextKey[MadeT_co]], lease: _LeaseKey
    ) -> None:
        """Build these texts as soon as no other process does, unless it has built them."""
        guild_id, build_key = lease
        holder = uuid4()
        look = _FIRST_LOOK_SECONDS
        while not await self._database.write_one(take_build, guild_id, build_key, holder, BUILD_LEASE):
            await asyncio.sleep(look)
            look = min(_LONGEST_LOOK_SECONDS, look * 1.5)
            if await texts.are_built(keys):
                return
        renewing = asyncio.create_task(self._renew(guild_id, build_key, holder), name=f"lease of {build_key}")
        try:
            if not await texts.are_built(keys):
                with self._database.meter.span(f"build {keys[0].kind}", {"keepsake.texts": len(keys)}):
                    await texts.build(keys)
        finally:
            renewing.cancel()
            await asyncio.shield(self._database.write_one(release_build, guild_id, build_key, holder))

    async def _renew(self, guild_id: int, build_key: str, holder: UUID) -> None:
        """Keep the lease until cancelled; it is not worth more than a try each time."""
        while True:
            await asyncio.sleep(_RENEW_SECONDS)
            try:
                await self._database.write_one(take_build, guild_id, build_key, holder, BUILD_LEASE)
            except Exception as error:
                logger.warning(
                    "the lease of the build %s of guild %d is not renewed: %s",
                    build_key, guild_id, trace(error),
                )  # fmt: skip
