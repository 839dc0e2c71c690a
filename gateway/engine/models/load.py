"""From a folder, a hub name or a model object to a `Decoder`."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from gateway.engine.attention import choose_attention
from gateway.engine.attention.absent import AbsentAttention
from gateway.engine.config import EngineConfig
from gateway.engine.errors import EngineFault, InvalidEngineConfigError, UnsupportedModelError
from gateway.engine.models.base import Decoder
from gateway.engine.models.check import check_decoder, stock_logits, tolerance_of
from gateway.engine.models.compiled import CompiledDecoder, why_not_compiled
from gateway.engine.models.facts import furthest_position, max_positions
from gateway.engine.models.files import read_model
from gateway.engine.models.generic import ATTENTION, TransformersDecoder, attention_of, set_attention
from gateway.engine.models.lean import LeanDecoder, why_not_lean
from gateway.engine.models.linear import LinearKind, choose_dtype, choose_kind, exchange_linears, restore_linears
from gateway.engine.models.linear.few_bits import FewBitsKind
from gateway.engine.models.linear.plain import PlainKind
from gateway.engine.models.loaded import LoadedModel
from gateway.engine.models.measure import measure_needs
from gateway.engine.models.one_by_one import OneByOneDecoder, why_not_one_by_one
from gateway.engine.models.plain_llama import PlainLlama
from gateway.engine.models.support import check_config, check_modules, check_windows

logger = logging.getLogger(__name__)

MAX_CHECKED_AGAIN = 1 << 30
"""Parameters of a model that is read once more in float32, where it fails the check in a coarser type."""


def load_model(model: Any, config: EngineConfig, *, block_size: int | None = None) -> LoadedModel:
    """The decoder that `config` asks for, by default the fastest that computes the model rightly, and its attention.

    Args:
        model: A folder, a hub name, or a `PreTrainedModel`, which the engine then owns: its attention and its linear
            layers are exchanged. Such a one keeps its own type under `dtype="auto"`.
        block_size: Of blocks that it shares with another model, whose drafts it writes; None: as it wants them.

    Raises:
        UnsupportedModelError: It would be computed wrongly.
        InvalidEngineConfigError: The device has no way to compute what was asked for.
    """
    device = _device(config.device)
    if device.type == "cuda":
        # torch's first choice on Hopper plans for each form of its operands: 70 ms on an H100 for each length of a
        # prompt. The others start at once and are as fast.
        torch.backends.cuda.enable_cudnn_sdp(False)
    source, is_ours = model, isinstance(model, str | Path)
    if is_ours:
        model = read_model(model, choose_dtype(config.dtype, device) or "auto", config.decoder)
    elif config.dtype != "auto":
        model = model.to(getattr(torch, config.dtype))
    model = model.to(device).eval()
    if attention_of(model) == ATTENTION:  # it served another engine before
        set_attention(model, "eager")
        restore_linears(model)
    own_attention = attention_of(model)
    kind = choose_kind(device, model.dtype, config.quantization)
    if is_ours and config.quantization == "none" and getattr(model, "codes", None) is not None:
        kind = _in_few_bits(model, kind)
    try:
        return _load_paged(model, config, kind, is_ours, block_size)
    except UnsupportedModelError as reason:
        is_coarse = is_ours and reason.may_be_rounding and model.dtype != torch.float32
        is_small = sum(weight.numel() for weight in model.parameters()) <= MAX_CHECKED_AGAIN
        if is_coarse and is_small and _is_right_in_float32(source, config, block_size):
            logger.info("the model is right in float32; in %s rounding alone says: %s", model.dtype, reason)
            return load_model(source, replace(config, check_model=False), block_size=block_size)
        why_not = why_not_one_by_one(model)
        if why_not is not None or config.decoder not in ("auto", "one_by_one") or block_size is not None:
            raise UnsupportedModelError("; ".join(dict.fromkeys(filter(None, (str(reason), why_not))))) from reason
        logger.warning("each text is computed by itself, without drafts and shared prefixes: %s", reason)
    if attention_of(model) != own_attention:
        set_attention(model, own_attention)
    return _load_one_by_one(model, config, kind)


def _is_right_in_float32(source: str | Path, config: EngineConfig, block_size: int | None) -> bool:
    """Whether the same decoder passes the check where there is next to no rounding: a mistake would show there too."""
    try:
        return bool(load_model(source, replace(config, dtype="float32"), block_size=block_size).needs.layers)
    except EngineFault:
        return False


def _in_few_bits(model: Any, kind: LinearKind) -> LinearKind:
    """The kind for a model whose files have codes: products are made with these where there are kernels for them."""
    codes, model.codes = model.codes, None
    weights = dict(model.named_parameters())
    few = FewBitsKind({weights[name].data_ptr(): found for name, found in codes.items() if name in weights}, kind)
    if few.applies(model.device, model.dtype) and few.has_any:
        return few
    logger.warning("the weights, which are in few bits in the files, take the memory of whole ones in %s", model.dtype)
    return kind


def _load_paged(
    model: Any, config: EngineConfig, kind: LinearKind, is_ours: bool, block_size: int | None
) -> LoadedModel:
    """All texts of a step in one row.

    Raises:
        UnsupportedModelError: It would be computed wrongly, or not at all.
    """
    if config.decoder == "one_by_one":
        raise UnsupportedModelError("decoder 'one_by_one' is asked for")
    check_modules(model.get_decoder())
    max_model_len = min(config.max_model_len or max_positions(model), furthest_position(model))
    check_config(model.config.get_text_config(), max_model_len)
    set_attention(model, "eager")  # what the classes say themselves; others leave out bounds and sinks
    try:
        expected = stock_logits(model) if config.check_model else None
        decoder = _choose(model, config, max_model_len, kind)
        if isinstance(decoder, TransformersDecoder) and not isinstance(kind, PlainKind):
            exchange_linears(model, kind, keep_originals=not is_ours)
        needs = measure_needs(decoder)
        if not needs.layers:
            raise UnsupportedModelError(f"{type(model).__name__} has no exchangeable attention")
        check_windows(model.config.get_text_config(), needs.layers)
        loaded = LoadedModel(decoder, choose_attention(config, needs, block_size=block_size), needs)
        if expected is not None:
            check_decoder(loaded, expected, tolerance_of(model.dtype, kind))
    except EngineFault:
        raise
    except Exception as error:  # a class of another's may fail in any way
        raise UnsupportedModelError(f"{type(model).__name__} fails on a row of several texts: {error!r}") from error
    return loaded


def _load_one_by_one(model: Any, config: EngineConfig, kind: LinearKind) -> LoadedModel:
    """Each text with a memory of its own.

    Raises:
        UnsupportedModelError: It says something else token by token than of a whole text, or nothing at all.
    """
    try:
        decoder = OneByOneDecoder(model)
        loaded = LoadedModel(decoder, AbsentAttention, decoder.measure_needs())
        if config.check_model:
            check_decoder(loaded, stock_logits(model), tolerance_of(model.dtype, kind))
    except EngineFault:
        raise
    except Exception as error:
        raise UnsupportedModelError(f"{type(model).__name__} fails on a single text: {error!r}") from error
    return loaded


def _choose(model: Any, config: EngineConfig, max_model_len: int, kind: LinearKind) -> Decoder:
    reason = why_not_lean(model, max_model_len)
    if config.decoder == "lean" and reason is not None:
        raise UnsupportedModelError(f"the lean decoder does not apply: {reason}")
    if config.decoder == "transformers" or reason is not None:
        return TransformersDecoder(model, max_model_len)
    decoder = LeanDecoder if why_not_compiled(model, kind) else CompiledDecoder
    return decoder(model, max_model_len, kind, takes=isinstance(model, PlainLlama))  # which has no other use


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
