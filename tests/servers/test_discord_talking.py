"""What the real client hears and says on the loopback Discord."""

import io

import discord
import pytest

from tests.servers.discord import kinds
from tests.servers.discord.fixtures import PlainBot, discord_server, running
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.permissions import Permission
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import MessageType
from tests.servers.discord.waiting import until

__all__ = ["discord_server"]


@pytest.fixture
def guild(discord_server: DiscordServer) -> FakeGuild:
    return discord_server.add_guild("Friends", channels=("general", "games"))


def messages(bot: PlainBot) -> list[discord.Message]:
    return bot.heard("message")


@pytest.mark.smoke
async def test_a_member_is_heard_and_answered(discord_server: DiscordServer, guild: FakeGuild) -> None:
    guild.rename("alice", "Al")
    async with running(discord_server) as bot:
        said = await guild.say("alice", "#general", f"{guild.mention('Keepsake')} hello")
        await until(lambda: messages(bot))
        heard = messages(bot)[0]
        assert (heard.id, heard.channel.id, heard.content) == (
            said.message_id,
            said.channel.channel_id,
            said.text,
        )
        assert (heard.author.display_name, heard.guild.name) == ("Al", "Friends")  # type: ignore[union-attr]
        assert bot.user in heard.mentions

        async with heard.channel.typing():
            await heard.reply("hi", file=discord.File(io.BytesIO(b"the rest"), "rest.txt"))
        answer = await discord_server.answer_to(said)
        assert (answer.text, answer.attachments[0].content) == ("hi", b"the rest")
        assert answer.allowed_mentions == {"parse": []}
        assert discord_server.typing[0].channel is said.channel
        await until(lambda: len(messages(bot)) == 2)
        assert messages(bot)[1].reference.resolved.id == heard.id  # type: ignore[union-attr]
        assert await messages(bot)[1].attachments[0].read() == b"the rest"


async def test_direct_messages_have_no_guild(discord_server: DiscordServer, guild: FakeGuild) -> None:
    async with running(discord_server) as bot:
        await guild.say_directly("alice", "psst")
        await discord_server.say_directly("zoe", "me too")
        await until(lambda: len(messages(bot)) == 2)
        assert [one.guild for one in messages(bot)] == [None, None]
        await messages(bot)[0].channel.send("yes?")
        assert (await discord_server.sent_to(discord_server.direct("alice")))[0].text == "yes?"

        discord_server.user("zoe").refuses_direct_messages = True
        with pytest.raises(discord.Forbidden) as refused:
            await messages(bot)[1].author.send("are you there?")
        assert refused.value.code == 50007


async def test_edits_previews_and_deletes_are_told(discord_server: DiscordServer, guild: FakeGuild) -> None:
    async with running(discord_server) as bot:
        said = [await guild.say("alice", "general", f"message {number}") for number in range(4)]
        await guild.edit(said[0], "message zero")
        await guild.unfurl(said[1], kinds.embed("A page", "about things", kind="link"))
        await guild.delete(said[0])
        await guild.bulk_delete(said[1:])
        await until(lambda: bot.heard("raw_bulk_message_delete"))
        edited, unfurled = (one.message for one in bot.heard("raw_message_edit"))
        assert (edited.content, edited.edited_at is None) == ("message zero", False)
        assert (unfurled.embeds[0].title, unfurled.edited_at) == ("A page", None)
        assert bot.heard("raw_message_delete")[0].message_id == said[0].message_id
        assert bot.heard("raw_bulk_message_delete")[0].message_ids == {one.message_id for one in said[1:]}


async def test_odd_kinds_of_messages_reach_the_client(
    discord_server: DiscordServer, guild: FakeGuild
) -> None:
    async with running(discord_server) as bot:
        first = await guild.say("alice", "general", "look", attachments=["cat.png", ("a.txt", b"abc")])
        await guild.say("alice", "general", **kinds.sticker("Wave"))
        await guild.say("alice", "general", **kinds.poll("Tea?", ["yes", "no"]))
        await guild.say("alice", "general", **kinds.voice_message())
        await guild.say("alice", "general", embeds=[kinds.embed("A title", "A text")])
        await guild.forward("bob", "games", first)
        await guild.say_by_webhook("News", "general", "tidings")
        await guild.announce_join("bob", "general")
        await guild.pin("alice", first)
        await until(lambda: len(messages(bot)) == 9)
        look, sticker, poll, voice, embed, forward, webhook, join, pin = messages(bot)
        assert [one.content_type for one in look.attachments] == ["image/png", "text/plain"]
        assert sticker.stickers[0].name == "Wave"
        assert poll.poll is not None
        assert [one.text for one in poll.poll.answers] == ["yes", "no"]
        assert (voice.flags.voice, voice.attachments[0].duration) == (True, 3.2)
        assert embed.embeds[0].description == "A text"
        assert forward.content == ""
        assert forward.message_snapshots[0].content == "look"
        assert forward.message_snapshots[0].attachments[0].filename == "cat.png"
        assert (webhook.author.name, webhook.webhook_id is not None, webhook.author.bot) == (
            "News",
            True,
            True,
        )
        assert join.type is discord.MessageType.new_member
        assert (pin.type, pin.reference.message_id) == (  # type: ignore[union-attr]
            discord.MessageType.pins_add,
            look.id,
        )


async def test_threads_and_forum_posts(discord_server: DiscordServer, guild: FakeGuild) -> None:
    guild.add_channel("ideas", kind="forum")
    guild.add_channel("lounge", kind="voice")
    async with running(discord_server) as bot:
        said = await guild.say("alice", "general", "shall we?")
        thread = guild.add_thread("general", "plans", on=said)
        post = guild.add_thread("ideas", "A post", text="the first message", author="bob")
        guild.add_thread("general", "free", author="alice")
        guild.add_thread("general", "hushed", private=True, members=("alice", "bob"))
        mine = guild.add_thread("general", "for us", private=True, members=("alice", "Keepsake"))
        await guild.say("alice", thread, "we shall")
        await guild.say("alice", "hushed", "not for the bot")
        await guild.say("bob", "lounge", "typed beside the voices")
        await until(lambda: messages(bot)[-1:] and messages(bot)[-1].content.startswith("typed"))
        assert thread.channel_id == said.message_id
        assert [one.name for one in bot.heard("thread_create")] == ["plans", "A post", "free", "for us"]
        starter = next(one for one in messages(bot) if one.id == post.channel_id)
        assert (starter.content, starter.channel.name) == ("the first message", "A post")  # type: ignore[union-attr]
        kinds_heard = [one.type.value for one in messages(bot)]
        assert kinds_heard == [0, MessageType.THREAD_STARTER, 0, MessageType.THREAD_CREATED, 0, 0]
        assert "not for the bot" not in [one.content for one in messages(bot)]

        joined = bot.get_channel(thread.channel_id)
        assert isinstance(joined, discord.Thread)
        await joined.join()
        await until(lambda: bot.heard("thread_join"))
        active = await bot.guilds[0].active_threads()
        assert [one.name for one in active] == ["for us", "free", "A post", "plans"]
        guild.archive(thread)
        guild.archive(mine)
        await until(lambda: len(bot.heard("raw_thread_update")) == 2)
        general = bot.guilds[0].text_channels[0]
        assert [one.name async for one in general.archived_threads()] == ["plans"]
        assert [one.name async for one in general.archived_threads(private=True, joined=True)] == ["for us"]


async def test_members_channels_and_roles_change(discord_server: DiscordServer, guild: FakeGuild) -> None:
    async with running(discord_server) as bot:
        guild.add_member("carol", nickname="Caro", moderator=True)
        guild.rename("carol", "C")
        role = guild.add_role("Verified")
        guild.give_role("carol", role)
        guild.leave("bob")
        guild.hide("games")
        guild.add_channel("attic", visible_to=["Verified"], bot_sees=False)
        guild.show_to_bot("attic")
        guild.rename_channel("general", "lobby")
        guild.remove_channel("games")
        await until(lambda: bot.heard("guild_channel_delete"))
        assert bot.heard("member_join")[0].name == "carol"
        assert bot.heard("member_join")[0].guild_permissions.moderate_members
        assert bot.heard("raw_member_remove")[0].user.name == "bob"
        caro = bot.guilds[0].get_member(guild.member("carol").user_id)
        assert caro is not None
        assert (caro.nick, [one.name for one in caro.roles]) == ("C", ["@everyone", "Moderators", "Verified"])
        assert [one.name for one in bot.guilds[0].text_channels] == ["lobby", "attic"]
        assert bot.heard("guild_channel_create")[0].name == "attic"


async def test_a_channel_that_the_bot_may_not_see_has_no_name(
    discord_server: DiscordServer, guild: FakeGuild
) -> None:
    guild.add_channel("attic", visible_to=(), bot_sees=False)
    async with running(discord_server) as bot:
        await guild.say("alice", "attic", "unheard")
        await guild.say("alice", "general", "heard")
        await until(lambda: messages(bot))
        assert [one.content for one in messages(bot)] == ["heard"]
        hidden = bot.guilds[0].text_channels[-1]
        assert hidden.name == "___hidden___"
        assert not hidden.permissions_for(bot.guilds[0].me).view_channel


async def test_names_are_found_by_asking(discord_server: DiscordServer, guild: FakeGuild) -> None:
    guild.rename("bob", "Alfred")
    async with running(discord_server) as bot:
        here = bot.guilds[0]
        assert [one.name for one in here.members] == ["Keepsake"]
        assert [one.name for one in await here.query_members("AL", limit=10)] == ["alice", "bob"]
        bob = guild.member("bob").user_id
        assert [one.nick for one in await here.query_members(user_ids=[bob, 5])] == ["Alfred"]
        assert (await here.fetch_member(bob)).nick == "Alfred"
        assert len(await here.chunk()) == 4
        with pytest.raises(discord.NotFound):
            await here.fetch_member(5)


async def test_without_the_content_intent_texts_are_blank(
    discord_server: DiscordServer, guild: FakeGuild
) -> None:
    discord_server.portal.message_content_intent = False
    intents = discord.Intents(guilds=True, members=True, guild_messages=True, dm_messages=True)
    async with running(discord_server, PlainBot(intents=intents)) as bot:
        await guild.say("alice", "general", "unreadable", attachments=["cat.png"])
        await guild.say("alice", "general", f"{guild.mention('Keepsake')} readable")
        await guild.say_directly("alice", "private")
        await until(lambda: len(messages(bot)) == 3)
        blank, mentioning, private = messages(bot)
        assert (blank.content, blank.attachments) == ("", [])
        assert mentioning.content.endswith("readable")
        assert private.content == "private"
        assert [one.content async for one in blank.channel.history()] == [mentioning.content, ""]


async def test_500_messages_a_second_arrive_in_order(discord_server: DiscordServer, guild: FakeGuild) -> None:
    async with running(discord_server) as bot:
        said = await guild.say_many(
            "alice", "general", (f"m{number}" for number in range(1000)), per_second=2000
        )
        await until(lambda: len(messages(bot)) == 1000)
        assert [one.id for one in messages(bot)] == [one.message_id for one in said]


async def test_a_gated_guild(discord_server: DiscordServer) -> None:
    guild = discord_server.add_guild(
        "Gated", everyone=Permission.SEND_MESSAGES | Permission.READ_MESSAGE_HISTORY
    )
    guild.add_role("Verified", permissions=Permission.VIEW_CHANNEL)
    guild.give_role("alice", "Verified")
    guild.add_channel("verify", visible_to=["@everyone"])
    async with running(discord_server) as bot:
        here = bot.guilds[0]
        everyone = here.default_role
        by_name = {one.name: one for one in here.text_channels}
        assert not by_name["general"].permissions_for(everyone).view_channel
        assert by_name["general"].permissions_for(discord.utils.get(here.roles, name="Verified")).view_channel  # type: ignore[arg-type]
        assert by_name["verify"].permissions_for(everyone).view_channel
        assert all(one.permissions_for(here.me).view_channel for one in here.text_channels)
