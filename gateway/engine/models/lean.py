"""The Llama-shaped family without module overhead: the fast path.

The same weights and the same arithmetic as the transformers classes (a test holds them equal), in about twelve
operations a layer: q/k/v in one product, gate/up in one product, one rotation for queries and keys, residuals added by
the norm that follows. On a small model the Python of the module tree costs as much as the arithmetic; here it does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from gateway.engine.batch import Batch
from gateway.engine.kv_cache import KvCache
from gateway.engine.models.elementwise import Elementwise, Norms, choose_elementwise
from gateway.engine.models.facts import eos_token_ids
from gateway.engine.models.linear import Linear, LinearKind
from gateway.engine.models.rope import BY_LENGTH, RopeByLength, original_length

FAMILY = frozenset({"PlainLlama", "LlamaForCausalLM", "MistralForCausalLM", "Qwen2ForCausalLM", "Qwen3ForCausalLM"})

PROJECTIONS = ("_proj", "lm_head")
"""How the names of the parts end whose weights are taken out of the model."""


@dataclass(frozen=True, slots=True)
class Layer:
    """Packed weights of one layer.

    Attributes:
        qkv: Query, key and value projections side by side.
        head_norm: Scales of the per-head norm of queries and keys (Qwen3). Shapes: [heads + kv_heads, head_size].
        window: Tokens that a token sees; None: all before it.
    """

    input_norm: Tensor
    qkv: Linear
    head_norm: Tensor | None
    out: Linear
    post_norm: Tensor
    gate_up: Linear
    down: Linear
    window: int | None


def why_not_lean(model: Any, max_model_len: int) -> str | None:
    """Why the lean decoder does not apply to this model; None if it does."""
    if type(model).__name__ not in FAMILY:
        return f"{type(model).__name__} is not one of {sorted(FAMILY)}"
    if model.config.hidden_act != "silu":
        return f"activation {model.config.hidden_act!r} is not silu"
    if getattr(model.config, "mlp_bias", False):
        return "the feed-forward layers have a bias"
    foreign = {type(part).__name__ for name, part in model.named_modules() if name.endswith(PROJECTIONS)} - {"Linear"}
    if foreign:
        return f"its products are {sorted(foreign)}, not plain linear layers"
    kind = model.config.rope_parameters["rope_type"]
    if kind in BY_LENGTH and max_model_len > original_length(model.config, kind):
        return f"{kind} RoPE turns each text by its length"
    if len({parameter.dtype for parameter in model.parameters()}) > 1:
        return "the weights are of more than one type"
    return None


class LeanDecoder:
    """Llama, Mistral, Qwen2 and Qwen3 as a `Decoder`.

    Args:
        takes: Each layer's weights are taken out of the model as they are packed, so that there are never two of all.
    """

    def __init__(self, model: Any, max_model_len: int, kind: LinearKind, *, takes: bool = False) -> None:
        config = model.config
        self.vocab_size: int = model.lm_head.weight.shape[0]
        self.max_positions: int = config.max_position_embeddings
        self.eos_token_ids = eos_token_ids(model)
        self.rope: RopeByLength | None = None
        self.device: torch.device = model.device
        self.heads: int = config.num_attention_heads
        self.kv_heads: int = config.num_key_value_heads
        self._embedding: Tensor = model.model.embed_tokens.weight.detach()
        self._norm: Tensor = model.model.norm.weight.detach()
        self.layers = [_pack_layer(layer, kind, takes) for layer in model.model.layers]
        self._head = kind((model.lm_head.weight,))  # the largest, where the layers' weights were
        self._size: int = model.model.layers[0].self_attn.head_dim
        self.scale: float = model.model.layers[0].self_attn.scaling
        self.norms = _norms(model, max_model_len)
        self._rows = choose_elementwise(self.norms)

    def forward(self, batch: Batch, cache: KvCache) -> Tensor:
        """See `Decoder.forward`."""
        rows = self._rows
        hidden = self._embedding.index_select(0, batch.input_ids)
        x = rows.norm(hidden, self.layers[0].input_norm)
        norms = [layer.input_norm for layer in self.layers[1:]] + [self._norm]
        for index, (layer, next_norm) in enumerate(zip(self.layers, norms, strict=True)):
            attended = self._attention(index, layer, x, batch, cache)
            if next_norm is self._norm and batch.logits_indices is not None:
                # Nobody looks at the other rows any more.
                attended, hidden = (
                    attended.index_select(0, batch.logits_indices),
                    hidden.index_select(0, batch.logits_indices),
                )
            x = rows.add_norm(layer.out(attended), hidden, layer.post_norm)
            x = rows.add_norm(layer.down(rows.gate(layer.gate_up(x))), hidden, next_norm)
        return self._logits(x)

    @property
    def elementwise(self) -> Elementwise:
        """What computes between its products."""
        return self._rows

    def _logits(self, x: Tensor) -> Tensor:
        """The scores of all tokens as float32. Shapes: x [n, size], returns [n, vocabulary]."""
        return self._head(x).float()

    def _attention(self, index: int, layer: Layer, x: Tensor, batch: Batch, cache: KvCache) -> Tensor:
        """Everything between the two norms of a layer but the output projection. Shapes: returns [T, heads * size]."""
        heads = layer.qkv(x).view(x.shape[0], -1, self._size)
        memory, turned = cache.layer(index), self.heads + self.kv_heads
        self._rows.rotate_and_store(
            heads, self.heads, turned, batch.positions, layer.head_norm, memory, batch.slot_mapping
        )
        joint = heads[:, self.heads :]
        out = batch.attention.attend(
            heads[:, : self.heads],
            joint[:, : self.kv_heads],
            joint[:, self.kv_heads :],
            memory,
            scale=self.scale,
            window=layer.window,
        )
        return out.reshape(x.shape[0], -1)


def _pack_layer(layer: Any, kind: LinearKind, takes: bool) -> Layer:
    attention, mlp = layer.self_attn, layer.mlp
    projections = (attention.q_proj, attention.k_proj, attention.v_proj)
    biased = attention.q_proj.bias is not None
    head_norm = None
    if hasattr(attention, "q_norm"):
        size = attention.head_dim
        heads, kv_heads = attention.q_proj.out_features // size, attention.k_proj.out_features // size
        norms = (attention.q_norm.weight.expand(heads, -1), attention.k_norm.weight.expand(kv_heads, -1))
        head_norm = torch.cat(norms).detach()
    packed = Layer(
        input_norm=layer.input_layernorm.weight.detach(),
        qkv=kind(
            [projection.weight for projection in projections],
            torch.cat([projection.bias.detach() for projection in projections]) if biased else None,
        ),
        head_norm=head_norm,
        out=kind((attention.o_proj.weight,), attention.o_proj.bias),
        post_norm=layer.post_attention_layernorm.weight.detach(),
        gate_up=kind((mlp.gate_proj.weight, mlp.up_proj.weight)),
        down=kind((mlp.down_proj.weight,)),
        window=_window(attention),
    )
    if takes:
        for projection in (*projections, attention.o_proj, mlp.gate_proj, mlp.up_proj, mlp.down_proj):
            projection.weight = None
    return packed


def _window(attention: Any) -> int | None:
    """Per layer where the class says so (Qwen2, Qwen3), else for the whole model (Mistral)."""
    fallback = attention.config.sliding_window if type(attention).__name__ == "MistralAttention" else None
    window: int | None = getattr(attention, "sliding_window", fallback)
    return window


def _norms(model: Any, length: int) -> Norms:
    """The model's own rotation angles for every position."""
    positions = torch.arange(length, device=model.device)[None]
    with torch.inference_mode():
        cos, sin = model.model.rotary_emb(model.model.embed_tokens.weight[:1], positions)
    half = cos.shape[-1] // 2
    signed = torch.cat((-sin[0, :, :half], sin[0, :, half:]), dim=-1)
    return Norms(model.config.rms_norm_eps, cos[0].contiguous(), signed)
