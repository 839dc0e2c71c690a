"""Checks that a model is computed rightly on a ragged row: by its configuration, and by the stock model's logits."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from gateway.engine.attention.base import LayerNeeds
from gateway.engine.config import EngineConfig
from gateway.engine.errors import UnsupportedModelError
from gateway.engine.models.base import DYNAMIC, LONGROPE, LoadedModel, vocab_size
from gateway.engine.models.linear import LinearKind
from gateway.engine.models.measure import sample_sequence
from gateway.engine.scheduling.plan import Plan

LAYER_TYPES = frozenset({"full_attention", "sliding_attention", "attention"})

LENGTHS, NUM_DECODES = (11, 9), 2
"""Of two texts, and the tokens at their ends that are decoded."""
SIZES = EngineConfig(max_num_seqs=2, block_size=4, prefix_caching=False)


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Largest distance from the stock model's logits that rounding explains.

    Attributes:
        error: Of a row, root mean square, in units of the logits' standard deviation. A leak between neighbours or a
            wrong constant is of order 1, rounding is not.
        is_exact: Every row must be that near. Else the upper median of all: where numbers are coarse, rounding may send
            a row to another expert, and its logits are then far off; but a mistake shows in most rows.
    """

    error: float
    is_exact: bool


EXACT = Tolerance(1e-2, is_exact=True)
COARSE: dict[torch.dtype | str, Tolerance] = {
    torch.bfloat16: Tolerance(0.15, is_exact=False),
    torch.float16: Tolerance(0.05, is_exact=False),
    "int8": Tolerance(0.25, is_exact=False),
    # Three bits of mantissa, where integers have seven: 0.26 was measured (SmolLM2, 135 million parameters).
    "fp8": Tolerance(0.5, is_exact=False),
}
"""By the kind of products, or else the type."""


def tolerance_of(dtype: torch.dtype, kind: LinearKind, *, is_fp8: bool = False) -> Tolerance:
    """Return the tolerance for a compute type and kind of weights.

    Args: is_fp8: Keys and values are kept in eight bits.
    """
    return COARSE["fp8"] if is_fp8 else COARSE.get(kind.name) or COARSE.get(dtype, EXACT)


def check_causal(model: Any) -> None:
    """Raise unless each token of the model sees only those before it, however it is computed.

    Raises:
        UnsupportedModelError: Names the property.
    """
    if getattr(model.config, "is_encoder_decoder", False):
        raise UnsupportedModelError("encoder-decoder models are not causal language models")
    if getattr(model.config.get_text_config(), "use_bidirectional_attention", False):
        raise UnsupportedModelError("bidirectional attention is not causal")


def check_architecture(model: Any, max_model_len: int) -> None:
    """Raise unless the model has plain causal attention, by its configuration and its modules.

    Raises:
        UnsupportedModelError: Names the property.
    """
    config, body = model.config.get_text_config(), model.get_decoder()
    if getattr(body, "_is_stateful", False):
        raise UnsupportedModelError(f"{type(body).__name__} is recurrent")
    for name, module in body.named_modules():
        if isinstance(module, nn.Conv1d | nn.RNNBase):
            raise UnsupportedModelError(f"{name} ({type(module).__name__}) mixes neighbouring rows")
    for name in ("layer_types", "layers_block_type"):
        foreign = set(getattr(config, name, None) or ()) - LAYER_TYPES
        if foreign:
            raise UnsupportedModelError(
                f"{name} {sorted(foreign)} carry a state from row to row, or look at the row as a whole"
            )
    for kind, rope in (getattr(config, "rope_parameters", None) or {}).items():
        if not isinstance(rope, Mapping):
            continue  # one set for all layers
        original = rope.get("original_max_position_embeddings") or config.max_position_embeddings
        # Within the original length these two are constant and therefore safe.
        if rope.get("rope_type") in (LONGROPE, DYNAMIC) and max_model_len > original:
            raise UnsupportedModelError(
                f"{rope['rope_type']} RoPE of {kind} layers chooses its frequencies by the longest text of a row, so "
                f"neighbours would change each other; set max_model_len to at most {original}"
            )


def check_windows(config: Any, layers: Iterable[LayerNeeds]) -> None:
    """Raise if the configuration names a window and no layer asks for one: it would be in masks, which are not made
    here.

    Raises:
        UnsupportedModelError: Names the window.
    """
    window, types = getattr(config, "sliding_window", None), getattr(config, "layer_types", None)
    is_used = window is not None and (types is None or "sliding_attention" in types)
    if is_used and all(layer.window is None for layer in layers):
        raise UnsupportedModelError(f"its window of {window} tokens stands in masks alone")


def sample_texts(vocab_size: int) -> list[list[int]]:
    """Token ids to compare on."""
    return [[(7 * index + 3 * length) % vocab_size for index in range(length)] for length in LENGTHS]


@torch.inference_mode()
def stock_logits(model: Any) -> list[Tensor]:
    """Return the model's logits of the sample texts, one by one, with its own attention.

    Shapes: [length, vocab] each.
    """
    texts = sample_texts(vocab_size(model))
    return [model(input_ids=torch.tensor([text], device=model.device)).logits[0].float() for text in texts]


@torch.inference_mode()
def check_decoder(model: LoadedModel, expected: list[Tensor], tolerance: Tolerance) -> None:
    """Run the sample texts through pages and decoder, and compare.

    Args:
        tolerance: See `tolerance_of`.

    Raises:
        UnsupportedModelError: The logits differ by more than rounding.
    """
    sizes, texts = model.fit(SIZES), sample_texts(model.decoder.vocab_size)
    blocks = -(-max(LENGTHS) // sizes.block_size)
    cache, builder = model.make_cache(len(texts) * blocks, sizes.block_size), model.make_builder(sizes)
    sequences = [sample_sequence(number, text[:-NUM_DECODES]) for number, text in enumerate(texts)]
    for number, sequence in enumerate(sequences):
        sequence.block_table = list(range(number * blocks, (number + 1) * blocks))
    errors: list[float] = []
    one, other = sequences
    # Prompts are cut, rows hold neighbours, one decodes beside a chunk that has a context, and both together.
    for plan in (
        Plan(chunks=[(one, one.num_prompt_tokens - 2)]),
        Plan(chunks=[(one, 2), (other, other.num_prompt_tokens - 2)]),
        Plan(decode=[one], chunks=[(other, 2)]),
        Plan(decode=[one, other]),
        Plan(decode=[other]),
    ):
        sampled, logits = plan.sampled, model.decoder.forward(builder.build(plan), cache)
        for row, sequence in zip(logits if sampled else (), sampled, strict=True):
            errors.append(error_of(row, expected[sequence.arrival][len(sequence.token_ids) - 1]))
        for sequence, tokens in [*((each, 1) for each in plan.decode), *plan.chunks]:
            sequence.num_computed += tokens
        for sequence in sampled:  # continues with the sample text, not with the model's answer
            text, length = texts[sequence.arrival], len(sequence.token_ids)
            sequence.token_ids += text[length : length + 1]
    _judge(errors, tolerance)


def error_of(got: Tensor, expected: Tensor) -> float:
    """Return the root mean square error, in standard deviations of the expected values."""
    return float((got - expected).square().mean().sqrt() / expected.std().clamp_min(1e-6))


def _judge(errors: list[float], tolerance: Tolerance) -> None:
    worst = max(errors) if tolerance.is_exact else statistics.median_high(errors)
    if any(map(math.isnan, errors)) or worst > tolerance.error:
        error = UnsupportedModelError(
            f"read in parts, logits differ from those of a whole text by {worst:.3g} standard deviations"
        )
        error.may_be_rounding = not tolerance.is_exact
        raise error
