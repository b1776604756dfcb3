"""How long something is remembered, and how it is told when its day is over or somebody knows better."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.text.commands import Remember
from bot.text.grammar.parser import parse
from tests.chat.guild import TalkingGuild


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("remember until the 5th that I'm away", "I'm away (until the 5th)"),
        ("remember for a week that I'm on holiday", "I'm on holiday (for a week)"),
        ("remember for the next 3 days: I'm on holiday", "I'm on holiday (for the next 3 days)"),
        ("remember until Friday that bob is away", "bob is away (until Friday)"),
        ("remember that until Friday I'm away", "I'm away (until Friday)"),
        ("please remember until 5 June that I'm away.", "I'm away (until 5 June)"),
        ("запомни до пятницы, что я в отпуске", "я в отпуске (до пятницы)"),
        ("запомни на неделю, что я в отпуске", "я в отпуске (на неделю)"),
        ("запомни на 3 дня: я в отпуске", "я в отпуске (на 3 дня)"),
        ("запомни до 5 июня, что я в отпуске", "я в отпуске (до 5 июня)"),
    ],
)
def test_until_when_it_is_to_be_remembered_stands_behind_what_is(text: str, statement: str) -> None:
    assert parse(text) == Remember(statement)


@pytest.mark.parametrize(
    "text",
    ["remember for how long I was away?", "запомни на что я смотрел?"],
)
def test_a_question_about_a_time_is_no_request_to_remember(text: str) -> None:
    assert not isinstance(parse(text), Remember)


async def about(guild: TalkingGuild, name: str, *, on: datetime) -> str | None:
    """Return what the bot tells of somebody at a moment."""
    return await guild.say("florent", f"Bot, what do you know about {name}?", after=on - guild.clock.now())


async def test_an_exam_is_told_as_over_the_day_after_it(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that my exam is on 20 June")
    line = "- [2026-03-01] alice's exam is on 20 June 2026"
    for day in (19, 20):
        told = await about(guild, "alice", on=datetime(2026, 6, day, 12, tzinfo=UTC))
        assert told is not None and told.splitlines()[1] == line
    told = await about(guild, "alice", on=datetime(2026, 6, 21, 12, tzinfo=UTC))
    assert told is not None and told.splitlines()[1] == f"{line} (that is over)"


async def test_in_russian_it_is_told_as_over_in_russian(guild: TalkingGuild) -> None:
    await guild.say("Маша", "Бот, запомни, что у меня экзамен 20 июня")
    told = await guild.say("Паша", "Бот, что ты знаешь о Маше?", after=timedelta(days=200))
    assert told is not None and told.splitlines()[1].endswith("20 июня 2026 (это уже прошло)")


async def test_what_was_asked_for_until_a_day_is_gone_the_day_after(guild: TalkingGuild) -> None:
    confirmed = await guild.say("alice", "Bot, remember until the 5th that I'm away")
    assert confirmed == "Remembered: alice is away (until 2026-03-05)."
    told = await about(guild, "alice", on=datetime(2026, 3, 5, 23, tzinfo=UTC))
    assert told is not None and "away (until 2026-03-05)" in told.splitlines()[1]
    told = await about(guild, "alice", on=datetime(2026, 3, 6, tzinfo=UTC))
    assert told is not None and told.startswith("I have nothing noted about alice yet.")


async def test_hearsay_against_the_subjects_own_words_is_said_not_to_hold(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that my name is Alice")
    answer = await guild.say("bob", "Bot, remember that alice's name is Malice")
    assert answer is not None
    assert answer.startswith("Noted: ") and "what holds is: alice's name is Alice" in answer
