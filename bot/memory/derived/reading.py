"""One build of a text at a time, in this process and across all: whoever else wants it waits for that one."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, TypeVar
from uuid import UUID, uuid4

from bot.core.log import trace
from bot.db.pool import Connection, Database
from bot.db.service import BackgroundWork

logger = logging.getLogger(__name__)

KeyT = TypeVar("KeyT", bound=Hashable)


async def take_build(
    connection: Connection, *, guild_id: int, build_key: str, holder: UUID, lease: timedelta
) -> bool:
    """Claim a build for `holder`; `False` while another holder's lease runs."""
    taken = await connection.fetchval(
        """
        INSERT INTO builds AS known (guild_id, build_key, holder, leased_until)
        VALUES ($1, $2, $3, clock_timestamp() + $4)
        ON CONFLICT (guild_id, build_key) DO UPDATE
            SET holder = excluded.holder, leased_until = excluded.leased_until
        WHERE known.holder = excluded.holder OR known.leased_until < clock_timestamp()
        RETURNING true
        """,
        guild_id, build_key, holder, lease,
    )  # fmt: skip
    return bool(taken)


async def release_build(connection: Connection, *, guild_id: int, build_key: str, holder: UUID) -> None:
    """Give a build back, if it is still `holder`'s."""
    await connection.execute(
        "DELETE FROM builds WHERE guild_id = $1 AND build_key = $2 AND holder = $3",
        guild_id, build_key, holder,
    )  # fmt: skip


BUILD_LEASE: Final = timedelta(seconds=60)
"""Real time after which the build of a process that died may be taken over."""

_RENEW_SECONDS: Final = 20.0
"""A build that goes on renews its lease so often: a long day takes many minutes."""

_FIRST_LOOK_SECONDS: Final = 0.05
_LONGEST_LOOK_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class Build:
    """How texts are built that nobody is building yet."""

    key: str
    """What no other process builds meanwhile."""
    is_done: Callable[[], Awaitable[bool]]
    """Looks whether they are there by now."""
    build: Callable[[], Awaitable[None]]


class SingleFlight:
    """The builds that are under way; `stop` ends them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._work = BackgroundWork()
        self._tasks: dict[tuple[int, Hashable], asyncio.Task[None]] = {}

    async def built(
        self, guild_id: int, wanted: Sequence[KeyT], begin: Callable[[Sequence[KeyT]], Build]
    ) -> None:
        """Return when all that is `wanted` is built, by whomever; `begin` says how what nobody builds here yet is.

        The builds go on if whoever waits is cancelled. One that fails is logged: nobody waits for it any longer.
        """
        new = [key for key in wanted if (guild_id, key) not in self._tasks]
        if new:
            build = begin(new)
            task = self._work.begin(
                self._fly(guild_id, build), name=f"the build {build.key} of guild {guild_id}"
            )
            self._tasks |= dict.fromkeys([(guild_id, key) for key in new], task)
            task.add_done_callback(lambda _: [self._tasks.pop((guild_id, key), None) for key in new])
        tasks = {self._tasks[guild_id, key] for key in wanted}
        # Whatever fails is logged behind.
        await asyncio.gather(*(asyncio.shield(task) for task in tasks), return_exceptions=True)

    async def stop(self) -> None:
        """End what is under way; whoever comes next builds it."""
        await self._work.stop()

    async def settled(self) -> None:
        """Return when nothing is under way."""
        await self._work.settled()

    async def _fly(self, guild_id: int, build: Build) -> None:
        holder = uuid4()
        look = _FIRST_LOOK_SECONDS
        while not await self._database.write(_take_lease, guild_id, build.key, holder):
            await asyncio.sleep(look)
            look = min(_LONGEST_LOOK_SECONDS, look * 1.5)
            if await build.is_done():
                return
        renewing = asyncio.create_task(self._renew(guild_id, build.key, holder), name=f"lease of {build.key}")
        try:
            if not await build.is_done():
                await build.build()
        finally:
            renewing.cancel()
            await asyncio.shield(
                self._database.write(release_build, guild_id=guild_id, build_key=build.key, holder=holder)
            )

    async def _renew(self, guild_id: int, key: str, holder: UUID) -> None:
        """Keep the lease until cancelled; it is not worth more than a try each time."""
        while True:
            await asyncio.sleep(_RENEW_SECONDS)
            try:
                await self._database.write(_take_lease, guild_id, key, holder)
            except Exception as error:
                logger.warning(
                    "the lease of the build %s of guild %d is not renewed: %s", key, guild_id, trace(error)
                )


async def _take_lease(connection: Connection, guild_id: int, key: str, holder: UUID) -> bool:
    return await take_build(connection, guild_id=guild_id, build_key=key, holder=holder, lease=BUILD_LEASE)
