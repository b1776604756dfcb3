"""What is answered arrives whole and once, pings nobody who did not ask, and goes nowhere if it is wanted no more."""

import asyncio
import re

import pytest

from bot.db.pool import Connection, Database
from tests.adapters.discord.bots import RunningBot, bot_process, eventually, running_bot
from tests.adapters.discord.talking import chatting_bot, model_that_says, pings, told_of
from tests.servers.asked import Asked
from tests.servers.base import Reply
from tests.servers.discord.permissions import TALKING, Permission
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeMessage
from tests.servers.discord.waiting import until

ASKED = "Bot, remember that I like tea"
REMEMBERED = "Remembered: alice likes tea."

# Fences that are cut cost characters, so that what a model may say in one answer no longer fits two messages.
CODE = "\n".join(f"    call({number})" for number in range(292))
LONG = f"Look:\n```python\n{CODE}\n```"


async def test_a_long_answer_is_two_messages_cut_between_lines_of_code_and_a_file(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with chatting_bot(discord_server, database, LONG) as (bot, _):
        asked = await guild.say("alice", "general", "Bot, show me some code")
        first, second = await discord_server.sent_to("general", 2)
        assert len(first.text) <= 2_000 and len(second.text) <= 2_000
        assert first.text.startswith("Look:\n```python\n") and first.text.endswith("\n```")
        assert second.text.startswith("```python\n    call(")
        # Only the first refers to what it answers: the second is read below it.
        assert (first.reply_to_id, second.reply_to_id) == (asked.message_id, None)
        assert first.attachments == []
        [rest] = second.attachments
        assert rest.filename == "answer.md"
        whole = "\n".join([first.text, second.text, rest.content.decode()])
        assert re.findall(r"call\((\d+)\)", whole) == [str(number) for number in range(292)]
        # It is kept as one, so that what is read back later has it whole and once.
        assert len((await bot.stored(first)).text) > 3_900
        assert (await bot.stored(second)).text == ""


async def test_without_the_right_to_attach_files_a_long_answer_ends_where_it_must(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild(
        "Home",
        everyone=int(TALKING & ~Permission.ATTACH_FILES),
        bot_permissions=int(TALKING & ~Permission.ATTACH_FILES),
    )
    async with chatting_bot(discord_server, database, LONG) as (bot, _):
        await guild.say("alice", "general", "Bot, show me some code")
        first, second = await discord_server.sent_to("general", 2)
        assert second.attachments == []
        assert second.text.endswith("\n…\n```")
        await bot.stored(first)
        assert sent_to_owner(discord_server) == []


async def test_where_the_past_may_not_be_read_the_answer_goes_without_a_reference(
    discord_server: DiscordServer, database: Database
) -> None:
    without = int(TALKING & ~Permission.READ_MESSAGE_HISTORY)
    guild = discord_server.add_guild("Home", everyone=without, bot_permissions=without)
    async with running_bot(discord_server, database):
        await guild.say("alice", "general", ASKED)
        [answer] = await discord_server.sent_to("general")
        assert (answer.text, answer.reply_to_id) == (REMEMBERED, None)


async def test_small_talk_that_gets_no_words_gets_a_reaction(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database):
        await guild.say("alice", "general", "Bot, nice weather today")
        await discord_server.sent_to("general")
        heard = await guild.say("alice", "general", "Bot, thanks anyway")
        await until(lambda: heard.reactions == ["👀"])


async def test_where_the_bot_may_not_react_it_does_not_try(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild(
        "Home",
        bot_permissions=int(TALKING & ~Permission.ADD_REACTIONS),
        everyone=int(TALKING & ~Permission.ADD_REACTIONS),
    )
    async with running_bot(discord_server, database):
        await guild.say("alice", "general", "Bot, nice weather today")
        await discord_server.sent_to("general")
        heard = await guild.say("alice", "general", "Bot, thanks anyway")
        await guild.say("alice", "general", ASKED)
        _, answer = await discord_server.sent_to("general", 2)
        assert answer.text == REMEMBERED
        assert heard.reactions == []


EVERYBODY = "@everyone @here {role} {bob} listen, {alice}!"


@pytest.mark.parametrize("may_mention_everyone", [False, True])
async def test_a_reply_pings_nobody_but_whom_it_answers(
    may_mention_everyone: bool, discord_server: DiscordServer, database: Database
) -> None:
    permissions = int(TALKING | (Permission.MENTION_EVERYONE if may_mention_everyone else 0))
    guild = discord_server.add_guild("Home", bot_permissions=permissions)
    role = guild.add_role("Crew")
    text = EVERYBODY.format(
        role=f"<@&{role.role_id}>", bob=guild.mention("bob"), alice=guild.mention("alice")
    )
    async with chatting_bot(discord_server, database, text):
        asked = await guild.say("alice", "general", f"Bot, say this: {text}")
        answer = await discord_server.answer_to(asked)
        assert "@everyone" in answer.text
        pinged = pings(discord_server, answer)
        assert pinged.users in ((), (discord_server.user("alice"),))
        assert (pinged.role_ids, pinged.everyone) == ((), False)
        remembered = await guild.say("alice", "general", f"Bot, remember that I greet with {text}")
        confirmed = await discord_server.answer_to(remembered)
        assert "@everyone" in confirmed.text
        told = pings(discord_server, confirmed)
        assert (told.users, told.role_ids, told.everyone) == ((), (), False)


async def test_an_answer_pings_by_itself_only_where_the_guild_wants_it(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    guild.add_member("mona", manager=True)
    async with running_bot(discord_server, database):
        alone = await discord_server.answer_to(await guild.say("alice", "general", ASKED))
        await guild.slash("mona", "general", "memory-admin settings", pings="on")
        pinging = await discord_server.answer_to(await guild.say("alice", "general", "Bot, help"))
        assert pings(discord_server, alone).users == ()
        assert pings(discord_server, pinging).users == (discord_server.user("alice"),)


SEND = ("POST", "/channels/*/messages")


@pytest.mark.parametrize(
    ("fault", "how"),
    [
        ("fail", {"status": 500}),
        ("fail", {"status": 503}),
        ("fail", {"status": 502, "afterwards": True}),
        ("drop", {}),
        ("drop", {"afterwards": True}),
        ("rate_limit", {"retry_after": 0.3}),
        ("rate_limit", {"retry_after": 0.3, "is_global": True}),
    ],
    ids=["500", "503", "502 too late", "dropped", "dropped too late", "429", "429 global"],
)
async def test_what_is_sent_again_lands_once(
    fault: str, how: dict[str, object], discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        getattr(discord_server.faults, fault)(*SEND, **how)
        asked = await guild.say("alice", "general", ASKED)
        answer = await discord_server.answer_to(asked)
        await eventually(lambda: is_answered(database, asked))
        tries = [one for one in discord_server.requests if one.method == "POST" and "/messages" in one.path]
        assert len(tries) == 2
        assert [one.text for one in discord_server.sent] == [REMEMBERED]
        assert (await bot.stored(answer)).text != ""


async def is_answered(database: Database, message: FakeMessage) -> bool:
    state = await database.read(
        lambda connection: connection.fetchval(
            "SELECT state FROM answers WHERE message_id = $1", message.message_id
        )
    )
    return bool(state == "sent")


async def test_a_message_that_is_deleted_meanwhile_is_not_answered_and_neither_is_in_the_context(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    begun, may_end = asyncio.Event(), asyncio.Event()

    async def slowly(asked: Asked) -> Reply:
        if "narwhals" in asked.text and not may_end.is_set():
            begun.set()
            await may_end.wait()
        return {"text": "They are the unicorns of the sea." if "narwhals" in asked.text else "Nothing much."}

    async with chatting_bot(discord_server, database, slowly) as (bot, gemini):
        asked = await guild.say("alice", "general", "Bot, what are narwhals?")
        await begun.wait()
        await guild.delete(asked)
        await eventually(lambda: is_without_text(bot, asked))
        may_end.set()
        await eventually(lambda: is_answered(database, asked))
        assert discord_server.sent == []
        answered = await guild.say("alice", "general", "Bot, do you like narwhals at least?")
        answer = await discord_server.answer_to(answered)
        await bot.stored(answer)
        await guild.delete(answered)
        await eventually(lambda: is_without_text(bot, answered))
        await discord_server.answer_to(await guild.say("alice", "general", "Bot, what is new?"))
        last = gemini.requests_of("reply")[-1].prompt
        assert "narwhals" not in last
        assert "unicorns" not in last


async def is_without_text(bot: RunningBot, message: FakeMessage) -> bool:
    kept = await bot.kept(message)
    return kept is not None and kept.text == ""


async def test_where_the_bot_may_not_answer_the_owner_is_told_once_and_nothing_is_tried_again(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    general = guild.channel("general").channel_id
    async with running_bot(discord_server, database) as bot:
        discord_server.faults.fail("POST", f"/channels/{general}/messages", 403, times=2)
        first = await guild.say("alice", "general", ASKED)
        await eventually(lambda: is_answered(database, first))
        second = await guild.say("alice", "general", "Bot, remember that I like cake")
        await eventually(lambda: is_answered(database, second))
        [told] = await discord_server.sent_to(discord_server.direct(discord_server.world.owner))
        assert "#general" in told.text and "Home" in told.text
        # The command was carried out all the same, and the next answer finds its way.
        asked = await guild.say("alice", "general", "Bot, what do you know about me?")
        assert "alice likes cake" in (await discord_server.answer_to(asked)).text
        discord_server.faults.invalidate(False)
        await until(lambda: len(discord_server.gateway.identified) == 2, what="a new session")
        await bot.client.catch_up.settled()
        await discord_server.quiet(0.3)
        assert len(discord_server.sent) == 2


def sent_to_owner(server: DiscordServer) -> list[str]:
    owner = server.direct(server.world.owner)
    return [message.text for message in server.sent if message.channel is owner]


async def test_a_channel_that_goes_away_meanwhile_hinders_nothing(
    discord_server: DiscordServer, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    guild = discord_server.add_guild("Home", channels=("general", "plans"))
    begun, may_end = asyncio.Event(), asyncio.Event()

    async def slowly(_asked: Asked) -> Reply:
        begun.set()
        await may_end.wait()
        return {"text": "Here it is."}

    async with chatting_bot(discord_server, database, slowly):
        asked = await guild.say("alice", "plans", "Bot, what is the plan?")
        await begun.wait()
        guild.remove_channel("plans")
        may_end.set()
        await eventually(lambda: is_answered(database, asked))
        said = await guild.say("alice", "general", ASKED)
        assert (await discord_server.answer_to(said)).text == REMEMBERED
    # Facts may be told behind meanwhile, to which this model has no answer.
    ours = [record for record in caplog.records if record.name.startswith("bot.adapters.discord")]
    assert [record.message for record in ours if record.levelname == "ERROR"] == []


@pytest.mark.processes
@pytest.mark.soak
@pytest.mark.parametrize("arrives", [False, True], ids=["unsent", "sent, and not noted"])
async def test_an_answer_that_a_dead_process_had_written_arrives_once(
    arrives: bool, discord_server: DiscordServer, dsn: str, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    before = await guild.say("alice", "general", "good morning")
    async with model_that_says("Soup, as always.") as gemini:
        models = {"GEMINI_API_KEY": "x", "GEMINI_BASE_URL": gemini.url}
        async with bot_process(discord_server, dsn, **models) as process:
            await process.told("server Home")
            await guild.say("alice", "general", "how are you?")
            discord_server.faults.drop(*SEND, times=None, afterwards=arrives)
            asked = await guild.say("alice", "general", "Bot, what is for lunch?")
            await eventually(lambda: is_tried(discord_server, before))
            await process.kill()
        discord_server.faults.heal()
        await database.write(give_the_shards_back)
        async with bot_process(discord_server, dsn, **models) as process:
            await process.told("server Home")
            await eventually(lambda: is_answered(database, asked))
            await discord_server.quiet(0.5)
        assert [message.text for message in discord_server.sent] == ["Soup, as always."]
        assert discord_server.sent[0].reply_to_id == asked.message_id
        assert len(gemini.requests_of("reply")) == 1


async def give_the_shards_back(connection: Connection) -> None:
    # The lease of a process that was killed ends by itself, in half a minute.
    await connection.execute("DELETE FROM shard_leases")


async def is_tried(server: DiscordServer, message: FakeMessage) -> bool:
    path = f"/channels/{message.channel.channel_id}/messages"
    return any(one.method == "POST" and one.path == path for one in server.requests)


async def test_it_is_seen_to_type_while_a_slow_model_thinks_and_not_after(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    may_end = asyncio.Event()

    async def slowly(_asked: Asked) -> Reply:
        await may_end.wait()
        return {"text": "Done thinking."}

    async with chatting_bot(discord_server, database, slowly) as (bot, _):
        asked = await guild.say("alice", "general", "Bot, what is the meaning of life?")
        await until(lambda: discord_server.typing, what="it types")
        assert discord_server.sent == []
        may_end.set()
        await discord_server.answer_to(asked)
        signs = len(discord_server.typing)
        assert await told_of(bot, guild, "alice") == []
        await discord_server.quiet(0.4)
        assert len(discord_server.typing) == signs
