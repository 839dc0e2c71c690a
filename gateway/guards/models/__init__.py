"""Programs of processes that hold one judge's model each, with torch and transformers."""

from __future__ import annotations

from typing import Any

LOCAL: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
"""For transformers: nothing is asked of the hub, and code that comes with a model is not run."""


def config_of(folder: str) -> Any:
    """Return the configuration of a model without references to code, which transformers would fetch and run.

    Raises:
        ValueError: transformers does not know the type.
    """
    from transformers import AutoConfig

    try:
        config = AutoConfig.from_pretrained(folder, **LOCAL)
    except ValueError as error:
        what = "code that comes with a model is not run; " if "trust_remote_code" in str(error) else ""
        raise ValueError(f"config.json is of no model that transformers computes ({what}{error})") from error
    config._attn_implementation = config._experts_implementation = None
    return config
