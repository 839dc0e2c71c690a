"""Matrix products, and whole decoder layers for few rows: where products are small, starting them costs more than they
do. See `rows` for the types of numbers."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba.extending import overload

from gateway.engine.cpu_kernels.base import kernel, load, singles, store
from gateway.engine.cpu_kernels.rows import add_norm_rows, attend_pages, gate_rows, norm_rows, rotate_rows
from gateway.engine.cpu_kernels.sparse import bound_pages, choose_pages
from gateway.engine.cpu_kernels.vectors import (
    LANES,
    add_tile_of_bytes,
    add_tile_of_bytes_in_short_groups,
    add_tile_of_nibbles,
    unpack_bytes,
    unpack_high,
    unpack_low,
)


@numba.njit(inline="always")
def multiply_output(wide, weight, start, column, out):
    """out[:, column] = start + wide @ weight, summed in float32: four rows share what is read of the weight.

    Shapes: wide [rows, inputs], float32; weight [inputs], float32 or the bits of bfloat16.
    """
    like = out[0, 0]
    num_rows, size = wide.shape
    row = 0
    while row + 4 <= num_rows:
        a, b, c, d = start, start, start, start
        for i in range(size):
            x = load(weight[i])
            a += wide[row, i] * x
            b += wide[row + 1, i] * x
            c += wide[row + 2, i] * x
            d += wide[row + 3, i] * x
        out[row, column], out[row + 1, column] = store(a, like), store(b, like)
        out[row + 2, column], out[row + 3, column] = store(c, like), store(d, like)
        row += 4
    while row < num_rows:
        a = start
        for i in range(size):
            a += wide[row, i] * load(weight[i])
        out[row, column] = store(a, like)
        row += 1


@kernel
def multiply_rows(rows, weight, bias, out):
    """out = rows @ weight.T + bias: weights are the bits of bfloat16, sums are float32. No bias: an empty one.

    Memory is the bottleneck; bfloat16 weights need half of it. Weights are read in memory order: with two or four
    outputs at a time a model of 22 MB takes up to twice as long.
    """
    wide = singles(rows)
    for column in range(weight.shape[0]):
        start = bias[column] if len(bias) else np.float32(0.0)
        multiply_output(wide, weight[column], start, column, out)


@kernel
def unpack_row(codes, scales, leasts, num_bits, row, out):
    """out = the weights of one output as float32: each group of codes times its scale, plus its minimum.

    Args:
        codes: Eight bits each, in groups of a multiple of 16; or four bits each, in groups of a multiple of 32: the
            first 16 of 32 are the lower halves of 16 bytes.
        num_bits: 4 or 8.

    Shapes: codes [outputs * bytes of an output], scales and leasts [outputs, groups], out [inputs].
    """
    size, groups = out.shape[0], scales.shape[1]
    at = row * (size * num_bits // 8)
    in_group = size // groups
    if num_bits == 4:
        for begin in range(0, size, 2 * LANES):
            scale, least = scales[row, begin // in_group], leasts[row, begin // in_group]
            unpack_low(codes, at + begin // 2, scale, least, out, begin)
            unpack_high(codes, at + begin // 2, scale, least, out, begin + LANES)
        return
    for begin in range(0, size, LANES):
        scale, least = scales[row, begin // in_group], leasts[row, begin // in_group]
        unpack_bytes(codes, at + begin, scale, least, out, begin)


@kernel
def unpack_rows(codes, scales, leasts, num_bits, first, out):
    """out = the weights of outputs from `first` on, see `unpack_row`. Shapes: out [some outputs, inputs]."""
    wide = np.empty(out.shape[1], np.float32)
    for row in range(out.shape[0]):
        unpack_row(codes, scales, leasts, num_bits, first + row, wide)
        for i in range(out.shape[1]):
            out[row, i] = store(wide[i], out[0, 0])


@kernel
def multiply_unpacked(rows, codes, scales, leasts, num_bits, bias, out):
    """out = rows @ weight.T + bias, with weights as `unpack_row` reads them: each once, for all rows."""
    wide = singles(rows)
    weight = np.empty(wide.shape[1], np.float32)
    for column in range(scales.shape[0]):
        start = bias[column] if len(bias) else np.float32(0.0)
        unpack_row(codes, scales, leasts, num_bits, column, weight)
        multiply_output(wide, weight, start, column, out)


MAX_TILE_ROWS = 64
"""Rows that are multiplied by a tile at once: their numbers and sums stay in the L1 and L2 caches."""


@kernel
def code_rows(rows, numbers, steps, sums):
    """Round rows to whole numbers of sixteen bits, which is finer than bfloat16, with a scale for each group.

    Shapes: rows [n, inputs]; numbers [groups, n, 2 * size of a group]: the upper eight bits of a group's, then the
    lower ones; steps, the scales, and sums of the rows' own numbers [groups, n].
    """
    groups, num_rows, size = numbers.shape[0], numbers.shape[1], numbers.shape[2] // 2
    wide = np.empty(size, np.float32)
    for row in range(num_rows):
        for g in range(groups):
            largest, total = np.float32(0.0), np.float32(0.0)
            for i in range(size):
                x = load(rows[row, g * size + i])
                wide[i] = x
                largest = max(largest, abs(x))
                total += x
            step = max(largest, np.float32(1e-30)) / np.float32(127 * 256)
            factor = np.float32(1.0) / step
            for i in range(size):
                whole = np.int32(np.floor(wide[i] * factor + np.float32(0.5)))
                upper = (whole + 128) >> 8
                numbers[g, row, i] = np.int8(upper)
                numbers[g, row, size + i] = np.int8(whole - upper * 256)
            # nan stays nan: integer products would hide it.
            steps[g, row], sums[g, row] = step + total * np.float32(0.0), total


@kernel
def multiply_tiles(rows, codes, scales, leasts, num_bits, bias, out):
    """out = rows @ weight.T + bias, by integer products: rows are rounded, see `code_rows`.

    Args:
        codes: Tiles of `LANES` outputs, 32 inputs at a time, or 16 for groups of 16: vectors of four codes of each
            output, one a byte; codes of four bits have the first half of the inputs in the lower halves of bytes.

    Shapes: codes [bytes]; scales and leasts [tiles, groups, LANES].
    """
    tiles, in_group = scales.shape[0], rows.shape[1] // scales.shape[1]
    size = min(in_group, 32)
    groups, shared_by = rows.shape[1] // size, in_group // size
    tile_bytes = len(codes) // tiles
    for first in range(0, rows.shape[0], MAX_TILE_ROWS):
        some = rows[first : first + MAX_TILE_ROWS]
        count = some.shape[0]
        numbers = np.empty((groups, count, 2 * size), np.int8)
        steps, sums = np.empty((groups, count), np.float32), np.empty((groups, count), np.float32)
        code_rows(some, numbers, steps, sums)
        found = np.empty((count, LANES), np.float32)
        for tile in range(tiles):
            column, at = tile * LANES, tile * tile_bytes
            for i in range(LANES):
                found[:, i] = bias[column + i] if len(bias) else np.float32(0.0)
            own, least = scales[tile], leasts[tile]
            if num_bits == 4:
                add_tile_of_nibbles(codes, at, own, least, shared_by, numbers, steps, sums, count, found)
            elif size == 32:
                add_tile_of_bytes(codes, at, own, least, shared_by, numbers, steps, sums, count, found)
            else:
                add_tile_of_bytes_in_short_groups(codes, at, own, least, shared_by, numbers, steps, sums, count, found)
            for row in range(count):
                for i in range(LANES):
                    out[first + row, column + i] = store(found[row, i], out[0, 0])


def multiply(rows: Any, weight: Any, bias: Any, out: Any) -> Any:
    """out = rows @ weight.T + bias, for the bits of bfloat16, or a tuple for `multiply_unpacked` or
    `multiply_tiles`."""


def num_outputs(weight: Any) -> Any:
    """Return the number of outputs of weights as `multiply` takes them."""


@overload(num_outputs)
def _num_outputs(weight):
    if not isinstance(weight, numba.types.BaseTuple):
        return lambda weight: weight.shape[0]
    if weight[1].ndim == 3:
        return lambda weight: weight[1].shape[0] * LANES
    return lambda weight: weight[1].shape[0]


@overload(multiply)
def _multiply(rows, weight, bias, out):
    if not isinstance(weight, numba.types.BaseTuple):
        return lambda rows, weight, bias, out: multiply_rows(rows, weight, bias, out)
    product = multiply_tiles if weight[1].ndim == 3 else multiply_unpacked
    return lambda rows, weight, bias, out: product(rows, weight[0], weight[1], weight[2], weight[3], bias, out)


@kernel
def multiply_few_bits(rows, weight, bias, out):
    """out = rows @ weight.T + bias, for a tuple of weights in few bits."""
    multiply(rows, weight, bias, out)


@kernel
def quantize_rows(rows, most, out, scales):
    """out = rows / scale + most + 1, rounded, with the scale of each row such that its largest number becomes `most`.

    A row with nan or infinity gets nan for a scale.
    """
    size = rows.shape[1]
    limit = np.float32(most)
    for row in range(rows.shape[0]):
        largest, taint = np.float32(0.0), np.float32(0.0)
        for i in range(size):
            x = load(rows[row, i])
            largest = max(largest, abs(x))
            taint += x * np.float32(0.0)
        scale = max(largest, np.float32(1e-30)) / limit
        scales[row] = scale + taint
        factor = np.float32(1.0) / scale
        for i in range(size):
            x = min(max(load(rows[row, i]) * factor, -limit), limit)
            out[row, i] = np.uint8(np.int32(np.floor(x + limit + np.float32(1.5))))


@kernel
def scale_rows(rows, scales, bias, out):
    """out = rows * scale + bias. `out` may be `rows`."""
    for row in range(rows.shape[0]):
        scale = scales[row]
        for i in range(rows.shape[1]):
            out[row, i] = store(rows[row, i] * scale + bias[i], out[0, 0])


@kernel
def embed_rows(ids, embedding, weight, eps, hidden, x):
    """hidden = the embeddings of these tokens; x = their norms. Shapes: ids [n], hidden and x [n, size]."""
    for row in range(ids.shape[0]):
        for i in range(embedding.shape[1]):
            hidden[row, i] = store(load(embedding[ids[row], i]), hidden[0, 0])
    norm_rows(hidden, weight, eps, x)


@kernel
def layer_rows(
    x, hidden, qkv, qkv_bias, head_norm, out, out_bias, post_norm, gate_up, down, next_norm, eps, cos, sin, turned,
    pool, slots, tables, block_size, owners, positions, window, scale, bounds, most_pages,
):  # fmt: skip
    """Compute one decoder layer: keys and values go to `pool`, `hidden` += the layer's output, x = its next norm.

    Weights of products are as `multiply` takes them. Activations are of one type, float32 or bfloat16, and rounded
    where the single kernels round them.

    Args:
        turned: Heads of queries and keys; the heads of values follow them in a row of `qkv`.
        pool: Keys and values side by side. Shapes: [slots, 2 * kv heads, size].
        bounds: Of the pages, see `choose_pages`; empty: rows attend to all pages, and no bounds are kept.
        most_pages: Of each row; empty: rows attend to all pages.

    Shapes: x and hidden [n, size]; slots, owners and positions [n]; see `attend_pages` and `rotate_rows`.
    """
    rows, size = x.shape[0], pool.shape[2]
    kv_heads = pool.shape[1] // 2
    heads = turned - kv_heads
    no_bias, no_sinks = np.empty(0, np.float32), np.empty(0, np.float32)
    product = np.empty((rows, num_outputs(qkv)), x.dtype)
    multiply(x, qkv, qkv_bias, product)
    joint = product.reshape(rows, heads + 2 * kv_heads, size)
    rotate_rows(joint, turned, positions, cos, sin, head_norm, eps)
    query = np.empty((rows, heads, size), x.dtype)
    for row in range(rows):
        query[row] = joint[row, :heads]
        pool[slots[row]] = joint[row, heads:]
    if bounds.size:
        bound_pages(pool, slots, block_size, bounds)
        if most_pages.size:
            tables, positions = choose_pages(query, bounds, tables, block_size, owners, positions, most_pages, scale)
            owners = np.arange(rows)
    mixed = np.empty((rows, heads, size), x.dtype)
    attend_pages(query, pool, pool, kv_heads, tables, block_size, owners, positions, window, scale, np.float32(0.0),
                 no_sinks, mixed)  # fmt: skip
    said = np.empty((rows, x.shape[1]), x.dtype)
    multiply(mixed.reshape(rows, heads * size), out, out_bias, said)
    add_norm_rows(said, hidden, post_norm, eps, x)
    wide = np.empty((rows, num_outputs(gate_up)), x.dtype)
    multiply(x, gate_up, no_bias, wide)
    gated = np.empty((rows, wide.shape[1] // 2), x.dtype)
    gate_rows(wide, gated)
    multiply(gated, down, no_bias, said)
    add_norm_rows(said, hidden, next_norm, eps, x)
