"""One data folder and the server on it, driven by `initdb`, `pg_ctl`, `pg_isready` and `psql`."""

import os
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Final

from bot.core.errors import EmbeddedServerError
from bot.db.embedded.files import Account, Layout, sync_folder

DATABASE: Final = "keepsake"
ROLE: Final = "keepsake"
PORT: Final = 5432
"""Only a part of the socket's name: the server listens on no network address."""

# Recovery after a crash reads at most a gigabyte of log (max_wal_size).
_START_SECONDS: Final = 300
_STOP_SECONDS: Final = 60
# Children of a killed postmaster end with the statement that they are in.
_LINGER_SECONDS: Final = 30.0
# A busy machine may keep a good server silent for long; one that lost its socket is never heard again,
# while one that starts has none for a moment only.
_SILENCE_SECONDS: Final = 20.0
_SOCKETLESS_SECONDS: Final = 1.0
_RETRY_SECONDS: Final = 0.1
_MAX_LOG_BYTES: Final = 5_000_000
_FIRST_BUILTIN_LOCALE: Final = 17
# What a server says while the remains of the one before it are still there.
_LINGERING: Final = ("pre-existing shared memory block", "lock file")

# Where programs and, on some systems, libraries are found.
_KEPT_ENVIRONMENT: Final = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")

_SETTINGS: Final = {
    "listen_addresses": "",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "shared_buffers": "64MB",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "logging_collector": "off",
    "log_checkpoints": "off",
    # The log carries nobody's words: `log` leaves out errors of statements, which quote values, and `terse`
    # the details, which quote rows and, when a server process dies, its statement.
    "log_min_messages": "log",
    "log_error_verbosity": "terse",
    "log_min_error_statement": "panic",
    "log_statement": "none",
    "log_parameter_max_length_on_error": "0",
}


class _State(Enum):
    """What a server says to somebody who wants to connect; the values are exit statuses of `pg_isready`."""

    ANSWERING = 0
    REJECTING = 1
    SILENT = 2


class Cluster:
    """One data folder and its server. Callers that start or stop it must hold the start lock of the layout."""

    def __init__(
        self, layout: Layout, *, programs: Path, account: Account | None, options: Mapping[str, str]
    ) -> None:
        """Build it from its places, its `bin/` folder, who runs it, and settings beyond the usual ones."""
        self.programs: Final = programs
        self._layout: Final = layout
        self._account: Final = account
        self._settings: Final = {**_SETTINGS, "unix_socket_directories": str(layout.socket), **options}

    def answers(self) -> bool:
        """Return whether the server takes connections at this moment."""
        return self._state() is _State.ANSWERING

    def ensure(self) -> None:
        """Return when the server takes connections: make, start or restart it if need be.

        Raises `EmbeddedServerError` if that fails, with the reason that Postgres gives.
        """
        if not (self._layout.data / "PG_VERSION").exists():
            self._create()
        begun = heard = time.monotonic()
        while (state := self._state()) is not _State.ANSWERING:
            elapsed = time.monotonic() - begun
            if elapsed > _START_SECONDS:
                raise EmbeddedServerError(
                    f"the embedded Postgres took no connection for {elapsed:.0f} seconds: see {self._layout.log}"
                )
            if state is _State.REJECTING:
                heard = time.monotonic()
            elif self._postmaster_id() is None:
                self._start(patient=elapsed < _LINGER_SECONDS)
            elif time.monotonic() - heard > (_SILENCE_SECONDS if self._has_socket() else _SOCKETLESS_SECONDS):
                self.stop()
            time.sleep(_RETRY_SECONDS)

    def ensure_database(self) -> None:
        """Make the database in the running server if it is not there.

        Raises `EmbeddedServerError` if that fails, with the reason that Postgres gives.
        """
        if self._query(f"SELECT 'there' FROM pg_database WHERE datname = '{DATABASE}'") != "there":
            # Upper and lower case of every script, whatever the machine's locale.
            locale = "LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LOCALE 'C'"
            if self._layout.version < _FIRST_BUILTIN_LOCALE:
                locale = "LOCALE_PROVIDER libc LOCALE 'C.UTF-8'"
            self._query(f"CREATE DATABASE {DATABASE} TEMPLATE template0 ENCODING 'UTF8' {locale}")

    def stop(self) -> None:
        """Stop the server if it runs: at once for its clients, but with everything written.

        Raises `EmbeddedServerError` if it cannot be stopped.
        """
        for mode in ("fast", "immediate"):
            # `pg_ctl` signals whatever process has the recorded id.
            if self._postmaster_id() is None:
                return
            status, output = self._run(
                "pg_ctl", "stop", "-D", self._layout.data.name, "-m", mode, "-t", str(_STOP_SECONDS)
            )
            if status == 0:
                return
        if self._postmaster_id() is not None:
            raise EmbeddedServerError(f"the embedded Postgres could not be stopped: {_last_line(output)}")

    def _state(self) -> _State:
        status, _ = self._run("pg_isready", "-q", "-t", "3", *self._address(), "-d", "postgres")
        return _State(status) if status in {0, 1} else _State.SILENT

    def _has_socket(self) -> bool:
        return (self._layout.socket / f".s.PGSQL.{PORT}").exists()

    def _create(self) -> None:
        """Make the data folder under another name first, so that it is there completely or not at all."""
        for abandoned in self._layout.folder.glob(f"{self._layout.data.name}.new-*"):
            shutil.rmtree(abandoned, ignore_errors=True)
        unfinished = Path(tempfile.mkdtemp(prefix=f"{self._layout.data.name}.new-", dir=self._layout.folder))
        try:
            if self._account is not None:
                os.chown(unfinished, self._account.user_id, self._account.group_id)
            locale = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
            if self._layout.version < _FIRST_BUILTIN_LOCALE:
                locale = ["--locale=C.UTF-8", "--locale-provider=libc"]
            sync = ["--no-sync"] if self._settings.get("fsync") == "off" else []
            status, output = self._run(
                "initdb", "-D", unfinished.name, "-U", ROLE, "-A", "trust", "-E", "UTF8", *locale, *sync
            )
            if status != 0:
                raise EmbeddedServerError(
                    f"the embedded Postgres could not make its data in {self._layout.folder}: {_last_line(output)}"
                )
            unfinished.rename(self._layout.data)
            sync_folder(self._layout.folder)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)

    def _start(self, *, patient: bool) -> None:
        """Start the server and wait for it; a `patient` caller tries again while remains are in the way."""
        self._clear_remains()
        log = self._layout.log
        if log.exists() and log.stat().st_size > _MAX_LOG_BYTES:
            log.replace(log.with_name(f"{log.name}.old"))
        seen = log.stat().st_size if log.exists() else 0
        options = shlex.join(
            part for name, value in self._settings.items() for part in ("-c", f"{name}={value}")
        )
        # Relative names, for `pg_ctl` hands them to a shell.
        places = ("-D", self._layout.data.name, "-l", log.name)
        status, output = self._run("pg_ctl", "start", "-w", "-t", str(_START_SECONDS), *places, "-o", options)
        if status == 0:
            return
        said = log.read_bytes()[seen:].decode(errors="replace") if log.exists() else ""
        if not (patient and any(sign in said for sign in _LINGERING)):
            raise EmbeddedServerError(f"the embedded Postgres did not start: {_last_line(said or output)}")

    def _clear_remains(self) -> None:
        """Remove what a killed server left and a new one stumbles over, if no server is on the data."""
        if self._layout.socket.is_dir():
            for remains in self._layout.socket.glob(".s.PGSQL.*"):
                remains.unlink(missing_ok=True)
        self._layout.make(self._account)
        recorded = self._recorded_id()
        if recorded is not None and _is_taken(recorded):
            # Postgres would take the stranger who now has this id for its own postmaster.
            (self._layout.data / "postmaster.pid").unlink(missing_ok=True)

    def _postmaster_id(self) -> int | None:
        """Return the process id of the live postmaster on this data folder, `None` if there is none."""
        recorded = self._recorded_id()
        return recorded if recorded is not None and _works_in(recorded, self._layout.data) else None

    def _recorded_id(self) -> int | None:
        try:
            recorded = int((self._layout.data / "postmaster.pid").read_text().partition("\n")[0])
        except (FileNotFoundError, ValueError):
            return None
        # A server in single-user mode records a negative id, which for a signal means a group.
        return recorded if recorded > 0 else None

    def _query(self, sql: str) -> str:
        status, output = self._run("psql", "-XAtq", *self._address(), "-d", "postgres", "-c", sql)
        if status != 0:
            raise EmbeddedServerError(
                f"the embedded Postgres could not make its database: {_last_line(output)}"
            )
        return output.strip()

    def _address(self) -> tuple[str, ...]:
        return ("-h", str(self._layout.socket), "-p", str(PORT), "-U", ROLE)

    def _run(self, program: str, *arguments: str) -> tuple[int, str]:
        """Run `program` as the server's account in its folder; return the exit status and all the output."""
        account = self._account
        # A file, since the server inherits it and would keep a pipe open; nothing of our environment, which
        # holds secrets and may hold settings for other servers.
        with tempfile.TemporaryFile() as output:
            finished = subprocess.run(
                [self.programs / program, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=self._layout.folder,
                env={name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ}
                | {"LC_ALL": "C"},
                check=False,
                user=None if account is None else account.user_id,
                group=None if account is None else account.group_id,
                extra_groups=None if account is None else [],
            )
            output.seek(0)
            return finished.returncode, output.read().decode(errors="replace")


def _works_in(process_id: int, folder: Path) -> bool:
    """Return whether the process lives and, as a postmaster does, works in `folder`."""
    if not _is_taken(process_id):
        return False
    if Path("/proc/self/cwd").exists():
        try:
            return Path(f"/proc/{process_id}/cwd").readlink() == folder.resolve()
        except OSError:
            # Somebody else's, or dead and not yet collected by its parent.
            return False
    asked = subprocess.run(
        ["/bin/ps", "-o", "comm=", "-p", str(process_id)], capture_output=True, text=True, check=False
    )
    return Path(asked.stdout.strip()).name == "postgres"


def _is_taken(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except OSError:
        return False
    return True


def _last_line(output: str) -> str:
    """Return the line that says why: the last that reports an error, else the last of all."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    telling = [line for line in lines if any(sign in line for sign in ("FATAL", "PANIC", "error:", "ERROR"))]
    return (telling or lines or ["it gave no reason"])[-1]
