"""`keepsake backfill` for somebody at a terminal: a bar while it reads, then a line for each channel."""

from datetime import UTC, datetime

import discord
from rich.console import Console
from rich.progress import BarColumn, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from bot.faces.discord.backfill import Backfill, Reached, Wanted
from bot.memory.directory import Directory
from bot.memory.library import Library
from bot.memory.manager import MemoryManager
from bot.settings import Settings


async def run(
    client: discord.Client,
    memory: MemoryManager,
    directory: Directory,
    library: Library,
    settings: Settings,
    wanted: Wanted,
) -> int:
    """Read what is wanted, by a client that is logged in: reports on standard output, the bar on standard error.

    Returns the exit status: 0, or 1 if Discord failed in some channel. Raises `InvalidInputError` for a guild
    or a channel that is not there, and `DatabaseError`.
    """
    backfill = Backfill(client, memory, directory, library, settings, now=datetime.now(UTC))
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeRemainingColumn())
    # What is printed meanwhile goes where it was meant to, not to the bar's standard error.
    with Bar(*columns, console=console, disable=not console.is_terminal, redirect_stdout=False) as bar:
        watcher = _Watcher(bar)
        failed = False
        async for report in backfill.read(wanted, watching=watcher.watch):
            watcher.clear()
            print(report, flush=True)
            failed |= report.failed
    return 1 if failed else 0


class _Watcher:
    """Draws the bar of the channel that is being read."""

    def __init__(self, bar: Bar) -> None:
        self._bar = bar
        self._task: TaskID | None = None

    def watch(self, reached: Reached) -> None:
        """Draw how far a channel has been read."""
        if self._task is None:
            self._task = self._bar.add_task(reached.name)
        total = max(1.0, (reached.newest - reached.oldest).total_seconds())
        done = (reached.newest - reached.reached).total_seconds()
        self._bar.update(self._task, total=total, completed=min(done, total))

    def clear(self) -> None:
        """Take the bar of a channel away that was read."""
        if self._task is not None:
            self._bar.remove_task(self._task)
            self._task = None
