"""Rotations that depend on how long a text is: of each row by its own text, not by the longest of the row.

longrope   one table for texts up to the original length, another for longer ones: a text that outgrows it is read
           anew, as every key of it turns otherwise
dynamic    beyond the original length frequencies follow the length; a key keeps those of the time when it was made
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from gateway.engine.attention.layout import Numbers
from gateway.engine.batch import Batch
from gateway.engine.errors import UnsupportedModelError
from gateway.engine.models.context import step_or_none
from gateway.engine.sequence import Sequence

LONGROPE, DYNAMIC = "longrope", "dynamic"
BY_LENGTH = (LONGROPE, DYNAMIC)
LONG = "\0long"
"""Salt of texts that turn by the second table; no client's ends so."""


@dataclass(frozen=True, slots=True)
class RopeByLength:
    """How the keys of a text depend on its length.

    Attributes:
        length: The original one.
    """

    kind: str
    length: int

    def salt(self, num_prompt_tokens: int) -> str:
        """What tells keys of a prompt from those of equal tokens that were turned otherwise."""
        if num_prompt_tokens <= self.length:
            return ""
        return LONG if self.kind == LONGROPE else f"\0{num_prompt_tokens}"

    def has_outgrown(self, sequence: Sequence) -> bool:
        """Whether the text is longer than what its keys were made for: it is to be restarted, with the salt `LONG`."""
        return self.kind == LONGROPE and len(sequence.token_ids) > self.length and not sequence.salt.endswith(LONG)

    def room(self, sequence: Sequence) -> int:
        """How many tokens may be drafted: none behind the length at which the text is restarted."""
        is_short = self.kind == LONGROPE and len(sequence.token_ids) <= self.length
        return self.length - len(sequence.token_ids) if is_short else self.length


def original_length(config: Any, kind: str) -> int:
    """Up to so many tokens a text is turned in one way."""
    parameters = config.rope_parameters
    length: int = parameters["original_max_position_embeddings"] if kind == LONGROPE else config.max_position_embeddings
    return length


class RowRotary(nn.Module):
    """Stands where a model turns positions into angles. Outside of a step it is what it stands for."""

    def __init__(self, original: Any, rope: RopeByLength) -> None:
        super().__init__()
        self.original = original
        self._kind, self._length = rope.kind, rope.length

    def forward(self, x: Tensor, position_ids: Tensor) -> tuple[Tensor, Tensor]:
        """Cosines and sines. Shapes: position_ids [1, T]; returns [1, T, size] each."""
        step = step_or_none()
        if step is None:
            cos, sin = self.original(x, position_ids)
            return cos, sin
        lengths = self._lengths(step.batch)
        parts: list[tuple[Tensor, Tensor, Tensor]] = []
        for length in np.unique(lengths).tolist():
            rows = torch.from_numpy(np.flatnonzero(lengths == length)).to(x.device)
            parts.append((rows, *self._angles(x, position_ids[:, rows], length)))
        order = torch.cat([rows for rows, _, _ in parts]).argsort()
        cos, sin = (torch.cat(halves, dim=1)[:, order] for halves in list(zip(*parts, strict=True))[1:])
        return cos, sin

    def _lengths(self, batch: Batch) -> Numbers:
        """Of each row the length of text that it is turned for; those that make no difference are the same."""
        sequences, owners = batch.sequences, batch.layout.owners
        if self._kind == LONGROPE:
            own = np.array([len(sequence.token_ids) for sequence in sequences])[owners]
            return np.where(own > self._length, self._length + 1, self._length)
        prompts: NDArray[np.int64] = np.array([sequence.num_prompt_tokens for sequence in sequences])[owners]
        return np.maximum(np.maximum(prompts, batch.layout.host_positions + 1), self._length)

    def _angles(self, x: Tensor, positions: Tensor, length: int) -> tuple[Tensor, Tensor]:
        """As if a text of this length were alone: the last of its positions goes along, and decides."""
        original = self.original
        if self._kind == DYNAMIC:  # it remembers the longest that it has seen
            original.inv_freq = original.original_inv_freq.to(x.device)
            original.max_seq_len_cached = original.original_max_seq_len
        last = positions.new_tensor([[length - 1]])
        cos, sin = original(x, torch.cat((positions, last), dim=1))
        return cos[:, :-1], sin[:, :-1]


def install_row_rotary(model: Any, max_model_len: int) -> RopeByLength | None:
    """Exchange what looks at the whole row; None where nothing does.

    Raises:
        UnsupportedModelError: It does so in a way of its own.
    """
    config = model.config.get_text_config()
    kind = (getattr(config, "rope_parameters", None) or {}).get("rope_type")
    if kind not in BY_LENGTH or max_model_len <= original_length(config, kind):
        return None
    rope = RopeByLength(kind, original_length(config, kind))
    decoder = model.get_decoder()
    found = [
        (parent, name, child)
        for parent in decoder.modules()
        for name, child in parent.named_children()
        if getattr(child, "rope_type", None) == kind and not isinstance(parent, RowRotary)
    ]
    if not found:
        raise UnsupportedModelError(f"{type(model).__name__} turns positions by {kind} in a way of its own")
    for parent, name, child in found:
        setattr(parent, name, RowRotary(child, rope))
    return rope
