"""Routes of the Responses API, with its errors."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from litestar import Request, delete, get, post
from litestar import Response as HttpResponse
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery
from litestar.types import ControllerRouterHandler
from msgspec.structs import replace

from gateway.api.http.caller import caller_of
from gateway.api.http.decode import converted, decode
from gateway.api.http.disconnect import begun, while_connected
from gateway.api.http.failures import responder
from gateway.api.http.json_response import json_response
from gateway.api.http.openapi import json_post, replies
from gateway.api.http.paging import check_limit, check_order
from gateway.api.http.sse import NO_BUFFERING, events, written
from gateway.api.http.sse import event as framed
from gateway.api.openai.bodies import ErrorEnvelope
from gateway.api.openai.envelope import FAILURES, envelope
from gateway.api.openai.responses.bodies import DeletedResponse, InputTokens, ItemList, ResponseOut
from gateway.api.openai.responses.conversation import fitted
from gateway.api.openai.responses.events import Event, replay
from gateway.api.openai.responses.items import Item, check_outputs, items_of
from gateway.api.openai.responses.mapping import chat_of, new_response
from gateway.api.openai.responses.requests import InputFields, InputTokensBody, ResponseBody
from gateway.api.openai.responses.store import ResponseStore
from gateway.api.openai.responses.tool_search import shown_tools
from gateway.api.openai.responses.tools import flat_place, is_client_search, namespaces_of
from gateway.api.openai.responses.writer import ResponseWriter
from gateway.core.answer import Delta
from gateway.core.request import Caller
from gateway.errors import GatewayError, InvalidRequestError
from gateway.service import Service
from gateway.service.request.limits import MAX_MESSAGES


def flat_envelope(error: GatewayError) -> ErrorEnvelope:
    """Return the error with fields named as in Responses; the service names them as in chats."""
    body = envelope(error).error
    if body.param is None:
        return ErrorEnvelope(error=body)
    param = "input" if body.param == "messages" else flat_place(body.param)
    return ErrorEnvelope(error=replace(body, message=body.message.replace(body.param, param, 1), param=param))


respond = responder(flat_envelope)


RESPONSE_RESPONSES = replies(ResponseOut, FAILURES)
INPUT_TOKENS_RESPONSES = replies(InputTokens, FAILURES)
KEPT_RESPONSES = {status: FAILURES[status] for status in (400, 401, 403, 404)}


MAX_LISTED = 100
"""Most items that are listed at once, as in OpenAI's API."""


def new_store(service: NamedDependency[Service]) -> ResponseStore:
    """Return the store of an app."""
    limits = service.config.limits
    return ResponseStore(limits.max_stored_responses, limits.max_stored_bytes)


def _check_input(body: InputFields) -> None:
    """Refuse more items than a chat may have messages, before anything is made of them."""
    if isinstance(body.input, list) and len(body.input) > MAX_MESSAGES:
        raise InvalidRequestError(
            f"input has {len(body.input)} entries; at most {MAX_MESSAGES} are served", param="input"
        )


def _context(body: InputFields, store: ResponseStore, tenant: str) -> tuple[Item, ...]:
    """Return the items to continue, with those of earlier responses."""
    earlier = store.continued(tenant, body.previous_response_id)
    items = items_of(body.input, "input", lambda name: store.item(tenant, name))
    check_outputs(items, earlier)
    return (*earlier, *items)


@json_post("/", "Create a response", "OpenAI", ResponseBody, RESPONSE_RESPONSES, "events")
async def create_response(
    request: Request[Any, Any, Any], service: NamedDependency[Service], store: NamedDependency[ResponseStore]
) -> HttpResponse[Any]:
    """Items that have the shape that `text.format` and `tools` ask for, whole or as events."""
    body = decode(ResponseBody, data := await request.body())
    caller = caller_of(request, service, is_streamed=bool(body.stream))
    _check_input(body)
    context = _context(body, store, caller.tenant)
    chat = await converted(chat_of, body, context, num_bytes=len(data))
    prepared = await while_connected(request, fitted(service, chat, caller, may_drop=body.truncation == "auto"))
    is_kept = body.store is not False and not store.is_off
    obfuscates = bool(body.stream_options and body.stream_options.include_obfuscation)
    sampling = prepared.prompts[0].sampling
    begun_with = new_response(body, prepared.model_name, is_kept, sampling.temperature, sampling.top_p)
    shown = [tool for tool, _ in shown_tools(body.tools, context)]
    writer = ResponseWriter(begun_with, obfuscates, namespaces_of(shown), searches=any(map(is_client_search, shown)))

    def keep() -> None:
        if is_kept:
            store.keep(caller.tenant, writer.response, context)

    if not body.stream:
        await while_connected(request, _written(writer, service.stream(prepared)))
        keep()
        return json_response(writer.response)

    deltas = await begun(request, service.stream(prepared, service.config.server.tick_s))

    def failed(error: GatewayError) -> bytes:
        last = _frames(writer.fail(error))
        keep()
        return last

    async def chunks() -> AsyncGenerator[bytes, None]:
        async with aclosing(written(deltas, lambda delta: _frames(writer.feed(delta)))) as pieces:
            yield _frames(writer.begin())
            async for piece in pieces:
                yield piece
            last = _frames(writer.end())
            keep()
            yield last

    return events(chunks(), failed)


async def _written(writer: ResponseWriter, batches: AsyncGenerator[list[Delta], None]) -> None:
    """The reply, done."""
    async with aclosing(batches):
        async for batch in batches:
            for delta in batch:
                writer.feed(delta)
        writer.end()


@json_post("/input_tokens", "Count input tokens", "OpenAI", InputTokensBody, INPUT_TOKENS_RESPONSES)
async def count_input_tokens(
    request: Request[Any, Any, Any], service: NamedDependency[Service], store: NamedDependency[ResponseStore]
) -> HttpResponse[Any]:
    """Return the number of prompt tokens."""
    body = decode(InputTokensBody, data := await request.body())
    tenant = caller_of(request, service, is_streamed=False).tenant
    _check_input(body)
    context = _context(body, store, tenant)
    rendered = await service.render(await converted(chat_of, body, context, num_bytes=len(data)), tenant)
    return json_response(InputTokens(input_tokens=len(rendered.ids)))


@get("/{response_id:str}", summary="Return a stored response", tags=["OpenAI"], responses=KEPT_RESPONSES)
async def get_response(
    request: Request[Any, Any, Any],
    service: NamedDependency[Service],
    store: NamedDependency[ResponseStore],
    response_id: FromPath[str],
    stream: FromQuery[bool] = False,
    starting_after: FromQuery[int] = -1,
) -> HttpResponse[Any]:
    """Return a stored response; with `stream` its events, each text in one delta."""
    kept = store.get(caller_of(request, service, is_streamed=stream).tenant, response_id)
    if not stream:
        return json_response(kept.response)
    found = [event for event in replay(kept.response) if event.sequence_number > starting_after]
    return HttpResponse(content=_frames(found), media_type="text/event-stream", headers=NO_BUFFERING)


@delete(
    "/{response_id:str}", status_code=200, summary="Delete a stored response", tags=["OpenAI"], responses=KEPT_RESPONSES
)
async def delete_response(
    store: NamedDependency[ResponseStore], caller: NamedDependency[Caller], response_id: FromPath[str]
) -> DeletedResponse:
    """Later requests cannot continue it; those that did keep its items."""
    store.drop(caller.tenant, response_id)
    return DeletedResponse(id=response_id)


@post(
    "/{response_id:str}/cancel",
    status_code=200,
    summary="Refused: responses are not made in the background",
    tags=["OpenAI"],
    responses=KEPT_RESPONSES,
)
async def cancel_response(
    store: NamedDependency[ResponseStore], caller: NamedDependency[Caller], response_id: FromPath[str]
) -> HttpResponse[Any]:
    """Refuse: only background responses can be cancelled. Closing the connection cancels any other."""
    store.get(caller.tenant, response_id)
    raise InvalidRequestError(
        "only responses made with background: true can be cancelled; this one is done", param="response_id"
    )


@get(
    "/{response_id:str}/input_items",
    summary="List the input items of a stored response",
    tags=["OpenAI"],
    responses=KEPT_RESPONSES,
)
async def list_input_items(
    store: NamedDependency[ResponseStore],
    caller: NamedDependency[Caller],
    response_id: FromPath[str],
    limit: FromQuery[int] = 20,
    order: FromQuery[str] = "desc",
    after: FromQuery[str | None] = None,
) -> ItemList:
    """Return the conversation before the response, latest first unless `order` is `asc`."""
    kept = store.get(caller.tenant, response_id)
    check_limit(limit, MAX_LISTED)
    check_order(order)
    items = list(kept.context if order == "asc" else reversed(kept.context))
    begin = 0
    if after is not None:
        place = next((index for index, item in enumerate(items) if item["id"] == after), None)
        if place is None:
            raise InvalidRequestError(f"there is no item with the id {after[:200]!r}", param="after")
        begin = place + 1
    page = items[begin : begin + limit]
    return ItemList(
        data=page,
        first_id=page[0]["id"] if page else "",
        last_id=page[-1]["id"] if page else "",
        has_more=begin + limit < len(items),
    )


def _frames(found: list[Event]) -> bytes:
    return b"".join(framed(event, event.name) for event in found)


HANDLERS: list[ControllerRouterHandler] = [
    create_response,
    count_input_tokens,
    get_response,
    delete_response,
    cancel_response,
    list_input_items,
]
