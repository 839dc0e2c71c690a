"""Models that cannot share a ragged row (recurrent, hybrid, with special attention): each text is computed separately.

Every text has the memory that transformers' `generate` would give it, and is computed by the same calls: its prompt in
one piece, then token by token. Scheduling, masks, warpers, draws and stops are those of other models.

    chunks of a prompt   | not computed | not computed | the whole prompt at once |   its logits are wanted only then
    decode                                                                        | one token | one token | ...

A memory cannot be cut, copied or taken back: no prefix is shared, nothing is drafted. What does not continue it, after
a preemption or for a sibling of a group, is recomputed.
"""

from __future__ import annotations

import inspect
from typing import Any

import torch
from torch import Tensor

from gateway.engine.attention.base import AttentionNeeds
from gateway.engine.inputs import Batch
from gateway.engine.kv_cache import KvCache
from gateway.engine.models.base import Decoder
from gateway.engine.sequence import Sequence

MEASURED_TOKENS = 64


class UnbatchedDecoder(Decoder):
    """A `PreTrainedModel` that can generate."""

    can_pool = False

    def __init__(self, model: Any) -> None:
        super().__init__(model)
        self.model = model

    def forward(self, batch: Batch, cache: KvCache) -> Tensor:
        """See `Decoder.forward`; the cache is left alone."""
        layout = batch.layout
        ids = batch.input_ids.tolist()
        wanted = range(len(ids)) if batch.logits_indices is None else batch.logits_indices.tolist()
        owners = [int(layout.owners[row]) for row in wanted]
        computed: dict[int, Tensor] = {}
        for number, sequence in enumerate(batch.sequences):
            start, count = int(layout.starts[number]), int(layout.counts[number])
            if number in owners:
                own = ids[start : start + count]
                computed[number] = self._compute(sequence, int(layout.contexts[number]), own)
            else:
                sequence.memory.pop(Reading, None)
        if not wanted:
            return torch.empty((0, self.vocab_size), device=self.device)
        rows = [computed[owner][row - int(layout.starts[owner])] for row, owner in zip(wanted, owners, strict=True)]
        return torch.stack(rows).float()

    def _compute(self, sequence: Sequence, context: int, ids: list[int]) -> Tensor:
        """Return logits after each of these tokens, which follow `context` others. Shapes: [len(ids), vocab_size]."""
        reading = sequence.memory.get(Reading)
        if reading is not None and reading.num_tokens == context:
            return torch.cat([reading.read([token], 1) for token in ids])
        reading = sequence.memory[Reading] = Reading(self.model)
        logits: Tensor = reading.read(sequence.token_ids[:context] + ids, len(ids))
        return logits

    @torch.inference_mode()
    def measure_needs(self) -> AttentionNeeds:
        """The memory of a token; nothing of attention."""
        sizes = []
        for length in (1, 1 + MEASURED_TOKENS):
            reading = Reading(self.model)
            reading.read([0] * length, 1)
            sizes.append(reading.num_bytes)
        return AttentionNeeds(self.device, (), max((sizes[1] - sizes[0]) // MEASURED_TOKENS, 1))


class Reading:
    """A text and what the model remembers of it."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._ids = torch.empty((1, 0), dtype=torch.int64, device=model.device)
        self._memory: dict[str, Any] = {"use_cache": True}
        self._takes = inspect.signature(model.forward).parameters

    @property
    def num_tokens(self) -> int:
        """Number of tokens that were read."""
        return self._ids.shape[1]

    def read(self, ids: list[int], num_wanted: int) -> Tensor:
        """The logits after the last tokens: of all that there are at first, of a single one later.

        Shapes: [num_wanted, vocab_size].
        """
        is_first = self.num_tokens == 0
        self._ids = torch.cat((self._ids, torch.tensor([ids], device=self._ids.device)), dim=1)
        if "position_ids" in self._takes:  # some count what they remember in a layer that counts nothing
            self._memory["position_ids"] = torch.arange(self.num_tokens, device=self._ids.device)[None]
        inputs = self._model.prepare_inputs_for_generation(
            self._ids, next_sequence_length=None if is_first else 1, is_first_iteration=is_first, **self._memory
        )
        if "logits_to_keep" in self._takes:
            inputs["logits_to_keep"] = num_wanted
        outputs = self._model(**inputs, return_dict=True)
        self._memory = self._model._update_model_kwargs_for_generation(outputs, self._memory)
        logits: Tensor = outputs.logits[0, -num_wanted:]
        return logits

    @property
    def num_bytes(self) -> int:
        """Bytes of the model's state for the text."""
        tensors: dict[int, Tensor] = {}
        _collect({name: part for name, part in self._memory.items() if name != "position_ids"}, tensors, set())
        return sum(tensor.numel() * tensor.element_size() for tensor in tensors.values())


def _collect(found: Any, tensors: dict[int, Tensor], seen: set[int]) -> None:
    """Collect all tensors in nested caches, their layers, lists and dictionaries."""
    if isinstance(found, Tensor):
        tensors[found.data_ptr()] = found
    elif id(found) not in seen:
        seen.add(id(found))
        parts = found.values() if isinstance(found, dict) else found if isinstance(found, list | tuple) else ()
        for part in (*parts, *getattr(found, "__dict__", {}).values()):
            _collect(part, tensors, seen)
