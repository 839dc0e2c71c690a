"""The settings and weights of a GGUF file, as a model of transformers has them."""

from __future__ import annotations

import mmap
from math import prod
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from gateway.engine.errors import UnsupportedModelError
from gateway.engine.models.linear.few_bits import Blocks, few_bits
from gateway.engine.product_kernels import unpack_rows
from gateway.engine.staging import bits
from gateway.errors import ModelLoadError
from gateway.gguf.architectures import config_of
from gateway.gguf.file import GgufFile
from gateway.gguf.generation import ends_of
from gateway.gguf.kinds import KEPT
from gateway.gguf.weights import Weight, weights_of

_STEP_NUMBERS = 1 << 18
"""Numbers that are made of blocks at a time."""


def read_gguf(path: Path, dtype: torch.dtype | str) -> tuple[dict[str, Any], dict[str, Tensor], dict[str, Blocks]]:
    """What `config.json` would say, all weights by name, and the blocks of the file that they were made of.

    Args:
        dtype: Of the weights; "auto": as the file has them, bfloat16 where it has them in blocks.

    Cost: memory of the weights in `dtype`; of the file only what is being read is in memory besides.

    Raises:
        UnsupportedModelError: The file cannot be read, or holds something that is not computed.
    """
    try:
        file = GgufFile.open(path)
        config = config_of(file)
        kind = getattr(torch, config["dtype"]) if isinstance(dtype, str) else dtype
        weights, blocks = {}, {}
        for weight in weights_of(file, config):
            weights[weight.name] = _whole(weight, kind)
            if len(weight.tensor.shape) == 2 and not weight.shift:
                blocks[weight.name] = (weight.tensor.kind, weight.tensor.data)
        return config | {"eos_token_id": list(ends_of(file))}, weights, blocks
    except ModelLoadError as error:
        raise UnsupportedModelError(error.message) from error


def _whole(weight: Weight, dtype: torch.dtype) -> Tensor:
    """A weight, made of its blocks step by step: no second copy of it is ever whole."""
    # A map of its own: its memory is free for others as soon as the weight is let go, wherever the heap has holes.
    memory = mmap.mmap(-1, prod(weight.tensor.shape) * dtype.itemsize)
    whole = torch.frombuffer(memory, dtype=dtype).view(weight.tensor.shape)
    rows = whole.view(weight.tensor.data.shape[0], -1)
    kind, data = weight.tensor.kind, weight.tensor.data
    if kind.name in KEPT:
        step = max(1, _STEP_NUMBERS // rows.shape[1])
        target = rows if dtype in (torch.float32, torch.bfloat16) else torch.empty(rows.shape)
        for first in range(0, len(data), step):
            unpack_rows(*few_bits([(kind, data[first : first + step])]), 0, bits(target[first : first + step]))
        if target is not rows:
            rows.copy_(target)
        return whole.add_(weight.shift) if weight.shift else whole
    for place, numbers in weight.steps():
        rows[place] = torch.from_numpy(numbers)
    return whole
