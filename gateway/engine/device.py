"""The device that the settings name."""

from __future__ import annotations

import torch

from gateway.engine.errors import InvalidEngineConfigError


def choose_device(name: str) -> torch.device:
    """Return the device of this name; for `auto` a GPU where there is one.

    Raises:
        InvalidEngineConfigError: There is no such device here.
    """
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise InvalidEngineConfigError(f"device {name!r} is not known") from error
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        raise InvalidEngineConfigError(f"device {name!r} is not there, or this torch was built without CUDA")
    return device
