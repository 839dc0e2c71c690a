"""How much memory of a GPU is left for keys and values: what the largest step does not need."""

from __future__ import annotations

import torch

from gateway.engine.config import EngineConfig
from gateway.engine.models.loaded import LoadedModel
from gateway.engine.plan import Plan
from gateway.engine.request import GenerationRequest, SamplingParams
from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import log_totals

SHARE = 0.9
"""Of what is free: the allocator leaves gaps, and a draft model computes too."""


def measure_spare_bytes(loaded: LoadedModel, config: EngineConfig) -> int | None:
    """Bytes of a CUDA device that nothing but keys and values will need; None on other devices.

    Args:
        config: A `fit` one.
    """
    device = loaded.decoder.device
    if device.type != "cuda":
        return None
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats(device)
    before = torch.cuda.memory_allocated(device)
    if loaded.needs.layers:
        compute_largest(loaded, config)
    needed = torch.cuda.max_memory_allocated(device) - before
    torch.cuda.empty_cache()
    free, _ = torch.cuda.mem_get_info(device)
    return max(int(SHARE * (free - needed)), 0)


@torch.inference_mode()
def compute_largest(loaded: LoadedModel, config: EngineConfig) -> None:
    """A step of as many tokens as there may be, all of prompts whose log-probabilities are wanted."""
    decoder, size = loaded.decoder, config.block_size
    longest = min(config.max_model_len or decoder.max_positions, decoder.max_positions, config.max_batch_tokens)
    sampling = SamplingParams(max_tokens=1, prompt_logprobs=0)
    plan, num_blocks = Plan(), 0
    for first in range(0, config.max_batch_tokens, longest):
        tokens = min(longest, config.max_batch_tokens - first)
        request = GenerationRequest(request_id=str(first), prompt_ids=[0] * tokens, sampling=sampling)
        sequence = Sequence(request, first)
        sequence.block_table = list(range(num_blocks, num_blocks + -(-tokens // size)))
        num_blocks += len(sequence.block_table)
        plan.chunks.append((sequence, tokens))
    cache = loaded.make_cache(num_blocks, size)
    logits = decoder.forward(loaded.make_builder(config).build(plan), cache)
    log_totals(logits[: config.max_num_seqs])  # as choosing tokens does
