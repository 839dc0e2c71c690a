"""Export of spans and metrics to a collector over OTLP and HTTP, configured by the variables `OTEL_*`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING

from gateway.errors import ConfigError

if TYPE_CHECKING:
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Tracer

NAME = "portcullis"
"""Of the service, where `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` give it no other, and of the tracer."""


@contextmanager
def tracing(is_wanted: bool) -> Iterator[Tracer | None]:
    """The tracer of this process, if it is wanted. What is not sent yet is when it is left.

    Raises:
        ConfigError: It is wanted, and OpenTelemetry is not installed, or a variable of its is malformed.
    """
    if not is_wanted:
        yield None
        return
    spans, metrics = _providers()
    from opentelemetry.metrics import set_meter_provider

    # Global, as OpenTelemetry has it: what records metrics asks its API for a meter.
    set_meter_provider(metrics)
    try:
        yield spans.get_tracer(NAME, version(NAME))
    finally:
        spans.shutdown()
        metrics.shutdown()


def _providers() -> tuple[TracerProvider, MeterProvider]:
    try:
        from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.metrics import MeterProvider
        from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
        from opentelemetry.sdk.resources import OTELResourceDetector, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise ConfigError(f"server.traces needs OpenTelemetry: pip install 'portcullis[otel]' ({error})") from error
    own = Resource({"service.name": NAME, "service.version": version(NAME)})
    try:
        # Given attributes win over the environment's, so the environment's are given too.
        resource = Resource.create(own.merge(OTELResourceDetector().detect()).attributes)
        provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        reader = PeriodicExportingMetricReader(OTLPMetricExporter())
        metrics = MeterProvider([reader], resource, shutdown_on_exit=False)
    except ValueError as error:
        raise ConfigError(f"OpenTelemetry's settings cannot be used: {error}") from error
    return provider, metrics
