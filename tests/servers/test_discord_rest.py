"""The loopback REST API as the real client meets it: history, permissions, limits, refusals, faults."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import aiohttp
import discord
import pytest

from tests.servers.discord.fixtures import PlainBot, discord_server, running
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.permissions import Permission
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.waiting import until

__all__ = ["discord_server"]


@pytest.fixture
def guild(discord_server: DiscordServer) -> FakeGuild:
    return discord_server.add_guild("Friends", channels=("general", "games"))


@pytest.fixture
async def bot(discord_server: DiscordServer, guild: FakeGuild) -> AsyncIterator[PlainBot]:
    async with running(discord_server) as bot:
        yield bot


def room(bot: PlainBot, name: str = "general") -> discord.TextChannel:
    found = discord.utils.get(bot.guilds[0].text_channels, name=name)
    assert found is not None
    return found


async def test_history_is_read_in_pages_either_way(guild: FakeGuild, bot: PlainBot) -> None:
    said = await guild.say_many("alice", "general", (f"m{number}" for number in range(250)))
    ids = [message.message_id for message in said]
    general = room(bot)
    assert [one.id async for one in general.history(limit=None)] == ids[::-1]
    after = discord.Object(ids[99])
    assert [one.id async for one in general.history(limit=None, after=after, oldest_first=True)] == ids[100:]
    before = discord.Object(ids[50])
    assert [one.id async for one in general.history(limit=7, before=before)] == ids[49:42:-1]
    around = discord.Object(ids[50])
    assert [one.id async for one in general.history(limit=5, around=around)] == ids[52:47:-1]
    long_ago = datetime.now(UTC) - timedelta(days=3)
    old = await guild.say("bob", "general", "said three days ago", said_at=long_ago)
    assert [one.id async for one in general.history(limit=1, oldest_first=True)] == [old.message_id]
    assert guild.channel("general").last_message_id == ids[-1]


async def test_single_messages_come_and_go(guild: FakeGuild, bot: PlainBot) -> None:
    said = await guild.say("alice", "general", "here")
    assert (await room(bot).fetch_message(said.message_id)).content == "here"
    await guild.delete(said)
    with pytest.raises(discord.NotFound) as gone:
        await room(bot).fetch_message(said.message_id)
    assert gone.value.code == 10008


async def test_the_bot_edits_and_deletes_its_own_messages(
    discord_server: DiscordServer, guild: FakeGuild, bot: PlainBot
) -> None:
    sent = await room(bot).send("first", view=_Undo())
    (kept,) = discord_server.sent
    assert str(kept.components).count("undo") == 1
    await sent.edit(content="second", view=None)
    assert (kept.text, kept.earlier_texts, kept.components) == ("second", ["first"], [])
    await sent.delete()
    assert kept.deleted
    theirs = await room(bot).fetch_message((await guild.say("alice", "general", "mine")).message_id)
    with pytest.raises(discord.Forbidden) as refused:
        await theirs.edit(content="yours")
    assert refused.value.code == 50005
    with pytest.raises(discord.Forbidden) as refused:
        await theirs.delete()
    assert refused.value.code == 50013


class _Undo(discord.ui.View):
    def __init__(self) -> None:
        super().__init__(timeout=None)
        self.add_item(discord.ui.Button(label="Undo", custom_id="undo"))


async def test_a_nonce_is_used_once(discord_server: DiscordServer, bot: PlainBot) -> None:
    first = await room(bot).send("once", nonce="answer-1")
    again = await room(bot).send("once", nonce="answer-1")
    other = await room(bot).send("twice", nonce="answer-2")
    assert (first.id == again.id, first.id == other.id) == (True, False)
    assert [message.text for message in discord_server.sent] == ["once", "twice"]


async def test_an_answer_to_a_deleted_message_is_refused_unless_it_may_stand_alone(
    discord_server: DiscordServer, guild: FakeGuild, bot: PlainBot
) -> None:
    said = await guild.say("alice", "general", "gone soon")
    heard = room(bot).get_partial_message(said.message_id)
    await guild.delete(said)
    with pytest.raises(discord.HTTPException) as refused:
        await heard.reply("too late")
    assert (refused.value.status, refused.value.code) == (400, 50035)
    assert "Unknown message" in refused.value.text
    await room(bot).send("still", reference=heard.to_reference(fail_if_not_exists=False))
    assert [(message.text, message.reply_to_id) for message in discord_server.sent] == [("still", None)]


async def test_what_is_too_long_or_empty_is_refused(bot: PlainBot) -> None:
    await room(bot).send("x" * 2000)
    for text, code in (("x" * 2001, 50035), ("  ", 50006)):
        with pytest.raises(discord.HTTPException) as refused:
            await room(bot).send(text)
        assert (refused.value.status, refused.value.code) == (400, code)
    with pytest.raises(discord.HTTPException, match="4096"):
        await room(bot).send(embed=discord.Embed(description="x" * 4097))


async def test_permissions_are_computed(guild: FakeGuild, bot: PlainBot) -> None:
    said = await guild.say("alice", "games", "psst")
    role = guild.bot_role.name
    games = room(bot, "games")
    guild.forbid("games", role, Permission.SEND_MESSAGES)
    with pytest.raises(discord.Forbidden) as refused:
        await games.send("hello")
    assert refused.value.code == 50013
    guild.allow("games", role, Permission.SEND_MESSAGES)
    guild.forbid("games", role, Permission.READ_MESSAGE_HISTORY)
    assert [one async for one in games.history()] == []
    with pytest.raises(discord.HTTPException, match="history"):
        await games.get_partial_message(said.message_id).reply("hello")
    guild.hide_from_bot("games")
    with pytest.raises(discord.Forbidden) as refused:
        await games.send("hello")
    assert refused.value.code == 50001
    with pytest.raises(discord.Forbidden):
        [one async for one in games.history()]
    guild.show_to_bot("games")
    await games.send("hello")


async def test_only_who_may_be_pinged_is(
    discord_server: DiscordServer, guild: FakeGuild, bot: PlainBot
) -> None:
    guild.change_role(guild.bot_role, permissions=guild.bot_role.permissions | Permission.MENTION_EVERYONE)
    bob = guild.member("bob").user_id
    pings = {
        "nobody": (discord.AllowedMentions.none(), False, []),
        "bob alone": (discord.AllowedMentions(everyone=False, users=[discord.Object(bob)]), False, [bob]),
        "everybody": (discord.AllowedMentions.all(), True, [bob]),
    }
    for who, (allowed, everyone, users) in pings.items():
        sent = await room(bot).send(f"@everyone <@{bob}>", allowed_mentions=allowed)
        assert (sent.mention_everyone, [user.id for user in sent.mentions]) == (everyone, users), who


async def test_a_limit_is_waited_for_and_an_error_tried_again(
    discord_server: DiscordServer, bot: PlainBot
) -> None:
    discord_server.faults.fail("POST", "/channels/*/messages", 502)
    discord_server.faults.rate_limit("POST", "/channels/*/messages", 0.05)
    discord_server.faults.rate_limit("POST", "/channels/*/messages", 0.05, is_global=True)
    await room(bot).send("at last")
    posts = [one.status for one in discord_server.requests if one.method == "POST"]
    assert posts == [502, 429, 429, 200]
    assert [message.text for message in discord_server.sent] == ["at last"]


async def test_an_answer_that_is_lost_after_the_work_is_done(
    discord_server: DiscordServer, bot: PlainBot
) -> None:
    discord_server.faults.drop("POST", "/channels/*/messages", afterwards=True)
    with pytest.raises(aiohttp.ClientError):
        await room(bot).send("heard after all", nonce="n1")
    discord_server.faults.fail("POST", "/channels/*/messages", 403)
    with pytest.raises(discord.Forbidden):
        await room(bot).send("heard after all", nonce="n1")
    await room(bot).send("heard after all", nonce="n1")
    assert [message.text for message in discord_server.sent] == ["heard after all"]


async def test_a_slow_answer_can_be_given_up(discord_server: DiscordServer, bot: PlainBot) -> None:
    discord_server.faults.slow("GET", "/channels/*/messages", 30)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            [one async for one in room(bot).history()]
    discord_server.faults.heal()
    assert [one async for one in room(bot).history()] == []


async def test_what_no_discord_knows_is_written_down(discord_server: DiscordServer) -> None:
    headers = {"Authorization": f"Bot {discord_server.token}"}
    address = f"{discord_server.api_url}/no/such/thing"
    async with aiohttp.ClientSession(headers=headers) as session, session.get(address) as response:
        assert response.status == 404
    assert discord_server.unexpected == ["GET /api/v10/no/such/thing"]
    discord_server.unexpected.clear()


async def test_waiting_in_vain_says_what_came_instead(
    discord_server: DiscordServer, guild: FakeGuild, bot: PlainBot
) -> None:
    said = await guild.say("alice", "general", "anybody?")
    await room(bot, "games").send("elsewhere")
    with pytest.raises(TimeoutError, match=r"anybody.*elsewhere"):
        await discord_server.answer_to(said, seconds=0.05)
    sending = asyncio.create_task(room(bot).send("noise"))
    with pytest.raises(AssertionError, match="noise"):
        await discord_server.quiet(0.5)
    await sending
    await until(lambda: len(discord_server.sent) == 2)
