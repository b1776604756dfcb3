"""One message, event, thread or archive that cannot be read keeps nothing else from being heard."""

import pytest

from bot.adapters.discord.backfill.past import PastReport
from bot.db.pool import Database
from tests.adapters.discord.bots import bot_process, eventually, running_bot
from tests.adapters.discord.gaps import are_kept, column, texts
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.waiting import until


@pytest.mark.processes
async def test_a_message_that_cannot_be_read_blocks_nothing_behind_it(
    discord_server: DiscordServer, dsn: str, database: Database
) -> None:
    guild = discord_server.add_guild("Reef")
    async with bot_process(discord_server, dsn) as process:
        await process.told("server Reef")
        await guild.say("alice", "general", "before")
        await eventually(lambda: are_kept(database, "before"))
        await process.stop()
    await guild.say("alice", "general", "one")
    unreadable = await guild.say("alice", "general", "nobody can read this")
    unreadable.garbled = True
    await guild.say("bob", "general", "ночью шёл снег")
    async with bot_process(discord_server, dsn) as process:
        await process.told("Reef: caught up 2 messages")
        await eventually(lambda: are_kept(database, "before", "one", "ночью шёл снег"))
        live = await guild.say("bob", "general", "live again")
        await eventually(lambda: has(database, live.message_id))
        assert [line for line in process.errors if str(unreadable.message_id) in line]
        assert not [line for line in process.errors if "nobody can read" in line]


async def has(database: Database, message_id: int) -> bool:
    return message_id in await column(database, "message_id")


async def test_a_page_of_nothing_that_can_be_read_is_passed_over(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Reef")
    async with running_bot(discord_server, database) as bot:
        await bot.stored(await guild.say("alice", "general", "before"))
    for message in await guild.say_many("alice", "general", [f"word {number}" for number in range(205)]):
        message.garbled = True
    await guild.say("bob", "general", "after")
    async with running_bot(discord_server, database):
        assert await texts(database) == ["before", "after"]


async def test_what_was_heard_and_can_be_read_no_more_was_not_deleted(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Reef")
    async with running_bot(discord_server, database) as bot:
        for word in ("one", "two", "three"):
            said = await guild.say("alice", "general", word)
            await bot.stored(said)
            said.garbled = word != "one"
    async with running_bot(discord_server, database):
        assert await texts(database) == ["one", "two", "three"]


async def test_a_live_message_that_cannot_be_read_is_read_back(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Reef")
    async with running_bot(discord_server, database) as bot:
        await bot.stored(await guild.say("alice", "general", "before"))
        discord_server.faults.garble_events("MESSAGE_CREATE")
        await guild.say("alice", "general", "said in a broken event")
        await eventually(lambda: are_kept(database, "before", "said in a broken event"))
        discord_server.faults.garble_events("MESSAGE_CREATE")
        await guild.say_directly("bob", "remember that I keep bees")
        await eventually(lambda: has_fact(database))


async def has_fact(database: Database) -> bool:
    return bool(await database.read(lambda connection: connection.fetchval("SELECT count(*) FROM facts")))


@pytest.mark.parametrize("change", ["edit", "bulk"])
async def test_a_change_that_cannot_be_read_is_noticed_all_the_same(
    discord_server: DiscordServer, database: Database, change: str
) -> None:
    guild = discord_server.add_guild("Reef")
    async with running_bot(discord_server, database) as bot:
        said = [await guild.say("alice", "general", word) for word in ("one", "two", "three")]
        for message in said:
            await bot.stored(message)
        if change == "edit":
            discord_server.faults.garble_events("MESSAGE_UPDATE")
            await guild.edit(said[0], "eins")
            await eventually(lambda: are_kept(database, "eins", "two", "three"))
        else:
            discord_server.faults.garble_events("MESSAGE_DELETE_BULK")
            await guild.bulk_delete(said[:2])
            await eventually(lambda: are_kept(database, "", "", "three"))


async def test_a_change_of_roles_that_cannot_be_read_opens_a_gap(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Reef")
    async with running_bot(discord_server, database) as bot:
        await bot.stored(await guild.say("alice", "general", "before"))
        discord_server.faults.garble_events("MESSAGE_CREATE")
        discord_server.faults.garble_events("GUILD_ROLE_UPDATE")
        await guild.say("alice", "general", "between")
        guild.change_role("@everyone", name="everyone")
        await eventually(lambda: are_kept(database, "before", "between"))


@pytest.mark.parametrize("fault", ["refused", "unreadable"])
async def test_one_archive_that_fails_keeps_the_rest_of_a_guild_from_nothing(
    discord_server: DiscordServer, database: Database, fault: str
) -> None:
    guild = discord_server.add_guild("Reef", channels=("general", "games", "news"))
    threads = [guild.add_thread(name, f"on {name}", members=("alice",)) for name in ("general", "games")]
    rooms = [*map(guild.channel, ("general", "games", "news")), *threads]
    async with running_bot(discord_server, database) as bot:
        for room in rooms:
            await bot.stored(await guild.say("alice", room, "hello"))
    if fault == "refused":
        archive = f"/channels/{guild.channel('general').channel_id}/threads/archived/public"
        discord_server.faults.fail("GET", archive, 403, times=None)
    else:
        broken = guild.add_thread("general", "broken", members=("alice",))
        guild.archive(broken)
        broken.garbled = True
    for room in rooms:
        await guild.say("bob", room, "meanwhile")
    for thread in threads:
        guild.archive(thread)
    async with running_bot(discord_server, database):
        await eventually(lambda: said_meanwhile(database, 4 if fault == "refused" else 5))
        discord_server.faults.heal()
        # What failed is asked for again.
        await eventually(lambda: said_meanwhile(database, 5))


async def said_meanwhile(database: Database, count: int) -> bool:
    return (await texts(database)).count("meanwhile") == count


async def test_a_message_that_cannot_be_read_hides_nothing_from_the_past(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Reef")
    said = await guild.say_many("alice", "general", [f"word {number}" for number in range(150)])
    said[70].garbled = True
    async with running_bot(discord_server, database) as bot:
        done: list[PastReport] = []

        async def tell(result: PastReport) -> None:
            done.append(result)

        assert bot.client.past.begin(await bot.guild(guild.guild_id), tell)
        await until(lambda: done)
        assert len(await texts(database)) == 149


async def test_an_archive_that_fails_keeps_the_past_of_no_other_channel_unread(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Reef", channels=("general", "games"))
    thread = guild.add_thread("games", "chess", members=("alice",))
    for room in (guild.channel("general"), guild.channel("games"), thread):
        await guild.say("alice", room, f"long ago in {room.name}")
    guild.archive(thread)
    archive = f"/channels/{guild.channel('general').channel_id}/threads/archived/public"
    discord_server.faults.fail("GET", archive, 403, times=None)
    async with running_bot(discord_server, database) as bot:
        done: list[PastReport] = []

        async def tell(result: PastReport) -> None:
            done.append(result)

        assert bot.client.past.begin(await bot.guild(guild.guild_id), tell)
        await until(lambda: done)
        assert {"long ago in general", "long ago in games", "long ago in chess"} <= set(await texts(database))
        # Whoever asked hears that not all was read.
        assert done[0].failed == 1
