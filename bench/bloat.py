"""What room is taken where as many messages go as come: a month at ten times the pace of a busy guild."""

import random
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

import asyncpg

from bench.homes import own_home
from bench.recall_large import Spoken
from bot.app import assembled
from bot.chat.incoming import IncomingMessage
from bot.chat.keepsake import Keepsake
from bot.core.clock import SetClock
from bot.core.domain import Channel, Guild, Member, Message, snowflake_at
from bot.core.settings import Settings
from bot.db import migrations
from bot.db.embedded.server import EmbeddedServer
from bot.db.pool import Connection, Database

DAYS: Final = 30
BUSY_DAY: Final = 3_000
"""Messages of a busy guild's day."""
PACE: Final = 10
KEPT_DAYS: Final = 7

_BEGINS: Final = datetime(2026, 1, 1, tzinfo=UTC)
_GUILD_ID, _BOT_ID, _FIRST_CHANNEL = 1_000, 77, 2_000
_CHANNELS: Final = 10
_MEMBERS: Final = 100
_TOGETHER: Final = 20
"""Messages that are heard at once, and become durable in one transaction."""
_FACTS_A_DAY: Final = 60
_OWN_WORD_EVERY: Final = 10
_SEED: Final = 9
_TIMEOUT_SECONDS: Final = 3_600.0

_AUTOVACUUM: Final = {"autovacuum_naptime": "1s", "autovacuum_vacuum_cost_delay": "0"}
"""A simulated day takes half a minute: autovacuum looks as often as can be set, which is still once in 45 minutes of it
instead of once in one, and does not rest, since a real one had the whole day."""


@dataclass(frozen=True, slots=True)
class Room:
    """What there is at the end of a simulated day."""

    messages: int
    sizes: Mapping[str, int]
    """Bytes of tables and indexes."""

    def of(self, *names: str) -> int:
        """Return the bytes of these, or of all."""
        return sum(self.sizes[name] for name in names or self.sizes)


@dataclass(frozen=True, slots=True)
class Month:
    """What room was taken day by day, and what the same rows take when they are written anew."""

    days: list[Room]
    sweeps: list[float]
    """Seconds that the retention of each day took."""
    anew: Room
    seconds_anew: float
    """That VACUUM FULL of the messages took, while nobody could read or write them."""
    reindexed: Room
    seconds_reindexed: float
    """That their indexes took to be made anew beside the old ones."""


async def lived(said: Spoken, days: int) -> Month:
    """Let a guild talk for so many days, of which a week is kept."""
    chance = random.Random(_SEED)
    clock = SetClock(_BEGINS)
    rooms, sweeps = [], []
    async with _opened() as (database, dsn):
        chosen = Settings(_env_file=None, retention_days=KEPT_DAYS, fact_retention_days=KEPT_DAYS)
        async with assembled(chosen, clock, database) as keepsake:
            await _set_up(keepsake, said)
            for _ in range(days):
                await _talk(keepsake, clock, said, chance)
                began = time.perf_counter()
                await keepsake.retention.on_a_new_day(_GUILD_ID)
                await keepsake.work.idle()
                sweeps.append(time.perf_counter() - began)
                rooms.append(await database.read(_room))
                _note(len(rooms), rooms[-1])
        connection = await asyncpg.connect(dsn, command_timeout=_TIMEOUT_SECONDS)
        try:
            seconds_reindexed = await _timed(connection, "REINDEX TABLE CONCURRENTLY chat_history")
            reindexed = await database.read(_room)
            seconds_anew = await _timed(connection, "VACUUM FULL chat_history")
            await connection.execute("VACUUM FULL")
        finally:
            await connection.close()
        return Month(rooms, sweeps, await database.read(_room), seconds_anew, reindexed, seconds_reindexed)


async def _timed(connection: "asyncpg.Connection[asyncpg.Record]", statement: str) -> float:
    began = time.perf_counter()
    await connection.execute(statement)
    return time.perf_counter() - began


async def _set_up(keepsake: Keepsake, said: Spoken) -> None:
    await keepsake.directory.add_guild(Guild(guild_id=_GUILD_ID, name="Busy"))
    for number in range(_CHANNELS):
        await keepsake.directory.put_channel(
            Channel(guild_id=_GUILD_ID, channel_id=_FIRST_CHANNEL + number, name=f"room-{number}")
        )
    await keepsake.directory.put_members(
        [
            Member(guild_id=_GUILD_ID, user_id=number, user_name=said.names[number])
            for number in range(1, _MEMBERS + 1)
        ]
    )


async def _talk(keepsake: Keepsake, clock: SetClock, said: Spoken, chance: random.Random) -> None:
    """Let a day pass; now and then the bot is told to remember something."""
    count = BUSY_DAY * PACE
    between = timedelta(days=1) / count
    for first in range(0, count, _TOGETHER):
        spoken = []
        for number in range(first, first + _TOGETHER):
            clock.advance(between)
            spoken.append(_message(clock, _text(said, number, chance), chance))
        await keepsake.memory.ingest_messages(spoken)
        if first % (count // _FACTS_A_DAY) == 0:
            text = f"Bot, remember that I like {chance.getrandbits(40):x}"
            await keepsake.conversation.hear(
                IncomingMessage(message=_message(clock, text, chance), bot_id=_BOT_ID, bot_names=("Bot",))
            )
    await keepsake.memory.told()


def _text(said: Spoken, number: int, chance: random.Random) -> str:
    """Make a message of two halves of real ones; one of ten has a word that nobody else says."""
    one, other = chance.choice(said.texts).split(), chance.choice(said.texts).split()
    rare = [f"{chance.getrandbits(40):x}"] if number % _OWN_WORD_EVERY == 0 else []
    return " ".join([*one[: len(one) // 2 + 1], *other[len(other) // 2 :], *rare])


def _message(clock: SetClock, text: str, chance: random.Random) -> Message:
    now = clock.now()
    return Message(
        guild_id=_GUILD_ID, channel_id=_FIRST_CHANNEL + chance.randrange(_CHANNELS),
        message_id=snowflake_at(now) + chance.randrange(1 << 22), user_id=int(_MEMBERS * chance.random() ** 2) + 1,
        text=text, timestamp=now,
    )  # fmt: skip


async def _room(connection: Connection) -> Room:
    rows = await connection.fetch(
        """
        SELECT relname AS name, pg_table_size(oid) AS bytes FROM pg_class
        WHERE relkind IN ('r', 'i') AND relnamespace = 'public'::regnamespace
        """
    )
    messages: int = await connection.fetchval("SELECT count(*) FROM chat_history")
    return Room(messages, {row["name"]: row["bytes"] for row in rows})


@asynccontextmanager
async def _opened() -> AsyncIterator[tuple[Database, str]]:
    with own_home() as home:
        server = EmbeddedServer(home, options=_AUTOVACUUM)
        await server.start()
        await migrations.migrate(server.dsn)
        database = await Database.open(server.dsn)
        yield database, server.dsn
        await database.close()
        await server.stop()


def _note(day: int, room: Room) -> None:
    print(f"day {day}: {room.messages:,} messages, {room.of() / 2**20:,.1f} MB", flush=True)
