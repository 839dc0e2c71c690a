"""The lean decoder in plain operations, through which torch differentiates with respect to a LoRA adapter."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from gateway.engine.adapters import Pairs
from gateway.engine.kv_cache import KvCache
from gateway.engine.models.fast_llama import FastLlamaDecoder
from gateway.engine.sequence import Sequence

MAX_CONTEXT = 1024
"""Tokens that a piece of text sees before it."""

Past = list[tuple[Tensor, Tensor]]
"""Keys and values before a text, of each layer. Shapes: [kv_heads, tokens, size] each."""


class PlainLlama:
    """The arithmetic of a `FastLlamaDecoder`, for one text at a time; for any thread."""

    def __init__(self, decoder: FastLlamaDecoder) -> None:
        """Args: decoder: With the `weights` that it was made of."""
        self._decoder, self._weights = decoder, decoder.weights
        self._cos, self._sin = decoder.norms.cos.clone(), decoder.norms.sin.clone()
        self.device = decoder.device

    def past(self, cache: KvCache, sequence: Sequence, stop: int) -> Past:
        """Return copies of the keys and values of the last tokens before `stop`, as they were computed."""
        size = cache.block_size
        first = max(sequence.num_given_back, (stop - MAX_CONTEXT) // size)
        blocks = torch.tensor(sequence.block_table[first : -(-stop // size)], device=self.device)
        layers = (cache.layer(index).read(blocks, 1, self._cos.dtype) for index in range(len(self._decoder.layers)))
        return [(keys[0, :, : stop - first * size], values[0, :, : stop - first * size]) for keys, values in layers]

    def loss(self, tokens: Tensor, first: int, past: Past, pairs: Pairs) -> Tensor:
        """Return the mean negative log-likelihood of all tokens but the first, given those before each.

        Args:
            first: Position of the first token.
            past: Of the tokens before it, from the first one that it sees on.

        Shapes: tokens [n + 1]; returns [].
        """
        embedding = self._weights["model.embed_tokens.weight"]
        hidden = functional.embedding(tokens[:-1], embedding)
        for number, context in enumerate(past):
            layer = f"model.layers.{number}"
            attended = self._attended(self._normed(hidden, f"{layer}.input_layernorm"), number, first, context, pairs)
            hidden = hidden + self._product(attended, f"{layer}.self_attn.o_proj", pairs)
            rows = self._normed(hidden, f"{layer}.post_attention_layernorm")
            gated = functional.silu(self._product(rows, f"{layer}.mlp.gate_proj", pairs))
            gated = gated * self._product(rows, f"{layer}.mlp.up_proj", pairs)
            hidden = hidden + self._product(gated, f"{layer}.mlp.down_proj", pairs)
        head = self._weights.get("lm_head.weight", embedding)
        logits = functional.linear(self._normed(hidden, "model.norm"), head)
        return functional.cross_entropy(logits.float(), tokens[1:])

    def _attended(self, rows: Tensor, number: int, first: int, past: tuple[Tensor, Tensor], pairs: Pairs) -> Tensor:
        """Attention of rows over the past and themselves. Shapes: rows [n, size], returns [n, heads * head_size]."""
        name, decoder = f"model.layers.{number}.self_attn", self._decoder
        positions = torch.arange(first, first + len(rows), device=self.device)
        query, key, value = (
            self._product(rows, f"{name}.{part}_proj", pairs).view(len(rows), heads, -1).transpose(0, 1)
            for part, heads in (("q", decoder.heads), ("k", decoder.kv_heads), ("v", decoder.kv_heads))
        )
        if f"{name}.q_norm.weight" in self._weights:
            query, key = self._normed(query, f"{name}.q_norm"), self._normed(key, f"{name}.k_norm")
        keys, values = torch.cat((past[0], self._turned(key, positions)), 1), torch.cat((past[1], value), 1)
        seen = torch.arange(first + len(rows) - keys.shape[1], first + len(rows), device=self.device)
        mask = seen <= positions[:, None]
        if (window := decoder.layers[number].window) is not None:
            mask = mask & (seen > positions[:, None] - window)
        out = functional.scaled_dot_product_attention(
            self._turned(query, positions), keys, values, attn_mask=mask, scale=decoder.scale, enable_gqa=True
        )
        return out.transpose(0, 1).flatten(1)

    def _turned(self, heads: Tensor, positions: Tensor) -> Tensor:
        """Rotate heads by position. Shapes: heads [heads, n, size]."""
        return heads * self._cos[positions] + heads.roll(heads.shape[-1] // 2, -1) * self._sin[positions]

    def _product(self, rows: Tensor, name: str, pairs: Pairs) -> Tensor:
        out = functional.linear(rows, self._weights[f"{name}.weight"], self._weights.get(f"{name}.bias"))
        if name in pairs:
            a, b = (each.to(rows.dtype) for each in pairs[name])
            out = out + rows @ a.t() @ b
        return out

    def _normed(self, rows: Tensor, name: str) -> Tensor:
        eps = self._decoder.norms.eps
        return functional.rms_norm(rows, rows.shape[-1:], None, eps) * self._weights[f"{name}.weight"]
