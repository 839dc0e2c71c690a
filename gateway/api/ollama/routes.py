"""Routes of Ollama's dialect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from litestar import HttpMethod, Request, Response, Router, get, head, route
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.response import Stream
from litestar.types import ControllerRouterHandler, Guard

from gateway.api.http.caller import caller_of, models_by_name
from gateway.api.http.decode import converted, decode
from gateway.api.http.disconnect import begun, while_connected
from gateway.api.http.json_response import json_response
from gateway.api.http.model_choice import entry_in
from gateway.api.http.openapi import FAILURES, failures, json_post, replies
from gateway.api.http.sse import NO_BUFFERING, stream_events
from gateway.api.ollama.chat import asks_to_load, chat_request, generate_request
from gateway.api.ollama.embeddings import embed, embed_one
from gateway.api.ollama.envelope import ErrorEnvelope, error_line, respond
from gateway.api.ollama.models import API_VERSION, idle_time, model_sheet, model_tags, running_models
from gateway.api.ollama.options import served_name
from gateway.api.ollama.pull import is_served, lines_of, pulled
from gateway.api.ollama.reply import Reply
from gateway.api.ollama.requests import ChatBody, GenerateBody, PullBody, ShowBody
from gateway.api.ollama.responses import (
    ChatReply,
    GenerateReply,
    ModelSheet,
    ModelTags,
    PullStep,
    RunningModels,
    Version,
)
from gateway.core.request import CompletionRequest
from gateway.errors import InvalidRequestError, NotServedError, UnsupportedParameterError
from gateway.service import Service
from gateway.service.model.hub import repository_of
from gateway.service.model_pool import ModelPool
from gateway.service.request.plan import Prepared

_FAILURES = failures(ErrorEnvelope)
CHAT_RESPONSES = replies(ChatReply, _FAILURES)
GENERATE_RESPONSES = replies(GenerateReply, _FAILURES)
SHOW_RESPONSES = replies(ModelSheet, _FAILURES, 400, 401, 403, 404, 413, 415)
TAGS_RESPONSES = replies(ModelTags, _FAILURES, 401)
PS_RESPONSES = replies(RunningModels, _FAILURES, 401)
PULL_RESPONSES = replies(PullStep, _FAILURES, 400, 401, 403, 413, 415)
VERSION_RESPONSES = {200: ResponseSpec(Version, generate_examples=False)}
NOT_SERVED_RESPONSES = failures(ErrorEnvelope, {401: FAILURES[401], 400: "The server changes nothing about its models"})


@json_post("/chat", "Chat", "Ollama", ChatBody, CHAT_RESPONSES, "lines")
async def chat(
    request: Request[Any, Any, Any], service: NamedDependency[Service], pool: NamedDependency[ModelPool]
) -> Response[Any]:
    """Return the next message, constrained by `format` or `tools`; as lines of JSON, or whole."""
    body = decode(ChatBody, data := await request.body())
    reply = Reply(model=body.model, kind="chat")
    idle_s = _keep_alive(request, pool, body)
    if asks_to_load(body):
        return _without_answer(reply, service, pool, idle_s)
    caller = caller_of(request, service, is_streamed=body.stream is not False)
    chat = await converted(chat_request, body, service, num_bytes=len(data))
    prepared = await while_connected(request, service.prepare_chat(chat, caller))
    return await _answered(request, service, reply, prepared, body.stream)


@json_post("/generate", "Complete a prompt", "Ollama", GenerateBody, GENERATE_RESPONSES, "lines")
async def generate(
    request: Request[Any, Any, Any], service: NamedDependency[Service], pool: NamedDependency[ModelPool]
) -> Response[Any]:
    """Return the answer to a prompt, or with `raw` its continuation; as lines of JSON, or whole."""
    body = decode(GenerateBody, await request.body())
    reply = Reply(model=body.model, kind="generate")
    idle_s = _keep_alive(request, pool, body)
    if asks_to_load(body):
        return _without_answer(reply, service, pool, idle_s)
    caller = caller_of(request, service, is_streamed=body.stream is not False)
    asked = generate_request(body, service)
    preparing = (
        service.prepare_completion(asked, caller)
        if isinstance(asked, CompletionRequest)
        else service.prepare_chat(asked, caller)
    )
    return await _answered(request, service, reply, await while_connected(request, preparing), body.stream)


def _keep_alive(request: Request[Any, Any, Any], pool: ModelPool, body: ChatBody | GenerateBody) -> float | None:
    """Set the idle time after which the model is unloaded, and return it; a server of one model keeps it."""
    idle_s = None if body.keep_alive is None else idle_time(body.keep_alive)
    entry = entry_in(request.scope)
    if entry is not None and body.keep_alive is not None:
        entry.unload_after_s = idle_s
    return idle_s


def _without_answer(reply: Reply, service: Service, pool: ModelPool, idle_s: float | None) -> Response[bytes]:
    served_name(service.model, reply.model)
    if idle_s == 0 and pool.is_fixed:
        raise UnsupportedParameterError("keep_alive: the only model is not unloaded", param="keep_alive")
    return json_response(reply.without_answer("unload" if idle_s == 0 else "load"))


async def _answered(
    request: Request[Any, Any, Any], service: Service, reply: Reply, prepared: Prepared, stream: bool | None
) -> Response[Any]:
    """Return the reply; Ollama streams by default."""
    reply.begin()
    # Without a tick: a keep-alive line would be no JSON.
    deltas = service.stream(prepared)
    if stream is False:
        return json_response(await while_connected(request, reply.whole(deltas)))
    lines = reply.lines(await begun(request, deltas))
    return Stream(
        stream_events(lines, error_line), media_type="application/x-ndjson", headers=NO_BUFFERING, status_code=200
    )


@get("/tags", summary="List the models and their aliases", tags=["Ollama"], responses=TAGS_RESPONSES)
async def tags(request: Request[Any, Any, Any], pool: NamedDependency[ModelPool]) -> Response[bytes]:
    """Return the names of `model` that the caller's key may use."""
    return json_response(model_tags(models_by_name(request, pool)))


@get("/ps", summary="List the loaded models", tags=["Ollama"], responses=PS_RESPONSES)
async def ps(pool: NamedDependency[ModelPool]) -> Response[bytes]:
    """Return the loaded models, with the times at which they are unloaded."""
    return json_response(running_models(pool.entries))


@json_post("/show", "Describe a model", "Ollama", ShowBody, SHOW_RESPONSES)
async def show(request: Request[Any, Any, Any], pool: NamedDependency[ModelPool]) -> Response[bytes]:
    """Return template, size and capabilities of a model."""
    body = decode(ShowBody, await request.body())
    name = body.model or body.name
    if not name:
        raise InvalidRequestError("the field model is missing", param="model")
    entry = pool.find(name)
    return json_response(model_sheet(entry, served_name(entry.served, name)))


@json_post("/pull", "Download a model", "Ollama", PullBody, PULL_RESPONSES, "lines")
async def pull(request: Request[Any, Any, Any], pool: NamedDependency[ModelPool]) -> Response[Any]:
    """Download a model from the hub and serve it from then on, loaded on demand (`server.pull`)."""
    if not pool.config.server.pull:
        raise NotServedError("/api/pull is not served: the server's models are those of its settings (server.pull)")
    body = decode(PullBody, await request.body())
    name = body.model or body.name
    if not name:
        raise InvalidRequestError("the field model is missing", param="model")
    if not is_served(pool, name):
        repository_of(name)
    steps = pulled(pool, name)
    if body.stream is False:
        last = [step async for step in steps][-1]
        return json_response(last)
    return Stream(stream_events(lines_of(steps), error_line), media_type="application/x-ndjson", headers=NO_BUFFERING)


_OWN: Any = {Exception: respond}


@get(
    "/api/version",
    summary="Return the API's version",
    tags=["Ollama"],
    responses=VERSION_RESPONSES,
    exception_handlers=_OWN,
)
async def version() -> Response[bytes]:
    """Return the version of Ollama whose API this is."""
    return json_response(Version(version=API_VERSION))


@head(["/", "/api/version", "/api/tags"], include_in_schema=False, sync_to_thread=False)
def alive() -> None:
    """The process answers."""


def _not_served(path: str, *methods: HttpMethod) -> ControllerRouterHandler:
    @route(
        path,
        http_method=methods,
        status_code=400,
        summary="Not served",
        tags=["Ollama"],
        responses=NOT_SERVED_RESPONSES,
        name=f"ollama{path}",
    )
    async def refuse() -> None:
        """Refused by name."""
        raise NotServedError(f"/api{path.partition('/{')[0]} is not served: a model is changed by nobody here")

    return refuse


def routers(guards: Sequence[Guard]) -> list[ControllerRouterHandler]:
    """Return the routers of the dialect, behind the guards; liveness and version are open to all."""
    refused = [
        *(_not_served(f"/{name}", HttpMethod.POST) for name in ("push", "create", "copy")),
        _not_served("/delete", HttpMethod.DELETE),
        _not_served("/blobs/{digest:str}", HttpMethod.HEAD, HttpMethod.POST),
    ]
    handlers: list[ControllerRouterHandler] = [chat, generate, embed, embed_one, tags, ps, show, pull, *refused]
    return [Router(path="/api", route_handlers=handlers, guards=guards, exception_handlers=_OWN), version, alive]
