"""Plays days of a made-up guild to the bot, and counts what it asks models for."""

import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from pydantic import SecretStr

from bench.stage import READ_SECONDS, unhurried
from bench.talk import BEGINS, GUILD_ID, Day, Question, Talk
from bench.telling import CONVERSATION_OPERATIONS, EPISODE_OPERATIONS, MEMORY_OPERATIONS, teach
from bot.app import Keepsake, assembled
from bot.chat.gathering import LAST_MESSAGES
from bot.chat.incoming import IncomingMessage
from bot.chat.participants import MOST_MEMBERS
from bot.core.clock import SetClock
from bot.core.domain import Message, MessageKind, snowflake_at
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.memory.facts.statements import Note
from bot.memory.manager import MemoryManager
from bot.memory.members.directory import Directory
from tests.servers.asked import Asked, shared_beginning, tokens_of
from tests.servers.gemini import GeminiServer

_BOT_ID: Final = 77

_FACTS_EACH: Final = 5

_QUESTIONS_TO_A_FACT: Final = 5
"""After so many questions somebody has something remembered."""

_LAST_WORD: Final = re.compile(r" (x[0-9a-f]+)\??$", re.MULTILINE)

Ask = Callable[["Opened", Question, Sequence[Message]], Awaitable[None]]
"""Has a question asked, with the messages before it in its channel."""


@dataclass
class Opened:
    """The bot, its clock and its models."""

    keepsake: Keepsake
    clock: SetClock
    gemini: GeminiServer


@dataclass
class Counted:
    """What was asked for in some days.

    `calls` and `tokens` are those of days, weeks, contexts and facts; what replies and conversations take beside
    them stands in `every_call` and `every_token`.
    """

    heard: int = 0
    questions: int = 0
    calls: Counter[str] = field(default_factory=Counter)
    """By operation."""
    tokens: Counter[str] = field(default_factory=Counter)
    """Prompt tokens, by operation."""
    every_call: Counter[str] = field(default_factory=Counter)
    """Calls of all operations."""
    every_token: Counter[str] = field(default_factory=Counter)
    """Tokens of prompts and answers, of all operations."""
    stable: dict[str, int] = field(default_factory=dict)
    """Tokens with which all prompts of an operation begin alike."""
    cached: Counter[str] = field(default_factory=Counter)
    """Tokens that a provider still had from the prompt before, by operation."""
    refreshes: list[datetime] = field(default_factory=list)
    """When the current day was told, or told on."""
    most_often_sent: int = 0
    """How often the message was sent that was sent most often."""

    @property
    def calls_each(self) -> float:
        """Calls for each message heard."""
        return self.calls.total() / self.heard

    @property
    def tokens_each(self) -> float:
        """Prompt tokens for each message heard."""
        return self.tokens.total() / self.heard

    @property
    def talk_tokens_each(self) -> float:
        """Tokens for each message heard that go into what conversations leave: summaries, episodes, profiles."""
        return sum(self.every_token[operation] for operation in CONVERSATION_OPERATIONS) / self.heard

    @property
    def share_of_episodes(self) -> float:
        """The share of making episodes and of making room for them in all tokens."""
        episodes = sum(self.every_token[operation] for operation in EPISODE_OPERATIONS)
        return episodes / self.every_token.total()

    @property
    def share_of_episodes_when_full(self) -> float:
        """The same where room has to be made for every episode, as in channels that have all they may have."""
        made, room = EPISODE_OPERATIONS
        if not self.every_call[room]:
            return self.share_of_episodes
        further = self.every_call[made] - self.every_call[room]
        more = further * self.every_token[room] / self.every_call[room]
        episodes = self.every_token[made] + self.every_token[room] + more
        return episodes / (self.every_token.total() + more)


@asynccontextmanager
async def stage(database: Database, **settings: str) -> AsyncIterator[Opened]:
    """Open the bot on `database` with the models of its default settings, on the loopback."""
    clock = SetClock(BEGINS)
    async with GeminiServer() as gemini:
        teach(gemini)
        chosen = Settings(
            _env_file=None,
            gemini_api_key=SecretStr("x"),
            gemini_base_url=gemini.url,
            **settings,  # type: ignore[arg-type]
        )
        with unhurried():
            async with assembled(chosen, clock, database) as keepsake:
                yield Opened(keepsake, clock, gemini)


async def settle(
    memory: MemoryManager,
    directory: Directory,
    talk: Talk,
    *,
    now: datetime,
    after_each: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """Make the guild and its members known, with some facts about each, and wait for `after_each` of those."""
    await directory.add_guild(talk.guild)
    await directory.put_members(talk.members())
    for user_id in talk.member_ids:
        for statement in talk.statements(user_id, _FACTS_EACH):
            await _remember(memory, user_id, statement, now=now)
            if after_each is not None:
                await after_each()


async def _remember(memory: MemoryManager, user_id: int, statement: str, *, now: datetime) -> None:
    await memory.remember(
        Note(
            guild_id=GUILD_ID, subject_id=user_id, author_id=user_id, speaker_id=user_id, audience=0,
            statement=statement, channel_id=1, message_id=1, cause=f"x:{statement}", said_at=now, time_zone="UTC",
        )
    )  # fmt: skip


async def read_and_answer(stage: Opened, question: Question, before: Sequence[Message]) -> None:
    """Read what a reply is given, however long it takes, and then have the question answered."""
    await read_memories(stage, question, before)
    await answer(stage, question, before)


async def answer(stage: Opened, question: Question, before: Sequence[Message]) -> None:
    """Have the question answered as a face does."""
    conversation = stage.keepsake.conversation
    outcome = await conversation.hear(
        IncomingMessage(message=question.message, bot_id=_BOT_ID, bot_names=("Bot",), paced=False)
    )
    if outcome.text is None or outcome.degraded:
        raise AssertionError("a question was not answered by a model")
    said = replace(
        question.message,
        message_id=question.message.message_id + (1 << 21),
        user_id=_BOT_ID,
        text=outcome.text,
        kind=MessageKind.BOT,
        reply_to_id=question.message.message_id,
    )
    await conversation.delivered(outcome, sent=[said])


async def read_memories(stage: Opened, question: Question, before: Sequence[Message]) -> None:
    """Read what a reply is given: of who asks, who is named, and who spoke last in the channel."""
    speakers = dict.fromkeys(
        (
            question.message.user_id,
            *question.mentioned,
            *(message.user_id for message in reversed(before[-LAST_MESSAGES:])),
        )
    )
    await stage.keepsake.memory.get_memories_of(
        question.message.guild_id, list(speakers)[:MOST_MEMBERS], seconds=READ_SECONDS
    )


async def play(stage: Opened, days: Sequence[Day], *, ask: Ask = read_and_answer) -> Counted:
    """Say all of `days`, questions included, and one more question on the morning after: then the last day is over."""
    await stage.keepsake.work.idle()
    stage.gemini.calls.clear()
    counted = Counted()
    said: list[Message] = []
    for day in days:
        questions = {question.message.message_id: question for question in day.questions}
        waiting: list[Message] = []
        for message in day.messages:
            waiting.append(message)
            question = questions.get(message.message_id)
            if question is not None:
                await _hear(stage, waiting, at=message.timestamp)
                waiting.clear()
                await _ask(stage, question, said, ask, counted)
                if not counted.questions % _QUESTIONS_TO_A_FACT:
                    statement = f"I keep {message.text}"
                    await _remember(stage.keepsake.memory, message.user_id, statement, now=message.timestamp)
                    await stage.keepsake.work.idle()
            said.append(message)
        await _hear(stage, waiting, at=day.messages[-1].timestamp)
        counted.heard += len(day.messages)
    morning = days[-1].begins + timedelta(days=1, hours=8)
    stage.clock.set(morning)
    last = days[-1].questions[-1]
    later = replace(last.message, message_id=snowflake_at(morning), timestamp=morning)
    await _ask(stage, replace(last, message=later), said, ask, counted)
    _count(stage.gemini, counted)
    return counted


async def _hear(stage: Opened, messages: Sequence[Message], *, at: datetime) -> None:
    stage.clock.set(at)
    if messages:
        await stage.keepsake.memory.ingest_messages(messages)


async def _ask(
    stage: Opened, question: Question, said: Sequence[Message], ask: Ask, counted: Counted
) -> None:
    before = [message for message in said[-500:] if message.channel_id == question.message.channel_id]
    told = len(_days_told(stage.gemini.calls))
    await ask(stage, question, before)
    await stage.keepsake.memory.told()
    await stage.keepsake.work.idle()
    today = f"<day>{stage.clock.now().astimezone(UTC).date().isoformat()}"
    if any(today in call.prompt for call in _days_told(stage.gemini.calls)[told:]):
        counted.refreshes.append(stage.clock.now())
    counted.questions += 1


def _days_told(calls: Sequence[Asked]) -> list[Asked]:
    return [call for call in calls if "For one day of it" in call.prompt]


def _count(gemini: GeminiServer, counted: Counted) -> None:
    sent: Counter[str] = Counter()
    prompts: dict[str, list[str]] = {}
    for call in gemini.calls:
        operation = call.operation
        if operation is None:
            raise AssertionError("a prompt of no known operation")
        counted.every_call[operation] += 1
        counted.every_token[operation] += call.tokens + tokens_of(call.answer or "")
        counted.cached[operation] += call.cached
        prompts.setdefault(operation, []).append(call.prompt)
        if operation not in MEMORY_OPERATIONS:
            continue
        counted.calls[operation] += 1
        counted.tokens[operation] += call.tokens
        if operation == "summarise_day":
            # The last word of every message of a member is its own.
            sent.update(_LAST_WORD.findall(call.prompt))
    counted.most_often_sent = max(sent.values(), default=0)
    counted.stable = {name: tokens_of(shared_beginning(said)) for name, said in prompts.items()}
