"""A setting of any kind comes back from the database as what it was put in as."""

from dataclasses import replace
from typing import Any

import pytest

from bot.app import Keepsake
from bot.core.domain import ConsentDefault, DisclosurePolicy, ForgettingOthers, Guild, RememberingOthers
from bot.db.pool import Connection, Database
from bot.db.rows import json_of
from bot.memory.guilds.repository import right_of
from bot.memory.guilds.settings import (
    GUILD_SETTINGS,
    ChannelId,
    Days,
    GuildSetting,
    OneOf,
    RoleId,
    SettingValue,
    Switch,
    Text,
    TextSearch,
    TimeZone,
)

GUILD = Guild(guild_id=1, name="Aquarium")


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (ChannelId(), 2**62),
        (Days(100), 30),
        (OneOf(DisclosurePolicy), "open"),
        (RoleId(), 2**62),
        (Switch(), True),
        (Text(100), "calm"),
        (TextSearch(), "simple"),
        (TimeZone(), "Europe/Berlin"),
    ],
)
async def test_a_setting_of_any_kind_may_stand_in_the_rights(
    keepsake: Keepsake, database: Database, kind: SettingValue[object], value: object
) -> None:
    await keepsake.directory.add_guild(GUILD)
    # The field is one whose default is nothing, so that what is read is what stands there.
    setting = GuildSetting("added", "log_channel_id", kind, "added")

    async def read(connection: Connection) -> object:
        await connection.execute(
            "UPDATE guilds SET rights = $1::jsonb WHERE guild_id = 1", json_of({"added": value})
        )
        return await connection.fetchval(f"SELECT {right_of(setting)} FROM guilds g")

    assert await database.write(read) == value


async def test_every_setting_that_was_changed_is_read_as_it_was_set(keepsake: Keepsake) -> None:
    await keepsake.directory.add_guild(GUILD)
    chosen: dict[str, Any] = {
        "time_zone": "Europe/Berlin", "base_role_id": 77, "persona": "calm", "retention_days": 30,
        "text_search": "simple", "pings": True, "remembering_others": RememberingOthers.NOBODY,
        "forgetting_others": ForgettingOthers.MODERATORS, "telling_others": DisclosurePolicy.OPEN,
        "consent": ConsentDefault.ASKED, "hearing": False, "log_channel_id": 88,
    }  # fmt: skip
    assert set(chosen) == {one.field for one in GUILD_SETTINGS.values()}
    becomes = replace(GUILD, **chosen)
    # Each as the type that the field has, whatever the column is.
    for was, wanted in ((GUILD, becomes), (becomes, GUILD)):
        changed = await keepsake.directory.change_guild(was, wanted)
        assert replace(changed, memory_epoch=0) == wanted
        assert await keepsake.directory.guild(guild_id=1) == changed
