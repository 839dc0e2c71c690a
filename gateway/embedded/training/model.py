"""A lean Llama for training: the weights' names and meaning are those of transformers' `LlamaForCausalLM`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from gateway.embedded.tokenizer import MAX_LENGTH_TOKENS, VOCABULARY_SIZE


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
    "target": Shape(hidden=256, intermediate=1024, num_layers=4, num_heads=4, num_kv_heads=2),
    "draft": Shape(hidden=128, intermediate=384, num_layers=3, num_heads=2, num_kv_heads=1),
}


def _linear(rows_in: int, rows_out: int) -> nn.Linear:
    return nn.Linear(rows_in, rows_out, bias=False)


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotary position embedding of `x`, halves convention."""
    half = x.shape[-1] // 2
    left, right = x[..., :half], x[..., half:]
    return torch.cat((left * cos - right * sin, right * cos + left * sin), dim=-1)


class Attention(nn.Module):
    """Causal grouped-query attention over padded rows: padding stands to the right, so causality hides it."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        kv = shape.num_kv_heads * shape.head_size
        self.q_proj, self.o_proj = _linear(shape.hidden, shape.hidden), _linear(shape.hidden, shape.hidden)
        self.k_proj, self.v_proj = _linear(shape.hidden, kv), _linear(shape.hidden, kv)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        """Shapes: x [rows, length, hidden] -> the same."""
        rows, length, _ = x.shape
        s = self.shape
        group = s.num_heads // s.num_kv_heads
        q = self.q_proj(x).view(rows, length, s.num_heads, s.head_size).transpose(1, 2)
        k = self.k_proj(x).view(rows, length, s.num_kv_heads, s.head_size).transpose(1, 2)
        v = self.v_proj(x).view(rows, length, s.num_kv_heads, s.head_size).transpose(1, 2)
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
        out = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o_proj(out.transpose(1, 2).reshape(rows, length, s.hidden))  # type: ignore[no-any-return]


class Mlp(nn.Module):
    """SwiGLU."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.gate_proj = _linear(shape.hidden, shape.intermediate)
        self.up_proj = _linear(shape.hidden, shape.intermediate)
        self.down_proj = _linear(shape.intermediate, shape.hidden)

    def forward(self, x: Tensor) -> Tensor:
        """Shapes: x [..., hidden] -> the same."""
        return self.down_proj(functional.silu(self.gate_proj(x)) * self.up_proj(x))  # type: ignore[no-any-return]


class Layer(nn.Module):
    """One decoder layer."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.input_layernorm = nn.RMSNorm(shape.hidden, eps=shape.norm_epsilon)
        self.self_attn = Attention(shape)
        self.post_attention_layernorm = nn.RMSNorm(shape.hidden, eps=shape.norm_epsilon)
        self.mlp = Mlp(shape)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        """Shapes: x [rows, length, hidden] -> the same."""
        x = x + self.self_attn(self.input_layernorm(x), cos, sin)
        return x + self.mlp(self.post_attention_layernorm(x))  # type: ignore[no-any-return]


class Body(nn.Module):
    """Token ids to hidden states."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.embed_tokens = nn.Embedding(shape.vocabulary, shape.hidden)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.num_layers))
        self.norm = nn.RMSNorm(shape.hidden, eps=shape.norm_epsilon)
        size = shape.head_size
        frequency = shape.rope_theta ** (-torch.arange(0, size, 2, dtype=torch.float32) / size)
        angle = torch.outer(torch.arange(MAX_LENGTH_TOKENS, dtype=torch.float32), frequency)
        self.register_buffer("cos", angle.cos(), persistent=False)
        self.register_buffer("sin", angle.sin(), persistent=False)

    def attention(self, layer: int) -> Attention:
        """The attention of a layer."""
        return cast("Layer", self.layers[layer]).self_attn

    def forward(self, ids: Tensor) -> Tensor:
        """Shapes: ids [rows, length] -> [rows, length, hidden]."""
        x = self.embed_tokens(ids)
        cos, sin = self.get_buffer("cos")[: ids.shape[1]], self.get_buffer("sin")[: ids.shape[1]]
        for layer in self.layers:
            x = layer(x, cos, sin)
        return self.norm(x)  # type: ignore[no-any-return]


class LeanLlama(nn.Module):
    """Llama with tied embeddings. `logits` runs the wide last matrix only where they are wanted."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.model = Body(shape)

    def logits(self, ids: Tensor, where: Tensor) -> Tensor:
        """Logits at the chosen positions.

        Shapes: ids [rows, length]; where bool [rows, length] -> [where.sum(), vocabulary].
        """
        return functional.linear(self.model(ids)[where], self.model.embed_tokens.weight)
