"""The Llama-shaped family without module overhead: the fast path.

The same weights and the same arithmetic as the transformers classes (a test holds them equal), in about twenty tensor
operations a layer: q/k/v in one product, gate/up in one product, one rotation for queries and keys, residuals added by
the product itself. On a small model the Python of the module tree costs as much as the arithmetic; here it does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from gateway.engine.attention import attend
from gateway.engine.batch import Batch
from gateway.engine.kv_cache import KvCache
from gateway.engine.models.generic import eos_token_ids

FAMILY = frozenset({"LlamaForCausalLM", "MistralForCausalLM", "Qwen2ForCausalLM", "Qwen3ForCausalLM"})


@dataclass(frozen=True, slots=True)
class Layer:
    """Packed weights of one layer. Matrices are [in, out]: as a CPU's matrix product likes them best.

    Attributes:
        qkv: Query, key and value projections side by side.
        head_norm: Scales of the per-head norm of queries and keys (Qwen3). Shapes: [heads + kv_heads, head_size].
        window: Tokens that a token sees; None: all before it.
    """

    input_norm: Tensor
    qkv: Tensor
    qkv_bias: Tensor | None
    head_norm: Tensor | None
    out: Tensor
    out_bias: Tensor | None
    post_norm: Tensor
    gate_up: Tensor
    down: Tensor
    window: int | None


def why_not_lean(model: Any) -> str | None:
    """Why the lean decoder does not apply to this model; None if it does."""
    if type(model).__name__ not in FAMILY:
        return f"{type(model).__name__} is not one of {sorted(FAMILY)}"
    if model.config.hidden_act != "silu":
        return f"activation {model.config.hidden_act!r} is not silu"
    if getattr(model.config, "mlp_bias", False):
        return "the feed-forward layers have a bias"
    if len({parameter.dtype for parameter in model.parameters()}) > 1:
        return "the weights are of more than one type"
    return None


class LeanDecoder:
    """Llama, Mistral, Qwen2 and Qwen3 as a `Decoder`."""

    def __init__(self, model: Any, max_model_len: int) -> None:
        config = model.config
        self.vocab_size: int = model.lm_head.weight.shape[0]
        self.max_positions: int = config.max_position_embeddings
        self.eos_token_ids = eos_token_ids(model)
        self.device: torch.device = model.device
        self._eps: float = config.rms_norm_eps
        self._hidden = (int(config.hidden_size),)
        self._heads: int = config.num_attention_heads
        self._kv_heads: int = config.num_key_value_heads
        self._embedding: Tensor = model.model.embed_tokens.weight.detach()
        self._norm: Tensor = model.model.norm.weight.detach()
        self._head = _pack(model.lm_head.weight)
        self._layers = [_pack_layer(layer) for layer in model.model.layers]
        self._size: int = model.model.layers[0].self_attn.head_dim
        self._scale: float = model.model.layers[0].self_attn.scaling
        self._cos, self._sin = _rope_tables(model, max_model_len)

    def forward(self, batch: Batch, cache: KvCache) -> Tensor:
        """See `Decoder.forward`."""
        hidden = self._embedding.index_select(0, batch.input_ids)
        cos = self._cos.index_select(0, batch.positions)[:, None]
        sin = self._sin.index_select(0, batch.positions)[:, None]
        for index, layer in enumerate(self._layers):
            rows = self._attention(index, layer, hidden, cos, sin, batch, cache)
            hidden = torch.addmm(hidden, rows, layer.out)
            if layer.out_bias is not None:
                hidden += layer.out_bias
            gate, up = (functional.rms_norm(hidden, self._hidden, layer.post_norm, self._eps) @ layer.gate_up).chunk(
                2, dim=-1
            )
            hidden = torch.addmm(hidden, functional.silu(gate).mul_(up), layer.down)
        if batch.keep is not None:
            hidden = hidden.index_select(0, batch.keep)
        return (functional.rms_norm(hidden, self._hidden, self._norm, self._eps) @ self._head).float()

    def _attention(
        self, index: int, layer: Layer, hidden: Tensor, cos: Tensor, sin: Tensor, batch: Batch, cache: KvCache
    ) -> Tensor:
        """Everything between the two norms of a layer but the output projection. Shapes: returns [T, heads * size]."""
        x = functional.rms_norm(hidden, self._hidden, layer.input_norm, self._eps)
        fused = x @ layer.qkv if layer.qkv_bias is None else torch.addmm(layer.qkv_bias, x, layer.qkv)
        heads = fused.view(x.shape[0], -1, self._size)
        turned = heads[:, : self._heads + self._kv_heads]
        if layer.head_norm is not None:
            turned.copy_(functional.rms_norm(turned, (self._size,), None, self._eps).mul_(layer.head_norm))
        # rotate_half(x) * sin, written as a roll against a table whose first half carries the minus sign.
        rolled = turned.roll(self._size // 2, -1)
        turned.mul_(cos).addcmul_(rolled, sin)
        joint = heads[:, self._heads :]
        memory = cache.layer(index)
        memory.write_joint(batch, joint)
        out = attend(
            heads[:, : self._heads],
            joint[:, : self._kv_heads],
            joint[:, self._kv_heads :],
            memory,
            batch,
            scale=self._scale,
            window=layer.window,
        )
        return out.reshape(x.shape[0], -1)


def _pack(*weights: Any) -> Tensor:
    """Stack [out, in] weights and lay them out as [in, out].

    A copy on a CPU, where the product is up to 2.8 times as fast that way; a view elsewhere.
    """
    stacked = weights[0].detach() if len(weights) == 1 else torch.cat([weight.detach() for weight in weights])
    return stacked.t().contiguous() if stacked.device.type == "cpu" else stacked.t()


def _pack_layer(layer: Any) -> Layer:
    attention, mlp = layer.self_attn, layer.mlp
    projections = (attention.q_proj, attention.k_proj, attention.v_proj)
    biased = attention.q_proj.bias is not None
    head_norm = None
    if hasattr(attention, "q_norm"):
        size = attention.head_dim
        heads, kv_heads = attention.q_proj.out_features // size, attention.k_proj.out_features // size
        norms = (attention.q_norm.weight.expand(heads, -1), attention.k_norm.weight.expand(kv_heads, -1))
        head_norm = torch.cat(norms).detach()
    return Layer(
        input_norm=layer.input_layernorm.weight.detach(),
        qkv=_pack(*(projection.weight for projection in projections)),
        qkv_bias=torch.cat([projection.bias.detach() for projection in projections]) if biased else None,
        head_norm=head_norm,
        out=_pack(attention.o_proj.weight),
        out_bias=attention.o_proj.bias.detach() if attention.o_proj.bias is not None else None,
        post_norm=layer.post_attention_layernorm.weight.detach(),
        gate_up=_pack(mlp.gate_proj.weight, mlp.up_proj.weight),
        down=_pack(mlp.down_proj.weight),
        window=_window(attention),
    )


def _window(attention: Any) -> int | None:
    """Per layer where the class says so (Qwen2, Qwen3), else for the whole model (Mistral)."""
    fallback = attention.config.sliding_window if type(attention).__name__ == "MistralAttention" else None
    window: int | None = getattr(attention, "sliding_window", fallback)
    return window


def _rope_tables(model: Any, length: int) -> tuple[Tensor, Tensor]:
    """The model's own rotation angles for every position. Shapes: cos and signed sin [length, head_size]."""
    positions = torch.arange(length, device=model.device)[None]
    with torch.inference_mode():
        cos, sin = model.model.rotary_emb(model.model.embed_tokens.weight[:1], positions)
    half = cos.shape[-1] // 2
    signed = torch.cat((-sin[0, :, :half], sin[0, :, half:]), dim=-1)
    return cos[0].contiguous(), signed
