"""Names, the same in every process, for what blocks are computed with: weights, layout, version."""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from importlib.metadata import version
from typing import Any

import torch
from torch import Tensor

from gateway.engine.config import EngineConfig
from gateway.engine.kv_cache import KvCache


def weights_digest(model: Any) -> str:
    """Return the digest of a model's weights and settings. Cost: reads all weights, a gigabyte a second and thread."""
    settings = model.config.to_dict() if hasattr(model.config, "to_dict") else vars(model.config)
    own = {name: value for name, value in settings.items() if not name.startswith("_")}
    whole = sha256(json.dumps(own, sort_keys=True, default=str).encode())
    whole.update(digest_of(dict(model.named_parameters()) | dict(model.named_buffers())))
    return whole.hexdigest()


def digest_of(tensors: Mapping[str, Tensor]) -> bytes:
    """Return the digest of tensors, with their names, shapes and types."""
    whole = sha256()
    with ThreadPoolExecutor(torch.get_num_threads()) as threads:
        for (name, each), digest in zip(tensors.items(), threads.map(_digest, tensors.values()), strict=True):
            whole.update(f"{name} {tuple(each.shape)} {each.dtype} ".encode() + digest)
    return whole.digest()


def identity(digest: str, config: EngineConfig, cache: KvCache) -> bytes:
    """Return what a cache's blocks of the same hash have in common, as JSON.

    Args:
        digest: Of the model's weights.
    """
    slots = {index: [[list(pool.shape[1:]), str(pool.dtype)] for pool in pools] for index, pools in cache.slots.items()}
    parts = {
        "version": version("portcullis"),
        "hash": "blake2b-128 chain",
        "model": digest,
        "quantization": config.quantization,
        "sparse_attention_tokens": config.sparse_attention_tokens,
        "block_size": config.block_size,
        "layers": sha256(json.dumps(slots).encode()).hexdigest(),
        "num_layers": len(slots),
    }
    return json.dumps(parts).encode()


def _digest(tensor: Tensor) -> bytes:
    flat = tensor.detach().cpu().contiguous().reshape(-1)
    return sha256(flat.view(torch.uint8).numpy().data).digest()
