"""A larger model that starts as a smaller one: the same function, and room to learn more."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from embedded_model.train.model import LeanLlama

NEW_SCALE = 0.1
"""Of the embeddings' new coordinates, over that of their initial weights."""


@torch.no_grad()
def grow(model: LeanLlama, weights: Mapping[str, Tensor]) -> None:
    """`model`, just initialised, computes what the narrower or shallower model of `weights` computes, very nearly.

    Initial weights let new hidden units and new layers add nothing (see `initialise`), new heads neither, so the old
    weights are written over the first rows and columns, and the rest waits for training. New coordinates of the
    residual stream begin small, and norms make up for the mean that is taken over them too.

    Raises:
        ValueError: a weight does not fit, being larger than the model's.
    """
    for name, weight in model.named_parameters():
        if name not in weights:
            continue
        source = weights[name]
        if source.ndim != weight.ndim or any(a > b for a, b in zip(source.shape, weight.shape, strict=True)):
            raise ValueError(f"{name} is {tuple(source.shape)}, the model has room for {tuple(weight.shape)}")
        if "embed_tokens" in name:
            weight[:, source.shape[1] :] *= NEW_SCALE
        elif name.endswith("o_proj.weight"):
            weight.zero_()
        elif weight.ndim == 1:
            source = source * (len(source) / len(weight)) ** 0.5
        weight[tuple(slice(size) for size in source.shape)] = source
