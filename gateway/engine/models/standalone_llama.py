"""Llama as transformers computes it, for configurations of which every setting is known here.

Importing transformers' own class takes two seconds and 100 MB of every engine's process. Weights have the names of that
class, so either can be packed and compared with; a test holds their logits equal.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

from gateway.engine.errors import UnsupportedModelError

REQUIRED = {
    "model_type": "llama",
    "architectures": ["LlamaForCausalLM"],
    "hidden_act": "silu",
    "attention_bias": False,
    "mlp_bias": False,
}
NEEDED = frozenset({
    "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads", "head_dim",
    "vocab_size", "max_position_embeddings", "rope_parameters", "rms_norm_eps", "tie_word_embeddings", "bos_token_id",
    "pad_token_id", "eos_token_id", "dtype",
})  # fmt: skip
IGNORED = frozenset({"initializer_range", "use_cache", "transformers_version"})
"""What says nothing about the arithmetic."""


def read_standalone_llama(folder: Path, dtype: torch.dtype | str) -> StandaloneLlama | None:
    """Return the model of a folder; None where a setting is not known here, or its weights are in several files.

    Args:
        dtype: "auto": what the configuration names.

    Raises:
        UnsupportedModelError: The files do not hold all of its weights.
    """
    if not all((folder / name).is_file() for name in ("config.json", "model.safetensors")):
        return None
    settings = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    if not has_known_settings(settings):
        return None
    generation = folder / "generation_config.json"
    said = json.loads(generation.read_text(encoding="utf-8")) if generation.is_file() else {}
    kind = getattr(torch, settings["dtype"]) if isinstance(dtype, str) else dtype
    weights = {name: weight.to(kind) for name, weight in load_file(folder / "model.safetensors").items()}
    return StandaloneLlama(settings, weights, said)


def has_known_settings(settings: Mapping[str, Any]) -> bool:
    """True if every setting of a configuration is known here."""
    if any(settings.get(name) != value for name, value in REQUIRED.items()):
        return False
    if settings.keys() - IGNORED - REQUIRED.keys() != NEEDED:
        return False
    rope = settings["rope_parameters"]
    return isinstance(rope, dict) and rope.keys() == {"rope_type", "rope_theta"} and rope["rope_type"] == "default"


class StandaloneConfig(SimpleNamespace):
    """The settings of a model, by transformers' names."""

    _attn_implementation = "sdpa"

    def get_text_config(self) -> StandaloneConfig:
        """Return itself: the model reads text only."""
        return self


class StandaloneLlama(nn.Module):
    """A causal language model; see transformers' `LlamaForCausalLM`.

    Attributes:
        weights: By name, without that of a head that is tied to the embedding; they may be taken out.
    """

    def __init__(
        self, settings: Mapping[str, Any], weights: dict[str, Tensor], generation_config: Mapping[str, Any]
    ) -> None:
        """A model of settings that are `has_known_settings`, which then owns the weights.

        Raises:
            UnsupportedModelError: Some are missing, or of another form than the settings say.
        """
        super().__init__()
        self.config, self.generation_config = StandaloneConfig(**settings), SimpleNamespace(**generation_config)
        shapes = _shapes(self.config)
        wrong = [name for name, shape in shapes.items() if name not in weights or weights[name].shape != shape]
        if wrong:
            raise UnsupportedModelError(
                f"the files do not hold all weights: {wrong[0]} and {len(wrong) - 1} more are missing, or of another "
                "form than the settings say"
            )
        self.weights = {name: weights[name] for name in shapes}

    @property
    def dtype(self) -> torch.dtype:
        """Type of the weights."""
        return self.weights["model.norm.weight"].dtype

    @property
    def device(self) -> torch.device:
        """Device of the weights."""
        return self.weights["model.norm.weight"].device

    def named_parameters(self, *args: Any, **kwargs: Any) -> Iterator[tuple[str, Any]]:
        """The weights."""
        return iter(self.weights.items())

    def get_decoder(self) -> StandaloneLlama:
        """Return the part with the rotations: itself."""
        return self

    def rotary_emb(self, like: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
        """Cosines and sines in the type of `like`. Shapes: positions [1, T], returns [1, T, head size] each."""
        size = self.config.head_dim
        exponents = torch.arange(0, size, 2, device=positions.device).float() / size
        angles = positions[..., None].float() * (1.0 / self.config.rope_parameters["rope_theta"] ** exponents)
        both = torch.cat((angles, angles), dim=-1)
        return both.cos().to(like.dtype), both.sin().to(like.dtype)

    def forward(self, input_ids: Tensor) -> Any:
        """Shapes: input_ids [1, T]; returns logits [1, T, vocab_size]."""
        embedding = self.weights["model.embed_tokens.weight"]
        x = functional.embedding(input_ids, embedding)
        angles = self.rotary_emb(x, torch.arange(input_ids.shape[1], device=input_ids.device)[None])
        for number in range(self.config.num_hidden_layers):
            layer = f"model.layers.{number}"
            x = x + self._attended(self._normed(x, f"{layer}.input_layernorm"), f"{layer}.self_attn", *angles)
            rows = self._normed(x, f"{layer}.post_attention_layernorm")
            gated = functional.silu(self._product(rows, f"{layer}.mlp.gate_proj"))
            x = x + self._product(gated * self._product(rows, f"{layer}.mlp.up_proj"), f"{layer}.mlp.down_proj")
        head = self.weights.get("lm_head.weight", embedding)
        return SimpleNamespace(logits=functional.linear(self._normed(x, "model.norm"), head))

    def _apply(self, function: Callable[[Tensor], Tensor], recurse: bool = True) -> StandaloneLlama:
        self.weights = {name: function(weight) for name, weight in self.weights.items()}
        return self

    def _product(self, rows: Tensor, name: str) -> Tensor:
        return functional.linear(rows, self.weights[f"{name}.weight"])

    def _normed(self, rows: Tensor, name: str) -> Tensor:
        """Rows over their root mean square, rounded before the weight."""
        wide = rows.float()
        scaled = wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + self.config.rms_norm_eps)
        return self.weights[f"{name}.weight"] * scaled.to(rows.dtype)

    def _attended(self, x: Tensor, name: str, cos: Tensor, sin: Tensor) -> Tensor:
        """Causal, with fewer heads for keys and values than for queries. Shapes: x [1, T, hidden]."""
        size = self.config.head_dim
        query, key, value = (
            self._product(x, f"{name}.{part}_proj").view(1, x.shape[1], -1, size).transpose(1, 2) for part in "qkv"
        )
        query, key = (part * cos[:, None] + _half_turned(part) * sin[:, None] for part in (query, key))
        groups = query.shape[1] // key.shape[1]
        key, value = (part.repeat_interleave(groups, dim=1) for part in (key, value))
        mixed = functional.scaled_dot_product_attention(query, key, value, is_causal=True, scale=size**-0.5)
        return self._product(mixed.transpose(1, 2).reshape(1, x.shape[1], -1), f"{name}.o_proj")


def _shapes(config: StandaloneConfig) -> dict[str, tuple[int, ...]]:
    """Return the shape of each weight, by name."""
    hidden, inner = config.hidden_size, config.intermediate_size
    heads, kv_heads = config.num_attention_heads * config.head_dim, config.num_key_value_heads * config.head_dim
    layer: dict[str, tuple[int, ...]] = {
        "input_layernorm": (hidden,),
        "self_attn.q_proj": (heads, hidden),
        "self_attn.k_proj": (kv_heads, hidden),
        "self_attn.v_proj": (kv_heads, hidden),
        "self_attn.o_proj": (hidden, heads),
        "post_attention_layernorm": (hidden,),
        "mlp.gate_proj": (inner, hidden),
        "mlp.up_proj": (inner, hidden),
        "mlp.down_proj": (hidden, inner),
    }
    numbers = range(config.num_hidden_layers)
    return {
        "model.embed_tokens.weight": (config.vocab_size, hidden),
        **{f"model.layers.{number}.{part}.weight": shape for number in numbers for part, shape in layer.items()},
        "model.norm.weight": (hidden,),
        **({} if config.tie_word_embeddings else {"lm_head.weight": (config.vocab_size, hidden)}),
    }


def _half_turned(part: Tensor) -> Tensor:
    half = part.shape[-1] // 2
    return torch.cat((-part[..., half:], part[..., :half]), dim=-1)
