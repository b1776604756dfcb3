"""A forward repeats what somebody else said: what is withheld where it was said is withheld in every forward."""

import pytest

from bot.core.domain import Message, RedactionReason
from bot.db.pool import Database
from tests.adapters.discord.bots import RunningBot, eventually, running_bot
from tests.adapters.discord.talking import chatting_bot, told_of
from tests.memory.rights.erasing.lived import columns_with
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeMessage

SECRET = "my heliotrope canoe is called Zanzibarus"
RUSSIAN = "мою лиловую лодку зовут Занзибарус"


async def withheld(bot: RunningBot, message: FakeMessage) -> RedactionReason | None:
    """Return why a message that was heard is kept without its text; `None` as long as it has one."""
    kept = await bot.stored(message)
    assert kept.withheld is None or (kept.text, kept.attachments) == ("", ())
    return kept.withheld


async def obey(server: DiscordServer, guild: FakeGuild, who: str, order: str) -> str:
    return (await server.answer_to(await guild.say(who, "general", order))).text


async def is_repeated(bot: RunningBot, message: FakeMessage, words: str) -> Message:
    kept = await bot.stored(message)
    assert kept.attachments == (f"[forwarded: {words}]",)
    return kept


async def is_gone(bot: RunningBot, *messages: FakeMessage, reason: RedactionReason) -> None:
    for message in messages:

        async def gone(message: FakeMessage = message) -> bool:
            return await withheld(bot, message) is reason

        await eventually(gone)


@pytest.mark.parametrize(
    ("order", "words"), [("Bot, stop remembering me", SECRET), ("Бот, не запоминай меня больше", RUSSIAN)]
)
async def test_what_a_member_said_who_opted_out_is_not_kept_as_the_words_of_who_forwards_it(
    discord_server: DiscordServer, database: Database, order: str, words: str
) -> None:
    guild = discord_server.add_guild("Harbour", channels=("general", "boats"))
    async with running_bot(discord_server, database) as bot:
        await obey(discord_server, guild, "alice", order)
        said = await guild.say("alice", "general", words)
        forward = await guild.forward("bob", "boats", said)
        again = await guild.forward("bob", "general", forward)
        assert await withheld(bot, forward) is RedactionReason.OPTED_OUT
        assert await withheld(bot, again) is RedactionReason.OPTED_OUT
        assert (await bot.stored(forward)).user_id == guild.member("bob").user_id
        assert await columns_with(database, words[-10:]) == []


async def test_who_opts_out_later_takes_along_what_was_forwarded(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Harbour", channels=("general", "boats"))
    async with running_bot(discord_server, database) as bot:
        said = await guild.say("alice", "general", SECRET)
        forward = await guild.forward("bob", "boats", said)
        again = await guild.forward("bob", "general", forward)
        bobs = await guild.say("bob", "general", "my dinghy is green")
        of_bobs = await guild.forward("bob", "boats", bobs)
        await is_repeated(bot, forward, SECRET)
        assert await told_of(bot, guild, "bob") == []
        await obey(discord_server, guild, "alice", "Bot, stop remembering me")
        await is_gone(bot, forward, again, reason=RedactionReason.OPTED_OUT)
        await is_repeated(bot, of_bobs, "my dinghy is green")
        found = await obey(discord_server, guild, "bob", "Bot, when did we talk about the heliotrope canoe?")
        assert "Zanzibarus" not in found


async def test_a_deletion_takes_along_what_was_forwarded_here_and_on_other_servers(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Harbour")
    guild.add_channel("captains", visible_to=())
    other = discord_server.add_guild("Marina", members=("bob",))
    async with running_bot(discord_server, database) as bot:
        said = await guild.say("alice", "general", SECRET)
        closed = await guild.forward("bob", "captains", said)
        elsewhere = await other.forward("bob", "general", said)
        back = await guild.forward("bob", "general", elsewhere)
        kept = await is_repeated(bot, closed, SECRET)
        assert kept.audience == closed.channel.channel_id
        for one in (elsewhere, back):
            assert (await is_repeated(bot, one, SECRET)).audience == 0
        await guild.delete(said)
        await is_gone(bot, closed, elsewhere, back, reason=RedactionReason.DELETED)
        assert await columns_with(database, "zanzibarus") == []
        late = await other.forward("bob", "general", back)
        assert await withheld(bot, late) is RedactionReason.DELETED


async def test_what_is_forgotten_is_forgotten_where_it_was_forwarded(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Harbour", channels=("general", "boats"))
    async with running_bot(discord_server, database) as bot:
        said = await guild.say("alice", "general", "Bot, remember that my canoe is called Zanzibarus")
        await discord_server.answer_to(said)
        forward = await guild.forward("bob", "boats", said)
        await is_repeated(bot, forward, said.text)
        await obey(discord_server, guild, "alice", "Bot, forget that my canoe is called Zanzibarus")
        await is_gone(bot, forward, reason=RedactionReason.FORGOTTEN)
        assert await columns_with(database, "zanzibarus") == []


async def test_who_is_erased_is_erased_where_they_were_forwarded(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Harbour", channels=("general", "boats"))
    other = discord_server.add_guild("Marina", members=("bob",))
    async with running_bot(discord_server, database) as bot:
        said = await guild.say("alice", "general", SECRET)
        forwards = [await guild.forward("bob", "boats", said), await other.forward("bob", "general", said)]
        for forward in forwards:
            await is_repeated(bot, forward, SECRET)
        await bot.keepsake.memory.erasing.erase_member(
            guild_id=guild.guild_id,
            user_id=guild.member("alice").user_id,
            audiences=None,
            opted_out=False,
        )
        await is_gone(bot, *forwards, reason=RedactionReason.OPTED_OUT)
        assert await columns_with(database, "zanzibarus") == []
        late = await guild.forward("bob", "general", said)
        assert await withheld(bot, late) is RedactionReason.OPTED_OUT


async def test_what_is_withheld_is_not_answered_from_a_forward_in_private(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Harbour")
    async with chatting_bot(discord_server, database, "I see.") as (bot, gemini):
        await obey(discord_server, guild, "alice", "Bot, stop remembering me")
        said = await guild.say("alice", "general", SECRET)
        await bot.stored(said)
        forward = await guild.forward("bob", discord_server.direct("bob"), said)
        assert await withheld(bot, forward) is RedactionReason.OPTED_OUT
        asked = await discord_server.say_directly("bob", "what did I just forward to you?")
        await discord_server.answer_to(asked)
        assert gemini.calls
        assert not any("Zanzibarus" in str(asked) for asked in gemini.calls)


async def test_nothing_is_learned_of_who_forwards_it(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Harbour")
    async with running_bot(discord_server, database) as bot:
        said = await guild.say("alice", "general", "I like pickled herring. My name is Alisanne")
        forward = await guild.forward("bob", "general", said)
        last = await guild.say("bob", "general", "I like plum cake")
        await bot.stored(last)
        await bot.stored(forward)

        async def learned() -> bool:
            return bool(await told_of(bot, guild, "bob")) and bool(await told_of(bot, guild, "alice"))

        await eventually(learned)
        assert "herring" in " ".join(await told_of(bot, guild, "alice"))
        assert [fact for fact in await told_of(bot, guild, "bob") if "plum" not in fact] == []
