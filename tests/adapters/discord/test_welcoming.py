"""A guild is told once what is kept there, whatever crashes, and its managers set the bot up below it."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.adapters.discord.welcome import OWN_ID, WelcomeNotices
from bot.core.domain import Channel, ConsentDefault
from bot.db.pool import Database
from bot.memory.guilds.notices import GuildNotices
from tests.adapters.discord.bots import RunningBot, eventually, running_bot
from tests.adapters.discord.commands.acts import is_for_one
from tests.servers.discord import rest_messages
from tests.servers.discord.components import each
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.interaction_acts import DIRECTLY
from tests.servers.discord.permissions import TALKING, Permission
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeMessage
from tests.servers.discord.waiting import until

MUTE = TALKING & ~Permission.SEND_MESSAGES


def welcomes(server: DiscordServer) -> list[FakeMessage]:
    """Return the messages with the buttons, in order."""
    return [
        one
        for one in server.sent
        if any(OWN_ID in str(part.get("custom_id")) for part in each(one.components))
    ]


def home(server: DiscordServer, *, locale: str = "en-US", bot: int = TALKING) -> FakeGuild:
    """A guild with a manager."""
    guild = server.add_guild("Home", channels=("hall", "general"), locale=locale, bot_permissions=bot)
    guild.add_member("mona", manager=True)
    return guild


async def welcomed(server: DiscordServer) -> FakeMessage:
    """Return the one message, once it is there."""
    await until(lambda: welcomes(server), what="the guild is told")
    [message] = welcomes(server)
    return message


async def is_noted(database: Database, guild: FakeGuild) -> bool:
    return bool(
        await database.read(
            lambda connection: connection.fetchval(
                "SELECT message_id IS NOT NULL FROM told WHERE guild_id = $1", guild.guild_id
            )
        )
    )


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        (
            "en-US",
            ("bot with a memory", "30 days", "/memory show", "/memory forget", "/memory off", "/privacy"),
        ),
        ("ru", ("бот с памятью", "30 дней", "/memory show", "/memory forget", "/memory off", "/privacy")),
    ],
)
async def test_a_guild_is_told_in_its_system_channel_and_language_what_is_kept_for_how_long_and_what_to_do(
    discord_server: DiscordServer, database: Database, locale: str, words: tuple[str, ...]
) -> None:
    guild = home(discord_server, locale=locale)
    async with running_bot(discord_server, database, is_new=True):
        message = await welcomed(discord_server)
        assert message.channel is guild.channel("hall")
        assert len(message.text) <= 600
        for word in words:
            assert word in message.text
        assert message.allowed_mentions is not None
        assert not message.allowed_mentions.get("parse")
        later = discord_server.add_guild("Abroad")
        await discord_server.sent_to(later.channel("general"))
    assert len(welcomes(discord_server)) == 2


async def test_it_is_told_where_the_bot_may_write_and_as_soon_as_it_may(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = home(discord_server)
    guild.forbid("hall", "@everyone", Permission.SEND_MESSAGES)
    mute = discord_server.add_guild(
        "Mute", channels=("lounge",), everyone=int(MUTE), bot_permissions=int(MUTE)
    )
    async with running_bot(discord_server, database, is_new=True):
        assert (await welcomed(discord_server)).channel is guild.channel("general")
        mute.allow("lounge", "@everyone", Permission.SEND_MESSAGES)
        await discord_server.sent_to(mute.channel("lounge"))
    assert len(welcomes(discord_server)) == 2


async def test_it_is_told_once_over_restarts_changes_and_outages(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = home(discord_server)
    for _ in range(2):
        async with running_bot(discord_server, database, is_new=True) as bot:
            await welcomed(discord_server)
            guild.add_channel(f"more {len(guild.channels)}")
            guild.outage()
            guild.back()
            await bot.client.rooms.settled()
            await eventually(lambda: is_noted(database, guild))
    assert len(welcomes(discord_server)) == 1


async def test_a_guild_that_invites_the_bot_again_is_told_again(
    discord_server: DiscordServer, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The minutes in which Discord takes the same number for the same message are over.
    monkeypatch.setattr(rest_messages, "NONCE_SECONDS", 0.0)
    guild = home(discord_server)
    async with running_bot(discord_server, database, is_new=True):
        await welcomed(discord_server)
        await eventually(lambda: is_noted(database, guild))
        guild.remove_bot()
        guild.bot.joined_at = datetime.now(UTC)
        guild.invite_bot()
        await until(lambda: len(welcomes(discord_server)) == 2, what="the guild is told again")


@pytest.mark.parametrize("minutes_later", [False, True])
async def test_killed_between_sending_and_noting_it_is_not_told_twice(
    discord_server: DiscordServer, database: Database, monkeypatch: pytest.MonkeyPatch, minutes_later: bool
) -> None:
    guild = home(discord_server)

    async def die(*_args: object, **_named: object) -> None:
        raise ConnectionResetError("the process ends here")

    with monkeypatch.context() as killed:
        killed.setattr(GuildNotices, "done", die)
        async with running_bot(discord_server, database, is_new=True):
            await welcomed(discord_server)
    assert not await is_noted(database, guild)
    if minutes_later:
        # By then Discord does not know the number of the message any more.
        monkeypatch.setattr(rest_messages, "NONCE_SECONDS", 0.0)
    for number in range(150):
        await guild.say("alice", "hall", f"chatter {number}")
    async with running_bot(discord_server, database, is_new=True):
        await eventually(lambda: is_noted(database, guild))
    assert len(welcomes(discord_server)) == 1


async def test_several_that_tell_at_once_tell_it_once(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = home(discord_server)
    async with running_bot(discord_server, database) as bot:
        await database.write(lambda connection: connection.execute("DELETE FROM told"))
        seen, settings = bot.client.get_guild(guild.guild_id), await bot.guild(guild.guild_id)
        assert seen is not None
        await asyncio.gather(
            *(WelcomeNotices(bot.client.dependencies).welcome(seen, settings) for _ in range(4))
        )
        assert await is_noted(database, guild)
    assert len(welcomes(discord_server)) == 1


async def test_a_guild_that_is_switched_off_is_told_when_it_is_switched_on(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = home(discord_server)
    async with running_bot(discord_server, database) as bot:
        known = await bot.guild(guild.guild_id)
        await bot.keepsake.directory.change_guild(
            known, replace(known, hearing=False, consent=ConsentDefault.ASKED)
        )
        await database.write(lambda connection: connection.execute("DELETE FROM told"))
    async with running_bot(discord_server, database, is_new=True) as bot:
        await discord_server.quiet(0.2)
        await guild.slash("mona", "general", "memory-admin settings", hearing="on")
        assert "who agree with /memory on" in (await welcomed(discord_server)).text


BUTTONS = ["Base role…", "Time zone…", "Keep messages for…", "Leave channels out…", "Read the last 7 days"]


async def test_the_buttons_are_for_managers_alone(discord_server: DiscordServer, database: Database) -> None:
    guild = home(discord_server)
    async with running_bot(discord_server, database, is_new=True):
        message = await welcomed(discord_server)
        for label in BUTTONS:
            refused = await guild.click("alice", message, label)
            assert "Manage Server" in refused.text
            assert refused.ephemeral
            assert refused.modal is None


async def test_managers_set_time_zone_and_retention_also_after_a_restart(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = home(discord_server)
    async with running_bot(discord_server, database, is_new=True):
        message = await welcomed(discord_server)
    async with running_bot(discord_server, database, is_new=True) as bot:
        zone = await guild.click("mona", message, "Time zone…")
        assert "UTC" in str(zone.modal)
        wrong = await guild.submit_modal(zone, {"Such as Europe/Berlin": "Europe/Berlim"})
        assert "Europe/Berlin" in wrong.text
        zone = await guild.click("mona", message, "Time zone…")
        right = await guild.submit_modal(zone, {"Such as Europe/Berlin": "Europe/Berlin"})
        assert is_for_one(right)
        days = await guild.click("mona", message, "Keep messages for…")
        assert "30" in str(days.modal)
        await guild.submit_modal(days, {"Days; 0 for ever": "7"})
        known = await bot.guild(guild.guild_id)
        assert (known.time_zone, known.retention_days) == ("Europe/Berlin", 7)
        zone = await guild.click("mona", message, "Time zone…")
        guild.take_role("mona", "Managers")
        late = await guild.submit_modal(zone, {"Such as Europe/Berlin": "Asia/Tokyo"})
        assert "nothing was changed" in late.text
        assert (await bot.guild(guild.guild_id)).time_zone == "Europe/Berlin"


async def test_managers_choose_the_base_role_and_the_channels_to_leave_out(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = home(discord_server)
    crew = guild.add_role("Crew", permissions=int(TALKING))
    async with running_bot(discord_server, database, is_new=True) as bot:
        message = await welcomed(discord_server)
        roles = (await guild.click("mona", message, "Base role…")).messages[0]
        channels = (await guild.click("mona", message, "Leave channels out…")).messages[0]
    async with running_bot(discord_server, database, is_new=True) as bot:
        await guild.choose("mona", roles, "Choose a role", "Crew")
        await until(lambda: not roles.components, what="the role is set")
        assert (await bot.guild(guild.guild_id)).base_role_id == crew.role_id

        await guild.choose("mona", channels, "Choose channels", guild.channel("hall"))
        await until(lambda: not channels.components, what="the channel is left out")
        assert "#hall" in channels.text
        assert not (await channel_of(bot, guild, "hall")).hearing
        assert (await channel_of(bot, guild, "general")).hearing

        again = (await guild.click("mona", message, "Leave channels out…")).messages[0]
        assert str(guild.channel("hall").channel_id) in str(again.components)
        await guild.choose("mona", again, "Choose channels", guild.channel("general"))
        await until(lambda: not again.components, what="the other channel is left out")
        assert (await channel_of(bot, guild, "hall")).hearing
        assert not (await channel_of(bot, guild, "general")).hearing


async def channel_of(bot: RunningBot, guild: FakeGuild, name: str) -> Channel:
    channel = await bot.channel(guild.channel(name))
    assert channel is not None
    return channel


async def test_managers_have_the_last_seven_days_read(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = home(discord_server)
    old = await guild.say("alice", "general", "ten days ago", said_at=datetime.now(UTC) - timedelta(days=10))
    recent = await guild.say(
        "alice", "general", "three days ago", said_at=datetime.now(UTC) - timedelta(days=3)
    )
    async with running_bot(discord_server, database, is_new=True) as bot:
        message = await welcomed(discord_server)
        assert await bot.kept(recent) is None
        begun = await guild.click("mona", message, "Read the last 7 days")
        await bot.client.past.settled()
        assert (await bot.stored(recent)).text == "three days ago"
        assert await bot.kept(old) is None
        await until(lambda: len(begun.messages) == 2, what="the manager is told")
        assert "New messages: 1" in begun.messages[1].text
        assert is_for_one(begun)
        assert not [one for one in discord_server.sent if one.reply_to_id == recent.message_id]
        again = await guild.click("mona", message, "Read the last 7 days")
        await bot.client.past.settled()
        await until(lambda: len(again.messages) == 2, what="the manager is told again")
        assert "New messages: 0" in again.messages[1].text


async def test_privacy_is_told_by_command_to_whoever_asks_alone_and_in_private(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = home(discord_server)
    guild.add_member("olga").user.locale = "ru"
    async with running_bot(discord_server, database, operator_contact="ada@example.org"):
        english = await guild.slash("alice", "general", "privacy")
        russian = await guild.slash("olga", "general", "приватность")
        direct = await guild.slash("alice", DIRECTLY, "privacy")
    for answer, word in ((english, "30 days"), (russian, "30 дней"), (direct, "write to me here")):
        assert is_for_one(answer)
        [embed] = answer.messages[0].embeds
        assert word in str(embed["description"])
        assert "ada@example.org" in str(embed["description"])
