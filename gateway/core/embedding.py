"""Embeddings and scores: what is asked, and what is returned."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gateway.core.request import Options

Input = str | tuple[int, ...]
"""A text, or its token ids."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingRequest:
    """Texts to be embedded.

    Attributes:
        inputs: Texts.
        origin: Field that they come from, for messages.
        prompt_name: Name of the encoder's prompt to put before each text; None: its default.
        dimensions: Components to keep of each vector, the first ones; None: all.
        truncate_to: Tokens that a longer text is cut to; -1: as many as the model reads; None: none is cut.
        normalize: Scale vectors to length 1; None: as the model's files say.
    """

    inputs: tuple[Input, ...]
    origin: str = "input"
    prompt_name: str | None = None
    dimensions: int | None = None
    truncate_to: int | None = None
    normalize: bool | None = None
    options: Options = field(default_factory=Options)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRequest:
    """Pairs of a query and a document to be scored.

    Attributes:
        queries: One for all documents, or one for each.
        origins: Fields of queries and documents, for messages.
        truncate_to: See `EmbeddingRequest`.
    """

    queries: tuple[str, ...]
    documents: tuple[str, ...]
    origins: tuple[str, str]
    truncate_to: int | None = None
    options: Options = field(default_factory=Options)


@dataclass(frozen=True, slots=True)
class Embeddings:
    """Vectors of texts. Shapes: vectors [texts, size], float32."""

    vectors: NDArray[np.float32]
    num_tokens: int


@dataclass(frozen=True, slots=True)
class Scores:
    """One score a document, higher for a better fit."""

    scores: list[float]
    num_tokens: int
