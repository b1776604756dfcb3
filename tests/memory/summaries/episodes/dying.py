"""A process that is to be killed while a model tells of a conversation: run with the address of a database."""

import asyncio
import sys
from datetime import datetime
from typing import TypeVar

from pydantic import BaseModel

from bot.core.clock import SetClock
from bot.db.pool import Database
from bot.llm.operation import ModelAnswer, Question
from tests.memory.summaries.episodes.talks import Talks
from tests.scripted_models import ScriptedModels

AnswerT = TypeVar("AnswerT", bound=BaseModel)


class SlowModels(ScriptedModels):
    """A model that says that it was asked, and then nothing."""

    async def ask(self, question: Question[AnswerT]) -> ModelAnswer[AnswerT]:
        print("asked", flush=True)
        await asyncio.sleep(600)
        return await super().ask(question)


async def main(dsn: str, moment: str) -> None:
    """Hold a conversation, and have it told of."""
    database = await Database.open(dsn)
    async with Talks(database, SetClock(datetime.fromisoformat(moment)), models=SlowModels()) as talks:
        await talks.talk("hello")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
