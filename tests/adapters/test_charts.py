"""Charts as pictures and as lines of text."""

import struct
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.bars import WIDTH, drawn
from bot.adapters.plots import picture_of
from bot.chat.figures import Bar, Chart

KINDS = Chart("Memories by kind", (Bar("предпочтения", 1_240, "1,240"), Bar("$x^2$", 1, "1")))
DAYS = Chart(
    "Messages a day", tuple(Bar(f"Mar {day}", day % 7, str(day % 7)) for day in range(1, 31)), by_day=True
)


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


async def test_charts_are_drawn_without_a_display_whatever_their_labels_hold() -> None:
    one, five = await picture_of([DAYS]), await picture_of([DAYS, KINDS, DAYS, KINDS, DAYS])
    assert one is not None
    assert five is not None
    (width, low), (same_width, high) = size_of(one), size_of(five)
    assert width == same_width
    assert high > 2 * low
    svg = await picture_of([KINDS], picture="svg")
    assert svg is not None
    assert b"<svg" in svg


async def test_without_charts_or_without_what_draws_them_there_is_no_picture(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert await picture_of([]) is None
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert await picture_of([DAYS]) is None


@pytest.mark.processes
def test_nothing_that_draws_is_loaded_until_something_is_drawn() -> None:
    code = (
        "import sys, bot.adapters.discord.running, bot.adapters.discord.client;"
        "print([name for name in ('matplotlib', 'numpy', 'PIL') if name in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_in_a_terminal_a_chart_is_a_line_for_each_value_from_the_first_day_with_one() -> None:
    chart = Chart("Messages a day", tuple(Bar(f"Mar {n}", n % 3, str(n % 3)) for n in range(3)), by_day=True)
    assert [line.split() for line in drawn(chart).splitlines()] == [
        ["Messages", "a", "day"],
        ["Mar", "1", "█" * 22, "1"],
        ["Mar", "2", "█" * 44, "2"],
    ]


@given(
    st.lists(
        st.builds(Bar, st.text("абв [/]$", max_size=12), st.floats(0, 10**9), st.just("1,000,000")),
        min_size=1,
    ).filter(lambda bars: any(one.value for one in bars)),
    st.booleans(),
)
def test_no_line_is_wider_than_a_terminal(bars: list[Bar], by_day: bool) -> None:
    lines = drawn(Chart("Title", tuple(bars), by_day=by_day)).splitlines()
    assert all(len(line) <= WIDTH for line in lines)
    assert 2 <= len(lines) <= len(bars) + 1
