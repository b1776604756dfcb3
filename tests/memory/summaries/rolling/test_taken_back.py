"""Summaries are made once, from what still stands: killed, doubled, and with messages taken back meanwhile."""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import replace

import pytest

from bot.db import jobs
from bot.db.jobs import LEASE, Job, JobWorkers
from bot.llm.operation import ModelAnswer, Question
from tests.memory.diary import ALICE, GENERAL, GUILD_ID, close, open_diary
from tests.memory.summaries.rolling.channel import DECISION, Channel, numbers, sum_up, summed_up
from tests.scripted_models import AnswerT, ScriptedModels


async def test_who_is_killed_between_the_question_and_the_answer_loses_nothing(
    channel: Channel, models: ScriptedModels
) -> None:
    await channel.say(from_bot=True)
    await channel.say(60)
    await channel.window()
    await channel.rolling.settled()

    async def die(task: Job) -> None:
        models.script["roll_summary"] = asked
        await channel.diary.memory.makers["roll"](task)

    def asked(_: str) -> Mapping[str, object]:
        raise asyncio.CancelledError

    dying = JobWorkers(channel.database, {"roll": die})
    claimed = await channel.database.write(jobs.claim, lease=LEASE)
    assert claimed is not None and claimed.kind == "roll"
    with pytest.raises(asyncio.CancelledError):
        await die(claimed)
    await dying.stop()
    assert await channel.summaries() == []
    await channel.database.write(
        lambda connection: connection.execute("UPDATE work SET leased_until = now() - interval '1 s'")
    )
    models.script["roll_summary"] = sum_up
    await channel.roll()
    assert len(await channel.summaries()) == 1
    assert len(models.prompts) == 2


async def test_two_processes_at_once_make_one_summary(channel: Channel, models: ScriptedModels) -> None:
    await channel.say(from_bot=True)
    await channel.say(60)
    task = Job(guild_id=GUILD_ID, kind="roll", work_key=str(GENERAL), wanted=1, attempts=1)
    roll = channel.diary.memory.makers["roll"]
    await asyncio.gather(roll(task), roll(task))
    ((_, _, covers, _, content),) = await channel.summaries()
    assert covers == channel.messages[-21].message_id
    assert sorted(numbers(content)) == list(range(1, 42))
    await roll(task)
    assert len(models.prompts) <= 2


async def test_what_is_deleted_while_it_is_summed_up_is_not_kept(
    channel: Channel, models: ScriptedModels
) -> None:
    await channel.say(5)
    await channel.say(text=DECISION)
    await channel.say(from_bot=True)
    await channel.say(60)
    deleted = asyncio.Event()

    class Slow(ScriptedModels):
        async def ask(self, question: Question[AnswerT]) -> ModelAnswer[AnswerT]:
            if not deleted.is_set():
                deleted.set()
                await channel.delete(5)
            return await super().ask(question)

    diary = await open_diary(channel.database, channel.diary.clock, models=Slow(roll_summary=sum_up))
    task = Job(guild_id=GUILD_ID, kind="roll", work_key=str(GENERAL), wanted=1, attempts=1)
    await diary.memory.makers["roll"](task)
    await close(diary)
    ((*_, content),) = await channel.summaries()
    assert "Lisbon" not in content and numbers(content) >= {1, 5, 40}


async def test_a_message_that_fewer_may_read_takes_the_summary_along(channel: Channel) -> None:
    await summed_up(channel)
    edited = replace(
        channel.messages[4], audience=GENERAL, edited_at=channel.diary.clock.now(), text="secret"
    )
    await channel.diary.memory.ingest_message(edited)
    assert await channel.summaries() == []
    window = await channel.window(audiences=(0,))
    assert "secret" not in window.summary + " ".join(one.text for one in window.messages)


async def test_what_is_forgotten_goes_from_the_summary_and_does_not_come_back(
    channel: Channel, models: ScriptedModels
) -> None:
    def tell(prompt: str) -> Mapping[str, object]:
        (alice,) = re.findall(r'<member id="(u\d+)" name="Alice"', prompt)
        return {
            "text": f"@{alice} keeps a unicorn in the garage. They talk about #3, and something else is said."
        }

    models.script["roll_summary"] = tell
    await channel.say(2, text="I keep a unicorn in the garage")
    fact_id = await channel.diary.remember(ALICE, "I keep a unicorn in the garage")
    await summed_up(channel)
    assert "unicorn" in (await channel.window()).summary
    await channel.diary.memory.forget(guild_id=GUILD_ID, fact_ids=[fact_id])
    assert all("unicorn" not in row[-1] for row in await channel.summaries())
    for _ in range(2):
        await channel.say(25)
        await channel.window()
        await channel.roll()
        assert (await channel.window()).summary == "They talk about #3, and something else is said."


async def test_what_is_forgotten_while_it_is_summed_up_is_not_kept(
    channel: Channel, models: ScriptedModels
) -> None:
    await channel.say(2, text="I keep a unicorn in the garage")
    fact_id = await channel.diary.remember(ALICE, "I keep a unicorn in the garage")
    await channel.say(from_bot=True)
    await channel.say(60)
    forgotten = asyncio.Event()

    class Slow(ScriptedModels):
        async def ask(self, question: Question[AnswerT]) -> ModelAnswer[AnswerT]:
            answer = await super().ask(question)
            if not forgotten.is_set():
                forgotten.set()
                await channel.diary.memory.forget(guild_id=GUILD_ID, fact_ids=[fact_id])
            return answer

    def tell(prompt: str) -> Mapping[str, object]:
        # It goes on to tell so whatever it is shown.
        (alice,) = re.findall(r'<member id="(u\d+)" name="Alice"', prompt)
        return {
            "text": f"@{alice} keeps a unicorn in the garage. They talk about #3, and something else is said."
        }

    diary = await open_diary(channel.database, channel.diary.clock, models=Slow(roll_summary=tell))
    task = Job(guild_id=GUILD_ID, kind="roll", work_key=str(GENERAL), wanted=1, attempts=1)
    await diary.memory.makers["roll"](task)
    await close(diary)
    ((*_, content),) = await channel.summaries()
    assert content == "They talk about #3, and something else is said."


async def test_a_summary_does_not_outlive_the_messages_that_retention_takes(channel: Channel) -> None:
    assert (await summed_up(channel)).summary
    await channel.database.write(
        lambda connection: connection.execute(
            "DELETE FROM chat_history WHERE message_id = ANY($1::bigint[])",
            [message.message_id for message in channel.messages[:10]],
        )
    )
    window = await channel.window()
    assert window.summary == ""
    assert [one.message_id for one in window.messages] == [one.message_id for one in channel.messages[10:]]
    await channel.roll()
    assert "Lisbon on" not in (await channel.window()).summary
