"""Routes for tokens: `/tokenize`, `/detokenize`, `/apply-template`, `/chat_tokenize`, `/version`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from importlib.metadata import version
from typing import Any

import msgspec
from litestar import Request, Response, Router, get, post
from litestar.di import NamedDependency
from litestar.types import ControllerRouterHandler, Guard

from gateway.api.http.caller import tenant_in
from gateway.api.http.decode import decode
from gateway.api.http.json_response import json_response
from gateway.api.http.openapi import json_post, replies
from gateway.api.openai.envelope import FAILURES, respond
from gateway.api.tokens.bodies import (
    ChatTokenized,
    Detokenized,
    ManyDetokenized,
    ManyTokenized,
    PlacedOut,
    Templated,
    Tokenized,
    Version,
)
from gateway.api.tokens.conversion import check_tokens, conversation_of, placed_out, read, tokenized
from gateway.api.tokens.requests import DetokenizeBody, ManyDetokenizeBody, ManyTokenizeBody, TemplateBody, TokenizeBody
from gateway.errors import InvalidRequestError
from gateway.service import Service
from gateway.service.request.limits import MAX_CHOICES


def _route(path: str, summary: str, body: type[msgspec.Struct], reply: Any) -> post:
    responses = replies(reply, FAILURES, 400, 401, 403, 404, 413, 415, 429, 500)
    return json_post(path, summary, "Tokens", body, responses)


@_route("/tokenize", "Tokenize a text or chat", TokenizeBody, Tokenized | list[PlacedOut])
async def tokenize(request: Request[Any, Any, Any], service: NamedDependency[Service]) -> Response[bytes]:
    """In vLLM's shape for `prompt` and `messages`, in TGI's for `inputs`, in llama.cpp's for `content`."""
    body = decode(TokenizeBody, await request.body())
    service.model.resolve(body.model)
    return json_response(await tokenized(service, body, tenant_in(request, service)))


@_route("/detokenize", "Detokenize", DetokenizeBody, Detokenized)
async def detokenize(request: Request[Any, Any, Any], service: NamedDependency[Service]) -> Response[bytes]:
    """Special tokens are named."""
    body = decode(DetokenizeBody, await request.body())
    service.model.resolve(body.model)
    check_tokens(service, body.tokens)
    text = await asyncio.to_thread(service.decode, body.tokens, with_special=True)
    return json_response(Detokenized(prompt=text, content=text))


@_route("/v1/tokenize", "Tokenize texts", ManyTokenizeBody, ManyTokenized)
async def tokenize_many(request: Request[Any, Any, Any], service: NamedDependency[Service]) -> Response[bytes]:
    """SGLang's: one text, or a list of them."""
    body = decode(ManyTokenizeBody, await request.body())
    service.model.resolve(body.model)
    special = body.add_special_tokens is not False
    texts, tenant = [body.prompt] if isinstance(body.prompt, str) else body.prompt, tenant_in(request, service)

    def encoded() -> list[list[int]]:
        return [list(service.encode(text, add_special_tokens=special)) for text in texts]

    found = await read(service, encoded, sum(map(len, texts)), "prompt", tenant)
    counts = [len(tokens) for tokens in found]
    is_one = isinstance(body.prompt, str)
    return json_response(
        ManyTokenized(
            tokens=[*found[0]] if is_one else [*found],
            count=counts[0] if is_one else counts,
            max_model_len=service.model.max_context,
        )
    )


@_route("/v1/detokenize", "Detokenize lists", ManyDetokenizeBody, ManyDetokenized)
async def detokenize_many(request: Request[Any, Any, Any], service: NamedDependency[Service]) -> Response[bytes]:
    """SGLang's: one list of tokens, or a list of lists."""
    body = decode(ManyDetokenizeBody, await request.body())
    service.model.resolve(body.model)
    lists = [item for item in body.tokens if isinstance(item, list)]
    plain = [item for item in body.tokens if isinstance(item, int)]
    if lists and plain:
        raise InvalidRequestError("tokens mixes token ids with lists of them", param="tokens")
    named = body.skip_special_tokens is False
    if len(lists) > MAX_CHOICES:
        raise InvalidRequestError(f"tokens has {len(lists)} lists; at most {MAX_CHOICES} are read", param="tokens")
    for tokens in lists or [plain]:
        check_tokens(service, tokens)

    def decoded() -> list[str]:
        return [service.decode(tokens, with_special=named) for tokens in lists or [plain]]

    texts = await asyncio.to_thread(decoded)
    return json_response(ManyDetokenized(text=texts if lists else texts[0]))


@_route("/apply-template", "Render a chat with the chat template", TemplateBody, Templated)
async def apply_template(request: Request[Any, Any, Any], service: NamedDependency[Service]) -> Response[bytes]:
    """llama.cpp's: what the chat template makes of messages; nothing is generated."""
    body = decode(TemplateBody, await request.body())
    rendered = await service.render(conversation_of(body, body.add_generation_prompt), tenant_in(request, service))
    return json_response(Templated(prompt=rendered.text))


@_route("/chat_tokenize", "Tokenize a chat", TemplateBody, ChatTokenized)
async def chat_tokenize(request: Request[Any, Any, Any], service: NamedDependency[Service]) -> Response[bytes]:
    """TGI's: the rendered conversation and where its tokens are in it."""
    body = decode(TemplateBody, await request.body())
    tenant = tenant_in(request, service)
    rendered = await service.render(conversation_of(body, body.add_generation_prompt), tenant)
    placing = partial(placed_out, service, rendered.text, add_special_tokens=False, breaks=rendered.breaks)
    placed = await read(service, placing, len(rendered.text), "messages", tenant)
    return json_response(ChatTokenized(tokenize_response=placed, templated_text=rendered.text))


@get("/version", summary="Return the server's version", tags=["Operation"], responses={401: FAILURES[401]})
async def tell_version() -> Version:
    """Return the server's version, as vLLM does."""
    return Version(version=version("portcullis"))


def routers(guards: Sequence[Guard]) -> list[Router]:
    """Return the router of these routes, behind the guards."""
    handlers: list[ControllerRouterHandler] = [
        tokenize,
        detokenize,
        tokenize_many,
        detokenize_many,
        apply_template,
        chat_tokenize,
        tell_version,
    ]
    return [Router(path="/", route_handlers=handlers, guards=guards, exception_handlers={Exception: respond})]
