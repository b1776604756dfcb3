"""Commands, menus, buttons and forms of the loopback Discord, used by members and answered by the real client."""

import discord
import pytest

from tests.servers.commanded_bot import FormButton, MemoryBot
from tests.servers.discord.components import NotOfferedError, mistakes_in_components
from tests.servers.discord.fixtures import discord_server as discord_server
from tests.servers.discord.fixtures import running
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.interaction import NotAnsweredError
from tests.servers.discord.interaction_acts import DIRECTLY
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeMessage, Json, MessageFlag
from tests.servers.discord.waiting import until


@pytest.fixture
def guild(discord_server: DiscordServer) -> FakeGuild:
    discord_server.interactions.wait_seconds = 5
    return discord_server.add_guild("Friends", members=("alice", "bob"), channels=("general", "games"))


async def test_options_of_every_kind_arrive_resolved(discord_server: DiscordServer, guild: FakeGuild) -> None:
    guild.add_role("players")
    guild.member("alice").user.locale = "ru"
    async with running(discord_server, MemoryBot()):
        options: dict[str, str | int] = {
            "member": "bob",
            "channel": "#games",
            "role": "players",
            "count": 3,
            "loud": True,
            "text": "hm",
        }
        said = await guild.slash("alice", "#general", "echo", **options)
        assert said.text == "['bob', 'games', 'players'] 3 True hm ru"
        assert not said.ephemeral
        assert [message.text for message in discord_server.sent] == [said.text]
        wrongs: list[dict[str, str | int]] = [
            {"count": "3"},
            {"member": "carol"},
            {"channel": "bob"},
            {"volume": 11},
        ]
        for wrong in wrongs:
            with pytest.raises(LookupError):
                await guild.slash("alice", "#general", "echo", **wrong)


async def test_commands_nest_and_propose(discord_server: DiscordServer, guild: FakeGuild) -> None:
    bob = guild.member("bob").user_id
    async with running(discord_server, MemoryBot()):
        proposed = await guild.autocomplete(
            "alice", "#general", "memory forget", focused="fact", typed="te", member="bob"
        )
        assert [(one.name, one.value) for one in proposed.choices] == [(f"tea of {bob}", "tea")]
        forgotten = await guild.slash(
            "alice", "#general", "memory forget", fact=str(proposed.choices[0].value)
        )
        assert (forgotten.text, forgotten.ephemeral) == ("forgotten: tea", True)
        assert (await guild.slash("alice", "#general", "memory deep well")).text == "a guild"
        assert (await guild.slash("alice", DIRECTLY, "memory deep well")).text == "private, as True"
        for path in ("memory", "memory forgive", "memory deep", "memory deep well down"):
            with pytest.raises(NotOfferedError):
                await guild.slash("alice", "#general", path)
        with pytest.raises(NotOfferedError, match="needs the option 'fact'"):
            await guild.slash("alice", "#general", "memory forget")


async def test_what_is_ephemeral_is_in_no_channel_and_reaches_the_bot_without_its_guild(
    discord_server: DiscordServer,
    guild: FakeGuild,
) -> None:
    bot = MemoryBot()
    async with running(discord_server, bot):
        told = await guild.user_menu("alice", "Who is this?", "bob")
        assert told.text.startswith("bob, here")
        assert discord_server.sent == []
        assert guild.channel("#general").messages == {}
        assert guild.channel("#general").last_message_id is None
        await until(lambda: bot.heard("message"), what="the bot has heard itself")
        heard = bot.heard("message")[0]
        assert (heard.guild, heard.flags.ephemeral, heard.webhook_id) == (None, True, bot.application_id)
        assert heard.channel.id == guild.channel("#general").channel_id
        with pytest.raises(NotOfferedError, match="ephemeral"):
            await guild.message_menu("alice", "Remember this", told.messages[0])


async def test_what_is_deferred_is_shown_when_it_is_there(
    discord_server: DiscordServer,
    guild: FakeGuild,
) -> None:
    async with running(discord_server, MemoryBot()):
        thought = await guild.slash("alice", "#general", "think")
        assert (thought.deferred, thought.ephemeral) == (True, True)
        first, second = await thought.shown(2)
        await thought.until(lambda _: first.text == "thought well")
        assert [one.filename for one in first.attachments] == ["deep.txt"]
        assert first is thought.original
        assert (second.text, second.ephemeral, second.reply_to_id) == ("and more", True, first.message_id)

        pondered = await guild.slash("bob", "#general", "ponder")
        await pondered.until(lambda it: len(it.messages) == 2 and it.messages[1].deleted)
        message = pondered.messages[0]
        assert (message.text, message.flags, message.edited_at) == ("pondered", 0, None)
        assert list(guild.channel("#general").messages.values()) == [message]


async def test_a_message_menu_brings_the_message(discord_server: DiscordServer, guild: FakeGuild) -> None:
    discord_server.portal.message_content_intent = False
    bot = MemoryBot()
    bot.intents.message_content = False
    bot._connection._intents.message_content = False
    async with running(discord_server, bot):
        said = await guild.say("bob", "#games", "I like tea")
        kept = await guild.message_menu("alice", "Remember this", said)
        assert kept.text == "kept: I like tea"
        await until(lambda: bot.heard("message"), what="the bot has heard bob")
        assert bot.heard("message")[0].content == ""


async def test_buttons_work_after_a_restart_and_only_where_they_are(
    discord_server: DiscordServer,
    guild: FakeGuild,
) -> None:
    discord_server.interactions.answer_within_seconds = 0.5
    async with running(discord_server, MemoryBot()):
        kept = await guild.message_menu("alice", "Remember this", await guild.say("bob", "#games", "tea"))
    message = kept.messages[0]
    async with running(discord_server, MemoryBot()):
        turned = await guild.click("bob", message, "Page 1")
        assert (turned.updated, message.text) == (True, "page 1")
        with pytest.raises(NotOfferedError, match="no 'Page 1' to press, only \\['Page 2'\\]"):
            await guild.click("bob", message, "Page 1")
        await guild.click("alice", message, "page:2")
        assert message.text == "page 2"
        kept = await guild.message_menu("alice", "Remember this", message)
        with pytest.raises(NotOfferedError, match="disabled"):
            await guild.click("bob", kept.messages[0], "Off")
        with pytest.raises(NotAnsweredError):
            await guild.click("bob", kept.messages[0], "Dead")


async def test_forms_are_filled_in_and_sent(discord_server: DiscordServer, guild: FakeGuild) -> None:
    async with running(discord_server, MemoryBot()):
        opened = await guild.slash("alice", "#general", "note")
        assert opened.modal is not None
        assert (await guild.submit_modal(opened, Text="tea")).text == "noted: tea"
        again = await guild.slash("alice", "#general", "note")
        assert (await guild.submit_modal(again)).text == "noted: empty"
        with pytest.raises(NotOfferedError, match="0 to 10 letters, not 11"):
            await guild.submit_modal(again, {"Text": "x" * 11})
        with pytest.raises(NotOfferedError, match="no field 'Name'"):
            await guild.submit_modal(again, Name="x")


async def test_a_form_opened_by_a_button_may_change_its_message(
    discord_server: DiscordServer,
    guild: FakeGuild,
) -> None:
    async with running(discord_server, MemoryBot()) as bot:
        channel = bot.get_partial_messageable(guild.channel("#general").channel_id)
        await channel.send("a note?", view=FormButton())
        message = (await discord_server.sent_to("#general"))[0]
        form = await guild.click("bob", message, "Note")
        sent = await guild.submit_modal(form, Text="tea")
        assert (sent.updated, message.text) == (True, "noted: tea")


async def test_direct_messages_have_commands_menus_and_buttons(
    discord_server: DiscordServer,
    guild: FakeGuild,
) -> None:
    async with running(discord_server, MemoryBot()):
        said: FakeMessage = await guild.say_directly("alice", "I like tea")
        kept = await guild.message_menu("alice", "Remember this", said)
        assert kept.text == "kept: I like tea"
        await guild.click("alice", kept.messages[0], "Page 1")
        assert kept.messages[0].text == "page 1"
        assert kept.messages[0].channel is discord_server.direct("alice")
        assert not kept.messages[0].flags & MessageFlag.EPHEMERAL
        with pytest.raises(NotOfferedError, match="not bob's"):
            await guild.click("bob", kept.messages[0], "Page 2")


async def test_an_ephemeral_answer_is_seen_and_used_by_its_reader_alone(
    discord_server: DiscordServer,
    guild: FakeGuild,
) -> None:
    bot = MemoryBot()

    @bot.tree.command(name="whisper", description="Whisper")
    async def whisper(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("psst", view=FormButton(), ephemeral=True)

    async with running(discord_server, bot):
        whispered = await guild.slash("alice", "#general", "whisper")
        with pytest.raises(NotOfferedError, match="bob does not see"):
            await guild.click("bob", whispered.messages[0], "Note")
        form = await guild.click("alice", whispered.messages[0], "Note")
        assert (await guild.submit_modal(form, Text="tea")).ephemeral
        assert whispered.text == "noted: tea"
        channel = bot.get_partial_messageable(guild.channel("#general").channel_id)
        with pytest.raises(discord.NotFound):
            await channel.fetch_message(whispered.messages[0].message_id)


def _row(*custom_ids: str, kind: int = 2) -> Json:
    return {"type": 1, "components": [{"type": kind, "custom_id": one, "style": 1} for one in custom_ids]}


@pytest.mark.parametrize(
    ("components", "code"),
    [
        ([_row("a", "a")], "COMPONENT_CUSTOM_ID_DUPLICATED"),
        ([_row(*"abcdef")], "BASE_TYPE_BAD_LENGTH"),
        ([_row()], "BASE_TYPE_BAD_LENGTH"),
        ([_row("a", "b", kind=3)], "BASE_TYPE_BAD_LENGTH"),
        ([_row(letter) for letter in "abcdef"], "BASE_TYPE_BAD_LENGTH"),
        ([_row("x" * 101)], "BASE_TYPE_BAD_LENGTH"),
    ],
)
def test_components_that_discord_refuses_are_refused(components: list[Json], code: str) -> None:
    assert mistakes_in_components([_row(*"abcde"), _row("f", kind=3)]) == []
    assert code in {mistake.code for mistake in mistakes_in_components(components)}
