"""What a message from Discord costs the event loop, from the library's parser until it is kept."""

import asyncio
import contextlib
import functools
import itertools
import statistics
import time
import types
from asyncio import events
from collections.abc import Callable, Coroutine, Generator, Iterator, Mapping
from dataclasses import dataclass, field

from bench.homes import own_home
from bot.adapters.discord.running import connected_bot
from bot.app import assembled
from bot.core.clock import SystemClock
from bot.db import migrations
from bot.db.embedded.server import EmbeddedServer
from bot.db.pool import Database, P, Statement, T
from tests.adapters.discord.bots import settings_for
from tests.servers.discord.fixtures import PlainBot, running
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.snowflakes import Snowflakes
from tests.servers.discord.waiting import until

MESSAGES = 1_000

_WRITER = "writer of messages"
"""The task whose work is all the store's."""

Payload = dict[str, object]
Parse = Callable[[Mapping[str, object]], None]


class _TimedDatabase(Database):
    """The real one; it counts the seconds that it keeps the event loop busy while somebody waits for it."""

    seconds = 0.0

    async def read(self, query: Statement[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `query`, and count what that took of the event loop."""
        return await self._timed(super().read(query, *args, **kwargs))

    async def write(self, change: Statement[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `change`, and count what that took of the event loop."""
        return await self._timed(super().write(change, *args, **kwargs))

    @types.coroutine
    def _timed(self, work: Coroutine[object, object, T]) -> Generator[object, object, T]:
        step: Callable[[], object] = functools.partial(work.send, None)
        while True:
            began = time.thread_time()
            try:
                waited_for = step()
            except StopIteration as finished:
                result: T = finished.value
                return result
            finally:
                self.seconds += time.thread_time() - began
            try:
                yield waited_for
            except BaseException as error:
                step = functools.partial(work.throw, error)
            else:
                step = functools.partial(work.send, None)


@dataclass
class _Loop:
    """The seconds for which the event loop was busy, by whose work it was.

    They are those of its thread: what else the machine does meanwhile is not counted.
    """

    database: _TimedDatabase
    handler: float = 0.0
    store: float = 0.0
    watcher: asyncio.Task[object] | None = field(default_factory=asyncio.current_task)

    def take(self, handle: events.Handle, seconds: float) -> None:
        """Count what one callback took."""
        asked, self.database.seconds = self.database.seconds, 0.0
        owner = getattr(getattr(handle, "_callback", None), "__self__", None)
        if owner is self.watcher:
            return
        # What is no task's comes from a socket, and meanwhile only the database's has something to say.
        is_of_store = owner.get_name() == _WRITER if isinstance(owner, asyncio.Task) else owner is not None
        self.store += seconds if is_of_store else asked
        self.handler += 0.0 if is_of_store else seconds - asked


@contextlib.contextmanager
def _watched(database: _TimedDatabase) -> Iterator[_Loop]:
    """Count what every callback of the event loop takes."""
    watched = _Loop(database)
    plain = events.Handle._run

    def run(handle: events.Handle) -> None:
        began = time.thread_time()
        plain(handle)
        watched.take(handle, time.thread_time() - began)

    events.Handle._run = run  # type: ignore[method-assign, assignment]
    try:
        yield watched
    finally:
        events.Handle._run = plain  # type: ignore[method-assign]


async def _payloads(guild: FakeGuild, server: DiscordServer) -> list[Payload]:
    """Return `MESSAGES` events as the gateway tells them, none for the bot, and all of members that are known."""
    taken: list[Payload] = []
    server.world.listeners.append(
        lambda event: taken.append(dict(event.data)) if event.name == "MESSAGE_CREATE" else None
    )
    texts = (
        "so who brings the {number} plates tomorrow?",
        "кто завтра принесёт {number} тарелок?",
        "https://example.org/{number} is worth a read, and the harbour cafe has ramen again",
        "ok {number}",
    )
    names = itertools.cycle(["alice", "bob", "carol"])
    for number, text in zip(range(MESSAGES), itertools.cycle(texts), strict=False):
        await guild.say(next(names), "general", text.format(number=number))
    server.world.listeners.pop()
    return taken


def _renumbered(payloads: list[Payload], snowflakes: Snowflakes) -> list[Payload]:
    return [{**payload, "id": str(snowflakes.next())} for payload in payloads]


async def _bare(server: DiscordServer, payloads: list[Payload]) -> list[float]:
    """Return the seconds that the library takes to read each event."""
    async with running(server, PlainBot(max_messages=1_000)) as bot:
        parse: Parse = bot._connection.parsers["MESSAGE_CREATE"]
        seconds = []
        for payload in payloads:
            began = time.thread_time()
            parse(payload)
            seconds.append(time.thread_time() - began)
            await asyncio.sleep(0)
    return seconds


async def _heard(parse: Parse, payload: Payload) -> None:
    """Let the client read an event, and return when all that follows from it is done."""
    before = asyncio.all_tasks()
    asyncio.get_running_loop().call_soon(parse, payload)
    await asyncio.sleep(0)
    await asyncio.gather(*(asyncio.all_tasks() - before))


async def measure() -> None:
    """Print the medians and their ratio."""
    with own_home() as home:
        postgres = EmbeddedServer(home)
        await postgres.start()
        await migrations.migrate(postgres.dsn)
        database = await _TimedDatabase.open(postgres.dsn)
        async with DiscordServer() as server:
            guild = server.add_guild("Bench", members=("alice", "bob", "carol"))
            payloads = await _payloads(guild, server)
            bare = await _bare(server, payloads)
            await _report(server, database, payloads, statistics.median(bare))
        await database.close()
        await postgres.stop()
    print()


async def _report(
    server: DiscordServer, database: _TimedDatabase, payloads: list[Payload], bare: float
) -> None:
    async with (
        assembled(settings_for(server), SystemClock(), database) as keepsake,
        connected_bot(keepsake, tell=lambda _line: None, ready_seconds=0.1) as serving,
    ):
        client = serving.client
        await until(lambda: client.is_reported, 30, what="the bot is ready")
        await client.catch_up.settled()
        parse: Parse = client._connection.parsers["MESSAGE_CREATE"]
        alone = []
        for payload in _renumbered(payloads, server.world.snowflakes):
            with _watched(database) as watched:
                await _heard(parse, payload)
            alone.append(watched.handler)
        with _watched(database) as together:
            loop = asyncio.get_running_loop()
            before = asyncio.all_tasks()
            for payload in _renumbered(payloads, server.world.snowflakes):
                loop.call_soon(parse, payload)
            await asyncio.sleep(0)
            await asyncio.gather(*(asyncio.all_tasks() - before))
    median, worst = statistics.median(alone), statistics.quantiles(alone, n=100)[98]
    print(
        f"a message from Discord keeps the event loop busy for {median * 1e3:.2f} ms at the median, "
        f"{worst * 1e3:.2f} ms at the 99th of a hundred, the store's work aside: {median / bare:.1f} times as long "
        f"as discord.py takes to read it ({bare * 1e3:.2f} ms)"
    )
    each, stored = together.handler / len(payloads), together.store / len(payloads)
    print(
        f"{len(payloads)} of them at once: {each * 1e3:.2f} ms each on average, and {stored * 1e3:.2f} ms for the store"
    )
