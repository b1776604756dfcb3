"""A real Postgres for every test: one server, one loop and one warm pool per process, emptied after each."""

import asyncio
import os
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator, Generator, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import certifi
import hypothesis
import pytest

from bot.app import Keepsake, assembled
from bot.core.clock import SetClock
from bot.core.settings import Settings, state_folder
from bot.db.pool import Database
from tests import hanging, processes
from tests.databases import Servers, Shared

# No test asserts a time: a machine with other work to do is no defect. What a change is held against is the same
# everywhere and each time; examples that nobody has drawn before are for `make soak`.
hypothesis.settings.register_profile("the-same", deadline=None, derandomize=True)
hypothesis.settings.register_profile("drawn-anew", deadline=None)
hypothesis.settings.load_profile("the-same")

_TRIES: Final = 10
"""Times that a task is cancelled which does not end: one that restarts what was cancelled in it ends at the second."""
_SECONDS_TO_END: Final = 15


def pytest_configure(config: pytest.Config) -> None:
    """Give the run a state folder of its own, which its child processes use too, and remove it in the end."""
    hanging.stderr = os.dup(2)
    if hasattr(config, "workerinput"):
        return
    # Whoever ends the run ends its servers too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if os.geteuid() == 0:
        state_folder().mkdir(mode=0o755, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix="tests-", dir=state_folder()))
        # The account that runs the servers passes through it.
        folder.chmod(0o755)
        os.environ["STATE_DIRECTORY"] = str(folder)
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Let only tests that say so start processes, so that `make test` stays quick; tell of one that hangs."""
    processes.are_allowed = item.get_closest_marker("processes") is not None
    seconds = item.config.getoption("timeout") or float(item.config.getini("timeout"))
    with hanging.told(item.nodeid, seconds=seconds - hanging.SECONDS_BEFORE):
        return (yield)


@pytest.fixture(scope="session", autouse=True)
def _one_authority(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let clients trust a single certificate: to load all of them is most of what the start of one costs."""
    first, mark, _ = (
        Path(certifi.where()).read_text(encoding="utf-8").partition("-----END CERTIFICATE-----\n")
    )
    path = tmp_path_factory.mktemp("certificates") / "one.pem"
    path.write_text(first + mark, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(path))
        yield


@pytest.fixture(scope="session")
async def servers(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Servers]:
    servers = Servers(tmp_path_factory.mktemp("servers"))
    yield servers
    await servers.stop()


@pytest.fixture(autouse=True)
async def _nothing_goes_on() -> AsyncIterator[None]:
    """Tests share a loop: what one of them left running there ends with it."""
    hanging.loop = asyncio.get_running_loop()
    yield
    await ended()


@pytest.fixture
def postgres_version() -> int:
    """The version that a test runs on; a folder of tests may ask for several."""
    return 18


@pytest.fixture
async def shared(servers: Servers, postgres_version: int) -> AsyncIterator[Shared]:
    """A migrated database without rows, and its pool."""
    async with servers.shared(postgres_version) as shared:
        yield shared
        await ended()


@pytest.fixture
def dsn(shared: Shared) -> str:
    """The address of a migrated database without rows."""
    return shared.dsn


@pytest.fixture
def database(shared: Shared) -> Database:
    return Database(shared.pool)


@pytest.fixture
def clock() -> SetClock:
    return SetClock(datetime(2026, 3, 1, 9, tzinfo=UTC))


@pytest.fixture(scope="session")
def defaults() -> Settings:
    """The settings of an installation that has set nothing; to read them costs as much as joining the bot."""
    return Settings(_env_file=None)


@pytest.fixture
async def keepsake(database: Database, clock: SetClock, defaults: Settings) -> AsyncIterator[Keepsake]:
    """The bot on a fresh database, joined as in real life."""
    async with assembled(defaults, clock, database) as keepsake:
        yield keepsake


async def ended() -> None:
    """Cancel every other task of the loop, and return when all of them have ended; raises if one goes on."""
    for _ in range(_TRIES):
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        if not tasks:
            return
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks, timeout=_SECONDS_TO_END)
    raise AssertionError(f"cancelled, but goes on: {asyncio.all_tasks() - {asyncio.current_task()}}")
