"""What goes over the loopback's wires, in both directions, is what Discord itself describes."""

import io
import json

import discord
import pytest
from discord import app_commands

from tests.servers.discord.fixtures import PlainBot, running
from tests.servers.discord.fixtures import discord_server as discord_server
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.openapi import (
    DESCRIPTION,
    OperationUnknownError,
    check_object,
    check_request,
    check_response,
    description,
)
from tests.servers.discord.openapi_checks import check_event, check_exchange
from tests.servers.discord.permissions import Permission
from tests.servers.discord.recording import Exchange, recorded
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import Json
from tests.servers.discord.waiting import until

pytestmark = pytest.mark.skipif(
    not DESCRIPTION.is_file(), reason=f"Discord's description is not there: {DESCRIPTION}"
)

USER: Json = {
    "id": "80351110224678912",
    "username": "alice",
    "avatar": None,
    "discriminator": "0",
    "public_flags": 0,
    "flags": 0,
    "global_name": None,
    "primary_guild": None,
}
MESSAGE: Json = {
    "id": "90351110224678912",
    "channel_id": "70351110224678912",
    "type": 0,
    "author": USER,
    "content": "hello",
    "timestamp": "2026-03-01T09:00:00.000000+00:00",
    "edited_timestamp": None,
    "tts": False,
    "mention_everyone": False,
    "mentions": [],
    "mention_roles": [],
    "attachments": [],
    "embeds": [],
    "components": [],
    "pinned": False,
    "flags": 0,
}


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        ({"id": 90351110224678912}, "id: "),
        ({"id": "9035111022467891200000"}, "id: "),
        ({"timestamp": "2026-03-01T09:00:00"}, "timestamp: "),
        ({"author": None}, "author: "),
        ({"embeds": [{"type": "rich", "color": "red"}]}, "embeds[0].color: "),
        ({"components": [{"type": 1, "id": 1, "components": [{"type": 2, "id": 2}]}]}, "components[0].comp"),
        ({"flags": 2**31}, "flags: "),
    ],
)
def test_a_field_that_discord_would_not_send_is_named(wrong: Json, place: str) -> None:
    assert check_object("MessageResponse", MESSAGE) == []

    problems = check_object("MessageResponse", MESSAGE | wrong)

    assert [problem for problem in problems if place in problem]


def test_a_field_that_is_missing_is_named() -> None:
    without = {name: value for name, value in MESSAGE.items() if name != "pinned"}
    assert check_object("MessageResponse", without) == ["MessageResponse: the whole: 'pinned' is missing"]


def test_a_request_is_held_against_its_operation() -> None:
    assert check_request("POST", "/api/v10/channels/1/messages", {"content": "hello", "nonce": "a"}) == []
    assert check_request("POST", "/channels/1/messages", {"content": "hello", "nonce": "a" * 26}) != []
    assert check_request("POST", "/channels/1/messages", None) == ["create_message needs a body"]
    assert check_request("DELETE", "/channels/1/messages/2", {}) == ["delete_message takes no body"]
    with pytest.raises(OperationUnknownError, match="GET /channels/1/secrets is not in"):
        check_request("GET", "/channels/1/secrets", None)


def test_an_answer_is_held_against_its_status() -> None:
    path = "/channels/1/messages/2"
    assert check_response("GET", path, 200, MESSAGE) == []
    assert check_response("GET", path, 404, {"message": "Unknown Message", "code": 10008}) == []
    assert check_response("GET", path, 404, {"message": "Unknown Message"}) != []
    assert check_response("GET", path, 204, None) == ["get_message never answers 204, only 200, 429, 4XX"]
    assert check_response("DELETE", path, 204, {}) == ["delete_message answers 204 without a body"]
    assert check_response("GET", path, 502, "upstream connect error") == []


def test_literal_steps_of_a_path_go_before_placeholders() -> None:
    assert description().operation("GET", "/users/@me").name == "get_my_user"
    assert description().operation("GET", "/users/1").name == "get_user"
    original = description().operation("PATCH", "/webhooks/1/token/messages/@original")
    assert original.name == "update_original_webhook_message"


def test_an_event_that_is_not_described_or_has_strange_fields_is_told() -> None:
    assert check_event("MESSAGE_CREATE", MESSAGE | {"guild_id": "1"}) == []
    assert check_event("MESSAGE_CREATE", MESSAGE | {"edited_timestamp_": None}) == [
        "MESSAGE_CREATE: 'edited_timestamp_' is no field of a message"
    ]
    assert check_event("TYPING_STOP", {}) == ["TYPING_STOP: nothing is known of this event"]


class Wired(PlainBot):
    """A client that keeps what it receives over the gateway, and has commands of every kind."""

    def __init__(self) -> None:
        super().__init__(enable_debug_events=True)
        self.received: list[tuple[str, object]] = []
        self.tree.add_command(hello)
        self.tree.add_command(keep)

    async def setup_hook(self) -> None:
        await self.tree.sync()

    async def on_socket_raw_receive(self, text: str) -> None:
        frame = json.loads(text)
        if frame["op"] == 0:
            self.received.append((frame["t"], frame["d"]))


class Buttons(discord.ui.View):
    @discord.ui.button(label="Press", custom_id="press")
    async def press(self, interaction: discord.Interaction, _: discord.ui.Button["Buttons"]) -> None:
        await interaction.response.edit_message(content="pressed")

    @discord.ui.select(cls=discord.ui.UserSelect, placeholder="Who?")
    async def who(self, interaction: discord.Interaction, _: discord.ui.UserSelect["Buttons"]) -> None:
        await interaction.response.send_modal(Form())

    @discord.ui.select(
        placeholder="What?",
        options=[discord.SelectOption(label="Tea", value="t", emoji="\N{TEACUP WITHOUT HANDLE}")],
    )
    async def what(self, interaction: discord.Interaction, _: discord.ui.Select["Buttons"]) -> None:
        await interaction.response.defer()
        await interaction.edit_original_response(content="tea")


class Form(discord.ui.Modal, title="A form"):
    name: discord.ui.TextInput["Form"] = discord.ui.TextInput(label="Name", required=False)

    async def on_submit(self, interaction: discord.Interaction, /) -> None:
        await interaction.response.send_message(f"thank you, {self.name.value}", ephemeral=True)


@app_commands.command(name="hello", description="Say hello")
@app_commands.default_permissions(manage_messages=True)
@app_commands.choices(times=[app_commands.Choice(name="once", value=1)])
async def hello(
    interaction: discord.Interaction,
    who: discord.Member,
    where: discord.TextChannel | None = None,
    role: discord.Role | None = None,
    times: int = 1,
    what: app_commands.Range[str, 1, 50] = "",
) -> None:
    await interaction.response.defer(ephemeral=True, thinking=True)
    file = discord.File(io.BytesIO(b"more"), "more.txt", description="the rest")
    sent = await interaction.followup.send(
        f"hello {who.mention} {where} {role} {times} {what}", file=file, wait=True
    )
    await sent.edit(content="hello again")
    second = await interaction.followup.send("and more", wait=True)
    await second.delete()


@hello.autocomplete("what")
async def _proposals(_: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=f"{typed}!", value=typed)]


@app_commands.context_menu(name="Keep this")
async def keep(interaction: discord.Interaction, message: discord.Message) -> None:
    await interaction.response.send_message(f"kept {message.id}", view=Buttons())


async def _talk(bot: Wired, server: DiscordServer, guild: FakeGuild) -> None:
    """Let members do what members do, and the bot what a bot does with messages."""
    said = await guild.say("alice", "#general", f"hello {guild.mention('bob')}", attachments=["cat.png"])
    await guild.say("bob", "#general", "hi", reply_to=said)
    await guild.edit(said, "hello everybody")
    await guild.forward("bob", "#general", said)
    await guild.pin("bob", said)
    await guild.say_by_webhook("news", "#general", "extra", embeds=[{"title": "News", "type": "rich"}])
    thread = guild.add_thread("general", "a thread", members=("alice",))
    await guild.say("alice", thread, "in here")
    await server.say_directly("alice", "psst")
    await guild.bulk_delete(
        [await guild.say("bob", "#general", "x"), await guild.say("bob", "#general", "y")]
    )

    general = bot.get_channel(guild.channel("general").channel_id)
    assert isinstance(general, discord.TextChannel)
    async with general.typing():
        pass
    answered = await general.fetch_message(said.message_id)
    reply = await answered.reply(
        "yes", embed=discord.Embed(title="T", description="D", colour=3), view=Buttons()
    )
    await reply.edit(content="yes, indeed", attachments=[discord.File(io.BytesIO(b"a"), "a.txt")])
    await reply.delete()
    async for _ in general.history(limit=5, after=discord.Object(said.message_id), oldest_first=True):
        pass
    with pytest.raises(discord.NotFound):
        await general.fetch_message(1)
    with pytest.raises(discord.HTTPException):
        await general.send("x" * 2001)
    alice = await general.guild.fetch_member(guild.member("alice").user_id)
    await (await alice.create_dm()).send("psst yourself")
    await general.guild.query_members("bo")
    await bot.fetch_channel(general.id)
    await bot.fetch_user(alice.id)
    await bot.fetch_guild(general.guild.id)
    await general.guild.fetch_channels()
    await general.guild.fetch_roles()
    await general.guild.active_threads()
    await bot.application_info()


async def _change(guild: FakeGuild) -> None:
    """Let managers change whatever there is."""
    guild.hide("#games")
    guild.show("#games")
    role = guild.add_role("friends", permissions=Permission.KICK_MEMBERS)
    carol = guild.add_member("carol", roles=("friends",))
    guild.rename(carol, "Caro")
    guild.leave(carol)
    assert role.name == "friends"


async def _interact(guild: FakeGuild) -> None:
    """Let members use everything that the bot offers."""
    guild.add_member("mo", moderator=True)
    options = {"who": "bob", "where": "general", "role": "@everyone", "times": "once", "what": "ho"}
    greeting = await guild.slash("mo", "#general", "hello", **options)
    await greeting.shown(2)
    proposed = await guild.autocomplete("mo", "#general", "hello", focused="what", typed="he", who="bob")
    assert proposed.choices[0].name == "he!"
    kept = await guild.message_menu("bob", "Keep this", await guild.say("alice", "#general", "keep me"))
    buttons = kept.messages[0]
    form = await guild.choose("bob", buttons, "Who?", "alice")
    assert (await guild.submit_modal(form, Name="Bob")).text == "thank you, Bob"
    tea = await guild.choose("bob", buttons, "What?", "Tea")
    await tea.until(lambda _: buttons.text == "tea")
    await guild.click("bob", buttons, "Press")
    assert buttons.text == "pressed"


async def test_every_body_of_a_broad_day_is_as_discord_describes_it(discord_server: DiscordServer) -> None:
    server = discord_server
    exchanges = recorded(server)
    guild = server.add_guild("Friends", channels=("general", "games"))
    guild.add_channel("news", kind="announcement")
    guild.add_channel("talk", kind="voice")
    guild.add_channel("ideas", kind="forum")
    bot = Wired()
    async with running(server, bot):
        await _talk(bot, server, guild)
        await _change(guild)
        await _interact(guild)
        last = await guild.say("alice", "#general", "the end")
        await until(lambda: _heard(bot, last.message_id), what="the bot has heard everything")

    wrong = {problem for exchange in exchanges for problem in check_exchange(exchange)}
    wrong |= {problem for name, data in bot.received for problem in check_event(name, data)}
    assert not wrong, "\n".join(sorted(wrong))
    assert {"GUILD_MEMBERS_CHUNK", "INTERACTION_CREATE", "THREAD_CREATE"} <= {
        name for name, _ in bot.received
    }
    assert _operations(exchanges) >= {"create_interaction_response", "bulk_set_application_commands"}


def _heard(bot: Wired, message_id: int) -> bool:
    return any(
        name == "MESSAGE_CREATE" and isinstance(data, dict) and data["id"] == str(message_id)
        for name, data in bot.received
    )


def _operations(exchanges: list[Exchange]) -> set[str]:
    return {description().operation(one.method, one.path).name for one in exchanges}
