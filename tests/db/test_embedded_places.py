"""Where the embedded server lies, who runs it, and what it says when it cannot be run."""

import asyncio
import importlib
import os
import shutil
import stat
import tempfile
import traceback
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path

import pytest

from bot.core.errors import EmbeddedServerError
from bot.core.settings import state_folder
from bot.db.embedded import files
from bot.db.embedded.server import EmbeddedServer
from tests.db.embedded_servers import (
    FAST,
    ROOT,
    NewServer,
    ask,
    kept,
    kill_postmaster,
    remember,
    runs,
    socket_folder,
)
from tests.db.embedded_servers import new_server as new_server

pytestmark = pytest.mark.processes

NOBODY = 65534
as_root = pytest.mark.skipif(not ROOT, reason="needs root")


@pytest.fixture
def top() -> Iterator[Path]:
    """A folder under which homes are used as they are, also by root."""
    place = Path(tempfile.mkdtemp(prefix="keepsake-top-"))
    if ROOT:
        place.rmdir()
        place = state_folder() / place.name
        place.mkdir(parents=True)
    yield place
    shutil.rmtree(place, ignore_errors=True)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may enter, which pytest's own are not."""
    place = Path(tempfile.mkdtemp(prefix="keepsake-open-"))
    place.chmod(0o755)
    yield place
    shutil.rmtree(place, ignore_errors=True)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def copied_wheel(folder: Path, version: int) -> Path:
    """Copy the wheel's install and the libraries beside it; return where the install is."""
    install = files.find_install(version)
    copy = folder / install.parent.name / install.name
    shutil.copytree(install, copy, symlinks=True)
    libraries = install.parent.with_name(f"{install.parent.name}.libs")
    if libraries.exists():
        shutil.copytree(libraries, folder / libraries.name)
    return copy


def in_a_process_of_nobody(work: Callable[[], Coroutine[None, None, None]]) -> str:
    """Run `work` as an ordinary user, who cannot reach root's Python; return what went wrong, or nothing."""
    for name in ("asyncio.unix_events", "concurrent.futures.thread", "encodings.idna", "asyncpg.connection"):
        importlib.import_module(name)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        report = ""
        try:
            os.chdir("/")
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            asyncio.run(work())
        except BaseException:
            report = traceback.format_exc()
        os.write(writing, report.encode()[:60_000])
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read().decode()
    os.waitpid(child, 0)
    return told


def test_an_ordinary_user_runs_it_under_the_home_itself(open_folder: Path) -> None:
    install = copied_wheel(open_folder, 18) if ROOT else None
    home = open_folder / "theirs" / "home"
    home.parent.mkdir()

    async def work() -> None:
        server = EmbeddedServer(home, options=FAST, binaries=install)
        await server.start()
        try:
            assert server.folder == home.resolve() / "postgres"
            assert mode_of(server.folder) == 0o700
            await remember(server, "pizza")
            await kill_postmaster(server)
            await server.ensure_running()
            assert await kept(server) == ["pizza"]
        finally:
            await server.stop()
        assert not await runs(server)

    if ROOT:
        os.chown(home.parent, NOBODY, NOBODY)
        assert in_a_process_of_nobody(work) == ""
    else:
        asyncio.run(work())


@as_root
async def test_root_leaves_the_home_and_its_parents_closed_and_empty(
    tmp_path: Path, new_server: NewServer
) -> None:
    home = tmp_path / "closed" / "home"
    home.mkdir(parents=True)
    home.chmod(0o700)
    home.parent.chmod(0o700)
    server = new_server(home)
    await server.start()
    assert await ask(server, "SELECT true")
    await server.stop()
    assert [mode_of(path) for path in (home, home.parent)] == [0o700, 0o700]
    assert names_in(home) == []


@as_root
async def test_root_runs_a_server_whose_programs_only_root_can_reach(
    tmp_path: Path, open_folder: Path, new_server: NewServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(open_folder))
    assert mode_of(tmp_path) == 0o700
    server = new_server(tmp_path / "home", binaries=copied_wheel(tmp_path, 18))
    await server.start()
    assert await runs(server)
    assert server.binaries.is_relative_to(open_folder)
    dump = await asyncio.create_subprocess_exec(
        server.binaries / "pg_dump", server.dsn, stdout=asyncio.subprocess.PIPE
    )
    written, _ = await dump.communicate()
    assert b"PostgreSQL database dump complete" in written
    assert mode_of(tmp_path) == 0o700
    assert sorted(names_in(open_folder)) == [server.binaries.parents[2].name, server.folder.parent.name]
    await server.stop()


@pytest.mark.parametrize("version", [18, 16])
async def test_upper_and_lower_case_match_in_every_script_under_the_c_locale(
    tmp_path: Path, new_server: NewServer, monkeypatch: pytest.MonkeyPatch, version: int
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    server = new_server(tmp_path / "home", version=version)
    await server.start()
    assert str(await ask(server, "SHOW server_version")).startswith(str(version))
    for upper, lower in (("ÉCOLE", "école"), ("ПРИВЕТ", "привет"), ("ЁЖ", "ёж")):
        assert await ask(server, "SELECT lower($1)", upper) == lower
        assert await ask(server, "SELECT upper($1)", lower) == upper
        assert await ask(server, "SELECT $1::text ILIKE '%' || $2 || '%'", f"<{upper}>", lower)
        assert await ask(server, "SELECT $1::text ~* $2", f"<{upper}>", lower)


async def test_a_path_too_long_for_a_socket_works(top: Path, new_server: NewServer) -> None:
    server = new_server(top / ("deep" * 15) / ("deeper" * 12) / "home")
    assert len(str(server.folder)) > 108
    await server.start()
    assert await runs(server)
    assert mode_of(socket_folder(server)) == 0o700
    await server.stop()


@pytest.mark.parametrize("name", ["it's $HOME `id` \\ 50% + дом #1?&", 'a "quoted" name, with a comma'])
async def test_a_home_with_characters_that_mean_something_to_a_shell_or_an_address_works(
    top: Path, new_server: NewServer, name: str
) -> None:
    server = new_server(top / name)
    await server.start()
    await remember(server, "pizza")
    assert await kept(server) == ["pizza"]
    await server.stop()
    assert not await runs(server)


async def test_servers_of_two_versions_live_side_by_side_in_one_home(
    tmp_path: Path, new_server: NewServer
) -> None:
    older, newer = (new_server(tmp_path / "home", version=version) for version in (16, 18))
    await older.start()
    await newer.start()
    await older.stop()
    assert await runs(newer)
    assert not await runs(older)


@as_root
async def test_a_folder_that_another_user_made_is_not_trusted(
    top: Path, tmp_path: Path, new_server: NewServer
) -> None:
    deep = new_server(top / ("deep" * 30) / "home")
    near = new_server(tmp_path / "home")
    for server, folder in ((deep, socket_folder(deep)), (near, near.folder)):
        folder.mkdir(parents=True)
        os.chown(folder, NOBODY, NOBODY)
        with pytest.raises(EmbeddedServerError, match=f"^[^\n]*belongs to user id {NOBODY}[^\n]*$"):
            await server.start()


async def test_a_missing_wheel_is_one_sentence_that_says_what_to_do(
    tmp_path: Path, new_server: NewServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "find_spec", lambda _name: None)
    server = new_server(tmp_path / "home")
    with pytest.raises(
        EmbeddedServerError, match=r"^[^\n]*keepsake-bot\[embedded\][^\n]*DATABASE_URL[^\n]*$"
    ):
        await server.start()
    with pytest.raises(EmbeddedServerError, match="DATABASE_URL"):
        _ = server.binaries


async def test_a_version_that_is_not_there_is_refused_by_name(tmp_path: Path, new_server: NewServer) -> None:
    with pytest.raises(EmbeddedServerError, match="16 or 18, not 17"):
        await new_server(tmp_path / "home", version=17).start()


async def test_programs_that_do_not_run_here_are_one_sentence(tmp_path: Path, new_server: NewServer) -> None:
    program = tmp_path / "install" / "bin" / "initdb"
    program.parent.mkdir(parents=True)
    program.write_bytes(b"\x7fELF for another machine")
    program.chmod(0o755)
    server = new_server(tmp_path / "home", binaries=tmp_path / "install")
    with pytest.raises(EmbeddedServerError, match=r"^[^\n]*does not run on this machine[^\n]*DATABASE_URL"):
        await server.start()


async def test_a_home_that_is_a_file_is_one_sentence(top: Path, new_server: NewServer) -> None:
    (top / "home").write_text("not a folder")
    with pytest.raises(EmbeddedServerError, match=r"^the embedded Postgres cannot be started: [^\n]*home"):
        await new_server(top / "home").start()
