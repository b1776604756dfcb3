"""A guild to talk in: members say things, and what the bot answers comes back."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Final, TypedDict, Unpack

import pytest

from bot.app import Keepsake, assembled
from bot.chat.incoming import HandOver, IncomingMessage, MessageOutcome, ReadableAudiences
from bot.core.clock import SetClock
from bot.core.domain import Guild, Member, Message, MessageKind, mention_of, snowflake_at
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.llm.operation import Models

GUILD_ID = 1_000
BOT_ID = 77
GENERAL = 2_000
MODS = 2_001
GAMES = 2_002
LATELY = {"Lately:", "В последнее время:"}
WROTE = re.compile(r"\S+ has written \d+ messages? here|\S+: \d+ сообщени\w+ здесь")
NAMES = {"alice": 11, "bob": 12, "gruzilkin": 13, "florent": 14, "Саша": 15, "Маша": 16, "Паша": 17}

OTHER_BOT_ID = 78
"""Whoever says something under a name that is not in `NAMES`."""

BOT_NAMES: Final = ("Bot", "Бот", "Keepsake")


class Told(TypedDict, total=False):
    """What a face tells of a message beside the message."""

    from_moderator: bool
    from_manager: bool
    late: bool
    visitor: bool
    paced: bool
    seek: Callable[[str], Awaitable[Sequence[Member]]] | None
    reads: ReadableAudiences | None
    hand_over: HandOver | None
    is_behind: Callable[[], bool] | None
    read_later: Callable[[], bool] | None


@dataclass
class TalkingGuild:
    """What a test says through it goes the way of any message of a face."""

    keepsake: Keepsake
    clock: SetClock
    last: Message | None = None
    answer: Message | None = None

    async def say(
        self,
        author: str,
        text: str,
        *,
        channel_id: int = GENERAL,
        reply_to: Message | None = None,
        direct: bool = False,
        kind: MessageKind = MessageKind.MEMBER,
        after: timedelta = timedelta(seconds=1),
        **told: Unpack[Told],
    ) -> str | None:
        """Say something, in a closed channel if it is MODS, and return the bot's answer."""
        outcome = await self.hear(
            author,
            text,
            channel_id=channel_id,
            reply_to=reply_to,
            direct=direct,
            kind=kind,
            after=after,
            **told,
        )
        return outcome.text

    async def hear(
        self,
        author: str,
        text: str,
        *,
        channel_id: int = GENERAL,
        reply_to: Message | None = None,
        direct: bool = False,
        kind: MessageKind = MessageKind.MEMBER,
        after: timedelta = timedelta(seconds=1),
        **told: Unpack[Told],
    ) -> MessageOutcome:
        """Say something and return all that became of it."""
        self.clock.advance(after)
        guild_id = GUILD_ID
        if direct:
            guild_id = channel_id = 9_000 + NAMES[author]
            await self.keepsake.directory.add_guild(Guild(guild_id=guild_id, name="", direct=True))
            await self.keepsake.directory.put_members([member(author, guild_id)])
        self.last = Message(
            guild_id=guild_id,
            channel_id=channel_id,
            message_id=snowflake_at(self.clock.now()),
            user_id=NAMES.get(author, OTHER_BOT_ID),
            text=text,
            timestamp=self.clock.now(),
            audience=MODS if channel_id == MODS else 0,
            kind=kind,
            reply_to_id=reply_to.message_id if reply_to else None,
        )
        return await self.again(self.last, direct=direct, **told)

    async def again(
        self, message: Message, *, deliver: bool = True, direct: bool = False, **told: Unpack[Told]
    ) -> MessageOutcome:
        """Let the bot hear `message`, for the first time or once more."""
        hearing = IncomingMessage(message=message, bot_id=BOT_ID, bot_names=BOT_NAMES, direct=direct, **told)
        outcome = await self.keepsake.conversation.hear(hearing)
        if outcome.text is not None and deliver:
            await self.deliver(outcome, message)
        return outcome

    async def edit(
        self,
        message: Message,
        text: str,
        *,
        after: timedelta = timedelta(seconds=1),
        at: datetime | None = None,
        **told: Unpack[Told],
    ) -> MessageOutcome:
        """Edit a message, and show in the channel what became of the bot's answer."""
        self.clock.advance(after)
        edited = replace(message, text=text, edited_at=at or self.clock.now())
        hearing = IncomingMessage(message=edited, bot_id=BOT_ID, bot_names=BOT_NAMES, **told)
        outcome = await self.keepsake.conversation.hear_edit(hearing)
        if outcome.text is not None:
            await self.deliver(outcome, message)
        return outcome

    async def deliver(self, outcome: MessageOutcome, answered: Message) -> None:
        """Send an answer, or put it in the place of the one that it replaces."""
        self.clock.advance(timedelta(seconds=1))
        self.answer = Message(
            guild_id=answered.guild_id,
            channel_id=answered.channel_id,
            message_id=outcome.replaces[0] if outcome.replaces else snowflake_at(self.clock.now()),
            user_id=BOT_ID,
            kind=MessageKind.BOT,
            text=outcome.text or "",
            timestamp=self.clock.now(),
            audience=answered.audience,
            reply_to_id=answered.message_id,
        )
        await self.keepsake.conversation.delivered(outcome, sent=[self.answer])

    async def chatter(self, count: int, text: str, *, authors: tuple[str, str] = ("alice", "bob")) -> None:
        """Let two talk in turns, five seconds apart; `text` takes the `number` of the message."""
        said = []
        for number in range(count):
            self.clock.advance(timedelta(seconds=5))
            said.append(
                Message(
                    guild_id=GUILD_ID,
                    channel_id=GENERAL,
                    message_id=snowflake_at(self.clock.now()),
                    user_id=NAMES[authors[number % 2]],
                    text=text.format(number=number),
                    timestamp=self.clock.now(),
                )
            )
        await self.keepsake.memory.ingest_messages(said)

    async def settle(self) -> None:
        """Wait until all is told that is to be told, and no work is left."""
        await self.keepsake.memory.told()
        await self.keepsake.work.idle()

    async def known(self, name: str, *, asker: str = "", channel_id: int = GENERAL) -> list[str]:
        """Return the facts that the bot tells a member, or `asker` about them, a line each, without dates."""
        told = await self.say(
            asker or name, f"Bot what do you know about {mention_of(NAMES[name])}", channel_id=channel_id
        )
        assert told is not None
        facts = takewhile(lambda line: line not in LATELY and not WROTE.match(line), told.splitlines()[1:])
        return [line.partition("] ")[2] for line in facts]


def member(name: str, guild_id: int = GUILD_ID) -> Member:
    return Member(guild_id=guild_id, user_id=NAMES[name], user_name=name, nickname=name)


@pytest.fixture
async def guild(keepsake: Keepsake, clock: SetClock) -> AsyncIterator[TalkingGuild]:
    await keepsake.directory.add_guild(Guild(guild_id=GUILD_ID, name="Test"))
    bot = Member(guild_id=GUILD_ID, user_id=BOT_ID, user_name="Keepsake", is_bot=True)
    await keepsake.directory.put_members([*(member(name) for name in NAMES), bot])
    yield TalkingGuild(keepsake, clock)
    await keepsake.work.idle()


@asynccontextmanager
async def guild_with(
    models: Models, clock: SetClock, database: Database, *, settings: Settings | None = None
) -> AsyncIterator[TalkingGuild]:
    """Open a guild, with all of `NAMES` in it, whose bot is answered by `models`."""
    async with assembled(settings or Settings(_env_file=None), clock, database, models=models) as keepsake:
        await keepsake.directory.add_guild(Guild(guild_id=GUILD_ID, name="Test"))
        await keepsake.directory.put_members([member(name) for name in NAMES])
        yield TalkingGuild(keepsake, clock)
