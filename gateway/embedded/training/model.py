"""A lean Llama for training: the weights' names and meaning are those of transformers' `LlamaForCausalLM`.

It computes on packed sequences: the tokens of several conversations one after the other, without padding. Everything
but attention is a function of single tokens; attention runs conversation by conversation on a CPU, where that is
cheapest, and over padded rows on a GPU, where many small kernels are not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.autograd import Function
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
    "target": Shape(hidden=256, intermediate=768, num_layers=6, num_heads=4, num_kv_heads=2),
    "draft": Shape(hidden=128, intermediate=384, num_layers=3, num_heads=2, num_kv_heads=1),
}


def _linear(rows_in: int, rows_out: int) -> nn.Linear:
    return nn.Linear(rows_in, rows_out, bias=False)


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotary position embedding of `x`, halves convention.

    Shapes: x [tokens, heads, size]; cos, sin [tokens, 1, size / 2].
    """
    half = x.shape[-1] // 2
    left, right = x[..., :half], x[..., half:]
    return torch.cat((left * cos - right * sin, right * cos + left * sin), dim=-1)


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
        group = s.num_heads // s.num_kv_heads
        q = rotate(self.q_proj(x).view(-1, s.num_heads, s.head_size), cos, sin)
        k = rotate(self.k_proj(x).view(-1, s.num_kv_heads, s.head_size), cos, sin).repeat_interleave(group, 1)
        v = self.v_proj(x).view(-1, s.num_kv_heads, s.head_size).repeat_interleave(group, 1)
        attend = _attend_padded if x.is_cuda else _attend_each
        return attend(q, k, v, lengths).reshape(-1, s.hidden)


def _attend_each(q: Tensor, k: Tensor, v: Tensor, lengths: list[int]) -> Tensor:
    """Causal attention, sequence by sequence. Shapes: [tokens, heads, size] -> the same."""
    parts = zip(*(torch.split(t.transpose(0, 1)[None], lengths, 2) for t in (q, k, v)), strict=True)
    out = [functional.scaled_dot_product_attention(q, k, v, is_causal=True)[0] for q, k, v in parts]
    return torch.cat(out, 1).transpose(0, 1)


def _attend_padded(q: Tensor, k: Tensor, v: Tensor, lengths: list[int]) -> Tensor:
    """The same as one product of padded rows: padding stands to the right, so causality hides it."""
    row = torch.repeat_interleave(torch.arange(len(lengths)), torch.tensor(lengths)).to(q.device)
    column = torch.cat([torch.arange(length) for length in lengths]).to(q.device)
    rows = [t.new_zeros(len(lengths), max(lengths), *t.shape[1:]) for t in (q, k, v)]
    q, k, v = [part.index_put((row, column), t).transpose(1, 2) for part, t in zip(rows, (q, k, v), strict=True)]
    out = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
    return out.transpose(1, 2)[row, column]


class Gate(Function):
    """`silu(gate) * up`, with a backward pass of few large operations: on a CPU they cost as much as the products."""

    @staticmethod
    def forward(ctx: Any, gate: Tensor, up: Tensor) -> Tensor:
        """Shapes: all the same."""
        share = torch.sigmoid(gate)
        ctx.save_for_backward(gate, up, share)
        return (gate * share).mul_(up)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, Tensor]:
        """Gradients of gate and up."""
        gate, up, share = ctx.saved_tensors
        open_gate = gate * share
        to_up = grads[0] * open_gate
        slope = torch.addcmul(open_gate, share, open_gate, value=-1).add_(share)
        return slope.mul_(up).mul_(grads[0]), to_up


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


class Layer(nn.Module):
    """One decoder layer."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.input_layernorm = nn.RMSNorm(shape.hidden, eps=shape.norm_epsilon)
        self.self_attn = Attention(shape)
        self.post_attention_layernorm = nn.RMSNorm(shape.hidden, eps=shape.norm_epsilon)
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
        self.norm = nn.RMSNorm(shape.hidden, eps=shape.norm_epsilon)
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
        positions = torch.cat([torch.arange(length) for length in lengths]).to(ids.device)
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
        """Where it computes."""
        return self.model.embed_tokens.weight.device

    def logits(self, ids: Tensor, lengths: list[int], where: Tensor) -> Tensor:
        """Logits at the chosen positions of packed sequences.

        Shapes: ids [tokens]; lengths sum to tokens; where long [wanted] -> [wanted, vocabulary].
        """
        return functional.linear(self.model(ids, lengths, where), self.model.embed_tokens.weight)
