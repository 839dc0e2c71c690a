"""What the files of a model say about it, wherever its class keeps it."""

from __future__ import annotations

from typing import Any

UNBOUNDED = 1 << 17
"""Tokens of a text for a model that sets no limit: recurrent ones, and those with biases for positions."""


def max_positions(model: Any) -> int:
    """The longest text that it was made for."""
    config = model.config.get_text_config()
    for name in ("max_position_embeddings", "n_positions", "max_seq_len"):
        longest = getattr(config, name, None)
        if isinstance(longest, int) and longest > 0:
            return longest
    return UNBOUNDED


def furthest_position(model: Any) -> int:
    """The longest text that it can be asked for: dynamic RoPE stretches what it was made for."""
    rope = getattr(model.config.get_text_config(), "rope_parameters", None) or {}
    return int(max_positions(model) * (rope["factor"] if rope.get("rope_type") == "dynamic" else 1))


def vocab_size(model: Any) -> int:
    """The width of its logits."""
    head = model.get_output_embeddings()
    weight = getattr(head, "weight", None)
    size: int = model.config.get_text_config().vocab_size if weight is None else weight.shape[0]
    return size


def eos_token_ids(model: Any) -> tuple[int, ...]:
    """The end-of-sequence ids that it names."""
    generation = getattr(model, "generation_config", None)
    for source in (generation, model.config, model.config.get_text_config()):
        ids = getattr(source, "eos_token_id", None)
        if ids is not None:
            return (ids,) if isinstance(ids, int) else tuple(ids)
    return ()
