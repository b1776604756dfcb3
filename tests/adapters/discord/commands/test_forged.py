"""What a button's id says is believed only where it was pressed and of whom: every kind of id, forged."""

import asyncio
import copy
import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import asyncpg
import discord
import pytest

from bot.adapters.discord.welcome import OpenWelcome
from bot.db.pool import Database
from bot.text.tokens import content_stems
from tests.adapters.discord.bots import RunningBot, running_bot
from tests.adapters.discord.commands.test_why import answered
from tests.memory.summaries.episodes.kept import keep
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.interaction import FakeInteraction
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeMessage
from tests.servers.discord.waiting import until

SECRETS = "zeppelin geese kayak accordion walrus"
"""What stands in another guild, in a closed room, about a private member, and in somebody else's forgetting."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Two guilds that lived, and a button for somebody who is a member of the first one alone."""

    by: str
    """Who presses: carol, or mona, who moderates the first guild and does not read its closed room."""
    home: FakeGuild
    away: FakeGuild
    said_away: FakeMessage
    said_closed: FakeMessage
    said_by_alice: FakeMessage
    answered_away: FakeMessage
    answered_closed: FakeMessage
    forgotten: FakeMessage
    button: FakeMessage
    facts: dict[str, int]
    """Ids by what they say."""
    asked_in: int
    """The interaction by which alice had something of bob's remembered."""
    role_away: int
    episode_closed: int


FORGED: dict[str, Callable[[Stage], list[str]]] = {
    "undo": lambda stage: [
        f"undo:{stage.away.guild_id}:{stage.said_away.message_id}",
        f"undo:{stage.home.guild_id}:{stage.said_away.message_id}",
        f"undo:{stage.home.guild_id}:{stage.said_closed.message_id}",
        *([] if stage.by == "mona" else [f"undo:{stage.home.guild_id}:{stage.said_by_alice.message_id}"]),
    ],
    "take-back": lambda stage: [f"take-back:{stage.asked_in}:{fact_id}" for fact_id in stage.facts.values()],
    "page": lambda stage: [
        f"page:{stage.home.member('dora').user_id}:0",
        f"page:{stage.away.member('zed').user_id}:0",
        f"page:{stage.home.member('alice').user_id}:1",
    ],
    "memory": lambda stage: [
        f"memory:{stage.home.member('dora').user_id}:0",
        f"memory:{stage.away.member('zed').user_id}:0",
    ],
    "memory-forget": lambda stage: [
        f"memory-forget:{stage.home.member('alice').user_id}:{fact_id}:0" for fact_id in stage.facts.values()
    ],
    "memory-not-me": lambda stage: [
        f"memory-not-me:{stage.away.member('zed').user_id}:{fact_id}:0" for fact_id in stage.facts.values()
    ],
    "search": lambda _: [f"search:0:{word}" for word in ("own", "fear", "race", "play", "came")],
    "why": lambda stage: [
        f"why:{message.message_id}:0" for message in (stage.answered_away, stage.answered_closed)
    ],
    "why-forget": lambda stage: [
        f"why-forget:{stage.answered_closed.message_id}:{fact_id}:0" for fact_id in stage.facts.values()
    ],
    "why-not-me": lambda stage: [
        f"why-not-me:{stage.answered_away.message_id}:{fact_id}:0" for fact_id in stage.facts.values()
    ],
    "own-erase": lambda stage: [f"own-erase:{stage.away.guild_id}"],
    "forgot": lambda stage: [f"forgot:m:{stage.forgotten.message_id}"],
    "forgot-own": lambda stage: [f"forgot-own:m:{stage.forgotten.message_id}"],
    "episodes": lambda _: ["episodes:0"],
    "episode": lambda stage: [f"episode:{stage.episode_closed}:0"],
    "waiting": lambda stage: [f"waiting:erase:{stage.home.member('alice').user_id}"],
    "base-role": lambda stage: [f"base-role:{stage.role_away}", f"base-role:{stage.home.guild_id}"],
    "persona": lambda _: ["persona:use", "persona:here"],
    "welcome": lambda _: ["welcome:role", "welcome:channels", "welcome:past", "welcome:time_zone"],
}


def kinds_of_ids(kind: type[discord.ui.DynamicItem[discord.ui.Item[discord.ui.View]]]) -> Iterator[str]:
    for one in kind.__subclasses__():
        template = one.__discord_ui_compiled_template__.pattern
        if template != "(?!)":
            yield template.split(":")[0]
        yield from kinds_of_ids(one)


def test_every_kind_of_id_is_forged() -> None:
    assert OpenWelcome is not None
    # Lists carry no ids but those of what is chosen, which Discord resolves.
    kinds = {
        one for one in kinds_of_ids(discord.ui.DynamicItem) if one not in {"welcome-choice", "own-place"}
    }
    assert kinds == FORGED.keys()


async def stage_of(
    server: DiscordServer, bot: RunningBot, database: Database, home: FakeGuild, away: FakeGuild, by: str
) -> Stage:
    staff = home.channel("staff")
    role_away = away.add_role("elsewhere")

    async def told(guild: FakeGuild, author: str, channel: str, text: str) -> FakeMessage:
        said = await guild.say(author, channel, text)
        await answered(server, bot, said)
        return said

    said_away = await told(away, "zed", "general", "Bot, remember that I own a zeppelin")
    said_closed = await told(home, "alice", "staff", "Bot, remember that I fear geese")
    said_by_alice = await told(home, "alice", "general", "Bot, remember that I paint boats")
    await told(home, "dora", "general", "Bot, remember that I race a kayak")
    await told(home, "bob", "general", "Bot, remember that I play the accordion")
    forgotten = await told(home, "bob", "general", "Bot, forget that I play the accordion")
    answered_away = await server.answer_to(
        await told(away, "zed", "general", "Bot, what do you know about me?")
    )
    answered_closed = await server.answer_to(
        await told(home, "alice", "staff", "Bot, what do you know about me?")
    )
    says = await home.say("bob", "general", "my drum is red")
    kept = await home.message_menu("alice", "Remember this", says)
    button = await server.answer_to(await home.say(by, "general", "Bot, remember that I like pizza"))
    await bot.keepsake.memory.consent.set_private(
        guild_id=home.guild_id, user_id=home.member("dora").user_id, private=True
    )
    episode = await keep(
        database,
        "The walrus came.",
        guild_id=home.guild_id,
        channel_id=staff.channel_id,
        audience=staff.channel_id,
    )
    return Stage(
        by=by,
        home=home,
        away=away,
        said_away=said_away,
        said_closed=said_closed,
        said_by_alice=said_by_alice,
        answered_away=answered_away,
        answered_closed=answered_closed,
        forgotten=forgotten,
        button=button,
        facts=await facts(database, "zeppelin", "geese") if by == "mona" else await facts(database, ""),
        asked_in=kept.interaction_id,
        role_away=role_away.role_id,
        episode_closed=episode,
    )


async def facts(database: Database, *words: str) -> dict[str, int]:
    """Return the facts that hold one of `words`, but for what whoever presses said."""
    rows = await database.read(
        lambda connection: connection.fetch(
            "SELECT fact_id, content FROM facts WHERE status = 'active' AND content NOT LIKE '%pizza%'"
        )
    )
    return {row["content"]: row["fact_id"] for row in rows if any(word in row["content"] for word in words)}


async def everything(database: Database) -> list[tuple[object, ...]]:
    """Return what a forged id must not change: facts, notes of conversations, settings, and what is withheld."""
    queries = (
        "SELECT guild_id, fact_id, status, content FROM facts ORDER BY 1, 2",
        "SELECT guild_id, episode_id, content FROM episodes ORDER BY 1, 2",
        "SELECT guild_id, base_role_id, persona, time_zone FROM guilds ORDER BY 1",
        "SELECT guild_id, channel_id, persona FROM channels ORDER BY 1, 2",
        "SELECT guild_id, message_id, withheld FROM chat_history WHERE kind = 'member' ORDER BY 1, 2",
    )
    found: list[tuple[object, ...]] = []
    for query in queries:
        rows = await database.read(functools.partial(asyncpg.Connection.fetch, query=query))
        found += [tuple(row) for row in rows]
    return found


async def told(pressed: FakeInteraction) -> str:
    """Return what whoever pressed was told, once the bot has dealt with it."""
    await pressed.until(lambda one: one.response is not None)

    def is_done() -> bool:
        return not any(task.get_name().startswith("discord-ui-") for task in asyncio.all_tasks())

    await until(is_done, what=f"{pressed.name} is dealt with")
    return "\n".join([*(message.text for message in pressed.messages), str(pressed.modal or "")])


@pytest.mark.parametrize("by", ["carol", "mona"])
async def test_a_forged_id_changes_nothing_and_tells_nothing(
    discord_server: DiscordServer, database: Database, by: str
) -> None:
    home = discord_server.add_guild("Home", members=("bob", "carol", "dora"))
    home.add_role("staff")
    home.add_member("alice", roles=("staff",))
    home.add_member("mona", moderator=True)
    away = discord_server.add_guild("Away", members=("alice", "zed"))
    home.add_channel("staff", visible_to=("staff",))
    async with running_bot(discord_server, database) as bot:
        stage = await stage_of(discord_server, bot, database, home, away, by)
        await bot.keepsake.work.idle()
        before = await everything(database)
        button = copy.deepcopy(stage.button.components)
        for forged in FORGED.values():
            for custom_id in forged(stage):
                stage.button.components = copy.deepcopy(button)
                pressed = await stage.home.forge(by, stage.button, custom_id)
                said = await told(pressed)
                asked = content_stems(custom_id.replace(":", " "))
                leaked = (content_stems(SECRETS) - asked) & content_stems(f"{said}\n{stage.button.text}")
                assert not leaked, custom_id
                assert await everything(database) == before, custom_id
