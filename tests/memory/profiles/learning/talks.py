"""A guild in which members talk with the bot, turn by turn, and a loopback Gemini that learns about them."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta

from bot.app import Keepsake, assembled
from bot.core.clock import SetClock
from bot.core.domain import OPEN, Guild, Member, Message, MessageKind, snowflake_at
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.memory.outbox.answers import WrittenAnswer
from tests import said
from tests.servers.asked import Asked
from tests.servers.gemini import GeminiServer

GUILD_ID = 1_000
GENERAL = 2_000
BOT_ID = 77
ALICE, BOB = 11, 12
MODEL = "gemma-3-27b-it"

_PROFILE = re.compile(r"<profile>(.*?)</profile>", re.DOTALL)
_NUMBERED = re.compile(r"message number (\d+)")


@dataclass
class Talks:
    """What members and the bot say to each other."""

    keepsake: Keepsake
    clock: SetClock
    gemini: GeminiServer
    said: list[Message] = field(default_factory=list)
    answered: list[Message] = field(default_factory=list)

    async def turns(
        self,
        number: int,
        user_id: int = ALICE,
        *,
        text: str = "message number {} about the boats that I build with patience and sail",
    ) -> None:
        """Let a member have so many turns, and wait for all that is done behind them."""
        for _ in range(number):
            await self.turn(text.format(len(self.said) + 1), user_id=user_id)
        await self.idle()

    async def turn(self, text: str, *, user_id: int = ALICE, answer: str = "I see.") -> Message:
        """Say something to the bot and have it answered; return what was said."""
        message = await self.ask(text, user_id=user_id)
        await self.sent(await self.write(message, answer))
        return message

    async def ask(self, text: str, *, user_id: int = ALICE) -> Message:
        """Say something to the bot."""
        message = self._message(text, user_id=user_id)
        self.said.append(message)
        await self.keepsake.memory.ingest_message(message)
        return message

    async def write(self, message: Message, answer: str) -> Message:
        """Write an answer down and let it be heard, as it is before it is noted that it was sent; return it."""
        claim = await self.keepsake.memory.answers.claim(message)
        assert claim is not None
        written = WrittenAnswer(route="chat", parts=(answer,), is_turn=True)
        assert await self.keepsake.memory.answers.write(message, claim, written)
        sent = replace(
            self._message(answer, user_id=BOT_ID), kind=MessageKind.BOT, reply_to_id=message.message_id
        )
        await self.keepsake.memory.ingest_message(sent)
        self.answered.append(sent)
        return sent

    async def sent(self, answer: Message, *, keepsake: Keepsake | None = None) -> None:
        """Note, in one process or another, that an answer was sent."""
        assert answer.reply_to_id is not None
        await (keepsake or self.keepsake).memory.turns.sent(
            guild_id=GUILD_ID, message_id=answer.reply_to_id, sent_ids=[answer.message_id]
        )

    def _message(self, text: str, *, user_id: int) -> Message:
        self.clock.advance(timedelta(seconds=1))
        return Message(
            guild_id=GUILD_ID,
            channel_id=GENERAL,
            message_id=snowflake_at(self.clock.now()),
            user_id=user_id,
            text=text,
            timestamp=self.clock.now(),
            audience=OPEN,
        )

    async def idle(self) -> None:
        """Return when nothing that is due is left to be done."""
        await self.keepsake.work.idle()

    async def profile(self, user_id: int = ALICE) -> str:
        """Return what was learned of a member."""
        return await self.keepsake.memory.profiles.text_of(guild_id=GUILD_ID, user_id=user_id)

    @property
    def prompts(self) -> list[str]:
        """What the model was asked, question by question."""
        return [asked.prompt for asked in self.gemini.requests_of("learn_profile")]

    async def counts(self, database: Database, user_id: int = ALICE) -> tuple[int, int]:
        """Return how many turns a member had, and how many of them no learning has covered."""
        row = await database.read(
            lambda connection: connection.fetchrow(
                "SELECT turns, unlearned FROM members WHERE guild_id = $1 AND user_id = $2", GUILD_ID, user_id
            )
        )
        assert row is not None
        return row["turns"], row["unlearned"]


def said_in(prompt: str) -> dict[str, str]:
    """Return what the member said in a prompt, by the ids of the messages."""
    return {one.short_id: one.text for one in said.said_in(prompt) if one.short_id and one.by == "u1"}


def profile_in(prompt: str) -> str:
    """Return the profile that a prompt tells."""
    found = _PROFILE.search(prompt)
    assert found is not None
    return found[1]


def numbers_in(text: str) -> list[int]:
    """Return the numbers of the messages that a text tells of."""
    return [int(number) for number in _NUMBERED.findall(text)]


def remember_all(asked: Asked) -> dict[str, object]:
    """Answer with the profile so far and everything that the member said."""
    said = " ".join(said_in(asked.prompt).values())
    numbers = sorted({*map(int, re.findall(r"\d+", profile_in(asked.prompt))), *numbers_in(said)})
    return {"profile": f"Said {', '.join(map(str, numbers))}."}


@asynccontextmanager
async def talking(
    database: Database, clock: SetClock, gemini: GeminiServer, **changes: object
) -> AsyncIterator[Talks]:
    """A process with a model for learning alone, in a guild with two members."""
    values: dict[str, object] = {
        "gemini_api_key": "key",
        "gemini_base_url": gemini.url,
        "model_chat": "",
        "model_summary": "",
        "model_memory": "",
        "model_learning": MODEL,
        "episodes": False,
    }
    settings = Settings(_env_file=None, **{**values, **changes})  # type: ignore[arg-type]
    async with assembled(settings, clock, database) as keepsake:
        await keepsake.directory.add_guild(Guild(guild_id=GUILD_ID, name="Test"))
        await keepsake.directory.put_members(
            [
                Member(guild_id=GUILD_ID, user_id=ALICE, user_name="alice"),
                Member(guild_id=GUILD_ID, user_id=BOB, user_name="bob"),
                Member(guild_id=GUILD_ID, user_id=BOT_ID, user_name="Keepsake", is_bot=True),
            ]
        )
        yield Talks(keepsake, clock, gemini)
