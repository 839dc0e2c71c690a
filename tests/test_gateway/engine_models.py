"""Tiny random models, one per architecture, and the stock answers to compare with."""

from __future__ import annotations

from typing import Any

import torch
from transformers import AutoModelForCausalLM, Gemma3TextConfig, GPT2Config, LlamaConfig, MistralConfig, Qwen3Config

VOCAB = 160
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
    "qwen3": lambda: Qwen3Config(**SHAPE),
    "mistral": lambda: MistralConfig(**SHAPE, sliding_window=12),
    "gemma3": lambda: Gemma3TextConfig(
        **(SHAPE | {"num_hidden_layers": 3}),
        sliding_window=12,
        layer_types=["sliding_attention", "full_attention", "sliding_attention"],
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


def make_model(name: str, seed: int = 0) -> Any:
    """A fresh model of this kind; the same seed gives the same weights."""
    torch.manual_seed(seed)
    return AutoModelForCausalLM.from_config(CONFIGS[name](), attn_implementation="sdpa").float().eval()


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
