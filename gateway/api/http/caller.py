"""The caller of a request: its API key, and the headers for timeout, policy and verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from hmac import compare_digest
from typing import Any, cast

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.types import Guard

from gateway.audit.request_record import RequestRecord, current_record
from gateway.core.answer import Usage
from gateway.core.request import Caller
from gateway.errors import AuthenticationError, InvalidRequestError
from gateway.keys import Admission, ApiKey, KeyMeter
from gateway.keys.api_key import TENANT_DIGITS, key_digest
from gateway.service.model_pool import Entry, ModelPool
from gateway.service.model_service import ModelService
from gateway.service.request.limits import check_timeout
from gateway.service.shared import Shared


def require_key(shared: Shared) -> Guard:
    """Return a guard that accepts the server's keys, in either header that clients use, and holds each to its limits.

    Requests with POST are admitted and counted; `close_admission` ends them.
    """

    async def guard(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
        await shared.keys.refresh()
        key = shared.keys.find(_digest_of(connection))
        if key is None:
            raise AuthenticationError("this server wants an API key, and none of its own was sent")
        meter, scope = shared.meters.of(key), cast(dict[str, Any], connection.scope)
        scope[_KEY] = key, meter
        if scope.get("method") == "POST":
            admission = Admission(key, meter)
            scope[_ADMISSION] = admission
            current_record().admission = admission

    return guard


OWNER_KEY = "portcullis.owner"
"""Scope entry of requests that are lines of a batch: digest of the key that owns it, in place of a key."""


def require_operator_key(key: str, setting: str) -> Guard:
    """Return a guard that accepts this key alone, compared in constant time."""
    expected = key_digest(key)

    def guard(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
        if not compare_digest(_digest_of(connection), expected):
            raise AuthenticationError(f"{connection.scope['path']} wants the key of {setting} as bearer token")

    return guard


_KEY_PROTOCOL = "openai-insecure-api-key."
CACHE_HEADER = b"x-portcullis-cache"

_KEY = "portcullis.key"
_ADMISSION = "portcullis.admission"


def key_in(scope: Mapping[str, Any]) -> tuple[ApiKey, KeyMeter] | None:
    """Return the key of a request and its meter; None where the server asks for none."""
    return scope.get(_KEY)


def models_by_name(connection: ASGIConnection[Any, Any, Any, Any], pool: ModelPool) -> dict[str, Entry]:
    """Return the models that the caller's key may use, under each of their names."""
    found = key_in(connection.scope)
    allowed = found[0].limits.models if found is not None else ()
    names = {name: entry for entry in pool.entries for name in entry.served.names}
    return {name: entry for name, entry in names.items() if not allowed or name in allowed}


def admission_in(scope: Mapping[str, Any]) -> Admission | None:
    """Return the admission of a request; None where it was not admitted, or is not counted."""
    return scope.get(_ADMISSION)


async def add_limit_headers(message: Any, scope: Any) -> None:
    """Add the headers about the key's limits to the reply of an admitted request."""
    if message["type"] == "http.response.start" and (admission := admission_in(scope)) is not None:
        added = [(name.encode(), value.encode()) for name, value in admission.headers().items()]
        message["headers"] = [*message["headers"], *added]


async def add_cache_header(message: Any, scope: Any) -> None:
    """Say in the reply to a request that could be cached if its response was."""
    if message["type"] == "http.response.start" and (result := current_record().cached) is not None:
        message["headers"] = [*message["headers"], (CACHE_HEADER, result.encode())]


def close_admission(scope: Any, record: RequestRecord, reply: object) -> None:
    """End the admission of a request that is over, or whose client has gone, and count its tokens for the key."""
    if (admission := admission_in(scope)) is not None:
        usage = Usage() if record.usage is None else record.usage()
        admission.close(usage.prompt_tokens + usage.companion_tokens, usage.completion_tokens)


def tenant_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Return the digest that identifies the key below this layer; the key itself goes no further."""
    return _digest_of(connection)[:TENANT_DIGITS]


def tenant_if_brought(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Return the digest of the key that was sent, valid or not; empty without one."""
    return tenant_of(connection) if connection.scope.get(OWNER_KEY) or _brought(connection) else ""


def digest_in(connection: ASGIConnection[Any, Any, Any, Any], service: ModelService) -> str:
    """Return the digest of the key of a request; empty where the server has no keys."""
    return "" if service.shared.keys.is_empty else _digest_of(connection)


def _digest_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    owner = connection.scope.get(OWNER_KEY)
    if owner is not None:
        return str(owner)
    # Header bytes reach us as Latin-1; encoding them back gives what was sent.
    return sha256(_brought(connection).encode("latin-1")).hexdigest()


def _brought(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    scheme, _, key = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and key:
        return key.strip()
    return connection.headers.get("x-api-key") or key_of_protocols(connection) or ""


def key_of_protocols(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """Return the key among the subprotocols of a WebSocket, where browsers, which cannot set headers, put it."""
    names = cast(Sequence[str], connection.scope.get("subprotocols") or ())
    return next((name.removeprefix(_KEY_PROTOCOL) for name in names if name.startswith(_KEY_PROTOCOL)), None)


TIMEOUT_HEADERS = ("x-stainless-read-timeout", "x-stainless-timeout")
"""Headers with the `timeout` of OpenAI's and Anthropic's clients in Python and TypeScript, in seconds."""

POLICY_HEADER = "x-portcullis-policy"
"""Names a policy, in every dialect."""

VERDICT_HEADER = "x-portcullis-verdict"
"""Header that asks for the verdict, with `1` or `true`, in every dialect."""

_FLAGS = {"1": True, "true": True, "0": False, "false": False}
_UNSAID = frozenset({"", "none", "not_given", "null", "undefined"})
"""Values that these clients send without a timeout."""


def tenant_in(connection: ASGIConnection[Any, Any, Any, Any], service: ModelService) -> str:
    """Return the tenant of a request; empty where the server has no keys."""
    return "" if service.shared.keys.is_empty else tenant_of(connection)


def caller_of(connection: ASGIConnection[Any, Any, Any, Any], service: ModelService, *, is_streamed: bool) -> Caller:
    """Return the tenant, the client's timeout, the policy that a header names, and whether the verdict is asked for.

    A client's read timeout is the longest silence that it bears. A whole answer comes after one silence; a stream is
    never silent for long, so its length is not bounded by it.

    Raises:
        InvalidRequestError: A header says neither a time nor yes or no, as it should; names it.
    """
    tenant = tenant_in(connection, service)
    timeout_s = None if is_streamed else _timeout_s(connection)
    policy, flag = connection.headers.get(POLICY_HEADER), connection.headers.get(VERDICT_HEADER, "0")
    wants_verdict = _FLAGS.get(flag.lower())
    if wants_verdict is None:
        raise InvalidRequestError(f"{VERDICT_HEADER} must be 1 or 0", param=VERDICT_HEADER)
    is_batch = OWNER_KEY in connection.scope
    return Caller(tenant=tenant, timeout_s=timeout_s, policy=policy, wants_verdict=wants_verdict, is_batch=is_batch)


def _timeout_s(connection: ASGIConnection[Any, Any, Any, Any]) -> float | None:
    found = []
    for name in TIMEOUT_HEADERS:
        text = connection.headers.get(name)
        if text is None or text.lower() in _UNSAID:
            continue
        try:
            seconds = float(text)
        except ValueError:
            raise InvalidRequestError(f"{name} must be a number of seconds", param=name) from None
        if seconds == 0:  # a part of a second, as some of them cut it
            continue
        check_timeout(seconds, name)
        found.append(seconds)
    return min(found, default=None)
