"""The message log: any order of creates, edits, deletes and repeats ends with the same rows."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.core.domain import Guild, Message, RedactionReason
from bot.db.pool import Connection, Database
from bot.memory.guilds import repository as guilds_repository
from bot.memory.messages import repository as messages_repository
from bot.memory.messages import repository_writing
from bot.memory.messages.writer import MessageWriter, deletion

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
_guild_ids = itertools.count(1)


def said(text: str, *, guild_id: int = 1, message_id: int = 10, minutes: int = 0) -> Message:
    return Message(
        guild_id=guild_id,
        channel_id=5,
        message_id=message_id,
        user_id=7,
        text=text,
        timestamp=NOON,
        edited_at=NOON + timedelta(minutes=minutes) if minutes else None,
    )


async def hear(database: Database, *events: Message) -> None:
    for event in events:
        await _hear_one(database, event)


async def _hear_one(database: Database, event: Message) -> None:
    await database.write(repository_writing.write_messages, [event])


async def kept(database: Database, *, guild_id: int = 1, message_id: int = 10) -> Message | None:
    return await database.read(messages_repository.message, guild_id=guild_id, message_id=message_id)


async def text_of(database: Database) -> str:
    message = await kept(database)
    assert message is not None
    return message.text


async def marks(database: Database) -> dict[tuple[int, str], int]:
    async def read(connection: Connection) -> dict[tuple[int, str], int]:
        rows = await connection.fetch("SELECT audience, day::text, version FROM day_marks")
        return {(row["audience"], row["day"]): row["version"] for row in rows}

    return await database.read(read)


async def test_a_later_edit_wins_and_an_older_one_never_does(database: Database) -> None:
    await hear(database, said("first"), said("third", minutes=2), said("second", minutes=1), said("first"))
    assert await text_of(database) == "third"


async def test_words_that_an_embed_adds_without_an_edit_are_kept(database: Database) -> None:
    await hear(database, said("look"), said("look [embed: A cat]"), said("look"))
    assert await text_of(database) == "look [embed: A cat]"


async def test_a_delete_is_final_also_if_it_comes_first(database: Database) -> None:
    gone = deletion(guild_id=1, channel_id=5, message_id=10)
    await hear(database, gone, said("secret"), said("secret, edited", minutes=3))
    message = await kept(database)
    assert message is not None
    assert (message.text, message.withheld, message.user_id) == ("", RedactionReason.DELETED, 7)


async def test_a_withheld_message_keeps_no_text_anywhere(database: Database) -> None:
    await hear(database, said("the wifi password is hunter2"))
    await database.write(
        repository_writing.withhold, guild_id=1, message_ids=[10], reason=RedactionReason.FORGOTTEN
    )
    await hear(database, said("the wifi password is hunter2", minutes=1))
    row = await database.read(lambda connection: connection.fetchrow("SELECT * FROM chat_history"))
    assert row is not None
    assert "hunter2" not in str(dict(row))
    assert "password" not in str(dict(row))


async def test_an_edit_takes_the_narrower_audience(database: Database) -> None:
    await hear(database, said("open"), replace(said("closed since", minutes=1), audience=5))
    message = await kept(database)
    assert message is not None
    assert message.audience == 5


async def test_a_repeat_leaves_the_audience_of_the_moment_when_it_was_heard(database: Database) -> None:
    await hear(database, said("open"), replace(said("open"), audience=5))
    message = await kept(database)
    assert message is not None
    assert message.audience == 0


async def test_every_change_marks_the_day_in_the_zone_of_the_guild_and_a_repeat_does_not(
    database: Database,
) -> None:
    await database.write(
        guilds_repository.add_guild, Guild(guild_id=1, name="Far east", time_zone="Pacific/Kiritimati")
    )
    await hear(database, said("first"), said("first"))
    assert await marks(database) == {(0, "2026-03-02"): 1}
    await hear(database, said("second", minutes=1), said("second", minutes=1))
    assert await marks(database) == {(0, "2026-03-02"): 2}
    await hear(database, deletion(guild_id=1, channel_id=5, message_id=10))
    assert await marks(database) == {(0, "2026-03-02"): 3}


@pytest.mark.parametrize(
    ("said_as", "asked_as"),
    [
        ("ÉCOLE", "école"),
        ("ПРИВЕТ, ЁЖИК", "привет ёжик"),
        ("I was running", "run"),
        ("купил две пиццы", "пицца"),
    ],
)
async def test_words_are_found_in_every_script_and_form(
    database: Database, said_as: str, asked_as: str
) -> None:
    await hear(database, said(said_as))
    found = await database.read(
        lambda connection: connection.fetch(
            "SELECT message_text FROM chat_history WHERE lexemes @@ plainto_tsquery('russian', $1)", asked_as
        )
    )
    assert [row["message_text"] for row in found] == [said_as]


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
EVENTS = st.lists(
    st.one_of(
        st.tuples(st.just("text"), st.integers(1, 3), st.integers(0, 4), TEXTS),
        st.tuples(st.just("delete"), st.integers(1, 3), st.just(0), st.just("")),
    ),
    min_size=1,
    max_size=12,
)


def _as_messages(events: Sequence[tuple[str, int, int, str]], guild_id: int) -> list[Message]:
    return [
        said(text, guild_id=guild_id, message_id=message_id, minutes=minutes)
        if kind == "text"
        else deletion(guild_id=guild_id, channel_id=5, message_id=message_id)
        for kind, message_id, minutes, text in events
    ]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(events=EVENTS, data=st.data())
async def test_any_order_and_any_repetition_of_events_ends_with_the_same_rows(
    database: Database, events: list[tuple[str, int, int, str]], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(events + data.draw(st.lists(st.sampled_from(events)))))
    ends = []
    for order in (events, shuffled):
        guild_id = next(_guild_ids) + 1000
        writer = MessageWriter(database)
        writer.start()
        await writer.put(_as_messages(order, guild_id))
        await writer.stop()
        ends.append(
            [
                replace(message, guild_id=0)
                for message_id in (1, 2, 3)
                if (message := await kept(database, guild_id=guild_id, message_id=message_id))
            ]
        )
    assert ends[0] == ends[1]
