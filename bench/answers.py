"""What a member waits for while the models have a bad day: they refuse at once, or they hang."""

import time
from datetime import UTC, datetime, timedelta

from bench.homes import own_home
from bot.app import Keepsake, assembled
from bot.chat.incoming import IncomingMessage
from bot.core.clock import SetClock
from bot.core.domain import Guild, Member, Message, mention_of, snowflake_at
from bot.core.settings import Settings
from bot.db import migrations
from bot.db.embedded.server import EmbeddedServer
from bot.db.pool import Database
from tests.servers.faults import Fault
from tests.servers.gemini import GeminiServer

_ALICE, _BOT = 11, 77
_SETTLE = timedelta(minutes=11)
"""Between two things said, so that the fixed sentence is due every time."""

_HANGING_CHATS = 8
"""More than it takes until every breaker is open."""


class _Asker:
    """A member who says things to the bot of one guild and waits."""

    def __init__(self, keepsake: Keepsake, clock: SetClock, guild_id: int) -> None:
        self._keepsake = keepsake
        self._clock = clock
        self._guild_id = guild_id

    async def arrive(self) -> None:
        alice = Member(guild_id=self._guild_id, user_id=_ALICE, user_name="alice")
        await self._keepsake.directory.add_guild(Guild(guild_id=self._guild_id, name="Bench"))
        await self._keepsake.directory.put_members([alice])

    async def seconds(self, text: str) -> float:
        """Say `text` and return the real seconds until the answer is written down."""
        self._clock.advance(_SETTLE)
        now = self._clock.now()
        said = Message(
            guild_id=self._guild_id,
            channel_id=self._guild_id + 1,
            message_id=snowflake_at(now),
            user_id=_ALICE,
            text=text,
            timestamp=now,
        )
        started = time.perf_counter()
        outcome = await self._keepsake.conversation.hear(
            IncomingMessage(message=said, bot_id=_BOT, bot_names=("Bot",))
        )
        seconds = time.perf_counter() - started
        if not outcome.text:
            raise AssertionError(f"{text!r} was not answered")
        return seconds


async def measure() -> None:
    """Print the seconds."""
    with own_home() as home:
        postgres = EmbeddedServer(home)
        await postgres.start()
        await migrations.migrate(postgres.dsn)
        database = await Database.open(postgres.dsn)
        async with GeminiServer() as gemini:
            settings = Settings(_env_file=None, gemini_api_key="x", gemini_base_url=gemini.url)
            await _refusing(settings, database, gemini)
            await _hanging(settings, database, gemini)
        await database.close()
        await postgres.stop()
    print()


async def _refusing(settings: Settings, database: Database, gemini: GeminiServer) -> None:
    gemini.fail(Fault.BAD_KEY)
    clock = SetClock(datetime(2026, 3, 1, 9, tzinfo=UTC))
    async with assembled(settings, clock, database) as keepsake:
        asker = _Asker(keepsake, clock, 1_000)
        await asker.arrive()
        for name, text in (
            ("remember", "Bot, remember that I like tea"),
            ("what do you know", f"Bot, what do you know about {mention_of(_ALICE)}?"),
            ("chat", "Bot, ramen or udon?"),
            ("chat again", "Bot, tea or coffee?"),
        ):
            print(f"models refuse at once, {name}: {await asker.seconds(text):.2f} s")
    gemini.heal()


async def _hanging(settings: Settings, database: Database, gemini: GeminiServer) -> None:
    gemini.fail(Fault.HANG)
    clock = SetClock(datetime(2026, 3, 1, 9, tzinfo=UTC))
    async with assembled(settings, clock, database) as keepsake:
        asker = _Asker(keepsake, clock, 2_000)
        await asker.arrive()
        waits = [await asker.seconds("Bot, ramen or udon?") for _ in range(_HANGING_CHATS)]
        told = ", ".join(f"{seconds:.2f}" for seconds in waits)
        print(f"models hang, {_HANGING_CHATS} chats in a row: {told} s")
        remembered = await asker.seconds("Bot, remember that I like tea")
        print(f"models hang, remember: {remembered:.2f} s")
    gemini.heal()
