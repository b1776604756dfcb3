"""How somebody asks what they missed, and from when on: recognised in both languages, and nothing else is."""

from datetime import UTC, datetime

import pytest

from bot.text.commands import HERE, AskCatchUp
from bot.text.grammar.parser import parse
from bot.text.grammar.periods import since_of

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "channel", "since"),
    [
        ("what did I miss?", None, None),
        ("hey, what have I missed", None, None),
        ("did I miss anything important?", None, None),
        ("catch me up please", None, None),
        ("tldr", None, None),
        ("what i miss", None, None),
        ("did i miss smth", None, None),
        ("give me a recap", None, None),
        ("quick recap pls", None, None),
        ("whatd i miss today", None, "today"),
        ("can you tell me what I missed?", None, None),
        ("what did I miss while I was away?", None, None),
        ("what did I miss here today?", HERE, "today"),
        ("what did i miss in #general since monday?", "#general", "since monday"),
        ("what did i miss since yesterday in <#123>?", "<#123>", "since yesterday"),
        ("what have I missed in the last 2 hours?", None, "in the last 2 hours"),
        ("what did I miss since 2 hours", None, "since 2 hours"),
        ("catch me up on #games", "#games", None),
        ("what did we talk about yesterday?", None, "yesterday"),
        ("what happened here today?", HERE, "today"),
        ("what happened in #general?", "#general", None),
        ("что я пропустил?", None, None),
        ("что я пропустила", None, None),
        ("чё пропустил", None, None),
        ("что было пока меня не было", None, None),
        ("Что я пропустил, пока меня не было?", None, None),
        ("расскажи, что я пропустила", None, None),
        ("введи меня в курс дела", None, None),
        ("что я пропустил сегодня?", None, "сегодня"),
        ("что я пропустила с понедельника?", None, "с понедельника"),
        ("что я пропустил за последние 2 часа?", None, "за последние 2 часа"),
        ("что я пропустил в #общий со вчера?", "#общий", "со вчера"),
        ("что тут было сегодня?", HERE, "сегодня"),
        ("о чём здесь говорили вчера?", HERE, "вчера"),
        ("что нового в #общий?", "#общий", None),
    ],
)
def test_it_is_asked_in_many_ways(text: str, channel: str | None, since: str | None) -> None:
    assert parse(text) == AskCatchUp(channel, since)


@pytest.mark.parametrize(
    "text",
    [
        "I miss you",
        "I missed the bus",
        "did I miss the bus?",
        "what did you miss?",
        "what did I miss in the exam, Bob said",
        "what did I miss in the exam?",
        "what did I miss since Bob left?",
        "what happened?",
        "what happened yesterday?",
        "what happened to you?",
        f"what did I miss {'since ' * 600}",
        f"what did I miss{' ' * 3_900}x",
        f"что тут было {'сегодня ' * 400}",
        "what happened here is a mystery",
        "what's new?",
        "what's going on here?",
        "catch me if you can",
        "fill me in on the project",
        "скучаю по тебе",
        "я пропустил автобус",
        "что я пропустил на экзамене?",
        "что я пропустил мимо ушей",
        "что было вчера?",
        "что случилось?",
        "что нового?",
        "что здесь было раньше за здание?",
    ],
)
def test_other_talk_is_not_taken_for_it(text: str) -> None:
    assert not isinstance(parse(text), AskCatchUp)


@pytest.mark.parametrize(
    ("words", "moment"),
    [
        ("2 hours", "2026-03-04T10:00"),
        ("30m", "2026-03-04T11:30"),
        ("an hour ago", "2026-03-04T11:00"),
        ("девять часов", "2026-03-04T03:00"),
        ("the last weekend", "2026-02-28T00:00"),
        ("the last two days", "2026-03-02T12:00"),
        ("последние два часа", "2026-03-04T10:00"),
        ("с 8:30", "2026-03-04T08:30"),
        ("9pm", "2026-03-03T21:00"),
        ("8 утра", "2026-03-04T08:00"),
        ("today", "2026-03-04T00:00"),
        ("since yesterday", "2026-03-03T00:00"),
        ("since the day before yesterday", "2026-03-02T00:00"),
        ("со вчерашнего дня", "2026-03-03T00:00"),
        ("Monday", "2026-03-02T00:00"),
        ("понедельника", "2026-03-02T00:00"),
        ("2026-03-01", "2026-03-01T00:00"),
        ("Bob left", None),
        ("8", None),
        ("99:99", None),
        ("", None),
    ],
)
def test_a_moment_is_named_as_people_name_it(words: str, moment: str | None) -> None:
    meant = None if moment is None else datetime.fromisoformat(moment).replace(tzinfo=UTC)
    assert since_of(words, now=NOW, time_zone="UTC") == meant
