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


@dataclass(slots=True)
class Batch:
    """What a forward pass needs to know.

        rows   0 ......... num_decodes ................................ T
               | one token each |  chunk 0  |  chunk 1  | ...           |

    Attributes:
        input_ids: Shapes: [T].
        positions: Of each token in its own sequence. Shapes: [T].
        slots: Where its key/value goes. Shapes: [T].
        keep: Rows whose logits are wanted; None: every row. Shapes: [n].
        num_decodes: Rows of one token each at the front.
        decode_blocks: Their block tables, padded to the longest. Shapes: [num_decodes * n].
        decode_run: The first block if there is one decode row and its blocks are neighbours, else None.
        decode_length: Slots that each decode row looks at, padding included.
        chunks: The rows after them.
        masks: Additive attention masks of this step, shared by its layers.
    """

    input_ids: Tensor
    positions: Tensor
    slots: Tensor
    keep: Tensor | None
    num_decodes: int
    decode_blocks: Tensor
    decode_run: int | None
    decode_length: int
    chunks: list[Chunk]
    masks: dict[tuple[int, int | None], Tensor | None] = field(default_factory=dict)


class BatchBuilder:
    """Turns plans into batches, with buffers that live as long as the engine."""

    def __init__(self, config: EngineConfig, max_model_len: int, device: torch.device) -> None:
        self._block_size = config.block_size
        self._device = device
        tokens = config.max_batch_tokens
        self._host = torch.zeros((3, tokens), dtype=torch.int64, pin_memory=device.type == "cuda")
        self._rows = self._host.numpy()
        blocks = -(-max_model_len // config.block_size)
        self._table_host = torch.zeros(
            config.max_num_seqs * blocks, dtype=torch.int64, pin_memory=device.type == "cuda"
        )
        self._table = self._table_host.numpy()

    def build(self, plan: Plan) -> Batch:
        """The tensors of a step. They are valid until the next call."""
        stop = num_decodes = len(plan.decodes)
        if num_decodes:
            self._fill_decodes(plan.decodes)
        chunks: list[Chunk] = []
        keep = list(range(num_decodes))
        for sequence, tokens in plan.chunks:
            start, stop = stop, stop + tokens
            self._fill_chunk(sequence, start, stop)
            blocks = torch.tensor(self._table_of(sequence, sequence.num_computed + tokens), device=self._device)
            chunks.append(Chunk(start, stop, sequence.num_computed, blocks))
            if tokens == sequence.num_pending:
                keep.append(stop - 1)
        run, length = self._fill_tables(plan.decodes)
        rows = self._host[:, :stop].to(self._device)  # blocking: the buffer is reused
        return Batch(
            input_ids=rows[0],
            positions=rows[1],
            slots=rows[2],
            keep=torch.tensor(keep, dtype=torch.int64, device=self._device) if chunks else None,
            num_decodes=num_decodes,
            decode_blocks=self._table_host[: num_decodes * length // self._block_size].to(self._device),
            decode_run=run,
            decode_length=length,
            chunks=chunks,
        )

    def _fill_decodes(self, decodes: Seq[Sequence]) -> None:
        ids, positions, slots = self._rows[:, : len(decodes)]
        size = self._block_size
        ids[:] = [sequence.token_ids[-1] for sequence in decodes]
        positions[:] = [sequence.num_computed for sequence in decodes]
        # A sequence's newest token is always in the last block of its table.
        slots[:] = [sequence.block_table[-1] for sequence in decodes]
        slots *= size
        slots += positions % size

    def _fill_chunk(self, sequence: Sequence, start: int, stop: int) -> None:
        ids, positions, slots = self._rows[:, start:stop]
        first = sequence.num_computed
        ids[:] = sequence.token_ids[first : first + stop - start]
        positions[:] = np.arange(first, first + stop - start)
        table = np.asarray(sequence.block_table, dtype=np.int64)
        slots[:] = table[positions // self._block_size] * self._block_size + positions % self._block_size

    def _fill_tables(self, decodes: Seq[Sequence]) -> tuple[int | None, int]:
        """Write the padded tables; returns the run, if there is one, and the padded length in slots."""
        if not decodes:
            return None, 0
        width = max(len(sequence.block_table) for sequence in decodes)
        table = self._table[: len(decodes) * width].reshape(len(decodes), width)
        for row, sequence in zip(table, decodes, strict=True):
            blocks = sequence.block_table
            row[: len(blocks)] = blocks
            row[len(blocks) :] = 0  # any block will do: the mask hides it
        first = int(table[0, 0])
        is_run = len(decodes) == 1 and int(table[0, -1]) - first == width - 1 and bool((np.diff(table[0]) == 1).all())
        return (first if is_run else None), width * self._block_size

    def _table_of(self, sequence: Sequence, length: int) -> list[int]:
        return sequence.block_table[: -(-length // self._block_size)]
