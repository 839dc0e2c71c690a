"""Products of few rows with weights in few bits: read as they are in the files, and widened in registers.

A program takes some outputs and a part of the inputs; where there are few outputs the inputs are shared out, so that
all of the card reads weights. Sums of the parts are added up by torch, in one order.
"""

from __future__ import annotations

import math

import torch
import triton
import triton.language as tl
from torch import Tensor

IS_INTERPRETED: bool = triton.knobs.runtime.interpret
MAX_ROWS = 32
"""For more rows weights are made whole first: they are then worth it."""

OUTPUTS = 32
"""Of a program."""

INPUTS = 128
"""Inputs that a program reads at once; a group at a time where groups are smaller."""

WIDE_BYTES = 16
"""Of codes that a program reads at once for rows of float32, of which registers hold fewer."""

MAX_PARTS = 16
PROGRAMS = 512
"""Programs to aim for: several for each multiprocessor."""


@triton.jit
def multiply_codes(
    rows,
    codes,
    scales,
    leasts,
    out,
    num_rows,
    outputs,
    inputs,
    groups,
    part_size,
    ROWS: tl.constexpr,
    OUTPUTS: tl.constexpr,
    INPUTS: tl.constexpr,
    NUM_BITS: tl.constexpr,
    WIDENS: tl.constexpr,
):
    """Some outputs of a part of the inputs. Grid: outputs, parts. See `product_kernels.unpack_row` for the codes.

    Args:
        INPUTS: Read at once, all of one group.

    Shapes: rows [num_rows, inputs]; codes [outputs, bytes]; scales and leasts [outputs, groups];
    out [parts, num_rows, outputs], float32.
    """
    row = tl.arange(0, ROWS)
    output = tl.program_id(0) * OUTPUTS + tl.arange(0, OUTPUTS)
    is_row, is_output = row < num_rows, output < outputs
    place = tl.arange(0, INPUTS * NUM_BITS // 8)
    # Of four bits, the first 16 of 32 inputs are in the lower halves of 16 bytes.
    number = (place // 16) * 32 + place % 16 if NUM_BITS == 4 else place
    in_group = inputs // groups
    first = tl.program_id(1) * part_size
    found = tl.zeros((ROWS, OUTPUTS), tl.float32)
    for begin in range(first, tl.minimum(first + part_size, inputs), INPUTS):
        x = begin + number
        byte = begin * NUM_BITS // 8 + place
        at = output[:, None].to(tl.int64) * (inputs * NUM_BITS // 8) + byte[None, :]
        code = tl.load(codes + at, mask=is_output[:, None], other=0)
        group = output * groups + begin // in_group
        scale = tl.load(scales + group, mask=is_output, other=0.0)[:, None]
        least = tl.load(leasts + group, mask=is_output, other=0.0)[:, None]
        for half in tl.static_range(8 // NUM_BITS):
            column = x + 16 * half
            own = (code >> (4 * half)) & 15 if NUM_BITS == 4 else code
            weight = own.to(tl.float32) * scale + least
            numbers = tl.load(
                rows + row[:, None].to(tl.int64) * inputs + column[None, :], mask=is_row[:, None], other=0.0
            )
            if WIDENS:
                found += tl.dot(numbers.to(tl.float32), tl.trans(weight), input_precision="ieee")
            else:
                found += tl.dot(numbers, tl.trans(weight.to(numbers.dtype)))
    target = (tl.program_id(1) * num_rows + row[:, None]).to(tl.int64) * outputs + output[None, :]
    tl.store(out + target, found, mask=is_row[:, None] & is_output[None, :])


@triton.jit
def unpack_codes(codes, scales, leasts, out, outputs, inputs, groups, INPUTS: tl.constexpr, NUM_BITS: tl.constexpr):
    """The weights of an output, some inputs of it. Grid: outputs, parts of `INPUTS` inputs.

    Shapes: as above, and out [outputs, inputs].
    """
    output = tl.program_id(0).to(tl.int64)
    x = tl.program_id(1) * INPUTS + tl.arange(0, INPUTS)
    is_there = x < inputs
    if NUM_BITS == 4:
        code = tl.load(codes + output * (inputs // 2) + (x // 32) * 16 + x % 16, mask=is_there, other=0)
        code = (code >> ((x % 32) // 16 * 4).to(tl.uint8)) & 15
    else:
        code = tl.load(codes + output * inputs + x, mask=is_there, other=0)
    group = output * groups + x // (inputs // groups)
    scale = tl.load(scales + group, mask=is_there, other=0.0)
    least = tl.load(leasts + group, mask=is_there, other=0.0)
    tl.store(out + output * inputs + x, code.to(tl.float32) * scale + least, mask=is_there)


def multiply(rows: Tensor, codes: Tensor, scales: Tensor, leasts: Tensor, num_bits: int) -> Tensor:
    """Return rows @ weight.T of at most `MAX_ROWS` rows, in their type.

    Shapes: rows [n, inputs]; codes [outputs * bytes]; scales and leasts [outputs, groups]; returns [n, outputs].
    """
    num_rows, inputs = rows.shape
    outputs, groups = scales.shape
    blocks = triton.cdiv(outputs, OUTPUTS)
    step = math.gcd(INPUTS if rows.element_size() < 4 else WIDE_BYTES * 8 // num_bits, inputs // groups)
    parts = max(1, min(MAX_PARTS, PROGRAMS // blocks, inputs // step))
    part_size = triton.cdiv(inputs // step, parts) * step
    parts = triton.cdiv(inputs, part_size)
    out = torch.empty((parts, num_rows, outputs), dtype=torch.float32, device=rows.device)
    multiply_codes[(blocks, parts)](
        rows, codes, scales, leasts, out, num_rows, outputs, inputs, groups, part_size,
        ROWS=16 if num_rows <= 16 else 32, OUTPUTS=OUTPUTS, INPUTS=step, NUM_BITS=num_bits,
        WIDENS=IS_INTERPRETED or rows.dtype == torch.float32,
    )  # fmt: skip
    return (out[0] if parts == 1 else out.sum(0)).to(rows.dtype)


def unpack(codes: Tensor, scales: Tensor, leasts: Tensor, num_bits: int, inputs: int, dtype: torch.dtype) -> Tensor:
    """Return the weights. Shapes: as above; returns [outputs, inputs]."""
    outputs, groups = scales.shape
    out = torch.empty((outputs, inputs), dtype=dtype, device=codes.device)
    size = min(1024, triton.next_power_of_2(inputs))
    unpack_codes[(outputs, triton.cdiv(inputs, size))](
        codes, scales, leasts, out, outputs, inputs, groups, INPUTS=size, NUM_BITS=num_bits
    )
    return out
