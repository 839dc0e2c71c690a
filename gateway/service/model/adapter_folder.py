"""Folders of LoRA adapters in PEFT's layout: `adapter_config.json` and `adapter_model.safetensors`.

What PEFT would compute otherwise than as `W + scale * B @ A` is refused by name. The matrices are read by the engine,
which knows the model's products.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from safetensors import SafetensorError, safe_open

from gateway.engine.request import AdapterFile
from gateway.errors import AdapterError
from gateway.verify.pattern import CostError, LinearPattern, PatternError

CONFIG, WEIGHTS = "adapter_config.json", "adapter_model.safetensors"
MAX_CONFIG_BYTES = 1 << 20
MAX_HEADER_BYTES = 16 << 20
MAX_TENSORS, MAX_NAME = 1 << 17, 256
MAX_PATTERN = 200
"""Characters of a pattern for names of products."""
MATCHING_S = 1.0
"""Time to match names and patterns; a usual adapter takes a millisecond."""

PREFIX, ENDS = "base_model.model.", (".lora_A.weight", ".lora_B.weight")

ORDINARY_STARTS = (None, True, False, "gaussian", "orthogonal", "eva")
"""Values of `init_lora_weights` that leave the model's own weights as they are."""

WITHOUT_EFFECT = frozenset({
    "auto_mapping", "base_model_name_or_path", "corda_config", "ensure_weight_tying", "eva_config", "exclude_modules",
    "fan_in_fan_out", "inference_mode", "layers_pattern", "layers_to_transform", "loftq_config", "lora_dropout",
    "lora_ga_config", "megatron_config", "megatron_core", "peft_version", "qalora_group_size", "revision",
    "runtime_config", "task_type",
})  # fmt: skip
"""Settings of training, or that the names of the matrices say again."""


class PeftConfig(msgspec.Struct, kw_only=True):
    """The settings of `adapter_config.json` that decide what an adapter adds."""

    peft_type: str
    r: int
    lora_alpha: float
    target_modules: list[str] | str | None = None
    rank_pattern: dict[str, int] | None = None
    alpha_pattern: dict[str, float] | None = None
    use_rslora: bool = False
    use_dora: bool = False
    bias: str = "none"
    modules_to_save: list[str] | None = None
    init_lora_weights: bool | str | None = True


def read_adapter_folder(name: str, folder: Path) -> AdapterFile:
    """Return the adapter of a folder, under a name.

    Raises:
        AdapterError: It is none, or does what is not supported; says what.
    """
    config = _config(folder / CONFIG)
    ranks = _ranks(folder / WEIGHTS)
    deadline = time.monotonic() + MATCHING_S
    _check_targets(config.target_modules, ranks, deadline)
    rank_of = _lookup("rank_pattern", config.rank_pattern or {}, config.r, deadline)
    alpha_of = _lookup("alpha_pattern", config.alpha_pattern or {}, config.lora_alpha, deadline)
    scales = {}
    for product, rank in ranks.items():
        if rank != rank_of(product):
            raise AdapterError(f"the rank of {product} is {rank}; {CONFIG} says {rank_of(product)}")
        scales[product] = alpha_of(product) / (math.sqrt(rank) if config.use_rslora else rank)
        if not math.isfinite(scales[product]):
            raise AdapterError(f"the scale of {product} is not finite: lora_alpha is {alpha_of(product)}")
    return AdapterFile(name, str(folder / WEIGHTS), scales)


def stamp_of(folder: Path) -> str:
    """Return a text that differs when the files of an adapter were replaced."""
    states = ((folder / name).stat() for name in (CONFIG, WEIGHTS))
    return repr([str(folder), *((state.st_size, state.st_mtime_ns) for state in states)])


def _config(file: Path) -> PeftConfig:
    try:
        with file.open("rb") as opened:
            data = opened.read(MAX_CONFIG_BYTES + 1)
        if len(data) > MAX_CONFIG_BYTES:
            raise AdapterError(f"{CONFIG} is longer than {MAX_CONFIG_BYTES} bytes")
        given = msgspec.json.decode(data, type=dict[str, Any])
        config = msgspec.convert(given, PeftConfig)
    except OSError as error:
        raise AdapterError(f"{CONFIG} cannot be read: {error.strerror or error}") from error
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise AdapterError(f"{CONFIG} is malformed: {error}") from error
    known = {*PeftConfig.__struct_fields__, *WITHOUT_EFFECT}
    unknown = sorted(key[:100] for key, value in given.items() if key not in known and value)
    refusals = {
        f"peft_type is {config.peft_type[:100]!r}; LORA is served": config.peft_type.upper() != "LORA",
        "use_dora is not supported": config.use_dora,
        f"bias is {config.bias[:100]!r}; only none is supported": config.bias != "none",
        "modules_to_save is not supported": bool(config.modules_to_save),
        f"init_lora_weights is {config.init_lora_weights!r}, which needs other weights of the model": (
            config.init_lora_weights not in ORDINARY_STARTS
        ),
        f"{', '.join(unknown[:5])}: not supported": bool(unknown),
        f"r is {config.r}; it must be at least 1": config.r < 1,
    }
    for message, is_so in refusals.items():
        if is_so:
            raise AdapterError(message)
    return config


def _ranks(file: Path) -> dict[str, int]:
    """Return the rank of each product that has a pair of matrices."""
    try:
        with file.open("rb") as opened:
            size = int.from_bytes(opened.read(8), "little")
        if size > MAX_HEADER_BYTES:
            raise AdapterError(f"the header of {WEIGHTS} says that it has {size} bytes; at most {MAX_HEADER_BYTES}")
        with safe_open(file, framework="numpy") as weights:
            names = list(weights.keys())
            _check_names(names)
            shapes = {name: weights.get_slice(name).get_shape() for name in names if name.endswith(ENDS[0])}
    except OSError as error:
        raise AdapterError(f"{WEIGHTS} cannot be read: {error.strerror or error}") from error
    except SafetensorError as error:
        raise AdapterError(f"{WEIGHTS} is malformed: {error}") from error
    return {_product(name): shape[0] if shape else 0 for name, shape in shapes.items()}


def _check_names(names: list[str]) -> None:
    if not names or len(names) > MAX_TENSORS:
        raise AdapterError(f"{WEIGHTS} has {len(names)} matrices; 2 to {MAX_TENSORS} are read")
    present = set(names)
    for name in names:
        end = next((end for end in ENDS if name.endswith(end)), None)
        if end is None or not name.startswith(PREFIX) or len(name) > MAX_NAME:
            what = "DoRA's, which is not supported" if "magnitude_vector" in name else f"not {PREFIX}NAME{ENDS[0]} or B"
            raise AdapterError(f"the name {name[:MAX_NAME]!r} in {WEIGHTS} is {what}")
        (other,) = (f"{name.removesuffix(end)}{each}" for each in ENDS if each != end)
        if other not in present:
            raise AdapterError(f"{WEIGHTS} has {name}, but not {other}")


def _product(name: str) -> str:
    return name.removeprefix(PREFIX).removesuffix(ENDS[0])


def _check_targets(targets: list[str] | str | None, products: Iterable[str], deadline: float) -> None:
    """Raise unless the matrices are those of the targets."""
    if targets is None or targets == "all-linear":
        return
    if isinstance(targets, str):
        is_target = _matcher("target_modules", targets, deadline)
        unused = set[str]()
    else:
        named, unused = set(targets), set(targets)

        def is_target(product: str) -> bool:
            found = named.intersection(_endings(product))
            unused.difference_update(found)
            return bool(found)

    for product in products:
        if not is_target(product):
            raise AdapterError(f"{WEIGHTS} has matrices for {product}, which target_modules does not name")
    if unused:
        raise AdapterError(f"target_modules names {min(unused)[:MAX_NAME]!r}, and {WEIGHTS} has no matrices for it")


def _lookup(field: str, patterns: Mapping[str, float], otherwise: float, deadline: float) -> Callable[[str], float]:
    """Return the value of a product: that of the first pattern for the end of its name."""
    plain = {key: (place, value) for place, (key, value) in enumerate(patterns.items()) if _is_plain(key)}
    others = [
        (place, _matcher(field, rf"(.*\.)?({key})", deadline), value)
        for place, (key, value) in enumerate(patterns.items())
        if key not in plain
    ]

    def value_of(product: str) -> float:
        found = [plain[end] for end in _endings(product) if end in plain]
        first = min(found, default=(len(patterns), otherwise))
        for place, is_match, value in others:
            if place > first[0]:
                break
            if is_match(product):
                return value
        return first[1]

    return value_of


def _is_plain(pattern: str) -> bool:
    return all(part.replace("_", "a").isalnum() for part in pattern.split("."))


def _endings(product: str) -> list[str]:
    """Return a dotted name without its first parts, from none of them on."""
    parts = product.split(".")
    return [".".join(parts[first:]) for first in range(len(parts))]


def _matcher(field: str, pattern: str, deadline: float) -> Callable[[str], bool]:
    """Return a function that matches names as a whole, in linear time and before the deadline."""
    too_long = AdapterError(f"the patterns of {field} take too long to match")
    if time.monotonic() > deadline:
        raise too_long
    try:
        if len(pattern) > MAX_PATTERN:
            raise PatternError(f"it is longer than {MAX_PATTERN} characters")
        compiled = LinearPattern(pattern)
    except PatternError as error:
        raise AdapterError(f"a pattern of {field} is not supported: {error}") from error

    def is_match(product: str) -> bool:
        try:
            if time.monotonic() <= deadline:
                return compiled.fullmatch(product)
        except CostError:
            pass
        raise too_long

    return is_match
