"""From a folder or a hub name to a model of transformers."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch

from gateway.engine.errors import UnsupportedModelError
from gateway.engine.models.plain_llama import read_plain_llama
from gateway.engine.models.quantized import read_dequantized

logger = logging.getLogger(__name__)

GGUF = "gguf_file"

LOCAL: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
"""For transformers: nothing is asked of the hub, and code that comes with a model is not run."""


def read_model(source: str | Path, dtype: torch.dtype | str, decoder: str) -> Any:
    """The model in these files, of the class that answers to text. Weights in few bits are made whole. Code that comes
    with a model is not run, pickles are not read, and for a folder nothing is asked of the hub.

    Args:
        dtype: "auto": what the files name.
        decoder: The one that is asked for; only one of ours can do without transformers' class.

    Raises:
        UnsupportedModelError: The files do not hold all of its weights, or in a form that is not read.
    """
    if Path(source).is_absolute() and not Path(source).exists():
        raise UnsupportedModelError(f"the model's folder {source} is not there any more")
    plain = None if decoder in ("transformers", "one_by_one") else read_plain_llama(Path(source), dtype)
    if plain is not None:
        return plain
    from transformers import GenerationConfig

    reading = LOCAL | {"local_files_only": Path(source).exists()}
    source, options = _located(source, {"dtype": dtype, "use_safetensors": True} | reading)
    config = config_of(source, reading | {name: options[name] for name in options if name == GGUF})
    settings = getattr(config, "quantization_config", None)
    if settings is not None:
        own = config.dtype if isinstance(config.dtype, torch.dtype) else torch.bfloat16
        options["state_dict"] = read_dequantized(source, settings, own if isinstance(dtype, str) else dtype)
        del config.quantization_config
    missing: dict[str, list[str]] = {}
    for kind in _classes_of(config):
        options["config"] = config if isinstance(config, kind.config_class) else config.get_text_config()
        place = None if settings is not None else source
        model, told = kind.from_pretrained(place, **options, output_loading_info=True)
        if not told["missing_keys"]:
            with suppress(OSError):  # there may be none
                model.generation_config = GenerationConfig.from_pretrained(source, **reading)
            return model
        missing[type(model).__name__] = sorted(told["missing_keys"])
    faults = [f"{name} misses {keys[0]} and {len(keys) - 1} more" for name, keys in missing.items()]
    raise UnsupportedModelError(f"the files do not hold all weights: {'; '.join(faults)}")


def config_of(source: str, options: Mapping[str, Any]) -> Any:
    """What the files say of the model. By which code it is computed is not for them to say: one of the hub that they
    name, as `_attn_implementation`, would be fetched and run.

    Raises:
        UnsupportedModelError: It is of no type that transformers knows.
    """
    from transformers import AutoConfig

    try:
        config = AutoConfig.from_pretrained(source, **options)
    except ValueError as error:
        what = "code that comes with a model is not run; " if "trust_remote_code" in str(error) else ""
        raise UnsupportedModelError(f"config.json is of no model that transformers computes ({what}{error})") from error
    config._attn_implementation = config._experts_implementation = None
    return config


def _located(source: str | Path, options: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Where transformers finds the files, and what it is to be told of them: a GGUF file is one of a folder.

    Raises:
        UnsupportedModelError: What reads them is not installed.
    """
    path = Path(source)
    found = [path] if path.suffix == ".gguf" else sorted(path.glob("*.gguf")) if path.is_dir() else []
    if not found or any(path.glob("*.safetensors")):
        return str(source), options
    missing = [name for name in ("gguf", "accelerate") if find_spec(name) is None]
    if missing:
        raise UnsupportedModelError(
            f"to read {found[0].name} takes packages that are not installed: {', '.join(missing)}"
        )
    logger.warning("the weights of %s are made whole, and take the memory of whole ones", found[0].name)
    return str(found[0].parent), options | {GGUF: found[0].name}


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
