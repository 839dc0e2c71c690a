"""Compiled loops over rows: one call where torch needs three to eight, each of several microseconds.

Numba has no bfloat16: such numbers are passed as their bits (uint16) and are float32 inside. Every kernel takes both
types, by `load`, `store` and `rounded`.
"""

from __future__ import annotations

import numba
import numpy as np

from gateway.engine.cpu_kernels.base import kernel, load, rounded, store


@numba.njit(error_model="numpy")
def exponential(x):
    """Return e**x within two units in the last place, clamped to float32's range. nan is not kept.

    The machine's own `exp` keeps a loop from being vectorised. 2**n * e**r with r in +-ln(2)/2, and the series of e**r.
    Compiled without fast math: the two subtractions must not be joined.
    """
    x = min(max(x, np.float32(-87.0)), np.float32(88.0))
    n = np.floor(x * np.float32(1.44269504) + np.float32(0.5))
    r = (x - n * np.float32(0.693359375)) + n * np.float32(2.12194440e-4)
    p = np.float32(1.9841270e-4)
    p = p * r + np.float32(1.3888889e-3)
    p = p * r + np.float32(8.3333333e-3)
    p = p * r + np.float32(4.1666667e-2)
    p = p * r + np.float32(1.6666667e-1)
    p = p * r + np.float32(0.5)
    p = p * r + np.float32(1.0)
    p = p * r + np.float32(1.0)
    return p * np.int32(np.int32(np.int32(n) + np.int32(127)) << np.int32(23)).view(np.float32)


@kernel
def norm_rows(rows, weight, eps, out):
    """out = rows / rms(rows) * weight, rounded before the weight as transformers' classes do."""
    size = rows.shape[1]
    for row in range(rows.shape[0]):
        total = np.float32(0.0)
        for i in range(size):
            x = load(rows[row, i])
            total += x * x
        factor = np.float32(1.0) / np.sqrt(total / np.float32(size) + eps)
        for i in range(size):
            out[row, i] = store(rounded(load(rows[row, i]) * factor, out[0, 0]) * load(weight[i]), out[0, 0])


@kernel
def add_norm_rows(rows, residual, weight, eps, out):
    """residual += rows; out = the norm of residual."""
    size = rows.shape[1]
    for row in range(rows.shape[0]):
        total = np.float32(0.0)
        for i in range(size):
            x = rounded(load(residual[row, i]) + load(rows[row, i]), out[0, 0])
            residual[row, i] = store(x, out[0, 0])
            total += x * x
        factor = np.float32(1.0) / np.sqrt(total / np.float32(size) + eps)
        for i in range(size):
            out[row, i] = store(rounded(load(residual[row, i]) * factor, out[0, 0]) * load(weight[i]), out[0, 0])


@kernel
def rotate_rows(heads, num_turned, positions, cos, sin, weight, eps):
    """Norm (if there is a weight) and rotate the first heads of every row, in place; half of sin is negative."""
    half = heads.shape[2] // 2
    for row in range(heads.shape[0]):
        position = positions[row]
        for head in range(num_turned):
            if weight.shape[0] > 0:
                total = np.float32(0.0)
                for i in range(2 * half):
                    x = load(heads[row, head, i])
                    total += x * x
                factor = np.float32(1.0) / np.sqrt(total / np.float32(2 * half) + eps)
                for i in range(2 * half):
                    x = rounded(load(heads[row, head, i]) * factor, weight[0, 0])
                    heads[row, head, i] = store(x * load(weight[head, i]), weight[0, 0])
            for i in range(half):
                a, b = load(heads[row, head, i]), load(heads[row, head, half + i])
                c, s = load(cos[position, i]), load(sin[position, i])
                heads[row, head, i] = store(a * c + b * s, cos[0, 0])
                c, s = load(cos[position, half + i]), load(sin[position, half + i])
                heads[row, head, half + i] = store(b * c + a * s, cos[0, 0])


@kernel
def gate_rows(rows, out):
    """out = silu(first half of rows) * second half."""
    size = out.shape[1]
    for row in range(rows.shape[0]):
        for i in range(size):
            x = load(rows[row, i])
            activated = rounded(x / (np.float32(1.0) + exponential(-x)), out[0, 0])
            out[row, i] = store(activated * load(rows[row, size + i]), out[0, 0])


GROUP = 128
"""Scores that are compared together with the best so far."""
TILE = 64
"""Slots whose keys and values are read together: they stay in the L1 cache in between."""


@kernel
def _soften(scores, mixed, largest, total, taint, softcap):
    """Turn scores into weights relative to the largest so far, and scale earlier sums to it.

    Returns the new largest score, the sum of weights, and the taint: nan once a score was not finite.
    """
    peak = largest
    for i in range(scores.shape[0]):
        taint += scores[i] * np.float32(0.0)
    if softcap > 0:
        for i in range(scores.shape[0]):
            # softcap * tanh(score / softcap)
            doubled = exponential(scores[i] * (np.float32(2.0) / softcap))
            scores[i] = softcap - np.float32(2.0) * softcap / (doubled + np.float32(1.0))
    for i in range(scores.shape[0]):
        peak = max(peak, scores[i])
    if peak > largest:
        factor = exponential(largest - peak)
        total *= factor
        for i in range(mixed.shape[0]):
            mixed[i] *= factor
    for i in range(scores.shape[0]):
        weight = exponential(scores[i] - peak)
        scores[i] = weight
        total += weight
    return peak, total, taint


@kernel
def attend_pages(
    query, keys, values, first_value, tables, block_size, owners, positions, window, scale, softcap, sinks, out
):
    """out = attention of every row to the text of its owner, up to its own position and within the window.

    Pages are read in place. The outer loops are over slots, a tile's keys and then its values, so memory is read once
    and in the order of the pages; the softmax is corrected from tile to tile (Milakov and Gimelshein, "Online
    normalizer calculation for softmax", 2018).

    Args:
        keys, values: The same pool, with the keys first, or two. Shapes: [slots, heads, size].
        first_value: The first head of `values` that holds values: in a pool of both, the number of key heads.
        tables: Blocks of each owner. Shapes: [owners, blocks].
        softcap: 0: scores are not bounded.
        sinks: Scores that take a share of the weights and add nothing. Shapes: [heads], or empty.

    Shapes: query [n, heads, key size], owners and positions [n], out [n, heads, value size].
    """
    heads, size, width = query.shape[1], query.shape[2], out.shape[2]
    group = heads // (first_value if first_value > 0 else keys.shape[1])
    slots = np.empty(TILE + 4, dtype=np.int64)
    scores = np.empty((heads, TILE + 4), dtype=np.float32)
    scaled = np.empty((heads, size), dtype=np.float32)
    mixed = np.empty((heads, width), dtype=np.float32)
    largest = np.empty(heads, dtype=np.float32)
    total = np.empty(heads, dtype=np.float32)
    taint = np.empty(heads, dtype=np.float32)
    for row in range(query.shape[0]):
        table = tables[owners[row]]
        last = positions[row]
        largest[:] = np.float32(-np.inf)
        total[:] = np.float32(0.0)
        taint[:] = np.float32(0.0)
        for head in range(heads):
            if sinks.size:
                largest[head] = sinks[head]
                total[head] = np.float32(1.0)
            for i in range(size):
                scaled[head, i] = load(query[row, head, i]) * scale
            for i in range(width):
                mixed[head, i] = np.float32(0.0)
        for tile in range(max(0, last + 1 - window), last + 1, TILE):
            count = min(TILE, last + 1 - tile)
            block = tile // block_size
            inside = tile - block * block_size
            for number in range(count):
                slots[number] = table[block] * block_size + inside
                inside += 1
                if inside == block_size:
                    inside = 0
                    block += 1
            # Padding up to a multiple of four repeats the last slot, with weight zero.
            slots[count : count + 3] = slots[count - 1]
            for number in range(0, count, 4):
                s0, s1, s2, s3 = slots[number], slots[number + 1], slots[number + 2], slots[number + 3]
                for head in range(heads):
                    key = head // group
                    x0, x1, x2, x3 = np.float32(0.0), np.float32(0.0), np.float32(0.0), np.float32(0.0)
                    for i in range(size):
                        x = scaled[head, i]
                        x0 += x * load(keys[s0, key, i])
                        x1 += x * load(keys[s1, key, i])
                        x2 += x * load(keys[s2, key, i])
                        x3 += x * load(keys[s3, key, i])
                    scores[head, number], scores[head, number + 1] = x0, x1
                    scores[head, number + 2], scores[head, number + 3] = x2, x3
            for head in range(heads):
                largest[head], total[head], taint[head] = _soften(
                    scores[head, :count], mixed[head], largest[head], total[head], taint[head], softcap
                )
                scores[head, count : count + 3] = np.float32(0.0)
            for number in range(0, count, 4):
                s0, s1, s2, s3 = slots[number], slots[number + 1], slots[number + 2], slots[number + 3]
                for head in range(heads):
                    value = first_value + head // group
                    w0, w1 = scores[head, number], scores[head, number + 1]
                    w2, w3 = scores[head, number + 2], scores[head, number + 3]
                    for i in range(width):
                        mixed[head, i] += (
                            w0 * load(values[s0, value, i])
                            + w1 * load(values[s1, value, i])
                            + w2 * load(values[s2, value, i])
                            + w3 * load(values[s3, value, i])
                        )
        for head in range(heads):
            factor = np.float32(1.0) / total[head] + taint[head]
            for i in range(width):
                out[row, head, i] = store(mixed[head, i] * factor, out[0, 0, 0])


@kernel
def forbid_rows(scores, masks):
    """scores = -inf where the mask has no bit; words of a mask that allow everything are skipped.

    Shapes: scores [n, V] float32, masks [n, ceil(V / 32)].
    """
    width = scores.shape[1]
    for row in range(scores.shape[0]):
        for word in range(masks.shape[1]):
            allowed = masks[row, word]
            if allowed == np.uint32(0xFFFFFFFF):
                continue
            first = 32 * word
            for i in range(min(32, width - first)):
                if (allowed >> np.uint32(i)) & np.uint32(1) == 0:
                    scores[row, first + i] = np.float32(-np.inf)


WORDS = 64
"""Words of a mask that are counted together."""


@numba.njit(inline="always")
def count_bits(word):
    """Return the number of bits that are set; every step is in 32 bits, so that loops are vectorised."""
    word = np.uint32(word - ((word >> np.uint32(1)) & np.uint32(0x55555555)))
    word = np.uint32(
        (word & np.uint32(0x33333333)) + np.uint32(np.uint32(word >> np.uint32(2)) & np.uint32(0x33333333))
    )
    word = np.uint32(np.uint32(word + np.uint32(word >> np.uint32(4))) & np.uint32(0x0F0F0F0F))
    return np.uint32(np.uint32(word * np.uint32(0x01010101)) >> np.uint32(24))


@kernel
def count_allowed(masks, most, counts):
    """counts[row] = the number of tokens that a mask allows, or any number above `most`.

    Shapes: masks [n, ceil(V / 32)], counts [n] int64.
    """
    width, size = np.uint64(masks.shape[1]), np.uint64(WORDS)
    for row in range(masks.shape[0]):
        line = masks[row]
        total, start = np.uint32(0), np.uint64(0)
        while start < width and total <= most:
            stop = min(start + size, width)
            if stop - start == size:
                for i in range(size):
                    total = np.uint32(total + count_bits(line[start + i]))
            else:
                for i in range(start, stop):
                    total = np.uint32(total + count_bits(line[i]))
            start = stop
        counts[row] = total


@kernel
def choose_best(scores, masks, places, tokens, are_finite):
    """tokens[row] = the first of the best scores that the row's mask allows, nan before all; -1 where there is none.

    Scores are not written. Groups in which the mask allows nothing are not read, and nearly all others hold no score
    better than the best so far. Indices are unsigned: numba checks signed ones for counting from the end, and the loop
    over a group would not be vectorised (24 against 6 us for 10 rows of 4,096).

    Args:
        places: The mask of each row; -1: it has none, and any token may be chosen. Shapes: [n].
        are_finite: True where that score is finite.

    Shapes: scores [n, V] float32, masks [m, ceil(V / 32)], tokens and are_finite [n].
    """
    width, size = np.uint64(scores.shape[1]), np.uint64(GROUP)
    for row in range(scores.shape[0]):
        line = scores[row]
        place = places[row]
        token, best = -1, np.float32(-np.inf)
        for group in range((width + size - np.uint64(1)) // size):
            start = group * size
            stop = min(start + size, width)
            if place >= 0:
                words = masks[place, start >> np.uint64(5) : (stop + np.uint64(31)) >> np.uint64(5)]
                allowed = np.uint32(0)
                for word in words:
                    allowed |= word
                if allowed == 0:
                    continue
            num_better = np.uint32(0)
            if stop - start == size:
                for i in range(size):
                    num_better = np.uint32(num_better + np.uint32(not line[start + i] <= best))
            else:
                for i in range(stop - start):
                    num_better = np.uint32(num_better + np.uint32(not line[start + i] <= best))
            if num_better == 0:
                continue
            for i in range(start, stop):
                is_better = not line[i] <= best and best == best
                if is_better and (place < 0 or (masks[place, i >> np.uint64(5)] >> np.uint32(i & np.uint64(31))) & 1):
                    best = line[i]
                    token = i
        tokens[row] = token
        are_finite[row] = abs(best) < np.float32(np.inf)
