"""A guild in which conversations end: the bot is talked to, time passes, and a scripted model tells of it."""

import asyncio
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Self
from uuid import uuid4

from bot.core.clock import SetClock
from bot.core.domain import Channel, Episode, Guild, Member, Message, MessageKind, snowflake_at
from bot.core.settings import Settings
from bot.db.jobs import Job, JobWorkers
from bot.db.pool import Database
from bot.memory.manager import MemoryManager
from bot.memory.outbox import repository as outbox_repository
from bot.memory.outbox.repository import NewAnswer
from bot.memory.profiles import repository as profiles_repository
from bot.memory.summaries.episodes import Episodes
from tests.memory.needs import needs_over
from tests.said import said_in
from tests.scripted_models import ScriptedModels

GUILD = 1_000
GENERAL, RANDOM, CLOSED = 2_000, 2_001, 2_002
ALICE, BOB, BOT = 11, 12, 99
GAP = timedelta(minutes=31)

NOTE = re.compile(r'<note id="(e\d+)"[^>]*?( new="yes")?>(.*?)</note>', re.DOTALL)


def tell(prompt: str) -> Mapping[str, object]:
    """Tell what the prompt says, in its words."""
    said = [f"@{one.by} said {one.text}." for one in said_in(prompt)]
    return {"text": " ".join(said)[:390], "importance": 5, "tags": ["Talk"]}


def always_edit(prompt: str) -> Mapping[str, object]:
    """Merge the new note into the oldest one."""
    notes = NOTE.findall(prompt)
    return {
        "action": "edit",
        "target": notes[-1][0],
        "text": "All of it was talked about.",
        "reason": "alike",
    }


class RunningClock(SetClock):
    """A clock that may be set, and then goes on by itself."""

    def now(self) -> datetime:
        """Return the moment that was set last and the real time since, in UTC."""
        return super().now() + timedelta(seconds=time.monotonic() - self._since)

    def set(self, moment: datetime) -> None:
        """Put the clock to `moment`."""
        super().set(moment)
        self._since = time.monotonic()


@dataclass
class Talks:
    """The guild, its clock, its model and its background work. Use it with `async with`."""

    database: Database
    clock: SetClock
    settings: Settings = field(default_factory=lambda: Settings(_env_file=None))
    models: ScriptedModels = field(
        default_factory=lambda: ScriptedModels(make_episode=tell, compact_episodes=always_edit)
    )
    has_models: bool = True
    is_working: bool = True
    """Whether what is asked for is done behind."""
    guild_id: int = GUILD

    async def __aenter__(self) -> Self:
        self.work = JobWorkers(self.database)
        needs = await needs_over(
            self.database,
            self.clock,
            self.models if self.has_models else None,
            settings=self.settings,
            notify=self.work.wake,
        )
        self.directory = needs.directory
        self.memory = MemoryManager(needs)
        self.work.take_up(self.memory.handlers())
        self.memory.start()
        if self.is_working:
            self.work.start()
        await self.directory.add_guild(Guild(guild_id=self.guild_id, name="Test"))
        await self.directory.put_channels(
            [
                Channel(guild_id=self.guild_id, channel_id=GENERAL, name="general"),
                Channel(guild_id=self.guild_id, channel_id=RANDOM, name="random"),
                Channel(guild_id=self.guild_id, channel_id=CLOSED, name="closed", audience=CLOSED),
            ]
        )
        await self.directory.put_members(
            [
                Member(guild_id=self.guild_id, user_id=user_id, user_name=name)
                for user_id, name in ((ALICE, "alice"), (BOB, "bob"))
            ]
        )
        await self.memory.episodes.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.memory.episodes.stop()
        await self.work.stop()
        await self.memory.stop()

    @property
    def episodes(self) -> Episodes:
        """The door."""
        return self.memory.episodes

    async def say(
        self,
        text: str,
        *,
        by: int = ALICE,
        channel_id: int = GENERAL,
        audience: int | None = None,
        kind: MessageKind = MessageKind.MEMBER,
        reply_to_id: int | None = None,
        from_visitor: bool = False,
        after: timedelta = timedelta(seconds=1),
    ) -> Message:
        """Say something, a second later."""
        self.clock.advance(after)
        message = Message(
            guild_id=self.guild_id,
            channel_id=channel_id,
            message_id=snowflake_at(self.clock.now()),
            user_id=by,
            text=text,
            timestamp=self.clock.now(),
            audience=(CLOSED if channel_id == CLOSED else 0) if audience is None else audience,
            kind=kind,
            reply_to_id=reply_to_id,
            from_visitor=from_visitor,
        )
        await self.memory.ingest_message(message)
        return message

    async def say_together(self, texts: Sequence[str]) -> None:
        """Say all of these, a second apart, and have them stored in one batch."""
        await asyncio.gather(*(self.say(text) for text in texts))

    async def answer(self, message: Message, text: str, *, route: str = "chat") -> Message:
        """Let the bot answer `message`, as it does: claimed, written down, sent, and heard itself."""
        holder = uuid4()
        await self.database.write(
            outbox_repository.claim_answer,
            guild_id=message.guild_id,
            message_id=message.message_id,
            channel_id=message.channel_id,
            user_id=message.user_id,
            holder=holder,
            lease=timedelta(minutes=1),
            edited_at=None,
            now=self.clock.now(),
        )
        await self.database.write(
            outbox_repository.write_answer,
            guild_id=message.guild_id,
            message_id=message.message_id,
            holder=holder,
            written=NewAnswer(route=route, parts=(text,)),
        )
        said = await self.say(
            text,
            by=BOT,
            channel_id=message.channel_id,
            audience=message.audience,
            kind=MessageKind.BOT,
            reply_to_id=message.message_id,
        )
        await self.database.write(
            profiles_repository.note_sent,
            guild_id=message.guild_id,
            message_id=message.message_id,
            sent_ids=[said.message_id],
            learns=False,
            every=1,
            only_standing=False,
        )
        return said

    async def talk(self, text: str, *, channel_id: int = GENERAL) -> Message:
        """Hold a short conversation with the bot, let it end, and return its first message."""
        first = await self.say(text, channel_id=channel_id)
        await self.answer(first, "I see")
        await self.end()
        return first

    async def end(self, after: timedelta = GAP) -> None:
        """Let time pass until what was said is over, and all that it leaves behind is done."""
        self.clock.advance(after)
        await self.done()

    async def done(self) -> None:
        """Return when nothing is left to be done."""
        await self.episodes.settled(self.guild_id)
        if self.is_working:
            await self.work.idle()

    async def make(self, work_key: str) -> None:
        """Tell of a conversation, whoever else does."""
        await self.memory.makers["episode"](
            Job(guild_id=self.guild_id, kind="episode", work_key=work_key, wanted=1, attempts=1)
        )

    async def kept(self, channel_id: int = GENERAL, audiences: Sequence[int] = (0, CLOSED)) -> list[Episode]:
        """Return the episodes of a channel, newest first."""
        return await self.episodes.of_channel(
            guild_id=self.guild_id, channel_id=channel_id, audiences=audiences
        )

    async def texts(self, channel_id: int = GENERAL) -> list[str]:
        """Return the texts of the episodes of a channel, newest first."""
        return [episode.content for episode in await self.kept(channel_id)]

    def asked(self, operation: str) -> list[str]:
        """Return the prompts of an operation so far."""
        mark = {"make": "A conversation in a chat has ended", "compact": "Make one decision"}[operation]
        return [prompt for prompt in self.models.prompts if mark in prompt]
