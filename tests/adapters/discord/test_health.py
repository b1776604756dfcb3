"""What stands still while the process goes on is named within the time that it takes to be sure of it."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Set
from importlib import import_module
from typing import Final

import pytest

from bot.adapters.discord.library import SILENT_SECONDS
from bot.adapters.monitoring.health import CACHED_SECONDS, SENDING, UNSENT_SECONDS, Health
from bot.db.pool import Connection, Database
from bot.db.signs import LOOK_UP_SECONDS, STANDSTILL_SECONDS
from tests.adapters.discord.bots import eventually, running_bot
from tests.adapters.discord.test_delivery import SEND
from tests.adapters.discord.test_services import CALLED_BY, PAUSES
from tests.adapters.discord.test_watchdog import is_given_up
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.waiting import until

WITHIN_SECONDS: Final = 90.0
"""The promise: so long after it stands still at the latest the process is not ready."""

HANG_IN_THEIR_WAIT: Final = frozenset({"ends of conversations", "report of services"})
"""These hang where they wait to be woken, all others in what they call then."""

TAKE_TURNS: Final = frozenset({"background work 1", "background work 2"})
"""One of them looks for work, and is named if it hangs then; the other waits for its turn meanwhile."""


def test_what_stands_still_is_noticed_within_the_time_that_is_promised() -> None:
    hangs = STANDSTILL_SECONDS + LOOK_UP_SECONDS
    assert max(hangs, SILENT_SECONDS, UNSENT_SECONDS) + CACHED_SECONDS < WITHIN_SECONDS


async def test_no_loop_of_an_idle_bot_stands_still_and_every_one_that_hangs_does(
    discord_server: DiscordServer, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    guild = discord_server.add_guild("Home")
    for pause in PAUSES:
        monkeypatch.setattr(pause, 0.05)
    monkeypatch.setattr("bot.db.signs.STANDSTILL_SECONDS", 0.5)
    hanging: set[str] = set()
    waiting: set[str] = set()
    over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    monkeypatch.setattr(asyncio.Event, "wait", held_up(asyncio.Event.wait, waiting, over))
    for path in set(CALLED_BY.values()):
        module, name, method = path.rsplit(".", 2)
        owner = getattr(import_module(module), name)
        if asyncio.iscoroutinefunction(inner := getattr(owner, method)):
            monkeypatch.setattr(owner, method, held_up(inner, hanging, over))
    async with running_bot(discord_server, database) as bot:
        services = bot.keepsake.services
        await bot.ready()
        await until(lambda: services.standing_still() == [], what=f"all wait: {services.standing_still()}")
        hanging |= CALLED_BY.keys() - HANG_IN_THEIR_WAIT
        waiting |= HANG_IN_THEIR_WAIT
        # Whatever moves the loops that wait for something to happen.
        bot.client.owner._troubles.report("notice.disk_full", share=1, folder="/")
        bot.client.rooms.renew(guild.guild_id, whole=True)
        bot.client.catch_up.gap()
        bot.client.catch_up._channels.add(1)
        bot.client.catch_up._channels.add(2)
        await guild.say("alice", "general", "I like walnuts")
        try:
            async with asyncio.timeout(60):
                while missing := without_turns(CALLED_BY.keys() - set(services.standing_still())):
                    await asyncio.sleep(0.05)
        except TimeoutError:
            pytest.fail(f"not named: {missing}")
        finally:
            # The writer has to write what it has before the bot ends.
            hanging.clear()
            waiting.clear()
            over.set_result(None)


def without_turns(missing: Set[str]) -> Set[str]:
    """Return what is missing but for whoever waits for a turn: not all of them may."""
    return missing if missing >= TAKE_TURNS else missing - TAKE_TURNS


def held_up(
    method: Callable[..., Awaitable[object]], hanging: set[str], over: asyncio.Future[None]
) -> Callable[..., Awaitable[object]]:
    """Return `method` so that it hangs in loops that are `hanging`, until that is `over`."""

    async def held(*args: object, **kwargs: object) -> object:
        task = asyncio.current_task()
        while task is not None and task.get_name() in hanging and not over.done():
            # Whatever hangs takes no notice of being given up.
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait([over])
        return await method(*args, **kwargs)

    return held


async def test_a_gateway_that_falls_silent_is_named_until_it_speaks_again(
    discord_server: DiscordServer, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    discord_server.add_guild("Home")
    discord_server.gateway.heartbeat_seconds = 0.1
    monkeypatch.setattr("bot.adapters.discord.library.SILENT_SECONDS", 1.0)
    async with running_bot(discord_server, database) as bot:
        services = bot.keepsake.services
        await until(lambda: "gateway" not in services.standing_still(), what="it is heard")
        discord_server.faults.ignore_heartbeats()
        await until(lambda: "gateway" in services.standing_still(), what="it is silent")
        discord_server.faults.heal()
        await until(lambda: "gateway" not in services.standing_still(), what="it is heard again")


async def test_a_process_that_has_not_connected_yet_is_not_ready(
    discord_server: DiscordServer, database: Database
) -> None:
    discord_server.add_guild("Home")
    discord_server.faults.refuse_connections()
    async with running_bot(discord_server, database, is_ready=False) as bot:
        assert "gateway" in await Health(bot.keepsake).failing()
        discord_server.faults.heal()
        await until(lambda: "gateway" not in bot.keepsake.services.standing_still(), what="it connected")


async def test_answers_that_cannot_be_sent_are_named_until_they_are(
    discord_server: DiscordServer, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.adapters.discord.delivery._PAUSES_SECONDS", ())
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        await bot.ready()
        discord_server.faults.drop(*SEND, times=None)
        asked = await guild.say("alice", "general", "Bot, remember that I like tea")
        await eventually(lambda: is_given_up(bot, database, asked))
        assert SENDING not in await Health(bot.keepsake).failing()
        await database.write(grow_old)
        assert SENDING in await Health(bot.keepsake).failing()
        discord_server.faults.heal()
        await bot.client.watchdog.look()
        assert SENDING not in await Health(bot.keepsake).failing()


async def grow_old(connection: Connection) -> None:
    """Let what was answered have been answered an hour ago."""
    await connection.execute(
        "UPDATE answers SET answered_at = answered_at - interval '1 hour',"
        " leased_until = leased_until - interval '1 hour'"
    )
