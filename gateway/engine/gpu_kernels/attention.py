"""Attention of a ragged row over paged keys and values: decodes, drafts and chunks of prompts alike.

A program computes one tile (some rows of one sequence, all heads that share a key head) against one part of its keys:

    heads and rows of a tile   | row 0: head 0 .. GROUP - 1 | row 1: head 0 .. GROUP - 1 | ...   -> rows of the products
    keys of a sequence         | part 0 | part 1 | ... |                                        -> a program each

The heads of a group lie along the rows of the products, so keys are read once for all of them. Where there are few
tiles their keys are shared out, and `add_parts` puts together what the programs of a tile found.
"""

from __future__ import annotations

import triton
import triton.language as tl

IS_INTERPRETED: bool = triton.knobs.runtime.interpret
LOWEST = tl.constexpr(-1.0e30)
"""A score that has no weight, and of which differences are numbers."""
LOG2_E = tl.constexpr(1.4426950408889634)


@triton.jit(do_not_specialize=["stride_table", "window"])
def attend_tiles(
    query, keys, values, sinks, out, part_mixed, part_state, tables, starts, contexts, tiles, stride_query,
    stride_query_head, stride_key, stride_key_head, stride_value, stride_value_head, stride_table, scale, softcap,
    window, GROUP: tl.constexpr, KEY_SIZE: tl.constexpr, VALUE_SIZE: tl.constexpr, KEY_BLOCK: tl.constexpr,
    VALUE_BLOCK: tl.constexpr, TILE_ROWS: tl.constexpr, TILE_HEADS: tl.constexpr, KEYS: tl.constexpr,
    PAGE: tl.constexpr, MOST_PARTS: tl.constexpr, IS_FP8: tl.constexpr, HAS_SINKS: tl.constexpr,
    HAS_SOFTCAP: tl.constexpr, HAS_WINDOW: tl.constexpr, WIDENS: tl.constexpr,
):  # fmt: skip
    """A tile of rows against its part of the keys; into `out`, or into the parts where there is more than one.

    Grid: tiles, key heads. Of `tiles` see `Tiles.work`.

    Shapes: query [T, heads, size]; keys, values [slots, kv_heads, size], any strides but the last; tables [sequences,
    blocks]; starts [sequences + 1]; contexts [sequences], the last three int32; out [T, heads, value size].
    """
    tile, kv_head, kv_heads = tiles + 5 * tl.program_id(0), tl.program_id(1), tl.num_programs(1)
    owner, first = tl.load(tile), tl.load(tile + 1)
    part, parts, place = tl.load(tile + 2), tl.load(tile + 3), tl.load(tile + 4)
    if owner < 0:
        return
    start, stop, context = tl.load(starts + owner), tl.load(starts + owner + 1), tl.load(contexts + owner)
    m = tl.arange(0, TILE_HEADS)
    row = first + m // GROUP
    head = kv_head * GROUP + m % GROUP
    is_row = (m < TILE_ROWS * GROUP) & (row < stop)
    position = context + row - start
    k_number, v_number = tl.arange(0, KEY_BLOCK), tl.arange(0, VALUE_BLOCK)
    q = tl.load(
        query + row[:, None].to(tl.int64) * stride_query + head[:, None] * stride_query_head + k_number[None, :],
        mask=is_row[:, None] & (k_number[None, :] < KEY_SIZE),
        other=0.0,
    )
    # What its rows see: from the window of the first to the last itself, in whole blocks of keys, shared out.
    seen = context + tl.minimum(first + TILE_ROWS, stop) - start
    begin = 0
    if HAS_WINDOW:
        begin = tl.maximum(context + first - start + 1 - window, 0) // KEYS * KEYS
    each = tl.cdiv(tl.cdiv(seen - begin, KEYS), parts) * KEYS
    low = begin + part * each
    high = tl.minimum(low + each, seen)

    peak = tl.full([TILE_HEADS], LOWEST, tl.float32)
    total = tl.zeros([TILE_HEADS], tl.float32)
    mixed = tl.zeros([TILE_HEADS, VALUE_BLOCK], tl.float32)
    if HAS_SINKS:
        if part == 0:
            peak = tl.load(sinks + head, mask=is_row, other=0.0).to(tl.float32) * LOG2_E
            total = tl.full([TILE_HEADS], 1.0, tl.float32)
    for n0 in range(low, high, KEYS):
        n = n0 + tl.arange(0, KEYS)
        is_key = n < high
        block = tl.load(tables + owner * stride_table + n // PAGE, mask=is_key, other=0).to(tl.int64)
        slot = block * PAGE + n % PAGE
        k = tl.load(
            keys + slot[None, :] * stride_key + kv_head * stride_key_head + k_number[:, None],
            mask=is_key[None, :] & (k_number[:, None] < KEY_SIZE),
            other=0.0,
        )
        v = tl.load(
            values + slot[:, None] * stride_value + kv_head * stride_value_head + v_number[None, :],
            mask=is_key[:, None] & (v_number[None, :] < VALUE_SIZE),
            other=0.0,
        )
        if IS_FP8:
            k = from_fp8(k).to(q.dtype)
        scores = multiply(q, k, WIDENS) * scale
        if HAS_SOFTCAP:
            scores = softcap * (2.0 / (1.0 + tl.exp2(scores / softcap * (-2.0 * LOG2_E))) - 1.0)
        is_seen = is_key[None, :] & (n[None, :] <= position[:, None])
        if HAS_WINDOW:
            is_seen = is_seen & (n[None, :] > position[:, None] - window)
        scores = tl.where(is_seen, scores * LOG2_E, LOWEST)
        new_peak = tl.maximum(peak, tl.max(scores, 1))
        factor = tl.exp2(peak - new_peak)
        weights = tl.where(is_seen, tl.exp2(scores - new_peak[:, None]), 0.0)
        total = total * factor + tl.sum(weights, 1)
        if IS_FP8:
            v = from_fp8(v).to(q.dtype)
        mixed = mixed * factor[:, None] + multiply(weights.to(v.dtype), v, WIDENS)
        peak = new_peak

    heads = kv_heads * GROUP
    is_out = is_row[:, None] & (v_number[None, :] < VALUE_SIZE)
    if parts == 1:
        mixed = mixed / tl.where(total > 0, total, 1.0)[:, None]
        at = row.to(tl.int64) * heads + head
        tl.store(out + at[:, None] * VALUE_SIZE + v_number[None, :], mixed.to(out.dtype.element_ty), mask=is_out)
    else:
        at = ((place + row - first) * heads + head).to(tl.int64) * MOST_PARTS + part
        tl.store(part_mixed + at[:, None] * VALUE_SIZE + v_number[None, :], mixed, mask=is_out)
        tl.store(part_state + 2 * at, peak, mask=is_row)
        tl.store(part_state + 2 * at + 1, total, mask=is_row)


@triton.jit
def from_fp8(bits):
    """The float16 of the bits of an e4m3: as many bits of its fraction, and an exponent of 8 more. All ones are nan."""
    wide = bits.to(tl.int16)
    size = wide & 0x7F
    half = ((wide & 0x80) << 8) | (size << 7) | (((size + 1) & 0x80) << 7)
    return half.to(tl.float16, bitcast=True) * 256.0


@triton.jit
def multiply(a, b, WIDENS: tl.constexpr):
    """a @ b in float32, of float32 as three of shorter numbers; the interpreter multiplies bfloat16 wrongly."""
    if WIDENS:
        a, b = a.to(tl.float32), b.to(tl.float32)
    return tl.dot(a, b, input_precision="tf32x3")


@triton.jit
def add_parts(
    part_mixed, part_state, out, shared, VALUE_SIZE: tl.constexpr, VALUE_BLOCK: tl.constexpr, MOST_PARTS: tl.constexpr
):
    """Put together what the parts of a row's keys gave. Grid: rows that have parts, heads.

    Of `shared` see `Tiles.shared`.
    """
    place, head, heads = tl.program_id(0), tl.program_id(1), tl.num_programs(1)
    row, parts = tl.load(shared + 2 * place), tl.load(shared + 2 * place + 1)
    if row < 0:
        return
    v_number, p = tl.arange(0, VALUE_BLOCK), tl.arange(0, MOST_PARTS)
    at = (place * heads + head).to(tl.int64) * MOST_PARTS + p
    peaks = tl.load(part_state + 2 * at, mask=p < parts, other=LOWEST)
    totals = tl.load(part_state + 2 * at + 1, mask=p < parts, other=0.0)
    factors = tl.exp2(peaks - tl.max(peaks, 0))
    is_part = (p[:, None] < parts) & (v_number[None, :] < VALUE_SIZE)
    mixed = tl.load(part_mixed + at[:, None] * VALUE_SIZE + v_number[None, :], mask=is_part, other=0.0)
    mixed = tl.sum(mixed * factors[:, None], 0) / tl.sum(totals * factors, 0)
    to = out + (row.to(tl.int64) * heads + head) * VALUE_SIZE + v_number
    tl.store(to, mixed.to(out.dtype.element_ty), mask=v_number < VALUE_SIZE)


def padded(size: int) -> int:
    """Numbers of a head as products take them."""
    return max(16, 1 << (size - 1).bit_length())
