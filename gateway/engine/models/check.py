"""A decoder proves itself at load: the stock model's logits, or it is not served."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from gateway.engine.config import EngineConfig
from gateway.engine.errors import UnsupportedModelError
from gateway.engine.models.facts import vocab_size
from gateway.engine.models.linear import LinearKind
from gateway.engine.models.linear.fp8 import Fp8Kind
from gateway.engine.models.linear.int8 import Int8Kind
from gateway.engine.models.loaded import LoadedModel
from gateway.engine.plan import Plan
from gateway.engine.request import GenerationRequest, SamplingParams
from gateway.engine.scheduler import Scheduler
from gateway.engine.sequence import Sequence

# Two texts, so that rows hold neighbours; steps smaller than the texts, so that prompts are cut; two decode steps.
LENGTHS, NUM_DECODES = (11, 9), 2
SIZES = EngineConfig(max_num_seqs=2, max_batch_tokens=7, block_size=4, prefix_caching=False)


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far logits may be from the stock model's by rounding alone.

    Attributes:
        error: Of a row, root mean square, in units of the logits' standard deviation. A leak between neighbours or a
            wrong constant is of order 1, rounding is not.
        is_exact: Every row must be that near. Else the upper median of all: where numbers are coarse, rounding may send
            a row to another expert, and its logits are then far off; but a mistake shows in most rows.
    """

    error: float
    is_exact: bool


EXACT = Tolerance(1e-2, is_exact=True)
COARSE = {torch.bfloat16: Tolerance(0.15, is_exact=False), torch.float16: Tolerance(0.05, is_exact=False)}
EIGHT_BITS = Tolerance(0.25, is_exact=False)
EIGHT_BIT_FLOATS = Tolerance(0.5, is_exact=False)
"""Three bits behind the point, where whole numbers have seven: 0.26 were measured (SmolLM2, 135 million parameters)."""


def tolerance_of(dtype: torch.dtype, kind: LinearKind) -> Tolerance:
    """What is asked of a decoder that computes so."""
    if isinstance(kind, Fp8Kind):
        return EIGHT_BIT_FLOATS
    return EIGHT_BITS if isinstance(kind, Int8Kind) else COARSE.get(dtype, EXACT)


def sample_texts(vocab_size: int) -> list[list[int]]:
    """Token ids to compare on."""
    return [[(7 * index + 3 * length) % vocab_size for index in range(length)] for length in LENGTHS]


@torch.inference_mode()
def stock_logits(model: Any) -> list[Tensor]:
    """What the model says of the sample texts, one by one, with its own attention. Shapes: [length, vocab] each."""
    texts = sample_texts(vocab_size(model))
    return [model(input_ids=torch.tensor([text], device=model.device)).logits[0].float() for text in texts]


@torch.inference_mode()
def check_decoder(model: LoadedModel, expected: list[Tensor], tolerance: Tolerance) -> None:
    """Run the sample texts through scheduler, pages and decoder, and compare.

    Args:
        tolerance: See `tolerance_of`.

    Raises:
        UnsupportedModelError: The logits differ by more than rounding.
    """
    decoder, sizes = model.decoder, model.fit(SIZES)
    num_blocks = sum(-(-length // sizes.block_size) for length in LENGTHS)
    scheduler, cache = Scheduler(sizes, num_blocks), model.make_cache(num_blocks, sizes.block_size)
    builder = model.make_builder(sizes)
    texts = sample_texts(decoder.vocab_size)
    sequences = [_sequence(text[:-NUM_DECODES], number) for number, text in enumerate(texts)]
    for sequence in sequences:
        scheduler.add(sequence)
    errors: list[float] = []
    while plan := scheduler.schedule():
        sampled = plan.sampled
        logits = decoder.forward(builder.build(plan), cache)
        for row, sequence in zip(logits if sampled else (), sampled, strict=True):
            errors.append(error_of(row, expected[sequence.arrival][len(sequence.token_ids) - 1]))
        _advance(scheduler, plan, sampled, texts)
    _judge(errors, tolerance)


def _sequence(prompt: list[int], number: int) -> Sequence:
    request = GenerationRequest(
        request_id=str(number), prompt_ids=prompt, sampling=SamplingParams(max_tokens=NUM_DECODES + 1, temperature=0)
    )
    return Sequence(request, number)


def _advance(scheduler: Scheduler, plan: Plan, sampled: list[Sequence], texts: list[list[int]]) -> None:
    """Append the next token of the text, whatever the model would have said."""
    scheduler.commit(plan)
    for sequence in sampled:
        text = texts[sequence.arrival]
        if len(sequence.token_ids) == len(text):
            scheduler.finish(sequence)
        else:
            sequence.token_ids.append(text[len(sequence.token_ids)])


def error_of(got: Tensor, expected: Tensor) -> float:
    """Root mean square error, in units of the standard deviation of what was expected."""
    return float((got - expected).square().mean().sqrt() / expected.std().clamp_min(1e-6))


def _judge(errors: list[float], tolerance: Tolerance) -> None:
    worst = max(errors) if tolerance.is_exact else statistics.median_high(errors)
    if any(map(math.isnan, errors)) or worst > tolerance.error:
        error = UnsupportedModelError(
            f"read in parts, logits differ from those of a whole text by {worst:.3g} standard deviations"
        )
        error.may_be_rounding = not tolerance.is_exact
        raise error
