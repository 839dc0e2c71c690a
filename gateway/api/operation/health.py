"""Liveness and readiness routes. They need no key and reveal nothing about requests."""

from __future__ import annotations

from litestar import get, head
from litestar.di import NamedDependency

from gateway.errors import NotReadyError
from gateway.service.model_pool import ModelPool

UNRECORDED = frozenset({"/health", "/metrics", "/ping", "/ready"})
"""Paths without audit records and spans: monitoring polls them, and they reveal nothing about requests."""


@get("/health", summary="Check that the server lives", tags=["Operation"], sync_to_thread=False)
def health() -> dict[str, str]:
    """Return 200 while the process runs."""
    return {"status": "ok"}


@get("/ping", summary="Check that the server lives", tags=["Operation"], sync_to_thread=False)
def ping() -> dict[str, str]:
    """The same as `/health`, at the path of SageMaker and TGI."""
    return {"status": "ok"}


@head(["/health", "/ping"], summary="Check that the server lives", tags=["Operation"], sync_to_thread=False)
def is_alive() -> None:
    """Return the status of `/health` without a body."""


@get("/ready", summary="Check that the server is ready", tags=["Operation"], sync_to_thread=False)
def ready(pool: NamedDependency[ModelPool]) -> dict[str, str]:
    """Return 200 if requests are accepted: an engine runs, or models are loaded on demand; 503 otherwise."""
    if pool.trouble:
        raise NotReadyError(pool.trouble)
    return {"status": "ready", "model": pool.default().served.name}


@head("/ready", summary="Check that the server is ready", tags=["Operation"], sync_to_thread=False)
def is_ready(pool: NamedDependency[ModelPool]) -> None:
    """Return the status of `/ready` without a body."""
    ready.fn(pool)
