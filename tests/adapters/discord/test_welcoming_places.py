"""The notice to members stands where all of them read it, and is tried again."""

import pytest

from bot.adapters.discord import welcome
from bot.db.pool import Database
from tests.adapters.discord.bots import running_bot
from tests.adapters.discord.test_welcoming import home, welcomed, welcomes
from tests.servers.discord.server import DiscordServer


async def test_it_is_never_told_in_a_room_that_not_everybody_reads(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = home(discord_server)
    guild.hide("hall")
    staff = discord_server.add_guild("Staff", channels=("office",))
    staff.hide("office")
    async with running_bot(discord_server, database, is_new=True):
        assert (await welcomed(discord_server)).channel is guild.channel("general")
        staff.show("office")
        await discord_server.sent_to(staff.channel("office"))
    assert len(welcomes(discord_server)) == 2


async def test_a_notice_that_discord_refused_is_tried_again_by_time(
    discord_server: DiscordServer, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(welcome, "AGAIN_SECONDS", 0.2)
    hall = home(discord_server).channel("hall")
    discord_server.faults.fail("POST", f"/channels/{hall.channel_id}/messages", 403)
    async with running_bot(discord_server, database, is_new=True):
        await welcomed(discord_server)
    assert len(welcomes(discord_server)) == 1
