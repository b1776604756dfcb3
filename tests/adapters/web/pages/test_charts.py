"""Charts in pages: drawings that are the same each time and hold nothing but what they show, and tables."""

import sys
from collections import Counter
from collections.abc import Sequence
from xml.etree import ElementTree

import pytest

from bot.adapters.plots import picture_of
from bot.adapters.web.pages import charts
from bot.adapters.web.pages.charts import charts_of, energy_chart, inline_svg
from bot.chat.figures import Bar, Chart
from bot.core.clock import SetClock
from bot.db.pool import Database
from bot.llm.providers import usage_limits_of
from bot.memory.rights.counting.counting import GuildCounts
from tests.adapters.web.homes import GUILD, Home, home
from tests.adapters.web.pages.life import live_for_a_month
from tests.adapters.web.pages.test_pages import enter

KINDS = Chart("", (Bar('<b onclick="x">&', 1_240, "1,240"), Bar("$x^2$", 1, "1")))
DAYS = Chart("", tuple(Bar(f"Mar {day}", day % 7, str(day % 7)) for day in range(1, 31)), by_day=True)

STACK = Chart(
    "",
    tuple(Bar(f"Mar {day}", day + 1.0, str(day + 1), (day, 1.0), (str(day), "1")) for day in range(1, 31)),
    by_day=True,
    parts=("reply", "tell day"),
)

ALLOWED = {
    "svg": {"class", "viewBox", "role", "aria-label"},
    "path": {"class", "d"},
    "text": {"class", "x", "y", "font-size", "text-anchor"},
}


@pytest.mark.parametrize(
    ("chart", "words", "shapes"),
    [
        (KINDS, {bar.label for bar in KINDS.bars} | {"1,240"}, {"plot-bar part-0": 2}),
        (DAYS, {"Mar 30", "Mar 24"}, {"plot-bar part-0": 30}),
        # With a square beside each name.
        (STACK, {"Mar 30", "reply", "tell day"}, {"plot-bar part-0": 31, "plot-bar part-1": 31}),
    ],
)
async def test_a_drawing_holds_shapes_and_words_alone_and_is_the_same_each_time(
    chart: Chart, words: set[str], shapes: dict[str, int]
) -> None:
    drawn = []
    for _ in range(2):
        picture = await picture_of([chart], picture="svg")
        assert picture is not None
        drawn.append(inline_svg(picture, 'Title "<i>"'))
    assert drawn[0] == drawn[1]
    root = ElementTree.fromstring(drawn[0])
    assert root.get("aria-label") == 'Title "<i>"'
    for element in root.iter():
        assert set(element.attrib) <= ALLOWED[element.tag]
    assert words <= {one.text for one in root.iter("text")}
    drawn_shapes = Counter(one.get("class") for one in root.iter("path"))
    assert {name: drawn_shapes[name] for name in drawn_shapes if name != "plot-grid"} == shapes


def test_energy_is_told_by_model() -> None:
    chart = energy_chart({"google:b": 12.5, "google:a": 100.0})
    assert chart.bars == (Bar("google:a", 100.0, "100%"), Bar("google:b", 12.5, "12%"))


async def kept_charts(served: Home) -> Sequence[Chart]:
    counting, now = served.keepsake.memory.counting, served.keepsake.now()
    kept = await counting.of_all(now=now, time_zone="UTC")
    of_guild = await counting.of_guild(guild_id=GUILD, audiences=None, now=now, time_zone="UTC")
    prices = usage_limits_of(served.keepsake.settings).prices
    return charts_of(GuildCounts(kept=kept, usage=of_guild.usage), prices)


async def test_pages_show_all_figures_as_tables_also_where_nothing_can_draw(
    database: Database, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.setattr(charts, "_drawn", {})
    async with (
        home(database, clock, model_prices="google:gemini-2.5-flash=0.30/2.50/0.03") as served,
        served.client() as browser,
    ):
        await live_for_a_month(served)
        kept = await kept_charts(served)
        assert [one.title for one in kept] == [
            "Messages a day",
            "Memories by kind",
            "Calls of models a day",
            "Tokens a day",
            "Calls by operation",
            "Tokens by operation",
            "Money a day by operation",
            "Cache hits, % of the tokens read",
        ]
        await enter(browser, served)
        shown = (await browser.get("/")).text
    assert "<svg" not in shown
    (money,) = [one for one in kept if one.parts]
    assert money.parts == ("reply", "extract facts", "tell day"), "the dearest first"
    today = money.bars[-1]
    assert [round(one, 6) for one in today.parts] == [0.033024, 0.00743, 0.005666]
    assert today.value == sum(today.parts)
    for chart in kept:
        assert f"<figcaption>{chart.title}</figcaption>" in shown
        for bar in chart.bars:
            assert f'<th scope="row">{bar.label}</th><td class="number">{bar.shown}</td>' in shown
