"""A channel in which people talk with the bot, a model that keeps the numbers of what it sums up, and a worker."""

import html
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

from bot.core.domain import Message, MessageKind
from bot.db.jobs import Job, JobWorkers
from bot.db.pool import Database
from bot.memory.summaries.rolling import ConversationWindow
from tests.memory.diary import ALICE, BOB, Diary
from tests.said import said_in

BOT = 77
DECISION = "We decided that the offsite is in Lisbon on 14 May"
_SO_FAR = re.compile(r"<so_far>(.*?)</so_far>", re.DOTALL)


def sum_up(prompt: str) -> Mapping[str, object]:
    """Keep the numbers of all messages, and what was decided."""
    so_far = "".join(_SO_FAR.findall(prompt))
    said = [(one.by, one.text) for one in said_in(prompt)]
    decided = [f"@{by}: {text}." for by, text in said if "decided" in text]
    numbers = re.findall(r"#\d+", " ".join([so_far, *(text for _, text in said)]))
    kept = re.sub(r"Talk of .*", "", so_far).strip()
    return {"text": html.unescape(" ".join([kept, *decided, "Talk of", *numbers])).strip()}


async def _leave(_: Job) -> None:
    """Leave other work undone."""


class Channel:
    """A channel in which Alice, Bob and the bot talk, and the worker that sums up."""

    def __init__(self, diary: Diary, database: Database) -> None:
        self.diary = diary
        self.database = database
        self.rolling = diary.memory.rolling
        self.work = JobWorkers(
            database, {**dict.fromkeys(("narrative", "episode"), _leave), "roll": diary.memory.makers["roll"]}
        )
        self.messages: list[Message] = []

    async def say(self, count: int = 1, *, text: str = "", from_bot: bool = False) -> Message:
        """Say `count` messages, ten seconds apart, each with its number."""
        for _ in range(count):
            number = len(self.messages) + 1
            message = await self.diary.say(
                BOT if from_bot else (ALICE, BOB)[number % 2],
                text or f"#{number} something else is said",
                at=self.diary.clock.now() + timedelta(seconds=10),
                kind=MessageKind.BOT if from_bot else MessageKind.MEMBER,
            )
            self.messages.append(message)
            if from_bot:
                await self._note_answer(message)
        return message

    async def close(self) -> None:
        """Say to the bot that this is all, and have it answered."""
        closing = await self.say(text="that's all")
        await self._note_answer(replace(closing, message_id=closing.message_id + 1))
        await self.say(from_bot=True, text="Until then.")

    async def _note_answer(self, message: Message) -> None:
        """Note that the bot said `message` in answer to what was said before it."""
        await self.database.write(
            lambda connection: connection.execute(
                "INSERT INTO answers (guild_id, message_id, channel_id, user_id, route, state, holder, leased_until,"
                " parts, sent_ids, answered_at)"
                " VALUES ($1, $2, $3, $4, 'chat', 'sent', gen_random_uuid(), now(), '{ok}', $5, $6)",
                message.guild_id,
                message.message_id - 1,
                message.channel_id,
                ALICE,
                [message.message_id],
                message.timestamp,
            )
        )

    async def window(self, *, audiences: tuple[int, ...] = (0,), least: int = 20) -> ConversationWindow:
        """Return the window of a message that is said now."""
        now = self.diary.clock.now() + timedelta(seconds=1)
        message = replace(self.messages[-1], message_id=self.messages[-1].message_id + 1, timestamp=now)
        return await self.rolling.window(message, audiences=audiences, least=least)

    async def roll(self) -> None:
        """Do all the work that is asked for by now."""
        await self.rolling.settled()
        self.work.start()
        await self.work.idle()
        await self.work.stop()

    async def delete(self, *places: int) -> None:
        """Delete the messages at these places."""
        for place in places:
            await self.diary.delete(self.messages[place])

    async def summaries(self) -> list[tuple[int, int, int, bool, str]]:
        """Return what is stored: channel, audience, what it covers, whether it is degraded, text."""
        rows = await self.database.read(
            lambda connection: connection.fetch(
                "SELECT channel_id, audience, covers_up_to, degraded, content FROM conversation_summaries"
            )
        )
        return [tuple(row) for row in rows]


def numbers(text: str) -> set[int]:
    return {int(found) for found in re.findall(r"#(\d+)", text)}


async def summed_up(channel: Channel) -> ConversationWindow:
    """Have 60 messages said with the bot, and the first of them summed up."""
    await channel.say(4)
    await channel.say(text=DECISION)
    await channel.say(from_bot=True, text="Lisbon it is.")
    await channel.say(54)
    await channel.window()
    await channel.roll()
    return await channel.window()
