"""Checkpoints whose weights were quantized: read whole, and as codes where products can be made with these."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch import Tensor

from gateway.engine.errors import UnsupportedModelError
from gateway.gguf.blocks import Codes

logger = logging.getLogger(__name__)

Tensors = Mapping[str, Tensor]
Settings = Mapping[str, Any]
"""`quantization_config` of the files."""

Named = tuple[str, Tensor | Codes]
"""A weight as the model knows it, in float32 or as codes where it was quantized."""

Format = Callable[[str, Tensor, Tensors, Settings], Named | None]
"""Reads one method's weights: takes the name of a tensor, it, all tensors of the files for what belongs to it, and the
settings; None for a tensor that is part of another. Raises `UnsupportedModelError` for variants that are not read."""


def read_dequantized(
    source: str | Path, settings: Settings, dtype: torch.dtype
) -> tuple[dict[str, Tensor], dict[str, Codes] | None]:
    """Return the weights of a folder or a name on the hub, those that were quantized in `dtype`, and of these the codes
    that products may be made with; None if they are sparse and not quantized.

    Cost: the memory of the whole weights.

    Raises:
        UnsupportedModelError: This method is not supported.
    """
    method = settings.get("quant_method")
    read = FORMATS.get(str(method))
    if read is None:
        known = ", ".join(sorted(FORMATS))
        raise UnsupportedModelError(f"weights quantized by {method!r} are not read; those by {known} are")
    tensors: dict[str, Tensor] = {}
    for file in sorted(_folder(source).glob("*.safetensors")):
        tensors |= load_file(file)
    if method == "compressed-tensors":
        tensors = _without_bitmasks(tensors, settings)
    whole: dict[str, Tensor] = {}
    codes: dict[str, Codes] = {}
    for name, tensor in tensors.items():
        named = read(name, tensor, tensors, settings)
        if named is None:
            continue
        found = named[1]
        if isinstance(found, Codes):
            codes[named[0]] = found
            found = torch.from_numpy(found.whole())
        whole[named[0]] = found.to(dtype) if found.is_floating_point() else found
    if method == "compressed-tensors" and not settings.get("config_groups"):
        return whole, None
    logger.info("the weights were quantized by %s; they are computed with in %s", method, dtype)
    return whole, codes


def _folder(source: str | Path) -> Path:
    if Path(source).is_dir():
        return Path(source)
    from huggingface_hub import snapshot_download

    return Path(snapshot_download(str(source), allow_patterns=["*.safetensors", "*.json"]))


def _of_packed(read: Callable[[str, Tensor, Tensors, Settings], Tensor | Codes]) -> Format:
    """A format whose modules have a packed weight, `qweight`, with parts that belong to it.

    Args:
        read: Returns the weight of a module; takes its name and the packed tensors.
    """

    def read_part(name: str, tensor: Tensor, tensors: Tensors, settings: Settings) -> Named | None:
        module, _, part = name.rpartition(".")
        if part == "bias" or f"{module}.qweight" not in tensors:
            return name, tensor
        return (f"{module}.weight", read(module, tensor, tensors, settings)) if part == "qweight" else None

    return read_part


def _gptq(module: str, packed: Tensor, tensors: Tensors, settings: Settings) -> Tensor | Codes:
    """Integers packed along the inputs, a scale and a zero for each group of inputs.

    Shapes: qweight [in / n, out], qzeros [groups, out / n], scales [groups, out], g_idx [in].
    """
    bits = settings["bits"]
    if bits not in (2, 4, 8):
        raise UnsupportedModelError(f"GPTQ weights of {bits} bits are not read")
    weight = _unpacked(packed, bits, 0)
    # The first form of these files stores one less than the zero.
    offset = 0 if settings.get("checkpoint_format") == "gptq_v2" else 1
    zeros = _unpacked(tensors[f"{module}.qzeros"], bits, 1) + offset
    scales = tensors[f"{module}.scales"].float()
    size = settings["group_size"] if settings["group_size"] > 0 else len(weight)
    ordered = torch.arange(len(weight)) // size
    groups = tensors.get(f"{module}.g_idx", ordered).long()
    if len(weight) % size == 0 and torch.equal(groups, ordered):
        return _codes(weight.t(), scales.t(), zeros.t(), max(bits, 4))
    return ((weight - zeros[groups]) * scales[groups]).t()


def _awq(module: str, packed: Tensor, tensors: Tensors, settings: Settings) -> Codes:
    """Integers of four bits packed along the outputs in an order of their own, scale and zero for each group.

    Shapes: qweight [in, out / 8], qzeros [groups, out / 8], scales [groups, out].
    """
    version = str(settings.get("version", "gemm")).lower()
    if settings["bits"] != 4 or version != "gemm":
        raise UnsupportedModelError(f"AWQ weights of {settings['bits']} bits in the form {version!r} are not read")
    weight, zeros = (
        _unpacked(each, 4, 1).view(len(each), -1, 8)[:, :, AWQ_ORDER].flatten(1)
        for each in (packed, tensors[f"{module}.qzeros"])
    )
    return _codes(weight.t(), tensors[f"{module}.scales"].t(), zeros.t(), 4)


AWQ_ORDER = (0, 4, 1, 5, 2, 6, 3, 7)
"""Where the first, second, ... of eight outputs lies."""


def _compressed(name: str, tensor: Tensor, tensors: Tensors, settings: Settings) -> Named | None:
    """Integers packed along the inputs, or eight bits as they are, with scales of several forms.

    Shapes: weight [out, in] or weight_packed [out, in / n], weight_scale [out, groups] or less.
    """
    module, _, part = name.rpartition(".")
    if part in COMPRESSED_PARTS:
        return None
    if f"{module}.weight_scale" not in tensors or part not in ("weight", "weight_packed"):
        return name, tensor
    groups = list(settings["config_groups"].values())
    form = groups[0].get("format") or settings["format"]
    if form not in COMPRESSED_FORMS or len({group["weights"]["num_bits"] for group in groups}) > 1:
        raise UnsupportedModelError(f"weights of compressed-tensors in the form {form!r}, or of several, are not read")
    if f"{module}.weight_g_idx" in tensors:
        raise UnsupportedModelError("weights of compressed-tensors whose groups are not in order are not read")
    scale, zero = tensors[f"{module}.weight_scale"], tensors.get(f"{module}.weight_zero_point")
    bits, block = groups[0]["weights"]["num_bits"], groups[0]["weights"].get("block_structure")
    if part == "weight" and tensor.is_floating_point():
        whole = tensor.float() if zero is None else tensor.float() - _scaled(torch.ones(tensor.shape), zero)
        return name, _scaled(whole, scale, block)
    middle = 1 << (bits - 1)
    if part == "weight":
        numbers, zeros = tensor.int() + middle, zero if zero is None else zero.int() + middle
    else:
        outputs, inputs = tensors[f"{module}.weight_shape"].tolist()
        numbers = _unpacked(tensor, bits, 1)[:, :inputs]
        zeros = None if zero is None else _unpacked(zero, bits, 0)[:outputs]
    zeros = torch.full_like(scale, middle) if zeros is None else zeros
    if not block and scale.ndim == 2 and len(scale) == len(numbers) and numbers.shape[1] % scale.shape[1] == 0:
        return f"{module}.weight", _codes(numbers, scale, zeros, max(bits, 4))
    whole = numbers - _scaled(torch.ones(numbers.shape), zeros)
    return f"{module}.weight", _scaled(whole, scale, block)


def _without_bitmasks(tensors: Tensors, settings: Settings) -> dict[str, Tensor]:
    """Return the tensors, weights that were stored without their zeros made dense.

    Shapes: compressed, any with the numbers that were kept, row by row; bitmask [out, in / 8] uint8, a bit a weight,
    the first the lowest; shape, two numbers -> weight [out, in].

    Raises:
        UnsupportedModelError: They are in a form that is not read, or the parts do not fit together.
    """
    sparsity = settings.get("sparsity_config") or {}
    form = sparsity.get("format", "dense")
    if form not in ("dense", "sparse-bitmask", "sparse-24-bitmask"):
        raise UnsupportedModelError(f"weights of compressed-tensors in the sparse form {form!r} are not read")
    if form == "dense":
        return dict(tensors)
    modules = [name.removesuffix(".bitmask") for name in tensors if name.endswith(".bitmask")]
    if modules:
        structure = sparsity.get("sparsity_structure", "unstructured")
        logger.info("weights of %d layers are sparse (%s) and computed with as dense ones", len(modules), structure)
    parts = {f"{module}.{part}" for module in modules for part in ("compressed", "bitmask", "shape", "row_offsets")}
    whole = {name: tensor for name, tensor in tensors.items() if name not in parts}
    return whole | {f"{module}.weight": _without_bitmask(module, tensors) for module in modules}


def _without_bitmask(module: str, tensors: Tensors) -> Tensor:
    try:
        kept, mask, shape = (tensors[f"{module}.{part}"] for part in ("compressed", "bitmask", "shape"))
        outputs, inputs = shape.flatten().tolist()
        is_kept = _unpacked(mask, 1, 1)[:, :inputs].bool().view(outputs, inputs)
        raw = kept.flatten().view(torch.uint8).view(-1, kept.element_size())
        whole = torch.zeros(outputs, inputs, kept.element_size(), dtype=torch.uint8)
        whole[is_kept] = raw  # as bytes, since numbers of eight bits cannot be placed
    except (KeyError, ValueError, RuntimeError, IndexError) as error:
        raise UnsupportedModelError(f"the parts of {module}, stored with a bitmask, do not fit together") from error
    return whole.view(kept.dtype).view(outputs, inputs)


COMPRESSED_PARTS = (
    "weight_scale", "weight_zero_point", "weight_shape", "weight_g_idx", "input_scale", "input_zero_point",
)  # fmt: skip
COMPRESSED_FORMS = ("pack-quantized", "int-quantized", "float-quantized", "naive-quantized")


def _fp8(name: str, tensor: Tensor, tensors: Tensors, settings: Settings) -> Named | None:
    """Eight-bit floats: a scale for each block of them, each output, or all.

    Shapes: weight [out, in], scale [blocks of outputs, blocks of inputs], [out] or [].
    """
    if name.endswith((*FP8_SCALES, "activation_scale", "input_scale")):
        return None
    scale = next((tensors[name + suffix] for suffix in FP8_SCALES if name + suffix in tensors), None)
    return name, tensor if scale is None else _scaled(tensor, scale, settings.get("weight_block_size"))


FP8_SCALES = ("_scale_inv", "_scale")
"""Suffixes of the scales of a weight, by which it is multiplied."""


def _bitsandbytes(name: str, tensor: Tensor, tensors: Tensors, settings: Settings) -> Named | None:
    """Eight bits with a scale an output, or places in a table of 16 numbers with a scale a block.

    Shapes: in eight bits weight [out, in] and SCB [out]; in four weight [out * in / 2, 1] uint8.
    """
    module, _, part = name.rpartition(".")
    if part in ("SCB", "weight_format") or ".weight." in name:
        return None
    states = [f"{name}.quant_state.bitsandbytes__{kind}" for kind in ("nf4", "fp4")]
    for state in states:
        if state in tensors:
            return name, _table_numbers(name, tensor, tensors, json.loads(bytes(tensors[state].tolist())))
    if part == "weight" and f"{module}.SCB" in tensors:
        return name, _scaled(tensor, tensors[f"{module}.SCB"].float() / 127)
    return name, tensor


def _table_numbers(name: str, tensor: Tensor, tensors: Tensors, state: Settings) -> Tensor:
    """Two numbers a byte, the first in its upper half. The scales of blocks may be places in a table themselves."""
    places = torch.stack((tensor.flatten() >> 4, tensor.flatten() & 15), dim=1).long()
    largest = tensors[f"{name}.absmax"]
    if f"{name}.nested_absmax" in tensors:
        outer = tensors[f"{name}.nested_absmax"].repeat_interleave(state["nested_blocksize"])[: len(largest)]
        largest = tensors[f"{name}.nested_quant_map"][largest.long()] * outer + state["nested_offset"]
    numbers = tensors[f"{name}.quant_map"].float()[places.flatten()]
    scales = largest.float().repeat_interleave(state["blocksize"])[: len(numbers)]
    return (numbers * scales).view(state["shape"])


def read_mxfp4(name: str, tensor: Tensor, tensors: Tensors, settings: Settings) -> Named | None:
    """Floats of four bits, a power of two for each 32 of them; of experts, which the model keeps transposed.

    Shapes: blocks [experts, out, n, 16], scales [experts, out, n], bytes -> [experts, in, out].
    """
    if name.endswith("_scales") and name.removesuffix("_scales") + "_blocks" in tensors:
        return None
    if not name.endswith("_blocks"):
        return name, tensor
    weight = name.removesuffix("_blocks")
    exponents = tensors[f"{weight}_scales"].int() - 127
    numbers = torch.tensor(MXFP4_VALUES)[_unpacked(tensor, 4, 3)]
    return weight, torch.ldexp(numbers, exponents[..., None]).flatten(2).transpose(1, 2)


MXFP4_VALUES = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.0, -0.5, -1.0, -1.5, -2.0, -3.0, -4.0, -6.0)

FORMATS: Mapping[str, Format] = {
    "awq": _of_packed(_awq),
    "bitsandbytes": _bitsandbytes,
    "compressed-tensors": _compressed,
    "fp8": _fp8,
    "gptq": _of_packed(_gptq),
    "mxfp4": read_mxfp4,
}


def _codes(numbers: Tensor, scales: Tensor, zeros: Tensor, num_bits: int) -> Codes:
    """(numbers - zeros) * scales as codes.

    Shapes: numbers [outputs, inputs], not negative; scales and zeros [outputs, groups].
    """
    scales = scales.float().contiguous()
    leasts = (-zeros.float() * scales).contiguous()
    return Codes(numbers.to(torch.uint8).contiguous().numpy(), scales.numpy(), leasts.numpy(), num_bits)


def _unpacked(packed: Tensor, bits: int, dim: int) -> Tensor:
    """Return unsigned numbers of this many bits, the lowest first, side by side along `dim`; none spans two elements.

    Shapes: that one grows.
    """
    shifts = torch.arange(8 * packed.element_size() // bits) * bits
    numbers = (packed.long().unsqueeze(dim + 1) >> shifts.view(-1, *(1,) * (packed.ndim - 1 - dim))) & ((1 << bits) - 1)
    return numbers.flatten(dim, dim + 1)


def _scaled(weight: Tensor, scale: Tensor, block: list[int] | None = None) -> Tensor:
    """weight * scale, each scale for a block of it. Shapes: weight [out, in], scale [] to [out, in].

    Args:
        block: Of how many outputs and inputs; None: as many as there are for each scale.
    """
    weight, scale = weight.float(), scale.float()
    if scale.ndim < 2:
        return weight * (scale if scale.numel() == 1 else scale.view(-1, 1))
    for dim in (0, 1):
        size = weight.shape[dim]
        scale = scale.repeat_interleave(block[dim] if block else -(-size // scale.shape[dim]), dim=dim)
        scale = scale.narrow(dim, 0, size)
    return weight * scale
