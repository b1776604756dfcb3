"""Charts as a picture, drawn without a display by matplotlib, which is an extra: without it there is none.

It is loaded when the first picture is drawn, in a thread: that takes a second and tens of megabytes.
"""

import asyncio
import io
import logging
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal

from bot.chat.figures import Chart

if TYPE_CHECKING:
    from matplotlib.axes import Axes

logger = logging.getLogger(__name__)

PictureFormat = Literal["png", "svg"]

BACKGROUND: Final = "#1e1f26"
TEXT: Final = "#dcdee4"
FAINT: Final = "#4b4e58"
BAR: Final = "#6c9ef8"
PARTS: Final = (BAR, "#f0a860", "#7fd6a0", "#c79bf2", "#a3aaba")
"""Of a stack, from below."""
"""Light on dark, with a background of its own: it is read on Discord's dark and light themes alike."""

_WIDTH: Final = 8.0
_ROW_HEIGHT: Final = 2.3
"""Inches of a picture, and of a row of it."""

_GAP: Final = 0.12
"""Inches around each chart."""

_DOTS: Final = 110
"""An inch."""

_COLUMNS: Final = 2
_MOST_DAYS_NAMED: Final = 5
_LEAST_ROOM: Final = 4
"""Bars that lie have room for so many."""

_DRAWING: Final = threading.Lock()
"""Held while a picture is drawn: matplotlib shares its fonts between threads and guards them by nothing."""


async def picture_of(charts: Sequence[Chart], *, picture: PictureFormat = "png") -> bytes | None:
    """Return `charts` as one picture; `None` if there are none, or nothing that could draw them is installed."""
    return await asyncio.to_thread(_picture, charts, picture) if charts else None


def _picture(charts: Sequence[Chart], picture: PictureFormat) -> bytes | None:
    # It tells of its fonts and folders, which is of no use to whoever runs the bot.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    with _DRAWING:
        try:
            from matplotlib import rc_context
            from matplotlib.backends.backend_agg import FigureCanvasAgg
            from matplotlib.figure import Figure
            from matplotlib.layout_engine import ConstrainedLayoutEngine
        except ImportError:
            logger.info("no picture was drawn: the extra 'plots' is not installed")
            return None
        columns = min(_COLUMNS, len(charts))
        rows = -(-len(charts) // columns)
        layout = ConstrainedLayoutEngine(w_pad=_GAP, h_pad=_GAP)
        # An SVG grows and shrinks with its page, and its writing with it.
        width = _WIDTH if picture == "png" else _WIDTH / _COLUMNS * columns
        figure = Figure(figsize=(width, _ROW_HEIGHT * rows), dpi=_DOTS, layout=layout)
        FigureCanvasAgg(figure)
        figure.set_facecolor(BACKGROUND)
        places = figure.subplots(rows, columns, squeeze=False).flat
        for place, axes in enumerate(places):
            if place < len(charts):
                _draw(axes, charts[place])
            else:
                axes.set_axis_off()
        written = io.BytesIO()
        # Writing stays text, which is searched and read aloud, and is no outlines of one font.
        with rc_context({"svg.fonttype": "none"}):
            figure.savefig(written, format=picture, facecolor=BACKGROUND)
        return written.getvalue()


def _draw(axes: "Axes", chart: Chart) -> None:
    """Draw one chart: days as columns, kinds as bars that lie."""
    axes.set_facecolor(BACKGROUND)
    axes.set_title(chart.title, color=TEXT, fontsize=10, loc="left", parse_math=False)
    axes.tick_params(colors=TEXT, labelsize=8, length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    places = list(range(len(chart.bars)))
    values = [one.value for one in chart.bars]
    if chart.by_day:
        _draw_days(axes, chart, places, values)
    else:
        _draw_kinds(axes, chart, places, values)


def _draw_days(axes: "Axes", chart: Chart, places: list[int], values: list[float]) -> None:
    from matplotlib.ticker import MaxNLocator

    if chart.parts:
        below = [0.0] * len(places)
        for part, (name, colour) in enumerate(zip(chart.parts, PARTS, strict=False)):
            heights = [one.parts[part] for one in chart.bars]
            axes.bar(places, heights, bottom=below, color=colour, width=0.8, label=name)
            below = [low + height for low, height in zip(below, heights, strict=True)]
        # Above the columns, which may be high anywhere.
        axes.legend(
            loc="lower left",
            bbox_to_anchor=(0, 1),
            ncols=len(PARTS),
            fontsize=7,
            frameon=False,
            labelcolor=TEXT,
        )
    else:
        axes.bar(places, values, color=BAR, width=0.8)
    axes.set_axisbelow(True)
    axes.grid(axis="y", color=FAINT, linewidth=0.6)
    step = max(1, -(-len(places) // _MOST_DAYS_NAMED))
    # The last day is named, and those before it at equal distances.
    named = places[::-1][::step][::-1]
    axes.set_xticks(named, [chart.bars[place].label for place in named], parse_math=False)
    whole = all(value == int(value) for value in values)
    axes.yaxis.set_major_locator(MaxNLocator(nbins=4, integer=whole))
    axes.yaxis.set_major_formatter(lambda value, _: _short(value))


def _draw_kinds(axes: "Axes", chart: Chart, places: list[int], values: list[float]) -> None:
    drawn = axes.barh(places, values, color=BAR, height=0.65)
    # From the top down, and no thicker for being few.
    axes.set_ylim(max(len(places), _LEAST_ROOM) - 0.5, -0.5)
    axes.set_yticks(places, [one.label for one in chart.bars], parse_math=False)
    axes.set_xticks([])
    axes.margins(x=0.16)
    axes.bar_label(drawn, [one.shown for one in chart.bars], padding=4, color=TEXT, fontsize=8)


_THOUSANDS: Final = ((1_000_000, "M"), (1_000, "k"))


def _short(value: float) -> str:
    """Return a number as an axis has room for it."""
    for size, sign in _THOUSANDS:
        if value >= size:
            return f"{value / size:g}{sign}"
    return f"{value:g}"
