"""From a folder or a hub name to a model of transformers."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import torch

from gateway.engine.errors import UnsupportedModelError
from gateway.engine.models.plain_llama import read_plain_llama
from gateway.engine.models.quantized import read_dequantized


def read_model(source: str | Path, dtype: torch.dtype | str, decoder: str) -> Any:
    """The model in these files, of the class that answers to text. Weights in few bits are made whole.

    Args:
        dtype: "auto": what the files name.
        decoder: The one that is asked for; only one of ours can do without transformers' class.

    Raises:
        UnsupportedModelError: The files do not hold all of its weights, or in a form that is not read.
    """
    plain = None if decoder in ("transformers", "one_by_one") else read_plain_llama(Path(source), dtype)
    if plain is not None:
        return plain
    from transformers import AutoConfig, GenerationConfig

    config = AutoConfig.from_pretrained(str(source))
    options: dict[str, Any] = {"dtype": dtype}
    settings = getattr(config, "quantization_config", None)
    if settings is not None:
        own = config.dtype if isinstance(config.dtype, torch.dtype) else torch.bfloat16
        options["state_dict"] = read_dequantized(source, settings, own if isinstance(dtype, str) else dtype)
        del config.quantization_config
    missing: dict[str, list[str]] = {}
    for kind in _classes_of(config):
        options["config"] = config if isinstance(config, kind.config_class) else config.get_text_config()
        place = None if settings is not None else str(source)
        model, told = kind.from_pretrained(place, **options, output_loading_info=True)
        if not told["missing_keys"]:
            with suppress(OSError):  # there may be none
                model.generation_config = GenerationConfig.from_pretrained(str(source))
            return model
        missing[type(model).__name__] = sorted(told["missing_keys"])
    faults = [f"{name} misses {keys[0]} and {len(keys) - 1} more" for name, keys in missing.items()]
    raise UnsupportedModelError(f"the files do not hold all weights: {'; '.join(faults)}")


def _classes_of(config: Any) -> list[Any]:
    """The class that reads text alone, where there is one, and the one that the files name, if it generates."""
    import transformers

    mapping = transformers.AutoModelForCausalLM._model_mapping
    kinds: list[Any] = [mapping[type(config)]] if type(config) in mapping else []
    for name in config.architectures or ():
        found = getattr(transformers, name, None)
        if getattr(found, "can_generate", lambda: False)():
            kinds.append(found)
    if not kinds:
        raise UnsupportedModelError(f"{config.model_type} models ({config.architectures}) do not write text")
    return kinds
