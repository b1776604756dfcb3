"""The directory: settings that hold at once, switches that stay, epochs that begin where somebody sees less."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.app import Keepsake
from bot.core.domain import MAX_ID, AnswerMode, Channel, Guild, Member, RememberingOthers
from bot.core.errors import InvalidInputError
from bot.db.pool import Database
from bot.memory.guilds.repository import Place
from bot.memory.members.directory import Directory

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
GUILD = Guild(guild_id=1, name="Aquarium")
GENERAL = Channel(guild_id=1, channel_id=10, name="general")
CLOSED = Channel(guild_id=1, channel_id=11, name="mods", audience=11)
ALICE = Member(guild_id=1, user_id=7, user_name="alice")


@pytest.fixture
def directory(keepsake: Keepsake) -> Directory:
    return keepsake.directory


async def known(directory: Directory) -> Guild:
    guild = await directory.guild(GUILD.guild_id)
    assert guild is not None
    return guild


async def channel(directory: Directory, channel_id: int) -> Channel:
    found = await directory.channel(guild_id=1, channel_id=channel_id)
    assert found is not None
    return found


async def test_a_guild_keeps_its_settings_however_often_it_is_taken_up(directory: Directory) -> None:
    assert await directory.add_guild(GUILD)
    chosen = replace(
        GUILD, time_zone="Asia/Tokyo", text_search="english", retention_days=7, base_role_id=99,
        persona="A grumpy old fish.", pings=True, remembering_others=RememberingOthers.NOBODY,
    )  # fmt: skip
    changed = await directory.change_guild(GUILD, chosen)
    assert changed == replace(chosen, memory_epoch=1)
    assert not await directory.add_guild(replace(GUILD, name="Reef"))
    assert await known(directory) == replace(changed, name="Reef")
    back = await directory.change_guild(changed, GUILD)
    assert back == replace(GUILD, name="Reef", memory_epoch=2)


async def test_two_who_change_different_settings_from_the_same_page_both_get_theirs(
    directory: Directory,
) -> None:
    await directory.add_guild(GUILD)
    await asyncio.gather(
        directory.change_guild(GUILD, replace(GUILD, pings=True)),
        directory.change_guild(GUILD, replace(GUILD, remembering_others=RememberingOthers.MODERATORS)),
        directory.change_guild(GUILD, replace(GUILD, retention_days=3)),
    )
    assert await known(directory) == replace(
        GUILD, pings=True, remembering_others=RememberingOthers.MODERATORS, retention_days=3
    )


async def test_an_impossible_setting_is_refused_with_its_value_and_what_is_allowed(
    directory: Directory,
) -> None:
    await directory.add_guild(GUILD)
    for wrong, sentence in {
        replace(GUILD, time_zone="Mars/Olympus"): "'Mars/Olympus' .* such as Europe/Berlin",
        replace(GUILD, time_zone="../etc/passwd"): "passwd' cannot be used",
        replace(GUILD, time_zone="europe/berlin"): "'europe/berlin' cannot be used",
        replace(GUILD, text_search="klingon"): "'klingon' .* one of .*english, .*russian, .*simple",
        replace(GUILD, text_search="russian; DROP TABLE guilds"): "cannot be used",
        replace(GUILD, retention_days=-1): "retention_days -1 .* from 0 to 36500",
        replace(GUILD, retention_days=36_501): "retention_days 36501 .* from 0 to 36500",
        replace(GUILD, persona="ы" * 1_001): "persona has 1001 characters: it must have 1000 at most",
        replace(GUILD, base_role_id=0): "base_role_id 0 is no id",
        replace(GUILD, base_role_id=MAX_ID + 1): f"base_role_id {MAX_ID + 1} is no id",
    }.items():
        with pytest.raises(InvalidInputError, match=sentence):
            await directory.change_guild(GUILD, replace(wrong, pings=True))
    assert await known(directory) == GUILD
    with pytest.raises(InvalidInputError, match="guild 5 is not known"):
        await directory.change_guild(replace(GUILD, guild_id=5), replace(GUILD, guild_id=5, pings=True))


async def test_the_bounds_themselves_are_allowed(directory: Directory) -> None:
    await directory.add_guild(GUILD)
    widest = replace(GUILD, retention_days=36_500, persona="ы" * 1_000, base_role_id=MAX_ID)
    assert replace(await directory.change_guild(GUILD, widest), memory_epoch=0) == widest
    for_ever = replace(GUILD, retention_days=0)
    assert (await directory.change_guild(GUILD, for_ever)).retention_days == 0


async def test_every_configuration_that_is_offered_can_be_chosen(directory: Directory) -> None:
    await directory.add_guild(GUILD)
    was = GUILD
    offered = await directory.text_searches()
    assert {"english", "russian", "simple"} <= set(offered)
    for name in offered:
        was = await directory.change_guild(was, replace(was, text_search=name))
        assert was.text_search == name


async def test_an_epoch_begins_when_who_may_see_something_changes_and_else_not(directory: Directory) -> None:
    await directory.add_guild(GUILD)
    await directory.put_channels([GENERAL, CLOSED])
    await directory.put_channels([replace(GENERAL, name="lobby"), CLOSED])
    guild = await directory.change_guild(GUILD, replace(GUILD, pings=True, persona="A fish."))
    assert guild.memory_epoch == 0
    await directory.put_channels([replace(GENERAL, audience=10), replace(CLOSED, audience=0)])
    assert (await known(directory)).memory_epoch == 1
    await directory.put_channel(replace(GENERAL, audience=0))
    assert (await known(directory)).memory_epoch == 2
    guild = await directory.change_guild(guild, replace(guild, base_role_id=99))
    assert guild.memory_epoch == 3
    assert (await directory.change_guild(GUILD, replace(GUILD, base_role_id=99))).memory_epoch == 3


async def test_switches_and_watermark_stay_when_a_channel_is_taken_up_again(directory: Directory) -> None:
    await directory.put_channels([GENERAL, CLOSED, replace(GENERAL, name="named last")])
    was = await channel(directory, 10)
    assert was.name == "named last"
    chosen = replace(was, hearing=False, answering=AnswerMode.ALWAYS, quiet_until=NOON)
    assert await directory.change_channel(was, chosen) == chosen
    await directory.raise_watermarks({1: {10: 500, 11: 600, 12: 700}})
    await directory.put_channels([replace(GENERAL, audience=10), CLOSED])
    assert await directory.channels(1) == [
        replace(chosen, name="general", audience=10, watermark=500),
        replace(CLOSED, watermark=600),
    ]


async def test_a_watermark_only_rises(directory: Directory) -> None:
    await directory.put_channels([GENERAL, CLOSED])
    for raised in ({10: 500, 11: 5}, {10: 400, 11: 6}, {10: 499}, {}):
        await directory.raise_watermarks({1: raised})
    assert [one.watermark for one in await directory.channels(1)] == [500, 6]


async def test_two_who_set_different_switches_from_the_same_page_both_get_theirs(
    directory: Directory,
) -> None:
    await directory.put_channel(GENERAL)
    await directory.change_channel(GENERAL, replace(GENERAL, quiet_until=NOON))
    await directory.change_channel(GENERAL, replace(GENERAL, answering=AnswerMode.NEVER))
    changed = await channel(directory, 10)
    assert changed == replace(GENERAL, quiet_until=NOON, answering=AnswerMode.NEVER)
    assert await directory.change_channel(changed, replace(changed, quiet_until=None)) == replace(
        GENERAL, answering=AnswerMode.NEVER
    )
    with pytest.raises(InvalidInputError, match="channel 99 is not known"):
        await directory.change_channel(replace(GENERAL, channel_id=99), replace(GENERAL, hearing=False))


async def test_a_thread_has_its_channels_switches_and_may_choose_how_it_answers(directory: Directory) -> None:
    later = NOON + timedelta(hours=1)
    thread = Channel(guild_id=1, channel_id=20, name="thread", parent_id=10)
    await directory.put_channels([GENERAL, thread])
    parent = await directory.change_channel(
        GENERAL, replace(GENERAL, hearing=False, answering=AnswerMode.NEVER, quiet_until=later)
    )
    below = await channel(directory, 20)
    assert below == replace(thread, hearing=False, answering=AnswerMode.NEVER, quiet_until=later)
    assert (await directory.place(guild_id=1, channel_id=20)).channel == below
    # What differs from what held was chosen: so even the default can be.
    below = await directory.change_channel(below, replace(below, answering=AnswerMode.ADDRESSED))
    assert below.answering is AnswerMode.ADDRESSED
    below = await directory.change_channel(below, replace(below, quiet_until=NOON, hearing=True))
    assert (below.quiet_until, below.hearing) == (later, False)
    await directory.change_channel(parent, replace(parent, hearing=True, quiet_until=None))
    below = await channel(directory, 20)
    assert (below.quiet_until, below.hearing) == (NOON, True)


async def test_a_thread_does_not_lose_its_parent_to_somebody_who_does_not_know_it(
    directory: Directory,
) -> None:
    thread = Channel(guild_id=1, channel_id=20, name="thread", parent_id=10)
    await directory.put_channel(thread)
    await directory.put_channel(replace(thread, parent_id=None))
    assert await directory.channels(1) == [thread]


async def test_a_deleted_channel_takes_its_threads_along_and_keeps_what_is_known_of_it(
    directory: Directory,
) -> None:
    thread = Channel(guild_id=1, channel_id=20, name="thread", parent_id=11, audience=11)
    await directory.put_channels([GENERAL, CLOSED, thread])
    await directory.drop_channels(guild_id=1, channel_ids=[11], at=NOON)
    assert await directory.channels(1) == [GENERAL]
    assert await channel(directory, 20) == thread
    await directory.put_channel(CLOSED)
    assert await directory.channels(1) == [GENERAL, CLOSED]


async def test_how_far_back_a_past_was_read_only_sinks(directory: Directory) -> None:
    await directory.put_channels([GENERAL, CLOSED])
    for message_id in (500, 300, 400):
        await directory.lower_beginning(guild_id=1, channel_id=10, message_id=message_id)
    assert await directory.beginnings(1) == {10: 300}


async def test_a_place_is_its_guild_and_its_channel_each_if_known(directory: Directory) -> None:
    assert await directory.place(guild_id=1, channel_id=10) == Place(None, None)
    await directory.put_channel(GENERAL)
    assert await directory.place(guild_id=1, channel_id=10) == Place(None, GENERAL)
    await directory.add_guild(GUILD)
    assert await directory.place(guild_id=1, channel_id=10) == Place(GUILD, GENERAL)
    assert await directory.place(guild_id=1, channel_id=99) == Place(GUILD, None)


async def shared(directory: Directory) -> tuple[int, ...]:
    view = await directory.view(guild_id=2, channel_audience=0, user_id=ALICE.user_id)
    return view.own_guild_ids


async def test_a_direct_message_draws_on_the_guilds_where_both_still_are(directory: Directory) -> None:
    await directory.add_guild(replace(GUILD, guild_id=2, direct=True))
    await directory.add_guild(GUILD)
    await directory.put_members([ALICE])
    assert await shared(directory) == (1,)
    await directory.member_left(guild_id=1, user_id=7, at=NOON)
    assert await shared(directory) == ()
    await directory.put_members([ALICE])
    assert await shared(directory) == (1,)
    await directory.guild_left(1, NOON)
    assert await shared(directory) == ()
    assert not await directory.add_guild(GUILD)
    assert await shared(directory) == (1,)


async def test_names_that_no_database_can_hold_spoil_nobody_elses(directory: Directory) -> None:
    odd = replace(ALICE, nickname="a\0l\ud800i")
    bob = replace(ALICE, user_id=8, user_name="bob")
    await directory.put_members([odd, bob, replace(bob, nickname="Bobby")])
    assert [member.name for member in await directory.members(1)] == ["ali", "Bobby"]
    await directory.add_guild(replace(GUILD, name="Aqua\0rium"))
    await directory.put_channel(replace(GENERAL, name="gen\ud800eral"))
    assert (await directory.place(guild_id=1, channel_id=10)) == Place(GUILD, GENERAL)


async def test_another_time_zone_marks_every_day_on_which_something_may_have_been_said(
    directory: Directory, database: Database
) -> None:
    await directory.add_guild(GUILD)
    await database.write(
        lambda connection: connection.execute(
            "INSERT INTO day_marks (guild_id, audience, day, version)"
            " VALUES (1, 0, '2026-03-01', 4), (2, 0, '2026-03-01', 9)"
        )
    )
    await directory.change_guild(GUILD, replace(GUILD, time_zone="Pacific/Kiritimati"))
    rows = await database.read(
        lambda connection: connection.fetch(
            "SELECT guild_id, day::text, version FROM day_marks ORDER BY guild_id, day"
        )
    )
    days = ["2026-02-27", "2026-02-28", "2026-03-01", "2026-03-02", "2026-03-03"]
    assert [tuple(row) for row in rows] == [
        *((1, day, 5 if day == "2026-03-01" else 1) for day in days),
        (2, "2026-03-01", 9),
    ]
