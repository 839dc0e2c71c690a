"""Which values settings may have, beyond their types."""

from __future__ import annotations

import re
from typing import Any

from gateway.config.sections import EngineConfig
from gateway.errors import ConfigError

MAY_BE_0 = frozenset(
    {
        "server.port",
        "server.max_unfinished_bytes",
        "server.keep_alive_timeout_s",
        "server.graceful_timeout_s",
        "server.ping_interval_s",
        "process.restart_wait_s",
        "process.max_restarts",
        "limits.max_repeated_tokens",
        "limits.max_stored_responses",
        "limits.max_stored_bytes",
    }
)
"""Numbers that may be 0. All others are at least 1, seconds more than 0."""

MAX_INT = (1 << 63) - 1
MAX_SECONDS = 1e9
"""Longest time that every clock and timer below can count."""

_MOST = {"server.port": 65535}
_DEVICE = re.compile(r"auto|cpu|(cuda|mps|xpu)(:[0-9]+)?")


def check_value(key: str, value: Any, source: str) -> None:
    """Raise unless a setting may have the value.

    Args:
        key: `section.field`.
        value: Of the field's type.
        source: Where it comes from.

    Raises:
        ConfigError: Names the setting, the source and what is allowed.
    """
    wanted = None
    if isinstance(value, float):
        wanted = _seconds(key, value)
    elif isinstance(value, int) and not isinstance(value, bool):
        least, most = int(key not in MAY_BE_0), _MOST.get(key, MAX_INT)
        if not least <= value <= most:
            wanted = f"at least {least}" if value < least else f"at most {most}"
    elif value == "" or (isinstance(value, tuple) and "" in value):
        wanted = "something, or be left out"
    elif key == "engine.device" and not _DEVICE.fullmatch(value):
        wanted = "auto, cpu, cuda, mps or xpu, the last three with a number (cuda:1) or without"
    if wanted is not None:
        raise ConfigError(f"{source}: '{key}' must be {wanted}, not {value!r}")


def _seconds(key: str, value: float) -> str | None:
    """What a number of seconds must be; None of one that is."""
    if key in MAY_BE_0:
        return None if 0 <= value <= MAX_SECONDS else f"0 to {MAX_SECONDS:g} seconds"
    return None if 0 < value <= MAX_SECONDS else f"more than 0 and at most {MAX_SECONDS:g} seconds"


def check_together(engine: dict[str, Any]) -> None:
    """Raise unless the engine's settings fit each other; those that are not given have their defaults.

    Raises:
        ConfigError: Names the two that do not.
    """
    config = EngineConfig(**engine)
    if (config.max_batch_tokens or MAX_INT) < (config.max_num_seqs or 0):
        raise ConfigError(
            f"'engine.max_batch_tokens' ({config.max_batch_tokens}) must be at least 'engine.max_num_seqs' "
            f"({config.max_num_seqs}): each sequence that is running takes a token of every step"
        )
    if config.quantization == "int8" and config.device not in ("auto", "cpu"):
        raise ConfigError(f"'engine.quantization' int8 is for a CPU, and 'engine.device' is {config.device}")
