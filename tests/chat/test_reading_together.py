"""Promises about many who ask at once: each reply is given what is known, by few connections, in the order asked."""

import asyncio
import functools
import logging
from collections.abc import AsyncIterator
from contextvars import ContextVar
from dataclasses import replace

import pytest

from bot.chat import dispatch, turn
from bot.chat.gathering import gather
from bot.chat.incoming import IncomingMessage
from bot.core.clock import SetClock
from bot.core.domain import Channel
from bot.db.pool import Connection, Database, P, Statement, T
from tests.chat.guild import BOT_ID, BOT_NAMES, GENERAL, GUILD_ID, TalkingGuild, guild_with, member
from tests.scripted_models import ScriptedModels

MEMBERS = 50
STATEMENT_SECONDS = 0.1
"""How long a connection is held at least: a server that is busy."""

READING_SECONDS = 5.0
"""Enough for a reply that is read for beside two others; too little for one beside 49."""


IS_ASKED = ContextVar("is_asked", default=False)
"""Whether what is read is read for the reply, not by a service behind."""


class BusyDatabase(Database):
    """A database whose server takes its time, and that counts how many of its connections are in use."""

    is_busy = False
    in_use = 0
    most_in_use = 0

    async def read(self, query: Statement[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await super().read(self._counted(query), *args, **kwargs)

    def _counted(self, work: Statement[P, T]) -> Statement[P, T]:
        async def counted(connection: Connection, /, *args: P.args, **kwargs: P.kwargs) -> T:
            counts = IS_ASKED.get()
            self.in_use += counts
            self.most_in_use = max(self.most_in_use, self.in_use)
            try:
                if self.is_busy:
                    await connection.execute("SELECT pg_sleep($1)", STATEMENT_SECONDS)
                return await work(connection, *args, **kwargs)
            finally:
                self.in_use -= counts

        return counted


@pytest.fixture
async def busy(database: Database, dsn: str) -> AsyncIterator[BusyDatabase]:
    busy = await BusyDatabase.open(dsn)
    yield busy
    await busy.close()


@pytest.fixture
async def talking(clock: SetClock, busy: BusyDatabase, models: ScriptedModels) -> AsyncIterator[TalkingGuild]:
    async with guild_with(models, clock, busy) as guild:
        await guild.keepsake.directory.put_members(
            [
                replace(member("alice"), user_id=500 + number, user_name=f"guest{number}")
                for number in range(MEMBERS)
            ]
        )
        await guild.keepsake.directory.put_channel(
            Channel(guild_id=GUILD_ID, channel_id=GENERAL, name="general")
        )
        yield guild


async def test_many_who_ask_at_once_are_each_given_the_facts(
    talking: TalkingGuild,
    busy: BusyDatabase,
    models: ScriptedModels,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    await talking.say("alice", "Bot, remember that the server's mascot is an axolotl")
    question = talking.last
    assert question is not None
    monkeypatch.setattr(dispatch, "gather", functools.partial(gather, seconds=READING_SECONDS))
    # How long all of them take together is the machine's affair.
    monkeypatch.setattr(turn, "LONGEST_SECONDS", 600.0)
    busy.is_busy = True
    with caplog.at_level(logging.WARNING):
        await asyncio.gather(
            *(
                talking.keepsake.conversation.hear(
                    IncomingMessage(
                        message=replace(
                            question,
                            message_id=question.message_id + 1_000 + number,
                            user_id=500 + number,
                            text=f"Bot, what shall I draw for the mascot, idea {number}?",
                        ),
                        bot_id=BOT_ID,
                        bot_names=BOT_NAMES,
                    )
                )
                for number in range(MEMBERS)
            )
        )
    busy.is_busy = False
    late = [record.getMessage() for record in caplog.records if "goes without" in record.getMessage()]
    assert late == []
    prompts = [prompt for prompt in models.prompts if "<to_answer>" in prompt]
    assert len(prompts) == MEMBERS
    assert all("axolotl" in prompt for prompt in prompts)


async def test_one_reply_has_few_connections_at_once(talking: TalkingGuild, busy: BusyDatabase) -> None:
    await talking.say("alice", "Bot, remember that I like walnuts")
    await talking.keepsake.memory.told()
    busy.is_busy, busy.most_in_use = True, 0
    IS_ASKED.set(True)
    await talking.say("alice", "Bot, what shall I bake for Bob today?")
    assert 1 < busy.most_in_use <= turn.CONNECTIONS
    busy.is_busy = False
