"""Is the process alive, is the model ready. No key is needed, nothing is told."""

from __future__ import annotations

from litestar import get, head
from litestar.di import NamedDependency

from gateway.errors import NotReadyError
from gateway.service import Service

UNRECORDED = frozenset({"/health", "/metrics", "/ping", "/ready"})
"""Whoever watches a server asks all the time, and is told nothing of anybody: no record, no span."""


@get("/health", summary="Check that the server lives", tags=["Operation"], sync_to_thread=False)
def health() -> dict[str, str]:
    """The process answers."""
    return {"status": "ok"}


@get("/ping", summary="Check that the server lives", tags=["Operation"], sync_to_thread=False)
def ping() -> dict[str, str]:
    """The same as `/health`, where SageMaker and TGI's clients look for it."""
    return {"status": "ok"}


@head(["/health", "/ping"], summary="Check that the server lives", tags=["Operation"], sync_to_thread=False)
def is_alive() -> None:
    """The same, of which only the status is asked."""


@get("/ready", summary="Check that the server is ready", tags=["Operation"], sync_to_thread=False)
def ready(service: NamedDependency[Service]) -> dict[str, str]:
    """The model is loaded, the engine runs, and requests are let in; 503 otherwise."""
    if service.trouble:
        raise NotReadyError(service.trouble)
    return {"status": "ready", "model": service.model.name}


@head("/ready", summary="Check that the server is ready", tags=["Operation"], sync_to_thread=False)
def is_ready(service: NamedDependency[Service]) -> None:
    """The same, of which only the status is asked."""
    ready.fn(service)
