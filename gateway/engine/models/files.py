"""From a folder or a hub name to a model of transformers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from gateway.engine.models.plain_llama import read_plain_llama


def read_model(source: str | Path, dtype: torch.dtype | str, decoder: str) -> Any:
    """The model in these files: of those that read more than text, the class that answers to text.

    Args:
        dtype: "auto": what the files name.
        decoder: The one that is asked for; only one of ours can do without transformers' class.
    """
    plain = None if decoder in ("transformers", "one_by_one") else read_plain_llama(Path(source), dtype)
    if plain is not None:
        return plain
    from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForImageTextToText

    config = AutoConfig.from_pretrained(str(source))
    is_causal = type(config) in AutoModelForCausalLM._model_mapping
    auto = AutoModelForCausalLM if is_causal else AutoModelForImageTextToText
    return auto.from_pretrained(str(source), config=config, dtype=dtype)
