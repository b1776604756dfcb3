"""What forwards repeat is withheld with what they repeat, in whatever order both come, with all that was made of it."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest

from bot.app import Keepsake
from bot.core.domain import (
    OPEN,
    Channel,
    ConsentDefault,
    ForwardOrigin,
    Guild,
    Member,
    Message,
    MessageKind,
    RedactionReason,
    snowflake_at,
)
from bot.db.pool import Connection, Database
from bot.memory.messages import repository as messages_repository
from bot.memory.messages import repository_writing
from bot.memory.messages.day_marks import begin_telling
from bot.memory.messages.writer import deletion
from tests.databases import until_awaited

NOON = datetime(2026, 3, 1, 8, tzinfo=UTC)
HERE, THERE = 1, 2
CHANNEL_ID = 5
ALICE, BOB, BOT = 11, 12, 77
WORDS = "[forwarded: the heliotrope canoe]"


def id_at(minutes: int) -> int:
    return snowflake_at(NOON + timedelta(minutes=minutes))


def said(
    minutes: int, text: str = "the heliotrope canoe", *, by: int = ALICE, guild_id: int = HERE
) -> Message:
    return Message(
        guild_id=guild_id,
        channel_id=CHANNEL_ID + guild_id,
        message_id=id_at(minutes),
        user_id=by,
        text=text,
        timestamp=NOON + timedelta(minutes=minutes),
    )


def forward(minutes: int, of: Message, *, by: int = BOB, guild_id: int = HERE) -> Message:
    return replace(
        said(minutes, "", by=by, guild_id=guild_id),
        attachments=(WORDS,),
        forwarded=ForwardOrigin(guild_id=of.guild_id, message_id=of.message_id),
    )


def deleted(message: Message) -> Message:
    return deletion(guild_id=message.guild_id, channel_id=message.channel_id, message_id=message.message_id)


ORIGINAL = said(0)
COPY = forward(1, ORIGINAL, guild_id=THERE)
COPY_OF_COPY = forward(2, COPY)


@pytest.fixture
async def two(keepsake: Keepsake) -> Keepsake:
    """Two guilds with the same two members."""
    for guild_id in (HERE, THERE):
        await keepsake.directory.add_guild(Guild(guild_id=guild_id, name=f"Guild {guild_id}"))
        await keepsake.directory.put_channels(
            [Channel(guild_id=guild_id, channel_id=CHANNEL_ID + guild_id, name="general")]
        )
        await keepsake.directory.put_members(
            [Member(guild_id=guild_id, user_id=one, user_name=f"member{one}") for one in (ALICE, BOB)]
        )
    return keepsake


async def reason(keepsake: Keepsake, message: Message) -> RedactionReason | None:
    kept = await keepsake.library.message(guild_id=message.guild_id, message_id=message.message_id)
    assert kept is not None
    assert kept.forwarded == message.forwarded
    assert (kept.attachments == ()) is (kept.withheld is not None)
    return kept.withheld


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("order", list(permutations(range(4))))
async def test_a_deletion_reaches_every_forward_in_whatever_order_all_is_heard(
    two: Keepsake, order: tuple[int, ...], together: bool
) -> None:
    events = [(ORIGINAL, COPY, COPY_OF_COPY, deleted(ORIGINAL))[place] for place in order]
    for batch in [events] if together else [[event] for event in events]:
        await two.memory.ingest_messages(batch)
    assert await reason(two, COPY) is RedactionReason.DELETED
    assert await reason(two, COPY_OF_COPY) is RedactionReason.DELETED


@pytest.mark.parametrize("where", [HERE, THERE])
@pytest.mark.parametrize("order", list(permutations(range(2))))
async def test_who_opted_out_where_it_was_said_or_where_it_is_repeated_is_not_repeated(
    two: Keepsake, order: tuple[int, ...], where: int
) -> None:
    if where == THERE:
        await two.memory.ingest_message(ORIGINAL)
    await two.memory.consent.opt_out(guild_id=where, user_id=ALICE)
    later = said(90)
    copy = forward(91, later if where == HERE else ORIGINAL, guild_id=THERE)
    for place in order:
        await two.memory.ingest_message((later, copy)[place])
    assert await reason(two, copy) is RedactionReason.OPTED_OUT


async def test_what_is_not_known_where_it_was_said_is_kept_as_a_forward(two: Keepsake) -> None:
    copy = forward(1, said(0, guild_id=404))
    await two.memory.ingest_messages([copy])
    assert await reason(two, copy) is None


async def test_answers_and_days_that_tell_of_a_forward_go_with_it(two: Keepsake, database: Database) -> None:
    copy = forward(1, ORIGINAL)
    answered = replace(said(2, "Bob passed on: the heliotrope canoe", by=BOT), kind=MessageKind.BOT)
    passed_on = forward(3, answered, guild_id=THERE)
    await two.memory.ingest_messages([ORIGINAL, copy, answered, passed_on])

    async def tell(connection: Connection) -> None:
        await connection.execute(
            """
            INSERT INTO answers (guild_id, message_id, channel_id, user_id, route, state, parts, quoted_ids, sent_ids,
                                 holder, leased_until, answered_at)
            VALUES ($1, $2, 6, $3, 'chat', 'sent', '{heliotrope}', $4, $5, gen_random_uuid(), now(), now())
            """,
            HERE, id_at(60), BOB, [copy.message_id], [answered.message_id],
        )  # fmt: skip
        for guild_id in (HERE, THERE):
            await begin_telling(connection, guild_id=guild_id, audience=OPEN, day=NOON.date())

    await database.write(tell)
    await two.memory.ingest_message(deleted(ORIGINAL))
    assert await reason(two, copy) is RedactionReason.DELETED
    assert await reason(two, answered) is RedactionReason.FORGOTTEN
    assert await reason(two, passed_on) is RedactionReason.FORGOTTEN
    left = await database.read(
        lambda connection: connection.fetchval("SELECT count(*) FROM answers WHERE parts <> '{}'")
    )
    assert left == 0
    taken_back = await database.read(
        lambda connection: connection.fetch("SELECT guild_id FROM day_marks WHERE taken_back > 0 ORDER BY 1")
    )
    assert [row["guild_id"] for row in taken_back] == [HERE, THERE]


async def test_a_forward_that_is_heard_while_its_origin_is_deleted_is_found(
    two: Keepsake, database: Database
) -> None:
    await two.memory.ingest_message(ORIGINAL)
    copy = forward(1, ORIGINAL)

    async def meanwhile(connection: Connection) -> "asyncio.Task[Message]":
        await repository_writing.write_messages(connection, [copy])
        deleting = asyncio.create_task(two.memory.ingest_message(deleted(ORIGINAL)))
        await until_awaited(connection, deleting.done)
        return deleting

    await (await database.write(meanwhile))
    assert await reason(two, copy) is RedactionReason.DELETED


async def test_where_consent_is_asked_for_nobody_is_repeated_who_did_not_give_it(
    two: Keepsake, database: Database
) -> None:
    copy = forward(1, ORIGINAL)
    await two.memory.ingest_messages([ORIGINAL, copy])
    await two.memory.consent.opt_in(guild_id=HERE, user_id=BOB)

    async def told() -> list[Message]:
        return await database.read(messages_repository.messages, guild_id=HERE, message_ids=[copy.message_id])

    assert [one.attachments for one in await told()] == [(WORDS,)]
    was = await two.directory.guild(HERE)
    assert was is not None
    await two.directory.change_guild(was, replace(was, consent=ConsentDefault.ASKED))
    assert await told() == []
    later = forward(2, ORIGINAL)
    await two.memory.ingest_message(later)
    assert await reason(two, later) is RedactionReason.OPTED_OUT


async def test_a_forward_that_could_not_be_written_is_not_written_once_its_origin_went(
    two: Keepsake, database: Database
) -> None:
    await two.memory.ingest_message(ORIGINAL)
    await database.write(
        lambda connection: connection.execute(
            f"ALTER TABLE chat_history ADD CHECK (attachments <> ARRAY['{WORDS}'])"
        )
    )
    fine = [said(minutes, f"hello {minutes}") for minutes in range(10, 20)]
    done = await two.memory.ingest_messages([forward(1, ORIGINAL), *fine])
    assert done.set_aside == 1
    await two.memory.ingest_message(deleted(ORIGINAL))
    left = await database.read(
        lambda connection: connection.fetchval("SELECT count(*) FROM quarantined_messages")
    )
    assert left == 0
