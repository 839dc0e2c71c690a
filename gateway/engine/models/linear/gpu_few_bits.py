"""Products in few bits on a GPU: few rows by weights as they are, more by some weights that are made whole."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import linear

STEP_BYTES = 64 << 20
"""Of weights that are made whole at a time."""


class GpuFewBitsLinear:
    """A product with weights whose codes lie on a GPU.

    Args:
        codes, scales, leasts, num_bits: As `product_kernels.unpack_row` reads them.
    """

    __slots__ = ("_bias", "_codes", "_inputs", "_leasts", "_num_bits", "_scales")

    def __init__(
        self,
        codes: NDArray[np.uint8],
        scales: NDArray[np.float32],
        leasts: NDArray[np.float32],
        num_bits: int,
        bias: Tensor | None,
        device: torch.device,
    ) -> None:
        self._codes, self._scales, self._leasts = (
            torch.from_numpy(each).to(device) for each in (codes, scales, leasts)
        )
        self._num_bits = num_bits
        self._inputs = len(codes) * 8 // num_bits // len(scales)
        self._bias = None if bias is None else bias.detach()

    def __call__(self, rows: Tensor) -> Tensor:
        """See `Linear`."""
        from gateway.engine.gpu_kernels.products import MAX_ROWS, multiply

        if len(rows) <= MAX_ROWS:
            product = multiply(rows, self._codes, self._scales, self._leasts, self._num_bits)
            return product if self._bias is None else product.add_(self._bias)
        outputs = len(self._scales)
        step = max(1, STEP_BYTES // (self._inputs * rows.element_size()))
        parts = [self._part(rows, first, min(first + step, outputs)) for first in range(0, outputs, step)]
        return parts[0] if len(parts) == 1 else torch.cat(parts, dim=1)

    def _part(self, rows: Tensor, first: int, end: int) -> Tensor:
        """Some of the outputs."""
        from gateway.engine.gpu_kernels.products import unpack

        size = len(self._codes) // len(self._scales)
        weight = unpack(
            self._codes[first * size : end * size], self._scales[first:end], self._leasts[first:end], self._num_bits,
            self._inputs, rows.dtype,
        )  # fmt: skip
        return linear(rows, weight, None if self._bias is None else self._bias[first:end])
