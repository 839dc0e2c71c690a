"""Operations between the matrix products of a decoder layer, one launch each: norms, rotations, gates.

Computed in float32 and rounded where transformers' classes round, as `Elementwise` does, which is their twin.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

GATE_BLOCK = 1024


@triton.jit
def add_norm(
    rows, residual, weight, out, eps, size, BLOCK: tl.constexpr, ADDS: tl.constexpr, WEIGHS_LAST: tl.constexpr
):
    """The norm of `residual`, to which `rows` are added first, in place, where `ADDS`. Grid: rows."""
    at = tl.program_id(0).to(tl.int64) * size
    i = tl.arange(0, BLOCK)
    is_in = i < size
    x = tl.load(residual + at + i, mask=is_in, other=0.0)
    if ADDS:
        x = (x.to(tl.float32) + tl.load(rows + at + i, mask=is_in, other=0.0).to(tl.float32)).to(x.dtype)
        tl.store(residual + at + i, x, mask=is_in)
    wide = x.to(tl.float32)
    normed = wide * tl.rsqrt(tl.sum(wide * wide, 0) / size + eps)
    if WEIGHS_LAST:
        normed = normed.to(x.dtype).to(tl.float32)
    normed = normed * tl.load(weight + i, mask=is_in, other=0.0).to(tl.float32)
    tl.store(out + at + i, normed.to(out.dtype.element_ty), mask=is_in)


@triton.jit
def rotate(
    heads, positions, cos, sin, weight, pool, slots, eps, HEADS: tl.constexpr, QUERIES: tl.constexpr,
    HALF: tl.constexpr, BLOCK: tl.constexpr, HAS_NORM: tl.constexpr, IS_FP8: tl.constexpr,
):  # fmt: skip
    """Norm and rotate one head of one row in place, queries and keys, and store keys and values. Grid: rows, heads."""
    row, head = tl.program_id(0), tl.program_id(1)
    i = tl.arange(0, BLOCK)
    is_in = i < HALF
    at = heads + (row.to(tl.int64) * HEADS + head) * (2 * HALF)
    a = tl.load(at + i, mask=is_in, other=0.0)
    b = tl.load(at + HALF + i, mask=is_in, other=0.0)
    if head < (HEADS + QUERIES) // 2:
        wide_a, wide_b = a.to(tl.float32), b.to(tl.float32)
        if HAS_NORM:
            scale = tl.rsqrt((tl.sum(wide_a * wide_a, 0) + tl.sum(wide_b * wide_b, 0)) / (2 * HALF) + eps)
            weights = weight + head * (2 * HALF)
            wide_a = rounded(wide_a * scale, a) * tl.load(weights + i, mask=is_in, other=0.0).to(tl.float32)
            wide_b = rounded(wide_b * scale, b) * tl.load(weights + HALF + i, mask=is_in, other=0.0).to(tl.float32)
            wide_a, wide_b = rounded(wide_a, a), rounded(wide_b, b)
        angle = tl.load(positions + row).to(tl.int64) * (2 * HALF)
        cos_a = tl.load(cos + angle + i, mask=is_in, other=0.0).to(tl.float32)
        cos_b = tl.load(cos + angle + HALF + i, mask=is_in, other=0.0).to(tl.float32)
        sin_a = tl.load(sin + angle + i, mask=is_in, other=0.0).to(tl.float32)  # carries the minus
        sin_b = tl.load(sin + angle + HALF + i, mask=is_in, other=0.0).to(tl.float32)
        a_turned = rounded(wide_a * cos_a, a) + wide_b * sin_a
        b_turned = rounded(wide_b * cos_b, b) + wide_a * sin_b
        a, b = a_turned.to(a.dtype), b_turned.to(b.dtype)
        tl.store(at + i, a, mask=is_in)
        tl.store(at + HALF + i, b, mask=is_in)
    if head >= QUERIES:
        slot = tl.load(slots + row).to(tl.int64)
        to = pool + (slot * (HEADS - QUERIES) + head - QUERIES) * (2 * HALF)
        tl.store(to + i, to_fp8(a) if IS_FP8 else a, mask=is_in)
        tl.store(to + HALF + i, to_fp8(b) if IS_FP8 else b, mask=is_in)


@triton.jit
def to_fp8(number):
    """See `kv_cache.to_fp8`. Above 2**-6 the last 20 of a float32's bits are rounded off, below it counts in 2**-9."""
    wide = number.to(tl.float32)
    size = tl.minimum(tl.abs(wide), 448.0)
    bits = size.to(tl.int32, bitcast=True)
    large = ((bits + 0x7FFFF + ((bits >> 20) & 1)) >> 20) - (120 << 3)
    small = (size + 16384.0).to(tl.int32, bitcast=True) - 0x46800000  # where the last bit of 2**14 is 2**-9
    whole = wide.to(tl.int32, bitcast=True)
    is_finite = (whole & 0x7FFFFFFF) < 0x7F800000
    return tl.where(is_finite, tl.where(size < 0.015625, small, large) | ((whole >> 24) & 0x80), 0x7F).to(tl.uint8)


@triton.jit
def rounded(number, like):
    """As a number of the type of `like` would be."""
    return number.to(like.dtype).to(tl.float32)


@triton.jit
def gate(rows, out, size, BLOCK: tl.constexpr):
    """silu(first half) * second half. Grid: rows, blocks of a half."""
    row = tl.program_id(0).to(tl.int64)
    i = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    is_in = i < size
    first = tl.load(rows + row * 2 * size + i, mask=is_in, other=0.0)
    second = tl.load(rows + row * 2 * size + size + i, mask=is_in, other=0.0)
    wide = first.to(tl.float32)
    gated = rounded(wide / (1.0 + tl.exp(-wide)), first) * second.to(tl.float32)
    tl.store(out + row * size + i, gated.to(out.dtype.element_ty), mask=is_in)


def norm_rows(rows: Tensor | None, residual: Tensor, weight: Tensor, eps: float) -> Tensor:
    """See `Elementwise.add_norm`; without `rows`, `Elementwise.norm` of the residual."""
    count, size = residual.shape
    out = torch.empty_like(residual)
    block = triton.next_power_of_2(size)
    add_norm[(count,)](
        residual if rows is None else rows, residual, weight, out, eps, size, BLOCK=block, ADDS=rows is not None,
        WEIGHS_LAST=residual.dtype != torch.float32, num_warps=warps_for(block),
    )  # fmt: skip
    return out


def rotate_rows(
    heads: Tensor, queries: int, positions: Tensor, cos: Tensor, sin: Tensor, eps: float, weight: Tensor | None,
    pool: Tensor, slots: Tensor,
) -> None:  # fmt: skip
    """See `Elementwise.rotate_and_store`."""
    rows, num_heads, half = heads.shape[0], heads.shape[1], heads.shape[2] // 2
    rotate[(rows, num_heads)](
        heads, positions, cos, sin, cos if weight is None else weight, pool, slots, eps, HEADS=num_heads,
        QUERIES=queries, HALF=half, BLOCK=triton.next_power_of_2(half), HAS_NORM=weight is not None,
        IS_FP8=pool.dtype == torch.uint8, num_warps=1,
    )  # fmt: skip


def gate_rows(rows: Tensor) -> Tensor:
    """See `Elementwise.gate`."""
    count, size = rows.shape[0], rows.shape[1] // 2
    out = rows.new_empty((count, size))
    gate[(count, triton.cdiv(size, GATE_BLOCK))](rows, out, size, BLOCK=GATE_BLOCK)
    return out


def warps_for(block: int) -> int:
    """Return the warps of a program that holds this many numbers: 16 a thread."""
    return min(max(block // 512, 1), 16)
