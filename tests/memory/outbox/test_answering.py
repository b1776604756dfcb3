"""Answers: one holder at a time, what was written down is sent, what was taken over is not sent twice."""

import asyncio
from datetime import timedelta

import pytest

from bot.app import Keepsake
from bot.core.errors import ForgottenMeanwhileError
from bot.db.pool import Connection, Database
from bot.memory.outbox import answers as outbox_answers
from bot.memory.outbox import repository
from bot.memory.outbox.answers import Claim, WrittenAnswer
from bot.memory.outbox.circumstances import OpenQuestion
from bot.memory.rights.forgetting import withholding
from tests.databases import until_awaited
from tests.memory.policy.test_forgetting import message

ANSWER = WrittenAnswer(route="remember", parts=("Remembered.",))
QUESTION = message(2, "when did we talk about wifi?")
QUOTING = WrittenAnswer(route="search", parts=("hunter2",), quoted_ids=(1,))


async def test_a_message_is_claimed_once(keepsake: Keepsake) -> None:
    answers = keepsake.memory.answers
    assert await answers.claim(message(1, "hello")) is not None
    assert await answers.claim(message(1, "hello")) is None


async def test_a_claim_whose_holder_died_is_taken_over_and_the_dead_may_not_write(
    keepsake: Keepsake, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = keepsake.memory.answers
    monkeypatch.setattr(outbox_answers, "CLAIM_LEASE", timedelta(0))
    slow = await answers.claim(message(1, "hello"))
    next_one = await answers.claim(message(1, "hello"))
    assert slow is not None
    assert next_one is not None
    assert await answers.write(message(1, "hello"), slow, ANSWER) is None
    assert await answers.write(message(1, "hello"), next_one, ANSWER) == ANSWER


async def test_what_was_written_down_and_not_sent_is_handed_to_who_comes_next(
    keepsake: Keepsake, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = keepsake.memory.answers
    monkeypatch.setattr(outbox_answers, "CLAIM_LEASE", timedelta(0))
    first = await answers.claim(message(1, "hello"))
    assert first is not None
    await answers.write(message(1, "hello"), first, ANSWER)
    second = await answers.claim(message(1, "hello"))
    assert second is not None
    assert second.unsent == ("Remembered.",)
    await keepsake.memory.turns.sent(guild_id=1, message_id=1, sent_ids=[2])
    assert await answers.claim(message(1, "hello")) is None


async def test_a_question_is_settled_by_one_message_however_often_that_is_tried(keepsake: Keepsake) -> None:
    answers = keepsake.memory.answers
    claim = await answers.claim(message(1, "which?"))
    assert claim is not None
    asking = WrittenAnswer(
        route="remember", parts=("Which?",), question=OpenQuestion(text="remember", choices=(1, 2))
    )
    await answers.write(message(1, "which?"), claim, asking)
    question = (await answers.circumstances(message(2, "1"), with_question=True)).question
    assert question is not None
    assert await answers.settle(question, message(2, "1"))
    assert await answers.settle(question, message(2, "1"))
    assert not await answers.settle(question, message(3, "2"))
    assert (await answers.circumstances(message(4, "1"), with_question=True)).question is None


async def test_a_deleted_message_is_no_longer_quoted(keepsake: Keepsake, database: Database) -> None:
    answers = keepsake.memory.answers
    claim = await claimed_over_wifi(keepsake)
    await answers.write(QUESTION, claim, QUOTING)
    await keepsake.memory.turns.sent(guild_id=1, message_id=2, sent_ids=[3])
    await keepsake.memory.ingest_message(message(3, "hunter2", user_id=77))
    await keepsake.memory.ingest_deletion(guild_id=1, channel_id=2, message_ids=[1])
    for table in ("answers", "chat_history"):
        assert "hunter2" not in await whole(database, table)


async def test_what_is_deleted_before_an_answer_that_quotes_it_is_written_is_not_told(
    keepsake: Keepsake, database: Database
) -> None:
    answers = keepsake.memory.answers
    claim = await claimed_over_wifi(keepsake)
    await keepsake.memory.ingest_deletion(guild_id=1, channel_id=2, message_ids=[1])
    with pytest.raises(ForgottenMeanwhileError):
        await answers.write(QUESTION, claim, QUOTING)
    assert not await answers.begin(QUESTION, claim, QUOTING, memory_epoch=0)
    assert "hunter2" not in await whole(database, "answers")


async def test_what_is_being_forgotten_while_an_answer_that_quotes_it_is_written_is_not_told(
    keepsake: Keepsake, database: Database
) -> None:
    answers = keepsake.memory.answers
    claim = await claimed_over_wifi(keepsake)

    async def forget(connection: Connection) -> "asyncio.Task[WrittenAnswer | None]":
        # Answers are looked for before the message loses its text: until then it is held.
        await repository.wipe_answers(connection, guild_id=1, fact_ids=(), message_ids=[1])
        writing = asyncio.create_task(answers.write(QUESTION, claim, QUOTING))
        await until_awaited(connection, writing.done)
        await withholding.withhold(connection, guild_id=1, message_ids=[1], now=keepsake.clock.now())
        return writing

    with pytest.raises(ForgottenMeanwhileError):
        await (await database.write(forget))
    assert "hunter2" not in await whole(database, "answers")


async def claimed_over_wifi(keepsake: Keepsake) -> Claim:
    """Return the claim of the answer to `QUESTION`, with what that may quote heard before."""
    await keepsake.memory.ingest_message(message(1, "the wifi password is hunter2"))
    claim = await keepsake.memory.answers.claim(QUESTION)
    assert claim is not None
    return claim


async def whole(database: Database, table: str) -> str:
    """Return a whole table as text."""
    query = f"SELECT string_agg(t::text, ' ') FROM {table} t"
    text: str = await database.read(lambda connection: connection.fetchval(query))
    return text
