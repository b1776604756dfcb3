"""Draw the pictures of `docs/images/`: `python -m tests.adapters.web.screenshots`."""

import asyncio
import tempfile
from pathlib import Path
from typing import Final

from playwright.async_api import BrowserContext

from bot.core.clock import SetClock
from bot.db.pool import Database
from bot.memory.rights.access.records import AccessScope
from tests.adapters.web.homes import ALICE, GENERAL, GUILD, NOON, home
from tests.adapters.web.pages.browsers import DESK, PHONE, browsing
from tests.adapters.web.pages.life import live_for_a_month
from tests.databases import Servers

_IMAGES: Final = Path(__file__).parents[3] / "docs" / "images"

_PAGES: Final = {
    "overview": "/",
    "server": f"/guilds/{GUILD}",
    "member": f"/guilds/{GUILD}/members/{ALICE}",
    "channel": f"/guilds/{GUILD}/channels/{GENERAL}",
}

_HEIGHT: Final = 1000
"""Pixels of a picture at most: it shows what the page is like, not all of it."""


def main() -> None:
    """Draw all pages light on a desk, and two of them dark on a phone."""
    _IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        # The account that runs the server passes through it.
        Path(folder).chmod(0o755)
        asyncio.run(_draw_in(Path(folder)))


async def _draw_in(folder: Path) -> None:
    servers = Servers(folder)
    try:
        async with servers.shared(18) as shared:
            await _draw(Database(shared.pool))
    finally:
        await servers.stop()


async def _draw(database: Database) -> None:
    prices = "google:gemini-2.5-flash=0.30/2.50/0.03"
    async with home(database, SetClock(NOON), model_prices=prices) as served:
        await live_for_a_month(served)
        token = await served.keepsake.memory.access.create_token("laptop", AccessScope.WRITE)
        async with browsing(served.url) as browser:
            await _enter(browser, token)
            for name, path in _PAGES.items():
                await _shot(browser, path, name, DESK)
        async with browsing(served.url, size=PHONE, dark=True) as browser:
            await _enter(browser, token)
            await _shot(browser, _PAGES["member"], "member-phone", PHONE)
            await _shot(browser, _PAGES["overview"], "overview-phone", PHONE)


async def _enter(browser: BrowserContext, token: str) -> None:
    page = await browser.new_page()
    await page.goto("/login")
    await page.get_by_label("Token").fill(token)
    await page.get_by_role("button", name="Log in").click()
    await page.close()


async def _shot(browser: BrowserContext, path: str, name: str, size: tuple[int, int]) -> None:
    page = await browser.new_page()
    await page.goto(path)
    await page.screenshot(
        path=_IMAGES / f"{name}.png",
        full_page=True,
        clip={"x": 0, "y": 0, "width": size[0], "height": _HEIGHT},
    )
    await page.close()


if __name__ == "__main__":
    main()
