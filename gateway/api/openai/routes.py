"""Routes of OpenAI's dialect."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Sequence
from typing import Any

from litestar import Request, Response, Router
from litestar.di import NamedDependency, Provide
from litestar.types import Guard

from gateway.api.http.caller import caller_of
from gateway.api.http.decode import converted, decode
from gateway.api.http.disconnect import begun, while_connected
from gateway.api.http.json_response import json_response
from gateway.api.http.openapi import json_post
from gateway.api.http.sse import DONE, events
from gateway.api.openai.adapters import load_lora_adapter, unload_lora_adapter
from gateway.api.openai.batches.routes import HANDLERS as BATCH_HANDLERS
from gateway.api.openai.chat import chat_chunks, chat_completion, chat_request
from gateway.api.openai.completions import completion, completion_chunks, completion_request
from gateway.api.openai.envelope import CHAT_RESPONSES, COMPLETION_RESPONSES, error_event, respond
from gateway.api.openai.moderations import create_moderation
from gateway.api.openai.reply_parts import Identity
from gateway.api.openai.requests import ChatCompletionRequest, CompletionBody, GenerationFields
from gateway.api.openai.responses.routes import HANDLERS as RESPONSES_HANDLERS
from gateway.api.openai.responses.routes import new_store
from gateway.api.openai.responses.routes import respond as respond_flat
from gateway.api.openai.socket import chat_socket
from gateway.core.answer import ChatAnswers, Delta
from gateway.core.request import Caller
from gateway.service import Service
from gateway.service.request.plan import Prepared


@json_post("/chat/completions", "Chat", "OpenAI", ChatCompletionRequest, CHAT_RESPONSES, "events")
async def create_chat_completion(request: Request[Any, Any, Any], service: NamedDependency[Service]) -> Response[Any]:
    """Answer a chat, constrained by `response_format`, `tools` or other fields; whole or as events.

    The path takes WebSockets, too: clients send messages as `SocketMessage`, and get messages as `SocketReply`.
    """
    body = decode(ChatCompletionRequest, data := await request.body())
    caller = caller_of(request, service, is_streamed=bool(body.stream))
    preparing = service.prepare_chat(await converted(chat_request, body, num_bytes=len(data)), caller)
    return await _reply(
        request,
        service,
        preparing,
        "chatcmpl",
        body,
        lambda identity, answers, prepared: chat_completion(identity, answers, prepared, body),
        lambda identity, deltas, prepared: chat_chunks(identity, deltas, prepared, body),
    )


@json_post("/completions", "Complete a prompt", "OpenAI", CompletionBody, COMPLETION_RESPONSES, "events")
async def create_completion(request: Request[Any, Any, Any], service: NamedDependency[Service]) -> Response[Any]:
    """Continue a prompt, constrained if asked for; whole or as events."""
    body = decode(CompletionBody, data := await request.body())
    caller = caller_of(request, service, is_streamed=bool(body.stream))
    preparing = service.prepare_completion(await converted(completion_request, body, num_bytes=len(data)), caller)
    return await _reply(
        request,
        service,
        preparing,
        "cmpl",
        body,
        lambda identity, answers, prepared: completion(identity, answers, prepared, body, service.decode),
        lambda identity, deltas, prepared: completion_chunks(identity, deltas, prepared, body, service.decode),
    )


async def _reply(
    request: Request[Any, Any, Any],
    service: Service,
    preparing: Coroutine[Any, Any, Prepared],
    prefix: str,
    body: GenerationFields,
    whole: Callable[[Identity, ChatAnswers, Prepared], Any],
    chunks: Callable[[Identity, AsyncGenerator[list[Delta], None], Prepared], AsyncGenerator[bytes, None]],
) -> Response[Any]:
    """Return the reply, whole or as events."""
    if not body.stream:
        prepared, answers = await while_connected(request, _answered(service, preparing))
        return json_response(whole(Identity.new(prefix, prepared.model_name), answers, prepared))
    prepared = await while_connected(request, preparing)
    deltas = await begun(request, service.stream(prepared, service.config.server.tick_s))
    return events(chunks(Identity.new(prefix, prepared.model_name), deltas, prepared), error_event, DONE)


async def _answered(service: Service, preparing: Awaitable[Prepared]) -> tuple[Prepared, ChatAnswers]:
    prepared = await preparing
    return prepared, await service.answer(prepared)


def _caller(request: Request[Any, Any, Any], service: NamedDependency[Service]) -> Caller:
    return caller_of(request, service, is_streamed=False)


def routers(guards: Sequence[Guard]) -> list[Router]:
    """Return the routers of the dialect, behind the guards."""
    adapters = [load_lora_adapter, unload_lora_adapter]
    handlers = [create_chat_completion, create_completion, create_moderation, chat_socket, *BATCH_HANDLERS, *adapters]
    responses = Router(
        path="/responses",
        route_handlers=RESPONSES_HANDLERS,
        dependencies={
            "store": Provide(new_store, sync_to_thread=False, use_cache=True),
            "caller": Provide(_caller, sync_to_thread=False),
        },
        exception_handlers={Exception: respond_flat},
    )
    return [
        Router(
            path="/v1", route_handlers=[*handlers, responses], guards=guards, exception_handlers={Exception: respond}
        )
    ]
