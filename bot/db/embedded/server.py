"""The embedded Postgres: shared by all processes, stopped by the last one that leaves."""

import asyncio
import atexit
import contextlib
import os
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final
from urllib.parse import quote

from bot.core.errors import EmbeddedServerError
from bot.db.embedded import files
from bot.db.embedded.cluster import DATABASE, PORT, ROLE, Cluster


class EmbeddedServer:
    """One process's share in the embedded server of a home folder."""

    def __init__(
        self,
        home: Path,
        *,
        version: int = 18,
        options: Mapping[str, str] | None = None,
        binaries: Path | None = None,
    ) -> None:
        """Prepare to join; nothing is touched yet.

        `version` is the major version of Postgres, 16 or 18. `options` are settings of the server beyond the
        usual ones, such as `{"fsync": "off"}`; they hold if this process is the one that starts it.
        `binaries` is an install folder (with `bin/` in it) to use in place of the wheel's.
        """
        self._layout: Final = files.Layout.of(home, version)
        self._options: Final = dict(options or {})
        self._install: Final = binaries
        self._account: files.Account | None = None
        self._cluster: Cluster | None = None
        self._users: int | None = None
        self._joined_by = 0
        # One at a time in this process too: a start whose caller gave up goes on in its thread.
        self._turn: Final = threading.Lock()

    @property
    def dsn(self) -> str:
        """The address of the database, for asyncpg; it can be reached once `start` has returned."""
        return f"postgresql://{ROLE}@/{DATABASE}?host={quote(str(self._layout.socket))}&port={PORT}"

    @property
    def folder(self) -> Path:
        """The data folder; for root in the system's state folder, not in the home."""
        return self._layout.folder

    @property
    def binaries(self) -> Path:
        """The folder of the programs in use, `pg_dump` among them.

        Raises `EmbeddedServerError` if the wheel is missing and the server was not started.
        """
        if self._cluster is not None:
            return self._cluster.programs
        return (self._install or files.find_install(self._layout.version)) / "bin"

    async def start(self) -> None:
        """Join the server: make what is missing, start it unless it runs. Joining twice is joining once.

        Raises `EmbeddedServerError` with the reason if that cannot be done.
        """
        await asyncio.to_thread(self._join)

    async def ensure_running(self) -> None:
        """Bring a lost server back; one that answers is left alone.

        Raises `EmbeddedServerError` if it cannot be brought back or if this process has not joined.
        """
        await asyncio.to_thread(self._revive)

    async def stop(self) -> None:
        """Leave; the last one that leaves stops the server. Leaving twice is leaving once.

        Raises `EmbeddedServerError` if the server cannot be stopped.
        """
        await asyncio.to_thread(self._leave)

    def _join(self) -> None:
        with self._turn, _in_one_sentence("started"):
            if self._cluster is None:
                self._cluster = self._prepare()
            self._layout.make(self._account)
            with files.one_at_a_time(self._layout.start_lock, self._account):
                if self._users is None:
                    self._enter(self._cluster)
                else:
                    self._cluster.ensure()

    def _prepare(self) -> Cluster:
        """Determine the programs and the account that run the server."""
        self._account = files.server_account()
        install = self._install or files.find_install(self._layout.version)
        programs = files.runnable_install(install, self._account) / "bin"
        return Cluster(self._layout, programs=programs, account=self._account, options=self._options)

    def _enter(self, cluster: Cluster) -> None:
        """Take a share in the server, or none at all if it does not come up."""
        users = files.open_lock(self._layout.users_lock, self._account)
        try:
            if files.is_alone(users):
                # Whoever started it was killed; its settings may be another version's.
                cluster.stop()
            files.share(users)
            cluster.ensure()
            cluster.ensure_database()
        except BaseException:
            with contextlib.suppress(EmbeddedServerError, OSError):
                _stop_if_alone(users, cluster)
            os.close(users)
            raise
        self._users = users
        self._joined_by = os.getpid()
        atexit.register(self._leave_at_exit)

    def _revive(self) -> None:
        with self._turn, _in_one_sentence("restarted"):
            cluster = self._cluster
            if cluster is None or self._users is None:
                raise EmbeddedServerError(
                    "the embedded Postgres is not in use by this process: start it first"
                )
            if not cluster.answers():
                with files.one_at_a_time(self._layout.start_lock, self._account):
                    cluster.ensure()

    def _leave(self) -> None:
        with self._turn, _in_one_sentence("stopped"):
            cluster, users = self._cluster, self._users
            if cluster is None or users is None:
                return
            self._users = None
            atexit.unregister(self._leave_at_exit)
            try:
                with files.one_at_a_time(self._layout.start_lock, self._account):
                    _stop_if_alone(users, cluster)
            finally:
                os.close(users)

    def _leave_at_exit(self) -> None:
        """Leave on behalf of a program that ended without doing so; a fork of it has no share of its own."""
        if os.getpid() == self._joined_by:
            with contextlib.suppress(EmbeddedServerError):
                self._leave()


def _stop_if_alone(users: int, cluster: Cluster) -> None:
    """Give up the share that the descriptor `users` stands for, and stop the server if it was the last."""
    if files.is_alone(users):
        cluster.stop()


@contextlib.contextmanager
def _in_one_sentence(what: str) -> Iterator[None]:
    """Turn what the system refuses (no space, no permission, no such program) into one clear error."""
    try:
        yield
    except OSError as error:
        raise EmbeddedServerError(f"the embedded Postgres cannot be {what}: {error}") from error
