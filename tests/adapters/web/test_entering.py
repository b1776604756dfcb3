"""Who gets in, and who does not."""

from collections.abc import Mapping

import httpx
import pytest

from bot.adapters.web.entering import COOKIE, CSRF_HEADER
from bot.adapters.web.tries import MOST_TRIES
from bot.core.clock import SetClock
from bot.core.errors import InvalidInputError, SettingsError
from bot.db.pool import Database
from bot.memory.rights.access.records import AccessScope
from tests.adapters.web.homes import AT_HOME, Home, home, settle

SESSION = "/api/v1/session"
GUILDS = "/api/v1/guilds"


async def execute(database: Database, statement: str) -> None:
    await database.write(lambda connection: connection.execute(statement))


async def csrf_of(client: httpx.AsyncClient) -> Mapping[str, str]:
    """Return the header by which a session may change something."""
    return {CSRF_HEADER: (await client.get(SESSION)).json()["csrf"]}


async def test_the_link_of_the_start_works_once_and_gives_a_session(served: Home) -> None:
    async with served.client() as first, served.client() as second:
        entered = await first.get(served.link)
        assert entered.status_code == 303
        cookie = entered.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        assert "Secure" not in cookie
        state = (await first.get(SESSION)).json()
        assert (state["name"], state["scope"]) == ("link", "write")
        assert (await second.get(served.link)).status_code == 401
        assert (await second.get(GUILDS)).status_code == 401


async def test_there_is_no_link_where_there_is_a_token(
    database: Database, clock: SetClock, served: Home
) -> None:
    await served.keepsake.memory.access.create_token("laptop", AccessScope.READ)
    async with home(database, clock) as other:
        assert len(other.told) == 1
        async with other.client() as client:
            assert (await client.get("/enter", params={"code": "x"})).status_code == 401


async def test_without_a_token_nobody_but_this_machine_may_come(database: Database, clock: SetClock) -> None:
    with pytest.raises(
        SettingsError, match=r"WEB_HOST: '0\.0\.0\.0' can be reached from elsewhere.*token create"
    ):
        async with home(database, clock, web_host="0.0.0.0"):
            pass


async def test_with_a_token_others_may_come(database: Database, clock: SetClock, served: Home) -> None:
    token = await served.keepsake.memory.access.create_token("laptop", AccessScope.READ)
    async with home(database, clock, web_host="0.0.0.0") as other, other.client(token) as client:
        assert (await client.get(GUILDS)).status_code == 200


async def test_a_token_lets_in_until_it_is_revoked(served: Home) -> None:
    access = served.keepsake.memory.access
    token = await access.create_token("laptop", AccessScope.WRITE)
    async with served.client(token) as client, served.client() as browser:
        assert (await client.get(SESSION)).json()["name"] == "laptop"
        assert (await browser.post(SESSION, json={"token": token})).status_code == 201
        assert (await browser.get(GUILDS)).status_code == 200
        assert [one.last_used_at is not None for one in await access.tokens()] == [True]
        await access.revoke_token("laptop")
        assert (await client.get(GUILDS)).status_code == 401
        assert (await browser.get(GUILDS)).status_code == 401, "the sessions of a token end with it"
        assert (await browser.post(SESSION, json={"token": token})).status_code == 401


async def test_a_name_is_never_given_twice_since_the_audit_names_it(served: Home) -> None:
    access = served.keepsake.memory.access
    await access.create_token("laptop", AccessScope.WRITE)
    await access.revoke_token("laptop")
    with pytest.raises(InvalidInputError, match="another name"):
        await access.create_token("laptop", AccessScope.READ)
    with pytest.raises(InvalidInputError, match="no token 'laptop' is in use"):
        await access.revoke_token("laptop")
    for name in ("link", "", "two words", "x" * 65, "-x"):
        with pytest.raises(InvalidInputError, match="cannot be the name of a token"):
            await access.create_token(name, AccessScope.READ)


async def test_nothing_that_lets_in_stands_in_the_database(served: Home) -> None:
    token = await served.keepsake.memory.access.create_token("laptop", AccessScope.WRITE)
    async with served.client() as browser:
        await browser.post(SESSION, json={"token": token})
        secret = browser.cookies[COOKIE]
        csrf = (await csrf_of(browser))[CSRF_HEADER]
    rows = await served.database.read(
        lambda connection: connection.fetch(
            "SELECT t::text FROM web_tokens t UNION ALL SELECT s::text FROM web_sessions s"
            " UNION ALL SELECT a::text FROM audit a"
        )
    )
    assert len(rows) == 4
    for known in (token, token.removeprefix("keepsake_"), secret, csrf):
        assert not [row for row in rows if known in row[0] or known.encode().hex() in row[0]]


@pytest.mark.parametrize("forged", ["x", "keepsake_x", "keepsake_", "é", "a" * 5_000])
async def test_a_forged_session_or_token_lets_nobody_in(served: Home, forged: str) -> None:
    async with served.client() as client:
        for name, value in (("Cookie", f"{COOKIE}={forged}"), ("Authorization", f"Bearer {forged}")):
            answer = await client.get(GUILDS, headers=[(name.encode(), value.encode())])
            assert answer.status_code == 401


async def test_a_session_is_not_replayed_after_its_end(served: Home) -> None:
    async with served.client() as browser, served.client() as thief:
        await browser.get(served.link)
        stolen = {"Cookie": f"{COOKIE}={browser.cookies[COOKIE]}"}
        assert (await thief.get(GUILDS, headers=stolen)).status_code == 200
        left = await browser.delete(SESSION, headers=await csrf_of(browser))
        assert left.status_code == 204
        assert (await thief.get(GUILDS, headers=stolen)).status_code == 401


async def test_an_expired_session_lets_nobody_in(served: Home) -> None:
    async with served.client() as browser:
        await browser.get(served.link)
        assert (await browser.get(GUILDS)).status_code == 200
        await execute(served.database, "UPDATE web_sessions SET expires_at = clock_timestamp()")
        assert (await browser.get(GUILDS)).status_code == 401


async def test_a_session_changes_nothing_without_its_csrf_token(served: Home) -> None:
    await settle(served)
    async with served.client() as browser, served.client() as other:
        await browser.get(served.link)
        await other.post(
            SESSION, json={"token": await served.keepsake.memory.access.create_token("x", AccessScope.WRITE)}
        )
        change = f"{AT_HOME}/settings"
        for headers in ({}, {CSRF_HEADER: ""}, {CSRF_HEADER: "0" * 64}, await csrf_of(other)):
            refused = await browser.patch(change, json={"pings": "on"}, headers=headers)
            assert refused.status_code == 403
        allowed = await browser.patch(change, json={"pings": "on"}, headers=await csrf_of(browser))
        assert allowed.status_code == 200


async def test_a_token_to_read_changes_nothing_and_has_nothing_revealed(served: Home) -> None:
    await settle(served)
    async with await served.operator(AccessScope.READ) as reader, served.client() as browser:
        assert (await reader.patch(f"{AT_HOME}/settings", json={"pings": "on"})).status_code == 403
        assert (await reader.post("/api/v1/reveals", json={})).status_code == 403
        await browser.post(SESSION, json={"token": served.tokens[AccessScope.READ]})
        headers = await csrf_of(browser)
        assert (
            await browser.patch(f"{AT_HOME}/settings", json={"pings": "on"}, headers=headers)
        ).status_code == 403
        assert (await browser.delete(SESSION, headers=headers)).status_code == 204


async def test_whoever_guesses_is_stopped_and_told_for_how_long(served: Home) -> None:
    token = await served.keepsake.memory.access.create_token("laptop", AccessScope.READ)
    async with served.client() as thief, served.client(token) as owner:
        for number in range(MOST_TRIES):
            guess = {"Authorization": f"Bearer keepsake_{number}"}
            assert (await thief.get(GUILDS, headers=guess)).status_code == 401
        for stopped in (
            await thief.get(GUILDS, headers={"Authorization": "Bearer keepsake_11"}),
            await thief.post(SESSION, json={"token": token}),
            await thief.get("/enter", params={"code": "x"}),
            await owner.get(GUILDS),
        ):
            assert stopped.status_code == 429
            assert 0 < int(stopped.headers["retry-after"]) <= 900


async def test_whoever_comes_without_anything_is_not_counted(served: Home) -> None:
    async with served.client() as client:
        for _ in range(MOST_TRIES + 1):
            assert (await client.get(GUILDS)).status_code == 401


async def test_behind_https_the_cookie_is_sent_by_nothing_else(database: Database, clock: SetClock) -> None:
    async with (
        home(database, clock, web_url="https://memory.example.org") as served,
        served.client() as client,
    ):
        assert "https://memory.example.org/enter?code=" in served.told[1]
        entered = await client.get(served.link.replace("https://memory.example.org", served.url))
        assert "; Secure" in entered.headers["set-cookie"]
        assert "strict-transport-security" in entered.headers
