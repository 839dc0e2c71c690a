"""AWQ: integers of four bits packed along the outputs in an order of their own, scale and zero for each group."""

from __future__ import annotations

from torch import Tensor

from gateway.engine.errors import UnsupportedModelError
from gateway.engine.models.linear.few_bits import Codes
from gateway.engine.models.quantized.base import Settings, Tensors, codes_of, of_packed, unpacked

ORDER = (0, 4, 1, 5, 2, 6, 3, 7)
"""Where the first, second, ... of eight outputs lies."""


@of_packed
def read_awq(module: str, packed: Tensor, tensors: Tensors, settings: Settings) -> Codes:
    """See `of_packed`. Shapes: qweight [in, out / 8], qzeros [groups, out / 8], scales [groups, out]."""
    version = str(settings.get("version", "gemm")).lower()
    if settings["bits"] != 4 or version != "gemm":
        raise UnsupportedModelError(f"AWQ weights of {settings['bits']} bits in the form {version!r} are not read")
    weight, zeros = _in_order(packed), _in_order(tensors[f"{module}.qzeros"])
    return codes_of(weight.t(), tensors[f"{module}.scales"].t(), zeros.t(), 4)


def _in_order(packed: Tensor) -> Tensor:
    return unpacked(packed, 4, 1).view(len(packed), -1, 8)[:, :, ORDER].flatten(1)
