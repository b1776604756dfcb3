"""Whoever runs the bot hears of trouble once a day, and only they."""

from pathlib import Path

import pytest

from bot.adapters.discord.notices import Troubles, free_percent
from bot.core.metering import ModelCalled
from bot.db.pool import Database
from bot.llm.chain import Failure, Held
from tests.adapters.discord.bots import running_bot
from tests.adapters.discord.talking import told_to_owner
from tests.servers.discord.permissions import Permission
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.waiting import until
from tests.servers.faults import Fault
from tests.servers.openai import OpenAIServer

MODEL = "openai:one"


def called(ending: "Failure | Held", model: str = MODEL) -> ModelCalled:
    return ModelCalled(operation="reply", model=model, ending=ending)


async def test_a_refused_key_is_told_once_a_day(discord_server: DiscordServer, database: Database) -> None:
    guild = discord_server.add_guild("Home")
    async with OpenAIServer() as models:
        models.fail(Fault.BAD_KEY)
        for _ in range(2):
            async with running_bot(
                discord_server, database, openai_base_url=models.url, model_chat=MODEL, model_memory=MODEL
            ):
                asked = len(models.calls)
                await guild.say("alice", "general", "Bot, what is for lunch?")
                await until(lambda asked=asked: len(models.calls) > asked)  # type: ignore[misc]
                await until(lambda: told_to_owner(discord_server))
    [told] = told_to_owner(discord_server)
    assert MODEL in told
    assert "refuses my key" in told


async def test_each_kind_of_trouble_is_told_and_a_refused_message_hinders_nothing(
    discord_server: DiscordServer, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    guild = discord_server.add_guild("Home", channels=("general", "plans"))
    async with running_bot(discord_server, database) as bot:
        refused = {"code": 50007, "message": "Cannot send messages to this user"}
        discord_server.faults.fail("POST", "/channels/*/messages", 403, refused)
        bot.troubles.note(called("unauthorised"))
        await until(lambda: "takes no direct messages" in caplog.text)
        bot.troubles.note(called("over_budget"))
        await until(lambda: len(told_to_owner(discord_server)) == 1)
        guild.forbid("plans", guild.bot_role.name, Permission.SEND_MESSAGES)
        await until(lambda: len(told_to_owner(discord_server)) == 2)
        assert await bot.client.owner.tell("notice.disk_full", share=4, folder="/somewhere")
        assert not await bot.client.owner.tell("notice.disk_full", share=3, folder="/somewhere")
    budget, permission, disk = told_to_owner(discord_server)
    assert "used up" in budget
    assert "Home" in permission
    assert "#plans" in permission
    assert "4 %" in disk


@pytest.mark.parametrize(
    ("kinds", "is_told"),
    [
        ([("rate_limited", 0), ("resting", 30)], False),
        ([("rate_limited", 0), ("answered", 60), ("rate_limited", 100)], False),
        ([("no_quota", 0), ("no_quota", 100)], True),
        ([("rate_limited", 0), ("resting", 100)], True),
        ([("timeout", 0), ("refused", 100)], False),
    ],
)
async def test_the_quota_of_a_minute_troubles_nobody(
    kinds: list[tuple[Failure | Held, float]], is_told: bool
) -> None:
    now = 0.0
    troubles = Troubles(monotonic=lambda: now)
    for kind, at in kinds:
        now = at
        troubles.note(called(kind))
    assert troubles.is_any == is_told
    if is_told:
        assert (await troubles.next()).sentence == "notice.quota_gone"


async def test_trouble_that_comes_faster_than_it_can_be_told_is_dropped() -> None:
    troubles = Troubles()
    for number in range(1000):
        troubles.note(called("unauthorised", f"openai:{number}"))
    assert (await troubles.next()).values == {"model": "openai:0"}


def test_the_disk_of_a_folder_that_is_not_there_yet_is_looked_at(tmp_path: Path) -> None:
    assert 0 <= free_percent(tmp_path / "not" / "yet") <= 100
