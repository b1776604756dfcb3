"""Figures in words and as charts: the words hold all that the charts show, in both languages."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat.figures import MOST_DESCRIBED, Chart, guild_figures, own_figures
from bot.core.domain import OPEN, Language
from bot.llm.budget import Price, Spent
from bot.llm.chain import parse_model
from bot.memory.rights.counting.counting import (
    GuildCounts,
    KeptCounts,
    last_days,
)
from bot.memory.rights.counting.repository import FactCount, MessageCount, TextCount
from bot.text.commands import AskFigures
from bot.text.grammar.parser import parse
from tests.chat.guild import MODS, TalkingGuild

ZONE = ZoneInfo("UTC")
NOW = datetime(2026, 3, 30, 12, tzinfo=UTC)
DAYS = last_days(NOW, "UTC", 30)
MODEL = parse_model("gemini-flash-latest")


def kept(*messages: int, closed: int = 0, facts: dict[str, int] | None = None, texts: int = 0) -> KeptCounts:
    """Counts with these messages on the last days."""
    by_day = dict(zip(DAYS, [0] * (len(DAYS) - len(messages)) + list(messages), strict=True))
    return KeptCounts(
        messages=MessageCount(messages=sum(messages), closed=closed, first_at=NOW if sum(messages) else None),
        by_day=by_day,
        facts={kind: FactCount(facts=many, closed=0) for kind, many in (facts or {}).items()},
        texts=TextCount(days=texts, episodes=texts, profiles=texts),
    )


def spent(day: date, *, calls: int = 1) -> Spent:
    return Spent(
        guild_id=1,
        day=day,
        operation="reply",
        model=str(MODEL),
        calls=calls,
        failures=0,
        input_tokens=1_500_000,
        output_tokens=200_000,
    )


@pytest.mark.parametrize(
    "asked",
    [
        "show my stats",
        "show me my statistics please",
        "my stats",
        "how much do you know",
        "how much do you know about me?",
        "how many memories do you keep",
        "покажи мою статистику",
        "моя статистика",
        "сколько ты знаешь",
        "сколько ты обо мне знаешь?",
        "сколько сообщений ты хранишь",
    ],
)
def test_they_are_asked_for_in_words(asked: str) -> None:
    assert parse(asked) == AskFigures()


@pytest.mark.parametrize(
    "said",
    [
        "how much do you know about football?",
        "how much do you want",
        "how many messages do you think we sent",
        "show my cards",
        "my stats are bad this season",
        "сколько ты весишь",
        "сколько ты знаешь языков",
        "покажи мою новую машину",
    ],
)
def test_other_questions_ask_for_none(said: str) -> None:
    assert parse(said) != AskFigures()


async def test_in_words_they_are_told_as_far_as_everybody_there_may_see(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I like pepper")
    await guild.say("alice", "Bot, remember that I like salt", channel_id=MODS)

    async def reads_all(_: int) -> list[int]:
        return [OPEN, MODS]

    openly = await guild.say("alice", "bot how much do you know", reads=reads_all)
    inside = await guild.say("alice", "Bot, show my stats", channel_id=MODS)
    assert openly is not None and inside is not None
    assert "- Memories: 1 (" in openly
    assert "- Memories: 2 (" in inside


def test_members_are_told_what_is_kept_of_them() -> None:
    counts = kept(2, 0, 1_200, closed=3, facts={"event": 2, "preference": 40}, texts=5)
    told = own_figures(counts, Language.ENGLISH, zone=ZONE)
    assert told.text.splitlines() == [
        "What I keep of you, as far as you may see it:",
        "- Messages: 1,202, the oldest of March 30, 2026",
        "- Memories: 42 (preferences 40, events 2)",
        "- Days told: 5",
        "- In closed channels, of these: messages 3, memories 0",
        "- In the last 30 days: messages 1,202, most of them on Mar 30 (1,200)",
    ]
    russian = own_figures(counts, Language.RUSSIAN, zone=ZONE)
    assert "- Сообщений: 1\xa0202, самое старое: 30 марта 2026\u202fг." in russian.text.splitlines()
    assert [chart.title for chart in russian.charts] == ["Сообщения по дням", "Память по видам"]


@pytest.mark.parametrize("language", Language)
def test_where_nothing_is_kept_that_is_said_and_nothing_is_drawn(language: Language) -> None:
    assert own_figures(kept(), language, zone=ZONE).charts == ()
    told = guild_figures(GuildCounts(kept=kept()), {}, language, zone=ZONE)
    assert told.charts == ()
    assert told.description == ""


def test_managers_are_told_what_models_took_and_what_it_cost_where_that_is_known() -> None:
    counts = GuildCounts(kept=kept(1), usage=[spent(DAYS[-1]), spent(DAYS[-3], calls=4)])
    priced = guild_figures(counts, {MODEL: Price(input=0.3, output=2.5)}, Language.ENGLISH, zone=ZONE)
    assert priced.text.splitlines()[-2:] == [
        "- Language models in the last 30 days: calls 5, failed 0;"
        " tokens read 3,000,000 (from a cache 0), written 400,000",
        "- That cost 1.90, by the prices that are set",
    ]
    assert [chart.title for chart in priced.charts] == [
        "Messages a day",
        "Calls of models a day",
        "Tokens a day",
        "Money a day",
    ]
    assert "Money a day" in priced.description
    unpriced = guild_figures(counts, {}, Language.ENGLISH, zone=ZONE)
    assert unpriced.text.splitlines()[-1] == f"- Not priced: {MODEL}"
    assert "Money" not in unpriced.description


COUNTS = st.builds(
    kept,
    closed=st.just(0),
    facts=st.dictionaries(
        st.sampled_from(["fact", "event", "place"]), st.integers(1, 10**6), min_size=0, max_size=3
    ),
    texts=st.integers(0, 10**6),
)


@given(COUNTS, st.lists(st.integers(0, 10**6), max_size=30), st.sampled_from(list(Language)))
def test_the_description_of_a_picture_holds_every_value_and_fits(
    some: KeptCounts, messages: list[int], language: Language
) -> None:
    counts = kept(*messages, facts={kind: one.facts for kind, one in some.facts.items()})
    figures = guild_figures(
        GuildCounts(kept=counts, usage=[spent(day) for day in DAYS]),
        {MODEL: Price(input=0.3, output=2.5)},
        language,
        zone=ZONE,
    )
    assert len(figures.description) <= MOST_DESCRIBED
    for chart in figures.charts:
        assert any(bar.value for bar in chart.bars)
        assert values_in(chart) == [bar.shown.removesuffix(".") for bar in chart.bars]


def values_in(chart: Chart) -> list[str]:
    """Return the values that the words of a chart hold, in order."""
    words = chart.words.partition(": ")[2]
    if chart.by_day:
        return [one.removesuffix(".") for one in words.split("; ")]
    labels = [bar.label for bar in chart.bars]
    # Digits may be grouped by commas: what stands between the labels is the value.
    return [
        words.partition(f"{label} ")[2]
        .partition(f", {labels[at + 1]} " if at + 1 < len(labels) else "\n")[0]
        .removesuffix(".")
        for at, label in enumerate(labels)
    ]
