"""What is said in a closed room is told in that room alone, in whatever way the bot tells anything."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from bot.core.domain import Message
from tests.leaks.canaries import words
from tests.leaks.world import (
    ADULTS,
    ALICE,
    BOB,
    GENERAL,
    LOUNGE,
    MODS,
    PLACES,
    SECRET_THREAD,
    VAULT,
    Place,
    World,
    opened_world,
)

WORD = next(words())
OF = {place.channel_id: place for place in PLACES}
DIRECT = next(place for place in PLACES if place.owner_id == BOB)


@dataclass
class Talk:
    """The world, and one process of it; whatever its model is given it repeats."""

    world: World

    async def say(
        self, place: Place, user_id: int, text: str, *, reply_to: Message | None = None
    ) -> tuple[Message, str]:
        """Say something, and return it with the answer."""
        message = self.world.message(place, user_id, text, reply_to=reply_to)
        outcome, _ = await self.world.hear(self.world.processes[0], place, message)
        await self.world.settle()
        return message, outcome.text or ""

    async def end(self) -> None:
        """Let every conversation end, and leave what it leaves behind."""
        self.world.clock.advance(timedelta(minutes=40))
        await self.world.settle()

    def prompts(self) -> str:
        """Return all that the model was asked until now, and is not any more."""
        assert self.world.gemini is not None
        asked = "\n".join(one.prompt for one in self.world.gemini.calls)
        self.world.gemini.calls.clear()
        return asked


Way = Callable[[Talk, Place], Awaitable[str]]


async def _reply(talk: Talk, place: Place) -> str:
    talk.prompts()
    return (await talk.say(place, BOB, "Bot, what do you think of the rocket?"))[1] + talk.prompts()


async def _known(talk: Talk, place: Place) -> str:
    return (await talk.say(place, BOB, f"Bot, what do you know about <@{ALICE}>?"))[1]


async def _show(talk: Talk, place: Place) -> str:
    visit = talk.world.visit(place, BOB)
    return repr(await talk.world.processes[0].use_cases.show(visit, ALICE))


async def _offered(talk: Talk, place: Place) -> str:
    visit = replace(talk.world.visit(place, BOB), from_moderator=True)
    return repr(await talk.world.processes[0].use_cases.choices(visit, ALICE, ""))


async def _searched(talk: Talk, place: Place) -> str:
    return (await talk.say(place, BOB, "Bot, when did we talk about the rocket?"))[1]


async def _found_by_form(talk: Talk, place: Place) -> str:
    return repr(await talk.world.processes[0].use_cases.search(talk.world.visit(place, BOB), "rocket"))


async def _caught_up(talk: Talk, place: Place) -> str:
    visit = talk.world.visit(place, BOB)
    return repr(await talk.world.processes[0].use_cases.catch_up(visit, None, "3 hours"))


async def _episodes(talk: Talk, place: Place) -> str:
    visit = replace(talk.world.visit(place, BOB), from_moderator=True)
    return repr(await talk.world.processes[0].use_cases.episodes(visit))


WAYS: Mapping[str, Way] = {
    "in a reply and its prompt": _reply,
    "asked what is known": _known,
    "shown": _show,
    "offered to be forgotten": _offered,
    "searched for": _searched,
    "searched for by a form": _found_by_form,
    "caught up with": _caught_up,
    "left behind as an episode": _episodes,
}


@pytest.fixture
async def talk(dsn: str) -> AsyncIterator[Talk]:
    async with opened_world(dsn, with_model=True) as world:
        yield Talk(world)


@pytest.mark.parametrize(
    "room", [OF[MODS], OF[ADULTS], OF[SECRET_THREAD]], ids=["closed", "age-restricted", "a private thread"]
)
async def test_what_is_said_in_a_closed_room_is_told_in_it_alone(talk: Talk, room: Place) -> None:
    await talk.say(room, ALICE, f"we finally named the rocket {WORD} in the end")
    await talk.say(room, ALICE, f"Bot, remember that my rocket is called {WORD}")
    await talk.say(room, ALICE, "Bot, what do you think of the rocket?")
    await talk.end()
    assert {way for way, tell in WAYS.items() if WORD in await tell(talk, room)} == WAYS.keys()
    for elsewhere in (OF[GENERAL], OF[VAULT], OF[LOUNGE], DIRECT):
        told = {way for way, tell in WAYS.items() if WORD in await tell(talk, elsewhere)}
        assert told == set(), elsewhere.name
    assert WORD not in await talk.world.processes[0].memory.profiles.text_of(guild_id=1_000, user_id=ALICE)


async def test_what_is_said_openly_is_told_everywhere_but_in_the_direct_messages_of_others(
    talk: Talk,
) -> None:
    await talk.say(OF[GENERAL], ALICE, f"we finally named the rocket {WORD} in the end")
    await talk.say(OF[GENERAL], ALICE, f"Bot, remember that my rocket is called {WORD}")
    await talk.end()
    for place in (OF[MODS], OF[ADULTS], OF[SECRET_THREAD], OF[LOUNGE]):
        told = {way for way, tell in WAYS.items() if WORD in await tell(talk, place)}
        assert told >= {"asked what is known", "shown", "searched for", "caught up with"}, place.name
    assert {way for way, tell in WAYS.items() if WORD in await tell(talk, DIRECT)} == set()


async def test_turns_in_a_closed_room_leave_nothing_in_a_profile(talk: Talk) -> None:
    for _ in range(4):
        await talk.say(OF[MODS], ALICE, f"Bot, we finally named the rocket {WORD} in the end")
        await talk.say(OF[GENERAL], ALICE, "Bot, the harvest is late this year in the valley")
    assert talk.world.gemini is not None
    learned = talk.world.gemini.requests_of("learn_profile")
    assert learned
    assert not any(WORD in asked.prompt for asked in learned)


async def test_a_reply_in_an_open_room_does_not_read_up_a_chain_into_a_closed_one(talk: Talk) -> None:
    """A room that opened: what was said while it was closed stands right above, and in the message replied to."""
    talk.world.closed.add(LOUNGE)
    await talk.world.put_channels()
    secret, _ = await talk.say(OF[LOUNGE], ALICE, f"we finally named the rocket {WORD} in the end")
    talk.world.closed.discard(LOUNGE)
    await talk.world.put_channels()
    talk.prompts()
    _, answer = await talk.say(OF[LOUNGE], BOB, "Bot, what do you think of the rocket?", reply_to=secret)
    above, _ = await talk.say(OF[LOUNGE], BOB, "that one is nice", reply_to=secret)
    _, further = await talk.say(OF[LOUNGE], BOB, "Bot, and what of the rocket now?", reply_to=above)
    assert WORD not in talk.prompts() + answer + further


async def test_what_an_answer_rests_on_is_shown_as_far_as_it_may_be_seen_where_one_asks(talk: Talk) -> None:
    await talk.say(OF[MODS], ALICE, f"Bot, remember that my rocket is called {WORD}")
    message = talk.world.message(OF[MODS], ALICE, f"Bot, what do you know about <@{ALICE}>?")
    _, answer = await talk.world.hear(talk.world.processes[0], OF[MODS], message)
    assert answer is not None and WORD in answer.text
    use_cases = talk.world.processes[0].use_cases
    assert WORD in repr(await use_cases.why(talk.world.visit(OF[MODS], BOB), answer.message_id))
    assert WORD not in repr(await use_cases.why(talk.world.visit(OF[GENERAL], BOB), answer.message_id))
    _, why = await talk.say(OF[GENERAL], BOB, "Bot, how do you know that?", reply_to=answer)
    assert WORD not in why


@pytest.mark.parametrize("points", [True, False], ids=["pointed at", "said just before"])
async def test_what_was_said_while_a_room_was_closed_is_not_remembered_openly_by_pointing_at_it(
    talk: Talk, points: bool
) -> None:
    talk.world.closed.add(LOUNGE)
    await talk.world.put_channels()
    secret, _ = await talk.say(OF[LOUNGE], ALICE, f"my rocket is called {WORD}")
    talk.world.closed.discard(LOUNGE)
    await talk.world.put_channels()
    _, answer = await talk.say(OF[LOUNGE], BOB, "Bot, remember this", reply_to=secret if points else None)
    assert WORD not in answer
    for place in (OF[LOUNGE], OF[GENERAL]):
        assert WORD not in (await talk.say(place, BOB, f"Bot, what do you know about <@{ALICE}>?"))[1]
