"""What the engine needs from a model."""

from __future__ import annotations

from typing import Protocol

import torch
from torch import Tensor

from gateway.engine.batch import Batch
from gateway.engine.kv_cache import KvCache
from gateway.engine.models.rope import RopeByLength


class Decoder(Protocol):
    """A causal language model over a ragged row.

    Attributes:
        vocab_size: Width of the logits; may exceed the tokenizer's vocabulary.
        max_positions: Longest sequence the model was made for.
        eos_token_ids: From the model's own configuration.
        rope: How keys depend on the length of their text; None: they do not.
    """

    vocab_size: int
    max_positions: int
    eos_token_ids: tuple[int, ...]
    device: torch.device
    rope: RopeByLength | None

    def forward(self, batch: Batch, cache: KvCache) -> Tensor:
        """Compute a step: keys and values go to the cache, logits of the wanted rows come back.

        Shapes: [wanted rows, vocab_size], float32. The caller may write into it.
        """
