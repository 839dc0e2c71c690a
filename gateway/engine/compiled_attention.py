"""Attention of decode rows in a compiled kernel: float32 and bfloat16 on a CPU, keys and values in one pool."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from gateway.engine.batch import Batch
from gateway.engine.kernels import attend_rows, bits

MAX_THREADS = 4
"""The kernel runs in one thread; torch's attention shares rows and heads among all."""

NO_WINDOW = 1 << 62


def is_compiled(query: Tensor) -> bool:
    """Whether the kernel computes such rows, and faster than torch."""
    return (
        query.device.type == "cpu"
        and query.dtype in (torch.float32, torch.bfloat16)
        and torch.get_num_threads() <= MAX_THREADS
    )


def attend_decodes(query: Tensor, memory: Tensor, batch: Batch, scale: float, window: int | None) -> Tensor:
    """Each decode row's attention to its own sequence. No mask, and no work on slots that it would hide.

    Shapes: query [num_decode_rows, heads, size], memory [num_decodes, slots, 2 * kv_heads, size]; returns as query.
    """
    assert batch.reads is not None
    out = torch.empty(query.shape, dtype=query.dtype)
    attend_rows(
        bits(query.contiguous()),
        bits(memory),
        batch.reads.owners.numpy(),
        batch.positions[: len(query)].numpy(),
        NO_WINDOW if window is None else window,
        np.float32(scale),
        bits(out),
    )
    return out
