"""Llama as transformers computes it, for configurations of which every setting is known here.

Importing transformers' own class takes two seconds and 100 MB of every engine's process. Modules and parameters have
the names of that class, so either can be packed and compared with; a test holds their logits equal.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

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


def read_plain_llama(folder: Path, dtype: torch.dtype | str) -> PlainLlama | None:
    """The model of a folder; None where it has a setting that is not known here, or its weights are in parts.

    Args:
        dtype: "auto": what the configuration names.
    """
    if not all((folder / name).is_file() for name in ("config.json", "model.safetensors")):
        return None
    settings = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    if not is_plain(settings):
        return None
    generation = folder / "generation_config.json"
    said = json.loads(generation.read_text(encoding="utf-8")) if generation.is_file() else {}
    kind = getattr(torch, settings["dtype"]) if isinstance(dtype, str) else dtype
    weights = {name: weight.to(kind) for name, weight in load_file(folder / "model.safetensors").items()}
    return plain_llama(settings, weights, said)


def is_plain(settings: Mapping[str, Any]) -> bool:
    """True if every setting of a configuration is known here."""
    if any(settings.get(name) != value for name, value in REQUIRED.items()):
        return False
    return settings.keys() - IGNORED - REQUIRED.keys() == NEEDED and _is_default(settings["rope_parameters"])


def plain_llama(
    settings: Mapping[str, Any], weights: Mapping[str, Tensor], generation: Mapping[str, Any]
) -> PlainLlama:
    """The model of a configuration that `is_plain`, which then owns the weights."""
    config = PlainConfig(**settings)
    with torch.device("meta"):
        model = PlainLlama(config, SimpleNamespace(**generation))
    tied = {"lm_head.weight": weights["model.embed_tokens.weight"]} if config.tie_word_embeddings else {}
    model.load_state_dict({**weights, **tied}, assign=True)
    return model.requires_grad_(False)


def _is_default(rope: Any) -> bool:
    return isinstance(rope, dict) and rope.keys() == {"rope_type", "rope_theta"} and rope["rope_type"] == "default"


class PlainConfig(SimpleNamespace):
    """The settings of a model, by transformers' names."""

    _attn_implementation = "sdpa"

    def get_text_config(self) -> PlainConfig:
        """Itself: the model reads text alone."""
        return self


class Linear(nn.Linear):
    """A product whose weights are read; to draw random ones first, on no device, torch would import its compiler."""

    def reset_parameters(self) -> None:
        """Nothing is done."""


class Embedding(nn.Embedding):
    """The same of a table."""

    def reset_parameters(self) -> None:
        """Nothing is done."""


class Norm(nn.Module):
    """Rows over their root mean square, rounded before the weight."""

    def __init__(self, size: int, eps: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(size))
        self._eps = eps

    def forward(self, rows: Tensor) -> Tensor:
        """Shapes: as they come."""
        wide = rows.float()
        scaled = wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + self._eps)
        return self.weight * scaled.to(rows.dtype)


class Rotation(nn.Module):
    """Angles of positions."""

    def __init__(self, config: PlainConfig) -> None:
        super().__init__()
        self._theta, self._size = config.rope_parameters["rope_theta"], config.head_dim

    def forward(self, like: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
        """Cosines and sines in the type of `like`. Shapes: positions [1, T], returns [1, T, head size] each."""
        exponents = torch.arange(0, self._size, 2, device=positions.device).float() / self._size
        angles = positions[..., None].float() * (1.0 / self._theta**exponents)
        both = torch.cat((angles, angles), dim=-1)
        return both.cos().to(like.dtype), both.sin().to(like.dtype)


class Attention(nn.Module):
    """Causal, with fewer heads for keys and values than for queries."""

    def __init__(self, config: PlainConfig) -> None:
        super().__init__()
        self.config = config
        self.head_dim: int = config.head_dim
        self.scaling: float = self.head_dim**-0.5
        heads, kv_heads = config.num_attention_heads * self.head_dim, config.num_key_value_heads * self.head_dim
        self.q_proj = Linear(config.hidden_size, heads, bias=False)
        self.k_proj = Linear(config.hidden_size, kv_heads, bias=False)
        self.v_proj = Linear(config.hidden_size, kv_heads, bias=False)
        self.o_proj = Linear(heads, config.hidden_size, bias=False)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        """Shapes: x [1, T, hidden]."""
        length = x.shape[1]
        query, key, value = (
            part(x).view(1, length, -1, self.head_dim).transpose(1, 2)
            for part in (self.q_proj, self.k_proj, self.v_proj)
        )
        query, key = (part * cos + _half_turned(part) * sin for part in (query, key))
        groups = query.shape[1] // key.shape[1]
        key, value = (part.repeat_interleave(groups, dim=1) for part in (key, value))
        mixed = functional.scaled_dot_product_attention(query, key, value, is_causal=True, scale=self.scaling)
        out: Tensor = self.o_proj(mixed.transpose(1, 2).reshape(1, length, -1))
        return out


class Gated(nn.Module):
    """The feed-forward part of a layer."""

    def __init__(self, config: PlainConfig) -> None:
        super().__init__()
        self.gate_proj = Linear(config.hidden_size, config.intermediate_size, bias=False)
        self.up_proj = Linear(config.hidden_size, config.intermediate_size, bias=False)
        self.down_proj = Linear(config.intermediate_size, config.hidden_size, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """Shapes: as they come."""
        out: Tensor = self.down_proj(functional.silu(self.gate_proj(x)) * self.up_proj(x))
        return out


class Layer(nn.Module):
    """Attention, then the feed-forward part, each added to what came."""

    def __init__(self, config: PlainConfig) -> None:
        super().__init__()
        self.input_layernorm = Norm(config.hidden_size, config.rms_norm_eps)
        self.self_attn = Attention(config)
        self.post_attention_layernorm = Norm(config.hidden_size, config.rms_norm_eps)
        self.mlp = Gated(config)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        """Shapes: as they come."""
        x = x + self.self_attn(self.input_layernorm(x), cos, sin)
        out: Tensor = x + self.mlp(self.post_attention_layernorm(x))
        return out


class Body(nn.Module):
    """All but the head."""

    def __init__(self, config: PlainConfig) -> None:
        super().__init__()
        self.embed_tokens = Embedding(config.vocab_size, config.hidden_size)
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.num_hidden_layers))
        self.norm = Norm(config.hidden_size, config.rms_norm_eps)
        self.rotary_emb = Rotation(config)


class PlainLlama(nn.Module):
    """A causal language model; see transformers' `LlamaForCausalLM`."""

    def __init__(self, config: PlainConfig, generation_config: Any) -> None:
        super().__init__()
        self.config, self.generation_config = config, generation_config
        self.model = Body(config)
        self.lm_head = Linear(config.hidden_size, config.vocab_size, bias=False)

    @property
    def dtype(self) -> torch.dtype:
        """Of the weights."""
        return self.lm_head.weight.dtype

    @property
    def device(self) -> torch.device:
        """Of the weights."""
        return self.lm_head.weight.device

    def get_decoder(self) -> Body:
        """All but the head."""
        return self.model

    def get_output_embeddings(self) -> Linear:
        """The head."""
        return self.lm_head

    def forward(self, input_ids: Tensor) -> Any:
        """Shapes: input_ids [1, T]; returns logits [1, T, vocab_size]."""
        x = self.model.embed_tokens(input_ids)
        cos, sin = self.model.rotary_emb(x, torch.arange(input_ids.shape[1], device=input_ids.device)[None])
        for layer in self.model.layers:
            x = layer(x, cos[:, None], sin[:, None])
        return SimpleNamespace(logits=self.lm_head(self.model.norm(x)))


def _half_turned(part: Tensor) -> Tensor:
    half = part.shape[-1] // 2
    return torch.cat((-part[..., half:], part[..., :half]), dim=-1)
