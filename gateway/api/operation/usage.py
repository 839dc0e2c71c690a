"""`/v1/usage`: use of the caller's API key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from litestar import Request, Response, Router, get
from litestar.types import ControllerRouterHandler, Guard
from msgspec import Struct

from gateway.api.fallback import respond
from gateway.api.http.caller import key_in
from gateway.api.http.json_response import json_response
from gateway.api.http.openapi import replies
from gateway.api.openai.envelope import FAILURES
from gateway.errors import NotServedError
from gateway.keys import KeyLimits
from gateway.keys.use import Use


class KeyUsage(Struct, kw_only=True):
    """Use of a key today (UTC) and in the last 60 seconds."""

    name: str
    running: int
    minute: Use
    today: Use
    limits: KeyLimits


@get(
    "/usage",
    summary="Return the requests and tokens of the caller's key",
    tags=["Operation"],
    responses=replies(KeyUsage, FAILURES, 400, 401, 403),
    sync_to_thread=False,
)
def get_usage(request: Request[Any, Any, Any]) -> Response[Any]:
    """Return the use of the key that the request was sent with."""
    found = key_in(request.scope)
    if found is None:
        raise NotServedError("this server asks for no API key, so it counts no use of any")
    key, meter = found
    return json_response(
        KeyUsage(
            name=key.name, running=meter.num_running, minute=meter.minute(), today=meter.today(), limits=key.limits
        )
    )


def routers(guards: Sequence[Guard]) -> list[Router]:
    """Return the router of this route, behind the guards."""
    handlers: list[ControllerRouterHandler] = [get_usage]
    return [Router(path="/v1", route_handlers=handlers, guards=guards, exception_handlers={Exception: respond})]
