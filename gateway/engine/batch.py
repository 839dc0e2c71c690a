"""A step as tensors: one ragged row of tokens and where their key/values live."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import dataclass, field

import numpy as np
import torch
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
    """Where the decoding sequences find their keys and values, and how their rows are laid out for one attention call.

    Gathering pages costs as much as a seventh of a step, and from one step to the next only a few tokens a sequence are
    new. So the gathered pages are kept, in every layer, and written to while the same sequences decode:

        gather   blocks given, slots None    read all pages into `capacity` slots a sequence
        append   blocks None, slots given    write the new tokens of each sequence; the rest is there already

    Slots behind what became text are stale (drafts that were refused): masked off, and overwritten before they count.

    Where sequences have several rows each, attention sees them padded to the same number:

        rows     a a a b c c      padded     a a a      unpadded   0 1 2 3 6 7
                                             b b b
                                             c c c

    Attributes:
        owners: Which sequence each row belongs to. Shapes: [rows].
        length: Slots that each sequence looks at, padding included.
        capacity: Slots that are kept for each; 0: too large to be kept, gathered anew in every step.
        blocks: Block tables padded to the same length. Shapes: [sequences * n].
        slots: Where the new tokens go among the kept ones. Shapes: [rows].
        padded: Which row stands where; None: each sequence has one row. Shapes: [sequences, most rows of one].
        unpadded: Where each row stands. Shapes: [rows].
    """

    owners: Tensor
    length: int
    capacity: int
    blocks: Tensor | None
    slots: Tensor | None
    padded: Tensor | None
    unpadded: Tensor | None


@dataclass(slots=True)
class Batch:
    """What a forward pass needs to know.

        rows   0 ......... num_decode_rows ............................ T
               | a | b b b | c | ...  |  chunk 0  |  chunk 1  | ...     |

    A chunk that is the last of its prompt may bring a draft too, behind its tokens.

    Attributes:
        input_ids: Shapes: [T].
        positions: Of each token in its own sequence. Shapes: [T].
        slots: Where its key/value goes. Shapes: [T].
        keep: Rows whose logits are wanted; None: every row. First one for each sampled sequence; then, position after
            position, those that verify drafts; then those of prompts whose log-probabilities are wanted. Shapes: [n].
        num_decodes: Sequences at the front that decode.
        num_decode_rows: Their rows: the pending tokens of each, and behind them its draft.
        reads: What those rows read; None if there are none.
        chunks: The rows after them.
        masks: Additive attention masks of this step, shared by its layers.
    """

    input_ids: Tensor
    positions: Tensor
    slots: Tensor
    keep: Tensor | None
    num_decodes: int
    num_decode_rows: int
    reads: Reads | None
    chunks: list[Chunk]
    masks: dict[tuple[int | None, ...], Tensor | None] = field(default_factory=dict)


class BatchBuilder:
    """Turns plans into batches, with buffers that live as long as the engine."""

    def __init__(self, config: EngineConfig, device: torch.device, max_kept_slots: int) -> None:
        """Args: max_kept_slots: How many slots of gathered keys and values the caches may keep."""
        self._block_size = config.block_size
        self._device = device
        self._max_kept_slots = max_kept_slots
        self._host = torch.zeros((3, config.max_batch_tokens), dtype=torch.int64)
        self._rows = self._host.numpy()
        self._kept: list[Sequence] = []
        self._capacity = 0

    def forget_kept(self) -> None:
        """Gather anew in the next step: what is kept does not agree with the pages."""
        self._kept = []

    def build(self, plan: Plan) -> Batch:
        """The tensors of a step. They are valid until the next call."""
        decodes = self._fill_decodes(plan)
        stop = num_decode_rows = int(decodes.stops[-1]) if plan.decodes else 0
        reads = self._reads(plan.decodes, decodes) if plan.decodes else None
        chunks: list[Chunk] = []
        for sequence, tokens in plan.chunks:
            draft = plan.drafts.get(sequence, [])
            start, stop = stop, stop + tokens + len(draft)
            self._fill_chunk(sequence, tokens, draft, start)
            used = -(-(sequence.num_computed + stop - start) // self._block_size)
            blocks = torch.tensor(sequence.block_table[:used], device=self._device)
            chunks.append(Chunk(start, stop, sequence.num_computed, blocks))
        is_plain = num_decode_rows == len(plan.decodes) and not chunks
        keep = (
            None
            if is_plain
            else torch.tensor(self._keep(plan, decodes, chunks), dtype=torch.int64, device=self._device)
        )
        rows = self._host[:, :stop].to(self._device)
        return Batch(
            input_ids=rows[0],
            positions=rows[1],
            slots=rows[2],
            keep=keep,
            num_decodes=len(plan.decodes),
            num_decode_rows=num_decode_rows,
            reads=reads,
            chunks=chunks,
        )

    def _keep(self, plan: Plan, decodes: _Spans, chunks: list[Chunk]) -> list[int]:
        """See `Batch.keep`."""
        last = {sequence: row - 1 for sequence, row in zip(plan.decodes, decodes.pending_stops.tolist(), strict=True)}
        for (sequence, tokens), chunk in zip(plan.chunks, chunks, strict=True):
            if tokens == sequence.num_pending:
                last[sequence] = chunk.start + tokens - 1
        keep = list(last.values())
        for position, verified in enumerate(plan.verified, 1):
            keep += [last[sequence] + position for sequence in verified]
        starts = {sequence: chunk.start for (sequence, _), chunk in zip(plan.chunks, chunks, strict=True)}
        for sequence, tokens in plan.scored:
            first = starts[sequence] + sequence.num_scored - sequence.num_computed
            keep += range(first, first + tokens)
        return keep

    def _fill_decodes(self, plan: Plan) -> _Spans:
        spans = _Spans(plan)
        if not plan.decodes:
            self._kept = []
            return spans
        ids, positions, slots = self._rows[:, : spans.stops[-1]]
        size = self._block_size
        if not spans.is_ragged:
            ids[:] = [sequence.token_ids[-1] for sequence in plan.decodes]
            positions[:] = spans.firsts
        else:
            ids[:] = [
                token
                for sequence in plan.decodes
                for token in (*sequence.token_ids[sequence.num_computed :], *plan.drafts.get(sequence, ()))
            ]
            positions[:] = np.arange(len(ids))
            positions += np.repeat(spans.firsts - spans.starts, spans.counts)
        slots[:] = [
            plan.decodes[row].block_table[index]
            for row, index in zip(spans.owners.tolist(), (positions // size).tolist(), strict=True)
        ]
        slots *= size
        slots += positions % size
        return spans

    def _reads(self, decodes: list[Sequence], spans: _Spans) -> Reads:
        positions = self._rows[1, : spans.stops[-1]]
        length = (int(positions.max()) // self._block_size + 1) * self._block_size
        owners = torch.from_numpy(spans.owners).to(self._device)
        padded, unpadded = spans.pad(self._device) if spans.is_ragged else (None, None)
        # What is kept of a sequence reaches to its first row at least, as long as no step passed without it.
        if length <= self._capacity and decodes == self._kept:
            into = spans.owners * self._capacity + positions
            slots = torch.from_numpy(into).to(self._device)
            return Reads(owners, length, self._capacity, None, slots, padded, unpadded)
        step = self._block_size * SLACK_BLOCKS
        capacity = -(-length // step) * step
        is_kept = capacity * len(decodes) <= self._max_kept_slots
        self._kept = list(decodes)
        self._capacity = capacity if is_kept else 0
        blocks = self._padded_tables(decodes, (capacity if is_kept else length) // self._block_size)
        return Reads(owners, length, self._capacity, blocks, None, padded, unpadded)

    def _padded_tables(self, decodes: Seq[Sequence], width: int) -> Tensor:
        """Padding repeats a block of the same sequence: the mask hides it, and nothing foreign is ever read."""
        table = np.empty((len(decodes), width), dtype=np.int64)
        for row, sequence in zip(table, decodes, strict=True):
            blocks = sequence.block_table[:width]  # it may hold more, for drafts that were longer
            row[: len(blocks)] = blocks
            row[len(blocks) :] = blocks[0]
        return torch.from_numpy(table.reshape(-1)).to(self._device)

    def _fill_chunk(self, sequence: Sequence, tokens: int, draft: list[int], start: int) -> None:
        ids, positions, slots = self._rows[:, start : start + tokens + len(draft)]
        first = sequence.num_computed
        ids[:] = [*sequence.token_ids[first : first + tokens], *draft]
        positions[:] = np.arange(first, first + len(ids))
        table = np.asarray(sequence.block_table, dtype=np.int64)
        slots[:] = table[positions // self._block_size] * self._block_size + positions % self._block_size


class _Spans:
    """Which rows are whose, one entry a decoding sequence.

    rows   | starts ... pending_stops ... stops |
           | pending    |   draft               |
    """

    def __init__(self, plan: Plan) -> None:
        pending = np.array([sequence.num_pending for sequence in plan.decodes], dtype=np.int64)
        drafted = np.array([len(plan.drafts.get(sequence, ())) for sequence in plan.decodes], dtype=np.int64)
        self.firsts = np.array([sequence.num_computed for sequence in plan.decodes], dtype=np.int64)  # positions
        self.counts = pending + drafted
        self.stops = self.counts.cumsum()
        self.starts = self.stops - self.counts
        self.owners = np.arange(len(plan.decodes)).repeat(self.counts)  # of each row
        self.pending_stops = self.starts + pending
        self.is_ragged = len(plan.decodes) > 0 and int(self.stops[-1]) > len(plan.decodes)

    def pad(self, device: torch.device) -> tuple[Tensor, Tensor]:
        """See `Reads`. Padding repeats a sequence's last row."""
        width = int(self.counts.max())
        inside = np.arange(width)
        padded = np.minimum(self.starts[:, None] + inside, self.stops[:, None] - 1)
        unpadded = np.flatnonzero((inside < self.counts[:, None]).reshape(-1))
        return torch.from_numpy(padded).to(device), torch.from_numpy(unpadded).to(device)
