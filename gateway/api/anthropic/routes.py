"""Routes of Anthropic's dialect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from litestar import Request, Response, Router
from litestar.di import NamedDependency
from litestar.types import Guard

from gateway.api.anthropic.chat import chat_request, prompt_request
from gateway.api.anthropic.envelope import OVERLOADED, error_event, respond
from gateway.api.anthropic.reply import Reply, message, message_events
from gateway.api.anthropic.requests import MessagesBody, PromptFields
from gateway.api.anthropic.responses import ErrorEnvelope, Message, TokenCount
from gateway.api.http import openapi
from gateway.api.http.caller import caller_of, tenant_in
from gateway.api.http.decode import converted, decode
from gateway.api.http.disconnect import begun, while_connected
from gateway.api.http.json_response import json_response
from gateway.api.http.openapi import json_post, replies
from gateway.api.http.request_ids import request_id_of
from gateway.api.http.sse import events
from gateway.service import Service

_STATUSES = {OVERLOADED if status == 429 else status: text for status, text in openapi.FAILURES.items()}
FAILURES = openapi.failures(ErrorEnvelope, _STATUSES)
MESSAGES_RESPONSES = replies(Message, FAILURES)
COUNT_RESPONSES = replies(TokenCount, FAILURES)


@json_post("/messages", "Create a message", "Anthropic", MessagesBody, MESSAGES_RESPONSES, "events")
async def create_message(request: Request[Any, Any, Any], service: NamedDependency[Service]) -> Response[Any]:
    """Return the next message, constrained by `output_config` or `tools`; whole or as events."""
    body = decode(MessagesBody, data := await request.body())
    caller = caller_of(request, service, is_streamed=bool(body.stream))
    chat = await converted(chat_request, body, num_bytes=len(data))
    prepared = await while_connected(request, service.prepare_chat(chat, caller))
    hides_thinking = body.thinking is not None and body.thinking.display == "omitted"
    reply = Reply.of(prepared, body.max_tokens, hides_thinking)
    deltas = service.stream(prepared, service.config.server.tick_s)
    if not body.stream:
        return json_response(await while_connected(request, message(reply, deltas)))
    told = message_events(reply, await begun(request, deltas))
    return events(told, error_event(request_id_of(request.scope)))


@json_post("/messages/count_tokens", "Count input tokens", "Anthropic", PromptFields, COUNT_RESPONSES)
async def count_tokens(request: Request[Any, Any, Any], service: NamedDependency[Service]) -> Response[Any]:
    """Return the number of prompt tokens; nothing is generated."""
    body = decode(PromptFields, data := await request.body())
    prompt = await converted(prompt_request, body, num_bytes=len(data))
    rendered = await while_connected(request, service.render(prompt, tenant_in(request, service)))
    return json_response(TokenCount(input_tokens=len(rendered.ids)))


def routers(guards: Sequence[Guard]) -> list[Router]:
    """Return the router of the dialect, behind the guards."""
    handlers = [create_message, count_tokens]
    return [Router(path="/v1", route_handlers=handlers, guards=guards, exception_handlers={Exception: respond})]
