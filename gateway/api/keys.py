"""Who is let in."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.types import Guard

from gateway.errors import AuthenticationError


def require_key(api_keys: Callable[[], tuple[str, ...]]) -> Guard:
    """A guard that lets in whoever brings one of the keys of that time, in either of the headers that clients use.

    All keys are compared, by digest and in constant time, so the time taken says nothing about any of them.
    """
    digests = lru_cache(maxsize=1)(_digests)

    async def guard(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
        # Header bytes reach us as Latin-1; encoding them back gives what was sent.
        brought = sha256(_brought(connection).encode("latin-1")).digest()
        matches = [hmac.compare_digest(brought, digest) for digest in digests(api_keys())]
        if not any(matches):
            raise AuthenticationError("this server wants an API key, and none of its own was sent")

    return guard


def _digests(keys: Sequence[str]) -> list[bytes]:
    return [sha256(key.encode()).digest() for key in keys]


def tenant_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """What stands for the caller's key wherever work is shared out: a digest, so that no key goes beyond this layer."""
    return sha256(_brought(connection).encode("latin-1")).hexdigest()[:32]


def tenant_if_brought(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """The same, of whatever key came, ours or not; nothing where none did."""
    return tenant_of(connection) if _brought(connection) else ""


def _brought(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    scheme, _, key = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and key:
        return key.strip()
    return connection.headers.get("x-api-key", "")
