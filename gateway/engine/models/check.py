"""A decoder proves itself at load: same logits as the stock model, or it is not served."""

from __future__ import annotations

import torch

from gateway.engine.batch import Batch, Chunk
from gateway.engine.config import EngineConfig
from gateway.engine.errors import InvalidEngineConfigError
from gateway.engine.kv_cache import KvCache
from gateway.engine.models.base import Decoder


@torch.inference_mode()
def num_affordable_blocks(decoder: Decoder, config: EngineConfig) -> int:
    """How many key/value blocks the engine gets; one small step tells how large a block is.

    Raises:
        InvalidEngineConfigError: Not even one block fits.
    """
    probe = KvCache(1, config.block_size)
    zero = torch.zeros(1, dtype=torch.int64, device=decoder.device)
    chunk = Chunk(0, 1, 0, zero)
    decoder.forward(Batch(zero, zero, zero, None, 0, zero[:0], None, 0, [chunk]), probe)
    num_blocks = config.num_blocks or config.kv_memory_bytes // probe.bytes_per_block
    if num_blocks < 1:
        raise InvalidEngineConfigError(f"kv_memory_bytes holds no block of {probe.bytes_per_block} bytes")
    return num_blocks
