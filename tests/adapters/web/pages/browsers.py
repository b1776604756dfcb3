"""A real Chromium without a window, driven by Playwright: that of `scripts/install_chromium.sh`."""

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from playwright.async_api import BrowserContext, async_playwright

PHONE: Final = (375, 667)
DESK: Final = (1280, 800)
"""CSS pixels of the window."""

NEEDED: Final = "BROWSER_TESTS_NEEDED"
"""A variable of the environment: whoever sets it wants a failure where no Chromium is installed."""

_FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def chromium() -> Path:
    """Return where Chromium is; skips the test where it is not, or fails it if it is needed."""
    found = shutil.which("chromium")
    if found is None:
        told = "no Chromium is installed: scripts/install_chromium.sh installs it where there is apt"
        if os.environ.get(NEEDED):
            pytest.fail(told)
        pytest.skip(told)
    return Path(found)


@asynccontextmanager
async def browsing(
    url: str, *, size: tuple[int, int] = DESK, dark: bool = False
) -> AsyncIterator[BrowserContext]:
    """Run a browser whose addresses are those of the server at `url`, with nothing in it from before."""
    executable = chromium()
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
