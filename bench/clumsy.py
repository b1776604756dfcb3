"""Counts what a clumsy model costs: the same days of a guild, told by a model that obeys and by one that fences, adds
ids, drops members, writes names for ids, runs over and changes the language, each in 30 % of its answers.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bench.days import opened_database
from bench.talk import Question, Talk
from bench.week import Opened, play, read_and_answer, settle, stage
from bot.core.domain import Member, Message
from bot.db.pool import Database
from tests.servers.clumsy import FALSE, FOREIGN, ClumsyModel

PLAIN: Final = "gemma-3-27b-it"
"""A model without JSON mode, tools or system instruction."""

SEEDS: Final = (1, 2, 3, 4, 5, 6)
"""One alone is chance: a few calls more or less are a tenth of all."""
MOST: Final = 1.3
"""Times the calls of a good model that a clumsy one may take."""

_NAMES: Final = ("Anna", "Bob", "Carol", "Dmitri", "Elena", "Farid")
_SENTENCES: Final = (
    "planted tomatoes behind the garden shed", "repaired the old bike of a neighbour", "cooked soup for the choir",
    "missed the train to Lyon this morning", "painted the kitchen door green", "found a kitten near the bakery",
    "read the second chapter of the sea book", "practised guitar until the strings broke", "walked up the hill at dawn",
    "bought lamps for the stage on Saturday", "baked bread with walnuts", "sorted photographs of the lake",
)  # fmt: skip

_STORED: Final = """
SELECT content AS text FROM distillations UNION ALL SELECT content FROM episodes
UNION ALL SELECT content FROM profiles UNION ALL SELECT content FROM conversation_summaries
UNION ALL SELECT memory_blob FROM user_facts UNION ALL SELECT content FROM facts
"""

_NO_MORE_PAUSES: Final = """
WITH waiting AS (UPDATE work SET due_at = clock_timestamp() RETURNING 1) SELECT count(*) FROM waiting
"""


class Neighbours(Talk):
    """Six people who tell what they did."""

    def members(self) -> list[Member]:
        """Return them by names of which each is borne by one alone."""
        return [
            Member(guild_id=self.guild.guild_id, user_id=user_id, user_name=name)
            for user_id, name in zip(self.member_ids, _NAMES, strict=True)
        ]

    def _text(self, words: float) -> str:
        return self._random.choice(_SENTENCES)


@dataclass(frozen=True, slots=True)
class Asked:
    """What some days took of one model."""

    calls: Counter[str]
    false: Sequence[str]
    """Stored texts that hold what the model made up."""
    foreign: Sequence[str]
    """Stored texts in a language that nobody spoke."""


async def asked_of(database: Database, model: ClumsyModel, *, days: int = 3) -> Asked:
    """Play some days with a model; raises `AssertionError` if a question to the bot is not answered by it."""
    talk = Neighbours(members=len(_NAMES), messages_a_day=60, questions_a_day=8)
    said = [talk.day(number) for number in range(days)]
    chosen = dict.fromkeys(("model_chat", "model_summary", "model_memory", "model_learning"), PLAIN)
    async with stage(database, **chosen) as told:
        told.gemini.answer(lambda _: True, model)

        async def ask(stage: Opened, question: Question, before: Sequence[Message]) -> None:
            await _work_done(stage, database)
            await read_and_answer(stage, question, before)
            await _work_done(stage, database)

        await settle(
            told.keepsake.memory, told.keepsake.directory, talk, now=told.clock.now(),
            after_each=lambda: _work_done(told, database),
        )  # fmt: skip
        counted = await play(told, said, ask=ask)
    rows = await database.read(lambda connection: connection.fetch(_STORED))
    texts = [row["text"] or "" for row in rows]
    return Asked(
        counted.every_call, [one for one in texts if FALSE in one], [one for one in texts if FOREIGN in one]
    )


async def _work_done(stage: Opened, database: Database) -> None:
    """Return when nothing is left to do, also of what would be tried again after a pause: how much of that falls into
    the days that are played depends on how busy the machine is.
    """
    waits = True
    while waits:
        await stage.keepsake.memory.told()
        await stage.keepsake.work.idle()
        waits = await database.write(lambda connection: connection.fetchval(_NO_MORE_PAUSES)) > 0


async def measure() -> None:
    """Play the days with each, and print how many calls they take."""
    async with opened_database() as database:
        good = await asked_of(database, ClumsyModel(share=0))
    for seed in SEEDS:
        async with opened_database() as database:
            clumsy = await asked_of(database, ClumsyModel(seed=seed))
        times = clumsy.calls.total() / good.calls.total()
        print(
            f"a clumsy model ({seed}): {clumsy.calls.total()} calls, {times:.2f} times the"
            f" {good.calls.total()} of a good one, {len(clumsy.false)} false texts stored,"
            f" {len(clumsy.foreign)} in another language"
        )
        print("  " + ", ".join(f"{name} {clumsy.calls[name]}/{good.calls[name]}" for name in clumsy.calls))


if __name__ == "__main__":
    asyncio.run(measure())
