"""Sampling defaults of a model, for requests that leave them out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from gateway.core.request import Sampling, SamplingDefaults
from gateway.engine import SamplingParams
from gateway.engine.errors import InvalidSamplingError
from gateway.errors import ModelLoadError

_NAMES = tuple(field.name for field in fields(SamplingDefaults))


def defaults_of(generation: Mapping[str, Any], source: str) -> SamplingDefaults:
    """Return the defaults in a model's `generation_config.json`; neutral where it has none. `do_sample` is ignored, as
    in vLLM: a greedy model has a temperature of 0.

    Args:
        source: Name of the file, for messages.

    Raises:
        ModelLoadError: A value is out of range.
    """
    found = {name: generation[name] for name in _NAMES if generation.get(name) is not None}
    if found.get("top_k") == -1:  # some models' way to turn it off
        found["top_k"] = 0
    for name, value in found.items():
        if isinstance(value, bool) or not isinstance(value, int if name == "top_k" else int | float):
            raise ModelLoadError(f"{source}: {name} is no number that can be sampled with: {str(value)[:64]}")
    defaults = SamplingDefaults(**found)
    try:
        SamplingParams(max_tokens=1, **asdict(defaults)).validate(1)
    except InvalidSamplingError as error:
        raise ModelLoadError(f"{source}: {error}") from error
    return defaults


def with_defaults(sampling: Sampling, defaults: SamplingDefaults) -> SamplingDefaults:
    """Return the sampling of a request: its own values, else the defaults."""
    given = {name: getattr(sampling, name) for name in _NAMES}
    return SamplingDefaults(**asdict(defaults) | {name: value for name, value in given.items() if value is not None})
