"""What a correction or an edit means is told by the messages, not by when each of them was heard."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.db.pool import Database
from tests.chat.guild import TalkingGuild
from tests.chat.test_overtaken import read_back, written

MINUTE = timedelta(minutes=1)
EDITED = timedelta(seconds=20)


@pytest.mark.parametrize(
    ("first", "second", "correction", "known"),
    [
        (
            "Bot, remember that I like tea",
            "Bot, remember that I like jam",
            "Bot, no, I said plums",
            ["alice likes plums", "alice likes tea"],
        ),
        (
            "Bot, remember that I like tea",
            "Bot, remember that my cat is called Murka",
            "Bot, it's Barsik, not Murka",
            ["alice likes tea", "alice's cat is called Barsik"],
        ),
        (
            "Бот, запомни, что я люблю чай",
            "Бот, запомни, что я люблю варенье",
            "Бот, нет, я сказала, что я люблю сливы",
            ["alice любит сливы", "alice любит чай"],
        ),
    ],
)
async def test_a_correction_means_what_was_said_last_before_it_though_older_words_were_heard_later(
    guild: TalkingGuild, first: str, second: str, correction: str, known: list[str]
) -> None:
    older = written(guild, "alice", first, ago=MINUTE)
    await guild.say("alice", second)
    await guild.again(older)
    await guild.say("alice", correction)
    assert sorted(await guild.known("alice")) == known


async def test_a_correction_that_is_read_back_long_after_means_what_was_said_before_it(
    guild: TalkingGuild,
) -> None:
    await guild.say("alice", "Bot, remember that I like tea")
    guild.clock.advance(timedelta(hours=3))
    correction = "Bot, no, I said jam"
    await read_back(guild, "alice", correction, ago=timedelta(hours=3) - MINUTE)
    assert await guild.known("alice") == ["alice likes jam"]


@pytest.mark.parametrize("late", [False, True])
async def test_a_command_whose_edit_was_heard_first_is_carried_out_as_it_reads_now(
    guild: TalkingGuild, late: bool
) -> None:
    ago = timedelta(minutes=7) if late else MINUTE
    said = written(guild, "alice", "Bot, remember that I like tee", ago=ago)
    await guild.edit(said, "Bot, remember that I like tea", at=said.timestamp + EDITED)
    outcome = await guild.again(said, late=late)
    assert outcome.text == (None if late else "Remembered: alice likes tea.")
    assert await guild.known("alice") == ["alice likes tea"]


async def test_a_command_that_an_edit_took_back_before_it_was_heard_is_not_carried_out(
    guild: TalkingGuild,
) -> None:
    said = written(guild, "alice", "Bot, remember that I like tea", ago=MINUTE)
    await guild.edit(said, "never mind", at=said.timestamp + EDITED)
    assert (await guild.again(said)).text is None
    assert await guild.known("alice") == []


async def test_an_edit_in_time_that_is_heard_long_after_is_followed(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I like tee")
    said, confirmed = guild.last, guild.answer
    assert said is not None
    assert confirmed is not None
    edited = "Bot, remember that I like tea"
    outcome = await guild.edit(said, edited, at=said.timestamp + EDITED, after=timedelta(hours=2))
    assert (outcome.text, outcome.replaces) == ("Remembered: alice likes tea.", (confirmed.message_id,))
    assert await guild.known("alice") == ["alice likes tea"]


async def test_an_edit_long_after_what_the_bot_asked_is_carried_out_without_a_word(
    guild: TalkingGuild,
) -> None:
    await guild.say("alice", "Bot, remember that @Zoltan likes tea")
    said = guild.last
    assert said is not None
    at = said.timestamp + EDITED
    outcome = await guild.edit(said, "Bot, remember that bob likes tea", at=at, after=timedelta(hours=2))
    assert outcome.text is None
    assert await guild.known("bob") == ["alice says bob likes tea"]


async def test_what_is_read_back_as_it_was_is_no_older_than_what_is_kept(guild: TalkingGuild) -> None:
    said = written(guild, "alice", "Bot, remember that I like tee", ago=MINUTE)
    edited = replace(said, text="Bot, remember that I like tea", edited_at=said.timestamp + EDITED)
    assert (await guild.again(edited)).text == "Remembered: alice likes tea."
    assert (await guild.again(said)).text is None
    assert await guild.known("alice") == ["alice likes tea"]


_AWAY = """
CREATE SEQUENCE away;
CREATE FUNCTION away() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF nextval('away') <= 8 THEN RAISE EXCEPTION 'the server goes away' USING ERRCODE = '57P01'; END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER away BEFORE UPDATE OF edited_at ON answers FOR EACH ROW EXECUTE FUNCTION away()
"""
"""The server goes away, eight times, when an edit of a command is to be followed."""


async def test_an_edit_is_followed_though_the_database_goes_away_when_it_is_stored(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "Bot, remember that I like tee")
    said = guild.last
    assert said is not None
    await database.write(lambda connection: connection.execute(_AWAY))
    outcome = await guild.edit(said, "Bot, remember that I like tea")
    assert outcome.text == "Remembered: alice likes tea."
    assert await guild.known("alice") == ["alice likes tea"]
    tries = await database.read(lambda connection: connection.fetchval("SELECT last_value FROM away"))
    assert tries == 9
