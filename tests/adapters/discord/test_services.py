"""Every loop of the running bot survives an error, says so, and does its work afterwards."""

import asyncio
import logging
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Final

import pytest

from bot import doctor
from bot.core.errors import ShardsTakenError
from bot.db.pool import Database
from tests.adapters.discord.bots import RunningBot, eventually, running_bot
from tests.adapters.discord.talking import told_to_owner
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.waiting import until

if TYPE_CHECKING:
    from bot.db.service import ServiceFailure


CALLED_BY: Final = {
    "background work 1": "bot.db.jobs.JobWorkers._claim",
    "background work 2": "bot.db.jobs.JobWorkers._claim",
    "background work: erase": "bot.db.jobs.JobWorkers._claim",
    "background work: forget": "bot.db.jobs.JobWorkers._claim",
    "background work: retention": "bot.db.jobs.JobWorkers._claim",
    "base roles": "bot.adapters.discord.guilds.GuildRegistry._look_at_base_roles",
    "ends of conversations": "bot.memory.summaries.episodes.ConversationEnds._seconds",
    "guilds and channels": "bot.adapters.discord.guilds.GuildRegistry._tried",
    "lease of shards": "bot.adapters.discord.running.ShardLeaseHolder._renew",
    "looking for gaps": "bot.adapters.discord.schedule.Schedule.take",
    "members who left": "bot.adapters.discord.schedule.Schedule.take",
    "messages set aside": "bot.memory.messages.quarantine.Quarantine._look",
    "notes that wait": "bot.adapters.discord.notices.WaitingNotesNotifier._look",
    "notices to members": "bot.adapters.discord.welcome.WelcomeNotices._welcome_waiting",
    "notices to the owner": "bot.adapters.discord.notices.Troubles.next",
    "reader of facts": "bot.memory.facts.extractor.Extractor._read_some",
    "reading back 1": "bot.adapters.discord.schedule.Schedule.take",
    "reading back 2": "bot.adapters.discord.schedule.Schedule.take",
    "report of services": "bot.db.service.Services.failing",
    "retention": "bot.memory.rights.retention.Retention._ask_for_all",
    "room on the disk": "bot.adapters.discord.notices.OwnerNotices._look_at_disk",
    "watchdog of answers": "bot.adapters.discord.message_handler.Watchdog.look",
    "watermarks": "bot.adapters.discord.backfill.gaps.GapBackfill._flush",
    "writer of messages": "bot.memory.messages.writer.MessageQueue.fill",
}
"""What each loop calls again and again."""

PAUSES: Final = (
    "bot.adapters.discord.message_handler._PAUSE_SECONDS",
    "bot.db.jobs._POLL_SECONDS",
    "bot.memory.facts.extractor._POLL_SECONDS",
    "bot.memory.messages.quarantine._LOOK_SECONDS",
    "bot.memory.rights.retention._LOOK_SECONDS",
    "bot.memory.summaries.episodes.LOOK_SECONDS",
    "bot.adapters.discord.backfill.gaps._APART_SECONDS",
    "bot.adapters.discord.departures._APART_SECONDS",
    "bot.adapters.discord.guilds._BASE_ROLES_SECONDS",
    "bot.adapters.discord.notices._DISK_SECONDS",
    "bot.adapters.discord.running.RENEWAL_SECONDS",
    "bot.adapters.discord.notices._PAUSE_SECONDS",
    "bot.adapters.discord.welcome.AGAIN_SECONDS",
    "bot.db.service._APART_SECONDS",
)


class Faults:
    """Lets what a loop calls raise an error, once for each loop that is named."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._armed: set[str] = set()
        self.calls: dict[str, int] = {}
        """Calls of each loop after its fault."""
        for path in set(CALLED_BY.values()):
            module, name, method = path.rsplit(".", 2)
            owner = getattr(import_module(module), name)
            monkeypatch.setattr(owner, method, self._guarded(getattr(owner, method)))

    def arm(self, *names: str) -> None:
        self._armed.update(names)

    def _guarded(self, method: Callable[..., object]) -> Callable[..., object]:
        def guarded(*args: object, **kwargs: object) -> object:
            task = asyncio.current_task()
            name = task.get_name() if task is not None else ""
            if name in self._armed:
                self._armed.discard(name)
                self.calls[name] = 0
                raise RuntimeError("a fault of the test")
            if name in self.calls:
                self.calls[name] += 1
            return method(*args, **kwargs)

        return guarded


async def test_every_loop_survives_an_error_and_does_its_work_afterwards(
    discord_server: DiscordServer, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    guild = discord_server.add_guild("Home")
    for pause in PAUSES:
        monkeypatch.setattr(pause, 0.05)
    faults = Faults(monkeypatch)
    async with running_bot(discord_server, database) as bot:
        services = bot.keepsake.services
        assert services.names == CALLED_BY.keys()
        told: list[ServiceFailure] = []
        services.listen(told.append)
        faults.arm(*CALLED_BY)
        services.changed.set()
        # Whatever moves the loops that wait for something to happen.
        bot.client.rooms.renew(guild.guild_id, whole=True)
        bot.client.catch_up.gap()
        bot.client.departures.look_at(guild.guild_id)
        first = await guild.say("alice", "general", "Bot, remember that I like walnuts")
        await until(lambda: {one.name for one in told} == CALLED_BY.keys(), 60, what=f"all fail: {told}")
        await discord_server.answer_to(first)
        bot.client.rooms.renew(guild.guild_id, whole=True)
        bot.client.catch_up.gap()
        bot.client.departures.look_at(guild.guild_id)
        services.changed.set()
        await until(
            lambda: all(faults.calls[name] for name in CALLED_BY), 60, what=f"all go on: {faults.calls}"
        )
        await _lives(bot, discord_server)
        await until(
            lambda: all(
                any(f": {name} (" in line for line in told_to_owner(discord_server)) for name in CALLED_BY
            ),
            60,
            what=f"the owner hears of all: {told_to_owner(discord_server)}",
        )


async def _lives(bot: RunningBot, server: DiscordServer) -> None:
    """Hold that messages are stored, read for facts, answered and read back, and that watermarks rise."""
    acting = server.add_guild("Reef")
    said = await acting.say("bob", "general", "I love chess")
    await bot.stored(said)
    assert await bot.keepsake.memory.extractor.noticed(
        guild_id=acting.guild_id, up_to_id=said.message_id, seconds=60
    )
    asked = await acting.say("bob", "general", "Bot, what do you know about me?")
    assert "chess" in (await server.answer_to(asked)).text
    await eventually(lambda: _rose(bot, acting.guild_id, said.message_id))
    await bot.client.catch_up.settled()
    await bot.keepsake.work.idle()


async def _rose(bot: RunningBot, guild_id: int, message_id: int) -> bool:
    channels = await bot.keepsake.directory.channels(guild_id)
    return any(channel.watermark >= message_id for channel in channels)


async def test_a_bot_that_cannot_renew_its_lease_falls_silent_when_it_has_run_out(
    discord_server: DiscordServer, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    guild = discord_server.add_guild("Home")
    monkeypatch.setattr("bot.adapters.discord.running.RENEWAL_SECONDS", 0.05)
    monkeypatch.setattr("bot.adapters.discord.running.LEASE_SECONDS", 1.0)
    async with running_bot(discord_server, database) as bot:
        await database.write(
            lambda connection: connection.execute("ALTER TABLE shard_leases RENAME TO elsewhere")
        )
        with pytest.raises(ShardsTakenError):
            async with asyncio.timeout(60):
                await bot.serving.until_ended()
        await bot.serving.finish()
        await guild.say("alice", "general", "Bot, remember that I like pizza")
        await discord_server.quiet(0.2)


async def test_doctor_sees_from_another_process_what_fails_and_that_it_is_well_again(
    discord_server: DiscordServer,
    database: Database,
    dsn: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("DATABASE_URL", dsn)
    monkeypatch.setattr("bot.db.service.WELL_SECONDS", 0.1)
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        await _rename(database, "unextracted", "elsewhere")
        bot.keepsake.memory.extractor.wake()
        await until(bot.keepsake.services.failing)
        await eventually(_is_reported)
        finding = await _services_found()
        assert not finding.is_well
        assert "reader of facts fails" in finding.told
        assert "UndefinedTableError" in finding.told
        # Between two failures there is a pause that grows: it does not spin.
        await until(lambda: len(_restarts(caplog)) >= 2)
        assert _restarts(caplog)[:2] == ["1", "2"]
        await _rename(database, "elsewhere", "unextracted")
        await until(lambda: not bot.keepsake.services.failing())
        said = await guild.say("alice", "general", "I love chess")
        await bot.stored(said)
        assert await bot.keepsake.memory.extractor.noticed(
            guild_id=guild.guild_id, up_to_id=said.message_id, seconds=60
        )
        await eventually(_is_well)


def _restarts(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [
        record.getMessage().split(" starts again in ")[1].split()[0]
        for record in caplog.records
        if record.name == "bot.db.service" and record.levelno == logging.ERROR
    ]


async def _services_found() -> doctor.Finding:
    (finding,) = [one async for one in doctor.examined() if one.about == "services"]
    return finding


async def _is_reported() -> bool:
    return not (await _services_found()).is_well


async def _is_well() -> bool:
    return (await _services_found()).is_well


async def _rename(database: Database, old: str, new: str) -> None:
    await database.write(lambda connection: connection.execute(f"ALTER TABLE {old} RENAME TO {new}"))
