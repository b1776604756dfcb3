"""What the tests of commands share."""

from collections.abc import Awaitable

from bot.core.domain import Fact
from bot.memory.policy.permissions import scope_of
from tests.adapters.discord.bots import RunningBot, eventually
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.interaction import FakeInteraction
from tests.servers.discord.state import FakeMessage
from tests.servers.discord.waiting import until


def is_for_one(answer: FakeInteraction) -> bool:
    """Tell whether the bot asked for time, then answered to whoever asked alone, mentioning nobody."""
    asked = [message.allowed_mentions for message in answer.messages]
    return (
        answer.deferred
        and answer.ephemeral
        and all(one is not None and not one.get("parse") for one in asked)
    )


def listed(text: str) -> list[str]:
    """Return the lines of a list, each with the sign before it."""
    return [line for line in text.splitlines() if line.startswith("- ")]


def grant(guild: FakeGuild, *names: str) -> None:
    """Let Discord offer the commands of managers to these too, as an administrator can."""
    guild.granted_commands |= {("memory-admin", guild.member(name).user_id) for name in names}


async def changed(acting: Awaitable[FakeInteraction], message: FakeMessage) -> str:
    """Return what `message` says once a button has changed it."""
    before = message.text
    await acting
    await until(lambda: message.text != before, what=f"{before!r} is changed")
    return message.text


async def tell_hobbies(guild: FakeGuild, *, by: str) -> None:
    """Let somebody have three things remembered of alice."""
    for hobby in ("plays the cello", "collects stamps", "grows orchids"):
        await guild.slash(by, "general", "memory remember", text=hobby, member="alice")


async def facts_of(bot: RunningBot, guild: FakeGuild, name: str) -> list[Fact]:
    """Return the open facts about a member as they are kept."""
    user_id = guild.member(name).user_id
    view = scope_of(guild_id=guild.guild_id, channel_audience=0)
    return await bot.keepsake.library.facts_about(user_id, view, asker_id=user_id)


async def has_facts(bot: RunningBot, guild: FakeGuild, name: str, *words: str) -> None:
    """Return once the open facts about a member are as many as `words`, each holding one of them."""

    async def are_there() -> bool:
        contents = [fact.content for fact in await facts_of(bot, guild, name)]
        return len(contents) == len(words) and all(
            any(word in content for content in contents) for word in words
        )

    await eventually(are_there)
