"""Decoding with stock transformers: slow, obvious, and independent of the engine."""

from __future__ import annotations

from inspect import signature
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import AutoModelForCausalLM, DynamicCache


class TokenMatcher(Protocol):
    """Interface of a constraint for decoding; a grammars `Matcher` satisfies it."""

    def fill_mask(self, row: NDArray[np.uint32], tokens_left: int | None = None) -> None:
        """Writes the tokens that may come next, as bits."""

    def accept(self, token_id: int) -> bool:
        """Takes a token; False when it is not allowed."""


class Generator(Protocol):
    """Continues a prompt."""

    max_tokens: int
    """Where an answer is cut."""

    def generate(self, prompt_ids: list[int], matcher: TokenMatcher | None) -> list[int]:
        """Ids of the answer, without the end token."""


class StockDecoder:
    """`Generator` over a model folder, in float32 with a KV cache.

    Args:
        folder: a model that `AutoModelForCausalLM` loads.
        max_tokens: where an answer is cut.
        temperature: 0 takes the likeliest token; above, tokens are drawn, from a fixed seed.
    """

    def __init__(self, folder: Path, max_tokens: int = 256, temperature: float = 0.0) -> None:
        self._model: Any = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
        ends = self._model.generation_config.eos_token_id
        # From 5.24 on `past_key_values` is called so.
        self._cache = "cache" if "cache" in signature(self._model.forward).parameters else "past_key_values"
        self._ends = set(ends if isinstance(ends, list) else [ends])
        self.max_tokens = max_tokens
        self._temperature = temperature
        self._random = np.random.default_rng(0)

    @torch.inference_mode()
    def generate(self, prompt_ids: list[int], matcher: TokenMatcher | None) -> list[int]:
        """See `Generator.generate`."""
        step, answer = torch.tensor([prompt_ids]), list[int]()
        cache = {self._cache: DynamicCache(config=self._model.config)}
        while len(answer) < self.max_tokens:
            logits = self._model(input_ids=step, use_cache=True, logits_to_keep=1, **cache).logits[0, -1].numpy()
            token = self._choose(self._masked(logits, matcher, self.max_tokens - len(answer)))
            if matcher is not None and not matcher.accept(token):
                raise AssertionError(f"the mask allows token {token}, the matcher does not")
            if token in self._ends:
                break
            answer.append(token)
            step = torch.tensor([[token]])
        return answer

    def _choose(self, logits: NDArray[np.float32]) -> int:
        if not self._temperature:
            return int(logits.argmax())
        shares = np.exp((logits - logits.max()) / self._temperature, dtype=np.float64)
        return int(self._random.choice(len(logits), p=shares / shares.sum()))

    def _masked(
        self, logits: NDArray[np.float32], matcher: TokenMatcher | None, tokens_left: int
    ) -> NDArray[np.float32]:
        if matcher is None:
            return logits
        row = np.zeros(-(-len(logits) // 32), dtype=np.uint32)
        matcher.fill_mask(row, tokens_left)
        allowed = np.unpackbits(row.view(np.uint8), bitorder="little")[: len(logits)].astype(bool)
        return np.where(allowed, logits, -np.inf).astype(np.float32)
