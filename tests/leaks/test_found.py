"""What the hunt has found, each as the few steps that it takes."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.core.domain import MessageKind
from tests.leaks import acts, asking_acts, standing_acts
from tests.leaks.canaries import State, Way
from tests.leaks.drawn import Drawn
from tests.leaks.hunt import Hunt
from tests.leaks.looking import Step
from tests.leaks.searches import rows_with_canaries
from tests.leaks.world import ALICE, BOB, BOT_ID, GENERAL, MODS, PLACES, opened_world

OF = {place.channel_id: place for place in PLACES}
OWN = next(place for place in PLACES if place.owner_id == ALICE)


@pytest.fixture
async def hunt(dsn: str) -> AsyncIterator[Hunt]:
    async with opened_world(dsn, with_model=True) as world:
        yield Hunt(world, dsn)


def drawn(channel_id: int, way: Way = Way.LIKING, *, who: int = 0) -> Drawn:
    """Return what an act needs that Alice takes, or somebody else."""
    return Drawn(
        process=0, place=OF[channel_id], who=who, about=0, way=way, thing="boat", picked=0, flag=True
    )


async def forgotten(hunt: Hunt, channel_id: int, user_id: int = ALICE, *, by_form: bool = False) -> None:
    """Have the first canary forgotten somewhere."""
    step = Step(OF[channel_id], user_id)
    hunt.begin("has it forgotten", step)
    await hunt.forget(hunt.world.processes[0], next(iter(hunt.canaries.values())), step, by_form=by_form)
    await hunt.end()


@pytest.mark.smoke
async def test_what_was_said_in_two_rooms_is_forgotten_in_both_where_both_are_seen(hunt: Hunt) -> None:
    await acts.say(hunt, drawn(GENERAL))
    await acts.retell(hunt, drawn(MODS))
    await forgotten(hunt, MODS)


async def test_what_the_bot_repeated_in_a_closed_room_goes_with_what_was_forgotten_openly(hunt: Hunt) -> None:
    await acts.say(hunt, drawn(GENERAL))
    await asking_acts.ask(hunt, replace(drawn(MODS, who=1), picked=2))
    assert next(iter(hunt.canaries.values())).told_by_bot
    await forgotten(hunt, GENERAL)


async def test_what_the_bot_said_in_a_closed_room_of_its_own_accord_goes_as_well(hunt: Hunt) -> None:
    """No answer that names the fact as given: as when a told day of somebody else says it."""
    await acts.say(hunt, drawn(GENERAL))
    canary = next(iter(hunt.canaries.values()))
    said = f"I heard that {canary.retold}."
    message = hunt.world.message(OF[MODS], BOT_ID, said, kind=MessageKind.BOT)
    await hunt.world.processes[0].memory.ingest_message(message)
    canary.told_by_bot = True
    await forgotten(hunt, GENERAL)


async def test_what_the_bot_repeated_in_direct_messages_goes_with_what_was_forgotten_in_the_guild(
    hunt: Hunt,
) -> None:
    await acts.say(hunt, drawn(GENERAL, Way.ORDER))
    await asking_acts.ask_about(hunt, replace(drawn(GENERAL), place=OWN))
    assert next(iter(hunt.canaries.values())).told_by_bot
    await forgotten(hunt, GENERAL)


async def test_what_a_caught_up_member_was_told_goes_with_what_is_forgotten(hunt: Hunt) -> None:
    await acts.say(hunt, drawn(GENERAL, Way.ORDER))
    await asking_acts.ask(hunt, replace(drawn(GENERAL, who=1), picked=2))
    await forgotten(hunt, GENERAL, by_form=True)


async def test_what_others_said_of_their_subject_goes_with_what_is_forgotten(hunt: Hunt) -> None:
    await acts.say(hunt, drawn(GENERAL))
    await acts.retell(hunt, drawn(GENERAL, who=1))
    await forgotten(hunt, GENERAL, by_form=True)


async def test_nothing_of_a_forgotten_fact_is_left_in_the_memory_of_either_process(hunt: Hunt) -> None:
    await acts.say(hunt, drawn(GENERAL))
    for process in (0, 1):
        await asking_acts.ask_about(hunt, replace(drawn(GENERAL, who=1), process=process))
        await asking_acts.chat(hunt, replace(drawn(GENERAL, who=1), process=process))
    await forgotten(hunt, GENERAL)


async def test_no_prompt_of_the_next_day_holds_what_its_author_then_has_forgotten(hunt: Hunt) -> None:
    """The day is told as soon as somebody reads it once it is over, which is before the author asks."""
    await acts.say(hunt, drawn(GENERAL, Way.TALK))
    await acts.chatter(hunt, drawn(GENERAL))
    await acts.wait(hunt, replace(drawn(GENERAL), picked=3))
    await acts.point(hunt, drawn(GENERAL))
    assert next(iter(hunt.canaries.values())).state is State.UNSAID


async def test_a_confirmation_that_tells_what_was_replaced_goes_with_who_said_that(hunt: Hunt) -> None:
    await acts.say(hunt, drawn(GENERAL, Way.ORDER, who=2))
    await acts.say(hunt, drawn(GENERAL, Way.ORDER, who=1))
    answer = hunt.last_answer[GENERAL]
    assert next(iter(hunt.canaries)) in answer.text
    await standing_acts.erase(hunt, replace(drawn(GENERAL), about=2))


async def test_what_others_said_of_an_absent_member_names_nobody_once_they_are_erased(dsn: str) -> None:
    """Without a model the day quotes it."""
    async with opened_world(dsn, with_model=False) as world:
        hunt = Hunt(world, dsn)
        await standing_acts.opt_out_or_in(hunt, replace(drawn(GENERAL), about=1))
        await acts.say(hunt, replace(drawn(GENERAL, Way.ORDER), about=1))
        await acts.retell(hunt, drawn(GENERAL))
        await standing_acts.erase(hunt, replace(drawn(GENERAL), about=1))
        told = await rows_with_canaries(world.database)
    assert {"chat_history", "distillations"} <= {one.table for one in told}
    assert all(f"<@{BOB}>" not in str(one.row) for one in told)
