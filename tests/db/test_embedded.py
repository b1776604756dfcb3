"""The embedded server's promises to the processes that share it."""

import asyncio
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from bot.core.errors import EmbeddedServerError
from bot.db.embedded import files
from tests.db.embedded_servers import (
    FAST,
    ROOT,
    NewMember,
    NewServer,
    ask,
    kept,
    kill_postmaster,
    remember,
    runs,
    wait_until_gone,
)
from tests.db.embedded_servers import new_member as new_member
from tests.db.embedded_servers import new_server as new_server

pytestmark = pytest.mark.processes


@pytest.fixture
def stranger() -> Iterator["subprocess.Popen[bytes]"]:
    """A process of the account that runs the server, with nothing to do with any server."""
    account = files.server_account()
    user_id = None if account is None else account.user_id
    with subprocess.Popen(["/bin/sleep", "600"], user=user_id) as process:
        yield process
        process.kill()


async def test_a_killed_user_does_not_keep_the_server_up_and_the_last_one_to_leave_stops_it(
    tmp_path: Path, new_server: NewServer, new_member: NewMember
) -> None:
    server = new_server(tmp_path / "home")
    first, second, third = (new_member(tmp_path / "home") for _ in range(3))
    for process in (first, second, third):
        process.joined()
    first.kill()
    assert await runs(server)
    assert second.leave() == 0
    assert await runs(server)
    assert third.leave() == 0
    assert not await runs(server)


async def test_two_processes_that_start_at_the_same_moment_share_one_fresh_server(
    tmp_path: Path, new_server: NewServer, new_member: NewMember
) -> None:
    server = new_server(tmp_path / "home")
    together = [new_member(tmp_path / "home") for _ in range(2)]
    for process in together:
        process.joined()
    assert await runs(server)
    assert [process.leave() for process in together] == [0, 0]
    assert not await runs(server)


async def test_a_program_that_fails_leaves_the_server_too(
    tmp_path: Path, new_server: NewServer, new_member: NewMember
) -> None:
    server = new_server(tmp_path / "home")
    process = new_member(tmp_path / "home", "fail")
    process.joined()
    assert process.leave() == 1
    assert not await runs(server)


async def test_a_server_whose_only_user_was_killed_is_replaced_at_the_next_start_with_its_data(
    tmp_path: Path, new_server: NewServer, new_member: NewMember
) -> None:
    server = new_server(tmp_path / "home")
    process = new_member(tmp_path / "home")
    process.joined()
    await remember(server, "pizza", "tea")
    process.kill()
    forgotten = await ask(server, "SELECT pg_postmaster_start_time()")

    await server.start()

    assert await ask(server, "SELECT pg_postmaster_start_time()") != forgotten
    assert await kept(server) == ["pizza", "tea"]
    await server.stop()
    assert not await runs(server)


async def test_a_killed_postmaster_comes_back_with_its_data_as_soon_as_its_last_child_is_gone(
    tmp_path: Path, new_server: NewServer
) -> None:
    server = new_server(tmp_path / "home")
    await server.start()
    await remember(server, "pizza")
    client = await asyncpg.connect(dsn=server.dsn)
    lingering = await client.fetchval("SELECT pg_backend_pid()")
    os.kill(lingering, signal.SIGSTOP)
    await kill_postmaster(server)

    returning = asyncio.create_task(server.ensure_running())
    await asyncio.sleep(1)
    os.kill(lingering, signal.SIGCONT)
    await returning

    assert await kept(server) == ["pizza"]
    client.terminate()


async def test_every_user_may_bring_the_server_back_at_once(tmp_path: Path, new_server: NewServer) -> None:
    users = [new_server(tmp_path / "home") for _ in range(3)]
    for user in users:
        await user.start()
    await kill_postmaster(users[0])
    await asyncio.gather(*(user.ensure_running() for user in users), users[0].ensure_running())
    assert await runs(users[0])
    for user in users[:-1]:
        await user.stop()
        assert await runs(users[-1])


async def test_a_server_that_answers_is_left_alone(tmp_path: Path, new_server: NewServer) -> None:
    server = new_server(tmp_path / "home")
    await server.start()
    begun = await ask(server, "SELECT pg_postmaster_start_time()")
    await server.ensure_running()
    await server.start()
    assert await ask(server, "SELECT pg_postmaster_start_time()") == begun


async def test_a_stranger_with_the_process_id_of_a_dead_postmaster_is_neither_believed_nor_harmed(
    tmp_path: Path, new_server: NewServer, stranger: "subprocess.Popen[bytes]"
) -> None:
    server = new_server(tmp_path / "home")
    await server.start()
    dead = await kill_postmaster(server)
    await wait_until_gone(server)
    for record in (server.folder / "data-18/postmaster.pid", server.folder / "socket-18/.s.PGSQL.5432.lock"):
        record.write_text(record.read_text().replace(str(dead), str(stranger.pid), 1))
    await server.ensure_running()
    assert await runs(server)
    await kill_postmaster(server)
    await wait_until_gone(server)
    record = server.folder / "data-18/postmaster.pid"
    record.write_text("\n".join([str(stranger.pid), *record.read_text().splitlines()[1:]]))
    await server.stop()
    assert stranger.poll() is None


async def test_a_lost_socket_is_made_anew(tmp_path: Path, new_server: NewServer) -> None:
    server = new_server(tmp_path / "home")
    await server.start()
    await remember(server, "pizza")
    shutil.rmtree(server.folder / "socket-18")
    await server.ensure_running()
    assert await kept(server) == ["pizza"]


async def test_a_start_that_was_cut_off_leaves_nothing_that_stands_in_the_way(
    tmp_path: Path, new_server: NewServer
) -> None:
    server = new_server(tmp_path / "home")
    half = server.folder / "data-18.new-cut"
    (half / "base").mkdir(parents=True)
    if ROOT:
        account = files.server_account()
        assert account is not None
        os.chown(server.folder, account.user_id, account.group_id)
    await server.start()
    assert await runs(server)
    assert not half.exists()


async def test_leaving_and_joining_again_and_again_changes_nothing(
    tmp_path: Path, new_server: NewServer
) -> None:
    server = new_server(tmp_path / "home")
    await server.stop()
    for _ in range(2):
        await server.start()
        await server.start()
        assert await runs(server)
        await server.stop()
        await server.stop()
        assert not await runs(server)
    with pytest.raises(EmbeddedServerError, match="start it first"):
        await server.ensure_running()


async def test_what_people_write_never_reaches_the_log(tmp_path: Path, new_server: NewServer) -> None:
    server = new_server(tmp_path / "home")
    await server.start()
    await remember(server, "hunter2")
    with pytest.raises(asyncpg.UniqueViolationError, match="kept"):
        await remember(server, "hunter2")
    for statement in ("SELECT 'hunter2'::int", "SELECT to_tsquery('hunter2 hunter2')", "hunter2"):
        with pytest.raises(asyncpg.PostgresError):
            await ask(server, statement)
    with pytest.raises((asyncpg.PostgresError, OSError)):
        # A server process that dies makes Postgres name the statement that it was in.
        await ask(server, "COPY (SELECT 'hunter2') TO PROGRAM 'kill -SEGV $PPID; cat > /dev/null'")
    await server.ensure_running()
    await server.stop()
    log = (server.folder / "log-18").read_text()
    assert "database system is shut down" in log
    assert "was terminated by signal" in log
    assert "hunter2" not in log


async def test_a_server_that_does_not_start_says_why_and_leaves_no_share_behind(
    tmp_path: Path, new_server: NewServer
) -> None:
    broken = new_server(tmp_path / "home", options={**FAST, "max_connections": "none"})
    with pytest.raises(EmbeddedServerError, match=r"^[^\n]*max_connections[^\n]*$"):
        await broken.start()
    server = new_server(tmp_path / "home")
    await server.start()
    await server.stop()
    assert not await runs(server)
