"""`/v1/policies`: policies that a request may choose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from litestar import Request, Response, Router, get
from litestar.di import NamedDependency
from litestar.types import ControllerRouterHandler, Guard
from msgspec import Struct

from gateway.api.fallback import respond
from gateway.api.http.caller import tenant_in
from gateway.api.http.json_response import json_response
from gateway.api.http.openapi import replies
from gateway.api.openai.envelope import FAILURES
from gateway.service import Service


class PolicyOut(Struct, kw_only=True):
    """A policy that requests may name."""

    id: str
    object: Literal["policy"] = "policy"


class PolicyList(Struct, kw_only=True):
    """The reply of `GET /v1/policies`. `default` is the policy of requests that name none; null without policies."""

    object: Literal["list"] = "list"
    default: str | None
    data: list[PolicyOut]


@get(
    "/policies",
    summary="List the policies that a request may choose",
    tags=["Operation"],
    responses=replies(PolicyList, FAILURES, 401, 403),
    sync_to_thread=False,
)
def list_policies(request: Request[Any, Any, Any], service: NamedDependency[Service]) -> Response[Any]:
    """Return the names of the policies that the caller's key may choose, and its default."""
    choice = service.moderator.choice(tenant_in(request, service))
    names = () if choice is None else choice.allowed
    default = None if choice is None else choice.default
    return json_response(PolicyList(default=default, data=[PolicyOut(id=name) for name in names]))


def routers(guards: Sequence[Guard]) -> list[Router]:
    """Return the router of this route, behind the guards."""
    handlers: list[ControllerRouterHandler] = [list_policies]
    return [Router(path="/v1", route_handlers=handlers, guards=guards, exception_handlers={Exception: respond})]
