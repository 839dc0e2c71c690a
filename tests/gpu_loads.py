"""Models, requests and peers for `tests/gpu.py`."""

from __future__ import annotations

import gc
import importlib
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Self

import numpy as np
import torch
from transformers import LlamaConfig
from transformers.models.auto.modeling_auto import AutoModelForCausalLM

from gateway.engine import Engine, EngineConfig, GenerationRequest, SamplingParams
from gateway.engine.sequence import Sequence
from tests.stock_models import sizes

SHAPES: dict[str, tuple[int, int, int, int, int, int, int]] = {
    "tiny": (64, 128, 2, 4, 2, 16, 500),
    "1b": (2048, 8192, 16, 32, 8, 64, 128_256),
    "8b": (4096, 14_336, 32, 32, 8, 128, 128_256),
}
"""Hidden and inner size, layers, heads, key heads, size of a head, vocabulary."""


class Half:
    """A constraint that allows a random half of the vocabulary, always."""

    is_complete = True
    tokens_to_complete = 0

    def __init__(self, vocab: int) -> None:
        self._mask = np.random.default_rng(0).integers(0, 1 << 32, -(-vocab // 32), dtype=np.uint32)
        self._mask[-1] &= np.uint32((1 << ((vocab - 1) % 32 + 1)) - 1)

    def fill_mask(self, row: Any, tokens_left: int | None = None) -> None:
        """See `TokenConstraint`."""
        row[: len(self._mask)] = self._mask

    def accept(self, token_id: int) -> bool:
        """See `TokenConstraint`."""
        return bool(self._mask[token_id >> 5] >> (token_id & 31) & 1)

    def forced_tokens(self) -> list[int]:
        """See `TokenConstraint`."""
        return []

    def fork(self) -> Self:
        """See `TokenConstraint`."""
        return self

    def rollback(self, n: int) -> None:
        """See `TokenConstraint`."""


def models(kinds: list[str], device: torch.device, dtype: torch.dtype) -> Iterator[tuple[str, Any]]:
    """One after another, of random weights; the last is gone before the next is made."""
    for kind in kinds:
        hidden, inner, layers, heads, kv_heads, size, vocab = SHAPES[kind]
        config = LlamaConfig(
            **sizes(hidden, inner, layers=layers, heads=heads, kv_heads=kv_heads),
            head_dim=size,
            vocab_size=vocab,
            max_position_embeddings=16_384,
            tie_word_embeddings=kind != "8b",
        )
        torch.manual_seed(0)
        with device:
            model = AutoModelForCausalLM.from_config(config, dtype=dtype).eval()
        yield kind, model
        del model
        gc.collect()
        if device.type == "cuda":
            torch.cuda.empty_cache()


def make_engine(model: Any, kv_memory_bytes: int, **sizes: Any) -> Engine:
    """Of a model that is on its device, without a prefix cache."""
    config = EngineConfig(
        device=str(model.device), kv_memory_bytes=kv_memory_bytes, prefix_caching=False, check_model=False, **sizes
    )
    return Engine(model, config, eos_token_ids=())


def make_request(number: int, prompt: list[int], new_tokens: int, asked: str = "free") -> GenerationRequest:
    """A request: "free" and "masked" are greedy, "drawn" has top-p."""
    sampling = SamplingParams(max_tokens=new_tokens, temperature=0, ignore_eos=True)
    if asked == "drawn":
        sampling = replace(sampling, temperature=0.8, top_p=0.9, seed=number)
    constraint: Any = Half(max(prompt) + 1) if asked == "masked" else None
    return GenerationRequest(request_id=str(number), prompt_ids=prompt, sampling=sampling, constraint=constraint)


def decoding(number: int, context: int, blocks: int) -> Sequence:
    """A text of so many tokens, whose next is computed."""
    sequence = Sequence(make_request(number, [7] * (context + 1), 1), number)
    sequence.num_computed = context
    sequence.block_table = list(range(number * blocks, (number + 1) * blocks))
    return sequence


def make_prompts(lengths: list[int], vocab: int, seed: int = 0) -> list[list[int]]:
    """Random prompts of these lengths."""
    chooser = random.Random(seed)
    return [[chooser.randrange(2, vocab) for _ in range(length)] for length in lengths]


def version(name: str) -> str | None:
    """Of a package; None: it is not installed."""
    try:
        return str(importlib.import_module(name).__version__)
    except ImportError:
        return None
