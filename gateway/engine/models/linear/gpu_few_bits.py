"""Products in few bits on a GPU: few rows by weights as they are, more by some weights that are made whole."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import linear

from gateway.engine.models.linear.few_bits import FewBits

STEP_BYTES = 64 << 20
"""Of weights that are made whole at a time."""


class GpuFewBitsLinear:
    """A product with weights whose codes lie on a GPU.

    Args:
        weight: Not in tiles.
    """

    __slots__ = ("_bias", "_codes", "_inputs", "_leasts", "_num_bits", "_scales")

    def __init__(self, weight: FewBits, bias: Tensor | None, device: torch.device) -> None:
        self._codes, self._scales, self._leasts = (torch.from_numpy(each).to(device) for each in weight[:3])
        self._num_bits = weight.num_bits
        self._inputs = len(weight.codes) * 8 // weight.num_bits // weight.num_outputs
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
