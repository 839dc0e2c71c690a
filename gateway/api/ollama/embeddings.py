"""Embeddings in Ollama's dialect: `/api/embed`, and `/api/embeddings` of old clients."""

from __future__ import annotations

import asyncio
from time import perf_counter_ns
from typing import Any

from litestar import Request, Response
from litestar.di import NamedDependency
from msgspec import Struct

from gateway.api.http.caller import caller_of
from gateway.api.http.decode import decode
from gateway.api.http.disconnect import while_connected
from gateway.api.http.json_response import json_response
from gateway.api.http.openapi import failures, json_post, replies
from gateway.api.ollama.envelope import ErrorEnvelope
from gateway.api.ollama.options import served_name
from gateway.core.embedding import EmbeddingRequest, Embeddings
from gateway.core.request import Options
from gateway.service.model_service import ModelService

_FAILURES = failures(ErrorEnvelope)


class EmbedBody(Struct, kw_only=True):
    """`POST /api/embed`. Unless `truncate` is false a longer text is cut."""

    model: str
    input: str | list[str]
    truncate: bool | None = None
    dimensions: int | None = None


class EmbedReply(Struct, kw_only=True):
    """The reply of `POST /api/embed`; times in nanoseconds."""

    model: str
    embeddings: list[list[float]]
    total_duration: int
    load_duration: int
    prompt_eval_count: int


class OldEmbedBody(Struct, kw_only=True):
    """`POST /api/embeddings`."""

    model: str
    prompt: str


class OldEmbedReply(Struct, kw_only=True):
    """The reply of `POST /api/embeddings`."""

    embedding: list[float]


@json_post("/embed", "Embed texts", "Ollama", EmbedBody, replies(EmbedReply, _FAILURES))
async def embed(request: Request[Any, Any, Any], any_service: NamedDependency[ModelService]) -> Response[bytes]:
    """Return one vector a text."""
    begun, body = perf_counter_ns(), decode(EmbedBody, await request.body())
    texts = (body.input,) if isinstance(body.input, str) else tuple(body.input)
    truncate_to = None if body.truncate is False else -1
    found = await _embedded(request, any_service, body.model, texts, truncate_to, body.dimensions)
    # Thousands of vectors take a tenth of a second to write.
    return await asyncio.to_thread(_reply, body.model, found, begun)


@json_post("/embeddings", "Embed a text", "Ollama", OldEmbedBody, replies(OldEmbedReply, _FAILURES))
async def embed_one(request: Request[Any, Any, Any], any_service: NamedDependency[ModelService]) -> Response[bytes]:
    """Return the vector of one text."""
    body = decode(OldEmbedBody, await request.body())
    found = await _embedded(request, any_service, body.model, (body.prompt,), -1, None)
    return json_response(OldEmbedReply(embedding=found.vectors[0].tolist()))


def _reply(model: str, found: Embeddings, begun: int) -> Response[bytes]:
    return json_response(
        EmbedReply(
            model=model,
            embeddings=found.vectors.tolist(),
            total_duration=perf_counter_ns() - begun,
            load_duration=0,
            prompt_eval_count=found.num_tokens,
        )
    )


async def _embedded(
    request: Request[Any, Any, Any],
    service: ModelService,
    model: str,
    texts: tuple[str, ...],
    truncate_to: int | None,
    dimensions: int | None,
) -> Embeddings:
    asked = EmbeddingRequest(
        inputs=texts,
        dimensions=dimensions,
        truncate_to=truncate_to,
        options=Options(model=served_name(service.model, model)),
    )
    caller = caller_of(request, service, is_streamed=False)
    return await while_connected(request, service.embedder.embed(asked, caller))
