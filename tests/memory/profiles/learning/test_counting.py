"""When somebody is learned about: after so many turns, once, whatever is repeated, fails or dies."""

import asyncio
import logging

import pytest

from bot.core.clock import SetClock
from bot.db.pool import Database
from tests.memory.profiles.learning.talks import ALICE, BOB, GUILD_ID, Talks, numbers_in, profile_in, talking
from tests.servers.faults import Fault
from tests.servers.gemini import GeminiServer


async def test_twenty_turns_are_one_learning_and_nineteen_are_none(talks: Talks, database: Database) -> None:
    await talks.turns(19)
    assert talks.prompts == []
    assert await talks.counts(database) == (19, 19)
    await talks.turns(1)
    assert len(talks.prompts) == 1
    assert await talks.counts(database) == (20, 0)
    assert await talks.profile() == f"Said {', '.join(map(str, range(1, 21)))}."


async def test_everybody_is_counted_for_themselves(talks: Talks, database: Database) -> None:
    await talks.turns(19)
    await talks.turns(19, BOB)
    assert talks.prompts == []
    assert await talks.counts(database, BOB) == (19, 19)


async def test_twenty_turns_at_once_in_two_processes_are_one_learning(
    talks: Talks, database: Database, clock: SetClock, gemini: GeminiServer
) -> None:
    answers = [await talks.write(await talks.ask(f"message number {number}"), "Yes") for number in range(20)]
    async with talking(database, clock, gemini) as other:
        both = [talks.keepsake, other.keepsake]
        await asyncio.gather(
            *(talks.sent(answer, keepsake=both[at % 2]) for at, answer in enumerate(answers))
        )
        await asyncio.gather(talks.idle(), other.idle())
    assert len(talks.prompts) == 1
    assert await talks.counts(database) == (20, 0)
    assert numbers_in(talks.prompts[0]) == list(range(20))


async def test_an_answer_is_one_turn_however_often_it_is_noted_as_sent(
    talks: Talks, database: Database
) -> None:
    answer = await talks.write(await talks.ask("hello"), "Hi")
    await asyncio.gather(*(talks.sent(answer) for _ in range(5)))
    assert await talks.counts(database) == (1, 1)


async def test_an_answer_that_could_not_be_delivered_is_no_turn(talks: Talks, database: Database) -> None:
    message = await talks.ask("hello")
    await talks.write(message, "Hi")
    await talks.keepsake.memory.turns.sent(guild_id=GUILD_ID, message_id=message.message_id, sent_ids=[])
    assert await talks.counts(database) == (0, 0)


async def test_what_a_process_that_died_had_not_noted_is_counted_by_the_next(
    talks: Talks, database: Database, clock: SetClock, gemini: GeminiServer
) -> None:
    answer = await talks.write(await talks.ask("hello"), "Hi")
    async with talking(database, clock, gemini) as next_one:
        await talks.sent(answer, keepsake=next_one.keepsake)
    await talks.sent(answer)
    assert await talks.counts(database) == (1, 1)


async def test_a_learning_that_fails_takes_nothing_from_the_count_and_skips_nothing(
    talks: Talks, database: Database, gemini: GeminiServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="bot.db.jobs")
    await talks.turns(20)
    gemini.fail(Fault.SAFETY, operation="learn_profile", times=2)
    await talks.turns(20)
    failures = [record for record in caplog.records if "work learn" in record.getMessage()]
    assert len(failures) == 2, "one line for each failure"
    assert not any("message number" in record.getMessage() for record in caplog.records)
    await talks.turns(20)
    assert await talks.counts(database) == (60, 0)
    assert await talks.profile() == f"Said {', '.join(map(str, range(1, 61)))}."
    assert len(talks.prompts) == 5


async def test_as_long_as_the_model_fails_everything_stays_as_it_was(
    talks: Talks, database: Database, gemini: GeminiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await talks.turns(20)
    before = await talks.profile()
    monkeypatch.undo()
    gemini.fail(Fault.BLOCKED_PROMPT, operation="learn_profile")
    await talks.turns(25)
    assert await talks.counts(database) == (45, 25)
    assert await talks.profile() == before
    assert len(talks.prompts) == 2, "each try takes its pause, and further turns do not shorten it"


async def test_turns_that_come_while_a_member_is_learned_about_wait_for_the_next_time(
    talks: Talks, database: Database, gemini: GeminiServer
) -> None:
    gemini.slow_seconds = 0.5
    gemini.fail(Fault.SLOW, operation="learn_profile", times=1)
    for number in range(1, 21):
        await talks.turn(f"message number {number}")
    while not talks.prompts:
        await asyncio.sleep(0.01)
    await talks.turns(3)
    assert await talks.counts(database) == (23, 3)
    await talks.turns(17)
    assert len(talks.prompts) == 2
    assert sorted(numbers_in(talks.prompts[1])) == list(range(21, 41))


async def test_who_switched_it_off_is_not_learned_about_and_nor_is_what_they_said_then(
    talks: Talks, database: Database
) -> None:
    profiles = talks.keepsake.memory.profiles
    await talks.turns(15)
    assert await profiles.switch(guild_id=GUILD_ID, user_id=ALICE, on=False)
    assert await talks.counts(database) == (15, 0)
    await talks.turns(25)
    assert await talks.counts(database) == (40, 0)
    assert talks.prompts == []
    await profiles.switch(guild_id=GUILD_ID, user_id=ALICE, on=True)
    await talks.turns(20)
    assert len(talks.prompts) == 1
    assert numbers_in(talks.prompts[0]) == list(range(41, 61))


async def test_an_installation_that_learns_nothing_asks_nothing_and_counts_acquaintance_all_the_same(
    database: Database, clock: SetClock, gemini: GeminiServer
) -> None:
    async with talking(database, clock, gemini, learning=False) as talks:
        await talks.turns(25)
        assert await talks.counts(database) == (25, 0)
        assert talks.prompts == []


async def test_what_was_said_before_learning_was_switched_on_is_not_learned(
    database: Database, clock: SetClock, gemini: GeminiServer
) -> None:
    async with talking(database, clock, gemini, learning=False) as talks:
        await talks.turns(10)
    async with talking(database, clock, gemini, learn_every_turns=5) as talks:
        await talks.turns(5, text="later words {}")
        assert len(talks.prompts) == 1
        assert numbers_in(talks.prompts[0]) == []


async def test_without_any_model_nothing_is_tried_and_nothing_lost(
    database: Database, clock: SetClock, gemini: GeminiServer, caplog: pytest.LogCaptureFixture
) -> None:
    async with talking(database, clock, gemini, gemini_api_key=None, model_learning="") as talks:
        await talks.turns(20)
        assert await talks.counts(database) == (20, 20)
        assert not caplog.records
    async with talking(database, clock, gemini) as talks:
        await talks.turns(20, text="more words {}")
        assert await talks.counts(database) == (40, 0)
        assert len(talks.prompts) == 2
        assert profile_in(talks.prompts[1])


@pytest.mark.parametrize(
    ("rounds", "fails"), [((7, 13, 1), 0), ((19, 2, 30), 1), ((41, 9), 3), ((5, 5, 5, 5, 5, 40), 2)]
)
async def test_however_turns_and_failures_come_each_turn_is_covered_or_due(
    talks: Talks, database: Database, gemini: GeminiServer, rounds: tuple[int, ...], fails: int
) -> None:
    if fails:
        gemini.fail(Fault.RECITATION, operation="learn_profile", times=fails)
    for number in rounds:
        await talks.turns(number)
    turns, unlearned = await talks.counts(database)
    assert turns == sum(rounds)
    assert unlearned < 20
    covered = {number for prompt in talks.prompts for number in numbers_in(prompt)}
    assert covered == set(range(1, turns - unlearned + 1))
