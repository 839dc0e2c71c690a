"""The Llama-shaped family without module overhead: the fast path.

The same weights and the same arithmetic as the transformers classes (a test holds them equal), in about twelve
operations a layer: q/k/v in one product, gate/up in one product, one rotation for queries and keys, residuals added by
the norm that follows. On a small model the Python of the module tree costs as much as the arithmetic; here it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from gateway.engine.attention.base import Scoring
from gateway.engine.inputs import Batch
from gateway.engine.kv_cache import KvCache
from gateway.engine.models.base import Decoder, RopeByLength, Shapes
from gateway.engine.models.elementwise import Norms, choose_elementwise
from gateway.engine.models.linear import Linear, LinearKind
from gateway.engine.models.standalone_llama import StandaloneLlama

FAMILY = frozenset(
    {"StandaloneLlama", "LlamaForCausalLM", "MistralForCausalLM", "Qwen2ForCausalLM", "Qwen3ForCausalLM"}
)

PROJECTIONS = ("_proj", "lm_head")
"""How the names of the parts end whose weights are packed."""


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


def why_not_fast_llama(model: Any, max_model_len: int) -> str | None:
    """Return the reason that the fast decoder does not apply to this model; None if it does."""
    if type(model).__name__ not in FAMILY:
        return f"{type(model).__name__} is not one of {sorted(FAMILY)}"
    if model.config.hidden_act != "silu":
        return f"activation {model.config.hidden_act!r} is not silu"
    if getattr(model.config, "mlp_bias", False):
        return "the feed-forward layers have a bias"
    foreign = {type(part).__name__ for name, part in model.named_modules() if name.endswith(PROJECTIONS)} - {"Linear"}
    if foreign:
        return f"its products are {sorted(foreign)}, not plain linear layers"
    if rope := RopeByLength.of(model.config, max_model_len):
        return f"{rope.kind} RoPE turns each text by its length"
    if len({parameter.dtype for parameter in model.parameters()}) > 1:
        return "the weights are of more than one type"
    return None


class FastLlamaDecoder(Decoder):
    """Llama, Mistral, Qwen2 and Qwen3.

    A `StandaloneLlama` has no other use, so each layer's weights are removed from it as they are packed: memory never
    holds two copies of the model.

    Attributes:
        weights: Those that it was made of, by name, where answers may adapt the model; see `load_model`.
    """

    weights: Mapping[str, Tensor] = {}

    def __init__(self, model: Any, max_model_len: int, kind: LinearKind) -> None:
        super().__init__(model, max_model_len)
        config = model.config
        weights: dict[str, Tensor] = (
            model.weights if isinstance(model, StandaloneLlama) else dict(model.named_parameters())
        )
        self.heads: int = config.num_attention_heads
        self.kv_heads: int = config.num_key_value_heads
        self._inner: int = config.intermediate_size
        self._size: int = getattr(config, "head_dim", None) or config.hidden_size // self.heads
        self.scale = self._size**-0.5
        embedding = weights["model.embed_tokens.weight"]
        self._embedding = embedding.detach()
        self._norm = weights["model.norm.weight"].detach()
        self.layers = [self._pack_layer(model, number, weights, kind) for number in range(config.num_hidden_layers)]
        self._head = kind((weights.get("lm_head.weight", embedding),))  # the largest, where the layers' weights were
        self.norms = _norms(model, self._embedding, max_model_len)
        self.elementwise = choose_elementwise(self.norms)

    def forward(self, batch: Batch, cache: KvCache) -> Tensor:
        rows = self.elementwise
        hidden = self._embedding.index_select(0, batch.input_ids)
        x = rows.norm(hidden, self.layers[0].input_norm)
        norms = [layer.input_norm for layer in self.layers[1:]] + [self._norm]
        for index, (layer, next_norm) in enumerate(zip(self.layers, norms, strict=True)):
            attended = self._attention(index, layer, x, batch, cache)
            if next_norm is self._norm and batch.logits_indices is not None:
                # Only these rows are used from here on.
                if batch.adapters is not None:
                    batch.adapters.keep(batch.logits_indices)
                attended, hidden = (
                    attended.index_select(0, batch.logits_indices),
                    hidden.index_select(0, batch.logits_indices),
                )
            x = rows.add_norm(layer.out(attended), hidden, layer.post_norm)
            x = rows.add_norm(layer.down(rows.gate(layer.gate_up(x))), hidden, next_norm)
        return self._logits(batch.without_states(x))

    def adapt(self, adapted: Callable[[Shapes, Linear], Linear]) -> torch.dtype:
        hidden, inner = self._embedding.shape[1], self._inner
        queries, keys = self.heads * self._size, self.kv_heads * self._size
        products: dict[str, dict[str, tuple[int, int]]] = {
            "qkv": {f"self_attn.{name}_proj": (queries if name == "q" else keys, hidden) for name in "qkv"},
            "out": {"self_attn.o_proj": (hidden, queries)},
            "gate_up": {f"mlp.{name}_proj": (inner, hidden) for name in ("gate", "up")},
            "down": {"mlp.down_proj": (hidden, inner)},
        }
        for number, layer in enumerate(self.layers):
            new: dict[str, Any] = {
                field: adapted(
                    {f"model.layers.{number}.{name}": shape for name, shape in shapes.items()}, getattr(layer, field)
                )
                for field, shapes in products.items()
            }
            self.layers[number] = replace(layer, **new)
        return self._embedding.dtype

    def _logits(self, x: Tensor) -> Tensor:
        """The scores of all tokens as float32. Shapes: x [n, size], returns [n, vocabulary]."""
        return self._head(x).float()

    def _attention(self, index: int, layer: Layer, x: Tensor, batch: Batch, cache: KvCache) -> Tensor:
        """Everything between the two norms of a layer but the output projection. Shapes: returns [T, heads * size]."""
        heads = layer.qkv(x).view(x.shape[0], -1, self._size)
        memory = cache.layer(index)
        self.elementwise.rotate_and_store(
            heads, self.heads, batch.positions, layer.head_norm, memory, batch.slot_mapping
        )
        out = batch.attention.attend(heads[:, : self.heads], memory, Scoring(self.scale, layer.window))
        return out.reshape(x.shape[0], -1)

    def _pack_layer(self, model: Any, number: int, weights: dict[str, Tensor], kind: LinearKind) -> Layer:
        """Takes its weights out of all."""

        def take(name: str) -> Tensor:
            return weights.pop(f"model.layers.{number}.{name}").detach()

        def product(*names: str) -> Linear:
            own = [f"model.layers.{number}.{name}" for name in names]
            biases = [weights.pop(f"{name}.bias").detach() for name in own if f"{name}.bias" in weights]
            return kind([weights.pop(f"{name}.weight") for name in own], torch.cat(biases) if biases else None)

        head_norm = None
        if f"model.layers.{number}.self_attn.q_norm.weight" in weights:
            counts = {"q": self.heads, "k": self.kv_heads}
            head_norm = torch.cat([take(f"self_attn.{part}_norm.weight").expand(counts[part], -1) for part in counts])
        return Layer(
            input_norm=take("input_layernorm.weight"),
            qkv=product("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"),
            head_norm=head_norm,
            out=product("self_attn.o_proj"),
            post_norm=take("post_attention_layernorm.weight"),
            gate_up=product("mlp.gate_proj", "mlp.up_proj"),
            down=product("mlp.down_proj"),
            window=_window(model, number),
        )


def _window(model: Any, number: int) -> int | None:
    """By layer where the class says so (Qwen2, Qwen3), else for the whole model (Mistral); Llama heeds no setting."""
    if isinstance(model, StandaloneLlama):
        return None
    attention = model.model.layers[number].self_attn
    fallback = attention.config.sliding_window if type(attention).__name__ == "MistralAttention" else None
    window: int | None = getattr(attention, "sliding_window", fallback)
    return window


def _norms(model: Any, embedding: Tensor, length: int) -> Norms:
    """The model's own rotation angles for every position."""
    positions = torch.arange(length, device=model.device)[None]
    with torch.inference_mode():
        cos, sin = model.get_decoder().rotary_emb(embedding[:1], positions)
    half = cos.shape[-1] // 2
    signed = torch.cat((-sin[0, :, :half], sin[0, :, half:]), dim=-1)
    return Norms(model.config.rms_norm_eps, cos[0].contiguous(), signed)
