"""Whoever calls themselves by somebody's name does not become them: the bot asks who is meant."""

import pytest

from bot.core.domain import Member
from tests.chat.guild import GUILD_ID, NAMES, TalkingGuild


@pytest.mark.parametrize(
    "said",
    [
        "Bot, what do you know about alice?",
        "Bot, remember that alice likes tea",
        "Bot, forget that alice owns a boat",
        "Bot, forget everything about alice",
        "Bot, how do you know that alice owns a boat?",
    ],
)
async def test_a_nickname_takes_over_no_name(guild: TalkingGuild, said: str) -> None:
    await guild.say("alice", "Bot, remember that I own a boat")
    taken = Member(guild_id=GUILD_ID, user_id=NAMES["florent"], user_name="florent", nickname="alice")
    real = Member(guild_id=GUILD_ID, user_id=NAMES["alice"], user_name="alice", nickname="Ally")
    await guild.keepsake.directory.put_members([taken, real])
    told = await guild.say("florent", said) or ""
    if "how do you know" not in said:
        assert "(florent)" in told and "(alice)" in told
    await guild.keepsake.directory.put_members([Member(guild_id=GUILD_ID, user_id=11, user_name="alice")])
    assert await guild.known("alice") == ["alice owns a boat"]
