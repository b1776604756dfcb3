"""Orders of one author hold in the order in which they were given, whichever of them is heard first."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.app import Keepsake
from bot.chat.incoming import IncomingMessage, MessageOutcome
from bot.core.domain import Language, Message, snowflake_at
from bot.db.pool import Connection, Database
from bot.memory.rights.forgetting import withholding
from bot.text.sentences import say
from tests.chat.guild import BOT_ID, BOT_NAMES, GAMES, GENERAL, GUILD_ID, NAMES, TalkingGuild

LONG = timedelta(minutes=7)


def written(
    guild: TalkingGuild, who: str, text: str, *, ago: timedelta = LONG, channel_id: int = GENERAL
) -> Message:
    """Return a message that somebody wrote so long ago."""
    said_at = guild.clock.now() - ago
    return Message(
        guild_id=GUILD_ID,
        channel_id=channel_id,
        message_id=snowflake_at(said_at),
        user_id=NAMES[who],
        text=text,
        timestamp=said_at,
    )


async def read_back(guild: TalkingGuild, who: str, text: str, **where: object) -> MessageOutcome:
    """Let the bot read what was written so long ago."""
    return await guild.again(written(guild, who, text, **where), late=True)  # type: ignore[arg-type]


async def readable(database: Database, word: str) -> int:
    found: int = await database.read(
        lambda connection: connection.fetchval(
            """
            SELECT (SELECT count(*) FROM chat_history WHERE message_text ILIKE $1)
                 + (SELECT count(*) FROM facts WHERE facts::text ILIKE $1)
                 + (SELECT count(*) FROM answers WHERE answers::text ILIKE $1)
            """,
            f"%{word}%",
        )
    )
    return found


@pytest.mark.parametrize(
    ("forget", "remember", "word"),
    [
        ("Bot, forget that I own 9 boats", "Bot, remember that I own 9 boats", "boats"),
        ("Bot, forget that I own 9 boats", "Bot, remember that my 9 boats are painted green", "boats"),
        ("Bot, forget that I like pizza", "Bot, remember that I like pizza", "pizza"),
        ("Бот, забудь, что у меня три лодки", "Бот, запомни, что у меня три лодки", "лодк"),
        ("Bot, forget that movie night is on Friday", "Bot, remember that movie night is on Friday", "movie"),
        ("Bot, forget everything about me", "Bot, remember that I own 9 boats", "boats"),
    ],
)
@pytest.mark.parametrize("channel_id", [GENERAL, GAMES])
async def test_an_older_order_that_is_read_later_is_refused(
    guild: TalkingGuild, database: Database, forget: str, remember: str, word: str, channel_id: int
) -> None:
    told = await guild.say("alice", forget, is_behind=lambda: True)
    assert told is not None
    assert told.endswith(say("forget.catching_up", Language.of(forget)))
    outcome = await read_back(guild, "alice", remember, channel_id=channel_id)
    assert outcome.text is None
    assert await readable(database, word) == 0
    assert await guild.known("alice") == []


async def test_what_was_quoted_of_an_older_order_goes_when_the_order_is_refused(
    guild: TalkingGuild, keepsake: Keepsake, database: Database
) -> None:
    remember = written(guild, "alice", "Bot, remember that I like pizza")
    # It was stored by a process that did not come to carry it out.
    await keepsake.memory.ingest_message(remember)
    await guild.say("alice", "Bot, forget everything about me", channel_id=GAMES, is_behind=lambda: True)
    assert "pizza" in (await guild.say("alice", "Bot, what do you know about me?") or "")
    await guild.again(remember, late=True)
    assert await readable(database, "pizza") == 0
    assert await guild.known("alice") == []


@pytest.mark.parametrize("text", ["tea", "  ", "", "I like tea."])
async def test_a_refused_order_takes_only_answers_that_repeat_it_to_its_author(
    guild: TalkingGuild, database: Database, text: str
) -> None:
    order = written(guild, "alice", f"Bot, remember that {text}")
    for who, fact in (("alice", "steak is served at the Teahouse"), ("bob", "I like tea")):
        await guild.say(who, f"Bot, remember that {fact}")
        assert await guild.say(who, "Bot, what do you know about me?")
    told = "SELECT count(*) FROM answers WHERE cardinality(parts) > 0"
    before = await database.read(lambda connection: connection.fetchval(told))

    async def refuse(connection: Connection) -> None:
        for message_ids in ([order.message_id], []):
            await withholding.refuse(
                connection, guild_id=GUILD_ID, message_ids=message_ids, author_id=NAMES["alice"], text=text,
                now=guild.clock.now(),
            )  # fmt: skip

    await database.write(refuse)
    assert await database.read(lambda connection: connection.fetchval(told)) == before


async def test_what_is_asked_for_after_that_is_remembered(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, forget that I own 9 boats", is_behind=lambda: True)
    assert "9 boats" in (await guild.say("alice", "Bot, remember that I own 9 boats") or "")
    assert await guild.known("alice") == ["alice owns 9 boats"]


async def test_a_known_fact_that_is_forgotten_does_not_come_back_by_an_older_order_in_other_words(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "Bot, remember that I own 9 boats")
    assert (await guild.say("alice", "Bot, forget that I own 9 boats") or "").startswith("Forgotten")
    for text in (
        "Bot, remember that the 9 boats in the harbour are mine",
        "Bot, remember that I own 9 boats",
    ):
        assert (await read_back(guild, "alice", text, ago=timedelta(hours=1))).text is None
    assert await guild.known("alice") == []
    assert await readable(database, "boats") == 0


async def test_what_others_order_about_themselves_is_not_touched(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, forget that bob owns 9 boats", is_behind=lambda: True)
    await read_back(guild, "bob", "Bot, remember that I own 9 boats")
    assert await guild.known("bob") == ["bob owns 9 boats"]


async def test_what_was_said_plainly_before_is_not_learned_later(
    guild: TalkingGuild, keepsake: Keepsake
) -> None:
    await guild.say("alice", "Bot, forget that I live in Lisbon", is_behind=lambda: True)
    plain = written(guild, "alice", "I live in Lisbon")
    await guild.again(plain, late=True)
    await keepsake.memory.extractor.noticed(guild_id=GUILD_ID, up_to_id=snowflake_at(guild.clock.now()))
    assert await guild.known("alice") == []


async def test_an_older_forgetting_that_is_read_later_spares_what_was_asked_for_since(
    guild: TalkingGuild,
) -> None:
    forget = written(guild, "alice", "Bot, forget that I like pizza", ago=timedelta(minutes=6))
    await guild.say("alice", "Bot, remember that I like pizza")
    await guild.again(forget, late=True)
    assert await guild.known("alice") == ["alice likes pizza"]


async def test_nothing_is_said_of_catching_up_where_nothing_is_missing(guild: TalkingGuild) -> None:
    told = await guild.say("alice", "Bot, forget that I own 9 boats", is_behind=lambda: False)
    assert told is not None
    assert say("forget.catching_up", Language.ENGLISH) not in told


@pytest.mark.parametrize("text", ["Bot, undo that", "Bot, no, I said plums"])
async def test_a_correction_is_read_again_where_what_it_corrects_may_be_unread(
    guild: TalkingGuild, text: str
) -> None:
    again: list[bool] = []

    def read_later() -> bool:
        again.append(True)
        return True

    assert (await guild.hear("alice", text, read_later=read_later)).text is None
    assert again == [True]
    correction = guild.last
    assert correction is not None
    await read_back(guild, "alice", "Bot, remember that I like jam")
    assert (await guild.again(correction)).text is not None
    assert await guild.known("alice") == (["alice likes plums"] if "plums" in text else [])


async def _all(guild: TalkingGuild, messages: Sequence[Message]) -> None:
    hearings = [
        IncomingMessage(message=one, bot_id=BOT_ID, bot_names=BOT_NAMES, alone=True) for one in messages
    ]
    await asyncio.gather(*(guild.keepsake.conversation.hear(one) for one in hearings))


@pytest.mark.parametrize("number", range(5))
async def test_orders_that_come_at_once_are_carried_out_in_their_order(
    guild: TalkingGuild, number: int
) -> None:
    texts = [
        "Bot, remember that I like pizza",
        "Bot, forget that I like pizza",
        "Bot, remember that I like jam",
        "Bot, no, I said plums",
    ]
    said = [
        replace(written(guild, "alice", text), message_id=snowflake_at(guild.clock.now()) + place)
        for place, text in enumerate(texts)
    ]
    said = [
        replace(one, timestamp=guild.clock.now() + timedelta(milliseconds=place))
        for place, one in enumerate(said)
    ]
    guild.clock.advance(timedelta(seconds=1))
    await _all(guild, said)
    assert await guild.known("alice") == ["alice likes plums"], number
