"""What a process of the bot takes of the machine, as the kernel tells it."""

import os
from pathlib import Path

from tests.adapters.discord.bots import BotProcess


def processor_seconds(bot: BotProcess) -> float:
    """Return the seconds of a processor that it took since its start: what else the machine does changes little."""
    status = Path(f"/proc/{bot.process.pid}/stat").read_text(encoding="utf-8")
    # Behind the name, which may hold anything: the times in user and system mode are the 12th and 13th.
    in_user, in_system = status.rpartition(")")[2].split()[11:13]
    return (int(in_user) + int(in_system)) / os.sysconf("SC_CLK_TCK")


def resident_megabytes(bot: BotProcess) -> float:
    """Return how much memory it holds now, shared code included."""
    status = Path(f"/proc/{bot.process.pid}/status").read_text(encoding="utf-8")
    [line] = [line for line in status.splitlines() if line.startswith("VmRSS:")]
    return int(line.split()[1]) / 1_000
