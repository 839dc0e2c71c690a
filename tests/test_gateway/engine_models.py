"""Tiny random models, one per architecture, and the stock answers to compare with."""

from __future__ import annotations

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

from tests.stock_models import sizes, stock_answers

torch.set_num_threads(1)
needs_bfloat16 = pytest.mark.skipif(
    not torch.ops.mkldnn._is_mkldnn_bf16_supported(), reason="oneDNN has no bfloat16 on this CPU"
)

VOCAB = 160
MARKERS = {"eos_token_id": 1, "bos_token_id": 0, "pad_token_id": 0}
SHAPE: dict[str, Any] = {
    "vocab_size": VOCAB,
    **sizes(32, 48, layers=2, heads=4, kv_heads=2),
    "head_dim": 8,
    "max_position_embeddings": 256,
    "initializer_range": 0.2,
    **MARKERS,
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
        **MARKERS,
    ),
    "gpt2": lambda: GPT2Config(
        vocab_size=VOCAB, n_embd=32, n_layer=2, n_head=4, n_positions=256, initializer_range=0.2, **MARKERS
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
    return stock_answers(model, [prompt], max_tokens)[0]


def stock_logits(model: Any, tokens: list[int]) -> torch.Tensor:
    """Logits of the stock model after every token. Shapes: [len(tokens), VOCAB]."""
    with torch.no_grad():
        logits: torch.Tensor = model(torch.tensor([tokens])).logits[0]
    return logits
