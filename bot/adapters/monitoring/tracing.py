"""Traces, sent to a collector by OTLP over HTTP; needs the OpenTelemetry SDK. Errors are reported only by their type,
since their text may quote what people said.
"""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import ALWAYS_ON
from opentelemetry.trace import Span as ExportedSpan
from opentelemetry.trace import SpanKind as ExportedKind
from opentelemetry.trace import Status, StatusCode, get_current_span, set_span_in_context

from bot import __version__
from bot.core.metering import NO_SPAN, Span, SpanAttributes, SpanKind, SpanPlace

_ENDING_SECONDS: Final = 1.0
"""Real seconds that the last batch gets."""

_NO_PARENT: Final = Context()

_INSIDE: Final[ContextVar[Context]] = ContextVar("inside", default=_NO_PARENT)
"""What begins now begins inside this. Libraries that trace by themselves have their own, and change nothing here."""

_KINDS: Final = {"internal": ExportedKind.INTERNAL, "client": ExportedKind.CLIENT}


class _Span:
    """A span that is exported when it is over."""

    def __init__(self, exported: ExportedSpan) -> None:
        self._exported = exported
        self._is_failed = False

    def put(self, attributes: SpanAttributes) -> None:
        """Add what is known of it by now."""
        self._exported.set_attributes(attributes)

    def failed(self, kind: str) -> None:
        """Note that it failed, and how, unless that is known already."""
        if not self._is_failed:
            self._is_failed = True
            self._exported.set_attribute("error.type", kind)
            self._exported.set_status(Status(StatusCode.ERROR))


class Traces:
    """The traces of one process, sent in batches by a thread of their own."""

    def __init__(self, endpoint: str, about: Resource) -> None:
        """`endpoint` is the address of a collector; `about` is sent with every batch."""
        exporter = OTLPSpanExporter(endpoint=f"{endpoint.rstrip('/')}/v1/traces")
        self._provider = TracerProvider(ALWAYS_ON, about, shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("keepsake", __version__)

    async def stop(self) -> None:
        """End; what was not exported yet is exported, if that is possible soon."""
        # A collector that is away is tried again for longer than anybody waits, so the thread is left behind then.
        ending = threading.Thread(target=self._provider.shutdown, name="end of traces", daemon=True)
        ending.start()
        await asyncio.to_thread(ending.join, _ENDING_SECONDS)

    @contextmanager
    def span(
        self, name: str, attributes: SpanAttributes, *, kind: SpanKind, place: SpanPlace
    ) -> Iterator[Span]:
        """Make a span that lasts as long as this does."""
        around = _NO_PARENT if place == "anew" else _INSIDE.get()
        # What goes on behind, long after that in which it was begun, is none of it.
        if place == "only inside" and not get_current_span(around).is_recording():
            yield NO_SPAN
            return
        exported = self._tracer.start_span(name, around, _KINDS[kind], attributes)
        span = _Span(exported)
        token = _INSIDE.set(set_span_in_context(exported, _NO_PARENT))
        try:
            yield span
        except BaseException as error:
            span.failed(type(error).__name__)
            raise
        finally:
            _INSIDE.reset(token)
            exported.end()
