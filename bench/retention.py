"""How a large guild's retention is felt, and what room it gives back: `python -m bench.retention`, which takes minutes.

Prints tables in Markdown for docs/scaling.md.
"""

import asyncio
import os
import random
import sys
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from statistics import median, quantiles
from typing import Final
from unittest import mock

from bench import bloat
from bench.bloat import KEPT_DAYS as WEEK
from bench.bloat import Month
from bench.filled import FIRST_CHANNEL, LARGE_ID, SPAN, Sizes, fill
from bench.homes import own_home
from bench.recall_large import DATA, FILES, Spoken, spoken
from bench.scale import count_words
from bot.app import assembled
from bot.chat.keepsake import Keepsake
from bot.core.clock import SetClock
from bot.core.domain import OPEN, Message, snowflake_at
from bot.core.settings import Settings
from bot.db import jobs, migrations
from bot.db.embedded.server import EmbeddedServer
from bot.db.jobs import Job
from bot.db.pool import Connection, Database
from bot.memory.rights import retention
from bot.memory.rights.retention import Sweeper

LARGE: Final = 400_000
"""Messages of a large guild, in 120 days."""
KEPT_DAYS: Final = 12

_OTHER_ID: Final = 3
_OTHER: Final = {_OTHER_ID: 100_000}
"""The messages of the guild that sets no retention, and is asked too."""
_SMALL: Final = dict.fromkeys(range(100, 200), 1000)
_MANY: Final = dict.fromkeys((LARGE_ID, *range(10, 29)), 20000)
_BEGINS: Final = datetime(2025, 1, 1, tzinfo=UTC)
_SECONDS: Final = 40.0
"""How long hearing, recall and background work are measured before and afterwards."""
_WARM_UP_SECONDS: Final = 15.0
_TURN_SECONDS: Final = 5.0
"""How long messages go, and how long that rests, in turns."""
_HEAR_EVERY, _RECALL_EVERY, _WORK_EVERY = 0.2, 0.4, 0.5
_SHOWN_DAYS: Final = (7, 10, 20, 30, 60, 120)
_SEED: Final = 8
_PROBE: Final = "probe"

Phase = dict[str, list[float]]
"""Seconds that things took, by name."""


@dataclass(frozen=True, slots=True)
class Felt:
    """What a guild that sets a retention lets be felt of it."""

    phases: Mapping[str, Phase]
    """Before, in turns while messages go and while that rests, and afterwards."""
    seconds: float
    """Until all was gone that is too old."""
    removed: int
    transactions: Sequence[float]
    """Seconds that each transaction of the retention took."""
    wal_bytes: int


class Load:
    """Lets two guilds hear messages, ask for memories and have work done, at a steady pace, and takes the times."""

    def __init__(self, keepsake: Keepsake, database: Database, clock: SetClock, said: Spoken) -> None:
        self._keepsake = keepsake
        self._database = database
        self._clock = clock
        self._said = said
        self._chance = random.Random(_SEED)
        self._number = 0
        self._asked: dict[str, float] = {}
        self.phase: Phase = defaultdict(list)
        """Where times are noted: another is put in its place when another phase begins."""
        keepsake.work.take_up({_PROBE: self._done})

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Go on as long as what is inside lasts."""
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(self._repeat(f"{name}, {where}", every, act, guild_id))
                for guild_id, where in ((LARGE_ID, "same guild"), (_OTHER_ID, "another guild"))
                for name, every, act in (
                    ("one message heard", _HEAR_EVERY, self._hear),
                    ("recall", _RECALL_EVERY, self._recall),
                )
            ]
            tasks += [group.create_task(self._ask_for_work(guild_id)) for guild_id in (LARGE_ID, _OTHER_ID)]
            yield
            for task in tasks:
                task.cancel()

    async def _repeat(
        self, name: str, every: float, act: Callable[[int], Awaitable[object]], guild_id: int
    ) -> None:
        while True:
            phase, began = self.phase, time.perf_counter()
            await act(guild_id)
            taken = time.perf_counter() - began
            phase[name].append(taken)
            await asyncio.sleep(max(0.0, every - taken))

    async def _hear(self, guild_id: int) -> None:
        now = self._clock.now()
        self._number += 1
        message = Message(
            guild_id=guild_id, channel_id=FIRST_CHANNEL, message_id=snowflake_at(now) + self._number, user_id=1,
            text=self._chance.choice(self._said.texts), timestamp=now,
        )  # fmt: skip
        await self._keepsake.memory.ingest_message(message)

    async def _recall(self, guild_id: int) -> None:
        told = self._chance.choice(self._said.texts).split()
        words = self._chance.sample(told, min(len(told), self._chance.randint(2, 7)))
        await self._keepsake.memory.recall(
            guild_id=guild_id, query=f"{' '.join(words)}?", audiences=[OPEN], limit=10
        )

    async def _ask_for_work(self, guild_id: int) -> None:
        while True:
            self._number += 1
            key = str(self._number)
            self._asked[key] = time.perf_counter()
            await self._database.write(jobs.enqueue, guild_id=guild_id, kind=_PROBE, work_key=key)
            self._keepsake.work.wake()
            await asyncio.sleep(_WORK_EVERY)

    async def _done(self, task: Job) -> None:
        where = "same guild" if task.guild_id == LARGE_ID else "another guild"
        self.phase[f"other work begins, {where}"].append(time.perf_counter() - self._asked.pop(task.work_key))


class Turns:
    """Lets the sweeper work and rest for some seconds in turns, so that both are measured at the same load."""

    def __init__(self, load: Load, phases: dict[str, Phase], limited: Iterable[int]) -> None:
        self.transactions: Final[list[float]] = []
        """Seconds that each transaction of the retention took."""
        self.are_swept: Final = asyncio.Event()
        """Set when in all of these guilds nothing is left that is too old."""
        self._load = load
        self._goes = phases["while they go"] = defaultdict(list)
        self._rests = phases["while that rests"] = defaultdict(list)
        self._limited = set(limited)
        self._began = time.monotonic()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Take the times of what goes on inside."""
        remove, rest_after = Sweeper._batch, retention.rest_after

        async def timed(sweeper: Sweeper, connection: Connection, guild_id: int, now: datetime) -> bool:
            began = time.perf_counter()
            more = await remove(sweeper, connection, guild_id, now)
            self.transactions.append(time.perf_counter() - began)
            self._limited -= set() if more else {guild_id}
            if not self._limited:
                self.are_swept.set()
            return more

        def in_turns(seconds: float) -> float:
            return rest_after(seconds) + self._until_work()

        with (
            mock.patch.object(Sweeper, "_batch", timed),
            mock.patch.object(retention, "rest_after", in_turns),
        ):
            yield

    async def tell(self) -> None:
        """Tell the load which turn it is, for ever."""
        while True:
            seconds = self._until_work()
            self._load.phase = self._rests if seconds else self._goes
            await asyncio.sleep(seconds or _TURN_SECONDS - self._passed())

    def _passed(self) -> float:
        return (time.monotonic() - self._began) % (2 * _TURN_SECONDS)

    def _until_work(self) -> float:
        """Return the seconds until it is the turn of work; 0 if it is."""
        passed = self._passed()
        return 2 * _TURN_SECONDS - passed if passed >= _TURN_SECONDS else 0.0


async def felt(said: Spoken, limited: Mapping[int, int]) -> Felt:
    """Let these guilds, `LARGE_ID` among them, set a retention that removes most of their messages.

    The numbers are those of their messages. Meanwhile `LARGE_ID` goes on, and another guild that keeps all.
    """
    clock = SetClock(_BEGINS + SPAN)
    phases: dict[str, Phase] = {}
    async with _opened() as (database, dsn):
        await fill(dsn, said, _BEGINS, Sizes({**limited, **_OTHER, **_SMALL}))
        async with assembled(Settings(_env_file=None), clock, database) as keepsake:
            for guild_id in (LARGE_ID, _OTHER_ID):
                await count_words(database, clock, guild_id)
            load = Load(keepsake, database, clock, said)
            async with load.running():
                await asyncio.sleep(_WARM_UP_SECONDS)
                load.phase = phases["before"] = defaultdict(list)
                await asyncio.sleep(_SECONDS)
                count, log = await database.read(_state, limited)
                began, turns = time.perf_counter(), Turns(load, phases, limited)
                with turns.taken():
                    for guild_id in limited:
                        await _set_retention(keepsake, guild_id)
                    telling = asyncio.create_task(turns.tell())
                    await turns.are_swept.wait()
                    telling.cancel()
                seconds = time.perf_counter() - began
                left, log_then = await database.read(_state, limited)
                load.phase = phases["afterwards"] = defaultdict(list)
                await asyncio.sleep(_SECONDS)
        return Felt(phases, seconds, count - left, turns.transactions, log_then - log)


async def _set_retention(keepsake: Keepsake, guild_id: int) -> None:
    guild = await keepsake.directory.guild(guild_id)
    if guild is None:
        raise AssertionError("the guild is there")
    await keepsake.directory.change_guild(guild, replace(guild, retention_days=KEPT_DAYS))
    await keepsake.retention.on_a_new_day(guild_id)


async def _state(connection: Connection, guild_ids: Iterable[int]) -> tuple[int, int]:
    """Return the messages of these guilds, and how many bytes of log Postgres has written."""
    row = await connection.fetchrow(
        """
        SELECT (SELECT count(*) FROM chat_history WHERE guild_id = ANY($1::bigint[])),
               pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint
        """,
        list(guild_ids),
    )  # fmt: skip
    if row is None:
        raise AssertionError("a SELECT without FROM gave no row")
    return row[0], row[1]


@asynccontextmanager
async def _opened() -> AsyncIterator[tuple[Database, str]]:
    with own_home() as home:
        server = EmbeddedServer(home)
        await server.start()
        await migrations.migrate(server.dsn)
        database = await Database.open(server.dsn)
        yield database, server.dsn
        await database.close()
        await server.stop()


def _print_felt(one: Felt) -> None:
    before, goes, rests, after = one.phases.values()
    print("| | before | while that rests | while they go | times as long | afterwards |")
    print("|---|---|---|---|---|---|")
    for name in sorted(before):
        ratios = [_at(goes, name, percent) / _at(rests, name, percent) for percent in (50, 95)]
        print(
            f"| {name} | {_told(before, name)} | {_told(rests, name)} | {_told(goes, name)}"
            f" | {ratios[0]:.2f} ({ratios[1]:.2f}) | {_told(after, name)} |"
        )
    cuts = quantiles(one.transactions, n=100)
    print(
        f"\n{one.removed:,} messages went in {one.seconds:.0f} s, half of which it rested, by"
        f" {len(one.transactions):,} transactions of {1_000 * cuts[49]:.0f} ms at the median,"
        f" {1_000 * cuts[94]:.0f} at the 95th of a hundred and {1_000 * max(one.transactions):.0f} at most;"
        f" {one.wal_bytes / 2**20:,.0f} MB of log; load of the machine {os.getloadavg()[0]:.1f}\n"
    )


def _at(phase: Phase, name: str, percent: int) -> float:
    return quantiles(phase[name], n=100, method="inclusive")[percent - 1]


def _told(phase: Phase, name: str) -> str:
    return f"{1_000 * _at(phase, name, 50):.1f} ms ({1_000 * _at(phase, name, 95):.1f})"


def _print_month(month: Month) -> None:
    last, tables = month.days[-1], [name for name in month.anew.sizes if month.days[-1].sizes[name] >= 2**20]
    shown = sorted({len(month.days), *(day for day in _SHOWN_DAYS if day < len(month.days))})
    print(f"| | {' | '.join(f'day {day}' for day in shown)} | indexes anew | all anew | times as large |")
    print(f"|---|{'---|' * (len(shown) + 3)}")
    for name in (*sorted(tables, key=lambda name: -last.sizes[name]), ""):
        names = [name] if name else []
        rooms = [*(month.days[day - 1] for day in shown), month.reindexed, month.anew]
        sizes = " | ".join(f"{room.of(*names) / 2**20:.1f} MB" for room in rooms)
        ratio = last.of(*names) / month.anew.of(*names)
        print(f"| {f'`{name}`' if name else 'all tables and indexes'} | {sizes} | {ratio:.2f} |")
    sweep = median(month.sweeps[WEEK + 1 :])
    print(
        f"\n{last.messages:,} messages on the last day; the sweep of a day took {sweep:.1f} s at the median;"
        f" REINDEX TABLE CONCURRENTLY {month.seconds_reindexed:.1f} s,"
        f" VACUUM FULL {month.seconds_anew:.1f} s"
    )


async def measure(messages: int, days: int) -> None:
    """Print what is felt of the retention of one large guild and of many, and the room of a guild in so many days."""
    if not all((DATA / name).is_file() for name in FILES):
        print(f"retention: not measured, {DATA} does not have {', '.join(FILES)}")
        return
    said = spoken()
    for limited in ({LARGE_ID: messages}, _MANY):
        print(
            f"{len(limited)} of {len(limited) + 1 + len(_SMALL)} guilds, {sum(limited.values()):,} messages:\n"
        )
        _print_felt(await felt(said, limited))
    _print_month(await bloat.lived(said, days))


if __name__ == "__main__":
    given = [int(one) for one in sys.argv[1:]]
    asyncio.run(measure(given[0] if given else LARGE, given[1] if given[1:] else bloat.DAYS))
