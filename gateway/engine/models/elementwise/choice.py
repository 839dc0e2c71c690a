"""Kernels where there are kernels, torch elsewhere."""

from __future__ import annotations

import torch

from gateway.engine.models.elementwise.base import Elementwise, Norms
from gateway.engine.models.elementwise.compiled import CompiledElementwise
from gateway.engine.models.elementwise.plain import PlainElementwise


def choose_elementwise(norms: Norms) -> Elementwise:
    """The fastest for the device and type of the rotations."""
    is_compiled = norms.cos.device.type == "cpu" and norms.cos.dtype in (torch.float32, torch.bfloat16)
    return CompiledElementwise(norms) if is_compiled else PlainElementwise(norms)
