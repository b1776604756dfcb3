"""Pages show what the API tells, and change what it changes; whatever members wrote is text in them."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import httpx
import pytest

from bot.adapters.monitoring.health import Health
from bot.adapters.web.entering import COOKIE
from bot.adapters.web.pages.routes import pages
from bot.core.domain import GUILD_SUBJECT, Member
from bot.db.pool import Connection
from bot.memory.rights.access.records import AccessScope
from bot.memory.rights.counting.counting import Counting, KeptCounts
from bot.text.sentences import say
from tests.adapters.web.homes import (
    ALICE,
    BOB,
    CLOSED,
    DIRECT,
    GENERAL,
    GUILD,
    NOON,
    PRIVATE,
    Home,
    places,
    remember,
    said,
    settle,
)
from tests.adapters.web.test_every_route import leaves

SERVER = f"/guilds/{GUILD}"
OF_ALICE = f"{SERVER}/members/{ALICE}"
OF_BOB = f"{SERVER}/members/{BOB}"
OF_GENERAL = f"{SERVER}/channels/{GENERAL}"
OF_CLOSED = f"{SERVER}/channels/{CLOSED}"

LOOKS = (
    "/",
    "/health",
    "/audit",
    SERVER,
    f"/guilds/{DIRECT}",
    f"{SERVER}/facts",
    f"{SERVER}/waiting",
    OF_ALICE,
    OF_GENERAL,
    OF_CLOSED,
    f"{SERVER}/search",
    f"{SERVER}/search?q=oolong",
    f"{SERVER}/settings",
)
"""Every page that an operator can look at."""

WITHOUT_LOGIN = {("get", "/static/keepsake.css"), ("get", "/login"), ("post", "/login")}

NEVER = {"coup", "whales", "yacht", "secret-plans"}
"""What is closed, or about a private member, in the installation of the tests."""


class Forms(HTMLParser):
    """The forms of a page: where each leads, how, and what stands in its fields."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[tuple[str, str, dict[str, str]]] = []
        self.scripts = 0
        self.styles = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.scripts += tag == "script" or any(name.startswith("on") for name in given)
        self.styles += tag == "style" or "style" in given
        if tag == "form":
            self.forms.append((given["method"], given["action"], {}))
        elif tag == "input" and self.forms:
            self.forms[-1][2][given["name"]] = given.get("value", "")


async def enter(client: httpx.AsyncClient, served: Home, scope: AccessScope = AccessScope.WRITE) -> None:
    """Log in by a token, as a browser does."""
    token = await served.keepsake.memory.access.create_token(f"{scope}-pages", scope)
    entered = await client.post("/login", data={"token": token})
    assert (entered.status_code, entered.headers["location"]) == (303, "/")


async def submit(client: httpx.AsyncClient, page: str, action: str, **fields: str) -> httpx.Response:
    """Send the form of `page` that leads to `action`, with these fields filled in."""
    for method, leads_to, hidden in Forms((await client.get(page)).text).forms:
        if (method, leads_to) == ("post", action):
            return await client.post(action, data=hidden | fields)
    raise AssertionError(f"{page} has no form that leads to {action}")


async def test_nobody_sees_a_page_without_having_come_in(served: Home, ids: dict[str, int]) -> None:
    given = places(ids)
    async with served.client() as nobody, served.client() as forger:
        forger.cookies.set(COOKIE, "x" * 43)
        for method, path in set(leaves(pages().routes)) - WITHOUT_LOGIN:
            answer = await nobody.request(method, path.format(**given))
            assert (answer.status_code, answer.headers["location"]) == (303, "/login"), path
        led = await forger.get("/")
        assert led.headers["location"] == "/login"
        assert "Max-Age=0" in led.headers["set-cookie"], "what lets nobody in is not sent again and again"
    assert await served.keepsake.memory.episodes.everywhere(episode_id=ids["picnic"])


async def test_the_link_of_the_start_leads_to_the_overview(served: Home) -> None:
    async with served.client() as browser:
        entered = await browser.get(served.link, follow_redirects=True)
        assert (entered.status_code, entered.url.path) == (200, "/")
        assert "Nothing is kept yet" in entered.text
        assert "keepsake run" in entered.text


async def test_pages_work_without_scripts_and_styles_of_their_own(served: Home, ids: dict[str, int]) -> None:
    async with served.client() as browser:
        await enter(browser, served)
        for look in LOOKS:
            answer = await browser.get(look)
            assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
            page = Forms(answer.text)
            assert (page.scripts, page.styles) == (0, 0), look
            assert "script-src" not in answer.headers["content-security-policy"]
        assert (await browser.get("/static/keepsake.css")).headers["content-type"].startswith("text/css")


async def test_every_form_that_changes_something_needs_the_token_of_its_session(
    served: Home, ids: dict[str, int]
) -> None:
    night = said("Bot, remember that movie night is on Friday", 9)
    await remember(served, night, "movie night is on Friday", subject_id=GUILD_SUBJECT)
    async with served.client() as browser:
        await enter(browser, served)
        seen = set()
        for look in LOOKS:
            for method, action, fields in Forms((await browser.get(look)).text).forms:
                if method == "post":
                    assert fields.pop("csrf")
                    for forged in ({}, {"csrf": ""}, {"csrf": "0" * 64}):
                        refused = await browser.post(action, data=fields | forged | {"reason": "because"})
                        assert refused.status_code == 403, action
                    seen.add(re.sub(r"\d+", "*", action))
        assert seen == {
            re.sub(r"{\w+}", "*", path)
            for method, path in leaves(pages().routes)
            if method == "post" and path != "/login"
        }
        assert "movie night" in (await browser.get(f"{SERVER}/facts")).text
        assert "oolong" in (await browser.get(OF_ALICE)).text
        assert "picnic" in (await browser.get(OF_GENERAL)).text


async def test_a_token_is_not_taken_from_a_form_of_another_site(served: Home) -> None:
    token = await served.keepsake.memory.access.create_token("laptop", AccessScope.WRITE)
    async with served.client() as browser:
        for site in ("cross-site", "same-site"):
            refused = await browser.post("/login", data={"token": token}, headers={"Sec-Fetch-Site": site})
            assert refused.status_code == 403
            assert not browser.cookies


async def test_a_wrong_token_is_asked_for_again_and_logging_out_ends_the_session(served: Home) -> None:
    async with served.client() as browser:
        for wrong in ("", "keepsake_x", "é" * 5_000):
            answer = await browser.post("/login", data={"token": wrong})
            assert answer.status_code == 401
            assert "did not let you in" in answer.text
        await enter(browser, served, AccessScope.READ)
        stolen = {"Cookie": f"{COOKIE}={browser.cookies[COOKIE]}"}
        left = await submit(browser, "/", "/logout")
        assert left.headers["location"] == "/login"
    async with served.client() as thief:
        assert (await thief.get("/", headers=stolen)).status_code == 303


async def test_who_may_only_read_is_offered_nothing_that_changes(served: Home, ids: dict[str, int]) -> None:
    async with served.client() as browser:
        await enter(browser, served, AccessScope.READ)
        for look in LOOKS:
            forms = Forms((await browser.get(look)).text).forms
            actions = {action for method, action, _ in forms if method == "post"}
            assert actions <= {"/logout", f"{SERVER}/settings"}
        csrf = Forms((await browser.get("/")).text).forms[0][2]["csrf"]
        for action in (f"{SERVER}/settings", f"{SERVER}/reveal", f"{OF_ALICE}/facts/{ids['tea']}/delete"):
            refused = await browser.post(action, data={"csrf": csrf, "pings": "on", "was.pings": ""})
            assert refused.status_code == 403, action


async def test_what_members_write_is_text_on_every_page(served: Home, ids: dict[str, int]) -> None:
    evil = "<script>alert('x')</script><img src=x onerror=alert(1)>\"'&"
    directory = served.keepsake.directory
    await directory.put_members([Member(guild_id=GUILD, user_id=BOB, user_name=evil, nickname=evil)])
    await remember(served, said(f"Bot, remember that I like {evil}", 9, user_id=BOB), evil, subject_id=BOB)
    async with served.client() as browser:
        await enter(browser, served)
        for look in (SERVER, OF_BOB, OF_GENERAL, f"{SERVER}/search", f"{SERVER}?name=%3Cscript%3E%22"):
            answer = await browser.get(look, params={"q": evil} if look.endswith("search") else None)
            assert answer.status_code == 200
            assert Forms(answer.text).scripts == 0
            assert "<script" not in answer.text
            assert "<img" not in answer.text
        assert "&lt;script&gt;" in (await browser.get(OF_BOB)).text


async def test_closed_rooms_have_a_size_until_they_are_revealed(served: Home, ids: dict[str, int]) -> None:
    async with served.client() as browser:
        await enter(browser, served)
        of_private = f"{SERVER}/members/{PRIVATE}"
        for look in (*LOOKS, of_private, f"/guilds/{DIRECT}/channels/{DIRECT}"):
            shown = (await browser.get(look)).text
            assert not [word for word in NEVER if word in shown], look
        assert "1 memory is closed" in (await browser.get(OF_CLOSED)).text
        assert "1 fact is closed" in (await browser.get(OF_ALICE)).text
        refused = await submit(browser, OF_CLOSED, f"{SERVER}/reveal", reason=" ")
        assert refused.status_code == 422
        assert "coup" not in (await browser.get(OF_CLOSED)).text
        led = await submit(browser, OF_CLOSED, f"{SERVER}/reveal", reason="a member complained")
        assert led.headers["location"] == f"{OF_CLOSED}?done=revealed"
        shown = (await browser.get(led.headers["location"])).text
        assert "drew up the coup" in shown
        assert "#secret-plans" in shown
        await submit(browser, of_private, f"{SERVER}/reveal", reason="a member complained")
        assert "yacht" in (await browser.get(of_private)).text
        assert "a member complained" in (await browser.get("/audit")).text


async def test_a_fact_that_is_forgotten_on_its_page_is_gone(served: Home, ids: dict[str, int]) -> None:
    async with served.client() as browser:
        await enter(browser, served)
        gone = await submit(browser, OF_ALICE, f"{OF_ALICE}/facts/{ids['tea']}/delete")
        shown = await browser.get(gone.headers["location"])
        assert "The fact is forgotten" in shown.text
        assert "oolong" not in shown.text
        assert "oolong" not in (await browser.get(f"{SERVER}/search?q=oolong")).text.replace(
            "“oolong", ""
        ).replace('value="oolong"', "").replace("Search: oolong", "")
        again = await browser.post(
            f"{OF_ALICE}/facts/{ids['tea']}/delete", data={"csrf": Forms(shown.text).forms[0][2]["csrf"]}
        )
        assert again.status_code == 404


async def test_memories_go_one_by_one_and_all_together(served: Home, ids: dict[str, int]) -> None:
    async with served.client() as browser:
        await enter(browser, served)
        await submit(browser, OF_GENERAL, f"{OF_GENERAL}/memories/{ids['cake']}/delete")
        left = (await browser.get(OF_GENERAL)).text
        assert "baked a cake" not in left
        assert "planned a picnic" in left
        assert "Allie and bob_100% planned" in left, "members are told by name"
        gone = await submit(browser, OF_GENERAL, f"{OF_GENERAL}/memories/delete")
        assert "picnic" not in (await browser.get(gone.headers["location"])).text
        assert not await served.keepsake.memory.episodes.everywhere(guild_id=GUILD, channel_id=GENERAL)


async def test_settings_are_changed_all_or_none_and_nobody_elses_are_put_back(served: Home) -> None:
    await settle(served)
    page = f"{SERVER}/settings"
    async with served.client() as browser:
        await enter(browser, served)
        wrong = await submit(browser, page, page, pings="on", time_zone="Nowhere/Land")
        assert wrong.status_code == 422
        assert "Nothing was changed" in wrong.text
        assert 'value="Nowhere/Land"' in wrong.text, "what was typed is not lost"
        guild = await served.keepsake.directory.guild(GUILD)
        assert guild is not None
        before = Forms((await browser.get(page)).text).forms[-1][2]
        await submit(browser, page, page, time_zone="Europe/Rome")
        later = await browser.post(page, data=before | {"pings": "on"})
        assert later.headers["location"] == f"{page}?done=settings"
        listed = {
            one["name"]: one["value"] for one in (await browser.get(f"/api/v1{page}")).json()["settings"]
        }
        assert (listed["time_zone"], listed["pings"]) == ("Europe/Rome", "on")


async def test_all_servers_together_are_counted_once_for_many_looks(
    served: Home, ids: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = 0
    count = Counting.of_all

    async def counting(*given: Any, **named: Any) -> KeptCounts:
        nonlocal counted
        counted += 1
        return await count(*given, **named)

    monkeypatch.setattr(Counting, "of_all", counting)
    async with served.client() as browser:
        await enter(browser, served)
        shown = [(await browser.get("/")).text for _ in range(3)]
    assert counted == 1
    for one in shown:
        assert "<dt>Messages</dt><dd>4</dd>" in one
        assert "<dt>Facts</dt><dd>4</dd>" in one


async def test_settings_are_told_in_words(served: Home) -> None:
    await settle(served)
    async with served.client() as browser:
        await enter(browser, served)
        shown = (await browser.get(f"{SERVER}/settings")).text
    assert '<label for="forget_others">' + say("setting.forget_others", "en") in shown
    assert '<option value="tellers" selected>who told it</option>' in shown


async def test_health_is_that_of_the_probe(served: Home) -> None:
    async with served.client() as browser:
        await enter(browser, served)
        assert "This process does its work" in (await browser.get("/health")).text
    served.keepsake.services.watch("gateway", lambda: True)
    served.server.app.state.parts = replace(served.server.app.state.parts, health=Health(served.keepsake))
    async with served.client() as browser:
        await enter(browser, served, AccessScope.READ)
        assert "stands still or fails: gateway." in (await browser.get("/health")).text


async def test_versions_of_a_profile_show_what_changed(served: Home) -> None:
    await settle(served)

    async def learn(connection: Connection) -> None:
        for version, content in enumerate(("Drinks tea. Lives in Rome.", "Drinks tea. Lives in Oslo."), 1):
            await connection.execute(
                "INSERT INTO profiles (guild_id, user_id, version, content, covers_up_to, learned_at)"
                " VALUES ($1, $2, $3, $4, 0, $5)",
                GUILD, ALICE, version, content, NOON,
            )  # fmt: skip

    await served.database.write(learn)
    async with served.client() as browser:
        await enter(browser, served)
        shown = (await browser.get(OF_ALICE)).text
    assert "Drinks tea. Lives in<del> Rome.</del><ins> Oslo.</ins></p>" in shown
    assert "Drinks tea. Lives in Rome.</p>" in shown


async def test_a_fact_that_another_followed_leads_to_it(served: Home) -> None:
    await settle(served)
    first = await remember(
        served, said("Bot, remember that I live in Rome", 1), "I live in Rome", subject_id=ALICE
    )
    second = await remember(
        served, said("Bot, remember that I live in Oslo", 9), "I live in Oslo", subject_id=ALICE
    )
    async with served.client() as browser:
        await enter(browser, served)
        shown = (await browser.get(OF_ALICE)).text
    assert f'id="fact-{first}" class="card superseded"' in shown
    assert f'followed by <a href="#fact-{second}"' in shown
    assert f'in the place of <a href="#fact-{first}"' in shown
    assert "<q>Bot, remember that I live in Rome</q>" in shown or "<q>I live in Rome</q>" in shown


@pytest.mark.parametrize(
    "page",
    [
        f"/guilds/{2**62}",
        "/guilds/x",
        f"{SERVER}/members/7",
        f"{OF_ALICE}?until=x",
        f"{OF_ALICE}?until=0001-01-01",
    ],
)
async def test_what_is_not_there_is_a_page_that_says_so(served: Home, page: str) -> None:
    await settle(served)
    async with served.client() as browser:
        await enter(browser, served)
        answer = await browser.get(page)
        assert answer.status_code == 404
        assert "Go to the overview" in answer.text
