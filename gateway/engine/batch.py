"""A step as tensors: one ragged row of tokens and where their key/values live."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gateway.engine.config import EngineConfig
from gateway.engine.scheduler import Plan
from gateway.engine.sequence import Sequence

SLACK_BLOCKS = 4
"""Kept rows are a multiple of this many blocks long, so that they need not be gathered anew for every block."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Rows `start:stop` of the step: consecutive tokens of one sequence.

    Attributes:
        context: Tokens of the sequence before the chunk.
        blocks: Its block table. Shapes: [n].
    """

    start: int
    stop: int
    context: int
    blocks: Tensor


@dataclass(frozen=True, slots=True)
class Reads:
    """Where the decode rows find the keys and values of their sequences.

    Gathering pages costs as much as a seventh of a step, and from one step to the next only one token a row is new. So
    the gathered rows are kept, in every layer, and appended to while the same sequences decode:

        gather   blocks given, slots None    read all pages into rows of `capacity` slots
        append   blocks None, slots given    write the new token of each row; the rest is there already

    Attributes:
        length: Slots that each row looks at, padding included.
        capacity: Slots that each kept row has; 0: too large to be kept, gathered anew in every step.
        blocks: Block tables padded to the same length. Shapes: [rows * n].
        slots: Where the new tokens go among the kept rows. Shapes: [rows].
    """

    length: int
    capacity: int
    blocks: Tensor | None
    slots: Tensor | None


@dataclass(slots=True)
class Batch:
    """What a forward pass needs to know.

        rows   0 ......... num_decodes ................................ T
               | one token each |  chunk 0  |  chunk 1  | ...           |

    Attributes:
        input_ids: Shapes: [T].
        positions: Of each token in its own sequence. Shapes: [T].
        slots: Where its key/value goes. Shapes: [T].
        keep: Rows whose logits are wanted; None: every row. First one for each sampled sequence, then those of
            prompts whose log-probabilities are wanted. Shapes: [n].
        num_decodes: Rows of one token each at the front.
        reads: What those rows read; None if there are none.
        chunks: The rows after them.
        masks: Additive attention masks of this step, shared by its layers.
    """

    input_ids: Tensor
    positions: Tensor
    slots: Tensor
    keep: Tensor | None
    num_decodes: int
    reads: Reads | None
    chunks: list[Chunk]
    masks: dict[tuple[int, int | None], Tensor | None] = field(default_factory=dict)


class BatchBuilder:
    """Turns plans into batches, with buffers that live as long as the engine."""

    def __init__(self, config: EngineConfig, device: torch.device, max_kept_slots: int) -> None:
        """Args: max_kept_slots: How many slots of gathered rows the caches may keep."""
        self._block_size = config.block_size
        self._device = device
        self._max_kept_slots = max_kept_slots
        self._host = torch.zeros((3, config.max_batch_tokens), dtype=torch.int64)
        self._rows = self._host.numpy()
        self._kept: Seq[Sequence] = []
        self._kept_positions: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._capacity = 0

    def build(self, plan: Plan) -> Batch:
        """The tensors of a step. They are valid until the next call."""
        stop = num_decodes = len(plan.decodes)
        reads = self._fill_decodes(plan.decodes) if num_decodes else None
        chunks: list[Chunk] = []
        keep = list(range(num_decodes))
        scored_from: dict[Sequence, int] = {}
        for sequence, tokens in plan.chunks:
            start, stop = stop, stop + tokens
            self._fill_chunk(sequence, start, stop)
            used = -(-(sequence.num_computed + tokens) // self._block_size)
            blocks = torch.tensor(sequence.block_table[:used], device=self._device)
            chunks.append(Chunk(start, stop, sequence.num_computed, blocks))
            if tokens == sequence.num_pending:
                keep.append(stop - 1)
            if sequence.is_scoring:
                scored_from[sequence] = start + sequence.num_scored - sequence.num_computed
        for sequence, tokens in plan.scored:
            keep += range(scored_from[sequence], scored_from[sequence] + tokens)
        rows = self._host[:, :stop].to(self._device)
        return Batch(
            input_ids=rows[0],
            positions=rows[1],
            slots=rows[2],
            keep=torch.tensor(keep, dtype=torch.int64, device=self._device) if chunks else None,
            num_decodes=num_decodes,
            reads=reads,
            chunks=chunks,
        )

    def _fill_decodes(self, decodes: Seq[Sequence]) -> Reads:
        ids, positions, slots = self._rows[:, : len(decodes)]
        size = self._block_size
        ids[:] = [sequence.token_ids[-1] for sequence in decodes]
        positions[:] = [sequence.num_computed for sequence in decodes]
        # A sequence's newest token is always in the last block of its table.
        slots[:] = [sequence.block_table[-1] for sequence in decodes]
        slots *= size
        slots += positions % size
        return self._reads(decodes, positions)

    def _reads(self, decodes: Seq[Sequence], positions: NDArray[np.int64]) -> Reads:
        length = (int(positions.max()) // self._block_size + 1) * self._block_size
        # Kept rows may be appended to iff each holds the same sequence, exactly one token shorter.
        if length <= self._capacity and decodes == self._kept and bool((positions == self._kept_positions + 1).all()):
            self._kept_positions += 1
            into = np.arange(len(decodes)) * self._capacity + positions
            return Reads(length, self._capacity, None, torch.from_numpy(into).to(self._device))
        step = self._block_size * SLACK_BLOCKS
        capacity = -(-length // step) * step
        is_kept = capacity * len(decodes) <= self._max_kept_slots
        self._kept, self._kept_positions = list(decodes), positions.copy()
        self._capacity = capacity if is_kept else 0
        blocks = self._padded_tables(decodes, (capacity if is_kept else length) // self._block_size)
        return Reads(length, self._capacity, blocks, None)

    def _padded_tables(self, decodes: Seq[Sequence], width: int) -> Tensor:
        """Padding repeats a block of the same sequence: the mask hides it, and nothing foreign is ever read."""
        table = np.empty((len(decodes), width), dtype=np.int64)
        for row, sequence in zip(table, decodes, strict=True):
            blocks = sequence.block_table
            row[: len(blocks)] = blocks
            row[len(blocks) :] = blocks[0]
        return torch.from_numpy(table.reshape(-1)).to(self._device)

    def _fill_chunk(self, sequence: Sequence, start: int, stop: int) -> None:
        ids, positions, slots = self._rows[:, start:stop]
        first = sequence.num_computed
        ids[:] = sequence.token_ids[first : first + stop - start]
        positions[:] = np.arange(first, first + stop - start)
        table = np.asarray(sequence.block_table, dtype=np.int64)
        slots[:] = table[positions // self._block_size] * self._block_size + positions % self._block_size
