"""What stands before every request, and how errors are answered."""

import asyncio
import json
from collections.abc import AsyncIterator

import httpx
import pytest

from bot.adapters.web.guard import MOST_BYTES, MOST_REQUESTS
from bot.adapters.web.problems import MEDIA_TYPE
from bot.core.clock import SetClock
from bot.db.pool import Database
from bot.memory.manager import MemoryManager
from bot.memory.rights.access.records import AccessScope
from tests.adapters.discord.bots import eventually
from tests.adapters.web.homes import AT_HOME, GUILD, Home, home, settle

GUILDS = "/api/v1/guilds"

PROMISED = {
    "content-security-policy": "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none';"
    " frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
"""What every answer says to browsers."""


def is_problem(answer: httpx.Response, status: int) -> bool:
    told = answer.json()
    return (
        answer.status_code == told["status"] == status
        and answer.headers["content-type"] == MEDIA_TYPE
        and set(told) == {"type", "title", "status", "detail"}
    )


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8420", "127.0.0.1.evil.example", "", "[::1", "a@127.0.0.1"]
)
async def test_a_name_that_somebody_else_gave_this_machine_is_refused(served: Home, host: str) -> None:
    async with await served.operator() as client:
        assert is_problem(await client.get(GUILDS, headers={"Host": host}), 400)


@pytest.mark.parametrize("host", ["localhost:1", "127.0.0.1", "[::1]:8420", "LOCALHOST"])
async def test_the_names_of_this_machine_are_known(served: Home, host: str) -> None:
    async with await served.operator() as client:
        assert (await client.get(GUILDS, headers={"Host": host})).status_code == 200


async def test_the_name_that_a_proxy_passes_on_is_known(database: Database, clock: SetClock) -> None:
    async with (
        home(database, clock, web_url="https://Memory.example.org/") as served,
        await served.operator() as client,
    ):
        assert (await client.get(GUILDS, headers={"Host": "memory.example.org"})).status_code == 200
        assert (await client.get(GUILDS, headers={"Host": "evil.example"})).status_code == 400


async def test_every_answer_says_what_browsers_may_do_with_it(served: Home) -> None:
    async with await served.operator() as client:
        for answer in (
            await client.get(GUILDS),
            await client.get("/nothing"),
            await client.get(GUILDS, headers={"Host": "evil.example"}),
            await client.get(GUILDS, headers={"Authorization": "Bearer x"}),
        ):
            assert PROMISED.items() <= dict(answer.headers).items()
            assert "server" not in answer.headers


async def test_errors_are_problems_whatever_went_wrong(served: Home) -> None:
    await settle(served)
    async with await served.operator() as client, served.client() as nobody:
        assert is_problem(await nobody.get(GUILDS), 401)
        assert is_problem(await client.get("/nothing"), 404)
        assert is_problem(await client.get(f"{GUILDS}/7"), 404)
        assert is_problem(await client.put(GUILDS), 405)
        assert is_problem(await client.get(GUILDS, params={"limit": "0"}), 422)
        assert is_problem(await client.get(f"{GUILDS}/{2**64}"), 422)
        assert is_problem(await client.patch(f"{AT_HOME}/settings", content=b"{"), 422)
        surrogate = await client.post("/api/v1/session", content=b'{"token": "\\ud800"}', headers=JSON)
        assert is_problem(surrogate, 422)


JSON = {"Content-Type": "application/json"}


async def test_what_failed_inside_is_neither_told_nor_logged(
    served: Home, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await settle(served)

    async def fail(*_: object, **__: object) -> None:
        raise ValueError("Alice said: hunter2")

    monkeypatch.setattr(MemoryManager, "recall", fail)
    async with await served.operator() as client:
        failed = await client.get(f"{AT_HOME}/search", params={"q": "hunter2"})
    assert is_problem(failed, 500)
    assert "hunter2" not in failed.text + caplog.text
    assert "ValueError" in caplog.text


async def test_a_body_that_is_too_large_is_refused_whatever_its_headers_say(served: Home) -> None:
    await settle(served)

    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(MOST_BYTES // 1024 + 2):
            yield b" " * 1024

    async with await served.operator() as client:
        large = await client.patch(f"{AT_HOME}/settings", content=b" " * (MOST_BYTES + 1), headers=JSON)
        assert is_problem(large, 413)
        assert is_problem(await client.patch(f"{AT_HOME}/settings", content=chunks(), headers=JSON), 413)


@pytest.mark.parametrize(
    "path",
    [
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/api/v1/../../.env",
        f"/api/v1/guilds/{GUILD}%2f..%2f..",
        "/api/v1/guilds/%00",
        "//etc/passwd",
        "/api/v1/guilds/..%5c..%5c.env",
    ],
)
async def test_a_path_leads_to_no_file(served: Home, path: str) -> None:
    token = await served.keepsake.memory.access.create_token("laptop", AccessScope.READ)
    # A client would tidy up the path first.
    answer = await answer_to(
        served,
        f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n",
    )
    assert answer.split()[1] in {"400", "404", "422"}
    assert "root:" not in answer


async def answer_to(served: Home, sent: str) -> str:
    """Return what comes back for these characters."""
    reader, writer = await asyncio.open_connection("127.0.0.1", served.server.port)
    writer.write(sent.encode())
    answer = (await reader.read()).decode()
    writer.close()
    return answer


@pytest.mark.parametrize(
    "sent",
    [
        "hello\r\n\r\n",
        f"GET / HTTP/1.1\r\nHost: localhost\r\nX: {'x' * 70_000}",
        "GET / HTTP/1.1\r\n\r\n",
    ],
    ids=["no HTTP", "endless headers", "no host"],
)
async def test_what_is_no_http_is_refused_by_a_problem_too(served: Home, sent: str) -> None:
    head, _, body = (await answer_to(served, sent)).partition("\r\n\r\n")
    assert json.loads(body) | {"detail": ""} == {
        "type": "about:blank",
        "title": "Bad Request",
        "status": 400,
        "detail": "",
    }
    lines = (line.partition(": ") for line in head.splitlines()[1:])
    headers = {name.casefold(): value for name, _, value in lines}
    assert headers["content-type"] == MEDIA_TYPE
    assert PROMISED.items() <= headers.items()


async def test_so_many_requests_at_once_are_answered_and_no_more(served: Home) -> None:
    waiting = [await asyncio.open_connection("127.0.0.1", served.server.port) for _ in range(MOST_REQUESTS)]
    for _, writer in waiting:
        # A body that does not come.
        writer.write(b"POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n")
    async with served.client() as client:

        async def answered(status: int) -> bool:
            return (await client.get("/healthz")).status_code == status

        await eventually(lambda: answered(503))
        assert is_problem(await client.get("/healthz"), 503)
        for _, writer in waiting:
            writer.close()
        await eventually(lambda: answered(200))
