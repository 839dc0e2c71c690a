"""Routes of embeddings, reranking and scores."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Sequence
from typing import Any

from litestar import Request, Response, Router, post
from litestar.di import NamedDependency
from litestar.types import Guard

from gateway.api.embeddings.bodies import (
    DocumentOut,
    EmbeddingOut,
    EmbeddingsReply,
    EmbeddingUsage,
    RankedOut,
    RerankReply,
    ScoreOut,
    ScoreReply,
)
from gateway.api.embeddings.requests import DocumentIn, EmbeddingsBody, RerankBody, ScoreBody, SharedFields, Texts
from gateway.api.http.caller import caller_of
from gateway.api.http.decode import decode
from gateway.api.http.disconnect import while_connected
from gateway.api.http.json_response import json_response
from gateway.api.http.openapi import json_post, replies
from gateway.api.openai.envelope import FAILURES, respond
from gateway.api.openai.reply_parts import Identity
from gateway.core.embedding import EmbeddingRequest, Embeddings, Input, ScoreRequest, Scores
from gateway.core.request import Options
from gateway.errors import InvalidRequestError
from gateway.service.model_service import ModelService

Http = Request[Any, Any, Any]


@json_post("/v1/embeddings", "Embed texts", "Embeddings", EmbeddingsBody, replies(EmbeddingsReply, FAILURES))
async def create_embeddings(request: Http, any_service: NamedDependency[ModelService]) -> Response[bytes]:
    """Return one vector a text, in OpenAI's format."""
    body = decode(EmbeddingsBody, await request.body())
    asked = EmbeddingRequest(
        inputs=_inputs(body.input),
        prompt_name=body.prompt_name,
        dimensions=body.dimensions,
        truncate_to=body.truncate_prompt_tokens,
        normalize=body.normalize,
        options=_options(body),
    )
    caller = caller_of(request, any_service, is_streamed=False)
    found = await while_connected(request, any_service.embedder.embed(asked, caller))
    model = any_service.model.resolve(body.model)
    # Thousands of vectors take a tenth of a second to write.
    return await asyncio.to_thread(_embeddings, found, model, is_base64=body.encoding_format == "base64")


async def _rerank(request: Http, service: ModelService, *, returns_documents: bool) -> Response[bytes]:
    body = decode(RerankBody, await request.body())
    texts = [each.text if isinstance(each, DocumentIn) else each for each in body.documents]
    if body.top_n is not None and body.top_n < 1:
        raise InvalidRequestError("top_n must be at least 1", param="top_n")
    asked = ScoreRequest(
        queries=(body.query,),
        documents=tuple(texts),
        origins=("query", "documents"),
        truncate_to=body.truncate_prompt_tokens,
        options=_options(body),
    )
    found = await _scored(request, service, asked)
    if body.return_documents is not None:
        returns_documents = body.return_documents
    best = sorted(range(len(texts)), key=lambda index: -found.scores[index])[: body.top_n]
    identity = Identity.new("rerank", service.model.resolve(body.model))
    return json_response(
        RerankReply(
            id=identity.id,
            model=identity.model,
            results=[
                RankedOut(
                    index=index,
                    relevance_score=found.scores[index],
                    document=DocumentOut(text=texts[index]) if returns_documents else None,
                )
                for index in best
            ],
            usage=_usage(found.num_tokens),
        )
    )


def _rerank_route(path: str) -> post:
    return json_post(path, "Rank documents", "Embeddings", RerankBody, replies(RerankReply, FAILURES))


@_rerank_route("/v1/rerank")
async def rerank(request: Http, any_service: NamedDependency[ModelService]) -> Response[bytes]:
    """Return documents by how well they fit a query, in Jina's and Cohere's format, with their texts."""
    return await _rerank(request, any_service, returns_documents=True)


@_rerank_route("/rerank")
async def rerank_unversioned(request: Http, any_service: NamedDependency[ModelService]) -> Response[bytes]:
    """Return what `/v1/rerank` does."""
    return await _rerank(request, any_service, returns_documents=True)


@_rerank_route("/v2/rerank")
async def rerank_cohere(request: Http, any_service: NamedDependency[ModelService]) -> Response[bytes]:
    """Return what `/v1/rerank` does, without texts unless asked for, as Cohere's second version."""
    return await _rerank(request, any_service, returns_documents=False)


async def _score(request: Http, service: ModelService) -> Response[bytes]:
    body = decode(ScoreBody, await request.body())
    pairs = [
        (names, [getattr(body, name) for name in names]) for names in (("text_1", "text_2"), ("queries", "documents"))
    ]
    given = [(names, texts) for names, texts in pairs if any(each is not None for each in texts)]
    if len(given) != 1 or None in given[0][1]:
        raise InvalidRequestError("send text_1 and text_2, or queries and documents", param="text_1")
    ((names, (queries, documents)),) = given
    asked = ScoreRequest(
        queries=_several(queries),
        documents=_several(documents),
        origins=names,
        truncate_to=body.truncate_prompt_tokens,
        options=_options(body),
    )
    found = await _scored(request, service, asked)
    identity = Identity.new("score", service.model.resolve(body.model))
    return json_response(
        ScoreReply(
            id=identity.id,
            created=identity.created,
            model=identity.model,
            data=[ScoreOut(index=index, score=score) for index, score in enumerate(found.scores)],
            usage=_usage(found.num_tokens),
        )
    )


def _score_route(path: str) -> post:
    return json_post(path, "Score pairs of texts", "Embeddings", ScoreBody, replies(ScoreReply, FAILURES))


@_score_route("/v1/score")
async def score(request: Http, any_service: NamedDependency[ModelService]) -> Response[bytes]:
    """Return one score a pair, in vLLM's format."""
    return await _score(request, any_service)


@_score_route("/score")
async def score_unversioned(request: Http, any_service: NamedDependency[ModelService]) -> Response[bytes]:
    """Return what `/v1/score` does."""
    return await _score(request, any_service)


async def _scored(request: Http, service: ModelService, asked: ScoreRequest) -> Scores:
    caller = caller_of(request, service, is_streamed=False)
    return await while_connected(request, service.embedder.score(asked, caller))


def _embeddings(found: Embeddings, model: str, *, is_base64: bool) -> Response[bytes]:
    vectors: Sequence[list[float] | str] = (
        [b64encode(each.astype("<f4").tobytes()).decode() for each in found.vectors]
        if is_base64
        else found.vectors.tolist()
    )
    data = [EmbeddingOut(index=index, embedding=vector) for index, vector in enumerate(vectors)]
    return json_response(EmbeddingsReply(model=model, data=data, usage=_usage(found.num_tokens)))


def _inputs(given: str | list[str | int | list[int]]) -> tuple[Input, ...]:
    """Return the texts of a body: a list of numbers is one text of token ids."""
    if isinstance(given, str):
        return (given,)
    kinds = {type(each) for each in given}
    if len(kinds) > 1:
        raise InvalidRequestError("input mixes texts, token ids and lists of them; send one kind", param="input")
    if kinds == {int}:
        return (tuple(each for each in given if isinstance(each, int)),)
    return tuple(tuple(each) if isinstance(each, list) else str(each) for each in given)


def _several(given: Texts) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _options(body: SharedFields) -> Options:
    return Options(model=body.model, timeout_s=body.timeout, priority=body.priority or 0)


def _usage(num_tokens: int) -> EmbeddingUsage:
    return EmbeddingUsage(prompt_tokens=num_tokens, total_tokens=num_tokens)


def routers(guards: Sequence[Guard]) -> list[Router]:
    """Return the router of these routes, behind the guards."""
    handlers = [create_embeddings, rerank, rerank_unversioned, rerank_cohere, score, score_unversioned]
    return [Router(path="/", route_handlers=handlers, guards=guards, exception_handlers={Exception: respond})]
