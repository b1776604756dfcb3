"""What the process of the bot takes (`python -m bench.footprint [GUILDS [MEMBERS]]`): how soon after its start it
answers, with the libraries of no model and of each provider, and what it holds in how many guilds.
"""

import asyncio
import os
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from bench.homes import own_home
from bench.processes import processor_seconds, resident_megabytes
from bot.db import migrations
from bot.db.embedded.server import EmbeddedServer
from tests.adapters.discord.bots import bot_process
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.server import DiscordServer

ROUNDS: Final = 5
GUILDS: Final = 1_000
MEMBERS: Final = 500
CHANNELS: Final = 10
TALKERS: Final = 5
"""Members of each guild who say something each."""

SETTLED_SECONDS: Final = 2.0
"""Real seconds until memory is read."""

_AWAY: Final = "http://127.0.0.1:9"
"""Where no model answers: the question is one that code answers."""

WAYS: Final[Mapping[str, Mapping[str, str]]] = {
    "no model": {},
    "an OpenAI-compatible model": {"OPENAI_BASE_URL": _AWAY, "MODEL_CHAT": "openai:any"},
    "Gemini": {"GEMINI_API_KEY": "any", "GEMINI_BASE_URL": _AWAY},
}
_QUESTION: Final = "Keepsake, what do you know about me?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """A process from its start to its first answer."""

    seconds: float
    """Real ones."""
    worked: float
    """Seconds of a processor."""
    megabytes: float
    """Resident after the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowd:
    """A process in many guilds."""

    guilds: int
    answered: float
    """Real seconds from its start to the first answer, in the guild that is told last."""
    taken_up: float
    """Real seconds until all guilds were taken up."""
    worked: float
    """Seconds of a processor until then."""
    megabytes: float
    """Resident then."""
    megabytes_talked: float
    """Resident after `TALKERS` members of each guild have said something."""


async def started(server: DiscordServer, guild: FakeGuild, dsn: str, environment: Mapping[str, str]) -> Start:
    """Start a process and ask it something as soon as it is connected."""
    began = time.monotonic()
    async with bot_process(server, dsn, **environment) as bot:
        await server.connected()
        await server.answer_to(await guild.say("alice", "general", _QUESTION))
        seconds, worked = time.monotonic() - began, processor_seconds(bot)
        await asyncio.sleep(SETTLED_SECONDS)
        start = Start(seconds=seconds, worked=worked, megabytes=resident_megabytes(bot))
        await bot.stop()
    return start


async def crowded(dsn: str, *, guilds: int, members: int) -> Crowd:
    """Start a process in so many new guilds, and have some of their members talk."""
    channels = ("general", *(f"room-{number}" for number in range(1, CHANNELS)))
    async with DiscordServer() as server:
        every = [
            server.add_guild(
                f"Home {number}",
                members=tuple(f"member-{number}-{one}" for one in range(members)),
                channels=channels,
            )
            for number in range(guilds)
        ]
        began = time.monotonic()
        async with bot_process(server, dsn) as bot:
            await server.connected()
            asker = f"member-{guilds - 1}-0"
            await server.answer_to(await every[-1].say(asker, "general", _QUESTION))
            answered = time.monotonic() - began
            await bot.told("server ")
            taken_up, worked = time.monotonic() - began, processor_seconds(bot)
            await asyncio.sleep(SETTLED_SECONDS)
            megabytes = resident_megabytes(bot)
            for talker in range(1, 1 + TALKERS):
                for number, guild in enumerate(every):
                    text = f"number {talker} says that the harbour cafe has ramen again"
                    await guild.say(f"member-{number}-{talker}", "general", text)
                await asyncio.sleep(SETTLED_SECONDS)
            # Who is answered after all of them was heard after them.
            await server.answer_to(await every[-1].say(asker, "general", _QUESTION))
            talked = resident_megabytes(bot)
            await bot.stop()
    return Crowd(
        guilds=guilds,
        answered=answered,
        taken_up=taken_up,
        worked=worked,
        megabytes=megabytes,
        megabytes_talked=talked,
    )


async def measure(guilds: int = GUILDS, members: int = MEMBERS) -> None:
    """Print the least of all starts, then what so many guilds take, as tables of Markdown."""
    with own_home() as home:
        own = EmbeddedServer(home)
        await own.start()
        try:
            await migrations.migrate(own.dsn)
            print(*_lines_of_starts(await _starts(own.dsn)), sep="\n")
            crowds = [await crowded(own.dsn, guilds=one, members=members) for one in (guilds // 10, guilds)]
            print("", *_lines_of(crowds, members=members), sep="\n")
        finally:
            await own.stop()


async def _starts(dsn: str) -> dict[str, list[Start]]:
    found: dict[str, list[Start]] = {way: [] for way in WAYS}
    async with DiscordServer() as server:
        guild = server.add_guild("Home")
        for turn in range(1 + int(os.environ.get("BENCH_ROUNDS", ROUNDS))):
            for way, environment in WAYS.items():
                start = await started(server, guild, dsn, environment)
                # The first of each reads its code from the disk.
                found[way] += [start] if turn else []
    return found


def _lines_of_starts(found: Mapping[str, list[Start]]) -> Iterable[str]:
    yield "| | start to answer | of a processor | resident |"
    yield "|---|---|---|---|"
    for way, starts in found.items():
        seconds, worked = min(one.seconds for one in starts), min(one.worked for one in starts)
        yield f"| {way} | {seconds:.1f} s | {worked:.1f} s | {min(one.megabytes for one in starts):.0f} MB |"


def _lines_of(crowds: list[Crowd], *, members: int) -> Iterable[str]:
    yield f"| guilds of {members} | first answer | all taken up | of a processor | resident | after talk |"
    yield "|---|---|---|---|---|---|"
    for one in crowds:
        yield (
            f"| {one.guilds:,} | {one.answered:.1f} s | {one.taken_up:.1f} s | {one.worked:.1f} s"
            f" | {one.megabytes:.0f} MB | {one.megabytes_talked:.0f} MB |"
        )
    few, many = crowds[0], crowds[-1]
    between = many.guilds - few.guilds
    each = (many.megabytes - few.megabytes) / between * 1_000
    talked = (many.megabytes_talked - few.megabytes_talked) / between * 1_000
    yield ""
    yield (
        f"A guild takes {each:.0f} KB, and {(talked - each) / TALKERS:.1f} KB more for each member who has talked."
    )


if __name__ == "__main__":
    asyncio.run(measure(*map(int, sys.argv[1:3])))
