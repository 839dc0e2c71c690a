"""Any causal model class of transformers, unmodified, on our pages."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from gateway.engine.batch import Batch
from gateway.engine.errors import UnsupportedModelError
from gateway.engine.kv_cache import KvCache
from gateway.engine.models.context import Step, computing, current_step
from gateway.engine.models.facts import eos_token_ids, max_positions, vocab_size
from gateway.engine.models.rope import install_row_rotary

ATTENTION = "portcullis_paged"

# Arguments that say nothing about the arithmetic of attention here: positions are in the rotated keys already, masks
# are ours, caches are ours.
HARMLESS = frozenset({"position_ids", "cache_position", "use_cache", "output_router_logits", "is_causal"})


def paged_attention(
    module: Any,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    *,
    scaling: float | None = None,
    dropout: float = 0.0,
    sliding_window: int | None = None,
    softcap: float | None = None,
    s_aux: Tensor | None = None,
    **kwargs: Any,
) -> tuple[Tensor, None]:
    """What transformers calls in place of its own attention.

    Shapes: query [1, heads, T, size], key and value [1, kv_heads, T, size]; returns [1, T, heads, value size].

    Raises:
        UnsupportedModelError: An argument asks for something that this function does not do.
    """
    unknown = sorted(name for name, given in kwargs.items() if given is not None and name not in HARMLESS)
    if unknown:
        raise UnsupportedModelError(f"{type(module).__name__} passes {unknown} to attention, which is not implemented")
    if attention_mask is not None or dropout or kwargs.get("is_causal") is False:
        raise UnsupportedModelError(
            f"{type(module).__name__} asks for a mask of its own, dropout or non-causal attention"
        )
    step = current_step()
    cache = step.cache.layer(module.layer_idx)
    rows, keys, values = query[0].transpose(0, 1), key[0].transpose(0, 1), value[0].transpose(0, 1)
    cache.write(step.batch.slot_mapping, keys, values)
    out = step.batch.attention.attend(
        rows.contiguous(),
        keys,
        values,
        cache,
        scale=query.shape[-1] ** -0.5 if scaling is None else scaling,
        window=sliding_window,
        softcap=softcap,
        sinks=None if s_aux is None else s_aux.detach(),
    )
    return out[None], None


def set_attention(model: Any, name: str) -> None:
    """Have a model of transformers attend by the function of this name.

    Raises:
        UnsupportedModelError: It attends in a way of its own.
    """
    if hasattr(model, "set_attn_implementation"):  # the plain Llama is not one of them
        try:
            if model._can_set_attn_implementation():
                model.set_attn_implementation(name)
        except ValueError as error:
            raise UnsupportedModelError(f"{type(model).__name__} has no exchangeable attention: {error}") from error
        if attention_of(model) != name:
            raise UnsupportedModelError(f"{type(model).__name__} has no exchangeable attention")


def attention_of(model: Any) -> str:
    """The name of the function by which the text part of a model attends."""
    name: str = model.config.get_text_config()._attn_implementation
    return name


class TransformersDecoder:
    """A `PreTrainedModel` as a `Decoder`: the slow and broad of the two paths."""

    def __init__(self, model: Any, max_model_len: int) -> None:
        from transformers import AttentionInterface

        AttentionInterface.register(ATTENTION, paged_attention)
        set_attention(model, ATTENTION)
        self.rope = install_row_rotary(model, max_model_len)
        self.model = model
        self.vocab_size = vocab_size(model)
        self.max_positions = max(max_positions(model), max_model_len)
        self.eos_token_ids = eos_token_ids(model)
        self.device: torch.device = model.device

    def forward(self, batch: Batch, cache: KvCache) -> Tensor:
        """See `Decoder.forward`."""
        with computing(Step(batch, cache)):
            output = self.model(
                input_ids=batch.input_ids[None],
                position_ids=batch.positions[None],
                use_cache=False,
                logits_to_keep=0 if batch.logits_indices is None else batch.logits_indices,
            )
        logits: Tensor = output.logits[0]
        return logits.float()
