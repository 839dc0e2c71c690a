"""Models of transformers: sizes of a configuration, and greedy answers."""

from __future__ import annotations

from typing import Any

import torch


def sizes(hidden: int, inner: int, *, layers: int, heads: int, kv_heads: int) -> dict[str, int]:
    """Sizes of a decoder, under the names that configurations give them."""
    return {
        "hidden_size": hidden,
        "intermediate_size": inner,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": kv_heads,
    }


def stock_answers(model: Any, prompts: list[list[int]], max_tokens: int, **options: Any) -> list[list[int]]:
    """Greedy answers to prompts of equal length; unless `options` say otherwise, the end of sequence is ignored."""
    ids = torch.tensor(prompts, device=model.device)
    options = {"min_new_tokens": max_tokens, "eos_token_id": None, **options}
    with torch.inference_mode():
        out = model.generate(
            ids,
            attention_mask=torch.ones_like(ids),
            max_new_tokens=max_tokens,
            do_sample=False,
            pad_token_id=0,
            **options,
        )
    answers: list[list[int]] = out[:, ids.shape[1] :].tolist()
    return answers
