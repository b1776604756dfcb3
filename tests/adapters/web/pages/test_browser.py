"""Pages in a real browser: what an operator does there, and whether everybody can use them."""

from collections.abc import Sequence

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, expect

from bot.adapters.web.running import serving
from bot.core.clock import SetClock
from bot.db.pool import Database
from tests.adapters.discord.bots import running_bot
from tests.adapters.discord.talking import model_that_says
from tests.adapters.web.homes import DIRECT, home
from tests.adapters.web.pages.browsers import DESK, PHONE, browsing
from tests.adapters.web.pages.life import live_for_a_month
from tests.adapters.web.pages.test_pages import LOOKS, OF_ALICE, OF_CLOSED, OF_GENERAL, SERVER
from tests.servers.asked import Asked
from tests.servers.discord.fixtures import discord_server as discord_server
from tests.servers.discord.server import DiscordServer

pytestmark = [pytest.mark.processes, pytest.mark.browser]

GRAVE = {"serious", "critical"}
"""Impacts of what axe-core finds that keep somebody from using a page."""

PLACES = (*LOOKS, f"{SERVER}/members/7", f"/guilds/{DIRECT}/channels/{DIRECT}")
"""Pages that are examined, one that says that nothing is there among them."""

ALIKE = {f"/guilds/{DIRECT}", OF_CLOSED, f"{SERVER}/search"}
"""Pages that hold nothing that others do not."""

DARK = {"/", SERVER, OF_ALICE, f"{SERVER}/settings", f"{SERVER}/search?q=oolong"}
"""Pages that are examined in the dark on a phone too: all pairs of colours and all kinds of fields stand on one."""


async def test_a_fact_deleted_in_the_browser_is_in_no_later_reply(
    discord_server: DiscordServer, database: Database
) -> None:
    def recall(asked: Asked) -> dict[str, str]:
        return {"text": "It is oolong." if "oolong" in asked.prompt else "I do not know."}

    guild = discord_server.add_guild("Friends", members=("alice", "bob"))
    lines: list[str] = []
    async with (
        model_that_says(recall) as gemini,
        running_bot(
            discord_server, database, gemini_api_key="x", gemini_base_url=gemini.url, web_port=0
        ) as bot,
        serving(bot.keepsake, tell=lines.append),
    ):
        told = await guild.say("alice", "general", "Bot, remember that my favourite tea is oolong")
        assert (await discord_server.answer_to(told)).text.startswith("Remembered")
        asked = await guild.say("alice", "general", "Bot, which tea should I buy today?")
        assert (await discord_server.answer_to(asked)).text == "It is oolong."

        link = next(word for line in lines for word in line.split() if "/enter?" in word)
        async with browsing(link.partition("/enter")[0]) as browser:
            page = browser.pages[0]
            await page.goto(link)
            await page.get_by_role("link", name="Friends").click()
            await page.get_by_label("A part of a name").fill("ALI")
            await page.get_by_role("button", name="Find").click()
            await expect(page.get_by_role("link", name="bob")).to_have_count(0)
            await page.get_by_role("link", name="alice").click()
            fact = page.get_by_role("listitem").filter(has_text="oolong").first
            await fact.get_by_text("Forget", exact=False).first.click()
            await fact.get_by_role("button", name="Forget this fact").click()
            await expect(page.get_by_role("status")).to_contain_text("The fact is forgotten")
            await expect(page.get_by_text("oolong")).to_have_count(0)
            await page.reload()
            await expect(page.get_by_text("oolong")).to_have_count(0)

        again = await guild.say("alice", "general", "Bot, which tea should I buy today?")
        assert (await discord_server.answer_to(again)).text == "I do not know."


async def wrong_on(page: Page, axe: Axe, place: str) -> Sequence[str]:
    """Return what keeps somebody from using the page that is open: light at a desk, and dark on a phone."""
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    wrong = []
    for dark, (width, height) in ((False, DESK), (True, PHONE)):
        await page.emulate_media(color_scheme="dark" if dark else "light")
        await page.set_viewport_size({"width": width, "height": height})
        found = (await axe.run(page)).response["violations"] if not dark or place in DARK else ()
        wrong += [
            f"{width}: {one['id']}: {node['target']} {node['failureSummary']}"
            for one in found
            if one["impact"] in GRAVE
            for node in one["nodes"]
        ]
        wider = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
        wrong += [f"{wider} pixels wider than {width}"] if wider > 0 else []
    return wrong


async def delete_by_the_keyboard(page: Page) -> None:
    """Delete a memory of the channel's page that is open with keys alone."""
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator("main")).to_be_focused()
    for _ in range(20):
        await page.keyboard.press("Tab")
        if await page.locator("summary:focus", has_text="Delete: ").count():
            break
    await page.keyboard.press("Enter")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("status")).to_contain_text("The memory is deleted")


async def test_nothing_keeps_anybody_from_using_a_page(database: Database, clock: SetClock) -> None:
    """One browser for all of it: to start one, and a life to look at, takes longer than most looks."""
    axe = Axe()
    errors: list[str] = []
    async with (
        home(database, clock, model_prices="google:gemini-2.5-flash=0.30/2.50/0.03") as served,
        browsing(served.url) as browser,
    ):
        page = browser.pages[0]
        page.on("console", lambda told: errors.append(told.text) if told.type == "error" else None)
        await page.goto("/login")
        wrong = {"/login": await wrong_on(page, axe, "/login")}
        await page.goto(served.link)
        wrong["nothing kept"] = await wrong_on(page, axe, "nothing kept")
        await live_for_a_month(served)
        for place in PLACES:
            if place not in ALIKE:
                await page.goto(place)
                wrong[place] = await wrong_on(page, axe, place)
        await page.goto(OF_GENERAL)
        await delete_by_the_keyboard(page)
    assert {place: found for place, found in wrong.items() if found} == {}
    # The policy refused nothing that a page needs; a page that says that nothing is there is a 404.
    assert [one for one in errors if "404" not in one] == []
