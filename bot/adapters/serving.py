"""Runs the web server if it is enabled; otherwise nothing of it, nor of its packages, is loaded."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Final

from bot.chat.keepsake import Keepsake
from bot.core.errors import SettingsError

_PACKAGES: Final = frozenset({"fastapi", "opentelemetry", "prometheus_client", "starlette", "uvicorn"})
"""What the extras `web` and `metrics` bring."""


@contextmanager
def packages_of(extra: str, *, needed_by: str) -> Iterator[None]:
    """Say in one sentence that the packages of an extra are missing, if an import inside fails by that.

    `needed_by` begins the sentence. Raises `SettingsError`.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _PACKAGES:
            raise
        raise SettingsError(
            f"{needed_by} packages that are not installed: pip install 'keepsake-bot[{extra}]'"
        ) from error


@asynccontextmanager
async def serving_web(keepsake: Keepsake) -> AsyncIterator[None]:
    """Serve the web part until this ends. Raises `SettingsError` if it cannot be, or its packages are missing."""
    with packages_of("web", needed_by="the web part needs"):
        from bot.adapters.web import running
    async with running.serving(keepsake):
        yield


@asynccontextmanager
async def exporting_figures(keepsake: Keepsake) -> AsyncIterator[None]:
    """Send figures and traces to the collector of the settings until this ends.

    Raises `SettingsError` if packages are missing.
    """
    with packages_of("metrics", needed_by="OTEL_EXPORTER_OTLP_ENDPOINT needs"):
        from bot.adapters.monitoring import exporting
    async with exporting.figures_of(keepsake):
        yield
