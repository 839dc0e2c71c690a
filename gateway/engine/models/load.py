"""From a folder, a hub name or a model object to a `Decoder`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from gateway.engine.attention import choose_attention
from gateway.engine.config import EngineConfig
from gateway.engine.errors import InvalidEngineConfigError, UnsupportedModelError
from gateway.engine.models.base import Decoder
from gateway.engine.models.check import check_decoder, stock_logits, tolerance_of
from gateway.engine.models.generic import ATTENTION, TransformersDecoder
from gateway.engine.models.lean import LeanDecoder, why_not_lean
from gateway.engine.models.linear import LinearKind, choose_dtype, choose_kind, exchange_linears, restore_linears
from gateway.engine.models.loaded import LoadedModel
from gateway.engine.models.measure import measure_needs
from gateway.engine.models.plain_llama import read_plain_llama
from gateway.engine.models.support import check_config, check_modules


def load_model(model: Any, config: EngineConfig, *, block_size: int | None = None) -> LoadedModel:
    """The decoder that `config` asks for, the lean one by default where it applies, and the best attention for it.

    Args:
        model: A folder, a hub name, or a `PreTrainedModel`, which the engine then owns: its attention and its linear
            layers are exchanged. Such a one keeps its own type under `dtype="auto"`.
        block_size: Of blocks that it shares with another model; None: they will be as it wants them.

    Raises:
        UnsupportedModelError: It would be computed wrongly.
        InvalidEngineConfigError: The device has no way to compute what was asked for.
    """
    device = _device(config.device)
    is_ours = isinstance(model, str | Path)
    if is_ours:
        model = _from_files(model, choose_dtype(config.dtype, device) or "auto", config.decoder)
    elif config.dtype != "auto":
        model = model.to(getattr(torch, config.dtype))
    model = model.to(device).eval()
    if model.config._attn_implementation == ATTENTION:  # it served another engine before
        model.set_attn_implementation("eager")
        restore_linears(model)
    check_modules(model)
    max_model_len = _max_model_len(model, config)
    check_config(model.config.get_text_config(), max_model_len)
    expected = stock_logits(model) if config.check_model else None
    kind = choose_kind(device, model.dtype, config.quantization)
    decoder = _choose(model, config, max_model_len, kind)
    if isinstance(decoder, TransformersDecoder) and device.type == "cpu":
        exchange_linears(model, kind, keep_originals=not is_ours)
    needs = measure_needs(decoder)
    loaded = LoadedModel(decoder, choose_attention(config, needs, block_size=block_size), needs)
    if expected is not None:
        check_decoder(loaded, expected, tolerance_of(model.dtype, kind))
    return loaded


def _choose(model: Any, config: EngineConfig, max_model_len: int, kind: LinearKind) -> Decoder:
    reason = why_not_lean(model)
    if config.decoder == "lean" and reason is not None:
        raise UnsupportedModelError(f"the lean decoder does not apply: {reason}")
    if config.decoder == "transformers" or reason is not None:
        return TransformersDecoder(model)
    return LeanDecoder(model, max_model_len, kind)


def _max_model_len(model: Any, config: EngineConfig) -> int:
    longest: int | None = getattr(model.config.get_text_config(), "max_position_embeddings", None)
    if longest is None:
        raise UnsupportedModelError(f"{type(model).__name__} does not say how long a sequence may be")
    return min(config.max_model_len or longest, longest)


def _from_files(source: str | Path, dtype: torch.dtype | str, decoder: str) -> Any:
    plain = None if decoder == "transformers" else read_plain_llama(Path(source), dtype)
    if plain is not None:
        return plain
    from transformers import AutoModelForCausalLM

    return AutoModelForCausalLM.from_pretrained(str(source), dtype=dtype, attn_implementation="sdpa")


def _device(name: str) -> torch.device:
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise InvalidEngineConfigError(f"device {name!r} is not known") from error
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        raise InvalidEngineConfigError(f"device {name!r} is not there, or this torch was built without CUDA")
    return device
