"""What the bot repeats of what it had said before goes with that: it names nothing else on which it would rest."""

from bot.core.clock import SetClock
from bot.db.pool import Database
from tests.chat.guild import GAMES, GENERAL, TalkingGuild, guild_with
from tests.scripted_models import ScriptedModels

TOLD = "I like zeppelins."


async def answers_with(database: Database, word: str) -> list[str]:
    """Return the answers that hold a word, as they are stored beside the messages and as messages."""
    rows = await database.read(
        lambda connection: connection.fetch(
            """
            SELECT array_to_string(parts, ' ') AS text FROM answers WHERE array_to_string(parts, ' ') ~* $1
            UNION ALL SELECT message_text FROM chat_history WHERE kind = 'bot' AND message_text ~* $1
            """,
            word,
        )
    )
    return [row["text"] for row in rows]


async def asked_by_a_visitor(guild: TalkingGuild, *, channel_id: int) -> None:
    """Let somebody ask whom nothing is told but what stands in the channel."""
    assert await guild.say("bob", "Bot, what did you just say?", visitor=True, channel_id=channel_id)


async def test_an_answer_that_repeats_an_earlier_one_of_its_channel_is_forgotten_with_it(
    database: Database, clock: SetClock
) -> None:
    models = ScriptedModels(reply={"text": TOLD})
    async with guild_with(models, clock, database) as guild:
        await guild.say("alice", "Bot, remember that I like zeppelins")
        await guild.say("alice", "Bot, tell me something nice")
        await asked_by_a_visitor(guild, channel_id=GENERAL)
        told = await answers_with(database, "zeppelins")
        assert told.count(TOLD) == 4
        await guild.say("alice", "Bot, forget that I like zeppelins")
        await guild.settle()
    assert await answers_with(database, "zeppelins") == []


async def test_what_is_said_of_others_or_where_it_was_not_told_stays(
    database: Database, clock: SetClock
) -> None:
    models = ScriptedModels(reply={"text": TOLD})
    async with guild_with(models, clock, database) as guild:
        await guild.say("alice", "Bot, remember that I like zeppelins")
        await guild.say("alice", "Bot, tell me something nice")
        models.script["reply"] = {"text": "bob likes zeppelins."}
        await asked_by_a_visitor(guild, channel_id=GENERAL)
        models.script["reply"] = {"text": "Zeppelins fly."}
        await asked_by_a_visitor(guild, channel_id=GENERAL)
        models.script["reply"] = {"text": TOLD}
        await asked_by_a_visitor(guild, channel_id=GAMES)
        await guild.say("alice", "Bot, forget that I like zeppelins")
        await guild.settle()
    left = await answers_with(database, "zeppelins")
    assert sorted(left) == sorted(2 * [TOLD, "<@12> likes zeppelins.", "Zeppelins fly."]), left


async def test_what_the_bot_gives_as_an_example_stays(guild: TalkingGuild, database: Database) -> None:
    await guild.say("alice", "Bot, remember that I like pizza")
    await guild.say("alice", "Bot, what do you know about me?")
    helped = await guild.say("bob", "Bot?")
    assert helped is not None
    assert "I like pizza" in helped
    await guild.say("alice", "Bot, forget that I like pizza")
    await guild.settle()
    assert await answers_with(database, "pizza") == [helped, helped]


async def test_what_is_quoted_of_ones_own_days_goes_with_the_message_that_said_it(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "Bot, remember that I like pizza")
    await guild.say("alice", "hello there. the kitten sleeps in the piano")
    said = guild.last
    assert "kitten" in (await guild.say("alice", "Bot, what do you know about me?") or "")
    assert "pizza" in (await guild.say("bob", "Bot, what do you know about alice?") or "")
    await guild.say("alice", "Bot, forget this", reply_to=said)
    assert await answers_with(database, "kitten") == []
    assert len(await answers_with(database, "pizza")) == 4
