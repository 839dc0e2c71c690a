"""Routes of `/v1/decisions` and `/v1/systemone`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from litestar import Request, Response, Router
from litestar.di import NamedDependency
from litestar.types import ControllerRouterHandler, Guard

from gateway.api.decisions import openai, systemone
from gateway.api.decisions.bodies import Decision, SystemOneReply
from gateway.api.decisions.requests import DecisionsBody, SystemOneBody
from gateway.api.http.caller import caller_of
from gateway.api.http.decode import converted, decode
from gateway.api.http.disconnect import while_connected
from gateway.api.http.json_response import json_response
from gateway.api.http.openapi import json_post, replies
from gateway.api.openai.envelope import FAILURES, respond
from gateway.api.openai.reply_parts import Identity
from gateway.service import Service


@json_post(
    "/decisions", "Answer typed questions about an input", "Decisions", DecisionsBody, replies(Decision, FAILURES)
)
async def create_decision(request: Request[Any, Any, Any], service: NamedDependency[Service]) -> Response[bytes]:
    """Return the probability of each allowed answer; nothing is generated or sampled."""
    body = decode(DecisionsBody, data := await request.body())
    caller = caller_of(request, service, is_streamed=False)
    model = service.model.resolve(body.model)
    asked = await converted(openai.decision_request, body, num_bytes=len(data))
    weights = await while_connected(request, service.decide(asked, caller))
    return json_response(openai.decision(model, body, weights))


@json_post(
    "/systemone", "Answer typed questions about a state", "Decisions", SystemOneBody, replies(SystemOneReply, FAILURES)
)
async def create_systemone(request: Request[Any, Any, Any], service: NamedDependency[Service]) -> Response[bytes]:
    """Return the same as `/v1/decisions` in the format of vLLM and transformers."""
    body = decode(SystemOneBody, data := await request.body())
    caller = caller_of(request, service, is_streamed=False)
    identity = Identity.new("decision", service.model.resolve(body.model))
    asked = await converted(systemone.decision_request, body, num_bytes=len(data))
    weights = await while_connected(request, service.decide(asked, caller))
    return json_response(systemone.reply(identity, body, weights))


def routers(guards: Sequence[Guard]) -> list[Router]:
    """Return the router of these routes, behind the guards."""
    handlers: list[ControllerRouterHandler] = [create_decision, create_systemone]
    return [Router(path="/v1", route_handlers=handlers, guards=guards, exception_handlers={Exception: respond})]
