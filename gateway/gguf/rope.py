"""Rotary embeddings of a GGUF file, in the terms of transformers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gateway.errors import ModelLoadError
from gateway.gguf.blocks import numbers
from gateway.gguf.keys import Keys

FACTORS = "rope_freqs.weight"
LONG, SHORT = "rope_factors_long.weight", "rope_factors_short.weight"

_LLAMA3 = {"low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}
"""Parameters of all Llama 3 models; files hold only results computed from them."""


def rope_of(keys: Keys, head_dim: int) -> dict[str, Any]:
    """Return `rope_parameters` of a model that turns whole heads.

    Raises:
        ModelLoadError: The kind of rotary embedding is not supported.
    """
    theta = keys.number("rope.freq_base", 10_000.0)
    turned = keys.count("rope.dimension_count", head_dim)
    if turned != head_dim:
        raise ModelLoadError(f"{keys.file.path} turns {turned} of {head_dim} numbers of a head; all expected")
    kind = keys.text("rope.scaling.type", "none")
    found: dict[str, Any] = {"rope_type": "default", "rope_theta": theta}
    if FACTORS in keys.file.tensors:
        found |= _llama3(keys, theta, head_dim)
    elif kind == "linear":
        found |= {"rope_type": "linear", "factor": keys.number("rope.scaling.factor")}
    elif kind == "yarn":
        found |= {
            "rope_type": "yarn",
            "factor": keys.number("rope.scaling.factor"),
            "original_max_position_embeddings": keys.count("rope.scaling.original_context_length"),
        }
        for name in ("beta_fast", "beta_slow"):
            if keys.has(f"rope.scaling.yarn_{name}"):
                found[name] = keys.number(f"rope.scaling.yarn_{name}")
    elif kind != "none":
        raise ModelLoadError(f"{keys.file.path}: RoPE of the type {kind!r} is not read; linear and yarn are")
    return found


def long_rope_of(keys: Keys, head_dim: int) -> dict[str, Any]:
    """Return the rotary embedding of Phi-3: part of each head, with other angles for long texts."""
    theta = keys.number("rope.freq_base", 10_000.0)
    turned = keys.count("rope.dimension_count", head_dim)
    original = keys.count("rope.scaling.original_context_length", keys.count("context_length"))
    found: dict[str, Any] = {
        "rope_type": "default",
        "rope_theta": theta,
        "partial_rotary_factor": turned / head_dim,
        "original_max_position_embeddings": original,
    }
    if LONG in keys.file.tensors:
        found |= {"rope_type": "longrope", "long_factor": _factors(keys, LONG), "short_factor": _factors(keys, SHORT)}
        if keys.has("rope.scaling.attn_factor"):
            found["attention_factor"] = keys.number("rope.scaling.attn_factor")
    return found


def _llama3(keys: Keys, theta: float, head_dim: int) -> dict[str, Any]:
    """Return the settings from which the file's factors were computed.

    Raises:
        ModelLoadError: The factors are not those of Llama 3.
    """
    given = np.array(_factors(keys, FACTORS))
    factor = float(given.max())
    if factor == 1:
        return {}
    if not np.allclose(given, _llama3_factors(factor, theta, head_dim), rtol=1e-3):
        raise ModelLoadError(f"{keys.file.path}: {FACTORS!r} is not what Llama 3 turns by; its factors are not known")
    return {"rope_type": "llama3", "factor": factor, **_LLAMA3}


def _llama3_factors(factor: float, theta: float, head_dim: int) -> NDArray[np.float64]:
    """By how much each frequency is divided: fast ones not at all, slow ones by `factor`, some in between."""
    lengths = 2 * np.pi * theta ** (np.arange(0, head_dim, 2) / head_dim)
    low, high, original = _LLAMA3.values()
    between = np.clip((original / lengths - low) / (high - low), 0, 1)
    divided: NDArray[np.float64] = 1 / ((1 - between) / factor + between)
    return divided


def _factors(keys: Keys, name: str) -> list[float]:
    tensor = keys.file.tensors.get(name)
    if tensor is None or len(tensor.shape) != 1 or tensor.kind.name != "F32":
        raise ModelLoadError(f"{keys.file.path} has no factors {name!r}, one in float32 for each pair of a head")
    return [float(each) for each in numbers(tensor.kind, tensor.data)[0]]
