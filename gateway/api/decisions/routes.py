"""The routes, behind the keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from litestar import Request, Response, Router, post
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.types import ControllerRouterHandler, Guard

from gateway.api.caller import caller_of
from gateway.api.decisions import openai, systemone
from gateway.api.decisions.bodies import Decision, SystemOneReply
from gateway.api.decisions.requests import DecisionsBody, SystemOneBody
from gateway.api.decode import converted, decode
from gateway.api.disconnect import while_connected
from gateway.api.identity import Identity
from gateway.api.openai.documents import FAILURES
from gateway.api.openai.envelope import respond
from gateway.api.operations import operation
from gateway.api.whole import whole
from gateway.service import Service


@post(
    "/decisions",
    status_code=200,
    summary="Answer typed questions about an input",
    tags=["Decisions"],
    operation_class=operation(DecisionsBody),
    responses={200: ResponseSpec(Decision, generate_examples=False), **FAILURES},
)
async def create_decision(request: Request[Any, Any, Any], service: NamedDependency[Service]) -> Response[bytes]:
    """How likely the model finds each allowed answer; nothing is written, and nothing is drawn."""
    body = decode(DecisionsBody, data := await request.body())
    caller = caller_of(request, service, is_streamed=False)
    model = service.model.resolve(body.model)
    asked = await converted(openai.decision_request, body, num_bytes=len(data))
    weights = await while_connected(request, service.decide(asked, caller))
    return whole(openai.decision(model, body, weights))


@post(
    "/systemone",
    status_code=200,
    summary="Answer typed questions about a state",
    tags=["Decisions"],
    operation_class=operation(SystemOneBody),
    responses={200: ResponseSpec(SystemOneReply, generate_examples=False), **FAILURES},
)
async def create_systemone(request: Request[Any, Any, Any], service: NamedDependency[Service]) -> Response[bytes]:
    """The same in the shape that vLLM and transformers have it."""
    body = decode(SystemOneBody, data := await request.body())
    caller = caller_of(request, service, is_streamed=False)
    identity = Identity.new("decision", service.model.resolve(body.model))
    asked = await converted(systemone.decision_request, body, num_bytes=len(data))
    weights = await while_connected(request, service.decide(asked, caller))
    return whole(systemone.reply(identity, body, weights))


def routers(guards: Sequence[Guard]) -> list[Router]:
    """The routes, for those whom the guards let in."""
    handlers: list[ControllerRouterHandler] = [create_decision, create_systemone]
    return [Router(path="/v1", route_handlers=handlers, guards=guards, exception_handlers={Exception: respond})]
