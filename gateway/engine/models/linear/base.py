"""Interface of products with packed weights, of the ways to pack them, and padding of rows.

oneDNN compiles machine code for each number of rows and each shape of weight, and keeps the last 1,024: half a
millisecond and 0.3 to 0.6 MB each, measured. Steps have any number of rows, so this would grow to a gigabyte, and steps
would still wait for more. So rows are padded to a few sizes: 48 for steps of 512 tokens; the 40 sizes of up to 64 rows
take 120 MB for a small model in float32, measured.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gateway.engine.inputs import bits

MAX_EXACT = 32
"""Up to this many rows are not padded: padding and copying took 5 % of a decoding step."""

SIZES_AN_OCTAVE = 4
"""Padded sizes between a power of two and the next. Less than a quarter of the rows is padding, 8 % on average."""

Weights = Sequence[Tensor]
"""Weights [out, in] of projections that share their input; their outputs are side by side."""


class Linear(Protocol):
    """x @ weight.T + bias, with weights in a layout of its own."""

    def __call__(self, rows: Tensor, /) -> Tensor:
        """The product, in the type of the rows; the caller may write into it.

        Shapes: rows [n, in], contiguous; returns [n, out], contiguous.
        """


@dataclass(frozen=True, slots=True)
class LinearKind:
    """A memory layout of weights, and its product.

    Attributes:
        name: For logs.
        tolerance: Largest error of a product that is due to rounding, relative to the root mean square of the exact
            outputs of its row; the self-test at start requires it.
        pack: Makes a `Linear` of weights and a bias. Weights are copied wherever the layout differs from theirs.
        applies: True if rows of a type on a device can be multiplied so.
    """

    name: str
    tolerance: float
    pack: Callable[[Weights, Tensor | None], Linear]
    applies: Callable[[torch.device, torch.dtype], bool]

    def __call__(self, weights: Weights, bias: Tensor | None = None) -> Linear:
        """See `pack`."""
        return self.pack(weights, bias)


def has_onednn(device: torch.device, dtype: torch.dtype) -> bool:
    """True if torch multiplies such rows by oneDNN: on a CPU, float32 and bfloat16."""
    available = bool(torch.backends.mkldnn.is_available())  # type: ignore[no-untyped-call]
    return available and device.type == "cpu" and dtype in (torch.float32, torch.bfloat16)


def cpu_has_any(*names: str) -> bool:
    """True if this CPU has one of these instructions, as torch names them ("avx512_bf16")."""
    capabilities: dict[str, Any] = getattr(torch.cpu, "get_capabilities", dict)()
    return any(capabilities.get(name) for name in names)


def stack(weights: Weights) -> Tensor:
    """Concatenate weights into one [out, in]; a single one is not copied."""
    return weights[0].detach() if len(weights) == 1 else torch.cat([weight.detach() for weight in weights])


def float_bits(bias: Tensor | None) -> NDArray[np.float32]:
    """Return a bias for kernels: in float32; empty where there is none."""
    return bits(torch.empty(0) if bias is None else bias.detach().float().contiguous())


def num_computed_rows(num_rows: int) -> int:
    """Return the smallest padded size that holds this many rows."""
    if num_rows <= MAX_EXACT:
        return num_rows
    step = (1 << (num_rows - 1).bit_length()) // (2 * SIZES_AN_OCTAVE)
    return -(-num_rows // step) * step


def padded(rows: Tensor) -> Tensor:
    """Return the rows padded to the next size by repeating the first ones."""
    count = rows.shape[0]
    num_computed = num_computed_rows(count)
    return rows if num_computed == count else torch.cat((rows, rows[: num_computed - count]))
