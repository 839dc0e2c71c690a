"""Tiny random models, one per architecture, and the stock answers to compare with."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping
from collections.abc import Sequence as Seq
from itertools import count
from typing import Any

import pytest
import torch
from transformers import (
    AutoModelForCausalLM,
    Gemma2Config,
    Gemma3TextConfig,
    GPT2Config,
    GptOssConfig,
    LlamaConfig,
    MistralConfig,
    MixtralConfig,
    OPTConfig,
    Phi3Config,
    Qwen2Config,
    Qwen3Config,
    Qwen3MoeConfig,
)

from gateway.engine import Engine, EngineConfig, GenerationRequest, SamplingParams, TokenEvent
from gateway.engine.sequence import Sequence
from gateway.engine.speculation import Draft
from gateway.engine.speculation.speculator import Race

torch.set_num_threads(1)
needs_bfloat16 = pytest.mark.skipif(
    not torch.ops.mkldnn._is_mkldnn_bf16_supported(), reason="oneDNN has no bfloat16 on this CPU"
)

VOCAB = 160
ARGUMENTS = ("fill_masks", "vocab_size", "eos_token_ids", "draft_model", "drafters")
SHAPE: dict[str, Any] = {
    "vocab_size": VOCAB,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "max_position_embeddings": 256,
    "initializer_range": 0.2,
    "eos_token_id": 1,
    "bos_token_id": 0,
    "pad_token_id": 0,
}
CONFIGS: dict[str, Any] = {
    "llama": lambda: LlamaConfig(**SHAPE),
    "qwen2": lambda: Qwen2Config(
        **(SHAPE | {"num_hidden_layers": 3}), use_sliding_window=True, sliding_window=12, max_window_layers=1
    ),
    "qwen3": lambda: Qwen3Config(**SHAPE),
    "mistral": lambda: MistralConfig(**SHAPE, sliding_window=12),
    "gemma2": lambda: Gemma2Config(
        **SHAPE, sliding_window=12, attn_logit_softcapping=2.0, final_logit_softcapping=5.0, query_pre_attn_scalar=8
    ),
    "gemma3": lambda: Gemma3TextConfig(
        **(SHAPE | {"num_hidden_layers": 3}),
        sliding_window=12,
        layer_types=["sliding_attention", "full_attention", "sliding_attention"],
    ),
    "phi3": lambda: Phi3Config(**SHAPE, sliding_window=24),
    "mixtral": lambda: MixtralConfig(**SHAPE, num_local_experts=4, num_experts_per_tok=2),
    "qwen3_moe": lambda: Qwen3MoeConfig(
        **SHAPE, moe_intermediate_size=16, num_experts=4, num_experts_per_tok=2, decoder_sparse_step=1
    ),
    "gpt_oss": lambda: GptOssConfig(
        **SHAPE,
        sliding_window=12,
        layer_types=["sliding_attention", "full_attention"],
        num_local_experts=4,
        num_experts_per_tok=2,
    ),
    "opt": lambda: OPTConfig(
        vocab_size=VOCAB,
        hidden_size=32,
        word_embed_proj_dim=32,
        ffn_dim=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        max_position_embeddings=256,
        init_std=0.2,
        eos_token_id=1,
        bos_token_id=0,
        pad_token_id=0,
    ),
    "gpt2": lambda: GPT2Config(
        vocab_size=VOCAB,
        n_embd=32,
        n_layer=2,
        n_head=4,
        n_positions=256,
        initializer_range=0.2,
        eos_token_id=1,
        bos_token_id=0,
    ),
}


LEAN = ("llama", "qwen2", "qwen3", "mistral")
"""Those that the lean decoder computes as well."""
PATHS = [(name, "transformers") for name in CONFIGS] + [(name, "lean") for name in LEAN]


ATTENTION = {"gemma2": "eager", "gpt_oss": "eager"}
"""The stock attention, where torch's own would leave something out (the bound on scores, sinks)."""


def make_model(name: str, seed: int = 0) -> Any:
    """A fresh model of this kind; the same seed gives the same weights. Norms and biases are not those of a start."""
    torch.manual_seed(seed)
    model = AutoModelForCausalLM.from_config(CONFIGS[name](), attn_implementation=ATTENTION.get(name, "sdpa"))
    for parameter in model.parameters():
        if parameter.ndim == 1:
            parameter.data += torch.randn_like(parameter) * 0.2
    return model.float().eval()


def stock_greedy(model: Any, prompt: list[int], max_tokens: int) -> list[int]:
    """What transformers itself answers, one prompt at a time, end of sequence ignored."""
    ids = torch.tensor([prompt])
    with torch.no_grad():
        out = model.generate(
            ids,
            attention_mask=torch.ones_like(ids),
            max_new_tokens=max_tokens,
            min_new_tokens=max_tokens,
            do_sample=False,
            eos_token_id=None,
            pad_token_id=0,
        )
    answer: list[int] = out[0, len(prompt) :].tolist()
    return answer


def stock_logits(model: Any, tokens: list[int]) -> torch.Tensor:
    """Logits of the stock model after every token. Shapes: [len(tokens), VOCAB]."""
    with torch.no_grad():
        logits: torch.Tensor = model(torch.tensor([tokens])).logits[0]
    return logits


def make_engine(name: str = "llama", model: Any = None, **settings: Any) -> Engine:
    """A small engine around a small model. Sizes that force chunks, and blocks of four tokens."""
    sizes = {"max_num_seqs": 4, "max_batch_tokens": 16, "block_size": 4, "num_blocks": 64, "check_model": False}
    arguments = {key: settings.pop(key) for key in ARGUMENTS if key in settings}
    return Engine(model or make_model(name), EngineConfig(**(sizes | settings)), **arguments)


def make_request(number: int, prompt: list[int], max_tokens: int = 12, **options: Any) -> GenerationRequest:
    """A greedy request that ignores the end of sequence, unless told otherwise."""
    extra = {
        key: options.pop(key)
        for key in ("constraint", "stop", "priority", "tenant", "deadline", "group")
        if key in options
    }
    sampling = SamplingParams(max_tokens=max_tokens, **({"temperature": 0.0, "ignore_eos": True} | options))
    return GenerationRequest(request_id=str(number), prompt_ids=prompt, sampling=sampling, **extra)


class Prophet:
    """A drafter that knows the answers, and tells the truth as often as it is told to."""

    name = "prophet"
    reading_s = 0.0

    def __init__(self, texts: Iterable[list[int]], truth: float = 1.0, seed: int = 0) -> None:
        """Args: texts: Prompts, each with its answer."""
        self._texts = list(texts)
        self._truth = truth
        self._chooser = random.Random(seed)

    def propose(self, sequences: Seq[Sequence], lengths: Seq[int]) -> list[Draft]:
        drafts = (self._continue(each.token_ids)[:length] for each, length in zip(sequences, lengths, strict=True))
        return [Draft(tokens, [self.name] * len(tokens)) for tokens in drafts]

    def count_unread(self, sequence: Sequence) -> int:
        return 0

    def _continue(self, text: list[int]) -> list[int]:
        known = next((known for known in self._texts if known[: len(text)] == text), text)
        return [
            token if self._chooser.random() < self._truth else self._chooser.randrange(VOCAB)
            for token in known[len(text) :]
        ]


def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let engines draft as much as they may, from all sources by turns, and take what is certain: whatever it costs,
    how long masks take, and how little of it was right."""
    turns = count()

    def order(self: Race) -> list[int]:
        sources = list(range(1, len(self._taken)))
        turn = next(turns) % max(len(sources), 1)
        return [*sources[turn:], *sources[:turn], 0]

    monkeypatch.setattr("gateway.engine.masks.WORTH_A_THREAD", math.inf)
    monkeypatch.setattr("gateway.engine.scheduling.step_cost.StepCost.line", (1.0, 0.0))
    monkeypatch.setattr("gateway.engine.speculation.speculator.READ_AHEAD", math.inf)
    monkeypatch.setattr(Race, "order", order)


def run_checked(
    engine: Engine,
    requests: list[GenerationRequest],
    others: Iterable[int] = (),
    cancelled: Mapping[int, int] | None = None,
) -> dict[str, list[TokenEvent]]:
    """Run to the end, checking the engine's invariants after every step; the events of each request.

    Args:
        others: Numbers of requests that are in the engine already.
        cancelled: By number of step, which request is cancelled before it.
    """
    events: dict[str, list[TokenEvent]] = {request.request_id: [] for request in requests}
    events |= {str(number): [] for number in others}
    for request in requests:
        engine.add(request)
    for step in count():
        engine.cancel(str((cancelled or {}).get(step)))
        if not engine.has_work:
            break
        for event in engine.step():
            events[event.request_id].append(event)
        engine.check_integrity()
    stats = engine.stats()
    assert stats.num_free_blocks == stats.num_blocks
    return events


def tokens_of(events: list[TokenEvent]) -> list[int]:
    """The answer that these events make."""
    return [token for event in events for token in event.token_ids]


def random_prompts(seed: int, lengths: list[int]) -> list[list[int]]:
    """Random prompts of these lengths, without special tokens."""
    chooser = random.Random(seed)
    return [[chooser.randrange(2, VOCAB) for _ in range(length)] for length in lengths]
