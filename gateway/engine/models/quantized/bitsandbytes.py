"""bitsandbytes: eight bits with a scale an output, or places in a table of 16 numbers with a scale a block."""

from __future__ import annotations

import json
from typing import Any

from torch import Tensor

from gateway.engine.models.quantized.base import Named, Settings, Tensors, scaled

STATE = ".quant_state.bitsandbytes__"


def read_bitsandbytes(name: str, tensor: Tensor, tensors: Tensors, settings: Settings) -> Named | None:
    """See `Format`. Shapes: in eight bits weight [out, in] and SCB [out]; in four weight [out * in / 2, 1] uint8."""
    module, _, part = name.rpartition(".")
    if part in ("SCB", "weight_format") or ".weight." in name:
        return None
    state = next((tensors[name + STATE + kind] for kind in ("nf4", "fp4") if name + STATE + kind in tensors), None)
    if state is not None:
        return name, _four_bits(name, tensor, tensors, json.loads(bytes(state.tolist())))
    if part == "weight" and f"{module}.SCB" in tensors:
        return name, scaled(tensor, tensors[f"{module}.SCB"].float() / 127)
    return name, tensor


def _four_bits(name: str, tensor: Tensor, tensors: Tensors, state: dict[str, Any]) -> Tensor:
    """Two numbers a byte, the first in its upper half. The scales of blocks may be places in a table themselves."""
    bytes_ = tensor.flatten().long()
    places = bytes_.new_empty((len(bytes_), 2))
    places[:, 0], places[:, 1] = bytes_ >> 4, bytes_ & 15
    largest = tensors[f"{name}.absmax"]
    if f"{name}.nested_absmax" in tensors:
        outer = tensors[f"{name}.nested_absmax"].repeat_interleave(state["nested_blocksize"])[: len(largest)]
        largest = tensors[f"{name}.nested_quant_map"][largest.long()] * outer + state["nested_offset"]
    numbers = tensors[f"{name}.quant_map"].float()[places.flatten()]
    scales = largest.float().repeat_interleave(state["blocksize"])[: len(numbers)]
    return (numbers * scales).view(state["shape"])
