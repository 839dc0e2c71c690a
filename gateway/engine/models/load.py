"""From a folder, a hub name or a model object to a `Decoder`, and to other models of the same vocabulary."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from gateway.engine.attention.base import AttentionBackend
from gateway.engine.attention.choice import choose_attention
from gateway.engine.companions import DRAFT
from gateway.engine.config import EngineConfig
from gateway.engine.device import choose_device
from gateway.engine.errors import EngineFault, InvalidEngineConfigError, UnsupportedModelError
from gateway.engine.models.base import Decoder, LoadedModel, furthest_position, max_positions
from gateway.engine.models.check import (
    check_architecture,
    check_causal,
    check_decoder,
    check_windows,
    stock_logits,
    tolerance_of,
)
from gateway.engine.models.compiled_llama import CompiledDecoder, num_parameters, why_not_compiled
from gateway.engine.models.fast_llama import FastLlamaDecoder, why_not_fast_llama
from gateway.engine.models.files import read_model
from gateway.engine.models.generic import (
    ATTENTION,
    TransformersDecoder,
    attention_of,
    exchange_linears,
    restore_linears,
    set_attention,
)
from gateway.engine.models.linear import LinearKind, choose_dtype, choose_kind
from gateway.engine.models.linear.dense import PLAIN
from gateway.engine.models.linear.few_bits import drop_codes, few_bits_kind, keep_codes
from gateway.engine.models.measure import measure_needs
from gateway.engine.models.unbatched import UnbatchedDecoder
from gateway.engine.offload.identity import weights_digest
from gateway.gguf.file import SUFFIX, GgufFile
from gateway.gguf.tokenizer import tokens_of

logger = logging.getLogger(__name__)

MAX_CHECKED_AGAIN = 1 << 30
"""Parameters of a model that is loaded again in float32, where it fails the check in a coarser type."""


def load_model(model: Any, config: EngineConfig, *, block_size: int | None = None) -> LoadedModel:
    """The decoder that `config` asks for, by default the fastest that computes the model rightly, and its attention.

    Args:
        model: A folder, a hub name, or a `PreTrainedModel`, which the engine then owns: its attention and its linear
            layers are exchanged. Such a one keeps its own type under `dtype="auto"`.
        block_size: Of blocks that it shares with another model, whose drafts it writes; None: as it wants them.

    Raises:
        UnsupportedModelError: It would be computed wrongly.
        InvalidEngineConfigError: The device cannot compute with this configuration.
    """
    device = choose_device(config.device)
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
    check_causal(model)
    if attention_of(model) == ATTENTION:  # it served another engine before
        set_attention(model, "eager")
        restore_linears(model)
    own_attention, size = attention_of(model), num_parameters(model)
    is_digested = config.kv_offload_file is not None and block_size is None
    digest = weights_digest(model) if is_digested else ""
    kind = choose_kind(device, model.dtype, config.quantization)
    if is_ours and config.quantization == "none" and getattr(model, "codes", None) is not None:
        kind = _in_few_bits(model, kind)
    try:
        return replace(_load_paged(model, config, kind, is_ours, block_size), digest=digest)
    except UnsupportedModelError as reason:
        may_be_rounding = is_ours and reason.may_be_rounding and model.dtype != torch.float32
        if may_be_rounding and size <= MAX_CHECKED_AGAIN and _is_right_in_float32(source, config, block_size):
            logger.info("the model is right in float32; in %s rounding alone says: %s", model.dtype, reason)
            return load_model(source, replace(config, check_model=False), block_size=block_size)
        if not getattr(model, "can_generate", lambda: False)():
            raise UnsupportedModelError(f"{reason}; {type(model).__name__} does not generate") from reason
        if config.decoder not in ("auto", "one_by_one") or block_size is not None:
            raise
        for name, unset in (("kv_cache_dtype", "auto"), ("sparse_attention_tokens", 0), ("kv_offload_bytes", 0)):
            if (value := getattr(config, name)) != unset:
                raise InvalidEngineConfigError(
                    f"{name} {value!r} cannot serve this model: each text has a memory of its own, as {reason}"
                ) from reason
        logger.warning("each text is computed by itself, without drafts and shared prefixes: %s", reason)
    finally:
        drop_codes(model)
    if attention_of(model) != own_attention:
        set_attention(model, own_attention)
    with _refusing(f"{type(model).__name__} fails on a single text"):
        decoder = UnbatchedDecoder(model)
        loaded = LoadedModel(decoder, AttentionBackend, decoder.measure_needs())
        if config.check_model:
            check_decoder(loaded, stock_logits(model), tolerance_of(model.dtype, kind))
    return loaded


def load_draft_model(
    draft: Any, model: Any, target: LoadedModel, config: EngineConfig, vocab_size: int | None = None
) -> LoadedModel | None:
    """The draft model of a target, another model that writes the same tokens; None where none is asked for.

    Args:
        draft: A folder, a hub name, or a `PreTrainedModel`, which the engine then owns. None: what `config` names.
        model: The same of the target; where both are folders or files their tokenizers are compared.
        target: That model.
        config: `fit` to the target: the draft model uses its blocks.
        vocab_size: Of the tokenizer; None: as wide as the target's logits.

    Raises:
        InvalidEngineConfigError: There is none, it speaks of other tokens, or it reads shorter texts.
        UnsupportedModelError: The architecture would be computed wrongly.
    """
    if "model" not in config.sources:
        return None
    draft = config.draft_model if draft is None else draft
    if draft is None:
        raise InvalidEngineConfigError("speculation names 'model', but there is no draft_model")
    return _load_other("the draft model", draft, model, target, config, vocab_size)


def load_other_models(
    draft: Any,
    terms: Mapping[str, Any],
    model: Any,
    target: LoadedModel,
    config: EngineConfig,
    vocab_size: int | None = None,
) -> dict[str, LoadedModel]:
    """Return the draft model, if there is one, and those whose scores may be terms of a formula, by name.

    Args:
        terms: Models beside those of `config.term_models`; for the other arguments see `load_draft_model`.

    Raises:
        InvalidEngineConfigError: One speaks of other tokens, reads shorter texts, or its keys depend on their length.
        UnsupportedModelError: The architecture would be computed wrongly.
    """
    drafting = load_draft_model(draft, model, target, config, vocab_size)
    found = {} if drafting is None else {DRAFT: drafting}
    for name, each in (*(named.split("=", 1) for named in config.term_models), *terms.items()):
        what = f"the term model {name}"
        if name in (*found, DRAFT):
            raise InvalidEngineConfigError(f"{what}: the name is taken")
        found[name] = _load_other(what, each, model, target, config, vocab_size)
        if found[name].decoder.rope is not None:
            raise InvalidEngineConfigError(f"{what} rotates keys by the length of the text; set a lower max_model_len")
    return found


def _load_other(
    what: str, other: Any, model: Any, target: LoadedModel, config: EngineConfig, vocab_size: int | None
) -> LoadedModel:
    """Return another model that uses the blocks of the target.

    Args:
        what: Names it in messages.
    """
    _check_tokenizers(what, other, model)
    own = replace(config, sparse_attention_tokens=0, max_adaptations=0)
    try:
        loaded = load_model(other, own, block_size=config.block_size)
    except UnsupportedModelError as error:
        raise UnsupportedModelError(f"{what}: {error}") from error
    decoder, known = loaded.decoder, target.decoder
    width = min(vocab_size or known.vocab_size, known.vocab_size)
    if decoder.vocab_size < width:
        raise InvalidEngineConfigError(f"{what} knows {decoder.vocab_size} tokens, the target {width}")
    longest = min(config.max_model_len or known.max_positions, known.max_positions)
    if decoder.max_positions < longest:
        raise InvalidEngineConfigError(
            f"{what} reads texts of {decoder.max_positions} tokens; set max_model_len to at most that"
        )
    return loaded


def _load_paged(
    model: Any, config: EngineConfig, kind: LinearKind, is_ours: bool, block_size: int | None
) -> LoadedModel:
    """Load the model such that all texts of a step share one row.

    Raises:
        UnsupportedModelError: It would be computed wrongly, or not at all.
    """
    if config.decoder == "one_by_one":
        raise UnsupportedModelError("decoder 'one_by_one' is asked for")
    max_model_len = min(config.max_model_len or max_positions(model), furthest_position(model))
    check_architecture(model, max_model_len)
    set_attention(model, "eager")  # what the classes say themselves; others leave out bounds and sinks
    with _refusing(f"{type(model).__name__} fails on a row of several texts"):
        expected = stock_logits(model) if config.check_model else None
        decoder = _choose(model, config, max_model_len, kind)
        if isinstance(decoder, TransformersDecoder) and kind is not PLAIN:
            exchange_linears(model, kind, keep_originals=not is_ours)
        needs = measure_needs(decoder, is_fp8=config.kv_cache_dtype == "fp8")
        if not needs.layers:
            raise UnsupportedModelError(f"{type(model).__name__} has no exchangeable attention")
        check_windows(model.config.get_text_config(), needs.layers)
        loaded = LoadedModel(decoder, choose_attention(config, needs, block_size=block_size), needs)
        if expected is not None:
            check_decoder(loaded, expected, tolerance_of(model.dtype, kind, is_fp8=needs.is_fp8))
    return loaded


def _choose(model: Any, config: EngineConfig, max_model_len: int, kind: LinearKind) -> Decoder:
    reason = why_not_fast_llama(model, max_model_len)
    if config.decoder == "lean" and reason is not None:
        raise UnsupportedModelError(f"the lean decoder does not apply: {reason}")
    if config.decoder == "transformers" or reason is not None:
        return TransformersDecoder(model, max_model_len)
    weights = {name: weight.detach() for name, weight in model.named_parameters()} if config.max_adaptations else {}
    decoder = (FastLlamaDecoder if why_not_compiled(model, kind) else CompiledDecoder)(model, max_model_len, kind)
    decoder.weights = weights
    return decoder


@contextmanager
def _refusing(what: str) -> Iterator[None]:
    """Turn every exception of foreign code into `UnsupportedModelError`."""
    try:
        yield
    except EngineFault:
        raise
    except Exception as error:
        raise UnsupportedModelError(f"{what}: {error!r}") from error


def _is_right_in_float32(source: str | Path, config: EngineConfig, block_size: int | None) -> bool:
    """True if the same decoder passes the check in float32, where a mistake would show and rounding would not."""
    try:
        return bool(load_model(source, replace(config, dtype="float32"), block_size=block_size).needs.layers)
    except EngineFault:
        return False


def _in_few_bits(model: Any, kind: LinearKind) -> LinearKind:
    """The kind for a model whose files have codes: products are made with these where there are kernels for them."""
    codes, model.codes = model.codes, None
    few = few_bits_kind(kind)
    if few.applies(model.device, model.dtype) and keep_codes(dict(model.named_parameters()), codes):
        return few
    logger.warning("the weights, which are in few bits in the files, take the memory of whole ones in %s", model.dtype)
    return kind


def _check_tokenizers(what: str, other: Any, target: Any) -> None:
    """Raise if both come with a tokenizer and a token means something else in each."""
    models = [Path(model) for model in (other, target) if isinstance(model, str | Path)]
    files = [model if model.suffix == SUFFIX else model / "tokenizer.json" for model in models]
    if len(files) < 2 or not all(file.is_file() for file in files):
        return
    if files[0].suffix == files[1].suffix and files[0].read_bytes() == files[1].read_bytes():
        return
    one, own = map(_vocabulary, files)
    shared = one.keys() & own.keys() if SUFFIX in {file.suffix for file in files} else one.keys() | own.keys()
    if any(one.get(token_id) != own.get(token_id) for token_id in shared):
        raise InvalidEngineConfigError(
            f"{what} in {other} has another vocabulary than the model in {target}: the same id names another "
            "token in each"
        )


def _vocabulary(tokenizer: Path) -> dict[int, str]:
    """Token of each id, special ones included. A GGUF file has some for rows of the embedding that are no token."""
    if tokenizer.suffix == SUFFIX:
        return dict(enumerate(tokens_of(GgufFile.open(tokenizer))))
    content = json.loads(tokenizer.read_bytes())
    tokens = content["model"]["vocab"]
    pairs = tokens.items() if isinstance(tokens, dict) else ((piece[0], id) for id, piece in enumerate(tokens))
    own = {id: token for token, id in pairs}
    return own | {token["id"]: token["content"] for token in content.get("added_tokens") or ()}
