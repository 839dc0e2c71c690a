"""The engine and its peers as contenders: models, settings, and how each answers prompts of equal length."""

from __future__ import annotations

import copy
import logging
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from transformers import ContinuousBatchingConfig, GenerationConfig, LlamaConfig, LlamaForCausalLM

from gateway.embedded import target_path
from gateway.engine import Engine, GenerationRequest, SamplingParams

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.stock_models import sizes

PROMPT = 64
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}
SETTINGS = [(dtype, cache) for dtype in DTYPES for cache in ("dynamic", "static")]
"""What is tried for `generate`; its own continuous batching has no static cache."""
Contender = Callable[[list[list[int]]], list[list[int]]]


def make_model(name: str, dtype: torch.dtype = torch.float32) -> Any:
    """ "embedded", "28m" (random weights), or the Llama model in a folder."""
    logging.disable(logging.WARNING)
    if name != "28m":
        return LlamaForCausalLM.from_pretrained(model_folder(name), dtype=dtype).eval()
    torch.manual_seed(0)
    config = LlamaConfig(
        **sizes(512, 1408, layers=8, heads=8, kv_heads=4),
        vocab_size=8192,
        max_position_embeddings=4096,
        initializer_range=0.06,
        tie_word_embeddings=True,
    )
    return LlamaForCausalLM(config).to(dtype).eval()


def model_folder(name: str) -> Path | None:
    """Where the model's tokenizer is; None: it has none."""
    return {"embedded": target_path(), "28m": None}.get(name, Path(name))


def make_prompts(lengths: list[int], seed: int, vocab_size: int) -> list[list[int]]:
    """Random prompts of these lengths."""
    chooser = random.Random(seed)
    return [[chooser.randrange(2, vocab_size) for _ in range(length)] for length in lengths]


def make_request(number: int, prompt: list[int], new_tokens: int, constraint: Any = None) -> GenerationRequest:
    """A greedy request."""
    sampling = SamplingParams(max_tokens=new_tokens, temperature=0, ignore_eos=True)
    return GenerationRequest(request_id=str(number), prompt_ids=prompt, sampling=sampling, constraint=constraint)


def ours(engine: Engine, new_tokens: int) -> Contender:
    """This engine."""

    def run(prompts: list[list[int]]) -> list[list[int]]:
        return engine.generate([make_request(i, prompt, new_tokens) for i, prompt in enumerate(prompts)])

    return run


def generate(model: Any, new_tokens: int, cache: str = "dynamic", **options: Any) -> Contender:
    """transformers' `generate`, one batch; shorter prompts are padded on their left."""

    def run(prompts: list[list[int]]) -> list[list[int]]:
        width = max(map(len, prompts))
        ids = torch.tensor([[0] * (width - len(prompt)) + prompt for prompt in prompts]).to(model.device)
        seen = torch.tensor([[0] * (width - len(prompt)) + [1] * len(prompt) for prompt in prompts]).to(model.device)
        with torch.inference_mode():
            out = model.generate(
                ids,
                attention_mask=seen,
                max_new_tokens=new_tokens,
                do_sample=False,
                eos_token_id=None,
                pad_token_id=0,
                cache_implementation=None if cache == "dynamic" else cache,
                disable_compile=True,
                **options,
            )
        answers: list[list[int]] = out[:, width:].tolist()
        return answers

    return run


def batching_config(
    num_blocks: int, max_batch_tokens: int = 2048, max_requests: int | None = None
) -> ContinuousBatchingConfig:
    """Of the settings tried (pages of 16, 32, 256; asynchronous or not; sized by itself or by us) the fastest."""
    return ContinuousBatchingConfig(
        page_size=16,
        num_blocks=num_blocks,
        max_batch_tokens=max_batch_tokens,
        max_requests_per_batch=max_requests,
        allow_block_sharing=False,
    )


def generate_batch(model: Any, new_tokens: int, concurrency: int) -> Contender:
    """transformers' continuous batching; a manager of its own, sized for the work and kept warm."""
    batching = batching_config(concurrency * (-(-(PROMPT + new_tokens) // 16) + 1) + 8)
    model = copy.deepcopy(model)  # a persistent manager belongs to its model and is never resized
    generation = GenerationConfig(max_new_tokens=new_tokens, do_sample=False, eos_token_id=-1, pad_token_id=0)

    def run(prompts: list[list[int]]) -> list[list[int]]:
        model.set_attn_implementation("sdpa")
        out = model.generate_batch(
            prompts,
            generation_config=generation,
            continuous_batching_config=batching,
            persistent_manager=True,
            progress_bar=False,
        )
        return [out[key].generated_tokens for key in sorted(out, key=lambda name: int(name.rsplit("_", 1)[-1]))]

    return run
