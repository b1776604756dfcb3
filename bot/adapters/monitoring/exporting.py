"""Exports metrics: to scrapers, and by OTLP to a collector if one is set; needs the OpenTelemetry SDK."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Final

from opentelemetry.exporter.prometheus import PrometheusMetricReader
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import MetricReader, PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from bot import __version__
from bot.adapters.monitoring.metrics import Gauges, Instruments
from bot.adapters.serving import packages_of
from bot.chat.keepsake import Keepsake
from bot.core.errors import DatabaseError
from bot.core.log import error_kind
from bot.db.signs import rest
from bot.llm.budget import parse_prices

if TYPE_CHECKING:
    from bot.adapters.monitoring.tracing import Traces

logger = logging.getLogger(__name__)


SCRAPED_TYPE: Final = CONTENT_TYPE_LATEST

READ_SECONDS: Final = 10.0
"""Real seconds for which gauges show what was read: however many scrape, the database is asked no more often."""

PUSHED_SECONDS: Final = 30.0
"""Real seconds between two exports by OTLP."""


class Figures:
    """The figures of one process."""

    def __init__(
        self,
        keepsake: Keepsake,
        *,
        endpoint: str | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """`endpoint` is the address of a collector that takes OTLP over HTTP; it gets traces too."""
        self._keepsake = keepsake
        self._monotonic = monotonic
        self._registry = CollectorRegistry()
        readers: list[MetricReader] = [
            PrometheusMetricReader(
                disable_target_info=True, scope_info_enabled=False, registry=self._registry
            )
        ]
        # Nothing of the environment is told, such as the name of the machine or of the user.
        about = Resource({"service.name": "keepsake", "service.version": __version__})
        self._traces: Traces | None = None
        if endpoint is not None:
            with packages_of("metrics", needed_by="OTEL_EXPORTER_OTLP_ENDPOINT needs"):
                readers.append(_pushing(endpoint))
                self._traces = _traces(endpoint, about)
        self._provider = MeterProvider(readers, about, shutdown_on_exit=False)
        self._instruments = Instruments(
            self._provider.get_meter("keepsake", __version__),
            prices=parse_prices(keepsake.settings.model_prices or ""),
        )
        self._reading = asyncio.Lock()
        self._read_at: float | None = None

    def start(self) -> None:
        """Begin to count, and to trace if there is a collector."""
        self._keepsake.meter.attach(self._instruments.note)
        if self._traces is not None:
            self._keepsake.meter.tracer = self._traces

    async def stop(self) -> None:
        """End; what was counted or traced and not exported yet is exported, if that is possible soon."""
        self._keepsake.meter.detach(self._instruments.note)
        if self._traces is not None:
            self._keepsake.meter.tracer = None
            await self._traces.stop()
        await asyncio.to_thread(self._provider.shutdown, 1_000)

    async def scraped(self) -> bytes:
        """Return all figures in the form of Prometheus. While the database is away gauges show what was read last."""
        await self.refresh()
        return generate_latest(self._registry)

    async def refresh(self) -> None:
        """Read what the gauges show, unless it was read a few seconds ago."""
        async with self._reading:
            if self._read_at is not None and self._monotonic() - self._read_at < READ_SECONDS:
                return
            self._read_at = self._monotonic()
            models = self._keepsake.models
            try:
                counts = await self._keepsake.memory.installation.counts(now=self._keepsake.now())
                energies = {} if models is None else await models.energies()
            except DatabaseError as error:
                logger.warning("figures of the database are old: %s", error_kind(error))
                return
            self._instruments.read(Gauges(counts=counts, energies=energies))

    async def keep_fresh(self) -> None:
        """Read the values of the gauges repeatedly, for a collector that metrics are pushed to."""
        while True:
            await self.refresh()
            await rest(PUSHED_SECONDS)


@asynccontextmanager
async def figures_of(keepsake: Keepsake) -> AsyncIterator[Figures]:
    """Count what happens in `keepsake` until this ends, and export it if the settings name a collector."""
    endpoint = keepsake.settings.otel_exporter_otlp_endpoint
    figures = Figures(keepsake, endpoint=endpoint)
    async with AsyncExitStack() as stack:
        figures.start()
        stack.push_async_callback(figures.stop)
        if endpoint is not None:
            keepsake.services.start("figures", figures.keep_fresh)
            stack.push_async_callback(keepsake.services.stop, figures.keep_fresh)
        yield figures


def _traces(endpoint: str, about: Resource) -> "Traces":
    from bot.adapters.monitoring.tracing import Traces

    return Traces(endpoint, about)


def _pushing(endpoint: str) -> MetricReader:
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter

    return PeriodicExportingMetricReader(
        OTLPMetricExporter(endpoint=f"{endpoint.rstrip('/')}/v1/metrics"),
        export_interval_millis=PUSHED_SECONDS * 1_000,
    )
