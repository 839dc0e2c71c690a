"""Argument types of the engine's CPU kernels, to compile them ahead of time."""

from __future__ import annotations

from typing import Any

from numba.types import Tuple, boolean, float32, int32, int64, uint8, uint16, uint32

from gateway.engine.cpu_kernels.products import (
    embed_rows,
    layer_rows,
    multiply_few_bits,
    multiply_rows,
    multiply_unpacked,
    quantize_rows,
    scale_rows,
    unpack_row,
    unpack_rows,
)
from gateway.engine.cpu_kernels.rows import (
    add_norm_rows,
    attend_pages,
    choose_best,
    count_allowed,
    forbid_rows,
    gate_rows,
    norm_rows,
    rotate_rows,
)
from gateway.engine.cpu_kernels.sparse import bound_pages, choose_pages


def signatures() -> dict[tuple[str, str], dict[tuple[Any, ...], None]]:
    """Return argument types by module and name of the kernel.

    Tiles are left out: a wheel is made for any CPU, and they need one instruction, so they compile on first use.
    """
    flags, numbers, tables, masks, plain = boolean[::1], int64[::1], int32[:, ::1], uint32[:, ::1], float32[:, ::1]
    singles, weight, short = float32[::1], uint16[:, ::1], uint8[:, :, ::1]
    codes = (uint8[::1], plain, plain, int64)
    noted: dict[tuple[str, str], dict[tuple[Any, ...], None]] = {}
    for of in (float32, uint16):
        row, rows, heads, bounds = of[::1], of[:, ::1], of[:, :, ::1], of[:, :, :, ::1]
        outs = (rows,) if of == float32 else (rows, plain)
        for function, types in (
            (norm_rows, (rows, row, float32, rows)),
            (add_norm_rows, (rows, rows, row, float32, rows)),
            (rotate_rows, (heads, int64, numbers, rows, rows, rows, float32)),
            (gate_rows, (rows, rows)),
            (quantize_rows, (rows, int64, uint8[:, ::1], singles)),
            (scale_rows, (plain, singles, singles, rows)),
            *((multiply_rows, (rows, weight, singles, out)) for out in outs),
            (unpack_row, (*codes, int64, singles)),
            (unpack_rows, (*codes, int64, rows)),
            (multiply_unpacked, (rows, *codes, singles, rows)),
            *((multiply_few_bits, (rows, Tuple(codes), singles, out)) for out in outs),
            *(
                (
                    attend_pages,
                    (heads, kv, kv, int64, tables, int64, numbers, numbers, int64, float32, float32, singles, heads),
                )
                for kv in (heads, short)
            ),
            (bound_pages, (heads, numbers, int64, bounds)),
            (choose_pages, (heads, bounds, tables, int64, numbers, numbers, numbers, float32)),
            (embed_rows, (numbers, rows, row, float32, rows, rows)),
            *(
                (
                    layer_rows,
                    (
                        rows, rows, kind, singles, rows, kind, singles, row, kind, kind, row, float32,
                        rows, rows, int64, heads, numbers, tables, int64, numbers, numbers, int64, float32,
                        bounds, numbers,
                    ),
                )
                for kind in (weight, Tuple(codes))
            ),
            (forbid_rows, (plain, masks)),
            (count_allowed, (masks, int64, numbers)),
            (choose_best, (plain, masks, numbers, numbers, flags)),
        ):  # fmt: skip
            noted.setdefault((function.__module__, function.__name__), {})[types] = None
    return noted
