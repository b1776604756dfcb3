"""What people say and take back, and what managers change."""

from dataclasses import replace
from datetime import timedelta
from typing import Final

from tests.leaks.canaries import GUILD_ID, Way
from tests.leaks.drawn import Act, Drawn, named, process_of
from tests.leaks.hunt import Hunt
from tests.leaks.looking import Step
from tests.leaks.world import (
    ALICE,
    BOB,
    CAROL,
    GAMES,
    GENERAL,
    LOUNGE,
    MEMBERS,
    MODS,
    PLACES,
    SECRET_THREAD,
    speakers,
)

_PAUSES: Final = (timedelta(minutes=31), timedelta(minutes=2), timedelta(hours=2), timedelta(days=1))
_FIRST_THING: Final = "boat"
_BEGINNING: Final = tuple(
    (place, user_id, way)
    for place in PLACES
    for channel_id, user_id, way in (
        (GENERAL, ALICE, Way.ORDER),
        (LOUNGE, CAROL, Way.LIKING),
        (MODS, ALICE, Way.ORDER),
        (MODS, BOB, Way.LIKING),
        (SECRET_THREAD, BOB, Way.ORDER),
        (9_011, ALICE, Way.ORDER),
    )
    if place.channel_id == channel_id
)
_OTHER_BASE_ROLE: Final = 555

_FILLER: Final = "well, that step of it went fine"
_CHATTER: Final = 24
"""Messages after which a running conversation is summed up."""


async def say(hunt: Hunt, drawn: Drawn) -> None:
    """Say something about oneself, or have something remembered about anybody."""
    step = drawn.step
    of_another = drawn.way is Way.ORDER and drawn.place.owner_id is None and drawn.flag
    subject_id = drawn.about_id if of_another else step.user_id
    hunt.begin(f"says a {drawn.way} about {subject_id}", step)
    await hunt.say(process_of(hunt, drawn), step, drawn.way, drawn.thing, subject_id)
    await hunt.end()


async def furnish(hunt: Hunt) -> None:
    """Say something in rooms of every kind, so that from the first step on there is something to leak."""
    process = hunt.world.processes[0]
    for place, user_id, way in _BEGINNING:
        step = Step(place, user_id)
        hunt.begin(f"says a {way}", step)
        await hunt.say(process, step, way, _FIRST_THING, user_id)
    await hunt.end()


async def retell(hunt: Hunt, drawn: Drawn) -> None:
    """Say again what was said."""
    known = [
        canary
        for canary, message_id in hunt.standing()
        if canary.sayings[message_id].room.guild_id == GUILD_ID and drawn.place.owner_id is None
    ]
    if known:
        canary = known[drawn.picked % len(known)]
        hunt.begin(f"tells {canary.word} again", drawn.step)
        await hunt.retell(process_of(hunt, drawn), drawn.step, canary)
        await hunt.end()


async def chatter(hunt: Hunt, drawn: Drawn) -> None:
    """Let members talk for long, so that what was said before is summed up."""
    there = speakers(drawn.place)
    lines = [
        hunt.world.message(drawn.place, there[number % len(there)], _FILLER, after=timedelta(seconds=5))
        for number in range(_CHATTER)
    ]
    hunt.begin(f"chatter in {drawn.place.name}")
    await process_of(hunt, drawn).memory.ingest_messages(lines)
    await hunt.end()


async def edit(hunt: Hunt, drawn: Drawn) -> None:
    """Put other words into a message, soon or late."""
    known = hunt.editable()
    if known:
        canary, message_id = known[drawn.picked % len(known)]
        if drawn.flag:
            hunt.world.clock.advance(timedelta(minutes=10))
        hunt.begin(f"edits {canary.word}", hunt.step_of(message_id))
        await hunt.edit(process_of(hunt, drawn), canary, message_id)
        await hunt.end()


async def delete(hunt: Hunt, drawn: Drawn) -> None:
    """Delete a message."""
    known = hunt.standing()
    if known:
        canary, message_id = known[drawn.picked % len(known)]
        hunt.begin(f"{canary.word} is deleted")
        await hunt.delete(process_of(hunt, drawn), canary, message_id)
        await hunt.end()


async def forget(hunt: Hunt, drawn: Drawn) -> None:
    """Have something forgotten, in words or by a form."""
    known = hunt.forgettable()
    if known:
        canary, place, user_id = known[drawn.picked % len(known)]
        step = Step(place, user_id)
        hunt.begin(f"has {canary.word} forgotten", step)
        await hunt.forget(process_of(hunt, drawn), canary, step, by_form=drawn.flag)
        await hunt.end()


async def disown(hunt: Hunt, drawn: Drawn) -> None:
    """Take off oneself what is kept about one."""
    known = [one for one in hunt.forgettable() if one[2] == one[0].subject_id]
    if known:
        canary, place, user_id = known[drawn.picked % len(known)]
        step = Step(place, user_id)
        hunt.begin(f"takes {canary.word} off", step)
        await hunt.disown(process_of(hunt, drawn), canary, step)
        await hunt.end()


async def purge(hunt: Hunt, drawn: Drawn) -> None:
    """Let whoever runs the bot remove what conversations in a room left behind."""
    hunt.begin(f"what {drawn.place.name} left behind is removed")
    await process_of(hunt, drawn).memory.episodes.purge(
        guild_id=drawn.place.guild_id, channel_id=drawn.place.channel_id
    )
    await hunt.end()


async def point(hunt: Hunt, drawn: Drawn) -> None:
    """Have a message remembered, or one's own forgotten, by answering it."""
    known = [(canary, message_id) for canary, message_id in hunt.editable() if canary.way is not Way.ORDER]
    if not known:
        return
    canary, message_id = known[drawn.picked % len(known)]
    place, author_id = hunt.step_of(message_id).place, hunt.step_of(message_id).user_id
    forgets = drawn.flag and canary.way is Way.TALK and author_id in MEMBERS
    step = Step(place, author_id if forgets else drawn.who_in(place))
    hunt.begin(f"has {canary.word} {'forgotten' if forgets else 'remembered'} by pointing at it", step)
    point_at = hunt.forget_this if forgets else hunt.remember_this
    await point_at(process_of(hunt, drawn), step, canary, message_id)
    await hunt.end()


async def wait(hunt: Hunt, drawn: Drawn) -> None:
    """Let time pass."""
    pause = _PAUSES[drawn.picked % len(_PAUSES)]
    hunt.begin(f"{pause} pass")
    hunt.world.clock.advance(pause)
    await hunt.end()


async def restart(hunt: Hunt, drawn: Drawn) -> None:
    """End a process and start it anew."""
    hunt.begin(f"process {drawn.process} starts anew")
    await hunt.world.restart(drawn.process)
    await hunt.end()


async def close_or_open(hunt: Hunt, drawn: Drawn) -> None:
    """Change who may read a room."""
    hunt.world.closed ^= {LOUNGE}
    hunt.begin(f"the lounge has audience {hunt.world.audience(LOUNGE)}")
    await hunt.world.put_channels()
    await hunt.end()


async def choose_base_role(hunt: Hunt, drawn: Drawn) -> None:
    """Change who everyone is: another role reads other rooms."""
    hunt.begin("another base role")
    directory = process_of(hunt, drawn).directory
    guild = await directory.guild(GUILD_ID)
    assert guild is not None
    hunt.world.closed ^= {GAMES, GENERAL}
    role_id = None if guild.base_role_id else _OTHER_BASE_ROLE
    await directory.change_guild(guild, replace(guild, base_role_id=role_id))
    await hunt.world.put_channels()
    await hunt.end()


async def hear_or_hush(hunt: Hunt, drawn: Drawn) -> None:
    """Switch off, or on, that anything is kept of a room."""
    hunt.begin("the games are heard, or no longer")
    directory = process_of(hunt, drawn).directory
    channel = await directory.channel(guild_id=GUILD_ID, channel_id=GAMES)
    assert channel is not None
    await directory.change_channel(channel, replace(channel, hearing=not channel.hearing))
    hunt.hushed ^= {GAMES}
    await hunt.end()


ACTS: Final[dict[str, Act]] = named(
    {
        say: 5, forget: 3, retell: 2, wait: 2, edit: 2, close_or_open: 2, point: 2, chatter: 1, delete: 1, restart: 1,
        choose_base_role: 1, hear_or_hush: 1, disown: 1, purge: 1,
    }
)  # fmt: skip
