"""What is taken back is in no episode any more; what goes with a channel, and what is removed by hand."""

import asyncio
import logging
from collections.abc import Mapping
from typing import TypeVar

import pytest
from pydantic import BaseModel

from bot.core.clock import SetClock
from bot.core.domain import Message
from bot.core.errors import ForgottenMeanwhileError
from bot.core.settings import Settings
from bot.db.pool import Connection, Database
from bot.llm.operation import ModelAnswer, Question
from bot.memory.facts.statements import Note
from bot.memory.outbox.answers import WrittenAnswer
from bot.memory.summaries import repository_episodes
from tests.databases import until_awaited
from tests.memory.summaries.episodes.talks import (
    ALICE,
    GENERAL,
    GUILD,
    NOTE,
    RANDOM,
    Talks,
    always_edit,
    tell,
)
from tests.scripted_models import ScriptedModels

AnswerT = TypeVar("AnswerT", bound=BaseModel)


async def delete(talks: Talks, *messages: Message) -> None:
    await talks.memory.ingest_deletion(
        guild_id=GUILD,
        channel_id=messages[0].channel_id,
        message_ids=[message.message_id for message in messages],
    )


async def test_a_deleted_message_takes_the_episode_along_which_is_told_anew_from_what_is_left(
    database: Database, clock: SetClock
) -> None:
    async with Talks(database, clock) as talks:
        secret = await talks.say("the treasure is under the oak")
        await talks.answer(await talks.say("and we meet at noon"), "I see")
        await talks.end()
        talks.models.script["make_episode"] = None
        await delete(talks, secret)
        assert await talks.kept() == []
        await talks.done()
        assert await talks.kept() == []
        talks.models.script["make_episode"] = tell
        await database.write(lambda connection: connection.execute("UPDATE work SET due_at = now()"))
        talks.work.wake()
        await talks.done()
        (text,) = await talks.texts()
        assert "noon" in text
        assert "treasure" not in text
        asked = len(talks.asked("make"))
        await delete(talks, secret)
        await talks.done()
        assert len(talks.asked("make")) == asked


async def test_an_episode_that_was_told_from_a_summary_goes_with_what_the_summary_told(
    database: Database, clock: SetClock
) -> None:
    def retell(prompt: str) -> Mapping[str, object]:
        return {"text": "It is about the treasure." if "treasure" in prompt else "It is about the fence."}

    async with Talks(database, clock) as talks:
        talks.models.script["make_episode"] = retell
        first = await talks.say("hello")
        # A command is no part of the talk, but the summary of the talk may tell of it.
        command = await talks.say("Bot, remember that the treasure is under the oak")
        await talks.answer(command, "Remembered.", route="remember")
        for number in range(8):
            covered = await talks.say(f"the fence has {number} planks")
        await talks.answer(await talks.say("and it is green"), "I see")
        await sum_up(talks, first, covered, "The treasure is under the oak.")
        await talks.end()
        assert await talks.texts() == ["It is about the treasure."]
        await delete(talks, command)
        assert await talks.texts() == []
        await talks.done()
        assert await talks.texts() == ["It is about the fence."]


async def sum_up(talks: Talks, first: Message, covered: Message, content: str) -> None:
    """Keep a summary of a conversation from `first` to `covered`."""
    await talks.database.write(
        lambda connection: connection.execute(
            "INSERT INTO conversation_summaries (guild_id, channel_id, conversation_id, audience, content,"
            " covers_up_to, updated_at) VALUES ($1, $2, $3, 0, $4, $5, $6)",
            first.guild_id,
            first.channel_id,
            first.message_id,
            content,
            covered.message_id,
            covered.timestamp,
        )
    )


async def test_a_merged_episode_goes_with_a_message_of_any_of_its_conversations(
    database: Database, clock: SetClock
) -> None:
    settings = Settings(_env_file=None, episodes_per_channel=2)
    async with Talks(database, clock, settings=settings) as talks:
        await talks.talk("the first talk")
        await talks.talk("the second talk")
        third = await talks.talk("the third talk, of the treasure")
        assert [len(one.merged_from) for one in await talks.kept()] == [0, 1]
        await delete(talks, third)
        await talks.done()
        told = " ".join(await talks.texts())
        assert "treasure" not in told
        assert "the second talk" in told
        assert len(await talks.kept()) == 2


@pytest.mark.parametrize("fate", ["stands", "went into another", "made room", "went for its age"])
async def test_an_answer_that_told_an_episode_goes_with_it(
    database: Database, clock: SetClock, fate: str
) -> None:
    async with Talks(database, clock) as talks:
        await talks.talk("the first talk")
        secret = await talks.talk("the treasure is under the oak")
        episode, older = await talks.kept()
        asking = await talks.say("Bot, when did we talk about treasure?")
        answers = talks.memory.answers
        claim = await answers.claim(asking)
        assert claim is not None
        telling = WrittenAnswer(route="search", parts=(episode.content,), episode_ids=(episode.episode_id,))
        assert await answers.write(asking, claim, telling) is not None
        if fate == "went into another":
            await database.write(
                repository_episodes.merge_episodes,
                target=older,
                merged=episode,
                content="Two talks.",
                audience=0,
                now=clock.now(),
            )
        elif fate == "made room":
            assert await talks.episodes.purge(
                guild_id=GUILD, channel_id=GENERAL, episode_id=episode.episode_id
            )
        elif fate == "went for its age":
            await database.write(
                lambda connection: connection.execute(
                    "DELETE FROM episodes WHERE episode_id = $1", episode.episode_id
                )
            )
        await delete(talks, secret)
        written = await answers.to_message(guild_id=GUILD, message_id=asking.message_id)
        assert written is not None
        assert written.parts == ()
        later = await talks.say("Bot, and again?")
        claim = await answers.claim(later)
        assert claim is not None
        with pytest.raises(ForgottenMeanwhileError):
            await answers.write(later, claim, telling)


async def test_what_is_deleted_while_its_episode_goes_into_another_is_not_told_by_that(
    database: Database, clock: SetClock
) -> None:
    async with Talks(database, clock) as talks:
        await talks.talk("the first talk")
        secret = await talks.talk("the treasure is under the oak")
        merged, target = await talks.kept()

        async def merge(connection: Connection) -> "asyncio.Task[None]":
            await repository_episodes.merge_episodes(
                connection,
                target=target,
                merged=merged,
                content=f"{target.content} {merged.content}",
                audience=0,
                now=clock.now(),
            )
            deleting = asyncio.create_task(delete(talks, secret))
            await until_awaited(connection, deleting.done)
            return deleting

        await (await database.write(merge))
        assert "treasure" not in " ".join(await talks.texts())


async def test_what_takes_the_place_of_two_repeats_no_third_that_goes(
    database: Database, clock: SetClock
) -> None:
    def everything(prompt: str) -> Mapping[str, object]:
        notes = NOTE.findall(prompt)
        return {"action": "edit", "target": notes[1][0], "text": " ".join(text for _, _, text in notes)}

    settings = Settings(_env_file=None, episodes_per_channel=2)
    async with Talks(database, clock, settings=settings) as talks:
        talks.models.script["compact_episodes"] = everything
        first = await talks.talk("the first talk, of the treasure")
        await talks.talk("the second talk")
        await talks.talk("the third talk")
        assert [len(one.merged_from) for one in await talks.kept()] == [1, 0]
        await delete(talks, first)
        await talks.done()
        told = " ".join(await talks.texts())
        assert "treasure" not in told
        assert "the second talk" in told
        assert "the third talk" in told


async def test_when_all_is_deleted_nothing_is_left_to_tell(database: Database, clock: SetClock) -> None:
    async with Talks(database, clock) as talks:
        first = await talks.talk("hello")
        await delete(talks, first)
        await talks.done()
        assert await talks.kept() == []
        assert len(talks.asked("make")) == 1


async def test_what_is_forgotten_is_in_no_episode(database: Database, clock: SetClock) -> None:
    async with Talks(database, clock) as talks:
        said = await talks.say("I like pineapple pizza")
        await talks.answer(said, "who does not")
        await talks.answer(await talks.say("see you at noon"), "see you")
        await talks.end()
        assert "pineapple" in (await talks.texts())[0]
        stored = await talks.memory.remember(liking(said))
        assert stored.fact_id is not None
        await talks.memory.forget(guild_id=GUILD, fact_ids=[stored.fact_id], author_ids=[ALICE])
        assert "pineapple" not in " ".join(await talks.texts())
        await talks.done()
        (text,) = await talks.texts()
        assert "noon" in text
        assert "pineapple" not in text


class DeletingModels(ScriptedModels):
    """A model during whose first answer a message is deleted."""

    talks: Talks
    message: Message | None = None

    async def ask(self, question: Question[AnswerT]) -> ModelAnswer[AnswerT]:
        answer = await super().ask(question)
        if self.message is not None:
            message, self.message = self.message, None
            await delete(self.talks, message)
        return answer


async def test_what_is_deleted_while_a_model_tells_of_it_is_not_stored(
    database: Database, clock: SetClock
) -> None:
    models = DeletingModels(make_episode=tell, compact_episodes=always_edit)
    async with Talks(database, clock, models=models) as talks:
        models.talks = talks
        models.message = await talks.say("the treasure is under the oak")
        await talks.answer(await talks.say("and we meet at noon"), "I see")
        await talks.end()
        (text,) = await talks.texts()
        assert "treasure" not in text
        assert len(talks.asked("make")) == 2


async def test_what_is_forgotten_while_a_model_tells_of_it_is_not_stored(
    database: Database, clock: SetClock
) -> None:
    class Forgetting(ScriptedModels):
        async def ask(self, question: Question[AnswerT]) -> ModelAnswer[AnswerT]:
            answer = await super().ask(question)
            if question.operation == "make_episode" and fact_ids:
                await talks.memory.forget(guild_id=GUILD, fact_ids=[fact_ids.pop()])
            return answer

    fact_ids: list[int] = []
    text = "@u1 likes pineapple pizza. They agreed to see each other at noon."
    models = Forgetting(make_episode={"text": text})
    async with Talks(database, clock, models=models) as talks:
        said = await talks.say("I like pineapple pizza")
        stored = await talks.memory.remember(liking(said))
        assert stored.fact_id is not None
        fact_ids.append(stored.fact_id)
        await talks.answer(await talks.say("see you at noon"), "see you")
        await talks.end()
        assert await talks.texts() == ["They agreed to see each other at noon."]


def liking(said: Message) -> Note:
    """Return what somebody wants to have remembered who said that they like pineapple pizza."""
    return Note(
        guild_id=GUILD,
        subject_id=ALICE,
        author_id=ALICE,
        speaker_id=ALICE,
        audience=0,
        statement="I like pineapple pizza",
        channel_id=GENERAL,
        message_id=said.message_id,
        cause=f"m:{said.message_id}",
        said_at=said.timestamp,
        time_zone="UTC",
    )


async def test_what_is_deleted_while_a_model_makes_room_is_not_stored(
    database: Database, clock: SetClock
) -> None:
    models = DeletingModels(make_episode=tell)
    settings = Settings(_env_file=None, episodes_per_channel=1)
    async with Talks(database, clock, models=models, settings=settings) as talks:
        models.talks = talks
        first = await talks.talk("the treasure is under the oak")

        def edit(_: str) -> dict[str, object]:
            if not models.script.get("deleted"):
                models.script["deleted"] = {"yes": True}
                models.message = first
            return {"action": "edit", "target": "e2", "text": "It is under the oak, they meet at noon."}

        models.script["compact_episodes"] = edit
        await talks.talk("and we meet at noon")
        assert "oak" not in " ".join(await talks.texts())


@pytest.mark.parametrize("purges", [False, True])
async def test_a_deleted_channel_keeps_its_episodes_unless_they_are_to_be_purged(
    database: Database, clock: SetClock, caplog: pytest.LogCaptureFixture, purges: bool
) -> None:
    settings = Settings(_env_file=None, purge_episodes_of_deleted_channels=purges)
    async with Talks(database, clock, settings=settings) as talks:
        await talks.talk("one")
        await talks.talk("two")
        await talks.talk("elsewhere", channel_id=RANDOM)
        await talks.answer(await talks.say("unfinished"), "as much is")
        with caplog.at_level(logging.INFO, logger="bot.memory"):
            await talks.directory.drop_channels(guild_id=GUILD, channel_ids=[GENERAL], at=clock.now())
        assert len(await talks.kept()) == (0 if purges else 2)
        assert ("2 episodes went with 1 channels" in caplog.text) == purges
        await talks.end()
        assert len(await talks.kept()) == (0 if purges else 3)
        assert len(await talks.kept(RANDOM)) == 1


async def test_what_is_removed_by_hand_does_not_come_back(database: Database, clock: SetClock) -> None:
    async with Talks(database, clock) as talks:
        for number in range(3):
            await talks.talk(f"talk {number}")
        await talks.talk("elsewhere", channel_id=RANDOM)
        one = (await talks.kept())[0]
        elsewhere = (await talks.kept(RANDOM))[0]
        here = {"guild_id": GUILD, "channel_id": GENERAL}
        assert not await talks.episodes.remove(**here, episode_id=elsewhere.episode_id, audiences=(0,))
        assert not await talks.episodes.remove(**here, episode_id=one.episode_id, audiences=(7,))
        assert await talks.episodes.remove(**here, episode_id=one.episode_id, audiences=(0,))
        assert not await talks.episodes.remove(**here, episode_id=one.episode_id, audiences=(0,))
        assert await talks.episodes.purge(**here) == 2
        await talks.end()
        assert await talks.kept() == []
        assert len(await talks.kept(RANDOM)) == 1


async def test_the_log_tells_ids_and_counts_and_never_what_was_said(
    database: Database, clock: SetClock, caplog: pytest.LogCaptureFixture
) -> None:
    settings = Settings(_env_file=None, episodes_per_channel=1)
    with caplog.at_level(logging.DEBUG, logger="bot.memory"):
        async with Talks(database, clock, settings=settings) as talks:
            await talks.talk("the treasure")
            await talks.talk("under the oak")
            (merged,) = await talks.kept()
            talks.models.script["make_episode"] = None
            await talks.talk("at noon")
    assert "treasure" not in caplog.text
    assert "oak" not in caplog.text
    assert "noon" not in caplog.text
    for told in (
        f"channel {GENERAL} of guild {GUILD}: make_episode from 2 messages",
        f"channel {GENERAL} of guild {GUILD}: edited episode {merged.episode_id}",
        f"channel {GENERAL} of guild {GUILD}: 1 episodes read",
        ", by no model",
    ):
        assert told in caplog.text
