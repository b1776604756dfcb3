"""A memory belongs to the room in which it was said, whatever becomes of the room later."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from bot.app import Keepsake
from bot.core.clock import SetClock
from bot.core.domain import OPEN, Channel, Guild, Member, Message, snowflake_at
from bot.db.pool import Connection, Database
from bot.memory.recall.search import HitKind

GUILD_ID, ROOM, GENERAL, ALICE = 1_000, 2_001, 2_000, 11
CLOSED = ROOM


@dataclass
class Talk:
    """A guild with a room that may be closed and opened."""

    keepsake: Keepsake
    clock: SetClock
    database: Database

    async def turn(self, *, audience: int) -> None:
        """Let the room have this audience from now on."""
        room = Channel(guild_id=GUILD_ID, channel_id=ROOM, name="room", audience=audience)
        await self.keepsake.directory.put_channel(room)

    async def say(self, text: str, *, audience: int, channel_id: int = ROOM) -> Message:
        """Say something, which is heard with this audience."""
        self.clock.advance(timedelta(minutes=1))
        message = Message(
            guild_id=GUILD_ID,
            channel_id=channel_id,
            message_id=snowflake_at(self.clock.now()),
            user_id=ALICE,
            text=text,
            timestamp=self.clock.now(),
            audience=audience,
        )
        return await self.heard(message)

    async def edit(self, message: Message, text: str, *, audience: int) -> Message:
        """Put other words into a message, heard with the audience that its room has by then."""
        self.clock.advance(timedelta(minutes=1))
        return await self.heard(replace(message, text=text, edited_at=self.clock.now(), audience=audience))

    async def heard(self, message: Message) -> Message:
        """Hear a version of a message, and read it for facts."""
        await self.keepsake.memory.ingest_message(message)
        await self.keepsake.memory.extractor.noticed(
            guild_id=GUILD_ID, up_to_id=message.message_id, seconds=60
        )
        return message

    async def known(self, *, audience: int) -> str:
        """Return what is remembered of Alice where this audience may read."""
        return await self.keepsake.memory.get_memories(GUILD_ID, ALICE, audience=audience, seconds=60) or ""

    async def found(self, words: str, *, audiences: Sequence[int]) -> set[HitKind]:
        """Return what kinds of memories are found again by words."""
        hits = await self.keepsake.memory.recall(
            guild_id=GUILD_ID, query=words, audiences=audiences, limit=10
        )
        return {hit.kind for hit in hits}

    async def told_days(self) -> set[int]:
        """Return the audiences of which a day has been told."""

        async def read(connection: Connection) -> set[int]:
            rows = await connection.fetch("SELECT DISTINCT audience FROM distillations WHERE kind = 'day'")
            return {row["audience"] for row in rows}

        return await self.database.read(read)


@pytest.fixture
async def talk(keepsake: Keepsake, clock: SetClock, database: Database) -> AsyncIterator[Talk]:
    talk = Talk(keepsake, clock, database)
    await keepsake.directory.add_guild(Guild(guild_id=GUILD_ID, name="Test"))
    await keepsake.directory.put_members([Member(guild_id=GUILD_ID, user_id=ALICE, user_name="alice")])
    await keepsake.directory.put_channel(Channel(guild_id=GUILD_ID, channel_id=GENERAL, name="general"))
    yield talk
    await keepsake.work.idle()


async def test_the_days_of_a_closed_room_are_told_only_when_asked_for_in_it(talk: Talk) -> None:
    await talk.turn(audience=CLOSED)
    await talk.say("the zorgblat lands at dawn behind the barn", audience=CLOSED)
    await talk.say("the harvest is late this year in the valley", audience=OPEN, channel_id=GENERAL)
    assert "zorgblat" not in await talk.known(audience=OPEN)
    assert await talk.told_days() == {OPEN}
    assert "zorgblat" not in await talk.known(audience=CLOSED + 1)
    assert CLOSED not in await talk.told_days()
    told = await talk.known(audience=CLOSED)
    assert "zorgblat" in told and "harvest" in told
    assert await talk.told_days() == {OPEN, CLOSED}


async def test_a_room_that_closes_later_hides_nothing_that_was_open(talk: Talk) -> None:
    await talk.turn(audience=OPEN)
    await talk.say("the zorgblat lands at dawn behind the barn", audience=OPEN)
    await talk.say("I like tangerines", audience=OPEN)
    assert "zorgblat" in await talk.known(audience=OPEN)
    await talk.turn(audience=CLOSED)
    told = await talk.known(audience=OPEN)
    assert "zorgblat" in told and "tangerines" in told
    assert await talk.found("zorgblat", audiences=[OPEN]) == {HitKind.MESSAGE}
    assert HitKind.FACT in await talk.found("tangerines", audiences=[OPEN])


async def test_a_room_that_opens_later_reveals_nothing_that_was_closed(talk: Talk) -> None:
    await talk.turn(audience=CLOSED)
    await talk.say("the zorgblat lands at dawn behind the barn", audience=CLOSED)
    await talk.say("I like tangerines", audience=CLOSED)
    assert "zorgblat" in await talk.known(audience=CLOSED)
    await talk.turn(audience=OPEN)
    await talk.say("the harvest is late this year in the valley", audience=OPEN)
    told = await talk.known(audience=OPEN)
    assert "harvest" in told
    assert "zorgblat" not in told and "tangerines" not in told
    assert not await talk.found("zorgblat", audiences=[OPEN])
    assert not await talk.found("tangerines", audiences=[OPEN])


@pytest.mark.parametrize(
    ("then", "now"),
    [(OPEN, CLOSED), (CLOSED, OPEN), (CLOSED, CLOSED)],
    ids=["closed since", "opened since", "closed"],
)
async def test_text_that_is_edited_in_belongs_to_the_narrower_of_then_and_now(
    talk: Talk, then: int, now: int
) -> None:
    await talk.turn(audience=then)
    first = await talk.say("I like tangerines", audience=then)
    assert ("tangerines" in await talk.known(audience=OPEN)) == (then == OPEN)
    await talk.turn(audience=now)
    await talk.edit(first, "I like zorgblats", audience=now)
    told = await talk.known(audience=OPEN)
    assert "zorgblat" not in told and "tangerines" not in told
    assert not await talk.found("zorgblats tangerines", audiences=[OPEN])
    assert "zorgblats" in await talk.known(audience=CLOSED)
    assert await talk.found("zorgblats", audiences=[CLOSED]) == {HitKind.MESSAGE, HitKind.FACT}


async def test_an_edit_of_what_was_said_openly_in_a_room_that_closed_is_of_the_closed_room_for_ever(
    talk: Talk,
) -> None:
    await talk.turn(audience=OPEN)
    first = await talk.say("the barn is red", audience=OPEN)
    await talk.turn(audience=CLOSED)
    second = await talk.edit(first, "the zorgblat lands at dawn behind the barn", audience=CLOSED)
    await talk.turn(audience=OPEN)
    await talk.edit(second, "the zorgblat lands at noon behind the barn", audience=OPEN)
    assert "zorgblat" not in await talk.known(audience=OPEN)
    assert not await talk.found("zorgblat", audiences=[OPEN])
    assert "noon" in await talk.known(audience=CLOSED)
