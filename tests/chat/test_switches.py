"""Where the bot is to be silent it is, at once; and what a guild's managers allow is what is done."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.core.domain import AnswerMode, Channel, Guild, Language, RememberingOthers
from bot.text.sentences import Key, say
from tests.chat.guild import BOT_ID, GAMES, GENERAL, GUILD_ID, NAMES, TalkingGuild

HOUR = timedelta(hours=1)


async def switch(guild: TalkingGuild, **switches: object) -> None:
    directory = guild.keepsake.directory
    channel = await directory.channel(guild_id=GUILD_ID, channel_id=GENERAL)
    if channel is None:
        channel = Channel(guild_id=GUILD_ID, channel_id=GENERAL, name="general")
        await directory.put_channel(channel)
    await directory.change_channel(channel, replace(channel, **switches))  # type: ignore[arg-type]


async def set_guild(guild: TalkingGuild, **settings: object) -> None:
    was = await guild.keepsake.directory.guild(GUILD_ID)
    assert was is not None
    await guild.keepsake.directory.change_guild(was, replace(was, **settings))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "switches", [{"answering": AnswerMode.NEVER}, {"hearing": False}], ids=["never", "not heard"]
)
async def test_where_nothing_is_answered_nothing_is_done_from_the_next_message_on(
    guild: TalkingGuild, switches: dict[str, object]
) -> None:
    assert await guild.say("alice", "Bot, remember that I like tea") is not None
    await switch(guild, **switches)
    assert await guild.say("alice", "Bot, remember that I like coffee") is None
    assert await guild.say("alice", f"<@{BOT_ID}>") is None
    await switch(guild, answering=AnswerMode.ADDRESSED, hearing=True)
    assert await guild.known("alice") == ["alice likes tea"]


async def test_a_quiet_channel_is_answered_again_when_its_time_is_over(guild: TalkingGuild) -> None:
    await switch(guild, quiet_until=guild.clock.now() + HOUR)
    assert await guild.say("alice", "Bot, what do you know about me?") is None
    assert await guild.say("alice", "Bot, what do you know about me?", channel_id=GAMES) is not None
    assert await guild.say("alice", "Bot, what do you know about me?", after=HOUR) is not None


async def test_where_everything_is_answered_nobody_needs_to_call_the_bot(guild: TalkingGuild) -> None:
    assert await guild.say("alice", "remember that I like tea") is None
    await switch(guild, answering=AnswerMode.ALWAYS)
    assert await guild.say("alice", "remember that I like tea") == "Remembered: alice likes tea."
    assert await guild.say("alice", "nice weather") == say("chat.no_model", Language.ENGLISH, bot="Bot")
    assert await guild.say("alice", "") is None, "a picture calls nobody"


async def test_a_thread_is_as_its_channel_is(guild: TalkingGuild) -> None:
    await switch(guild, answering=AnswerMode.NEVER)
    await guild.keepsake.directory.put_channel(
        Channel(guild_id=GUILD_ID, channel_id=GAMES, name="a thread", parent_id=GENERAL)
    )
    assert await guild.say("alice", "Bot, what do you know about me?", channel_id=GAMES) is None


async def test_who_is_answered_is_pinged_where_the_guild_wants_it(guild: TalkingGuild) -> None:
    assert not (await guild.hear("alice", "Bot, help")).pings
    await set_guild(guild, pings=True)
    assert (await guild.hear("alice", "Bot, help")).pings


@pytest.mark.parametrize(
    ("who", "from_moderator", "refused"),
    [
        (RememberingOthers.EVERYONE, False, None),
        (RememberingOthers.MODERATORS, False, "chat.others_by_moderators"),
        (RememberingOthers.MODERATORS, True, None),
        (RememberingOthers.NOBODY, True, "chat.others_by_themselves"),
    ],
)
async def test_who_may_have_something_kept_about_others_is_the_guilds_to_say(
    guild: TalkingGuild, who: RememberingOthers, from_moderator: bool, refused: Key | None
) -> None:
    await guild.say("bob", "Bot, remember that alice likes olives")
    about_alice = guild.answer
    await guild.say("florent", "I hate olives")
    said = guild.last
    await set_guild(guild, remembering_others=who)
    for text, reply_to in (
        ("Bot, remember that alice likes tea", None),
        ("Bot, remember this", said),
        ("no, plums", about_alice),
    ):
        answer = await guild.say("bob", text, reply_to=reply_to, from_moderator=from_moderator)
        assert answer is not None
        if refused is None:
            assert answer.startswith(("Remembered: ", "Corrected: "))
        else:
            assert answer == say(refused, Language.ENGLISH)
    for text in ("Bot, remember that I like plums", "Bot, remember that movie night is on Friday"):
        assert (await guild.say("bob", text) or "").startswith("Remembered: "), "one's own and the guild's"


async def test_what_the_guild_forbids_is_said_in_the_language_of_the_message(guild: TalkingGuild) -> None:
    await set_guild(guild, remembering_others=RememberingOthers.NOBODY)
    answer = await guild.say("Маша", "Бот, запомни, что Саша любит чай")
    assert answer == say("chat.others_by_themselves", Language.RUSSIAN)
    assert Language.of(answer) is Language.RUSSIAN


async def test_in_a_direct_message_there_are_no_switches(guild: TalkingGuild) -> None:
    await switch(guild, answering=AnswerMode.NEVER)
    assert await guild.say("alice", "remember that I like tea", direct=True) == "Remembered: alice likes tea."
    guild_id = 9_000 + NAMES["alice"]
    assert await guild.keepsake.directory.guild(guild_id) == Guild(guild_id=guild_id, name="", direct=True)
