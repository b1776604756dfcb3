"""What was said while the bot could not see or hear is read once it can again, whatever the client believes."""

import pytest

from bot.db.pool import Database
from tests.adapters.discord.bots import RunningBot, bot_process, eventually, running_bot
from tests.adapters.discord.gaps import are_kept, contains, texts
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.permissions import TALKING, Permission
from tests.servers.discord.server import DiscordServer


def with_den(server: DiscordServer) -> FakeGuild:
    """Return a guild with a channel that the bot sees by a role alone, and has."""
    guild = server.add_guild("Reef", channels=("general",))
    guild.add_role("Keepers")
    guild.add_channel("den", visible_to=("Keepers",), bot_sees=False)
    guild.give_role("Keepsake", "Keepers")
    return guild


async def settled(bot: RunningBot) -> None:
    await bot.client.rooms.settled()
    await bot.client.catch_up.settled()


@pytest.mark.parametrize("is_noticed", [True, False])
async def test_what_was_said_while_a_role_was_gone_is_read_when_it_is_back(
    discord_server: DiscordServer, database: Database, is_noticed: bool
) -> None:
    guild = with_den(discord_server)
    async with running_bot(discord_server, database) as bot:
        await bot.stored(await guild.say("alice", "den", "the safe is behind the mirror"))
        guild.take_role("Keepsake", "Keepers")
        if is_noticed:
            await guild.say("alice", "general", "is it gone?")
            await eventually(lambda: are_kept(database, "the safe is behind the mirror", "is it gone?"))
            await settled(bot)
        await guild.say("bob", "den", "мы переехали в порт")
        guild.give_role("Keepsake", "Keepers")
        said = ["is it gone?"] if is_noticed else []
        await eventually(
            lambda: are_kept(database, "the safe is behind the mirror", *said, "мы переехали в порт")
        )


@pytest.mark.processes
async def test_a_process_reads_what_was_said_while_a_role_was_gone(
    discord_server: DiscordServer, dsn: str, database: Database
) -> None:
    guild = with_den(discord_server)
    async with bot_process(discord_server, dsn) as process:
        await process.told("server Reef")
        await guild.say("alice", "den", "seen")
        await eventually(lambda: are_kept(database, "seen"))
        guild.take_role("Keepsake", "Keepers")
        await guild.say("bob", "den", "это было без бота")
        guild.give_role("Keepsake", "Keepers")
        await guild.say("bob", "den", "seen again")
        await eventually(lambda: are_kept(database, "seen", "это было без бота", "seen again"))
        line = await process.told("Reef: caught up")
        assert "0 edits, 0 deletions" in line
        assert process.errors == []


async def test_what_was_deleted_while_a_role_was_gone_is_deleted(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = with_den(discord_server)
    async with running_bot(discord_server, database) as bot:
        secret = await guild.say("alice", "den", "the code of the gate is a palindrome")
        await bot.stored(secret)
        await bot.stored(await guild.say("bob", "den", "noted"))
        guild.take_role("Keepsake", "Keepers")
        await guild.delete(secret)
        guild.give_role("Keepsake", "Keepers")
        await eventually(lambda: are_kept(database, "", "noted"))


async def test_a_role_that_loses_and_regains_its_permissions_leaves_no_gap(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Reef", everyone=0, channels=("general",))
    async with running_bot(discord_server, database) as bot:
        await bot.stored(await guild.say("alice", "general", "before"))
        guild.change_role("Keepsake", permissions=TALKING & ~Permission.VIEW_CHANNEL)
        await guild.say("alice", "general", "unseen")
        guild.change_role("Keepsake", permissions=TALKING)
        await eventually(lambda: are_kept(database, "before", "unseen"))


async def test_a_room_that_was_known_is_read_though_it_was_hidden_at_the_start(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = with_den(discord_server)
    async with running_bot(discord_server, database) as bot:
        await bot.stored(await guild.say("alice", "den", "seen"))
    guild.take_role("Keepsake", "Keepers")
    await guild.say("bob", "den", "hidden")
    async with running_bot(discord_server, database) as bot:
        assert await texts(database) == ["seen"]
        guild.give_role("Keepsake", "Keepers")
        await eventually(lambda: are_kept(database, "seen", "hidden"))
        # Discord said nothing of the channel itself, and the bot sees it as it is all the same.
        await bot.stored(await guild.say("alice", "den", "Bot, remember that the den is painted green"))
        await discord_server.sent_to("#den")


async def test_a_room_that_was_never_seen_begins_when_it_comes_into_sight(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = with_den(discord_server)
    guild.take_role("Keepsake", "Keepers")
    await guild.say("bob", "den", "nobody asked for this")
    async with running_bot(discord_server, database) as bot:
        await guild.say("bob", "den", "nor for this")
        guild.give_role("Keepsake", "Keepers")
        await bot.stored(await guild.say("alice", "general", "a door opened"))
        await settled(bot)
        await bot.stored(await guild.say("bob", "den", "welcome"))
        await settled(bot)
        assert await texts(database) == ["a door opened", "welcome"]


async def test_what_was_said_during_an_outage_of_a_guild_is_read_when_it_is_back(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Reef")
    async with running_bot(discord_server, database) as bot:
        gone = await guild.say("alice", "general", "before")
        await bot.stored(gone)
        guild.outage()
        await guild.say("alice", "general", "meanwhile")
        await guild.delete(gone)
        guild.back()
        await eventually(lambda: are_kept(database, "", "meanwhile"))


@pytest.mark.parametrize("is_in_one_process", [True, False])
async def test_a_last_message_id_that_lags_hides_nothing(
    discord_server: DiscordServer, database: Database, is_in_one_process: bool
) -> None:
    guild = discord_server.add_guild("Reef")
    thread = guild.add_thread("general", "plans", members=("alice",))
    async with running_bot(discord_server, database) as bot:
        for room in ("general", thread):
            await bot.stored(await guild.say("alice", room, f"before in {room}"[:12]))
        if is_in_one_process:
            discord_server.faults.lag_last_message_ids(1)
            discord_server.faults.refuse_connections()
            discord_server.faults.forget_sessions()
            discord_server.faults.drop_socket()
            for room in ("general", thread):
                await guild.say("bob", room, "meanwhile")
            discord_server.faults.refuse_connections(False)
            await eventually(lambda: has_both(database))
    if not is_in_one_process:
        discord_server.faults.lag_last_message_ids(1)
        for room in ("general", thread):
            await guild.say("bob", room, "meanwhile")
        async with running_bot(discord_server, database):
            await eventually(lambda: has_both(database))


async def has_both(database: Database) -> bool:
    return (await texts(database)).count("meanwhile") == 2


async def test_what_was_said_in_a_thread_that_was_opened_and_archived_again_is_read(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Reef")
    public = guild.add_thread("general", "plans", members=("alice",))
    private = guild.add_thread("general", "gift", private=True, members=("alice", "Keepsake"))
    # Of this one nothing was ever heard: it was archived before the bot came.
    old = guild.add_thread("general", "old plans", members=("alice",))
    guild.archive(old)
    async with running_bot(discord_server, database) as bot:
        for room in (public, private):
            await bot.stored(await guild.say("alice", room, "first words"))
            guild.archive(room)
        # Long ago, as far as marks tell.
        await database.write(
            lambda connection: connection.execute(
                "UPDATE channels SET watermark = watermark - ($1::bigint << 22) WHERE parent_id IS NOT NULL",
                1000 * 3600 * 24 * 30,
            )
        )
    for room in (public, private, old):
        await guild.say("bob", room, f"woken in {room.name}")
        guild.archive(room)
    async with running_bot(discord_server, database):
        expected = {f"woken in {room.name}" for room in (public, private, old)}
        await eventually(lambda: contains(database, expected))
