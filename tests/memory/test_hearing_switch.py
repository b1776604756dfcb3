"""The hearing switch: what is said where nothing is heard is not stored, by whichever way it comes."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.app import Keepsake
from bot.core.domain import Channel, Message, RedactionReason
from bot.db.pool import Database
from bot.memory.messages.writer import Ingested

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
GENERAL = Channel(guild_id=1, channel_id=10, name="general")
THREAD = Channel(guild_id=1, channel_id=20, name="thread", parent_id=10)
LOBBY = Channel(guild_id=1, channel_id=30, name="lobby")


def said(message_id: int, text: str = "hello", *, channel_id: int = 10, minutes: int = 0) -> Message:
    return Message(
        guild_id=1,
        channel_id=channel_id,
        message_id=message_id,
        user_id=7,
        text=text,
        timestamp=NOON,
        attachments=("[image: cat.png]",),
        edited_at=NOON + timedelta(minutes=minutes) if minutes else None,
    )


@pytest.fixture
async def deaf(keepsake: Keepsake) -> Keepsake:
    """A guild that is not heard in #general."""
    await keepsake.directory.put_channels([GENERAL, THREAD, LOBBY])
    await keepsake.memory.ingest_messages([said(1, "said before"), said(2, "so was this")])
    await switch(keepsake, hearing=False)
    return keepsake


async def switch(keepsake: Keepsake, *, hearing: bool, channel_id: int = 10) -> None:
    was = await keepsake.directory.channel(guild_id=1, channel_id=channel_id)
    assert was is not None
    await keepsake.directory.change_channel(was, replace(was, hearing=hearing))


async def kept(keepsake: Keepsake, message_id: int) -> Message | None:
    return await keepsake.library.message(guild_id=1, message_id=message_id)


async def text_of(keepsake: Keepsake, message_id: int) -> str | None:
    message = await kept(keepsake, message_id)
    return message.text if message else None


async def test_nothing_new_is_stored_whichever_way_it_comes(deaf: Keepsake) -> None:
    await deaf.memory.ingest_message(said(3))
    assert deaf.memory.offer([said(4), said(5, channel_id=20)])
    batch = [said(6), said(7, channel_id=30), said(8, "edited", minutes=1), said(9, channel_id=99)]
    assert await deaf.memory.ingest_messages(batch) == Ingested(new=2, known=2)
    heard = [number for number in range(3, 10) if await kept(deaf, number)]
    assert heard == [7, 9]


async def test_a_thread_can_be_closed_to_the_ear_alone(keepsake: Keepsake) -> None:
    await keepsake.directory.put_channels([GENERAL, THREAD])
    await switch(keepsake, hearing=False, channel_id=20)
    await keepsake.memory.ingest_messages([said(1), said(2, channel_id=20)])
    assert [await text_of(keepsake, number) for number in (1, 2)] == ["hello", None]


async def test_a_deletion_still_takes_the_text_away(deaf: Keepsake) -> None:
    await deaf.memory.ingest_deletion(guild_id=1, channel_id=10, message_ids=[1])
    message = await kept(deaf, 1)
    assert message is not None
    assert (message.text, message.attachments, message.withheld) == ("", (), RedactionReason.DELETED)


async def test_an_edit_takes_what_its_author_took_back_and_brings_nothing(
    deaf: Keepsake, database: Database
) -> None:
    await deaf.memory.ingest_message(said(1, "a new secret", minutes=1))
    rows = await database.read(lambda connection: connection.fetch("SELECT * FROM chat_history"))
    assert "secret" not in str([dict(row) for row in rows])
    message = await kept(deaf, 1)
    assert message is not None
    assert (message.text, message.attachments, message.withheld) == ("", (), None)
    assert await text_of(deaf, 2) == "so was this"


async def test_what_is_no_edit_by_its_author_changes_nothing(deaf: Keepsake) -> None:
    await deaf.memory.ingest_messages([said(1, "said before [embed: A cat]"), said(2, "so was this")])
    assert [await text_of(deaf, number) for number in (1, 2)] == ["said before", "so was this"]


async def test_an_edit_that_was_emptied_is_read_once_the_channel_is_heard_again(deaf: Keepsake) -> None:
    await deaf.memory.ingest_message(said(1, "changed", minutes=1))
    await switch(deaf, hearing=True)
    await deaf.memory.ingest_messages([said(1, "said before"), said(1, "changed", minutes=1), said(3)])
    assert [await text_of(deaf, number) for number in (1, 3)] == ["changed", "hello"]


async def test_what_was_said_meanwhile_is_never_read_back(deaf: Keepsake, database: Database) -> None:
    await switch(deaf, hearing=True)
    await switch(deaf, hearing=False)
    await switch(deaf, hearing=True)
    spans = await database.read(
        lambda connection: connection.fetch("SELECT from_id, to_id FROM unheard ORDER BY from_id")
    )
    (from_id, to_id), (_, last) = spans
    await deaf.memory.ingest_messages(
        [said(from_id - 1), said(from_id), said(to_id - 1), said(from_id + 1, channel_id=20), said(last)]
    )
    await deaf.memory.ingest_message(said(from_id, "edited since", minutes=1))
    heard = [
        number for number in (from_id - 1, from_id, from_id + 1, to_id - 1, last) if await kept(deaf, number)
    ]
    assert heard == [from_id - 1, last]
    assert last >> 22 == pytest.approx(
        (datetime.now(UTC) - datetime(2015, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1), abs=60_000
    )


EVENTS = st.lists(
    st.tuples(st.sampled_from(["edit", "edit", "delete"]), st.integers(1, 2), st.integers(0, 3)),
    min_size=1,
    max_size=6,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(events=EVENTS, data=st.data())
async def test_any_order_of_events_that_are_not_heard_ends_with_the_same_rows(
    deaf: Keepsake, database: Database, events: Sequence[tuple[str, int, int]], data: st.DataObject
) -> None:
    ends = []
    for order in (events, data.draw(st.permutations(list(events)))):
        await database.write(lambda connection: connection.execute("DELETE FROM chat_history"))
        await switch(deaf, hearing=True)
        await deaf.memory.ingest_messages([said(1, "said before"), said(2, "so was this")])
        await switch(deaf, hearing=False)
        for kind, message_id, minutes in order:
            if kind == "delete":
                await deaf.memory.ingest_deletion(guild_id=1, channel_id=10, message_ids=[message_id])
            else:
                await deaf.memory.ingest_message(said(message_id, f"version {minutes}", minutes=minutes))
        ends.append([await kept(deaf, number) for number in (1, 2)])
    assert ends[0] == ends[1]
    assert all(message is None or "version" not in message.text for message in ends[0])
