"""Reply bodies."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class EmbeddingUsage(Struct, kw_only=True):
    """Tokens that were read."""

    prompt_tokens: int
    total_tokens: int


class EmbeddingOut(Struct, kw_only=True):
    """A vector: numbers, or float32 in little-endian order as base64."""

    index: int
    embedding: list[float] | str
    object: Literal["embedding"] = "embedding"


class EmbeddingsReply(Struct, kw_only=True):
    """The reply of `POST /v1/embeddings`."""

    model: str
    data: list[EmbeddingOut]
    usage: EmbeddingUsage
    object: Literal["list"] = "list"


class DocumentOut(Struct, kw_only=True):
    """A document that was ranked."""

    text: str


class RankedOut(Struct, kw_only=True, omit_defaults=True):
    """The place of a document in the request, and its score."""

    index: int
    relevance_score: float
    document: DocumentOut | None = None


class RerankReply(Struct, kw_only=True):
    """The reply of `POST /v1/rerank`, the best document first."""

    id: str
    model: str
    results: list[RankedOut]
    usage: EmbeddingUsage


class ScoreOut(Struct, kw_only=True):
    """The score of a pair."""

    index: int
    score: float
    object: Literal["score"] = "score"


class ScoreReply(Struct, kw_only=True):
    """The reply of `POST /v1/score`."""

    id: str
    created: int
    model: str
    data: list[ScoreOut]
    usage: EmbeddingUsage
    object: Literal["list"] = "list"
