"""Weights of a GGUF file, one by one, under transformers' names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gateway.errors import ModelLoadError
from gateway.gguf.architectures import OUTSIDE, Architecture, Config, architecture_of, sizes_of
from gateway.gguf.blocks import numbers
from gateway.gguf.file import GgufFile, Tensor
from gateway.gguf.rope import FACTORS, LONG, SHORT

_PART = re.compile(r"(?:blk\.(?P<layer>\d{1,5})\.)?(?P<part>\w+)\.(?P<kind>weight|bias)")

_READ_AS_SETTINGS = frozenset({FACTORS, LONG, SHORT})

STEP_NUMBERS = 1 << 15
"""Numbers that are made of blocks at a time: they stay in a core's cache, and torch copies no more in one thread, where
to wake others takes longer than the copy."""


@dataclass(frozen=True, slots=True)
class Weight:
    """A weight, in the blocks of its file.

    Attributes:
        name: In the model.
        tensor: Blocks of the tensor; rows of queries and keys in the model's order.
        shift: To be added to its numbers.
    """

    name: str
    tensor: Tensor
    shift: float = 0.0

    def steps(self) -> Iterator[tuple[slice, NDArray[np.float32]]]:
        """Yield the numbers, some rows at a time; a vector is one row."""
        data = self.tensor.data
        step = max(1, STEP_NUMBERS // self.tensor.shape[-1])
        for first in range(0, len(data), step):
            rows = slice(first, min(first + step, len(data)))
            found = numbers(self.tensor.kind, data[rows])
            yield rows, found + np.float32(self.shift) if self.shift else found


def weights_of(file: GgufFile, config: Config) -> Iterator[Weight]:
    """Yield all weights in file order; the memory of each is released with the next.

    Args:
        config: Result of `config_of`.

    Raises:
        ModelLoadError: A tensor is unknown, or its shape does not match the settings.
    """
    architecture, sizes = architecture_of(file), sizes_of(config)
    for name, tensor in file.tensors.items():
        if name in _READ_AS_SETTINGS:
            continue
        told = _PART.fullmatch(name)
        layer = None if told is None else told["layer"]
        known = OUTSIDE if layer is None else architecture.parts
        if told is None or told["part"] not in known or int(layer or 0) >= config["num_hidden_layers"]:
            raise ModelLoadError(f"{file.path}: tensor {name!r} is of no known part of {architecture.class_name}")
        part, letters = known[told["part"]].split()
        shape = tuple(sizes[letter] for letter in (letters[:1] if told["kind"] == "bias" else letters))
        if tensor.shape != shape:
            raise ModelLoadError(f"{file.path}: tensor {name!r} has shape {tensor.shape}; {shape} expected")
        named = f"{part}.{told['kind']}" if layer is None else f"model.layers.{int(layer)}.{part}.{told['kind']}"
        yield Weight(named, _turned_back(tensor, told["part"], architecture, config), _shift(letters, architecture))
        file.release()


def _shift(letters: str, architecture: Architecture) -> float:
    """Norms alone have weights of one dimension."""
    return -architecture.norm_shift if len(letters) == 1 else 0.0


def _turned_back(tensor: Tensor, part: str, architecture: Architecture, config: Config) -> Tensor:
    """Return the tensor with each head's rows in halves, where the file interleaves them."""
    if not architecture.is_turned or part not in ("attn_q", "attn_k"):
        return tensor
    rows = tensor.data if len(tensor.shape) > 1 else tensor.data.reshape(tensor.shape[0], -1)
    order = np.arange(len(rows)).reshape(-1, config["head_dim"] // 2, 2).swapaxes(1, 2).reshape(-1)
    return replace(tensor, data=rows[order].reshape(tensor.data.shape))
