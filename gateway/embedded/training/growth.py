"""A larger model that starts as a smaller one: the same function, and room to learn more."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from gateway.embedded.training.model import LeanLlama


@torch.no_grad()
def grow(model: LeanLlama, weights: Mapping[str, Tensor]) -> None:
    """`model`, just initialised, computes what the narrower or shallower model of `weights` computes.

    Initial weights let new hidden units and new layers add nothing (see `initialise`), so the old weights are written
    over the first rows and columns, and the rest waits for training.

    Raises:
        ValueError: a weight does not fit, being larger than the model's.
    """
    for name, weight in model.named_parameters():
        if name not in weights:
            continue
        source = weights[name]
        if source.ndim != weight.ndim or any(a > b for a, b in zip(source.shape, weight.shape, strict=True)):
            raise ValueError(f"{name} is {tuple(source.shape)}, the model has room for {tuple(weight.shape)}")
        weight[tuple(slice(size) for size in source.shape)] = source
