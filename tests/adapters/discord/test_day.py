"""A day with `keepsake run` as people start it: everything is kept, every answer is right, and none comes twice."""

import itertools
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum, auto
from functools import partial

import pytest

from bot.db.pool import Database
from tests.adapters.discord.bots import bot_process, eventually
from tests.adapters.discord.day import DAY
from tests.adapters.discord.minds import chatting
from tests.adapters.discord.playing import Meddle, Player, nothing, open_house
from tests.adapters.discord.records import Record, Register, differences
from tests.servers.discord.faults import Faults
from tests.servers.discord.server import DiscordServer

pytestmark = pytest.mark.processes

_QUIET_SECONDS = 0.5

ANSWERED = [number for number, act in enumerate(DAY, start=1) if getattr(act, "answer", None)]
"""The acts that somebody waits for an answer to: what is said while the bot is away is read back until then."""


class Cut(Enum):
    """What can happen to a connection."""

    DROPPED = auto()
    ASKED_AWAY = auto()
    INVALID = auto()
    FORGOTTEN = auto()
    """As the one before, and the session is gone: nothing of what was missed is told again."""


CUTS: Mapping[Cut, Callable[[Faults], None]] = {
    Cut.DROPPED: Faults.drop_socket,
    Cut.ASKED_AWAY: Faults.ask_reconnect,
    Cut.INVALID: partial(Faults.invalidate, resumable=True),
    Cut.FORGOTTEN: partial(Faults.invalidate, resumable=False),
}


@dataclass(frozen=True)
class Played:
    """What is left of a day."""

    wrong: list[str]
    """The answers that were not as they should be."""
    expected: list[Record]
    kept: list[Record]
    facts: list[tuple[str, ...]]
    answers: list[tuple[str, str, str]]


async def played(server: DiscordServer, dsn: str, database: Database, meddle: Meddle = nothing) -> Played:
    guild = open_house(server)
    player = Player(server, guild, meddle=meddle)
    async with chatting() as gemini:
        settings = {
            "GEMINI_API_KEY": "x",
            "GEMINI_BASE_URL": gemini.url,
            "TIME_ZONE": zone_where_it_is_noon(),
        }
        async with bot_process(server, dsn, **settings) as process:
            await process.told("server Harbour")
            await player.play(DAY)
            await server.connected()
            await server.quiet(_QUIET_SECONDS)
            register = Register(server, player)
            wanted = register.expected()
            await eventually(lambda: are_kept(register, database, wanted))
            assert await process.stop() == 128 + 15
            assert process.errors == []
    return Played(
        player.wrong,
        wanted,
        await register.kept(database),
        await register.facts(database),
        register.answers(),
    )


def zone_where_it_is_noon() -> str:
    """Return a time zone in which the day does not end while it is played."""
    return f"Etc/GMT{datetime.now(UTC).hour - 12:+d}"


async def are_kept(register: Register, database: Database, wanted: list[Record]) -> bool:
    return len(await register.kept(database)) >= len(wanted)


class Weather:
    """Cuts the connection, at most once during each act: `coming` says how, by the number of the act."""

    def __init__(self, server: DiscordServer, coming: Mapping[int, Cut]) -> None:
        self._server = server
        self._coming = coming
        self.cuts = 0

    async def strike(self, number: int) -> None:
        """Cut the connection if it is time."""
        cut = self._coming.get(number)
        if cut is not None:
            await self._server.connected()
            self.cuts += 1
            CUTS[cut](self._server.faults)


def bad_weather() -> dict[int, Cut]:
    """Return 20 cuts, mostly such that the session goes on."""
    forgetful = ANSWERED[5::10][:3]
    others = [number for number in range(1, len(DAY) + 1) if number not in forgetful]
    usual = itertools.cycle([Cut.DROPPED, Cut.DROPPED, Cut.ASKED_AWAY, Cut.INVALID, Cut.DROPPED])
    resumed = others[:: len(others) // 17][:17]
    return {**dict(zip(resumed, usual, strict=False)), **dict.fromkeys(forgetful, Cut.FORGOTTEN)}


def wild_weather(seed: int) -> dict[int, Cut]:
    """Return a cut for every second act or so."""
    chance = random.Random(seed)
    resumable = [Cut.DROPPED, Cut.ASKED_AWAY, Cut.INVALID]
    coming = {number: chance.choice(resumable) for number in range(1, len(DAY) + 1) if chance.random() < 0.5}
    return coming | dict.fromkeys(chance.sample(ANSWERED, 6), Cut.FORGOTTEN)


async def weathered(
    calm: Played, server: DiscordServer, dsn: str, database: Database, coming: Mapping[int, Cut]
) -> None:
    """Play the day under `coming`, and hold that it is the same as the `calm` one."""
    weather = Weather(server, coming)
    stormy = await played(server, dsn, database, weather.strike)
    assert server.unexpected == []
    forgotten = sum(cut is Cut.FORGOTTEN for cut in coming.values())
    assert (weather.cuts, len(server.gateway.identified)) == (len(coming), 1 + forgotten)
    assert not stormy.wrong, "\n".join(stormy.wrong)
    assert differences(stormy.expected, stormy.kept) == []
    assert differences(calm.kept, stormy.kept) == []
    assert differences(calm.facts, stormy.facts) == []
    assert calm.answers == stormy.answers


async def calm_day(server: DiscordServer, dsn: str, database: Database) -> Played:
    """Play the day without any cut, and hold that everything is kept and every answer right."""
    calm = await played(server, dsn, database)
    assert not calm.wrong, "\n".join(calm.wrong)
    assert differences(calm.expected, calm.kept) == []
    return calm


async def test_a_day_is_kept_and_answered_and_with_20_cuts_it_is_the_same_day(
    discord_server: DiscordServer, dsn: str, database: Database
) -> None:
    calm = await calm_day(discord_server, dsn, database)
    async with DiscordServer() as another:
        coming = bad_weather()
        assert len(coming) == 20
        await weathered(calm, another, dsn, database, coming)


@pytest.mark.soak
async def test_days_with_cuts_at_any_time_are_the_same_day(
    discord_server: DiscordServer, dsn: str, database: Database
) -> None:
    calm = await calm_day(discord_server, dsn, database)
    for seed in range(6):
        async with DiscordServer() as another:
            await weathered(calm, another, dsn, database, wild_weather(seed))
