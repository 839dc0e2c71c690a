"""LoRA adapters that the settings of a model name."""

from __future__ import annotations

from pathlib import Path

from gateway.config import Config
from gateway.core.model import ServedAdapter
from gateway.engine import RunningEngine
from gateway.engine.errors import EngineFault
from gateway.errors import AdapterError, ModelLoadError
from gateway.service.model.adapter_folder import read_adapter_folder, stamp_of

FURTHER = 8
"""Adapters that clients may load, where no setting says how many there may be."""


def max_adapters(config: Config) -> int:
    """Return the number of adapters that the engine has room for."""
    named = len(config.model.adapters)
    return config.engine.max_adapters or (named if config.model.adapter_folder is None else max(named, FURTHER))


def configured_adapters(config: Config) -> dict[str, ServedAdapter]:
    """Return the adapters of the settings, by name.

    Raises:
        ModelLoadError: Two have one name, or a folder has no adapter.
    """
    found: dict[str, ServedAdapter] = {}
    for given in config.model.adapters:
        name, _, path = given.partition("=")
        if name in (*found, config.model.name, *config.model.aliases):
            raise ModelLoadError(f"model.adapters: the name {name} is taken")
        folder = Path(path).expanduser().resolve()
        try:
            found[name] = ServedAdapter(str(folder), stamp_of(folder))
        except OSError as error:
            raise ModelLoadError(f"model.adapters: {given} is no folder of an adapter: {error}") from error
    return found


def load_configured_adapters(engine: RunningEngine, adapters: dict[str, ServedAdapter]) -> None:
    """Have the engine load adapters; returns when requests may name them.

    Raises:
        ModelLoadError: One cannot be loaded; says which and why.
    """
    for name, adapter in adapters.items():
        try:
            engine.load_adapter(read_adapter_folder(name, Path(adapter.path))).result()
        except (AdapterError, EngineFault) as error:
            raise ModelLoadError(f"the adapter {name} in {adapter.path} cannot be loaded: {error}") from error
