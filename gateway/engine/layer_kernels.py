"""A layer of few rows in one compiled call: where products are small, starting them costs more than they do."""

from __future__ import annotations

import numpy as np

from gateway.engine.kernel_base import kernel, load, store
from gateway.engine.kernels import add_norm_rows, attend_pages, gate_rows, norm_rows, rotate_rows
from gateway.engine.product_kernels import multiply, num_outputs


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
    pool, slots, tables, block_size, owners, positions, window, scale,
):  # fmt: skip
    """One decoder layer: keys and values go to `pool`, `hidden` grows by what the layer says, x = the next norm of it.

    Weights of products are as `multiply` takes them; between these everything is of one type, float32 or bfloat16, and
    is rounded where the kernels one by one round it.

    Args:
        turned: Heads of queries and keys; behind them in a row of `qkv` are those of values.
        pool: Keys and values side by side. Shapes: [slots, 2 * kv heads, size].

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
