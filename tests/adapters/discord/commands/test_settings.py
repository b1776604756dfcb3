"""The settings of a guild by command: for managers, one by one, each with effect at once."""

import pytest

from bot.core.domain import OPEN, RememberingOthers
from bot.db.pool import Database
from tests.adapters.discord.bots import eventually, running_bot
from tests.adapters.discord.commands.acts import changed, grant, is_for_one
from tests.adapters.discord.test_base_role import gated
from tests.servers.discord.components import labels
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.interaction import FakeInteraction
from tests.servers.discord.interaction_acts import DIRECTLY
from tests.servers.discord.server import DiscordServer

PATH = "memory-admin settings"


def managed(server: DiscordServer) -> FakeGuild:
    """A guild with managers of both languages; bob was granted their commands, and manages nothing."""
    guild = server.add_guild("Home")
    grant(guild, "bob")
    guild.add_member("mona", manager=True)
    guild.add_member("olga", manager=True).user.locale = "ru"
    return guild


def shown(answer: FakeInteraction) -> dict[str, str]:
    """Return the settings that are shown, by label."""
    [message] = answer.messages
    fields: list[dict[str, str]] = message.embeds[0]["fields"]  # type: ignore[assignment]
    return {field["name"]: field["value"] for field in fields}


async def test_settings_are_shown_to_managers_in_their_language_and_to_nobody_else(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = managed(discord_server)
    async with running_bot(discord_server, database) as bot:
        english = await guild.slash("mona", "general", PATH)
        russian = await guild.slash("olga", "general", "память-управление настройки")
        refused = await guild.slash("bob", "general", PATH)
        denied = await guild.slash("bob", "general", PATH, time_zone="Europe/Berlin", persona="A pirate")
        suggested = await guild.autocomplete("bob", "general", PATH, focused="text_search")
        guild_now = await bot.guild(guild.guild_id)
    assert all(is_for_one(answer) for answer in (english, russian, refused, denied))
    assert shown(english)["Time zone"] == "UTC"
    assert shown(english)["Base role"] == "@everyone (default)"
    assert shown(russian)["Часовой пояс"] == "UTC"
    assert "</memory-admin settings:" in english.text
    for answer in (refused, denied):
        assert answer.text == "The settings are for those who may manage this server."
        assert answer.messages[0].embeds == []
    assert (guild_now.time_zone, guild_now.persona) == ("UTC", "")
    assert suggested.choices == []


async def test_every_setting_can_be_changed_and_put_back(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = managed(discord_server)
    role = guild.add_role("Crew")
    changes: list[tuple[str, str | int, str, object, object]] = [
        ("time_zone", "Europe/Berlin", "time_zone", "Europe/Berlin", "UTC"),
        ("base_role", "Crew", "base_role_id", role.role_id, None),
        ("retention_days", 0, "retention_days", 0, None),
        ("text_search", "english", "text_search", "english", "russian"),
        ("remember_others", "nobody", "remembering_others", "nobody", "everyone"),
        ("pings", "on", "pings", True, False),
        ("forget_others", "moderators", "forgetting_others", "moderators", "tellers"),
        ("tell_others", "open", "telling_others", "open", "said"),
        ("consent", "asked", "consent", "asked", "presumed"),
        ("hearing", "off", "hearing", False, True),
        ("log_channel", "general", "log_channel_id", guild.channel("general").channel_id, None),
    ]
    async with running_bot(discord_server, database) as bot:
        for name, given, field, value, default in changes:
            told = await guild.slash("mona", "general", PATH, **{name: given})
            assert is_for_one(told)
            assert getattr(await bot.guild(guild.guild_id), field) == value, told.text
            told = await guild.slash("olga", "general", PATH, reset=name)
            assert getattr(await bot.guild(guild.guild_id), field) == default, told.text
        together = await guild.slash(
            "olga",
            "general",
            "память-управление настройки",
            часовой_пояс="Europe/Moscow",
            записи_о_других="moderators",
        )
        assert len(together.text.splitlines()) == 2
        wrong = await guild.slash("mona", "general", PATH, time_zone="Europe/Berlim")
        assert "Europe/Berlin" in wrong.text
        now = await bot.guild(guild.guild_id)
        assert (now.time_zone, now.remembering_others) == ("Europe/Moscow", RememberingOthers.MODERATORS)
        everyone = await guild.slash("mona", "general", PATH, base_role="@everyone")
        assert "@everyone" in everyone.text
        assert (await bot.guild(guild.guild_id)).base_role_id is None


@pytest.mark.parametrize(
    ("focused", "typed", "first"),
    [
        ("time_zone", "berl", "Europe/Berlin"),
        ("time_zone", "new y", "America/New_York"),
        ("time_zone", "nowhere at all", None),
        ("text_search", "engl", "english"),
    ],
)
async def test_what_may_be_typed_is_suggested(
    discord_server: DiscordServer, database: Database, focused: str, typed: str, first: str | None
) -> None:
    guild = managed(discord_server)
    async with running_bot(discord_server, database):
        answer = await guild.autocomplete("mona", "general", PATH, focused=focused, typed=typed)
    assert next((choice.value for choice in answer.choices), None) == first


async def test_another_base_role_opens_and_closes_rooms_at_once(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = gated(discord_server)
    async with running_bot(discord_server, database) as bot:
        seen = []
        for role in ("Members", "Painters", "@everyone"):
            await guild.slash("mona", "general", PATH, base_role=role)
            rooms = {name: await bot.channel(guild.channel(name)) for name in ("games", "verify")}
            said = await guild.say("alice", "games", f"for {role}")
            seen.append(
                (role, *(room is not None and room.audience == OPEN for room in rooms.values()),
                 (await bot.stored(said)).audience == OPEN)
            )  # fmt: skip
        unseen = await guild.slash("stranger", "verify", "memory show", member="alice")
        await guild.slash("mona", "general", PATH, base_role="Members")
        visitor = await guild.slash("stranger", "verify", "memory remember", text="I like pizza")
    assert seen == [
        ("Members", True, False, True),
        ("Painters", True, True, True),
        ("@everyone", False, True, False),
    ]
    assert "members of this server" not in unseen.text
    assert "members of this server" in visitor.text


async def test_a_persona_is_heard_before_a_button_stores_it(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = managed(discord_server)

    async with running_bot(discord_server, database) as bot:
        heard = await guild.slash("mona", "general", PATH, persona="A pirate who  rhymes. <@1>")
        [message] = heard.messages
        assert is_for_one(heard)
        assert message.embeds[0]["description"] == "A pirate who  rhymes. <@1>"
        assert (await bot.guild(guild.guild_id)).persona == ""
    async with running_bot(discord_server, database) as bot:
        await changed(guild.click("mona", message, "Use this persona"), message)
        assert (await bot.guild(guild.guild_id)).persona == "A pirate who  rhymes. <@1>"
        assert (message.embeds, labels(message.components)) == ([], [])

        # The form begins with the one that there is.
        overview = await guild.slash("olga", "general", PATH)
        opened = await guild.click("olga", overview.messages[0], "Описать характер…")
        rewritten = await guild.submit_modal(opened, {"Кто я здесь": "Пират.\nГоворит стихами."})
        assert opened.modal is not None
        assert "A pirate who  rhymes. <@1>" in str(opened.modal)
        assert is_for_one(rewritten)
        [message] = rewritten.messages
        assert message.embeds[0]["description"] == "Пират.\nГоворит стихами."
        await changed(guild.click("olga", message, "Взять это описание"), message)
        assert (await bot.guild(guild.guild_id)).persona == "Пират.\nГоворит стихами."

        again = await guild.click("olga", overview.messages[0], "Описать характер…")
        emptied = await guild.submit_modal(again, {"Кто я здесь": ""})
        assert emptied.text.startswith("Характер")
        assert (await bot.guild(guild.guild_id)).persona == ""


async def test_a_persona_is_chosen_from_those_that_there_are_and_heard_first(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = managed(discord_server)
    async with running_bot(discord_server, database) as bot:
        listed = await guild.slash("mona", "general", "memory-admin persona")
        assert is_for_one(listed)
        assert "(cat)" in listed.text
        heard = await guild.slash("mona", "general", "memory-admin persona", name="Cat")
        [message] = heard.messages
        assert "I was going to sit here anyway." in heard.text
        assert (await bot.guild(guild.guild_id)).persona == ""
        shown_text = message.embeds[0]["description"]
        await changed(guild.click("mona", message, "Use this persona"), message)
        assert (await bot.guild(guild.guild_id)).persona == shown_text
        refused = await guild.slash("bob", "general", "memory-admin persona", name="Cat")
        assert refused.text == "The settings are for those who may manage this server."


async def test_a_channel_gets_a_persona_of_its_own_once_it_was_heard(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = managed(discord_server)
    async with running_bot(discord_server, database) as bot:
        heard = await guild.slash(
            "olga", "general", "память-управление канал", характер="Кот", отвечать="always"
        )
        await heard.until(lambda one: len(one.messages) == 2)
        state, offered = heard.messages
        assert is_for_one(heard)
        assert "Ответ будет на каждое сообщение." in state.text
        assert "Всё равно собирался тут сидеть." in offered.text
        channel = await bot.channel(guild.channel("general"))
        assert channel is not None
        assert channel.persona == ""
        said = await changed(guild.click("olga", offered, "Взять это описание"), offered)
        assert "Характер в этом канале: Кот, который" in said
        channel = await bot.channel(guild.channel("general"))
        assert channel is not None
        assert channel.persona.startswith("Кот, который")
        assert (await bot.guild(guild.guild_id)).persona == ""
        await guild.slash("mona", "general", "memory-admin channel", persona="off")
        channel = await bot.channel(guild.channel("general"))
        assert channel is not None
        assert channel.persona == ""
        refused = await guild.slash("mona", "general", "memory-admin channel", model="openai:any")
        assert "is not configured here" in refused.text
        suggested = await guild.autocomplete("mona", "general", "memory-admin channel", focused="model")
        assert [choice.value for choice in suggested.choices] == ["off"]


async def test_who_manages_no_more_stores_no_persona(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = managed(discord_server)
    async with running_bot(discord_server, database) as bot:
        heard = await guild.slash("mona", "general", PATH, persona="A pirate")
        opened = await guild.click("mona", heard.messages[0], "Write a persona…")
        guild.take_role("mona", "Managers")
        sent = await guild.submit_modal(opened, {"Who I am here": "A parrot"})
        said = await changed(guild.click("mona", heard.messages[0], "Use this persona"), heard.messages[0])
        assert "nothing was changed" in said
        assert "nothing was changed" in sent.text
        assert (await bot.guild(guild.guild_id)).persona == ""
        grant(guild, "mona")
        refused = await guild.slash("mona", "general", "memory-admin channel", persona="A parrot")
        assert "nothing was changed" in refused.text


async def test_in_private_everybody_has_settings_of_their_own(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        await guild.slash("alice", DIRECTLY, PATH, time_zone="Asia/Tokyo")
        direct = discord_server.direct("alice")

        async def is_set() -> bool:
            return (await bot.guild(direct.channel_id)).time_zone == "Asia/Tokyo"

        await eventually(is_set)
        assert (await bot.guild(guild.guild_id)).time_zone == "UTC"
