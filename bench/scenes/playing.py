"""Plays a scene to the bot and judges what the reply to each question is given.

Everything is as in life but for the models, which answer by script: the router takes what it is asked about for chat,
and of days, weeks and episodes the bot tells itself what it can, so that a prompt holds nothing that a good model
would have added.
"""

import functools
import random
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, TypeVar
from unittest import mock

from pydantic import BaseModel

from bench.scenes.scene import Question, Scene, chatter
from bot import app
from bot.app import Keepsake, assembled
from bot.chat import dispatch
from bot.chat.gathering import gather
from bot.chat.incoming import IncomingMessage
from bot.core.clock import SetClock
from bot.core.domain import OPEN, Channel, Guild, Member, Message, MessageKind, snowflake_at
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.llm.framing import estimated_tokens
from bot.llm.operation import ModelAnswer
from bot.llm.operation import Question as ModelQuestion
from tests.scripted_models import ScriptedModels

_GUILD_ID, _BOT_ID, _FIRST_CHANNEL, _FIRST_MEMBER = 1_000, 77, 2_000, 11
_READ_SECONDS: Final = 60.0
_BETWEEN: Final = timedelta(seconds=40)
_CHATTER_A_DAY: Final = 6
"""Messages that answer nothing, in each open channel on each day on which something is said."""
_CHATTER_BEFORE: Final = 24
"""Messages right before a question: more than a prompt always shows word for word."""

AnswerT = TypeVar("AnswerT", bound=BaseModel)


class _Models(ScriptedModels):
    """Scripted models that keep what each operation was given."""

    def __init__(self) -> None:
        super().__init__(route={"kind": "chat", "confident": True}, reply={"text": "Hm."})
        self.given: list[tuple[str, str]] = []

    async def ask(self, question: ModelQuestion[AnswerT]) -> ModelAnswer[AnswerT]:
        self.given.append((question.operation, question.prompt))
        return await super().ask(question)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the reply to one question was given."""

    scene: str
    language: str
    question: Question
    data: str
    """The data of the reply's prompt but for the question, with names in the place of ids; the answer, if code gave
    it."""
    tokens: int | None
    """Estimated tokens of the data; `None` where no model was asked to reply."""
    calls: int
    """How often a model was asked until the answer stood."""

    @property
    def missing(self) -> list[str]:
        """What a right answer needs and is not there."""
        return [need for need in self.question.needs if not re.search(need, self.data, re.IGNORECASE)]

    @property
    def leaked(self) -> list[str]:
        """What is there and must not be."""
        return [one for one in self.question.lacks if re.search(one, self.data, re.IGNORECASE)]

    @property
    def is_right(self) -> bool:
        """Whether everything is there that is needed, and nothing that must not be."""
        return not self.missing and not self.leaked


async def played(name: str, scene: Scene, database: Database) -> list[Verdict]:
    """Let the members of `scene` talk over an empty database, ask its questions, and judge each."""
    models, clock = _Models(), SetClock(scene.moment(0, 8))
    with _unhurried(models):
        async with assembled(Settings(_env_file=None), clock, database) as keepsake:
            stage = _Stage(keepsake, clock, scene)
            await stage.set_up()
            await stage.talk()
            return [
                await _asked(name, stage, number, question, models)
                for number, question in enumerate(scene.question)
            ]


@contextmanager
def _unhurried(models: ScriptedModels) -> Iterator[None]:
    """Let a reply have what it reads, however busy the machine is."""
    with (
        mock.patch.object(app, "build_models", lambda *_, **__: models),
        mock.patch.object(dispatch, "gather", functools.partial(gather, seconds=_READ_SECONDS)),
    ):
        yield


async def _asked(name: str, stage: "_Stage", number: int, question: Question, models: _Models) -> Verdict:
    await stage.chatter(question.channel, day=question.day, hour=9 + 2 * (number % 6), lines=_CHATTER_BEFORE)
    asked_before = len(models.given)
    answer = await stage.say(*question.asked(), question.channel)
    given = models.given[asked_before:]
    replies = [prompt for operation, prompt in given if operation == "reply"]
    before, marker, _ = (replies[-1] if replies else "").rpartition("<to_answer>")
    data = before.partition("<data>")[2]
    return Verdict(
        scene=name,
        language=stage.scene.language,
        question=question,
        data=_with_names(data) if marker else answer or "",
        tokens=estimated_tokens(data) if marker else None,
        calls=len(given),
    )


def _with_names(data: str) -> str:
    """Return `data` as who reads it understands it, with each member's name in the place of the short id."""
    names = dict(re.findall(r'<member id="(u\d+)" name="([^"]*)"', data))
    return re.sub(r"@?\b(u\d+)\b", lambda found: names.get(found[1], found[0]), data)


class _Stage:
    """A guild whose members say what is written for them."""

    def __init__(self, keepsake: Keepsake, clock: SetClock, scene: Scene) -> None:
        self.scene = scene
        self._keepsake = keepsake
        self._clock = clock
        self._channels: Mapping[str, int] = {
            name: number for number, name in enumerate(scene.channels, _FIRST_CHANNEL)
        }
        self._members: Mapping[str, int] = {
            name: number for number, name in enumerate(scene.members, _FIRST_MEMBER)
        }
        self._random = random.Random(1)

    async def set_up(self) -> None:
        """Take up guild, channels and members."""
        directory = self._keepsake.directory
        await directory.add_guild(Guild(guild_id=_GUILD_ID, name="Friends"))
        for name, channel_id in self._channels.items():
            await directory.put_channel(
                Channel(
                    guild_id=_GUILD_ID, channel_id=channel_id, name=name, audience=self._audience(channel_id)
                )
            )
        await directory.put_members(
            [
                Member(guild_id=_GUILD_ID, user_id=user_id, user_name=name)
                for name, user_id in self._members.items()
            ]
        )

    async def talk(self) -> None:
        """Let everything be said that stands before the questions, each channel at an hour of its own."""
        for number, talk in enumerate(self.scene.talk):
            self._later(self.scene.moment(talk.day, 10 + number % 8))
            for name, text in talk.said():
                await self.say(name, text, talk.channel)
            await self.chatter(talk.channel, day=talk.day, hour=19, lines=_CHATTER_A_DAY)
            await self._settle()

    async def chatter(self, channel: str, *, day: int, hour: int, lines: int) -> None:
        """Let `lines` messages be said that answer nothing."""
        self._later(self.scene.moment(day, hour))
        for text in self._random.sample(chatter(self.scene.language), lines):
            await self.say(self._random.choice(self.scene.members), text, channel)

    async def say(self, name: str, text: str, channel: str) -> str | None:
        """Let a member say something; return what the bot answers."""
        said = self._message(self._members[name], text, self._channels[channel])
        conversation = self._keepsake.conversation
        outcome = await conversation.hear(
            IncomingMessage(message=said, bot_id=_BOT_ID, bot_names=("Bot", "Бот"), visitor=False)
        )
        if outcome.text is not None:
            self._clock.advance(timedelta(seconds=1))
            answer = self._message(_BOT_ID, outcome.text, said.channel_id, reply_to_id=said.message_id)
            await conversation.delivered(outcome, sent=[answer])
        self._clock.advance(_BETWEEN)
        return outcome.text

    def _later(self, moment: datetime) -> None:
        """Go on at `moment`, or an hour from now where it is later than that already."""
        self._clock.set(max(moment, self._clock.now() + timedelta(hours=1)))

    def _audience(self, channel_id: int) -> int:
        closed = {self._channels[name] for name in self.scene.closed}
        return channel_id if channel_id in closed else OPEN

    def _message(
        self, user_id: int, text: str, channel_id: int, *, reply_to_id: int | None = None
    ) -> Message:
        now = self._clock.now()
        return Message(
            guild_id=_GUILD_ID,
            channel_id=channel_id,
            message_id=snowflake_at(now),
            user_id=user_id,
            text=text,
            timestamp=now,
            audience=self._audience(channel_id),
            kind=MessageKind.BOT if user_id == _BOT_ID else MessageKind.MEMBER,
            reply_to_id=reply_to_id,
        )

    async def _settle(self) -> None:
        await self._keepsake.memory.told()
        await self._keepsake.work.idle()
        await self._keepsake.memory.told()
