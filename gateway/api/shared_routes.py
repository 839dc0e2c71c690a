"""Routes that several dialects share: the list of models, and SageMaker's `/invocations`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from litestar import Request, Response, Router, get, post
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery
from litestar.types import ControllerRouterHandler, Guard
from msgspec import Struct

from gateway.api.anthropic.models import Listed, model_info, model_page
from gateway.api.anthropic.responses import ModelInfo, ModelPage
from gateway.api.fallback import is_anthropic, respond
from gateway.api.http.caller import models_by_name
from gateway.api.http.decode import decode
from gateway.api.http.json_response import json_response
from gateway.api.http.openapi import FAILURES as STATUSES
from gateway.api.http.openapi import failures, operation
from gateway.api.openai.bodies import ChatCompletion, Completion, ErrorEnvelope, ModelList, ModelOut
from gateway.api.openai.envelope import FAILURES
from gateway.api.openai.envelope import respond as as_openai
from gateway.api.openai.reply_parts import model_list, model_out
from gateway.api.openai.routes import create_chat_completion, create_completion
from gateway.api.tgi.bodies import GenerateReply, TgiError
from gateway.api.tgi.envelope import respond as as_tgi
from gateway.api.tgi.routes import STATUSES as TGI_STATUSES
from gateway.api.tgi.routes import generate_either
from gateway.errors import InvalidRequestError, ModelNotFoundError
from gateway.service import Service
from gateway.service.model_pool import Entry, ModelPool

_EITHER_LIST: Any = ModelList | ModelPage
_EITHER_MODEL: Any = ModelOut | ModelInfo
_LIST = {200: ResponseSpec(_EITHER_LIST, generate_examples=False), 400: FAILURES[400], 401: FAILURES[401]}
_ONE = {200: ResponseSpec(_EITHER_MODEL, generate_examples=False), **{each: FAILURES[each] for each in (400, 401, 404)}}


@get("/models", summary="List the models and their aliases", tags=["OpenAI", "Anthropic"], responses=_LIST)
async def list_models(
    request: Request[Any, Any, Any],
    pool: NamedDependency[ModelPool],
    limit: FromQuery[int] = 20,
    after_id: FromQuery[str | None] = None,
    before_id: FromQuery[str | None] = None,
) -> Response[Any]:
    """Return the names of `model` that the caller's key may use. Parameters and pages are Anthropic's."""
    models = models_by_name(request, pool)
    if not is_anthropic(request):
        return json_response(model_list({name: entry.served for name, entry in models.items()}))
    # Anthropic's client appends brackets to the names of lists.
    stages = [stage for name in ("lifecycle", "lifecycle[]") for stage in request.query_params.getall(name, [])]
    listed = {name: _listed(entry) for name, entry in models.items()}
    return json_response(model_page(listed, limit, after_id, before_id, stages))


@get("/models/{model_id:path}", summary="Return one model", tags=["OpenAI", "Anthropic"], responses=_ONE)
async def get_model(
    request: Request[Any, Any, Any], pool: NamedDependency[ModelPool], model_id: FromPath[str]
) -> Response[Any]:
    """Return the model under a name."""
    # The path parameter begins with the slash before it; hub names contain slashes of their own.
    entry = pool.find(model_id.removeprefix("/"))
    name = entry.served.resolve(model_id.removeprefix("/"))
    if name in entry.served.names and name not in models_by_name(request, pool):
        raise ModelNotFoundError(
            "this API key may not use this model; GET /v1/models lists those it may", param="model"
        )
    if not is_anthropic(request):
        return json_response(model_out(entry.served, name))
    return json_response(model_info(name, _listed(entry)))


def _listed(entry: Entry) -> Listed:
    return Listed(entry.served, entry.description.can_think, entry.description.can_see)


_EITHER: Any = ChatCompletion | Completion | list[GenerateReply]
# In the envelope of the dialect that the body is in.
_FAILURES = failures(cast(Any, ErrorEnvelope | TgiError), TGI_STATUSES | STATUSES)
_IS_TGI = "invocation_is_tgi"


class Invocation(Struct, kw_only=True):
    """A chat (`messages`), a completion (`prompt`), or a TGI request (`inputs`), with further fields."""

    messages: Any = None
    prompt: Any = None
    inputs: Any = None


@post(
    "/invocations",
    status_code=200,
    summary="Chat, completion or TGI request",
    tags=["OpenAI", "TGI"],
    operation_class=operation(Invocation, "events"),
    responses={200: ResponseSpec(_EITHER, generate_examples=False), **_FAILURES},
)
async def invoke(request: Request[Any, Any, Any], service: NamedDependency[Service]) -> Response[Any]:
    """Answer as `/v1/chat/completions`, `/v1/completions` or `/` would."""
    body = decode(Invocation, await request.body())
    request.state[_IS_TGI] = body.inputs is not None
    if body.inputs is not None:
        handler = generate_either
    elif body.messages is not None:
        handler = create_chat_completion
    elif body.prompt is not None:
        handler = create_completion
    else:
        raise InvalidRequestError("send messages, prompt or inputs", param="messages")
    response: Response[Any] = await handler.fn(request, service)
    return response


def _respond(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    return (as_tgi if request.state.get(_IS_TGI) else as_openai)(request, error)


def routers(guards: Sequence[Guard]) -> list[Router]:
    """Return the routers of these routes, behind the guards."""
    models: list[ControllerRouterHandler] = [list_models, get_model]
    return [
        Router(path="/", route_handlers=[invoke], guards=guards, exception_handlers={Exception: _respond}),
        Router(path="/v1", route_handlers=models, guards=guards, exception_handlers={Exception: respond}),
    ]
