"""A collector that is sent metrics and traces by OTLP over HTTP, on this machine."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import Span


class Collector:
    """What was sent."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.metrics: list[ExportMetricsServiceRequest] = []
        self.traces: list[ExportTraceServiceRequest] = []

    def take(self, path: str, body: bytes) -> None:
        """Take one request."""
        match path:
            case "/v1/metrics":
                self.metrics.append(ExportMetricsServiceRequest.FromString(body))
            case "/v1/traces":
                self.traces.append(ExportTraceServiceRequest.FromString(body))
            case _:
                raise AssertionError(f"a collector knows no {path}")

    @property
    def resources(self) -> Sequence[Resource]:
        """What every request says of who sends it."""
        return [
            *(one.resource for request in self.metrics for one in request.resource_metrics),
            *(one.resource for request in self.traces for one in request.resource_spans),
        ]

    @property
    def spans(self) -> Sequence[Span]:
        """All spans, in the order of their beginning."""
        spans = [
            span
            for request in self.traces
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]
        return sorted(spans, key=lambda span: span.start_time_unix_nano)


@contextmanager
def collecting() -> Iterator[Collector]:
    """Run a collector."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            collector.take(self.path, self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    collector = Collector(f"http://127.0.0.1:{server.server_address[1]}")
    serving = threading.Thread(target=server.serve_forever)
    serving.start()
    try:
        yield collector
    finally:
        server.shutdown()
        serving.join()
        server.server_close()
