"""Which format the files are in, and all of their weights."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch import Tensor

from gateway.engine.errors import UnsupportedModelError
from gateway.engine.models.linear.few_bits import Codes
from gateway.engine.models.quantized.awq import read_awq
from gateway.engine.models.quantized.base import Format
from gateway.engine.models.quantized.bitsandbytes import read_bitsandbytes
from gateway.engine.models.quantized.compressed_tensors import read_compressed
from gateway.engine.models.quantized.fp8 import read_fp8
from gateway.engine.models.quantized.gptq import read_gptq
from gateway.engine.models.quantized.mxfp4 import read_mxfp4

logger = logging.getLogger(__name__)

FORMATS: Mapping[str, Format] = {
    "awq": read_awq,
    "bitsandbytes": read_bitsandbytes,
    "compressed-tensors": read_compressed,
    "fp8": read_fp8,
    "gptq": read_gptq,
    "mxfp4": read_mxfp4,
}


def read_dequantized(
    source: str | Path, settings: Mapping[str, Any], dtype: torch.dtype
) -> tuple[dict[str, Tensor], dict[str, Codes]]:
    """Return the weights of a folder or a name on the hub, those that were quantized in `dtype`, and of these the codes
    that products may be made with.

    Cost: the memory of the whole weights.

    Raises:
        UnsupportedModelError: Nobody here reads this method.
    """
    method = settings.get("quant_method")
    read = FORMATS.get(str(method))
    if read is None:
        known = ", ".join(sorted(FORMATS))
        raise UnsupportedModelError(f"weights quantized by {method!r} are not read; those by {known} are")
    tensors: dict[str, Tensor] = {}
    for file in sorted(_folder(source).glob("*.safetensors")):
        tensors |= load_file(file)
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
    logger.info("the weights were quantized by %s; they are computed with in %s", method, dtype)
    return whole, codes


def _folder(source: str | Path) -> Path:
    if Path(source).is_dir():
        return Path(source)
    from huggingface_hub import snapshot_download

    return Path(snapshot_download(str(source), allow_patterns=["*.safetensors", "*.json"]))
