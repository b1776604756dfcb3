"""In a direct message nothing is forgotten on several servers before it was said how much, and where."""

from dataclasses import replace

from bot.core.domain import Guild, snowflake_at
from bot.memory.policy.permissions import scope_of
from tests.chat.guild import GUILD_ID, NAMES, TalkingGuild, member

OTHER_GUILD = 1_001


async def known_on_both(guild: TalkingGuild, *statements: str) -> None:
    """Let alice have it remembered on both servers that she shares with the bot."""
    await guild.keepsake.directory.add_guild(Guild(guild_id=OTHER_GUILD, name="Elsewhere"))
    await guild.keepsake.directory.put_members([member("alice", OTHER_GUILD)])
    for statement in statements:
        await guild.say("alice", f"Bot, remember that {statement}")
        assert guild.last is not None
        said = replace(guild.last, guild_id=OTHER_GUILD, message_id=snowflake_at(guild.clock.now()) + 1)
        assert (await guild.again(said)).text is not None


async def left(guild: TalkingGuild) -> list[int]:
    """Return how many facts about alice are kept on each of the two servers."""
    counts = []
    for guild_id in (GUILD_ID, OTHER_GUILD):
        view = scope_of(guild_id=guild_id, channel_audience=0)
        known = await guild.keepsake.library.facts_about(NAMES["alice"], view, asker_id=NAMES["alice"])
        counts.append(len(known))
    return counts


async def test_one_fact_on_two_servers_goes_where_it_was_chosen(guild: TalkingGuild) -> None:
    await known_on_both(guild, "I like pizza")
    asked = await guild.say("alice", "forget that I like pizza", direct=True)
    assert (asked or "").splitlines()[1:] == [
        "1. Test: 1 fact",
        "2. Elsewhere: 1 fact",
        "3. everywhere, here too: 2 facts",
    ]
    assert await left(guild) == [1, 1]
    assert "1 fact" in (await guild.say("alice", "2", direct=True) or "")
    assert await left(guild) == [1, 0]


async def test_all_of_it_goes_on_all_servers_only_when_that_was_chosen(guild: TalkingGuild) -> None:
    await known_on_both(guild, "I like pizza", "I own a boat")
    asked = await guild.say("alice", "forget everything about me", direct=True)
    assert (asked or "").splitlines()[1:3] == ["1. Test: 2 facts", "2. Elsewhere: 2 facts"]
    assert (await guild.say("alice", "neither", direct=True) or "").startswith("All right")
    assert await left(guild) == [2, 2]
    await guild.say("alice", "forget everything about me", direct=True)
    assert "4 facts" in (await guild.say("alice", "all", direct=True) or "")
    assert await left(guild) == [0, 0]


async def test_of_one_server_it_is_said_how_much_and_where_first(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I like pizza")
    asked = await guild.say("alice", "forget everything about me", direct=True)
    assert "- Test: 1 fact" in (asked or "")
    assert await guild.known("alice") == ["alice likes pizza"]
    assert "1 fact" in (await guild.say("alice", "yes", direct=True) or "")
    assert await guild.known("alice") == []
