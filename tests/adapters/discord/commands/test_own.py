"""What members decide on Discord about what is kept of them: commands, a form that confirms, files for one alone."""

import json
from dataclasses import replace

from bot.adapters.discord.members import reads_of
from bot.core.domain import FactOrigin
from bot.db.pool import Database
from bot.memory.facts.statements import Note
from bot.memory.policy.consent import MemberConsent
from tests.adapters.discord.bots import RunningBot, eventually, running_bot
from tests.adapters.discord.commands.acts import changed, grant, has_facts, is_for_one
from tests.servers.discord.components import each, fields, labels
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.interaction import FakeInteraction
from tests.servers.discord.interaction_acts import DIRECTLY
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeMessage
from tests.servers.discord.waiting import until

GO_ON, STOP = "Go on as before", "Keep nothing more of me"


async def standing(bot: RunningBot, guild: FakeGuild, name: str = "alice") -> MemberConsent:
    return await bot.keepsake.memory.consent.of(guild_id=guild.guild_id, user_id=guild.member(name).user_id)


async def noted(bot: RunningBot, guild: FakeGuild, text: str, *, channel: str) -> None:
    """Let bob have noted something about alice in a closed channel."""
    room = guild.channel(channel)
    await bot.keepsake.memory.remember(
        Note(
            guild_id=guild.guild_id,
            subject_id=guild.member("alice").user_id,
            author_id=guild.member("bob").user_id,
            speaker_id=guild.member("bob").user_id,
            audience=room.channel_id,
            statement=f"<@{guild.member('alice').user_id}> {text}",
            cause=f"m:{room.channel_id}",
            channel_id=room.channel_id,
            message_id=room.channel_id,
            said_at=bot.keepsake.clock.now(),
            time_zone="UTC",
            origin=FactOrigin.COMMAND,
        )
    )


def form_text(opened: FakeInteraction) -> str:
    """Return what a form says beside its fields."""
    assert opened.modal is not None
    components: list[dict[str, object]] = opened.modal["components"]  # type: ignore[assignment]
    return " ".join(str(one["content"]) for one in each(components) if "content" in one)


def told_to(server: DiscordServer, name: str) -> list[FakeMessage]:
    channel = server.direct(name)
    return [message for message in server.sent if message.channel is channel]


async def test_off_and_on_hold_and_only_the_member_sees_it(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    guild.member("bob").user.locale = "ru"
    async with running_bot(discord_server, database) as bot:
        off = await guild.slash("alice", "general", "memory off")
        assert is_for_one(off)
        assert off.text.startswith("Done: from now on nothing that you say on this server")
        assert "</memory on:" in off.text
        assert labels(off.messages[0].components) == ["Erase what there is…"]
        assert (await standing(bot, guild)).opted_out
        refused = await guild.slash("bob", "general", "память запомнить", текст="alice любит чай")
        assert refused.text == "alice: об этом участнике ничего не сохраняется, так что ничего не записано."
        on = await guild.slash("alice", "general", "memory on")
        assert on.text.startswith("Done: from now on what you say on this server is kept again.")
        russian = await guild.slash("bob", "general", "память приватность")
        assert russian.text.startswith("Готово: на этом сервере другим о вас ничего не рассказывается.")
        assert (await standing(bot, guild, "bob")).private
        await guild.slash("bob", "general", "память приватность", состояние="off")
        assert not (await standing(bot, guild, "bob")).private


async def test_kinds_are_listed_and_chosen_with_days(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        path = "memory categories"
        chosen = await guild.slash("alice", "general", path, category="event", days=30)
        await guild.slash("alice", "general", path, category="feeling", keep="off")
        lacking = await guild.slash("alice", "general", path, days=30)
        listed = await guild.slash("alice", "general", path)
        kept = (await standing(bot, guild)).kept_categories
    assert chosen.text.startswith("Done: events about you are kept on this server for 30 days")
    assert lacking.text.startswith("Which kind of memory?")
    assert "- events: kept for 30 days" in listed.text
    assert "- feelings: not kept" in listed.text
    assert (kept["event"].days, kept["feeling"].kept) == (30, False)


async def test_an_export_is_a_file_for_one_alone_without_what_they_cannot_read(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home", channels=("general", "mods"))
    guild.hide("mods")
    async with running_bot(discord_server, database) as bot:
        await guild.say("alice", "general", "Bot, remember that I like pizza")
        await has_facts(bot, guild, "alice", "pizza")
        await noted(bot, guild, "is a canary", channel="mods")
        given = await guild.slash("alice", "general", "memory export")
    assert is_for_one(given)
    (file,) = given.messages[0].attachments
    assert file.filename.endswith(".json")
    assert "pizza" in file.content.decode()
    assert "canary" not in file.content.decode()
    assert json.loads(file.content)


async def test_erasing_is_confirmed_by_a_form_that_says_what_will_go(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        await guild.say("alice", "general", "Bot, remember that I like pizza")
        await has_facts(bot, guild, "alice", "pizza")
        opened = await guild.slash("alice", "general", "memory erase")
        assert opened.messages == []
        assert form_text(opened).startswith("This erases 1 message of yours, 1 fact about you")
        assert "on this server, for good" in form_text(opened)
        await has_facts(bot, guild, "alice", "pizza")
        erased = await guild.submit_modal(opened, {"From now on": GO_ON})
        assert is_for_one(erased)
        assert erased.text.startswith("Erased on this server: 1 message of yours, 1 fact about you")
        assert not (await standing(bot, guild)).opted_out
        await has_facts(bot, guild, "alice")
        # Who was erased is met anew, with a name.
        await guild.say("alice", "general", "Bot, remember that I like tea")
        await has_facts(bot, guild, "alice", "tea")
        assert (await bot.members(guild.guild_id))["alice"].user_id == guild.member("alice").user_id


async def test_erasing_may_end_remembering_too_and_finds_nothing_the_next_time(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    guild.member("alice").user.locale = "ru"
    async with running_bot(discord_server, database) as bot:
        await guild.say("alice", "general", "Бот, запомни, что я люблю пиццу")
        await has_facts(bot, guild, "alice", "пиццу")
        off = await guild.slash("alice", "general", "память выкл")
        opened = await guild.click("alice", off.messages[0], "Стереть и прежнее…")
        assert form_text(opened).startswith(
            "Это навсегда сотрёт (на этом сервере) 1 сообщение от вас, 1 факт о вас"
        )
        erased = await guild.submit_modal(opened, {"С этого момента": "Больше ничего обо мне не сохранять"})
        assert "И с этого момента о вас ничего не сохраняется." in erased.text
        nothing = await guild.slash("alice", "general", "память стереть")
        assert nothing.modal is None
        assert nothing.text.startswith("О вас ничего не хранится")
        assert nothing.messages[0].components == []
        assert (await standing(bot, guild)).opted_out


async def test_in_private_a_server_is_chosen_from_a_list_that_survives_a_restart(
    discord_server: DiscordServer, database: Database
) -> None:
    home, garden = discord_server.add_guild("Home"), discord_server.add_guild("Garden")
    async with running_bot(discord_server, database):
        for guild in (home, garden):
            await guild.slash("alice", "general", "memory remember", text="I like pizza")
        asked = await home.slash("alice", DIRECTLY, "memory off")
        erasing = await home.slash("alice", DIRECTLY, "memory erase")
        exporting = await home.slash("alice", DIRECTLY, "memory export")
        assert asked.text == "We meet on several servers. Which one do you mean?"
    async with running_bot(discord_server, database) as bot:
        chosen = home.choose("alice", asked.messages[0], "Choose a server…", "Garden")
        assert "on Garden" in await changed(chosen, asked.messages[0])
        assert [(await standing(bot, one)).opted_out for one in (home, garden)] == [False, True]
        exported = home.choose("alice", exporting.messages[0], "Choose a server…", "everywhere, here too")
        assert "everywhere we meet" in await changed(exported, exporting.messages[0])
        (file,) = exporting.messages[0].attachments
        assert file.filename.endswith(".zip")
        opened = await home.choose("alice", erasing.messages[0], "Choose a server…", "Home")
        assert "on Home" in form_text(opened)
        assert fields(opened.modal or {})
        erased = await home.submit_modal(opened, {"From now on": STOP})
        assert erased.text.startswith("Erased on Home: ")
        await has_facts(bot, home, "alice")
        assert (await standing(bot, home)).opted_out


async def test_with_one_server_shared_nothing_is_asked_in_private(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        await guild.slash("alice", "general", "memory remember", text="I like pizza")
        off = await guild.slash("alice", DIRECTLY, "memory off")
        assert "on Home and in this conversation" in off.text
        opened = await guild.click("alice", off.messages[0], "Erase what there is…")
        await guild.submit_modal(opened, {"From now on": GO_ON})
        await has_facts(bot, guild, "alice")


async def test_by_words_the_file_comes_as_a_direct_message_or_the_command_is_named(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database):
        await guild.say("alice", "general", "Bot, send me what you keep about me")
        await until(lambda: any(message.attachments for message in told_to(discord_server, "alice")))
        await until(lambda: any("as a direct message" in message.text for message in discord_server.sent))
        refused = {"code": 50007, "message": "Cannot send messages to this user"}
        direct = discord_server.direct("bob").channel_id
        discord_server.faults.fail("POST", f"/channels/{direct}/messages", 403, refused)
        await guild.say("bob", "general", "Бот, пришли мои данные")
        await until(lambda: any("поможет /memory export" in message.text for message in discord_server.sent))
    assert not any(message.attachments for message in told_to(discord_server, "bob"))


async def test_managers_hear_once_of_notes_that_wait_and_decide(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home", channels=("general", "mods"))
    guild.add_member("mona", manager=True)
    guild.hide("mods")
    # An administrator granted it, which makes nobody a manager.
    grant(guild, "bob")
    async with running_bot(discord_server, database) as bot:
        await guild.say("alice", "general", "Bot, remember that I like pizza")
        await has_facts(bot, guild, "alice", "pizza")
        await noted(bot, guild, "is a canary", channel="mods")
        opened = await guild.slash("alice", "general", "memory erase")
        await guild.submit_modal(opened, {"From now on": GO_ON})
        owner = discord_server.world.owner.name
        await until(lambda: told_to(discord_server, owner), what="the owner hears of it")
        refused = await guild.slash("bob", "general", "memory-admin waiting")
        listed = await guild.slash("mona", "general", "memory-admin waiting")
        assert labels(listed.messages[0].components) == ["Erase 1", "Keep 1"]
        done = await changed(guild.click("mona", listed.messages[0], "Erase 1"), listed.messages[0])
    (told,) = told_to(discord_server, owner)
    assert "/memory-admin waiting" in told.text
    assert str(guild.member("alice").user_id) not in told.text
    assert refused.text.startswith("Only those who may manage this server")
    assert "1 fact about" in listed.text
    assert "canary" not in listed.text
    assert done.startswith(
        "Erased: 1 fact about a member who had asked for it.\nNo notes about erased members"
    )


async def test_what_waits_is_told_in_the_log_channel_if_there_is_one(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home", channels=("general", "mods", "log"))
    guild.hide("mods")
    async with running_bot(discord_server, database) as bot:
        was = await bot.guild(guild.guild_id)
        log = guild.channel("log")
        await bot.keepsake.directory.change_guild(was, replace(was, log_channel_id=log.channel_id))
        await guild.say("alice", "general", "hello there")
        await eventually(lambda: bot.members(guild.guild_id))
        await noted(bot, guild, "is a canary", channel="mods")
        await guild.say("alice", "general", "Bot, forget me completely")
        await until(lambda: any("Answer “yes”" in message.text for message in discord_server.sent))
        await guild.say("alice", "general", "yes")
        await until(lambda: any(message.channel is log for message in discord_server.sent))
        in_log = [message for message in discord_server.sent if message.channel is log]
    assert len(in_log) == 1
    assert "/memory-admin waiting" in in_log[0].text
    assert told_to(discord_server, discord_server.world.owner.name) == []


async def test_what_a_member_can_read_follows_their_permissions(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home", channels=("general", "mods"))
    mona = guild.add_member("mona", moderator=True)
    guild.hide("mods")
    guild.show("mods", "Moderators")
    mods = guild.channel("mods").channel_id
    async with running_bot(discord_server, database) as bot:
        rooms = bot.client.rooms

        async def read_by(user_id: int) -> tuple[int, ...]:
            return tuple(await reads_of(bot.client, rooms, user_id)(guild.guild_id))

        assert await read_by(mona.user_id) == (0, mods)
        assert await read_by(guild.member("alice").user_id) == (0,)
        assert await read_by(4_242) == ()
        assert tuple(await reads_of(bot.client, rooms, mona.user_id)(4_242)) == ()
