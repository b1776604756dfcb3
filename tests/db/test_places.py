"""Every statement about guilds, channels and members on every server that is supported."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from bot.core.domain import AnswerMode, Channel, Guild, Member, Message, RedactionReason, RememberingOthers
from bot.db.pool import Connection, Database
from bot.memory.guilds.repository import Place
from bot.memory.members.directory import Directory
from bot.memory.messages import repository as messages_repository
from bot.memory.messages import repository_writing
from bot.memory.messages.repository import MessageVersion

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
GUILD = Guild(guild_id=1, name="Aquarium")
GENERAL = Channel(guild_id=1, channel_id=10, name="general")
THREAD = Channel(guild_id=1, channel_id=20, name="thread", parent_id=10)


@pytest.fixture
async def database(dsn: str) -> AsyncIterator[Database]:
    """A pool as it is behind a pooler in transaction mode."""
    database = await Database.open(dsn, statement_cache=0)
    yield database
    await database.close()


async def test_a_place_is_made_changed_and_left(database: Database) -> None:
    directory = Directory(database)
    assert await directory.add_guild(GUILD)
    await directory.put_channels([GENERAL, THREAD])
    await directory.put_members([Member(guild_id=1, user_id=7, user_name="alice")])
    guild = replace(
        GUILD, name="Reef", time_zone="Asia/Tokyo", text_search="english", retention_days=7, base_role_id=9,
        persona="A fish.", pings=True, remembering_others=RememberingOthers.MODERATORS,
    )  # fmt: skip
    changed = await directory.change_guild(GUILD, guild)
    await directory.put_channels([replace(GENERAL, audience=10), replace(THREAD, audience=10)])
    channel = replace(GENERAL, audience=10, answering=AnswerMode.NEVER, quiet_until=NOON, hearing=False)
    await directory.change_channel(replace(GENERAL, audience=10), channel)
    await directory.raise_watermarks({1: {10: 5, 20: 6}})
    await directory.lower_beginning(guild_id=1, channel_id=10, message_id=3)
    assert await directory.place(guild_id=1, channel_id=20) == Place(
        replace(changed, memory_epoch=2),
        replace(channel, channel_id=20, name="thread", parent_id=10, watermark=6),
    )
    assert await directory.beginnings(1) == {10: 3}
    await directory.drop_channels(guild_id=1, channel_ids=[10], at=NOON)
    await directory.member_left(guild_id=1, user_id=7, at=NOON)
    await directory.guild_left(1, NOON)
    assert await directory.channels(1) == []


async def test_leases_and_notices_are_given_once(database: Database) -> None:
    directory = Directory(database)
    assert await directory.shards.take([0, 1], 2, UUID(int=1))
    assert not await directory.shards.take([1], 2, UUID(int=2))
    assert await directory.shards.renew(UUID(int=1))
    await directory.shards.give_back(UUID(int=1))
    assert await directory.shards.take([1], 2, UUID(int=2))
    told = [await directory.notices.first_today(guild_id=0, kind="disk full") for _ in range(2)]
    assert told == [True, False]


async def test_versions_are_those_of_one_channel_in_the_range_with_withheld_ones(database: Database) -> None:
    def said(message_id: int, *, channel_id: int = 10, edited_at: datetime | None = None) -> Message:
        return Message(
            guild_id=1, channel_id=channel_id, message_id=message_id, user_id=7, text="running",
            timestamp=NOON, edited_at=edited_at,
        )  # fmt: skip

    edited = NOON + timedelta(minutes=1)

    async def write(connection: Connection) -> None:
        await repository_writing.write_messages(
            connection,
            [said(1), said(2), said(3, edited_at=edited), said(4, channel_id=11), said(5), said(6)],
        )
        await repository_writing.withhold(
            connection, guild_id=1, message_ids=[5], reason=RedactionReason.DELETED
        )

    await database.write(write)
    kept = await database.read(
        messages_repository.message_versions, guild_id=1, channel_id=10, from_id=2, to_id=5
    )
    assert kept == [
        MessageVersion(message_id=2, edited_at=None, withheld=None),
        MessageVersion(message_id=3, edited_at=edited, withheld=None),
        MessageVersion(message_id=5, edited_at=None, withheld=RedactionReason.DELETED),
    ]
