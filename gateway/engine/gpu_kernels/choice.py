"""One token for each row in two launches or three: mask, temperature, truncation and draw, without a sort.

    truncate  where rows ask for it, a program a row: mask and temperature, written, and unlikely tokens, found by
              bisection over the order of floats: 32 readings of a row for top-k, as many for top-p
    scan      a program a block of the vocabulary: the block's best token and the sum of its exponentials
    pick      a program a row: the best of all blocks, or the block that holds the drawn number, and the token in it

The number in [0, 1) that a row draws comes from the host, from its seed and index, so that seeded answers are what they
are on a CPU. Without truncation the logits are read twice and never written.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

BLOCK = 4096
NOWHERE = tl.constexpr(float("-inf"))


@triton.jit
def scores_of(logits, stride, masks, words, row, mask_row, heat, first, vocab, BLOCK: tl.constexpr):
    """A block of a row as it is drawn from: what may not be said is -inf, the rest divided by the temperature."""
    t = first + tl.arange(0, BLOCK)
    scores = tl.load(logits + row.to(tl.int64) * stride + t, mask=t < vocab, other=NOWHERE).to(tl.float32)
    if mask_row >= 0:
        word = first // 32 + tl.arange(0, BLOCK // 32)
        packed = tl.load(masks + mask_row.to(tl.int64) * words + word, mask=word < words, other=0)
        bits = (packed[:, None] >> tl.arange(0, 32)[None, :]) & 1
        scores = tl.where(tl.reshape(bits, (BLOCK,)) != 0, scores, NOWHERE)
    if heat > 0:
        scores = scores / heat
    return tl.where(scores != scores, -NOWHERE, scores)  # nan is found as the best


@triton.jit
def key_of(score):
    """A whole number for each float, in the order of floats."""
    bits = score.to(tl.int32, bitcast=True)
    return tl.where(bits >= 0, bits, bits ^ 0x7FFFFFFF).to(tl.int64)


@triton.jit
def score_of(key):
    """The float of a key."""
    bits = key.to(tl.int32)
    return tl.where(bits >= 0, bits, bits ^ 0x7FFFFFFF).to(tl.float32, bitcast=True)


@triton.jit
def truncate(
    logits, stride, masks, words, mask_rows, heats, top_ks, top_ps, min_ps, vocab, BLOCK: tl.constexpr,
):  # fmt: skip
    """Grid: rows."""
    row = tl.program_id(0)
    heat, mask_row, own = tl.load(heats + row), tl.load(mask_rows + row), logits + row.to(tl.int64) * stride
    top_k, top_p, min_p = tl.load(top_ks + row), tl.load(top_ps + row), tl.load(min_ps + row)
    peak = NOWHERE
    for first in range(0, vocab, BLOCK):
        scores = scores_of(logits, stride, masks, words, row, mask_row, heat, first, vocab, BLOCK)
        t = first + tl.arange(0, BLOCK)
        tl.store(own + t, scores, mask=t < vocab)
        peak = tl.maximum(peak, tl.max(scores, 0))
    tl.debug_barrier()
    if (heat > 0) & (peak > NOWHERE) & (peak < -NOWHERE):
        floor = NOWHERE
        if top_k < vocab:  # the largest score that as many as k reach
            low, high = key_of(floor), key_of(peak)
            while low < high:
                middle = (low + high + 1) >> 1
                sought, count = score_of(middle), 0
                for first in range(0, vocab, BLOCK):
                    t = first + tl.arange(0, BLOCK)
                    scores = tl.load(own + t, mask=t < vocab, other=NOWHERE)
                    count += tl.sum((scores >= sought).to(tl.int32), 0)
                is_enough = count >= top_k
                low, high = tl.where(is_enough, middle, low), tl.where(is_enough, high, middle - 1)
            floor = score_of(low)
        if top_p < 1:  # the least score that less than `top_p` is better than
            total = 0.0
            for first in range(0, vocab, BLOCK):
                t = first + tl.arange(0, BLOCK)
                scores = tl.load(own + t, mask=t < vocab, other=NOWHERE)
                total += tl.sum(tl.where(scores >= floor, tl.exp(scores - peak), 0.0), 0)
            low, high = key_of(floor), key_of(peak)
            while low < high:
                middle = (low + high) >> 1
                sought, mass = score_of(middle), 0.0
                for first in range(0, vocab, BLOCK):
                    t = first + tl.arange(0, BLOCK)
                    scores = tl.load(own + t, mask=t < vocab, other=NOWHERE)
                    mass += tl.sum(tl.where(scores > sought, tl.exp(scores - peak), 0.0), 0)
                low, high = (
                    tl.where(mass < top_p * total, low, middle + 1),
                    tl.where(mass < top_p * total, middle, high),
                )
            floor = score_of(low)
        floor = tl.maximum(floor, peak + min_p)
        for first in range(0, vocab, BLOCK):
            t = first + tl.arange(0, BLOCK)
            scores = tl.load(own + t, mask=t < vocab, other=NOWHERE)
            tl.store(own + t, tl.where(scores >= floor, scores, NOWHERE), mask=t < vocab)


@triton.jit
def scan(
    logits, stride, masks, words, mask_rows, heats, peaks, firsts, sums, vocab, blocks,
    BLOCK: tl.constexpr,
):  # fmt: skip
    """Grid: rows, blocks."""
    row, block = tl.program_id(0), tl.program_id(1)
    heat, mask_row, first = tl.load(heats + row), tl.load(mask_rows + row), block * BLOCK
    scores = scores_of(logits, stride, masks, words, row, mask_row, heat, first, vocab, BLOCK)
    peak, best = tl.max(scores, 0, return_indices=True)
    at = row * blocks + block
    tl.store(peaks + at, peak)
    tl.store(firsts + at, first + best)
    if (heat > 0) & (peak > NOWHERE) & (peak < -NOWHERE):
        tl.store(sums + at, tl.sum(tl.where(scores > NOWHERE, tl.exp(scores - peak), 0.0), 0))


@triton.jit
def pick(
    logits, stride, masks, words, mask_rows, heats, points, peaks, firsts, sums, tokens, best, vocab,
    blocks, BLOCK: tl.constexpr, BLOCKS: tl.constexpr,
):  # fmt: skip
    """Grid: rows."""
    row = tl.program_id(0)
    heat, mask_row = tl.load(heats + row), tl.load(mask_rows + row)
    b = tl.arange(0, BLOCKS)
    block_peaks = tl.load(peaks + row * blocks + b, mask=b < blocks, other=NOWHERE)
    peak, block = tl.max(block_peaks, 0, return_indices=True)
    tl.store(best + row, peak)
    if (heat > 0) & (peak > NOWHERE) & (peak < -NOWHERE):
        found = tl.load(sums + row * blocks + b, mask=b < blocks, other=0.0).to(tl.float64)
        found = tl.where(block_peaks > NOWHERE, found * tl.exp((block_peaks - peak).to(tl.float64)), 0.0)
        sought = tl.load(points + row) * tl.sum(found, 0)
        # The first block whose sum of all before and itself is beyond the number; the last that has any, if none is.
        before = tl.sum((tl.cumsum(found, 0) <= sought).to(tl.int32), 0)
        block = tl.minimum(before, tl.max(tl.where(found > 0, b, 0), 0))
        left = sought - tl.sum(tl.where(b < block, found, 0.0), 0)
        first = block * BLOCK
        scores = scores_of(logits, stride, masks, words, row, mask_row, heat, first, vocab, BLOCK)
        weights = tl.where(scores > NOWHERE, tl.exp((scores - peak).to(tl.float64)), 0.0)
        place = tl.sum((tl.cumsum(weights, 0) <= left).to(tl.int32), 0)
        place = tl.minimum(place, tl.max(tl.where(weights > 0, tl.arange(0, BLOCK), 0), 0))
        tl.store(tokens + row, first + place)
    else:
        tl.store(tokens + row, tl.load(firsts + row * blocks + block))


def narrow(
    logits: Tensor, masks: Tensor, mask_rows: Tensor, heats: Tensor, top_ks: Tensor, top_ps: Tensor, min_ps: Tensor
) -> None:
    """Set masked scores and those too unlikely to be drawn to -inf, and divide by temperatures.

    Args: as of `choose`; rows of temperature 0 are masked alone.
        top_ks: Whole numbers; that of the vocabulary: all.
        top_ps: 1: all.
        min_ps: Logarithms; -inf: all.

    Shapes: as of `choose`; logits float32; top_ks [n] int32; top_ps and min_ps [n] float32.
    """
    vocab = logits.shape[1]
    truncate[(len(logits),)](
        logits, logits.stride(0), masks, masks.shape[1], mask_rows, heats, top_ks, top_ps, min_ps, vocab, BLOCK=BLOCK,
        num_warps=8,
    )  # fmt: skip


def choose(logits: Tensor, masks: Tensor, mask_rows: Tensor, heats: Tensor, points: Tensor) -> tuple[Tensor, Tensor]:
    """Return a token for each row, and the row's best score, which is not finite where the row holds such a score.

    Args:
        masks: Bits of what may be said.
        mask_rows: Of each row its mask; -1: it has none.
        heats: Temperatures; 0: the best token, the first of equal ones.
        points: In [0, 1), what a row draws.

    Shapes: logits [n, V]; masks [m, ceil(V / 32)] int32; mask_rows [n] int32; heats [n] float32; points [n] float64;
        returns [n] int32 and [n] float32.
    """
    rows, vocab = logits.shape
    blocks = triton.cdiv(vocab, BLOCK)
    peaks, sums = (logits.new_empty((rows, blocks), dtype=torch.float32) for _ in range(2))
    firsts = logits.new_empty((rows, blocks), dtype=torch.int32)
    tokens, best = logits.new_empty(rows, dtype=torch.int32), logits.new_empty(rows, dtype=torch.float32)
    given = (logits, logits.stride(0), masks, masks.shape[1], mask_rows, heats)
    scan[(rows, blocks)](*given, peaks, firsts, sums, vocab, blocks, BLOCK=BLOCK)
    pick[(rows,)](
        *given, points, peaks, firsts, sums, tokens, best, vocab, blocks, BLOCK=BLOCK,
        BLOCKS=triton.next_power_of_2(blocks),
    )  # fmt: skip
    return tokens, best
