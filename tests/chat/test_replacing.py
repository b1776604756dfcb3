"""What is new replaces what was: by its key, which the confirmation says, or after the bot has asked."""

from datetime import timedelta

import pytest

from tests.chat.guild import TalkingGuild


@pytest.mark.parametrize(
    ("before", "after", "confirmed"),
    [
        ("I live in Vienna", "I moved to Oslo", "alice moved to Oslo. That replaces: alice lives in Vienna."),
        ("I am 30", "I am 31", "alice is 31. That replaces: alice is 30."),
        (
            "I drive a Honda",
            "I drive a Tesla now",
            "alice drives a Tesla now. That replaces: alice drives a Honda.",
        ),
    ],
)
async def test_the_confirmation_says_what_is_replaced_and_undo_brings_it_back(
    guild: TalkingGuild, before: str, after: str, confirmed: str
) -> None:
    await guild.say("alice", f"Bot, remember that {before}")
    known = await guild.known("alice")
    assert await guild.say("alice", f"Bot, remember that {after}") == f"Remembered: {confirmed}"
    assert await guild.known("alice") == [confirmed.partition(".")[0]]
    await guild.say("alice", "Bot, undo")
    assert await guild.known("alice") == known


async def test_a_day_of_anything_is_replaced(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that the raid is on Friday")
    answer = await guild.say("bob", "Bot, remember that the raid is now on Saturday")
    assert answer is not None
    assert answer.endswith("That replaces: the raid is on Friday 2026-03-06.")


async def test_what_is_like_it_is_asked_about_and_replaced_if_the_asker_says_so(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I take the bus to work")
    answer = await guild.say("alice", "Bot, remember that I take the train to work")
    assert answer == (
        "Remembered: alice takes the train to work.\n"
        "I also have: alice takes the bus to work. Does what you said now replace that? yes / no"
    )
    assert await guild.say("alice", "yes") == "Done: only what you said last holds now."
    assert await guild.known("alice") == ["alice takes the train to work"]


@pytest.mark.parametrize("said", ["no", "nope", "lovely weather today"])
async def test_both_stand_unless_the_asker_says_yes(guild: TalkingGuild, said: str) -> None:
    await guild.say("alice", "Bot, remember that I take the bus to work")
    await guild.say("alice", "Bot, remember that I take the train to work")
    answer = await guild.say("alice", said)
    assert answer == (None if said.startswith("lovely") else "All right, both stand.")
    assert len(await guild.known("alice")) == 2


async def test_what_was_forgotten_meanwhile_is_not_brought_back_by_a_yes(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I take the bus to work")
    await guild.say("alice", "Bot, remember that I take the train to work")
    asked = guild.answer
    await guild.say("alice", "Bot, forget that I take the train to work")
    await guild.say("alice", "yes", reply_to=asked)
    assert await guild.known("alice") == ["alice takes the bus to work"]


async def test_in_russian_too(guild: TalkingGuild) -> None:
    await guild.say("Маша", "Бот, запомни, что я живу в Вене")
    answer = await guild.say("Маша", "Бот, запомни, что я переехала в Осло")
    assert answer == "Записано: Маша переехала в Осло. Раньше было: Маша живёт в Вене."
    await guild.say("Маша", "Бот, запомни, что я езжу на работу автобусом")
    await guild.say("Маша", "Бот, запомни, что я езжу на работу трамваем")
    await guild.say("Маша", "да")
    assert set(await guild.known("Маша")) == {"Маша переехала в Осло", "Маша ездит на работу трамваем"}


async def test_an_edited_note_is_not_asked_about_against_itself(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I take the bus to work")
    said = guild.last
    assert said is not None
    outcome = await guild.edit(
        said, "Bot, remember that I take the train to work", at=said.timestamp + timedelta(seconds=9)
    )
    assert outcome.text == "Remembered: alice takes the train to work."
    assert await guild.known("alice") == ["alice takes the train to work"]


@pytest.mark.parametrize(
    ("author", "kept", "said", "holds"),
    [
        (
            "alice",
            "my dog is called Rufus",
            "Bot, actually my dog is called Max",
            "alice's dog is called Max",
        ),
        ("alice", "my dog is called Rufus", "Bot, my dog is called Max", "alice's dog is called Max"),
        ("alice", "I live in Leeds", "no bot i live in York", "alice lives in York"),
        (
            "alice",
            "my exam is on 20 June",
            "bot thats wrong my exam is on 21 June",
            "alice's exam is on 21 June 2026",
        ),
        ("alice", "I hate olives", "bot thats wrong i dont hate olives", "alice doesn't hate olives"),
        ("alice", "I live in Oslo", "no thats not right i live in Bergen bot", "alice lives in Bergen"),
        (
            "alice",
            "I'm allergic to nuts",
            "Bot, I'm not allergic to nuts after all",
            "alice is not allergic to nuts after all",
        ),
        (
            "alice",
            "I like pizza",
            "bot update: I don't like pizza anymore",
            "alice doesn't like pizza anymore",
        ),
        ("Маша", "я вегетарианка", "бот я больше не вегетарианка", "Маша больше не вегетарианка"),
        ("Маша", "мою собаку зовут Бим", "Бот, вообще-то мою собаку зовут Рекс", "собаку Маши зовут Рекс"),
        ("Маша", "я живу в Твери", "бот исправь: я живу в Казани", "Маша живёт в Казани"),
    ],
)
async def test_what_is_told_to_the_bot_replaces_what_it_was_asked_to_keep_of_the_same(
    guild: TalkingGuild, author: str, kept: str, said: str, holds: str
) -> None:
    await guild.say(author, f"Bot, remember that {kept}" if author == "alice" else f"Бот, запомни: {kept}")
    told = await guild.say(author, said, after=timedelta(days=1))
    assert told is not None
    assert holds in told
    assert await guild.known(author) == [holds]


@pytest.mark.parametrize(
    "said",
    [
        "Bot, actually I'm tired",
        "Bot, sorry I'm late",
        "Bot, actually my cat is called Max",
        "Bot, my dog is not called Rufus when he is naughty",
        "Bot, does my dog like it when I'm called Max?",
        "Bot, my dog is called Max jk",
    ],
)
async def test_what_is_told_to_the_bot_is_not_kept_where_it_puts_nothing_right(
    guild: TalkingGuild, said: str
) -> None:
    await guild.say("alice", "Bot, remember that my dog is called Rufus")
    told = await guild.say("alice", said, after=timedelta(days=1)) or ""
    assert "Remembered" not in told and "Corrected" not in told
    assert "alice's dog is called Rufus" in await guild.known("alice")


async def test_what_somebody_else_had_kept_is_not_replaced_by_what_another_tells(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I live in Leeds")
    told = await guild.say("bob", "Bot, actually alice lives in York", after=timedelta(days=1)) or ""
    assert "Remembered" not in told and "Corrected" not in told
    assert await guild.known("alice") == ["alice lives in Leeds"]


@pytest.mark.parametrize(
    ("author", "before", "after", "confirmed"),
    [
        (
            "alice",
            "Bot, remember that Alice lives in Oslo",
            "bot no i live in Bergen",
            "alice lives in Bergen",
        ),
        ("alice", "Bot, remember that Alice hates ramen", "bot no i love ramen", "alice loves ramen"),
        ("Маша", "Бот, запомни: Маша живёт в Твери", "бот нет, я живу в Казани", "Маша живёт в Казани"),
    ],
)
async def test_who_denies_what_another_said_of_them_is_told_that_it_is_put_right(
    guild: TalkingGuild, author: str, before: str, after: str, confirmed: str
) -> None:
    """Their own word holds as soon as it is read, which may be before the answer is thought out, or after."""
    await guild.say("bob", before)
    assert confirmed in (await guild.say(author, after) or "")
