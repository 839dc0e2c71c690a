"""From a folder, a GGUF file or a hub name to a model of transformers."""

from __future__ import annotations

import mmap
from collections.abc import Mapping
from contextlib import suppress
from math import prod
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from gateway.engine.errors import UnsupportedModelError
from gateway.engine.models.linear.few_bits import Blocks
from gateway.engine.models.quantized import read_dequantized
from gateway.engine.models.standalone_llama import StandaloneLlama, has_known_settings, read_standalone_llama
from gateway.errors import ModelLoadError
from gateway.gguf.architectures import config_of as gguf_config_of
from gateway.gguf.file import SUFFIX, GgufFile, model_in
from gateway.gguf.generation import ends_of
from gateway.gguf.weights import Weight, weights_of

LOCAL: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
"""For transformers: nothing is asked of the hub, and code that comes with a model is not run."""


def read_model(source: str | Path, dtype: torch.dtype | str, decoder: str) -> Any:
    """The model in these files, of the class that answers to text. Code that comes with a model is not run, pickles are
    not read, and for a folder nothing is asked of the hub. Weights in few bits are made whole; an attribute `codes` has
    what they were made of, by the names of weights.

    Args:
        dtype: "auto": what the files name.
        decoder: The one that is asked for; only one of ours can do without transformers' class.

    Raises:
        UnsupportedModelError: The files do not hold all of its weights, or in a form that is not read.
    """
    folder = Path(source)
    if folder.is_absolute() and not folder.exists():
        raise UnsupportedModelError(f"the model's folder {source} is not there any more")
    may_be_plain = decoder not in ("transformers", "one_by_one")
    try:
        if folder.suffix == SUFFIX:
            return _read_gguf(folder, dtype, may_be_plain)
        if folder.is_dir() and not any(folder.glob("*.safetensors")) and (file := model_in(folder)) is not None:
            return _read_gguf(file, dtype, may_be_plain)
    except ModelLoadError as error:
        raise UnsupportedModelError(error.message) from error
    plain = read_standalone_llama(folder, dtype) if may_be_plain else None
    return _read_safetensors(source, dtype) if plain is None else plain


def _read_safetensors(source: str | Path, dtype: torch.dtype | str) -> Any:
    from transformers import GenerationConfig

    reading = LOCAL | {"local_files_only": Path(source).exists()}
    options: dict[str, Any] = {"dtype": dtype, "use_safetensors": True} | reading
    config, codes = config_of(str(source), reading), None
    settings = getattr(config, "quantization_config", None)
    if settings is not None:
        own = config.dtype if isinstance(config.dtype, torch.dtype) else torch.bfloat16
        options["state_dict"], codes = read_dequantized(source, settings, own if isinstance(dtype, str) else dtype)
        del config.quantization_config
    model = _of_its_class(config, str(source) if settings is None else None, options)
    with suppress(OSError):  # there may be none
        model.generation_config = GenerationConfig.from_pretrained(str(source), **reading)
    model.codes = codes
    return model


def _read_gguf(path: Path, dtype: torch.dtype | str, may_be_plain: bool) -> Any:
    """Return the model of a file, and the blocks of its weights.

    Cost: memory of the weights in `dtype`; of the file only what is being read is in memory besides.
    """
    file = GgufFile.open(path)
    settings = gguf_config_of(file)
    kind = getattr(torch, settings["dtype"]) if isinstance(dtype, str) else dtype
    weights: dict[str, Tensor] = {}
    blocks: dict[str, Blocks] = {}
    for weight in weights_of(file, settings):
        weights[weight.name] = _whole(weight, kind)
        if len(weight.tensor.shape) == 2 and not weight.shift:
            blocks[weight.name] = (weight.tensor.kind, weight.tensor.data)
    settings = settings | {"eos_token_id": list(ends_of(file))}
    model: Any
    if may_be_plain and has_known_settings(settings):
        model = StandaloneLlama(settings, weights, {})
    else:
        from transformers import AutoConfig

        try:
            config = AutoConfig.for_model(**settings)
        except Exception as error:  # its checks of settings raise errors of a library of their own
            raise UnsupportedModelError(
                f"the settings of {path} do not fit together: {' '.join(str(error).split())}"
            ) from error
        model = _of_its_class(_ours_alone(config), None, {"dtype": dtype, "state_dict": weights} | LOCAL)
    model.codes = blocks
    return model


def _whole(weight: Weight, dtype: torch.dtype) -> Tensor:
    """A weight, made of its blocks step by step: no second copy of it is ever whole."""
    # A separate mapping: its memory is returned as soon as the weight is dropped, wherever the heap has holes.
    memory = mmap.mmap(-1, prod(weight.tensor.shape) * dtype.itemsize)
    whole = torch.frombuffer(memory, dtype=dtype).view(weight.tensor.shape)
    rows = whole.view(weight.tensor.data.shape[0], -1)
    for place, numbers in weight.steps():
        rows[place] = torch.from_numpy(numbers)
    return whole


def _of_its_class(config: Any, place: str | None, options: Mapping[str, Any]) -> Any:
    """The model, of the class that reads text alone, or else of the one that the files name.

    Args:
        place: Where its weights are; None: they are among the options.

    Raises:
        UnsupportedModelError: Some are missing.
    """
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # the log names the file
    missing: dict[str, list[str]] = {}
    for kind in _classes_of(config):
        own = config if isinstance(config, kind.config_class) else config.get_text_config()
        model, told = kind.from_pretrained(place, **options, config=own, output_loading_info=True)
        if not told["missing_keys"]:
            return model
        missing[type(model).__name__] = sorted(told["missing_keys"])
    faults = [f"{name} misses {keys[0]} and {len(keys) - 1} more" for name, keys in missing.items()]
    raise UnsupportedModelError(f"the files do not hold all weights: {'; '.join(faults)}")


def config_of(source: str, options: Mapping[str, Any]) -> Any:
    """Return the model's configuration from its files. Implementations that the files name are ignored:
    `_attn_implementation` may name code of the hub, which would be fetched and run.

    Raises:
        UnsupportedModelError: It is of no type that transformers knows.
    """
    from transformers import AutoConfig

    try:
        config = AutoConfig.from_pretrained(source, **options)
    except ValueError as error:
        what = "code that comes with a model is not run; " if "trust_remote_code" in str(error) else ""
        raise UnsupportedModelError(f"config.json is of no model that transformers computes ({what}{error})") from error
    return _ours_alone(config)


def _ours_alone(config: Any) -> Any:
    """Return the configuration, without the code that it may name."""
    config._attn_implementation = config._experts_implementation = None
    return config


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
