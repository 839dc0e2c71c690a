"""What a product with packed weights is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

import torch
from torch import Tensor

Weights = Sequence[Tensor]
"""Weights [out, in] of projections that share their input; their outputs stand side by side."""


class Linear(Protocol):
    """x @ weight.T + bias, with weights in a layout of its own."""

    def __call__(self, rows: Tensor) -> Tensor:
        """The product, in the type of the rows; the caller may write into it.

        Shapes: rows [n, in], contiguous; returns [n, out], contiguous.
        """


class LinearKind(Protocol):
    """One way to lay weights out: a constructor of `Linear`s.

    Attributes:
        name: For logs.
        tolerance: Largest error of a product that is due to rounding, relative to the root mean square of the exact
            outputs of its row; the proof at start asks for it.
    """

    name: ClassVar[str]
    tolerance: ClassVar[float]

    def __call__(self, weights: Weights, bias: Tensor | None = None) -> Linear:
        """Pack weights. They are copied wherever the layout differs from theirs."""

    def applies(self, device: torch.device, dtype: torch.dtype) -> bool:
        """Whether rows of this type on this device can be multiplied so at all."""


def has_onednn(device: torch.device, dtype: torch.dtype) -> bool:
    """Whether torch multiplies such rows by oneDNN: on a CPU, float32 and bfloat16."""
    available = bool(torch.backends.mkldnn.is_available())  # type: ignore[no-untyped-call]
    return available and device.type == "cpu" and dtype in (torch.float32, torch.bfloat16)


def cpu_has_any(*names: str) -> bool:
    """Whether this CPU has one of these instructions, as torch names them ("avx512_bf16")."""
    capabilities: dict[str, Any] = getattr(torch.cpu, "get_capabilities", dict)()
    return any(capabilities.get(name) for name in names)


def stack(weights: Weights) -> Tensor:
    """One weight [out, in] of many; no copy of a single one."""
    return weights[0].detach() if len(weights) == 1 else torch.cat([weight.detach() for weight in weights])
