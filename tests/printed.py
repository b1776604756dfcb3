"""A command of Keepsake as a process, on pipes or behind a terminal, and all that it prints."""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pexpect

ROOT = Path(__file__).parent.parent
COMMAND = (sys.executable, "-m", "bot")
SECONDS = 90
"""Real seconds after which a process that does not end is a failure; a busy machine takes long."""


@dataclass(frozen=True)
class Printed:
    """What a process printed, and how it ended."""

    status: int | None
    output: str
    errors: str = ""


def environment(**settings: str) -> Mapping[str, str]:
    """Return the environment of a process that has these settings and no others.

    It says that a program reads along, which makes libraries say on a pipe what they say on a terminal.
    """
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "STATE_DIRECTORY") if name in os.environ}
    return {**kept, "LC_ALL": "C.UTF-8", "COLUMNS": "100", "AI_AGENT": "reader", **settings}


async def on_pipes(
    *arguments: str, typed: str = "", cwd: Path = ROOT, settings: Mapping[str, str] | None = None
) -> Printed:
    """Run a command with `typed` as its standard input, to its end."""
    process = await asyncio.create_subprocess_exec(
        *COMMAND,
        *arguments,
        cwd=cwd,
        env=environment(**{"PYTHONPATH": str(ROOT), **(settings or {})}),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(SECONDS):
            output, errors = await process.communicate(typed.encode())
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGKILL)
    return Printed(process.returncode, output.decode(), errors.decode())


class Terminal:
    """A command behind a pseudo-terminal that cannot draw, so that all it prints can be read as lines."""

    def __init__(self, *arguments: str, kind: str = "dumb", **settings: str) -> None:
        self._child: pexpect.spawn[str] = pexpect.spawn(
            COMMAND[0],
            [*COMMAND[1:], *arguments],
            cwd=str(ROOT),
            env={**environment(**settings), "TERM": kind, "PROMPT_TOOLKIT_NO_CPR": "1"},
            encoding="utf-8",
            timeout=SECONDS,
            dimensions=(40, 100),
        )
        self._child.setecho(False)
        self.printed = ""

    async def until(self, text: str) -> None:
        """Return when `text` has been printed since the last of these waits."""
        await self._expect(text)

    def type(self, line: str) -> None:
        """Type a line."""
        self._child.send(f"{line}\r")

    async def ended(self) -> Printed:
        """Return all that was printed, when the process has ended by itself."""
        await self._expect(None)
        await asyncio.to_thread(self._child.wait)
        self._child.close()
        return Printed(self._child.exitstatus, self.printed.replace("\r\n", "\n"))

    def kill(self) -> None:
        """End it, if it still runs."""
        self._child.close(force=True)

    async def _expect(self, text: str | None) -> None:
        try:
            if text is None:
                await asyncio.to_thread(self._child.expect, pexpect.EOF)
            else:
                await asyncio.to_thread(self._child.expect_exact, text)
        finally:
            before = self._child.before
            after = self._child.after
            self.printed += "".join(part for part in (before, after) if isinstance(part, str))
