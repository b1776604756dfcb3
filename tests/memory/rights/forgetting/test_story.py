"""Alice says it about Bob, Bob forgets it: whatever models try, only "remember" brings it back."""

import re
from collections.abc import AsyncIterator, Mapping
from datetime import timedelta

import pytest
from pydantic import SecretStr

from bot.app import assembled
from bot.core.clock import SetClock
from bot.core.domain import Channel, Guild
from bot.core.settings import Settings
from bot.db.pool import Connection, Database
from tests.chat.guild import GENERAL, GUILD_ID, NAMES, TalkingGuild, member
from tests.servers.asked import Asked
from tests.servers.gemini import GeminiServer

SAYS = "collects zeppelins"
_MEMBER = re.compile(r'<member id="(u\d+)" name="(alice|bob)"')
_PAIR = {"alice", "bob"}
_FACT = re.compile(r"<fact [^>]*>([^<]*)</fact>")
_ANY_MEMBER = re.compile(r'<member id="(u\d+)"')
_WANTED = re.compile(r"tell what each of these members did: ([u\d, ]*)\.")
_TEXTS = (
    ("chat_history", "message_text"),
    ("facts", "concat_ws(' ', content, raw_content, key, value)"),
    ("fact_sources", "concat_ws(' ', content, raw_content)"),
    ("user_facts", "memory_blob"),
    ("profiles", "content"),
    ("conversation_summaries", "content"),
    ("episodes", "content"),
    ("distillations", "content"),
    ("answers", "array_to_string(parts, ' ') || coalesce(question::text, '')"),
)


def told(asked: Asked) -> str:
    """Say it again of Bob in the words of Alice, who said it, if the prompt names both; mostly speak of the plan."""
    ids = {name: short for short, name in _MEMBER.findall(asked.prompt)}
    again = f" @{ids['alice']} says that @{ids['bob']} {SAYS}." if len(ids) == len(_PAIR) else ""
    return f"They talked about the steps of the plan, and each step of the plan is fine.{again}"


def retold(asked: Asked) -> Mapping[str, object]:
    """Tell the facts, and say it again of the one whom they are about."""
    facts = ". ".join(_FACT.findall(asked.prompt))
    return {"narrative": f"{facts}. @u1 {SAYS}."}


def learned(_: Asked) -> Mapping[str, object]:
    """Say it again of the one who is learned about."""
    return {"profile": f"They think about the plans a lot. {SAYS.capitalize()}.", "facts": []}


def told_of_each(asked: Asked) -> Mapping[str, object]:
    wanted = _WANTED.search(asked.prompt)
    ids = wanted[1].split(", ") if wanted else _ANY_MEMBER.findall(asked.prompt)
    return {"texts": [{"member": one, "text": told(asked)} for one in dict.fromkeys(ids)]}


@pytest.fixture
async def guild(database: Database, clock: SetClock) -> AsyncIterator[TalkingGuild]:
    async with GeminiServer() as server:
        for operation in ("summarise_day", "historical", "merge_context"):
            server.answer(operation, told_of_each)
        server.answer("merge_facts", retold)
        server.answer("roll_summary", lambda asked: {"text": told(asked)})
        server.answer("make_episode", lambda asked: {"text": told(asked), "importance": 5, "tags": ["plans"]})
        server.answer("learn_profile", learned)
        server.answer("route", {"kind": "chat", "confident": True})
        server.answer("reply", {"text": "Hm."})
        settings = Settings(
            _env_file=None,
            gemini_api_key=SecretStr("x"),
            gemini_base_url=server.url,
            learn_every_turns=3,
        )
        async with assembled(settings, clock, database) as keepsake:
            await keepsake.directory.add_guild(Guild(guild_id=GUILD_ID, name="Test"))
            await keepsake.directory.put_members([member(name) for name in NAMES])
            await keepsake.directory.put_channel(
                Channel(guild_id=GUILD_ID, channel_id=GENERAL, name="general", audience=0)
            )
            yield TalkingGuild(keepsake, clock)


async def talk_on(guild: TalkingGuild, count: int) -> None:
    """Let others talk, let bob ask the bot something, and let all be told that is to be told."""
    await guild.chatter(count, "step {number} of the plan is fine")
    for _ in range(3):
        await guild.say("bob", "Bot, what do you think of the plans?")
    await guild.keepsake.memory.get_memories(GUILD_ID, NAMES["bob"], seconds=20)
    await guild.settle()


async def where_it_stands(database: Database) -> list[str]:
    """Return the tables in which it stands."""

    async def read(connection: Connection) -> list[str]:
        return [
            table
            for table, column in _TEXTS
            if await connection.fetchval(f"SELECT bool_or({column} ILIKE '%zeppelin%') FROM {table}")
        ]

    return await database.read(read)


async def recalled(guild: TalkingGuild) -> list[str]:
    hits = await guild.keepsake.memory.recall(
        guild_id=GUILD_ID, query="who collects zeppelins?", audiences=[0], limit=10
    )
    return [hit.text for hit in hits]


async def test_what_was_forgotten_is_told_by_nothing_until_it_is_asked_for(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "Bot, remember that bob collects zeppelins")
    await guild.say("alice", "bob collects zeppelins, he has shown me")
    await talk_on(guild, 45)
    guild.clock.advance(timedelta(hours=1))
    await guild.settle()
    assert {"facts", "chat_history", "conversation_summaries", "distillations", "episodes"} <= set(
        await where_it_stands(database)
    )
    assert await guild.say("bob", "Bot, forget that I collect zeppelins") == "Forgotten: I removed 1 fact."
    assert await where_it_stands(database) == []
    for pause in (timedelta(0), timedelta(hours=1), timedelta(days=1)):
        guild.clock.advance(pause)
        await guild.settle()
        await talk_on(guild, 40)
        assert await recalled(guild) == []
        assert await where_it_stands(database) == []
    assert await guild.known("bob") == []
    await guild.say("alice", "Bot, remember that bob collects zeppelins")
    await guild.say("bob", "Bot, what do you think of it? I collect zeppelins, as she says.")
    await talk_on(guild, 2)
    assert await guild.known("bob") == ["alice says bob collects zeppelins"]
    assert await recalled(guild)
    assert "profiles" in await where_it_stands(database)
