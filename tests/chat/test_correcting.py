"""Corrections change the last write and never add beside it."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.core.domain import OPEN, snowflake_at
from bot.db.pool import Database
from bot.text.grammar.corrections import with_value
from tests.chat.guild import GUILD_ID, MODS, NAMES, TalkingGuild

GUILD_KNOWN = "Bot, what do you know about this server?"


@pytest.mark.parametrize(
    ("said", "correction", "confirmed"),
    [
        ("movie night is on Friday", "no, I said Saturday", "movie night is on Saturday 2026-03-07"),
        ("movie night is on Friday", "no, it's on Thursday", "movie night is on Thursday 2026-03-05"),
        ("we meet at 18:00", "no, I meant 19:00", "we meet at 19:00"),
        ("the password hint is 12 stars", "no, I said 13", "the password hint is 13 stars"),
        ("my favorite food is pizza", "actually it's ramen", "alice's favorite food is ramen"),
        ("gruzilkin is Sergei", "no, I said Sergey", "gruzilkin is Sergey"),
        ("I live in Berlin", "no, I said Munich", "alice lives in Munich"),
    ],
)
async def test_a_correction_replaces_the_value_of_the_last_write(
    guild: TalkingGuild, said: str, correction: str, confirmed: str
) -> None:
    await guild.say("alice", f"Bot, remember that {said}")
    assert await guild.say("alice", correction, reply_to=guild.answer) == f"Corrected: {confirmed}."
    told = [
        await guild.say("alice", GUILD_KNOWN),
        *await guild.known("alice"),
        *await guild.known("gruzilkin"),
    ]
    assert sum(confirmed in (line or "") for line in told) == 1
    old_value = said.split()[-1]
    assert not any(old_value in (line or "") for line in told if confirmed not in (line or ""))


@pytest.mark.smoke
async def test_within_ten_minutes_no_reply_is_needed_and_later_it_is(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that movie night is on Friday")
    assert await guild.say("alice", "Bot, no, I said Saturday") == (
        "Corrected: movie night is on Saturday 2026-03-07."
    )
    late = await guild.say("alice", "Bot, no, I said Sunday", after=timedelta(minutes=11))
    assert late is not None
    assert late.startswith("I stored nothing for you here in the last 10 minutes")


@pytest.mark.parametrize("said", ["Bot, no, it's on Saturday", "bot thats wrong its on saturday"])
async def test_a_fact_that_was_just_told_is_corrected_by_whom_it_is_about(
    guild: TalkingGuild, said: str
) -> None:
    await guild.say("bob", "Bot, remember that Alice's recital is on Friday")
    await guild.say("bob", "Bot, remember that Bob likes tea")
    await guild.say("alice", "Bot, remember that I like tea")
    await guild.say("alice", "Bot, when is my recital?")
    assert (await guild.say("alice", said) or "").startswith("Corrected: alice's recital is on ")
    told = await guild.say("bob", "Bot, when is Alice's recital?") or ""
    assert "saturday 2026-03-07" in told.lower()


async def test_a_question_that_found_nothing_leaves_nothing_to_correct(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that my birthday is on 4 May")
    await guild.say("alice", "Bot, where do I live?")
    assert (await guild.say("alice", "Bot, no, it's Paris") or "").startswith("I stored nothing for you here")
    assert await guild.known("alice") == ["alice's birthday is on 4 May"]


async def test_somebody_elses_write_is_not_corrected_without_a_reply(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that movie night is on Friday")
    answer = await guild.say("bob", "Bot, no, I said Saturday")
    assert answer is not None
    assert answer.startswith("I stored nothing for you here")


async def test_scratch_that_takes_the_write_back(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I like pizza")
    assert (
        await guild.say("alice", "Bot, scratch that") == "Taken back, and no longer kept: alice likes pizza."
    )
    assert await guild.known("alice") == []


async def test_that_was_bob_moves_the_fact(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I hate mondays")
    assert await guild.say("alice", "Bot, that was Bob, not me") == "Corrected: bob hates mondays."
    assert await guild.known("alice") == []
    assert await guild.known("bob") == ["alice says bob hates mondays"]


async def test_a_correction_can_be_corrected(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that movie night is on Friday")
    await guild.say("alice", "Bot, no, I said Saturday")
    await guild.say("alice", "Bot, no, I said Sunday")
    assert await guild.say("alice", GUILD_KNOWN) == (
        "What I know about this server:\n- [2026-03-01] alice says movie night is on Sunday 2026-03-08"
    )


async def test_in_russian_too(guild: TalkingGuild) -> None:
    await guild.say("Маша", "Бот, запомни, что встреча в понедельник")
    assert await guild.say("Маша", "нет, я сказала во вторник", reply_to=guild.answer) == (
        "Исправлено: встреча во вторник 2026-03-03."
    )
    assert await guild.say("Маша", "Бот, отмени это") == (
        "Отменено, этой записи больше нет: встреча во вторник 2026-03-03.\n"
        "Снова в силе: встреча в понедельник 2026-03-02."
    )


async def test_what_cannot_be_placed_changes_nothing_and_says_so(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that on Friday and on Sunday we play")
    answer = await guild.say("alice", "Bot, no, I said Tuesday")
    assert answer is not None
    assert answer.startswith("I cannot tell what “Tuesday” should replace in:")


@pytest.mark.parametrize(
    ("statement", "value", "corrected"),
    [
        ("I like cats", "I like dogs more than cats", "I like dogs more than cats"),
        ("встреча в понедельник", "во вторник", "встреча во вторник"),
        ("встреча в понедельник", "вторник", "встреча в вторник"),
        ("the exam is on 20 June", "21 June", "the exam is on 21 June"),
        ("ramen", "pizza", None),
        ("I work at the Kestrel bakery", "the Heron bakery", "I work at the Heron bakery"),
        ("I work at the Kestrel bakery", "the Heron bakery in Kent", "I work at the Heron bakery in Kent"),
        ("I have a cat named Tofu", "a dog named Tofu", "I have a dog named Tofu"),
        ("Anna lives in Oslo", "she lives in a small town near Rome", "she lives in a small town near Rome"),
        ("у меня кошка Мурка", "собака Мурка", "у меня собака Мурка"),
    ],
)
def test_where_a_value_belongs(statement: str, value: str, corrected: str | None) -> None:
    assert with_value(statement, value) == corrected


async def test_what_somebody_else_corrects_stays_about_whom_it_was(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I am 25")
    assert (
        await guild.say("bob", "no, 26", reply_to=guild.answer, from_moderator=True)
        == "Corrected: alice is 26."
    )
    assert await guild.say("alice", "no, 27", reply_to=guild.answer) == "Corrected: alice is 27."
    assert await guild.known("bob") == []


async def test_a_reply_to_an_older_confirmation_corrects_what_stands_now(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that my cat is called Mixi")
    first = guild.answer
    await guild.say("alice", "no, Moxi", reply_to=first)
    assert (
        await guild.say("alice", "no, it's Maxi", reply_to=first) == "Corrected: alice's cat is called Maxi."
    )
    assert await guild.known("alice") == ["alice's cat is called Maxi"]


async def test_a_bare_value_corrects_what_is_replied_to_or_else_what_was_written_last(
    guild: TalkingGuild,
) -> None:
    await guild.say("alice", "Bot, what do you know about me?")
    no_confirmation = guild.answer
    await guild.say("alice", "Bot, remember that I live in Berlin")
    confirmation = guild.answer
    await guild.say("alice", "no, Hamburg")
    await guild.say("alice", "no, Hamburg", reply_to=no_confirmation)
    await guild.say("bob", "Bot, no, Hamburg")
    assert await guild.known("alice") == ["alice lives in Berlin"]
    for said, replied_to in (("no, Hamburg", confirmation), ("Bot, no, Munich", None)):
        told = await guild.say("alice", said, reply_to=replied_to)
        assert told == f"Corrected: alice lives in {said.split()[-1]}."


@pytest.mark.parametrize(
    ("said", "correction", "confirmed"),
    [
        ("gruzilkin likes cats", "it was bob, not gruzilkin", "bob likes cats"),
        ("gruzilkin likes cats", "no, I meant bob", "bob likes cats"),
        ("gruzilkin likes bob", "it's florent, not bob", "gruzilkin likes florent"),
        ("I like pizza and tea", "it's pasta, not pizza", "alice likes pasta and tea"),
        ("my birthday is May 3", "not May 3, May 4", "alice's birthday is May 4"),
        ("I like pizza", "no, I said I like ramen", "alice likes ramen"),
        ("I live in Berlin", "no, I said in Munich", "alice lives in Munich"),
        ("I live in Berlin", "it was bob, not me", "bob lives in Berlin"),
    ],
)
async def test_what_was_wrong_is_replaced_where_it_is_named(
    guild: TalkingGuild, said: str, correction: str, confirmed: str
) -> None:
    await guild.say("alice", f"Bot, remember that {said}")
    assert await guild.say("alice", f"Bot, {correction}") == f"Corrected: {confirmed}."


async def test_a_correction_of_something_else_leaves_the_day_that_was_meant(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that the exam is tomorrow at 9:00")
    corrected = await guild.say("alice", "no, at 10:00", reply_to=guild.answer, after=timedelta(days=1))
    assert corrected == "Corrected: the exam is on 2026-03-02 at 10:00."


async def test_taking_a_correction_back_tells_what_holds_again(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I live in Berlin")
    await guild.say("alice", "Bot, no, I said Munich")
    answer = await guild.say("alice", "Bot, scratch that")
    assert answer == (
        "Taken back, and no longer kept: alice lives in Munich.\nThis holds again: alice lives in Berlin."
    )


@pytest.mark.parametrize(
    ("noted", "replied", "known"),
    [
        (
            "Florent lives in Oslo",
            "no, she lives in a village near Rome",
            "alice says florent lives in a village near Rome",
        ),
        ("Florent lives in Oslo", "no, she moved to Rome", "alice says florent moved to Rome"),
        ("Florent likes tea", "nope, she's allergic to tea", "alice says florent is allergic to tea"),
        (
            "Florent likes tea",
            "no, I said Bob likes green tea, but only in the morning",
            "alice says bob likes green tea, but only in the morning",
        ),
        (
            "Florent has two cats",
            "actually Florent has three cats and a dog",
            "alice says florent has three cats and a dog",
        ),
        ("my exam is on Friday", "no, the exam is on Monday", "alice's exam is on Monday 2026-03-02"),
        (
            "I work at Google",
            "no, I left Google in May, I work at Siemens now",
            "alice left Google in May, they work at Siemens now",
        ),
        ("у Саши двое детей", "нет, у неё один ребёнок", "alice says у Саши один ребёнок"),
        (
            "Саша живёт в Осло",
            "нет, она живёт в деревне под Римом",
            "alice says Саша живёт в деревне под Римом",
        ),
    ],
)
async def test_in_reply_to_the_confirmation_any_sentence_puts_it_right(
    guild: TalkingGuild, noted: str, replied: str, known: str
) -> None:
    await guild.say("alice", f"Bot, remember that {noted}")
    answer = await guild.say("alice", replied, reply_to=guild.answer)
    assert (answer or "").startswith(("Corrected: ", "Исправлено: ")), answer
    assert [one for name in ("alice", "florent", "bob", "Саша") for one in await guild.known(name)] == [known]


@pytest.mark.parametrize(
    "replied",
    ["no, thanks", "no problem", "no, that's fine", "nope lol", "no, it's all good", "actually that was fun",
     "нет, спасибо", "ой, это здорово", "no, what did I say?", "no rush", "no clue", "nah bro", "wrong channel",
     "actually useful", "нет слов"],
)  # fmt: skip
async def test_small_talk_in_reply_to_the_confirmation_puts_nothing_right(
    guild: TalkingGuild, replied: str
) -> None:
    await guild.say("alice", "Bot, remember that Florent likes tea")
    await guild.say("alice", replied, reply_to=guild.answer)
    assert await guild.known("florent") == ["alice says florent likes tea"]


@pytest.mark.parametrize(
    ("noted", "said", "known"),
    [
        ("I play the violin", "Bot, I said cello", "alice plays the cello"),
        ("I play the violin", "Bot, no, the cello", "alice plays the cello"),
        (
            "I play the violin",
            "Bot, correction: I play the cello on Sundays",
            "alice plays the cello on Sundays",
        ),
        ("я люблю чай", "Бот, нет, кофе", "alice любит кофе"),
        ("я люблю чай", "Бот, я сказала кофе", "alice любит кофе"),
        ("I play the violin", "Bot, actually a dog is here", "alice plays the violin"),
        ("I play the violin", "Bot, no, thanks", "alice plays the violin"),
        ("I play the violin", "Bot, sorry mate", "alice plays the violin"),
        ("I play the violin", "Bot, I said so", "alice plays the violin"),
        ("I play the violin", "Bot, wrong channel", "alice plays the violin"),
        ("я люблю чай", "Бот, нет, забей", "alice любит чай"),
        ("я люблю чай", "Бот, нет, хватит", "alice любит чай"),
        ("я люблю чай", "Бот, нет, неважно", "alice любит чай"),
    ],
)
async def test_a_value_said_to_the_bot_after_a_write_of_ones_own_puts_it_right(
    guild: TalkingGuild, noted: str, said: str, known: str
) -> None:
    await guild.say("alice", f"Bot, remember that {noted}")
    await guild.say("bob", "Bot, remember that I like ramen")
    await guild.say("alice", said)
    assert await guild.known("alice") == [known]
    assert await guild.known("bob") == ["bob likes ramen"]


@pytest.mark.parametrize("said", ["Bot, undo", "Bot, no, I said pears", "Bot, no, Tuesday"])
async def test_what_was_noted_in_a_closed_room_is_told_by_no_correction_once_it_is_open(
    guild: TalkingGuild, said: str
) -> None:
    await guild.say("alice", "Bot, remember that I like plums", channel_id=MODS)
    assert guild.last is not None
    guild.clock.advance(timedelta(seconds=1))
    now = guild.clock.now()
    later = replace(guild.last, message_id=snowflake_at(now), text=said, timestamp=now, audience=OPEN)
    outcome = await guild.again(later)
    assert outcome.text is not None
    assert outcome.text.startswith("I stored nothing for you here in the last 10 minutes")
    assert await guild.known("alice", channel_id=MODS) == ["alice likes plums"]


async def test_what_a_correction_found_no_place_in_goes_with_whoever_told_it(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "Bot, remember that the harbour cats sleep on the pier")
    told = await guild.say("bob", "no, Tuesday", reply_to=guild.answer)
    assert "the harbour cats sleep" in (told or "")
    await guild.keepsake.memory.erasing.erase_member(
        guild_id=GUILD_ID, user_id=NAMES["alice"], audiences=None, opted_out=False
    )
    kept = await database.read(
        lambda connection: connection.fetch("SELECT parts FROM answers WHERE parts::text LIKE '%harbour%'")
    )
    assert kept == []
