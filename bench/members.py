"""What commands cost in a guild of 100 members and in one of 100,000, and whether that is nearly the same."""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from pydantic import SecretStr

from bench.homes import own_home
from bench.stage import unhurried
from bot.app import Keepsake, assembled
from bot.chat.incoming import IncomingMessage
from bot.core.clock import SetClock
from bot.core.domain import Guild, Member, Message, snowflake_at
from bot.core.settings import Settings
from bot.db import migrations
from bot.db.embedded.server import EmbeddedServer
from bot.db.pool import Database
from tests.scripted_models import ScriptedModels

SIZES: Final = {100: 1_000, 100_000: 2_000}
"""Members of a guild, and its id."""

ROUNDS: Final = 15
MOST_TIMES: Final = 2.0
"""So many times what it costs among few members may anything cost among many."""

_BOT_ID: Final = 77
_DIRECT: Final = 500
"""So much more is the id of the direct messages of the one who talks than that of their guild."""

_FIRST: Final = (
    "Anna Maria Olga Peter Ivan Lena Max Sam Kate Nina Paul Egor Vera Mark Dina Oleg Yana Igor".split()
)
_LAST: Final = "Smith Ivanova Garcia Novak Petrov Rossi Meyer Kowalski Dubois Lind".split()

COMMANDS: Final = {
    "a message heard": "lunch with Peter Novak was nice today",
    "remember, about a name": "Bot, remember that zorro{n} likes tea number {n}",
    "remember, about one of many": "Bot, remember that Anna likes coffee",
    "what do you know about a name": "Bot, what do you know about zorro{n}?",
    "forget": "Bot, forget that zorro{n} likes tea number {n}",
    "undo": "Bot, undo that",
    "search": "Bot, when did we talk about lunch?",
    "keep private": "Bot, keep what you know about me private",
    "a chat reply": "Bot, ramen or udon with zorro{n}?",
}
BEFORE: Final = {"undo": "Bot, remember that zorro{n} likes coffee number {n}"}
"""What is said before, whose time does not count."""


@dataclass(frozen=True, slots=True)
class Guilds:
    """Guilds of several sizes in which somebody talks."""

    keepsake: Keepsake
    clock: SetClock

    async def take_up(self, size: int) -> None:
        """Take up a guild of so many members, and the direct messages of the one who talks there."""
        guild_id = SIZES[size]
        await self.keepsake.directory.add_guild(Guild(guild_id=guild_id, name=f"{size} members"))
        members = [member_of(guild_id, number, size) for number in range(size)]
        for start in range(0, size, 1_000):
            await self.keepsake.directory.put_members(members[start : start + 1_000])
        direct_id = guild_id + _DIRECT
        await self.keepsake.directory.add_guild(Guild(guild_id=direct_id, name="", direct=True))
        await self.keepsake.directory.put_members(
            [Member(guild_id=direct_id, user_id=first_id(guild_id), user_name="anna0")]
        )

    async def rest(self) -> None:
        """Wait for what is done behind, so that it takes nothing from what is measured next."""
        await self.keepsake.memory.settled()
        await self.keepsake.work.idle()

    async def hear(self, guild_id: int, text: str, *, direct: bool = False) -> str:
        """Let one member say something, and return the answer."""
        self.clock.advance(timedelta(seconds=40))
        said = Message(
            guild_id=guild_id,
            channel_id=guild_id + 1,
            message_id=snowflake_at(self.clock.now()),
            user_id=first_id(guild_id if not direct else guild_id - _DIRECT),
            text=text,
            timestamp=self.clock.now(),
        )
        hearing = IncomingMessage(message=said, bot_id=_BOT_ID, bot_names=("Bot",), direct=direct)
        outcome = await self.keepsake.conversation.hear(hearing)
        if outcome.text is not None:
            await self.keepsake.conversation.given_up(guild_id=guild_id, message_id=said.message_id)
        return outcome.text or ""


def first_id(guild_id: int) -> int:
    """Return who talks in a guild; the ids of its other members come next."""
    return guild_id * 1_000_000


def member_of(guild_id: int, number: int, size: int) -> Member:
    """Return one of many: the first, and the last twenty with names that only they bear."""
    if number >= size - ROUNDS - 2:
        return Member(
            guild_id=guild_id, user_id=first_id(guild_id) + number, user_name=f"zorro{size - number}"
        )
    first, last = _FIRST[number % len(_FIRST)], _LAST[number // len(_FIRST) % len(_LAST)]
    return Member(
        guild_id=guild_id,
        user_id=first_id(guild_id) + number,
        user_name=f"{first.lower()}{number}",
        display_name=f"{first} {last}" if number % 3 else first,
    )


async def _milliseconds(work: Awaitable[object]) -> float:
    started = time.perf_counter()
    await work
    return (time.perf_counter() - started) * 1_000


async def measured(guilds: Guilds) -> dict[str, dict[int, float]]:
    """Return for each command the milliseconds that it takes in a guild of each size, at the median."""
    found = {}
    for name, text in COMMANDS.items():
        spent: dict[int, list[float]] = {size: [] for size in SIZES}
        for number in range(ROUNDS + 1):
            # The sizes take turns, so that a busy moment hits both; the first time warms up what is held.
            for size, guild_id in SIZES.items():
                if name in BEFORE:
                    await guilds.hear(guild_id, BEFORE[name].format(n=number + 1))
                await guilds.rest()
                took = await _milliseconds(guilds.hear(guild_id, text.format(n=number + 1)))
                spent[size] += [took] if number else []
        found[name] = {size: statistics.median(times) for size, times in spent.items()}
    spent = {size: [] for size in SIZES}
    for number in range(ROUNDS + 1):
        for size, guild_id in SIZES.items():
            await guilds.rest()
            asked = guilds.hear(guild_id + _DIRECT, "what do you know about me?", direct=True)
            took = await _milliseconds(asked)
            spent[size] += [took] if number else []
    return found | {"in private": {size: statistics.median(times) for size, times in spent.items()}}


def told(found: dict[str, dict[int, float]]) -> Sequence[str]:
    """Return a line for each command, with how many times the time among few it takes among many."""
    few, many = SIZES
    return [
        f"{'milliseconds, of members':<32}{few:>9,}{many:>9,}{'times':>8}",
        *(
            f"{name:<32}{times[few]:>9.1f}{times[many]:>9.1f}{times[many] / times[few]:>8.2f}"
            for name, times in found.items()
        ),
    ]


async def measure() -> None:
    """Print the times and their ratios; raise if a command takes too many times as long among many."""
    with own_home() as home, unhurried(ScriptedModels(reply={"text": "Ramen."})):
        server = EmbeddedServer(home)
        await server.start()
        await migrations.migrate(server.dsn)
        database = await Database.open(server.dsn)
        clock = SetClock(datetime(2026, 3, 1, 12, tzinfo=UTC))
        settings = Settings(_env_file=None, gemini_api_key=SecretStr("x"))
        async with assembled(settings, clock, database) as keepsake:
            guilds = Guilds(keepsake, clock)
            for size in SIZES:
                await guilds.take_up(size)
            await database.read(lambda connection: connection.execute("VACUUM ANALYZE"))
            found = await measured(guilds)
        await database.close()
        await server.stop()
    print("\n".join(told(found)))
    print()
    few, many = SIZES
    slow = [name for name, times in found.items() if times[many] > MOST_TIMES * times[few]]
    if slow:
        raise SystemExit(f"more than {MOST_TIMES} times as slow among {many:,} members: {', '.join(slow)}")


if __name__ == "__main__":
    asyncio.run(measure())
