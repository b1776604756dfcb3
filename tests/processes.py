"""A test that starts a program of ours without the marker `processes` fails."""

import os
import sys
from pathlib import Path

are_allowed = True


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    """Refuse to start Python or to open a terminal; programs of Postgres are for every test."""
    if are_allowed or event not in {"subprocess.Popen", "os.forkpty"}:
        return
    if event == "subprocess.Popen":
        program, command = arguments[:2]
        if isinstance(command, list | tuple) and command:
            program = program or command[0]
        if not Path(os.fsdecode(str(program))).name.startswith("python"):
            return
    raise AssertionError("a test that starts a process needs @pytest.mark.processes")


sys.addaudithook(_watch)
