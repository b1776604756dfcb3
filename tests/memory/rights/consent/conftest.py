"""A guild of two, at noon."""

import pytest

from bot.app import Keepsake
from bot.core.clock import SetClock
from bot.core.domain import Channel, Guild, Member
from tests.memory.spoken import ALICE, BOB, CHANNEL_ID, GUILD_ID, NOON


@pytest.fixture
async def guild(keepsake: Keepsake, clock: SetClock) -> Keepsake:
    """A guild of two, at noon."""
    clock.set(NOON)
    await keepsake.directory.add_guild(Guild(guild_id=GUILD_ID, name="Test"))
    await keepsake.directory.put_channels([Channel(guild_id=GUILD_ID, channel_id=CHANNEL_ID, name="general")])
    await keepsake.directory.put_members(
        [
            Member(guild_id=GUILD_ID, user_id=ALICE, user_name="alice"),
            Member(guild_id=GUILD_ID, user_id=BOB, user_name="bob"),
        ]
    )
    return keepsake
