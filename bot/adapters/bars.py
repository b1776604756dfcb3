"""Charts as lines of text with bars, for terminals."""

from io import StringIO
from typing import Final

from rich.bar import Bar as RichBar
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.chat.figures import Chart

WIDTH: Final = 76
"""Characters of a line, so that it fits into the narrowest usual terminal."""

_BAR_WIDTH: Final = 44


def drawn(chart: Chart) -> str:
    """Return a chart with a line for each of its values; days before the first that has one are left out."""
    bars = chart.bars
    if chart.by_day:
        bars = bars[next(place for place, one in enumerate(bars) if one.value) :]
    most = max(one.value for one in bars)
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right")
    table.add_column(width=_BAR_WIDTH)
    table.add_column(justify="right")
    for one in bars:
        table.add_row(Text(one.label), RichBar(most, 0, one.value, width=_BAR_WIDTH), Text(one.shown))
    written = StringIO()
    console = Console(file=written, width=WIDTH, color_system=None, legacy_windows=False)
    console.print(Text(chart.title), table)
    return "\n".join(line.rstrip() for line in written.getvalue().splitlines())
