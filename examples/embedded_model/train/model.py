"""A lean Llama for training: the weights' names and meaning are those of transformers' `LlamaForCausalLM`.

It computes on packed sequences: the tokens of several conversations one after the other, without padding. Everything
but attention is a function of single tokens.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from embedded_model.tokenizer import MAX_LENGTH_TOKENS, VOCABULARY_SIZE
from embedded_model.train.attention import attend
from embedded_model.train.batches import send
from embedded_model.train.functions import Gate, Normalise, Rotate


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Sizes of a model."""

    hidden: int
    intermediate: int
    num_layers: int
    num_heads: int
    num_kv_heads: int
    vocabulary: int = VOCABULARY_SIZE
    rope_theta: float = 100_000.0
    norm_epsilon: float = 1e-5

    @property
    def head_size(self) -> int:
        """Width of one attention head."""
        return self.hidden // self.num_heads

    def to_config(self) -> dict[str, Any]:
        """The contents of `config.json`."""
        return {
            "architectures": ["LlamaForCausalLM"],
            "model_type": "llama",
            "hidden_size": self.hidden,
            "intermediate_size": self.intermediate,
            "num_hidden_layers": self.num_layers,
            "num_attention_heads": self.num_heads,
            "num_key_value_heads": self.num_kv_heads,
            "head_dim": self.head_size,
            "vocab_size": self.vocabulary,
            "max_position_embeddings": MAX_LENGTH_TOKENS,
            "rope_parameters": {"rope_type": "default", "rope_theta": self.rope_theta},
            "rms_norm_eps": self.norm_epsilon,
            "hidden_act": "silu",
            "attention_bias": False,
            "mlp_bias": False,
            "tie_word_embeddings": True,
            "bos_token_id": None,
            "pad_token_id": 0,
            "eos_token_id": 2,
            "dtype": "bfloat16",
        }


SHAPES = {
    "target": Shape(hidden=384, intermediate=1024, num_layers=6, num_heads=6, num_kv_heads=3),
    "draft": Shape(hidden=128, intermediate=384, num_layers=3, num_heads=2, num_kv_heads=1),
}


def _linear(rows_in: int, rows_out: int) -> nn.Linear:
    return nn.Linear(rows_in, rows_out, bias=False)


def product_type(device: torch.device) -> torch.dtype:
    """The type of matrix products: bfloat16 where the device multiplies it by itself, else float32."""
    capabilities = torch.cpu.get_capabilities()
    fast = device.type == "cuda" or any(capabilities.get(name) for name in ("amx_bf16", "avx512_bf16"))
    return torch.bfloat16 if fast else torch.float32


class Attention(nn.Module):
    """Causal grouped-query attention within each of the packed sequences."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        kv = shape.num_kv_heads * shape.head_size
        self.q_proj, self.o_proj = _linear(shape.hidden, shape.hidden), _linear(shape.hidden, shape.hidden)
        self.k_proj, self.v_proj = _linear(shape.hidden, kv), _linear(shape.hidden, kv)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, lengths: list[int]) -> Tensor:
        """Values before the output projection. Shapes: x [tokens, hidden] -> the same."""
        s = self.shape
        q, k, v = (project(x).view(len(x), -1, s.head_size) for project in (self.q_proj, self.k_proj, self.v_proj))
        q, k = (Rotate.apply(t, cos, sin) for t in (q, k))  # type: ignore[no-untyped-call]
        return attend(q, k, v, lengths).reshape(-1, s.hidden)


class Mlp(nn.Module):
    """SwiGLU."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.gate_proj = _linear(shape.hidden, shape.intermediate)
        self.up_proj = _linear(shape.hidden, shape.intermediate)
        self.down_proj = _linear(shape.intermediate, shape.hidden)

    def forward(self, x: Tensor) -> Tensor:
        """Shapes: x [..., hidden] -> the same."""
        return self.down_proj(Gate.apply(self.gate_proj(x), self.up_proj(x)))  # type: ignore[no-any-return, no-untyped-call]


class Norm(nn.RMSNorm):
    """Root mean square normalisation."""

    def forward(self, x: Tensor) -> Tensor:
        """Shapes: x [tokens, hidden] -> the same."""
        kind = x.device.type
        dtype = torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else x.dtype
        return Normalise.apply(x, self.weight, self.eps, dtype)  # type: ignore[no-any-return, no-untyped-call]


class Layer(nn.Module):
    """Decoder layer."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.input_layernorm = Norm(shape.hidden, eps=shape.norm_epsilon)
        self.self_attn = Attention(shape)
        self.post_attention_layernorm = Norm(shape.hidden, eps=shape.norm_epsilon)
        self.mlp = Mlp(shape)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, lengths: list[int], where: Tensor | None = None) -> Tensor:
        """The layer's output, at the positions `where` alone if they are given.

        Shapes: x [tokens, hidden] -> the same, or [len(where), hidden].
        """
        attended = self.self_attn(self.input_layernorm(x), cos, sin, lengths)
        if where is not None:
            x, attended = x[where], attended[where]
        x = x + self.self_attn.o_proj(attended)
        return x + self.mlp(self.post_attention_layernorm(x))  # type: ignore[no-any-return]


class Body(nn.Module):
    """Token ids to hidden states."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.embed_tokens = nn.Embedding(shape.vocabulary, shape.hidden)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.num_layers))
        self.norm = Norm(shape.hidden, eps=shape.norm_epsilon)
        size = shape.head_size
        frequency = shape.rope_theta ** (-torch.arange(0, size, 2, dtype=torch.float32) / size)
        angle = torch.outer(torch.arange(MAX_LENGTH_TOKENS, dtype=torch.float32), frequency)
        self.register_buffer("cos", angle.cos()[:, None], persistent=False)
        self.register_buffer("sin", angle.sin()[:, None], persistent=False)

    def attention(self, layer: int) -> Attention:
        """The attention of a layer."""
        return cast("Layer", self.layers[layer]).self_attn

    def forward(self, ids: Tensor, lengths: list[int], where: Tensor) -> Tensor:
        """Hidden states at the positions `where`.

        Shapes: ids [tokens]; where long [wanted] -> [wanted, hidden].
        """
        sizes = torch.tensor(lengths)
        starts = (sizes.cumsum(0) - sizes).repeat_interleave(sizes)
        positions = send(torch.arange(len(ids)) - starts, ids.device)
        cos, sin = self.get_buffer("cos")[positions], self.get_buffer("sin")[positions]
        x = self.embed_tokens(ids)
        *inner, last = self.layers
        for layer in inner:
            x = layer(x, cos, sin, lengths)
        return self.norm(last(x, cos, sin, lengths, where))  # type: ignore[no-any-return]


class LeanLlama(nn.Module):
    """Llama with tied embeddings. The last layer's wide parts and the last matrix run where they are wanted only."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.model = Body(shape)

    @property
    def device(self) -> torch.device:
        """Device of the weights."""
        return self.model.embed_tokens.weight.device

    def logits(self, ids: Tensor, lengths: list[int], where: Tensor) -> Tensor:
        """Logits at the chosen positions of packed sequences.

        Shapes: ids [tokens]; lengths sum to tokens; where long [wanted] -> [wanted, vocabulary].
        """
        return functional.linear(self.model(ids, lengths, where), self.model.embed_tokens.weight)
