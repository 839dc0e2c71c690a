"""Choice of the pages that a row attends to, by bounds of their keys (Tang et al., "Quest: Query-Aware Sparsity for
Efficient Long-Context LLM Inference", 2024). See `rows` for the types of numbers."""

from __future__ import annotations

import numpy as np

from gateway.engine.cpu_kernels.base import kernel, load, store
from gateway.engine.cpu_kernels.rows import exponential


@kernel
def bound_pages(pool, slots, block_size, bounds):
    """bounds[page] = the least and the greatest of its keys in each place, of pages whose last slot is in `slots`.

    Shapes: pool [pages * block_size, 2 * key heads, size], bounds [pages, 2, key heads, size].
    """
    for slot in slots:
        if (slot + 1) % block_size:
            continue
        lows, highs = bounds[slot // block_size, 0], bounds[slot // block_size, 1]
        for head in range(lows.shape[0]):
            for i in range(lows.shape[1]):
                lows[head, i] = highs[head, i] = pool[slot, head, i]
            for other in range(slot + 1 - block_size, slot):
                for i in range(lows.shape[1]):
                    x = load(pool[other, head, i])
                    lows[head, i] = store(min(x, load(lows[head, i])), pool[0, 0, 0])
                    highs[head, i] = store(max(x, load(highs[head, i])), pool[0, 0, 0])


@kernel
def choose_pages(query, bounds, tables, block_size, owners, positions, most, scale):
    """Return for each row a table of the pages that it attends to, and the place of its own token in them.

    Rows that see more pages than `most` keep the first, their own, and of the others the best. No score of a page is
    above sum(max(q * least, q * greatest)); each head's bounds become weights by a softmax over the pages, and the
    weight of a page is the sum over the heads.

    Shapes: query [n, heads, size]; bounds [pages, 2, key heads, size]; owners, positions and most [n], most at least 3;
    returns int32 [n, any] and int64 [n].
    """
    rows, heads, size = query.shape
    group = heads // bounds.shape[2]
    width, longest = 0, 0
    for row in range(rows):
        num_pages = positions[row] // block_size + 1
        width, longest = max(width, min(num_pages, most[row])), max(longest, num_pages)
    chosen, lasts = np.zeros((rows, width), np.int32), np.empty(rows, np.int64)
    scores, weights = np.empty((heads, longest), np.float32), np.empty(longest, np.float32)
    above, below = np.empty((heads, size), np.float32), np.empty((heads, size), np.float32)
    for row in range(rows):
        table, last = tables[owners[row]], positions[row]
        own = last // block_size
        if own < most[row]:
            chosen[row, : own + 1], lasts[row] = table[: own + 1], last
            continue
        for head in range(heads):
            for i in range(size):
                x = load(query[row, head, i]) * scale
                above[head, i], below[head, i] = max(x, np.float32(0.0)), min(x, np.float32(0.0))
        for page in range(1, own):
            lows, highs = bounds[table[page], 0], bounds[table[page], 1]
            for head in range(heads):
                key, x = head // group, np.float32(0.0)
                for i in range(size):
                    x += above[head, i] * load(highs[key, i]) + below[head, i] * load(lows[key, i])
                scores[head, page] = x
        weights[:] = np.float32(0.0)
        for head in range(heads):
            peak, total = np.float32(-np.inf), np.float32(0.0)
            for page in range(1, own):
                peak = max(peak, scores[head, page])
            for page in range(1, own):
                scores[head, page] = exponential(scores[head, page] - peak)
                total += scores[head, page]
            for page in range(1, own):
                weights[page] += scores[head, page] / total
        num_left = own + 1 - most[row]
        least = np.partition(weights[1:own], num_left)[num_left]
        num_equal = most[row] - 2 - np.sum(weights[1:own] > least)
        chosen[row, 0], count = table[0], 1
        for page in range(1, own):
            if weights[page] > least or (weights[page] == least and num_equal > 0):
                num_equal -= weights[page] == least
                chosen[row, count] = table[page]
                count += 1
        chosen[row, count], lasts[row] = table[own], count * block_size + last % block_size
    return chosen, lasts
