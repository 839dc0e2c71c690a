"""Kernels for NVIDIA GPUs, in Triton. Its modules are imported where there is one: Triton comes with torch for CUDA."""

from __future__ import annotations

import importlib.util
import os
import shutil

import torch

MIN_CAPABILITY = 8
"""Ampere."""
COMPILERS = ("cc", "gcc", "clang")


def why_no_triton(device: torch.device) -> str | None:
    """Return the reason that Triton kernels cannot run on this device; None if they can."""
    if device.type != "cuda" or torch.version.hip is not None:
        return f"it runs on CUDA, not on {device.type if torch.version.hip is None else 'ROCm'}"
    if torch.cuda.get_device_capability(device)[0] < MIN_CAPABILITY:
        return "the GPU is older than Ampere"
    if importlib.util.find_spec("triton") is None:
        return "Triton is not installed; it comes with a torch that is built for CUDA"
    if not os.environ.get("CC") and not any(map(shutil.which, COMPILERS)):
        return "Triton finds no C compiler, which it needs to start kernels: install gcc, or name a compiler in CC"
    return None
