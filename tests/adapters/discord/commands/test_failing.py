"""A command that fails says one sentence to whoever waits for it; one that nobody can hear any more is only logged."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import pytest

from bot.db.pool import Database
from tests.adapters.discord.bots import running_bot
from tests.adapters.discord.commands.acts import facts_of, has_facts, is_for_one
from tests.servers.discord.components import labels
from tests.servers.discord.interaction import NotAnsweredError
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.waiting import PATIENCE_SECONDS, until


@asynccontextmanager
async def impatient_database(dsn: str) -> AsyncIterator[Database]:
    """A database that is given up soon."""
    database = await Database.open(dsn, timeout_seconds=0.5)
    try:
        yield database
    finally:
        await database.close()


@asynccontextmanager
async def locked(dsn: str) -> AsyncIterator[None]:
    """Let nobody read or write facts meanwhile."""
    connection = await asyncpg.connect(dsn)
    try:
        async with connection.transaction():
            await connection.execute("LOCK TABLE facts IN ACCESS EXCLUSIVE MODE")
            yield
    finally:
        await connection.close()


async def test_time_is_asked_for_before_the_database_is(
    discord_server: DiscordServer, database: Database, dsn: str
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        async with locked(dsn):
            asked = asyncio.create_task(
                guild.slash("alice", "general", "memory remember", text="I like pizza")
            )
            await until(lambda: [one for one in discord_server.interactions.all() if one.loading])
            assert not asked.done()
        assert "pizza" in (await asked).text
        await has_facts(bot, guild, "alice", "pizza")


async def test_without_a_database_one_sentence_is_said(
    discord_server: DiscordServer, dsn: str, caplog: pytest.LogCaptureFixture
) -> None:
    guild = discord_server.add_guild("Home")
    guild.member("bob").user.locale = "ru"
    async with impatient_database(dsn) as database, running_bot(discord_server, database) as bot:
        stored = await guild.slash("alice", "general", "memory remember", text="I like pizza")
        said = await guild.say("alice", "general", "Bot, remember that I like tea")
        confirmation = await discord_server.answer_to(said)
        [message] = stored.messages
        async with locked(dsn):
            english, russian, menu, pressed, undone, suggested = await asyncio.gather(
                guild.slash("alice", "general", "memory show", member="alice"),
                guild.slash("bob", "general", "memory remember", text="I like secrets"),
                guild.message_menu("alice", "Forget this", said),
                guild.click("alice", message, "Undo"),
                guild.click("alice", confirmation, "Undo"),
                guild.autocomplete("alice", "general", "memory forget", focused="fact"),
            )
            sorry = [(await clicked.shown())[-1] for clicked in (pressed, undone)]
        await has_facts(bot, guild, "alice", "pizza", "tea")
    away = "My memory is out of reach for the moment"
    for answer in (english, menu):
        assert is_for_one(answer)
        assert answer.text.startswith(away)
    assert russian.text.startswith("До памяти сейчас не дотянуться")
    assert all(told.ephemeral and told.text.startswith(away) for told in sorry)
    # What could not be undone can be tried again.
    assert labels(message.components) == labels(confirmation.components) == ["Undo"]
    assert "pizza" in message.text
    assert suggested.choices == []
    assert "secrets" not in caplog.text


async def test_an_answer_that_comes_too_late_changes_nothing_and_is_only_logged(
    discord_server: DiscordServer, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    guild = discord_server.add_guild("Home")
    caplog.set_level(logging.INFO, logger="bot")
    async with running_bot(discord_server, database) as bot:
        discord_server.interactions.answer_within_seconds = 0
        with pytest.raises(NotAnsweredError):
            await guild.slash("alice", "general", "memory remember", text="I like pizza")
        await until(lambda: too_late(caplog), what="the answer is refused")
        discord_server.interactions.answer_within_seconds = PATIENCE_SECONDS
        await guild.slash("alice", "general", "memory remember", text="I like tea")
        assert ["tea" in fact.content for fact in await facts_of(bot, guild, "alice")] == [True]
    assert [one.levelno for one in too_late(caplog)] == [logging.INFO]


def too_late(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    return [one for one in caplog.records if "can no longer be answered" in one.getMessage()]
