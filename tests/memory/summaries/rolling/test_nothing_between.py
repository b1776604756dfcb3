"""Whatever is said, deleted and asked, in whatever order: no message falls between summary and window."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bot.core.clock import SetClock
from bot.core.domain import Message, MessageKind
from bot.db.pool import Database
from bot.memory.summaries.rolling_builder import LONGEST_SUMMARY
from tests.memory.diary import ALICE, GENERAL, GUILD_ID, close, open_diary
from tests.memory.summaries.rolling.channel import Channel, numbers, sum_up
from tests.scripted_models import ScriptedModels


@pytest.mark.parametrize("examples", [8, pytest.param(100, marks=pytest.mark.soak)])
async def test_no_message_falls_between_summary_and_window(
    database: Database, clock: SetClock, models: ScriptedModels, examples: int
) -> None:
    """Whatever is said, deleted, asked and refused: each message is told of or stands there."""

    class Case:
        def __init__(self) -> None:
            self.channel_id = GENERAL

    diary = await open_diary(database, clock, models=models)
    case = Case()

    steps = st.lists(
        st.one_of(
            st.tuples(st.just("say"), st.integers(1, 70)),
            st.tuples(st.just("say"), st.sampled_from([120, 247, 248, 300])),
            st.tuples(st.just("delete"), st.integers(0, 400)),
            st.tuples(st.just("late"), st.integers(1, 90)),
            st.tuples(st.just("model"), st.integers(0, 1)),
            st.tuples(st.just("roll"), st.just(0)),
        ),
        min_size=1,
        max_size=8,
    )

    async def play(script: list[tuple[str, int]]) -> None:
        case.channel_id += 10
        clock.advance(timedelta(hours=2))
        said: list[Message] = []
        gone: set[int] = set()

        async def hear(count: int, *, back: int = 0) -> None:
            batch: list[Message] = []
            for _ in range(count):
                clock.advance(timedelta(seconds=2))
                number = len(said) + len(batch) + 1
                place = 1_000 * (number - back) - (number if back else 0)
                message_id = (case.channel_id << 32) + place
                batch.append(
                    Message(guild_id=GUILD_ID, channel_id=case.channel_id, message_id=message_id, user_id=ALICE,
                            text=f"#{number} something is said", timestamp=clock.now(),
                            kind=MessageKind.BOT if number == 3 else MessageKind.MEMBER)
                )  # fmt: skip
            await diary.memory.ingest_messages(batch)
            said.extend(batch)

        await hear(3)
        models.script["roll_summary"] = sum_up
        for what, number in [("say", 50), ("roll", 0), *script]:
            if what == "say":
                await hear(number)
            elif what == "delete":
                one = said[number % len(said)]
                gone.add(one.message_id)
                await diary.delete(one)
            elif what == "late":
                await hear(1, back=min(number, len(said)))
            elif what == "model":
                models.script["roll_summary"] = sum_up if number else None
            else:
                await Channel(diary, database).roll()
            clock.advance(timedelta(seconds=1))
            last = max(one.message_id for one in said)
            asked = replace(said[-1], message_id=last + 1, timestamp=clock.now())
            window = await diary.memory.rolling.window(asked, audiences=(0,))
            kept = sorted((one for one in said if one.message_id not in gone), key=lambda one: one.message_id)
            shown = {one.message_id for one in window.messages}
            assert len(shown) <= 120
            assert len(shown) >= min(20, len(kept))
            assert [one.message_id for one in window.messages] == sorted(shown)
            assert all(one.message_id <= window.covers_up_to or one.message_id in shown for one in kept)
            assert len(window.summary) <= LONGEST_SUMMARY
            assert bool(window.summary) == bool(window.covers_up_to)
            covered = [one.text for one in kept if one.message_id <= window.covers_up_to]
            assert numbers(window.summary) <= numbers(" ".join(covered))
            if len(covered) <= 40:
                assert numbers(window.summary) == numbers(" ".join(covered))

    loop = asyncio.get_running_loop()

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @example([("say", 120), ("roll", 0), ("say", 120), ("roll", 0), ("say", 7), ("say", 1), ("say", 20)])
    @example(
        [("say", 247), ("delete", 40), ("say", 1), ("roll", 0), ("late", 60), ("delete", 299), ("say", 70)]
    )
    @example([("model", 0), ("say", 250), ("roll", 0), ("say", 70), ("roll", 0), ("say", 300)])
    @given(steps)
    def in_any_order(script: list[tuple[str, int]]) -> None:
        asyncio.run_coroutine_threadsafe(play(script), loop).result()

    await asyncio.to_thread(in_any_order)
    await close(diary)
