"""How long a member waits for the first words of a reply: shown while it is written, against sent as a whole."""

import asyncio
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from bench.homes import own_home
from bot.app import assembled
from bot.chat.incoming import IncomingMessage, MessageOutcome
from bot.core.clock import SetClock
from bot.core.domain import Guild, Member, Message, snowflake_at
from bot.core.settings import Settings
from bot.db import migrations
from bot.db.embedded.server import EmbeddedServer
from bot.db.pool import Database
from tests.servers.asked import tokens_of
from tests.servers.gemini import GeminiServer

_ALICE, _BOT = 11, 77
_TOKENS_PER_SECOND = 40.0
_SENTENCES = 8
_TEXT = " ".join(
    f"Sentence number {number} of this reply tells a little more about whales and how they live in the far north."
    for number in range(1, _SENTENCES + 1)
)


async def measure() -> None:
    """Print the seconds to the first words both ways, and their ratio."""
    with own_home() as home:
        postgres = EmbeddedServer(home)
        await postgres.start()
        await migrations.migrate(postgres.dsn)
        database = await Database.open(postgres.dsn)
        async with GeminiServer() as gemini:
            gemini.default = _TEXT
            gemini.pen.tokens_per_second = _TOKENS_PER_SECOND
            whole = await _seconds(database, gemini, guild_id=1_000, streams=False)
            streamed = await _seconds(database, gemini, guild_id=2_000, streams=True)
        await database.close()
        await postgres.stop()
    print(
        f"first words of a reply of {tokens_of(_TEXT)} tokens at {_TOKENS_PER_SECOND:.0f} a second:"
        f" {streamed:.2f} s, {whole:.2f} s as a whole ({streamed / whole:.0%})\n"
    )


async def _seconds(database: Database, gemini: GeminiServer, *, guild_id: int, streams: bool) -> float:
    """Return the real seconds from a question until somebody reads the first words of the answer."""
    settings = Settings(
        _env_file=None, gemini_api_key="x", gemini_base_url=gemini.url, stream_replies=streams
    )
    clock = SetClock(datetime(2026, 3, 1, 9, tzinfo=UTC))
    async with assembled(settings, clock, database) as keepsake:
        await keepsake.directory.add_guild(Guild(guild_id=guild_id, name="Bench"))
        alice = Member(guild_id=guild_id, user_id=_ALICE, user_name="alice")
        await keepsake.directory.put_members([alice])
        seconds = 0.0
        # The first question warms up connections and caches.
        for _ in range(2):
            clock.advance(timedelta(minutes=11))
            seen: list[float] = []

            async def show(_: MessageOutcome, seen: list[float] = seen) -> Sequence[int]:
                seen.append(time.perf_counter())
                return [1]

            said = Message(
                guild_id=guild_id,
                channel_id=guild_id + 1,
                message_id=snowflake_at(clock.now()),
                user_id=_ALICE,
                text="Bot, what are narwhals?",
                timestamp=clock.now(),
            )
            began = time.perf_counter()
            await keepsake.conversation.hear(
                IncomingMessage(message=said, bot_id=_BOT, bot_names=("Bot",), show=show)
            )
            seconds = [*seen, time.perf_counter()][0] - began
        return seconds


if __name__ == "__main__":
    asyncio.run(measure())
