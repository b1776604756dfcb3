"""What programs ask that watch the process is answered without a token, and tells nothing but names of what fails."""

import json

from bot.core.clock import SetClock
from bot.db.pool import Database
from bot.memory.rights.access.records import AccessScope
from tests.adapters.web.homes import Home, home


async def test_health_is_told_to_whoever_asks(served: Home) -> None:
    async with served.client() as nobody:
        for path in ("/healthz", "/readyz"):
            answer = await nobody.get(path)
            assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


async def test_what_stands_still_is_named_and_nothing_else_of_it(served: Home, ids: dict[str, int]) -> None:
    served.keepsake.services.watch("gateway", lambda: True)
    async with served.client() as nobody:
        assert (await nobody.get("/healthz")).status_code == 200
        answer = await nobody.get("/readyz")
    assert answer.headers["content-type"] == "application/problem+json"
    assert json.loads(answer.text) == {
        "type": "about:blank",
        "title": "Service Unavailable",
        "status": 503,
        "detail": "failing: gateway",
    }


async def test_figures_are_scraped_on_this_machine_as_long_as_there_is_no_token(served: Home) -> None:
    async with served.client() as nobody:
        answer = await nobody.get("/metrics")
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/plain; version=")
        assert "keepsake_queue_length" in answer.text
        async with await served.operator(AccessScope.READ) as reader:
            assert (await reader.get("/metrics")).status_code == 200
        assert (await nobody.get("/metrics")).status_code == 401


async def test_figures_need_a_token_where_a_proxy_stands_before_them(
    database: Database, clock: SetClock
) -> None:
    async with (
        home(database, clock, web_url="https://memory.example.org") as served,
        served.client() as nobody,
    ):
        assert (await nobody.get("/metrics")).status_code == 401
