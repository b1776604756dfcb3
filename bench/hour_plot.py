"""The picture of the hour: memory, processors, latencies and queues, one below the other."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import quantiles
from typing import TYPE_CHECKING, Final

from bench.hour_watch import Sample
from bot.adapters.plots import BACKGROUND, FAINT, PARTS, TEXT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WINDOWS: Final = 60
"""Into so many parts the time is cut for latencies."""
_DOTS: Final = 100


def draw(
    samples: Sequence[Sample],
    latencies: Mapping[str, Sequence[tuple[float, float]]],
    seconds: float,
    path: Path,
) -> None:
    """Draw all of it into a PNG; `latencies` are pairs of when something began and how long it took, in seconds."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 7.5), dpi=_DOTS, layout="constrained", facecolor=BACKGROUND)
    FigureCanvasAgg(figure)
    memory, work, took, queues = figure.subplots(4, 1, sharex=True)
    minutes = [one.at / 60 for one in samples]
    _lines(memory, minutes, {"bot, MB": [one.megabytes for one in samples]})
    memory.set_ylim(bottom=0)
    _lines(
        work,
        minutes,
        {
            "bot, processors": [one.bot_share for one in samples],
            "Postgres": [one.postgres_share for one in samples],
            "loopback": [one.loopback_share for one in samples],
        },
    )
    width = seconds / _WINDOWS
    middles = [(number + 0.5) * width / 60 for number in range(_WINDOWS)]
    _lines(
        took,
        middles,
        {f"{name}, ms, 95th": _at_the_95th(found, width) for name, found in latencies.items()},
    )
    took.set_yscale("log")
    _lines(
        queues,
        minutes,
        {
            "sent, not stored": [one.unstored for one in samples],
            "not read for facts": [one.unread for one in samples],
            "background work": [one.work for one in samples],
            "answers not sent": [one.answers for one in samples],
        },
    )
    queues.set_yscale("symlog", linthresh=10)
    queues.set_ylim(bottom=0)
    queues.set_xlabel("minutes", color=TEXT, fontsize=8)
    figure.savefig(path, facecolor=BACKGROUND)


def _at_the_95th(found: Sequence[tuple[float, float]], width: float) -> list[float]:
    """Return the milliseconds of each part, where there are enough; elsewhere what is drawn as a gap."""
    parts: list[list[float]] = [[] for _ in range(_WINDOWS)]
    for at, value in found:
        if 0 <= at < width * _WINDOWS:
            parts[int(at / width)].append(1_000 * value)
    return [quantiles(part, n=100)[94] if len(part) > 5 else float("nan") for part in parts]


def _lines(axes: "Axes", x: Sequence[float], series: Mapping[str, Sequence[float]]) -> None:
    axes.set_facecolor(BACKGROUND)
    for (name, values), colour in zip(series.items(), PARTS, strict=False):
        axes.plot(x, values, color=colour, linewidth=1.1, label=name)
    axes.tick_params(which="both", colors=TEXT, labelsize=8, length=0)
    axes.grid(color=FAINT, linewidth=0.5)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.legend(
        loc="lower left", bbox_to_anchor=(0, 1), ncols=len(series), fontsize=8, frameon=False, labelcolor=TEXT
    )
