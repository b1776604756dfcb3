"""How fast messages are found again in a guild of a million: `python -m bench.recall_large`, which takes minutes."""

import asyncio
import json
import os
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from statistics import quantiles
from typing import Final

from bench.recall import count_words, opened
from bot.core.domain import OPEN, Guild, Member, snowflake_at
from bot.db.pool import Connection
from tests.memory.diary import Diary

DATA: Final = Path(__file__).parents[2] / "shared" / "data"
FILES: Final = ("irc-ubuntu.json", "irc-ubuntu-2006.json")
GUILD_ID: Final = 900
MESSAGES: Final = 1_000_000
QUESTIONS: Final = 200

_CHANNELS: Final = 20
_MEMBERS: Final = 500
_EVERY: Final = timedelta(seconds=20)
_BATCH: Final = 50_000
_SEED: Final = 7


@dataclass(frozen=True, slots=True)
class Spoken:
    """What was really said in help channels, in messages of more than two words, and by whom."""

    texts: Sequence[str]
    names: Sequence[str]


def spoken() -> Spoken:
    """Read what was said."""
    said = [
        message
        for name in FILES
        for message in json.loads((DATA / name).read_text(encoding="utf-8"))["messages"]
    ]
    return Spoken(
        [message["content"] for message in said if len(message["content"].split()) > 2],
        sorted({message["author"]["name"] for message in said}),
    )


async def measure(messages: int = MESSAGES) -> None:
    """Print how long a search takes in one guild of so many messages; words are as common there as in real talk."""
    if not all((DATA / name).is_file() for name in FILES):
        print(f"recall in a large guild: not measured, {DATA} does not have {', '.join(FILES)}")
        return
    said = spoken()
    async with opened() as (diary, clock):
        began = time.perf_counter()
        clock.set(await fill(diary, said, clock.now(), messages))
        print(f"{messages:,} messages written in {time.perf_counter() - began:.0f} s")
        began = time.perf_counter()
        await count_words(diary, GUILD_ID)
        print(f"their words counted in {time.perf_counter() - began:.1f} s")
        await _ask(diary, said.texts)


async def fill(diary: Diary, said: Spoken, begins: datetime, messages: int) -> datetime:
    """Write so many messages, each made of two halves of real ones, and return when the last was said."""
    chance = random.Random(_SEED)
    await diary.directory.add_guild(Guild(guild_id=GUILD_ID, name="Large"))
    await diary.directory.put_members(
        [
            Member(guild_id=GUILD_ID, user_id=number, user_name=name)
            for number, name in enumerate(said.names[:_MEMBERS], 1)
        ]
    )
    for first in range(0, messages, _BATCH):
        count = min(_BATCH, messages - first)
        rows = list(_rows(said.texts, begins, first, count, chance))

        async def write(connection: Connection, rows: Sequence[tuple[object, ...]] = rows) -> None:
            await _copy(connection, rows)

        await diary.database.write(write)

    async def analyze(connection: Connection) -> None:
        await connection.execute("VACUUM (ANALYZE) chat_history", timeout=600)

    await diary.database.read(analyze)
    return begins + _EVERY * messages


def _rows(
    texts: Sequence[str], begins: datetime, first: int, count: int, chance: random.Random
) -> Iterator[tuple[object, ...]]:
    for number in range(first, first + count):
        one, other = chance.choice(texts).split(), chance.choice(texts).split()
        text = " ".join([*one[: len(one) // 2 + 1], *other[len(other) // 2 :]])
        moment = begins + _EVERY * number
        # Some talk, most listen; words of one message only are as frequent as they are in talk.
        author = int(_MEMBERS * chance.random() ** 2) + 1
        rare = f" {chance.getrandbits(40):x}" if number % 10 == 0 else ""
        yield (snowflake_at(moment), chance.randrange(_CHANNELS) + 1_000, author, text + rare, moment)


async def _copy(connection: Connection, rows: Sequence[tuple[object, ...]]) -> None:
    await connection.execute(
        """
        CREATE TEMPORARY TABLE IF NOT EXISTS said (
            message_id bigint, channel_id bigint, user_id bigint, message_text text, timestamp timestamptz
        ) ON COMMIT DROP
        """
    )
    await connection.copy_records_to_table("said", records=rows)
    await connection.execute(
        """
        INSERT INTO chat_history (
            guild_id, channel_id, message_id, user_id, audience, kind, message_text, timestamp, lexemes
        )
        SELECT $1, channel_id, message_id, user_id, 0, 'member', message_text, timestamp,
               lexemes_of('russian', message_text, '{}')
        FROM said
        """,
        GUILD_ID,
        timeout=120,
    )


async def _ask(diary: Diary, texts: Sequence[str]) -> None:
    chance = random.Random(_SEED + 1)
    seconds, hits = [], 0
    for number in range(QUESTIONS):
        told = chance.choice(texts).split()
        words = chance.sample(told, min(len(told), chance.randint(2, 7)))
        text = f"{'how do I ' if number % 2 else ''}{' '.join(words)}?"
        began = time.perf_counter()
        found = await diary.memory.recall(guild_id=GUILD_ID, query=text, audiences=[OPEN], limit=10)
        seconds.append(time.perf_counter() - began)
        hits += len(found)
    cuts = quantiles(seconds, n=100)
    print(
        f"recall there: {1_000 * cuts[49]:.1f} ms at the median, {1_000 * cuts[94]:.1f} ms at the 95th of a hundred,"
        f" {1_000 * max(seconds):.1f} ms at worst, {hits / QUESTIONS:.1f} hits each;"
        f" load of the machine {os.getloadavg()[0]:.1f}"
    )


if __name__ == "__main__":
    asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else MESSAGES))
