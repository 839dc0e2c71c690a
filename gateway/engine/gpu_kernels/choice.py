"""A token of each row in two launches: mask, bans, temperature and draw, without a sort and without probabilities.

    scan   a program a block of the vocabulary: the block's best token and the sum of its exponentials
    pick   a program a row: the best of all blocks, or the block that holds the drawn number, and the token in it

The number in [0, 1) that a row draws comes from the host, from its seed and index, so that seeded answers are what they
are on a CPU. The logits are read twice and never written.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

BLOCK = 4096
NOWHERE = tl.constexpr(float("-inf"))


@triton.jit
def scores_of(logits, stride, masks, words, banned, bans, row, mask_row, heat, first, vocab, BLOCK: tl.constexpr):
    """A block of a row as it is drawn from: what may not be said is -inf, the rest divided by the temperature."""
    t = first + tl.arange(0, BLOCK)
    scores = tl.load(logits + row.to(tl.int64) * stride + t, mask=t < vocab, other=NOWHERE).to(tl.float32)
    if mask_row >= 0:
        word = first // 32 + tl.arange(0, BLOCK // 32)
        packed = tl.load(masks + mask_row.to(tl.int64) * words + word, mask=word < words, other=0)
        bits = (packed[:, None] >> tl.arange(0, 32)[None, :]) & 1
        scores = tl.where(tl.reshape(bits, (BLOCK,)) != 0, scores, NOWHERE)
    for number in range(tl.load(bans + row), tl.load(bans + row + 1)):
        scores = tl.where(t == tl.load(banned + number), NOWHERE, scores)
    if heat > 0:
        scores = scores / heat
    return tl.where(scores != scores, -NOWHERE, scores)  # what is no number is found


@triton.jit
def scan(
    logits, stride, masks, words, banned, bans, mask_rows, heats, peaks, firsts, sums, vocab, blocks,
    BLOCK: tl.constexpr,
):  # fmt: skip
    """Grid: rows, blocks."""
    row, block = tl.program_id(0), tl.program_id(1)
    heat, mask_row, first = tl.load(heats + row), tl.load(mask_rows + row), block * BLOCK
    scores = scores_of(logits, stride, masks, words, banned, bans, row, mask_row, heat, first, vocab, BLOCK)
    peak, best = tl.max(scores, 0, return_indices=True)
    at = row * blocks + block
    tl.store(peaks + at, peak)
    tl.store(firsts + at, first + best)
    if (heat > 0) & (peak > NOWHERE) & (peak < -NOWHERE):
        tl.store(sums + at, tl.sum(tl.where(scores > NOWHERE, tl.exp(scores - peak), 0.0), 0))


@triton.jit
def pick(
    logits, stride, masks, words, banned, bans, mask_rows, heats, points, peaks, firsts, sums, tokens, best, vocab,
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
        scores = scores_of(logits, stride, masks, words, banned, bans, row, mask_row, heat, first, vocab, BLOCK)
        weights = tl.where(scores > NOWHERE, tl.exp((scores - peak).to(tl.float64)), 0.0)
        place = tl.sum((tl.cumsum(weights, 0) <= left).to(tl.int32), 0)
        place = tl.minimum(place, tl.max(tl.where(weights > 0, tl.arange(0, BLOCK), 0), 0))
        tl.store(tokens + row, first + place)
    else:
        tl.store(tokens + row, tl.load(firsts + row * blocks + block))


def choose(
    logits: Tensor,
    masks: Tensor,
    mask_rows: Tensor,
    heats: Tensor,
    points: Tensor,
    banned: Tensor | None = None,
    bans: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """A token of each row, and the row's best score: no number where the row holds one that is none.

    Args:
        masks: Bits of what may be said.
        mask_rows: Of each row its mask; -1: it has none.
        heats: Temperatures; 0: the best token, the first of equal ones.
        points: In [0, 1), what a row draws.
        banned: Tokens that may not be said, row after row; a row must keep some.
        bans: Where those of each row begin, and their number.

    Shapes: logits [n, V]; masks [m, ceil(V / 32)] int32; mask_rows [n] int32; heats [n] float32; points [n] float64;
        banned [k] int32; bans [n + 1] int32; returns [n] int32 and [n] float32.
    """
    rows, vocab = logits.shape
    blocks = triton.cdiv(vocab, BLOCK)
    peaks, sums = (logits.new_empty((rows, blocks), dtype=torch.float32) for _ in range(2))
    firsts = logits.new_empty((rows, blocks), dtype=torch.int32)
    tokens, best = logits.new_empty(rows, dtype=torch.int32), logits.new_empty(rows, dtype=torch.float32)
    if banned is None or bans is None:
        banned = bans = torch.zeros(rows + 1, dtype=torch.int32, device=logits.device)
    given = (logits, logits.stride(0), masks, masks.shape[1], banned, bans, mask_rows, heats)
    scan[(rows, blocks)](*given, peaks, firsts, sums, vocab, blocks, BLOCK=BLOCK)
    pick[(rows,)](
        *given, points, peaks, firsts, sums, tokens, best, vocab, blocks, BLOCK=BLOCK,
        BLOCKS=triton.next_power_of_2(blocks),
    )  # fmt: skip
    return tokens, best
