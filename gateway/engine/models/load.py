"""From a folder, a hub name or a model object to a `Decoder`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM

from gateway.engine.config import EngineConfig
from gateway.engine.errors import InvalidEngineConfigError, UnsupportedModelError
from gateway.engine.models.base import Decoder
from gateway.engine.models.check import check_decoder, stock_logits
from gateway.engine.models.generic import ATTENTION, TransformersDecoder
from gateway.engine.models.lean import LeanDecoder, why_not_lean
from gateway.engine.models.support import check_config, check_modules


def load_decoder(model: Any, config: EngineConfig) -> Decoder:
    """The decoder that `config` asks for; the lean one by default where it applies.

    Args:
        model: A folder, a hub name, or a `PreTrainedModel`, which the engine then owns: its attention is exchanged.

    Raises:
        UnsupportedModelError: It would be computed wrongly.
    """
    device = _device(config.device)
    if isinstance(model, str | Path):
        model = _from_files(model, _dtype(config.dtype, device))
    elif config.dtype != "auto":
        model = model.to(getattr(torch, config.dtype))
    model = model.to(device).eval()
    if model.config._attn_implementation == ATTENTION:
        model.set_attn_implementation("eager")  # it served another engine before
    check_modules(model)
    max_model_len = _max_model_len(model, config)
    check_config(model.config.get_text_config(), max_model_len)
    expected = stock_logits(model) if config.check_model else None
    decoder = _choose(model, config, max_model_len)
    if expected is not None:
        check_decoder(decoder, expected, model.dtype)
    return decoder


def _choose(model: Any, config: EngineConfig, max_model_len: int) -> Decoder:
    reason = why_not_lean(model)
    if config.decoder == "lean" and reason is not None:
        raise UnsupportedModelError(f"the lean decoder does not apply: {reason}")
    if config.decoder == "transformers" or reason is not None:
        return TransformersDecoder(model)
    return LeanDecoder(model, max_model_len)


def _max_model_len(model: Any, config: EngineConfig) -> int:
    longest: int | None = getattr(model.config.get_text_config(), "max_position_embeddings", None)
    if longest is None:
        raise UnsupportedModelError(f"{type(model).__name__} does not say how long a sequence may be")
    return min(config.max_model_len or longest, longest)


def _from_files(source: str | Path, dtype: torch.dtype | str) -> Any:
    return AutoModelForCausalLM.from_pretrained(str(source), dtype=dtype, attn_implementation="sdpa")


def _device(name: str) -> torch.device:
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        return torch.device(name)
    except RuntimeError as error:
        raise InvalidEngineConfigError(f"device {name!r} is not known") from error


def _dtype(name: str, device: torch.device) -> torch.dtype | str:
    """Weights stored in bfloat16 are computed in float32 on a CPU: without matrix units for it, bfloat16 is slower."""
    if name != "auto":
        dtype: torch.dtype = getattr(torch, name)
        return dtype
    return torch.float32 if device.type == "cpu" else "auto"
