"""A real Chromium without a window, driven by Playwright: that of the system."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from tempfile import TemporaryDirectory
from typing import Final

from playwright.async_api import BrowserContext, async_playwright

from tests.programs import program

PHONE: Final = (375, 667)
DESK: Final = (1280, 800)
"""CSS pixels of the window."""

_FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@asynccontextmanager
async def browsing(
    url: str, *, size: tuple[int, int] = DESK, dark: bool = False
) -> AsyncIterator[BrowserContext]:
    """Run a browser whose addresses are those of the server at `url`, with nothing in it from before."""
    executable = program("chromium")
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        async with async_playwright() as playwright:
            context = await playwright.chromium.launch_persistent_context(
                profile,
                executable_path=executable,
                headless=True,
                args=list(_FLAGS),
                base_url=url,
                viewport={"width": size[0], "height": size[1]},
                color_scheme="dark" if dark else "light",
                reduced_motion="reduce",
            )
            try:
                yield context
            finally:
                await context.close()
