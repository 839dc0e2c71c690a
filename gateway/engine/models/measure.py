"""Measurements of a model by computing with it: attention, memory of a token, memory of the largest step."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

import torch

from gateway.engine.attention.base import AttentionNeeds, Recorder
from gateway.engine.config import EngineConfig
from gateway.engine.inputs import BatchBuilder
from gateway.engine.kv_cache import KvCache
from gateway.engine.models.base import Decoder, LoadedModel
from gateway.engine.request import GenerationRequest, SamplingParams
from gateway.engine.scheduling.plan import Plan
from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import log_totals

SHARE = 0.9
"""Share of the free memory: the allocator leaves gaps, and a draft model needs some too."""

_SMAPS = Path("/proc/self/smaps")
_MADV_DONTNEED = 4
_HEAD = re.compile(r"^([0-9a-f]+)-([0-9a-f]+) \S+ \S+ \S+ \S+ *(.*)$")


def sample_sequence(number: int, token_ids: list[int], prompt_logprobs: int | None = None) -> Sequence:
    """A text to compute with, which has no blocks yet."""
    sampling = SamplingParams(max_tokens=1, prompt_logprobs=prompt_logprobs)
    return Sequence(GenerationRequest(request_id=str(number), prompt_ids=token_ids, sampling=sampling), number)


@torch.inference_mode()
def measure_needs(decoder: Decoder, *, is_fp8: bool = False, num_tokens: int = 1) -> AttentionNeeds:
    """Return the attention requirements of its layers and the memory of a token, from a step of a few tokens.

    Args: is_fp8: See `LayerCache`.
    """
    cache, recorder = KvCache(num_tokens, 1, is_fp8=is_fp8), Recorder()
    config = EngineConfig(max_num_seqs=1, max_batch_tokens=num_tokens, block_size=1)
    sequence = sample_sequence(0, [0] * num_tokens)
    sequence.block_table = list(range(num_tokens))
    plan = Plan(chunks=[(sequence, num_tokens)])
    decoder.forward(BatchBuilder(config, decoder.device, recorder).build(plan), cache)
    return AttentionNeeds(decoder.device, tuple(recorder.layers), cache.bytes_per_block, cache.slots)


def measure_spare_bytes(loaded: LoadedModel, config: EngineConfig, promised: int = 0) -> int | None:
    """Bytes of a CUDA device that nothing but keys and values will need; None on other devices.

    Args:
        config: A `fit` one.
        promised: Bytes that are kept for adapters.
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
    return max(int(SHARE * (free - needed)) - promised, 0)


@torch.inference_mode()
def compute_largest(loaded: LoadedModel, config: EngineConfig) -> None:
    """A step of as many tokens as there may be, all of prompts whose log-probabilities are wanted."""
    decoder, size = loaded.decoder, config.block_size
    longest = min(config.max_model_len or decoder.max_positions, decoder.max_positions, config.max_batch_tokens)
    plan, num_blocks = Plan(), 0
    for first in range(0, config.max_batch_tokens, longest):
        tokens = min(longest, config.max_batch_tokens - first)
        sequence = sample_sequence(first, [0] * tokens, prompt_logprobs=0)
        sequence.block_table = list(range(num_blocks, num_blocks + -(-tokens // size)))
        num_blocks += len(sequence.block_table)
        plan.chunks.append((sequence, tokens))
    cache = loaded.make_cache(num_blocks, size)
    logits = decoder.forward(loaded.make_builder(config).build(plan), cache)
    log_totals(logits[: config.max_num_seqs])  # as choosing tokens does


def give_back_pages() -> None:
    """Release the pages of mapped weight files; later reads load them from the file again.

    Weights that were packed, or copied to a device, are read once. A mapping into which something was written is left.
    Does nothing where the system does not list mappings.
    """
    if not _SMAPS.exists():
        return
    advise = ctypes.CDLL(None, use_errno=True).madvise
    advise.argtypes = (ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int)
    begin = end = 0
    for line in _SMAPS.read_text(encoding="utf-8", errors="replace").splitlines():
        if head := _HEAD.match(line):
            is_weights = head[3].endswith(".safetensors")
            begin, end = (int(head[1], 16), int(head[2], 16)) if is_weights else (0, 0)
        elif end and line.startswith("Anonymous:") and line.split()[1] == "0":
            advise(begin, end - begin, _MADV_DONTNEED)
