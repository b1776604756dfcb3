"""Plays a scene to the bot and judges what the reply to each question is given.

Everything is as in life but for the models, which answer by script: the router takes what it is asked about for chat,
and of days, weeks and episodes the bot tells itself what it can, so that a prompt holds nothing that a good model
would have added.
"""

import random
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, TypeVar

from pydantic import BaseModel

from bench.scenes.scene import Question, Scene, chatter
from bench.stage import Stage, unhurried
from bot.app import Keepsake, assembled
from bot.core.clock import SetClock
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.llm.framing import estimated_tokens
from bot.llm.operation import ModelAnswer
from bot.llm.operation import Question as ModelQuestion
from tests.scripted_models import ScriptedModels

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
    with unhurried(models):
        async with assembled(Settings(_env_file=None), clock, database) as keepsake:
            stage = _SceneStage(keepsake, clock, scene)
            await stage.set_up()
            await stage.talk()
            return [
                await _asked(name, stage, number, question, models)
                for number, question in enumerate(scene.question)
            ]


async def _asked(
    name: str, stage: "_SceneStage", number: int, question: Question, models: _Models
) -> Verdict:
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


class _SceneStage(Stage):
    """The guild of a scene."""

    def __init__(self, keepsake: Keepsake, clock: SetClock, scene: Scene) -> None:
        super().__init__(
            keepsake, clock, members=scene.members, channels=scene.channels, closed_channels=scene.closed
        )
        self.scene = scene
        self._random = random.Random(1)

    async def talk(self) -> None:
        """Let everything be said that stands before the questions, each channel at an hour of its own."""
        for number, talk in enumerate(self.scene.talk):
            self._later(self.scene.moment(talk.day, 10 + number % 8))
            for name, text in talk.said():
                await self.say(name, text, talk.channel)
            await self.chatter(talk.channel, day=talk.day, hour=19, lines=_CHATTER_A_DAY)
            await self.settle()

    async def chatter(self, channel: str, *, day: int, hour: int, lines: int) -> None:
        """Let `lines` messages be said that answer nothing."""
        self._later(self.scene.moment(day, hour))
        for text in self._random.sample(chatter(self.scene.language), lines):
            await self.say(self._random.choice(self.scene.members), text, channel)

    def _later(self, moment: datetime) -> None:
        """Go on at `moment`, or an hour from now where it is later than that already."""
        self.clock.set(max(moment, self.clock.now() + timedelta(hours=1)))
