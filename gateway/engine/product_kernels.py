"""Compiled loops around products of rows with weights; see `kernels` for what they have in common."""

from __future__ import annotations

import numpy as np

from gateway.engine.kernel_base import kernel, load, singles, store, widened


@kernel
def multiply_rows(rows, weight, bias, out):
    """out = rows @ weight.T + bias: weights are the bits of bfloat16, sums are float32. No bias: an empty one.

    What is waited for is memory, of which such weights need half; four rows share what is read. Weights are read in
    the order in which they lie: with two or four outputs at a time a model of 22 MB takes up to twice as long.
    """
    wide, like = singles(rows), out[0, 0]
    num_rows, size = wide.shape
    for column in range(weight.shape[0]):
        start = bias[column] if len(bias) else np.float32(0.0)
        row = 0
        while row + 4 <= num_rows:
            a, b, c, d = start, start, start, start
            for i in range(size):
                x = widened(weight[column, i])
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
                a += wide[row, i] * widened(weight[column, i])
            out[row, column] = store(a, like)
            row += 1


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
