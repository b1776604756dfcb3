"""When a guild comes into sight, the directory holds what is there and lets go of what is not."""

from dataclasses import replace

import discord
import pytest

from bot.adapters.discord.audiences import HIDDEN_NAME
from bot.adapters.discord.guilds import channels_of, guild_of, take_up_guild
from bot.core.clock import SetClock
from bot.core.domain import OPEN, AnswerMode, Channel, moment_of
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.memory.members.directory import Directory
from tests.adapters.discord.sight import (
    ALICE_ID,
    ALL,
    BOB_ID,
    BOT_ID,
    FORUM_ID,
    GENERAL_ID,
    GUILD_ID,
    MEMBER_ROLE_ID,
    POST_ID,
    THREAD_ID,
    VIEW,
    VOICE_ID,
    Json,
    Sight,
    channel,
    guild,
    harbour,
    member,
    overwrite,
    role,
    thread,
)

SETTINGS = Settings(time_zone="Europe/Berlin")
CLOCK = SetClock(moment_of(1450000000000000000))
EVERYONE_DENIED = overwrite(GUILD_ID, deny=VIEW)


@pytest.fixture
def directory(database: Database) -> Directory:
    return Directory(database)


async def taken_up(directory: Directory, told: Json) -> discord.Guild:
    """Take up the guild of a GUILD_CREATE that reaches a client that was started anew."""
    entered = Sight().enter(told)
    await take_up_guild(entered, directory, SETTINGS, clock=CLOCK)
    return entered


async def audiences(directory: Directory) -> dict[int, int]:
    return {known.channel_id: known.audience for known in await directory.channels(GUILD_ID)}


async def test_a_guild_is_taken_up_with_its_channels_threads_and_members(directory: Directory) -> None:
    await taken_up(directory, harbour())
    stored = await directory.guild(GUILD_ID)
    assert stored is not None
    assert (stored.name, stored.time_zone, stored.direct) == ("Harbour", "Europe/Berlin", False)
    known = {
        one.channel_id: (one.name, one.audience, one.parent_id) for one in await directory.channels(GUILD_ID)
    }
    assert known == {
        GENERAL_ID: ("general", OPEN, None),
        FORUM_ID: ("ideas", OPEN, None),
        VOICE_ID: ("Lounge", OPEN, None),
        THREAD_ID: ("plans", OPEN, GENERAL_ID),
        POST_ID: ("a bell", OPEN, FORUM_ID),
    }
    members = {one.user_id: (one.name, one.is_bot) for one in await directory.members(GUILD_ID)}
    assert members == {BOT_ID: ("keepsake", True), ALICE_ID: ("Ali", False), BOB_ID: ("bob", False)}


async def test_taking_up_a_known_guild_renews_names_and_keeps_what_its_managers_chose(
    directory: Directory,
) -> None:
    await taken_up(directory, harbour())
    was = await directory.guild(GUILD_ID)
    room = await directory.channel(guild_id=GUILD_ID, channel_id=GENERAL_ID)
    assert was is not None
    assert room is not None
    await directory.change_guild(was, replace(was, persona="a gruff ferryman", time_zone="UTC"))
    await directory.change_channel(room, replace(room, answering=AnswerMode.NEVER))

    told = {**harbour(), "name": "New Harbour"}
    entered = Sight().enter(told)
    taken = await take_up_guild(entered, directory, SETTINGS, clock=CLOCK)
    assert (taken.name, taken.persona, taken.time_zone) == ("New Harbour", "a gruff ferryman", "UTC")
    room = await directory.channel(guild_id=GUILD_ID, channel_id=GENERAL_ID)
    assert room is not None
    assert room.answering is AnswerMode.NEVER


async def test_channels_that_went_while_nobody_looked_are_dropped_and_archived_threads_are_not(
    directory: Directory,
) -> None:
    await taken_up(directory, harbour())
    told = guild(channels=(channel(GENERAL_ID, "general"), channel(7, "new")))
    await taken_up(directory, told)
    # The forum went, and its posts with it; the thread in #general is only archived.
    assert sorted(await audiences(directory)) == sorted([GENERAL_ID, 7, THREAD_ID])


async def test_audiences_follow_the_base_role_that_the_guild_has_now(directory: Directory) -> None:
    told = guild(
        roles=(role(MEMBER_ROLE_ID, "Member", ALL),),
        channels=(
            channel(5, "verify", overwrite(MEMBER_ROLE_ID, deny=VIEW)),
            channel(6, "games", EVERYONE_DENIED, overwrite(MEMBER_ROLE_ID, allow=VIEW)),
        ),
        threads=(thread(8, "chess", 6), thread(9, "whispers", 6, kind=12)),
    )
    await taken_up(directory, told)
    assert await audiences(directory) == {5: OPEN, 6: 6, 8: 6, 9: 9}
    was = await directory.guild(GUILD_ID)
    assert was is not None
    await directory.change_guild(was, replace(was, base_role_id=MEMBER_ROLE_ID))
    await taken_up(directory, told)
    assert await audiences(directory) == {5: 5, 6: OPEN, 8: OPEN, 9: 9}


async def test_a_channel_that_is_hidden_from_the_bot_closes_and_keeps_its_name(directory: Directory) -> None:
    await taken_up(directory, guild(channels=(channel(5, "general"), channel(6, "games"))))
    hidden = channel(6, HIDDEN_NAME, EVERYONE_DENIED, flags=1 << 17)
    unknown = channel(7, HIDDEN_NAME, EVERYONE_DENIED, flags=1 << 17)
    await taken_up(directory, guild(channels=(channel(5, "general"), hidden, unknown)))
    known = {one.channel_id: (one.name, one.audience) for one in await directory.channels(GUILD_ID)}
    assert known == {5: ("general", OPEN), 6: ("games", 6), 7: (HIDDEN_NAME, 7)}


async def test_a_member_who_was_renamed_meanwhile_has_the_new_name(directory: Directory) -> None:
    await taken_up(directory, harbour())
    await taken_up(directory, guild(members=(member(ALICE_ID, "alice", nick="Captain"),)))
    members = {one.user_id: one.name for one in await directory.members(GUILD_ID)}
    assert members == {BOT_ID: "keepsake", ALICE_ID: "Captain", BOB_ID: "bob"}


async def test_a_large_guild_is_taken_up_whole(directory: Directory) -> None:
    told = guild(
        channels=tuple(channel(number, f"room-{number}") for number in range(10, 510)),
        threads=tuple(thread(number, f"thread-{number}", 10) for number in range(1000, 2000)),
        members=tuple(member(number, f"member-{number}") for number in range(10_000, 12_500)),
    )
    await taken_up(directory, told)
    assert len(await directory.channels(GUILD_ID)) == 1_500
    assert len(await directory.members(GUILD_ID)) == 2_501


def test_categories_hold_no_messages_and_are_no_channels() -> None:
    told = guild(channels=(channel(4, "Rooms", kind=4), channel(5, "general", parent_id="4")))
    # What a channel belongs to is a category; a parent is what a thread has.
    assert channels_of(Sight().enter(told), base_role_id=None) == [
        Channel(guild_id=GUILD_ID, channel_id=5, name="general")
    ]


def test_a_name_that_no_database_can_hold_is_made_one() -> None:
    entered = Sight().enter(guild(name="Har\0bour", channels=(channel(5, "gen\0eral"),)))
    assert guild_of(entered, SETTINGS).name == "Harbour"
    assert channels_of(entered, base_role_id=None)[0].name == "general"
