"""Serving the web part where it is wanted: nothing of it, nor of the packages that it needs, is loaded otherwise."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from bot.chat.keepsake import Keepsake
from bot.core.errors import SettingsError

_PACKAGES: Final = frozenset({"fastapi", "opentelemetry", "prometheus_client", "starlette", "uvicorn"})
"""What the extra `web` brings."""


@asynccontextmanager
async def serving_web(keepsake: Keepsake) -> AsyncIterator[None]:
    """Serve the web part until this ends. Raises `SettingsError` if it cannot be, or its packages are missing."""
    try:
        from bot.adapters.web import running
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _PACKAGES:
            raise
        raise SettingsError(
            "the web part needs packages that are not installed: pip install 'keepsake-bot[web]'"
        ) from error
    async with running.serving(keepsake):
        yield


@asynccontextmanager
async def exporting_figures(keepsake: Keepsake) -> AsyncIterator[None]:
    """Send figures to the collector of the settings until this ends. Raises `SettingsError` if packages are missing."""
    try:
        from bot.adapters.monitoring import exporting
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _PACKAGES:
            raise
        raise SettingsError(
            "OTEL_EXPORTER_OTLP_ENDPOINT needs packages that are not installed: pip install 'keepsake-bot[metrics]'"
        ) from error
    async with exporting.figures_of(keepsake):
        yield
