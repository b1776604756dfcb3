"""What is said of somebody is found by asking for them, by whatever name it was said."""

from bot.core.domain import OPEN, Member
from tests.chat.guild import GUILD_ID, MODS, TalkingGuild, member

DAVE = 40


async def found(guild: TalkingGuild, question: str, *audiences: int) -> list[str]:
    hits = await guild.keepsake.memory.recall(
        guild_id=GUILD_ID, query=question, audiences=audiences or (OPEN,), limit=5
    )
    return [hit.text for hit in hits if hit.hit_id and hit.subject_id is not None]


async def test_what_was_said_of_a_name_is_found_by_any_name_of_whom_it_came_to_be(
    guild: TalkingGuild,
) -> None:
    await guild.say("alice", "Bot, remember that dave keeps a boat in York")
    await guild.say("alice", "Bot, remember that dave mends clocks", channel_id=MODS)
    assert await found(guild, "anything about Captain?") == []
    dave = Member(guild_id=GUILD_ID, user_id=DAVE, user_name="dave", nickname="Captain")
    await guild.keepsake.directory.put_members([dave])
    await guild.keepsake.directory.put_members([member("alice")])
    [boat] = await found(guild, "anything about Captain?")
    assert "boat in York" in boat
    assert len(await found(guild, "anything about Captain?", OPEN, MODS)) == 2
