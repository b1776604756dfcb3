"""Who is offered a command, how long the bot may take, and which commands Discord accepts at all."""

import asyncio

import aiohttp
import discord
import pytest
from discord import app_commands

from tests.servers.commanded_bot import MemoryBot
from tests.servers.discord.command_rules import LOCALES, mistakes_in
from tests.servers.discord.components import NotOfferedError
from tests.servers.discord.fixtures import PlainBot, running
from tests.servers.discord.fixtures import discord_server as discord_server
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.interaction import NotAnsweredError
from tests.servers.discord.interaction_acts import DIRECTLY
from tests.servers.discord.permissions import Permission
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import Json


@pytest.fixture
def guild(discord_server: DiscordServer) -> FakeGuild:
    guild = discord_server.add_guild("Friends", channels=("general", "games"))
    guild.add_channel("adults", nsfw=True)
    guild.add_channel("secret", visible_to=())
    guild.add_member("mo", moderator=True)
    guild.add_member("max", manager=True)
    return guild


class Offering(PlainBot):
    """A client whose commands each have a condition, and answer with nothing but "ok"."""

    async def setup_hook(self) -> None:
        manage, kick = discord.Permissions(manage_guild=True), discord.Permissions(kick_members=True)
        self._offer("all")
        self._offer("settings", default_permissions=manage)
        self._offer("kick", default_permissions=kick)
        self._offer("nobody", default_permissions=discord.Permissions.none())
        self._offer("inside", guild_only=True)
        self._offer("adult", nsfw=True)
        await self.tree.sync()

    def _offer(
        self,
        name: str,
        *,
        default_permissions: discord.Permissions | None = None,
        guild_only: bool = False,
        nsfw: bool = False,
    ) -> None:
        async def ok(interaction: discord.Interaction) -> None:
            await interaction.response.send_message("ok", ephemeral=True)

        command: app_commands.Command[discord.app_commands.Group, ..., None] = app_commands.Command(
            name=name, description=name, callback=ok, nsfw=nsfw
        )
        command.guild_only, command.default_permissions = guild_only, default_permissions
        self.tree.add_command(command)


OFFERS = [
    ("alice", "#general", "all", True),
    ("alice", "#secret", "all", False),
    ("alice", DIRECTLY, "all", True),
    ("alice", "#general", "settings", False),
    ("mo", "#general", "settings", False),
    ("max", "#general", "settings", True),
    ("owner", "#general", "settings", True),
    ("mo", "#general", "kick", True),
    ("max", "#general", "kick", False),
    ("mo", "#general", "nobody", False),
    ("owner", "#general", "nobody", True),
    ("alice", "#general", "inside", True),
    ("alice", DIRECTLY, "inside", False),
    ("alice", "#general", "adult", False),
    ("alice", "#adults", "adult", True),
    ("alice", "#games", "all", False),
]


async def test_a_command_is_offered_only_to_who_may_use_it_where_it_may_be_used(
    discord_server: DiscordServer,
    guild: FakeGuild,
) -> None:
    guild.forbid("#games", "@everyone", Permission.USE_APPLICATION_COMMANDS)
    async with running(discord_server, Offering()):
        for user, channel, command, offered in OFFERS:
            if offered:
                assert (await guild.slash(user, channel, command)).text == "ok", (user, channel, command)
                continue
            with pytest.raises(NotOfferedError):
                await guild.slash(user, channel, command)
                pytest.fail(f"{command} was offered to {user} in {channel}")


async def test_commands_are_called_by_their_names_in_the_members_language(
    discord_server: DiscordServer,
    guild: FakeGuild,
) -> None:
    bodies: list[Json] = [
        {"name": "show", "description": "Show", "name_localizations": {"ru": "показать"}},
        {"name": "Keep", "type": 3, "name_localizations": {"ru": "Сохранить"}},
    ]
    discord_server.interactions.commands.overwrite(None, bodies)
    discord_server.interactions.answer_within_seconds = 0.0
    guild.member("bob").user.locale = "ru"
    said = await guild.say("alice", "#general", "tea")
    with pytest.raises(NotOfferedError):
        await guild.slash("alice", "#general", "показать")
    for acting in (guild.slash("bob", "#general", "показать"), guild.message_menu("bob", "Сохранить", said)):
        with pytest.raises(NotAnsweredError):
            await acting
    assert [one.data["name"] for one in discord_server.interactions.all()] == ["show", "Keep"]


async def test_an_answer_that_comes_too_late_is_refused(
    discord_server: DiscordServer,
    guild: FakeGuild,
) -> None:
    discord_server.interactions.answer_within_seconds = 0.1
    bot = PlainBot()
    refused = asyncio.Event()

    @bot.tree.command(name="slow", description="Slow")
    async def slow(interaction: discord.Interaction) -> None:
        await asyncio.sleep(0.15)
        with pytest.raises(discord.NotFound) as error:
            await interaction.response.send_message("here")
        assert error.value.code == 10062
        refused.set()

    async with running(discord_server, bot):
        await bot.tree.sync()
        with pytest.raises(NotAnsweredError):
            await guild.slash("alice", "#general", "slow")
        await asyncio.wait_for(refused.wait(), 5)


async def _post(server: DiscordServer, path: str, body: Json) -> tuple[int, object]:
    async with aiohttp.ClientSession() as session, session.post(f"{server.api_url}{path}", json=body) as got:
        answered: Json = await got.json() if got.content_length else {}
        return got.status, answered.get("code")


async def test_an_interaction_is_answered_once_and_its_token_dies(
    discord_server: DiscordServer,
    guild: FakeGuild,
) -> None:
    server = discord_server
    async with running(server, MemoryBot()):
        said = await guild.slash("alice", "#general", "echo", text="hm")
        callback = f"/interactions/{said.interaction_id}/{said.token}/callback"
        follow_ups = f"/webhooks/{server.application_id}/{said.token}"
        again: Json = {"type": 4, "data": {"content": "again"}}
        assert await _post(server, callback, again) == (400, 40060)
        assert await _post(server, f"/interactions/1/{said.token}/callback", again) == (404, 10062)
        assert await _post(server, follow_ups, {"content": "more"}) == (200, None)
        assert await _post(server, follow_ups, {"content": ""}) == (400, 50006)
        assert await _post(server, follow_ups, {"content": "x" * 2001}) == (400, 50035)
        server.interactions.token_lives_seconds = 0.0
        assert await _post(server, follow_ups, {"content": "much later"}) == (401, 50027)
        assert [message.text.strip()[-4:] for message in server.sent] == ["n-US", "more"]


async def test_only_answers_that_fit_the_interaction_are_taken(
    discord_server: DiscordServer,
    guild: FakeGuild,
) -> None:
    server = discord_server
    server.interactions.commands.overwrite(None, [{"name": "wait", "description": "Wait"}])
    acting = asyncio.create_task(guild.slash("alice", "#general", "wait"))
    await asyncio.sleep(0)
    waiting = server.interactions.all()[0]
    callback = f"/interactions/{waiting.interaction_id}/{waiting.token}/callback"
    assert await _post(server, f"/webhooks/{server.application_id}/{waiting.token}", {}) == (404, 10015)
    for kind in (6, 7, 8, 99):
        assert await _post(server, callback, {"type": kind}) == (400, 50035)
    assert await _post(server, callback, {"type": 4, "data": {"content": "at last"}}) == (204, None)
    assert (await acting).text == "at last"


async def test_a_command_keeps_its_id_as_long_as_its_name(
    discord_server: DiscordServer,
    guild: FakeGuild,
) -> None:
    bot = MemoryBot()
    place = discord.Object(guild.guild_id)
    async with running(discord_server, bot):
        first = {one.name: one.id for one in await bot.tree.fetch_commands()}
        bot.tree.remove_command("think")
        second = {one.name: one.id for one in await bot.tree.sync()}
        assert first.items() - second.items() == {("think", first["think"])}
        bot.tree.copy_global_to(guild=place)
        local = {one.name: one.id for one in await bot.tree.sync(guild=place)}
        assert local.keys() == second.keys()
        assert not set(local.values()) & set(second.values())
        here = await guild.slash("alice", "#general", "echo")
        assert here.data["guild_id"] == str(guild.guild_id)
        fetched = await bot.tree.fetch_command(first["echo"])
        await fetched.edit(description="Changed")
        assert (await bot.tree.fetch_command(first["echo"])).description == "Changed"
        await fetched.delete()
        with pytest.raises(discord.NotFound):
            await bot.tree.fetch_command(first["echo"])


async def test_a_command_that_breaks_a_rule_is_refused_whole(
    discord_server: DiscordServer,
    guild: FakeGuild,
) -> None:
    async with running(discord_server, MemoryBot()) as bot:
        bodies: list[Json] = [
            {"name": "fine", "description": "Fine"},
            {"name": "Not Fine", "description": "No"},
        ]
        with pytest.raises(discord.HTTPException) as error:
            await bot.http.bulk_upsert_global_commands(discord_server.application_id, bodies)
        assert error.value.code == 50035
        assert "In 1.name: Command name is invalid" in str(error.value)
        assert "fine" not in {one.name for one in await bot.tree.fetch_commands()}


def _with_options(*options: Json) -> Json:
    return {"name": "show", "description": "Show", "options": list(options)}


def _option(name: str = "what", kind: int = 3, **more: object) -> Json:
    return {"name": name, "type": kind, "description": "What", **more}


FINE: list[Json] = [
    {"name": "show", "description": "Show"},
    {"name": "показать", "description": "Показать", "name_localizations": {"ru": "память-2"}},
    {"name": "Remember This", "type": 3},
    _with_options(_option("a", required=True), _option("b")),
    _with_options(_option("group", 2, options=[_option("sub", 1, options=[_option()])]), _option("sub", 1)),
    _with_options(*(_option(f"o{number}") for number in range(25))),
]

BROKEN: list[tuple[Json, str]] = [
    ({"description": "Show"}, "BASE_TYPE_REQUIRED"),
    ({"name": "Show", "description": "Show"}, "APPLICATION_COMMAND_INVALID_NAME"),
    ({"name": "x" * 33, "description": "Show"}, "BASE_TYPE_BAD_LENGTH"),
    ({"name": "show", "description": ""}, "BASE_TYPE_BAD_LENGTH"),
    ({"name": "show", "description": "x" * 101}, "BASE_TYPE_BAD_LENGTH"),
    ({"name": "Keep", "type": 3, "description": "Keep"}, "APPLICATION_COMMAND_DESCRIPTION_NOT_ALLOWED"),
    (
        {"name": "show", "description": "x", "name_localizations": {"ru": "С пробелом"}},
        "COMMAND_INVALID_NAME",
    ),
    ({"name": "show", "description": "x", "name_localizations": {"xx": "show"}}, "DICT_TYPE_KEYS"),
    ({"name": "show", "description": "x", "type": 9}, "BASE_TYPE_CHOICES"),
    (_with_options(_option("a"), _option("b", required=True)), "OPTIONS_REQUIRED_INVALID"),
    (_with_options(_option("a"), _option("a")), "OPTIONS_NAME_ALREADY_EXISTS"),
    (_with_options(_option("a"), _option("b", 1)), "OPTIONS_TYPE_INVALID"),
    (_with_options(_option("group", 2, options=[_option()])), "BASE_TYPE_CHOICES"),
    (_with_options(*(_option(f"o{number}") for number in range(26))), "BASE_TYPE_BAD_LENGTH"),
    (
        _with_options(_option(autocomplete=True, choices=[{"name": "a", "value": "a"}])),
        "AUTOCOMPLETE_INVALID",
    ),
    (_with_options(_option(kind=6, autocomplete=True)), "AUTOCOMPLETE_INVALID"),
    (_with_options(_option(choices=[{"name": "", "value": "a"}])), "BASE_TYPE_BAD_LENGTH"),
]


@pytest.mark.parametrize("body", FINE)
def test_commands_within_the_rules_are_taken(body: Json) -> None:
    assert mistakes_in(body) == []


@pytest.mark.parametrize(("body", "code"), BROKEN)
def test_each_broken_rule_is_named(body: Json, code: str) -> None:
    assert any(code in mistake.code for mistake in mistakes_in(body))


def test_discord_py_knows_the_same_languages() -> None:
    assert {locale.value for locale in discord.Locale} - {"es-419"} <= LOCALES
