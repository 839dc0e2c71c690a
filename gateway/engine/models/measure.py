"""What a decoder needs, found out by computing one token."""

from __future__ import annotations

import torch

from gateway.engine.attention.base import AttentionNeeds
from gateway.engine.attention.recorder import Recorder
from gateway.engine.batch import BatchBuilder
from gateway.engine.config import EngineConfig
from gateway.engine.kv_cache import KvCache
from gateway.engine.models.base import Decoder
from gateway.engine.plan import Plan
from gateway.engine.request import GenerationRequest, SamplingParams
from gateway.engine.sequence import Sequence


@torch.inference_mode()
def measure_needs(decoder: Decoder) -> AttentionNeeds:
    """What its layers ask of attention, and the memory of a token."""
    cache, recorder = KvCache(1, 1), Recorder()
    sequence = Sequence(GenerationRequest(request_id="", prompt_ids=[0], sampling=SamplingParams(max_tokens=1)), 0)
    sequence.block_table = [0]
    config = EngineConfig(max_num_seqs=1, max_batch_tokens=1, block_size=1)
    decoder.forward(BatchBuilder(config, decoder.device, recorder).build(Plan(chunks=[(sequence, 1)])), cache)
    return AttentionNeeds(decoder.device, tuple(recorder.layers), cache.bytes_per_block, cache.slots)
