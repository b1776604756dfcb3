"""Three processes with four shards each, on one database behind PgBouncer: to members they are one bot."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

import pytest

from bot.core.domain import Language, RememberingOthers
from bot.db.pool import Database
from bot.memory.members.directory import Directory
from bot.text.sentences import say
from tests.adapters.discord.bots import BotProcess, bot_process, eventually
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeMessage
from tests.servers.gemini import GeminiServer
from tests.servers.pgbouncer import pooled

pytestmark = pytest.mark.processes

SHARDS = 12
PARTS = ("0-3/12", "4-7/12", "8-11/12")


class Cluster:
    """The processes, by their shards, and a guild of each shard."""

    def __init__(self, server: DiscordServer, address: str, direct: str, settings: dict[str, str]) -> None:
        self.server = server
        self._direct = direct
        self._settings = {
            **settings,
            "DATABASE_URL": address,
            "DATABASE_DIRECT_URL": direct,
            "DATABASE_STATEMENT_CACHE": "0",
        }
        self.guilds: list[FakeGuild] = []
        self.processes: dict[str, BotProcess] = {}
        self._stack = AsyncExitStack()

    async def start(self, part: str) -> BotProcess:
        """Start the process that runs these shards."""
        process = await self._stack.enter_async_context(
            bot_process(self.server, self._direct, "--shards", part, **self._settings)
        )
        await process.told("server ")
        self.processes[part] = process
        return process

    async def begin(self, parts: Sequence[str]) -> None:
        """Make a guild for each shard of these processes, and start them."""
        portal = self.server.portal
        portal.shards = portal.max_concurrency = SHARDS
        for shard_id in range(4 * len(parts)):
            guild_id = (1_000 * SHARDS + shard_id) << 22
            self.guilds.append(self.server.add_guild(f"Home {shard_id}", guild_id=guild_id))
        await asyncio.gather(*(self.start(part) for part in parts))

    async def end(self) -> None:
        """End all that run."""
        await self._stack.aclose()

    async def answers(self, said: Sequence[FakeMessage]) -> list[str]:
        """Return the answer to each message."""
        answers = await asyncio.gather(*(self.server.answer_to(message) for message in said))
        return [answer.text for answer in answers]

    def times_answered(self) -> Counter[int]:
        """Return how many messages of the bot reply to each message, by its id."""
        return Counter(one.reply_to_id for one in self.server.sent if one.reply_to_id is not None)


@asynccontextmanager
async def cluster(
    server: DiscordServer, dsn: str, *, parts: Sequence[str] = PARTS, **settings: str
) -> AsyncIterator[Cluster]:
    """Run the processes behind a PgBouncer."""
    async with pooled(dsn) as address:
        running = Cluster(server, address, dsn, settings)
        try:
            await running.begin(parts)
            yield running
        finally:
            await running.end()


async def heard(database: Database) -> Counter[str]:
    """Return how often each text is kept that members said."""
    rows = await database.read(
        lambda connection: connection.fetch("SELECT message_text FROM chat_history WHERE kind = 'member'")
    )
    return Counter(row["message_text"] for row in rows)


async def _chatter(guild: FakeGuild) -> list[str]:
    """Have a member say one thing after the other for some seconds, and return what it was."""
    said = await guild.say_many(
        "bob",
        "general",
        [f"{guild.name}: it rains for {number} hours" for number in range(60)],
        per_second=15,
    )
    return [message.text for message in said]


async def test_what_one_process_is_told_all_obey_and_one_that_is_killed_leaves_no_gap(
    discord_server: DiscordServer, dsn: str, database: Database
) -> None:
    async with cluster(discord_server, dsn) as running:
        last = running.guilds[-1]
        said = [
            await one.say("alice", "general", f"Bot, remember that I like tea {n}")
            for n, one in enumerate(running.guilds)
        ]
        assert await running.answers(said) == [
            f"Remembered: alice likes tea {number}." for number in range(SHARDS)
        ]
        # Direct messages are told to the first process, and draw on the guilds of all.
        (known,) = await running.answers(
            [await discord_server.say_directly("alice", "what do you know about me?")]
        )
        assert "tea 0" in known
        assert "tea 11" in known
        (gone,) = await running.answers(
            [await last.say("alice", "general", "Bot, forget that I like tea 11")]
        )
        assert gone.startswith("Forgotten")
        (known,) = await running.answers(
            [await discord_server.say_directly("alice", "what do you know about me?")]
        )
        assert "tea 11" not in known
        assert "tea 0" in known

        # This process sets what one of them has to obey, as the pages for operators do in a process of their own.
        directory = Directory(database)
        guild = await directory.guild(last.guild_id)
        assert guild is not None
        await directory.change_guild(guild, replace(guild, remembering_others=RememberingOthers.NOBODY))
        (refused,) = await running.answers(
            [await last.say("alice", "general", "Bot, remember that @bob likes fog")]
        )
        assert refused == say("chat.others_by_themselves", Language.ENGLISH)

        loads = [asyncio.create_task(_chatter(guild)) for guild in running.guilds]
        await running.processes[PARTS[1]].kill()
        missed = [
            await guild.say("bob", "general", "Bot, remember that I like rain") for guild in running.guilds
        ]
        await running.start(PARTS[1])
        assert set(await running.answers(missed)) == {"Remembered: bob likes rain."}
        texts = [text for load in loads for text in await load]

        async def are_heard() -> bool:
            return set(texts) <= set(await heard(database))

        await eventually(are_heard)
    assert set(running.times_answered().values()) == {1}
    kept = await heard(database)
    assert {kept[text] for text in texts} == {1}


async def test_a_quota_holds_for_all_processes_together(
    discord_server: DiscordServer, dsn: str, database: Database
) -> None:
    async with GeminiServer() as gemini:
        gemini.answer("reply", "Fine, and you?")
        settings = {
            "GEMINI_API_KEY": "x",
            "GEMINI_BASE_URL": gemini.url,
            "MODEL_CHAT": "google:gemini-flash-latest",
            "MODEL_QUOTAS": "gemini-flash-latest=-/10",
        }
        async with cluster(discord_server, dsn, parts=PARTS[:2], **settings) as running:
            for author in ("alice", "bob"):
                for guild in running.guilds:
                    await guild.say(author, "general", "Bot, how are you doing?")

            async def are_answered() -> bool:
                return await _answered(database) == 2 * len(running.guilds)

            await eventually(are_answered)
    assert Counter(call.operation for call in gemini.calls) == {"reply": 10}
    assert [message.text for message in discord_server.sent].count("Fine, and you?") == 10


async def _answered(database: Database) -> int:
    count: int = await database.read(
        lambda connection: connection.fetchval(
            "SELECT count(*) FROM answers WHERE state IN ('sent', 'silent')"
        )
    )
    return count
