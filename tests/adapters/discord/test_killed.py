"""`keepsake run` is killed in the middle of everything, started again, and nothing is missing, nothing doubled."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial

import asyncpg
import pytest

from bot.db.pool import Database
from tests.adapters.discord.bots import BotProcess, bot_process, eventually, running_bot
from tests.adapters.discord.gaps import rewind, watermark
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.rest import Requested
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeChannel, FakeMessage
from tests.servers.discord.waiting import until

pytestmark = pytest.mark.processes

PER_SECOND = 500
ROOMS = ("general", "games", "news")

Kept = list[tuple[int, str]]


async def kept(database: Database, channel: FakeChannel) -> Kept:
    """Return what members said in a channel, as it is kept: ids and texts."""
    rows = await database.read(
        lambda connection: connection.fetch(
            "SELECT message_id, message_text FROM chat_history WHERE channel_id = $1 AND kind = 'member' "
            "ORDER BY message_id",
            channel.channel_id,
        )
    )
    return [(row["message_id"], row["message_text"]) for row in rows]


def there(channel: FakeChannel, server: DiscordServer) -> Kept:
    """Return what members said in a channel, as Discord has it."""
    return [
        (message_id, channel.messages[message_id].text)
        for message_id in channel.order
        if channel.messages[message_id].author is not server.world.bot
    ]


@asynccontextmanager
async def flood(guild: FakeGuild, seconds: float) -> AsyncIterator[None]:
    """Let members say so much that it is `PER_SECOND` messages a second, in three channels."""
    each = PER_SECOND / len(ROOMS)
    texts = [f"number {number}" for number in range(int(each * seconds))]
    sayings = [guild.say_many("alice", room, texts, per_second=each) for room in ROOMS]
    task = asyncio.ensure_future(asyncio.gather(*sayings))
    try:
        yield
        await task
    finally:
        task.cancel()


@asynccontextmanager
async def unwritable(dsn: str) -> AsyncIterator[None]:
    """Let everybody who would write messages wait."""
    connection = await asyncpg.connect(dsn)
    try:
        async with connection.transaction():
            await connection.execute("LOCK TABLE chat_history IN EXCLUSIVE MODE")
            yield
    finally:
        await connection.close()


async def let_go(database: Database) -> None:
    """End the lease of a process that was killed: half a minute later it would end by itself."""
    await database.write(lambda connection: connection.execute("DELETE FROM shard_leases"))


async def has_given_back(database: Database) -> bool:
    """Tell whether no process has the lease of the shards."""
    return not await database.read(
        lambda connection: connection.fetchval("SELECT count(*) FROM shard_leases")
    )


async def is_hearing(database: Database, channel: FakeChannel, more_than: int = 0) -> bool:
    return len(await kept(database, channel)) > more_than


@dataclass
class Flooded:
    """A guild in which so much is said that something is always under way."""

    server: DiscordServer
    dsn: str
    database: Database
    guild: FakeGuild
    seconds: float

    @property
    def rooms(self) -> list[FakeChannel]:
        """The channels in which it is said."""
        return [self.guild.channel(name) for name in ROOMS]

    async def killed(self, process: BotProcess) -> None:
        """Kill the bot in the midst of it; what is said goes on."""
        before = len(await kept(self.database, self.rooms[0]))
        async with flood(self.guild, self.seconds):
            await eventually(lambda: is_hearing(self.database, self.rooms[0], before))
            await asyncio.sleep(self.seconds / 3)
            await process.kill()

    async def healed(self) -> None:
        """Wait until all is kept that was said, and hold that nothing else is."""
        for room in self.rooms:
            await eventually(partial(self._is_kept, room))
            assert await kept(self.database, room) == there(room, self.server)

    async def told_to_end(self, process: BotProcess) -> None:
        """Tell the bot to end while what it heard waits to be written, and hold that it is in the end."""
        async with unwritable(self.dsn):
            async with flood(self.guild, 1):
                pass
            # The bot joins new threads, and hears of this one after everything that was said before.
            thread = self.guild.add_thread("plans", "the end", author="alice")
            await until(lambda: self.server.bot_user_id in thread.thread_members, what="the bot has joined")
            ending = asyncio.create_task(process.stop())
            # It gives its lease back when everything else has ended: then the messages can be written.
            await eventually(lambda: has_given_back(self.database))
        assert await ending == 128 + 15
        # Whoever starts after one that was killed may have to wait for its lease.
        assert [line for line in process.errors if "another process answers" not in line] == []
        for room in self.rooms:
            assert await kept(self.database, room) == there(room, self.server)

    async def _is_kept(self, room: FakeChannel) -> bool:
        return len(await kept(self.database, room)) >= len(there(room, self.server))


async def test_killed_or_told_to_end_while_500_messages_a_second_arrive_it_loses_none(
    discord_server: DiscordServer, dsn: str, database: Database
) -> None:
    guild = discord_server.add_guild("Harbour", channels=(*ROOMS, "plans"))
    flooded = Flooded(discord_server, dsn, database, guild, seconds=2)
    plans = guild.channel("plans")
    async with bot_process(discord_server, dsn) as process:
        await process.told("server Harbour")
        await say(guild, 90, "alice", "hello")
        await eventually(lambda: is_hearing(database, plans))
        await flooded.killed(process)
    await let_go(database)
    await rewind(database, plans.channel_id, datetime.now(UTC) - timedelta(minutes=80))
    await say(guild, 60, "alice", "Bot, remember that I like pizza")
    await say(guild, 59, "bob", "Bot, remember that I like plums")
    await say(guild, 50, "bob", "Bot, forget that I like plums")
    await say(guild, 40, "alice", "Bot, how are you?")
    async with bot_process(discord_server, dsn) as process:
        await process.told("Harbour: caught up")
        await flooded.healed()
        # Whatever was said so long ago is carried out without a word.
        assert discord_server.sent == []
        asked = await guild.say("bob", "plans", "Bot, what do you know about alice?")
        assert "alice likes pizza" in (await discord_server.answer_to(asked)).text
        asked = await guild.say("alice", "plans", "Bot, what do you know about bob?")
        assert "plums" not in (await discord_server.answer_to(asked)).text
        await flooded.told_to_end(process)


async def say(guild: FakeGuild, minutes_ago: float, who: str, text: str) -> None:
    await guild.say(who, "plans", text, said_at=datetime.now(UTC) - timedelta(minutes=minutes_ago))


@pytest.mark.soak
async def test_killed_again_and_again_it_loses_no_message_and_repeats_no_answer(
    discord_server: DiscordServer, dsn: str, database: Database
) -> None:
    guild = discord_server.add_guild("Harbour", channels=(*ROOMS, "plans"))
    flooded = Flooded(discord_server, dsn, database, guild, seconds=10)
    everything = {"CATCH_UP_MESSAGES": "1000000"}
    asked: list[FakeMessage] = []
    for number in range(5):
        async with bot_process(discord_server, dsn, **everything) as process:
            await process.told("server Harbour")
            await flooded.killed(process)
        asked.append(await guild.say("bob", "general", f"Bot, remember that my number is {number}"))
    async with bot_process(discord_server, dsn, **everything) as process:
        await process.told("server Harbour")
        await flooded.healed()
        await discord_server.answer_to(asked[-1])
        await discord_server.quiet(2)
        answered = [message.reply_to_id for message in discord_server.sent]
        assert len(set(answered)) == len(answered)
        assert set(answered) <= {message.message_id for message in asked}
        await flooded.told_to_end(process)
    facts = await database.read(
        lambda connection: connection.fetch("SELECT source_message_id FROM facts ORDER BY source_message_id")
    )
    assert [row["source_message_id"] for row in facts] == [message.message_id for message in asked]


async def kill_before_it_is_sent(server: DiscordServer, process: BotProcess) -> None:
    """Nothing gets through, so that the answer is only written down."""
    before = len(server.requests)
    server.faults.drop("POST", "/channels/*/messages", times=None)
    await until(lambda: any(_is_answer(one) for one in server.requests[before:]), what="the bot answers")
    await process.kill()
    server.faults.heal()


def _is_answer(request: Requested) -> bool:
    return request.method == "POST" and request.path.endswith("/messages")


async def kill_when_it_was_sent(server: DiscordServer, process: BotProcess) -> None:
    """Discord has the answer, and the bot never hears of it."""
    server.world.on_sent.append(lambda _message: process.process.kill())
    await process.ended()
    server.world.on_sent.clear()


async def test_an_answer_that_was_being_sent_comes_once(
    discord_server: DiscordServer, dsn: str, database: Database
) -> None:
    guild = discord_server.add_guild("Harbour")
    asked: list[FakeMessage] = []
    for text, blow in (
        ("Bot, remember that I like pizza", kill_before_it_is_sent),
        ("Bot, remember that I play chess", kill_when_it_was_sent),
    ):
        async with bot_process(discord_server, dsn) as process:
            await process.told("server Harbour")
            for message in asked:
                await discord_server.answer_to(message)
            struck = asyncio.create_task(blow(discord_server, process))
            await asyncio.sleep(0)
            asked.append(await guild.say("alice", "general", text))
            await struck
        await let_go(database)
    async with bot_process(discord_server, dsn) as process:
        answers = [await discord_server.answer_to(message) for message in asked]
        for answer in answers:
            # Discord has it since before this process began.
            await eventually(partial(is_kept, database, answer))
        await discord_server.quiet(0.5)
        assert process.errors == []
    assert discord_server.sent == answers
    assert [answer.text for answer in answers] == [
        "Remembered: alice likes pizza.",
        "Remembered: alice plays chess.",
    ]
    facts = await database.read(lambda connection: connection.fetchval("SELECT count(*) FROM facts"))
    assert facts == 2


async def test_killed_in_the_first_seconds_of_all_it_hears_what_was_said_since(
    discord_server: DiscordServer, dsn: str, database: Database
) -> None:
    guild = discord_server.add_guild("Harbour")
    general = guild.channel("general")
    await guild.say("alice", general, "long before")
    async with bot_process(discord_server, dsn) as process:
        await eventually(lambda: has_begun(database, general))
        await process.kill()
    await let_go(database)
    said = [await guild.say("alice", general, f"number {number}") for number in range(3)]
    async with bot_process(discord_server, dsn) as process:
        await process.told("Harbour: caught up")
        await eventually(lambda: is_hearing(database, general, 2))
    assert await kept(database, general) == [(message.message_id, message.text) for message in said]


@pytest.mark.parametrize("catch_up_days", [7, 0])
async def test_a_stored_command_is_carried_out_as_it_was_said_though_it_was_edited_late(
    discord_server: DiscordServer, dsn: str, database: Database, catch_up_days: int
) -> None:
    guild = discord_server.add_guild("Harbour", channels=("plans",))
    plans = guild.channel("plans")
    edits = {
        "Bot, remember that my cat is called Tom": "Bot, remember that my cat is called Tim",
        "Bot, remember that I like plums": "never mind",
        "tea is at five": "Bot, remember that tea is at five",
    }
    said: list[FakeMessage] = []
    async with running_bot(discord_server, database):
        await eventually(lambda: watermark(database, plans.channel_id))
    await rewind(database, plans.channel_id, datetime.now(UTC) - timedelta(minutes=80))
    hello = await guild.say("alice", plans, "hello", said_at=datetime.now(UTC) - timedelta(minutes=70))
    async with bot_process(discord_server, dsn) as process:
        # Nothing is read back any more: what is said from now on is heard as it comes.
        await eventually(lambda: is_below_the_mark(database, hello))
        async with unanswerable(dsn):
            for number, text in enumerate(edits):
                at = datetime.now(UTC) - timedelta(minutes=20 - number)
                said.append(await guild.say("alice", plans, text, said_at=at))
            await eventually(lambda: is_below_the_mark(database, said[-1]))
            await process.kill()
    await let_go(database)
    assert await watermark(database, plans.channel_id) == said[-1].message_id
    for message in said:
        await guild.edit(message, edits[message.text])
    for _ in range(2):
        async with running_bot(discord_server, database, catch_up_days=catch_up_days):
            assert [text for _, text in await kept(database, plans)] == ["hello", *edits.values()]
            assert await facts(database) == ["my cat is called Tom", "I like plums"]
    assert discord_server.sent == []


@pytest.mark.parametrize(
    ("minutes_ago", "answers"), [(0, ["Remembered: bob plays chess."]), (20, [])], ids=["fresh", "late"]
)
async def test_a_direct_message_that_was_only_stored_before_a_kill_has_its_turn_once(
    discord_server: DiscordServer, dsn: str, database: Database, minutes_ago: int, answers: list[str]
) -> None:
    discord_server.add_guild("Harbour")
    async with bot_process(discord_server, dsn) as process:
        await process.told("server Harbour")
        async with unanswerable(dsn):
            said_at = datetime.now(UTC) - timedelta(minutes=minutes_ago)
            said = await discord_server.say_directly("bob", "remember that I play chess", said_at=said_at)
            await eventually(lambda: is_below_the_mark(database, said))
            await process.kill()
    await let_go(database)
    for _ in range(2):
        async with running_bot(discord_server, database):
            await eventually(lambda: have_been_noted(database, "I play chess"))
            await discord_server.answers_to(said, len(answers))
            await discord_server.quiet(0.5)
            assert [message.text for message in discord_server.sent] == answers
            assert {message.reply_to_id for message in discord_server.sent} <= {said.message_id}


async def is_below_the_mark(database: Database, message: FakeMessage) -> bool:
    """Tell whether the kept watermark of its channel says that a message was taken."""
    channel_id = message.channel.channel_id
    known = "SELECT EXISTS (SELECT FROM channels WHERE channel_id = $1 AND watermark >= $2)"
    found: bool = await database.read(
        lambda connection: connection.fetchval(known, channel_id, message.message_id)
    )
    return found


async def have_been_noted(database: Database, *expected: str) -> bool:
    return await facts(database) == [*expected]


@asynccontextmanager
async def unanswerable(dsn: str) -> AsyncIterator[None]:
    """Let everybody wait who would answer."""
    connection = await asyncpg.connect(dsn)
    try:
        async with connection.transaction():
            await connection.execute("LOCK TABLE answers IN EXCLUSIVE MODE")
            yield
    finally:
        await connection.close()


async def facts(database: Database) -> list[str]:
    """Return the words of all facts, in the order in which they were stored."""
    rows = await database.read(
        lambda connection: connection.fetch("SELECT raw_content FROM facts ORDER BY fact_id")
    )
    return [row["raw_content"] for row in rows]


async def has_begun(database: Database, channel: FakeChannel) -> bool:
    return bool(
        await database.read(
            lambda connection: connection.fetchval(
                "SELECT beginning FROM channels WHERE channel_id = $1", channel.channel_id
            )
        )
    )


async def is_kept(database: Database, message: FakeMessage) -> bool:
    found: int = await database.read(
        lambda connection: connection.fetchval(
            "SELECT count(*) FROM chat_history WHERE message_id = $1 AND kind = 'bot'", message.message_id
        )
    )
    return found == 1
