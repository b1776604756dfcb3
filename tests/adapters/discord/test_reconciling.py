"""Edits and deletions of the last days are heard later, and nothing that only could not be read counts as deleted."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.discord.backfill.healing import compare_part
from bot.adapters.discord.backfill.history import Page
from bot.core.domain import RedactionReason
from bot.db.pool import Database
from bot.memory.messages.repository import MessageVersion
from tests.adapters.discord.bots import RunningBot, running_bot
from tests.adapters.discord.gaps import column, texts, told
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.permissions import Permission
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeMessage
from tests.servers.discord.waiting import until

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
edits = st.none() | st.integers(0, 3).map(lambda minutes: NOON + timedelta(minutes=minutes))


@given(
    kept=st.dictionaries(st.integers(1, 9), st.tuples(edits, st.none() | st.sampled_from(RedactionReason))),
    there=st.dictionaries(st.integers(1, 9), edits),
    unreadable=st.sets(st.integers(1, 9)),
)
def test_only_what_is_kept_with_its_text_can_be_edited_or_deleted(
    kept: dict[int, tuple[datetime | None, RedactionReason | None]],
    there: dict[int, datetime | None],
    unreadable: set[int],
) -> None:
    versions = [
        MessageVersion(message_id=one, edited_at=edited_at, withheld=withheld)
        for one, (edited_at, withheld) in sorted(kept.items())
    ]
    there = {one: edited_at for one, edited_at in there.items() if one not in unreadable}
    messages: Any = tuple(SimpleNamespace(id=one, edited_at=edited_at) for one, edited_at in there.items())
    ids = tuple(sorted({*there, *unreadable}))
    found = compare_part(versions, Page(ids=ids, messages=messages, is_last=True))
    told = {one for one, (_, withheld) in kept.items() if withheld is None}
    assert set(found.deleted_ids) == told - there.keys() - unreadable
    for message in found.edited:
        before = kept[message.id][0]
        assert message.id in told
        assert message.edited_at is not None
        assert before is None or message.edited_at > before
    unchanged = (told & there.keys()) - {message.id for message in found.edited}
    for one in unchanged:
        after, before = there[one], kept[one][0]
        assert after is None or (before is not None and after <= before)


async def say(bot: RunningBot, guild: FakeGuild, *words: str) -> list[FakeMessage]:
    said = [await guild.say("alice", "general", word) for word in words]
    for message in said:
        await bot.stored(message)
    return said


async def test_what_was_edited_and_deleted_meanwhile_is_as_if_it_had_been_heard(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Reef")
    async with running_bot(discord_server, database) as bot:
        kept, edited, deleted = await say(bot, guild, "stays", "hello", "goes")
        many = await guild.say_many("bob", "general", [f"word {number}" for number in range(220)])
        await bot.stored(many[-1])
    await guild.edit(edited, "hello, world")
    await guild.delete(deleted)
    await guild.bulk_delete(many[60:200])
    await guild.say("alice", "general", "new")
    async with running_bot(discord_server, database) as bot:
        left = [f"word {number}" for number in range(220) if not 60 <= number < 200]
        assert [text for text in await texts(database) if text] == ["stays", "hello, world", *left, "new"]
        withheld = dict(
            zip(await column(database, "message_id"), await column(database, "withheld"), strict=True)
        )
        assert withheld[deleted.message_id] == "deleted"
        assert withheld[kept.message_id] is None
        assert told(bot) == ["Reef: caught up 1 message, 1 edit, 141 deletions"]
    async with running_bot(discord_server, database) as bot:
        assert told(bot) == []


async def test_a_channel_of_which_everything_was_deleted_is_empty(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Reef")
    async with running_bot(discord_server, database) as bot:
        said = await say(bot, guild, "one", "two")
    await guild.bulk_delete(said)
    async with running_bot(discord_server, database):
        assert await texts(database) == ["", ""]


async def test_what_may_not_be_read_was_not_deleted(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Reef")
    async with running_bot(discord_server, database) as bot:
        await say(bot, guild, "one", "two")
    for permission in (Permission.READ_MESSAGE_HISTORY, Permission.VIEW_CHANNEL):
        guild.forbid("general", guild.bot_role.name, permission)
        before = len(discord_server.requests)
        async with running_bot(discord_server, database):
            assert await texts(database) == ["one", "two"]
        asked = [request.path for request in discord_server.requests[before:]]
        assert not [path for path in asked if path.endswith("/messages")]
        guild.allow("general", guild.bot_role.name, permission)


async def test_an_empty_answer_is_believed_only_of_messages_that_are_gone(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Reef")
    async with running_bot(discord_server, database) as bot:
        await say(bot, guild, "one", "two")
    # As Discord answers when the right to read was taken a moment ago.
    history = f"/channels/{guild.channel('general').channel_id}/messages"
    discord_server.faults.fail("GET", history, 200, body=[], times=2)  # type: ignore[arg-type]
    async with running_bot(discord_server, database):
        assert await texts(database) == ["one", "two"]


async def test_errors_leave_the_gap_open_until_it_can_be_read(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Reef")
    async with running_bot(discord_server, database) as bot:
        await say(bot, guild, "one")
    await guild.say("alice", "general", "two")
    history = f"/channels/{guild.channel('general').channel_id}/messages"
    discord_server.faults.fail("GET", history, 403, times=1)
    async with running_bot(discord_server, database) as bot:
        assert await texts(database) == ["one"]
        live = await guild.say("bob", "general", "three")
        await bot.stored(live)
        await until(lambda: told(bot), what="the channel is tried again")
        assert await texts(database) == ["one", "two", "three"]
