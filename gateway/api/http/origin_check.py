"""Checks before a handler runs: origin, host and content type of a request."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.types import Guard

from gateway.api.http.cors import ANY_ORIGIN
from gateway.api.http.ignored_fields import collect_ignored_fields
from gateway.api.http.request_ids import set_log_request_id
from gateway.errors import ForbiddenOriginError, RouteNotFoundError, UnsupportedMediaTypeError

Connection = ASGIConnection[Any, Any, Any, Any]
Check = Callable[[Connection], None]
"""Raises if a request is refused."""

_FORM = "application/x-www-form-urlencoded"
_UPLOAD = "multipart/form-data"


def entry(checks: Sequence[Check], *, refuses_unserved: bool = False) -> Guard:
    """Return the guard of all routes: it sets the request id for logging, begins collecting ignored fields, and runs
    the checks."""

    async def guard(connection: Connection, handler: BaseRouteHandler) -> None:
        set_log_request_id(connection.scope)
        collect_ignored_fields(connection.scope, refuses=refuses_unserved)
        for check in checks:
            check(connection)

    return guard


def keep_metrics_apart(port: int) -> Check:
    """Return a check that `/metrics` is asked for at this port, and anything else at another one.

    Raises:
        RouteNotFoundError: It is not there.
    """

    def check(connection: Connection) -> None:
        server = connection.scope.get("server")
        is_at_port = server is not None and server[1] == port
        if is_at_port != (connection.scope["path"] == "/metrics"):
            raise RouteNotFoundError("there is nothing at this path of this port")

    return check


def require_json(connection: Connection) -> None:
    """A body says that it is JSON, or says nothing.

    Any page may send other types to any server, without a browser asking that server before. Ollama's own examples send
    what curl calls every body; a page that did the same would send its origin too.

    Raises:
        UnsupportedMediaTypeError: The content type is not JSON.
    """
    given, packed = connection.headers.get("content-type"), connection.headers.get("content-encoding", "identity")
    if packed.lower() != "identity":
        raise UnsupportedMediaTypeError(f"the body is packed ({packed[:100]!r}); send it as it is")
    if given is None or connection.scope.get("method") not in ("POST", "PUT", "PATCH"):
        return
    kind = given.partition(";")[0].strip().lower()
    if kind == "application/json" or (kind.startswith("application/") and kind.endswith("+json")):
        return
    path, headers = connection.scope["path"], connection.headers
    if kind == _FORM and path.startswith("/api/") and "origin" not in headers:
        return
    # A page cannot send a key without its browser asking before.
    if kind == _UPLOAD and path == "/v1/files" and ("origin" not in headers or "authorization" in headers):
        return
    raise UnsupportedMediaTypeError(f"the content type is {kind[:100]!r}; a body is application/json")


def require_local(allowed_hosts: Sequence[str], allowed_origins: Sequence[str] = ()) -> Check:
    """For a server that listens on this machine alone and asks for no key: it answers to names of this machine, and to
    no page of another site. Any page in a browser here could talk to it otherwise, under a name of its own that leads
    here too.

    Args:
        allowed_hosts: Further names that it answers to.
        allowed_origins: Origins of further pages that it answers; `*` for every one.
    """
    names = frozenset(name.lower() for name in allowed_hosts)
    origins = frozenset(allowed_origins)

    def check(connection: Connection) -> None:
        host, origin = connection.headers.get("host"), connection.headers.get("origin")
        if origin and (ANY_ORIGIN in origins or origin.lower() in origins):
            origin = None
        for header, given in (("Host", host and f"//{host}"), ("Origin", origin)):
            if given and not _is_known(given, names):
                raise ForbiddenOriginError(
                    f"this server asks for no key, and its header {header} names another machine"
                )

    return check


def _is_known(url: str, names: frozenset[str]) -> bool:
    try:
        name = urlsplit(url).hostname or ""
    except ValueError:
        return False
    return name in names or is_local_name(name)


def is_local_name(name: str) -> bool:
    """True if a name or address always means the machine that uses it."""
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
