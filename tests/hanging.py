"""Says what a test that hangs waits for; a little later `pytest-timeout` ends its process, and says only its name."""

import asyncio
import faulthandler
import os
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Final

SECONDS_BEFORE: Final = 10
"""From saying it to the end."""

stderr = 2
"""Where it is said: a copy that `pytest_configure` makes, since tests see another."""

loop: asyncio.AbstractEventLoop | None = None
"""The loop of all tests of this process, once one of them has used it."""


@contextmanager
def told(name: str, *, seconds: float) -> Iterator[None]:
    """Write the stacks of all tasks and threads to standard error if this takes longer than `seconds`."""
    timer = threading.Timer(seconds, _tell, [name])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _tell(name: str) -> None:
    stacks = [_stack(task) for task in asyncio.all_tasks(loop)] if loop else []
    os.write(stderr, "\n".join(["", f"{name} hangs.", *stacks, ""]).encode())
    faulthandler.dump_traceback(stderr)


def _stack(task: asyncio.Task[object]) -> str:
    """Return where a task waits, from its own coroutine to the one that waits for no other."""
    lines = [repr(task)]
    waits: object = task.get_coro()
    while isinstance(waits, Coroutine) and (frame := getattr(waits, "cr_frame", None)):
        lines.append(f"  {frame.f_code.co_filename}:{frame.f_lineno} {frame.f_code.co_qualname}")
        waits = getattr(waits, "cr_await", None)
    return "\n".join(lines)
