"""Request bodies. Unknown fields are ignored; `null` means absent."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class SharedFields(Struct, kw_only=True):
    """Fields of all bodies.

    Attributes:
        truncate_prompt_tokens: Tokens that a longer text is cut to; -1: as many as the model reads. Absent: a longer
            text is refused.
        timeout: Seconds from the request's arrival to its end.
        priority: Lower goes first.
    """

    model: str | None = None
    truncate_prompt_tokens: int | None = None
    timeout: float | None = None
    priority: int | None = None


class EmbeddingsBody(SharedFields, kw_only=True):
    """`POST /v1/embeddings`.

    Attributes:
        dimensions: Components to keep of each vector, the first ones; the rest of it is scaled to length 1 again.
        normalize: Scale vectors to length 1; absent: as the model's files say.
        prompt_name: Name of the encoder's prompt to put before each text.
    """

    input: str | list[str | int | list[int]]
    encoding_format: Literal["float", "base64"] | None = None
    dimensions: int | None = None
    normalize: bool | None = None
    prompt_name: str | None = None


class DocumentIn(Struct, kw_only=True):
    """A document with a text."""

    text: str


class RerankBody(SharedFields, kw_only=True):
    """`POST /v1/rerank`, in the formats of Cohere and Jina."""

    query: str
    documents: list[str | DocumentIn]
    top_n: int | None = None
    return_documents: bool | None = None


Texts = str | list[str]


class ScoreBody(SharedFields, kw_only=True):
    """`POST /v1/score`, vLLM's: one text and others, or pairs; as `text_1` and `text_2`, or `queries` and
    `documents`."""

    text_1: Texts | None = None
    text_2: Texts | None = None
    queries: Texts | None = None
    documents: Texts | None = None
