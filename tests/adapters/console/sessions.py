"""Helpers: a transcript played inside this process, and one given to a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from bot.adapters.console.messages import LineOutcome
from bot.adapters.console.session import Session, open_session
from bot.adapters.console.transcript import PostMessage, SetTime, read_line
from bot.core.settings import Settings

TRANSCRIPTS = Path(__file__).parents[2] / "transcripts"
COMMAND = [sys.executable, "-m", "bot"]


async def play(address: str, transcript: str, *, guild_name: str = "Keepsake") -> list[LineOutcome]:
    """Start a bot, play `transcript` to it, stop it, and return what became of each message."""
    async with open_session(
        Settings(_env_file=None, database_url=SecretStr(address)),
        guild_name=guild_name,
        begins=_begins(transcript),
    ) as session:
        return await play_on(session, transcript)


def _begins(transcript: str) -> datetime | None:
    """Return the time of the first line that happens at some time, if it names one, as the console does."""
    steps = [
        step for number, text in enumerate(transcript.splitlines(), 1) for step in read_line(number, text)
    ]
    return next((step.moment for step in steps if isinstance(step, PostMessage | SetTime)), None)


async def play_on(session: Session, transcript: str) -> list[LineOutcome]:
    """Play `transcript` to a bot that runs already."""
    told = []
    for number, text in enumerate(transcript.splitlines(), start=1):
        for step in read_line(number, text):
            outcome = await session.carry_out(step)
            if outcome is not None:
                told.append(outcome)
    return told


@dataclass(frozen=True)
class Finished:
    """A process that has ended."""

    status: int
    lines: list[dict[str, Any]]
    errors: str


def environment(**settings: str) -> Mapping[str, str]:
    """Return the environment of a process that has these settings and no others."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "STATE_DIRECTORY") if name in os.environ}
    return {**kept, "LC_ALL": "C", **settings}


def chat(where: str | Path, transcript: str | bytes, *arguments: str) -> Finished:
    """Give `transcript` to `keepsake chat --json` in a process of its own.

    `where` is the address of a database, or a home folder for an embedded one.
    """
    setting = {"KEEPSAKE_HOME": str(where)} if isinstance(where, Path) else {"DATABASE_URL": where}
    data = transcript.encode() if isinstance(transcript, str) else transcript
    ended = subprocess.run(
        [*COMMAND, "chat", "--json", *arguments],
        input=data,
        capture_output=True,
        env=environment(**setting),
        timeout=300,
    )
    lines = [json.loads(line) for line in ended.stdout.decode().splitlines()]
    return Finished(ended.returncode, lines, ended.stderr.decode())
