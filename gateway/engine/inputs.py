"""A step as tensors: one ragged row of tokens and where their key/values live, and its way to the device."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gateway.engine.attention.base import AttentionBackend, Layout, slots_of, spread
from gateway.engine.config import EngineConfig
from gateway.engine.rows import Indices, ranges
from gateway.engine.scheduling.plan import Plan
from gateway.engine.sequence import Sequence

NONE: Indices = np.zeros(0, dtype=np.int64)


def bits(tensor: Tensor) -> NDArray[Any]:
    """Return the memory of a contiguous tensor as kernels take it: float32 as it is, bfloat16 as uint16."""
    return tensor.view(torch.uint16).numpy() if tensor.dtype == torch.bfloat16 else tensor.numpy()


def bits_of(*tensors: Tensor) -> list[NDArray[Any]]:
    """Return the `bits` of each tensor."""
    return [bits(tensor) for tensor in tensors]


class Staging:
    """Preallocated buffer that is filled on the host and copied to the device at once.

    On a CPU the buffer itself is used. On CUDA it is pinned, so the copy is asynchronous; filling it again waits for
    the previous copy.
    """

    def __init__(self, device: torch.device, dtype: torch.dtype, capacity: int, *, is_aside: bool = False) -> None:
        """Args: is_aside: On CUDA, copy on a second stream, for callers that have read what was sent before."""
        self._device = device
        self._stream = torch.cuda.Stream(device) if is_aside and device.type == "cuda" else None  # type: ignore[no-untyped-call]
        self._dtype = dtype
        self._copied: torch.cuda.Event | None = None
        self._allocate(capacity)

    @property
    def device(self) -> torch.device:
        """Target of the copies."""
        return self._device

    def stage(self, *arrays: NDArray[np.integer[Any]]) -> tuple[Tensor, ...]:
        """These arrays on the device, flattened; valid until the next call."""
        sizes = [array.size for array in arrays]
        total = sum(sizes)
        if self._copied is not None:
            self._copied.synchronize()
        if total > len(self._host):
            self._allocate(max(total, 2 * len(self._host)))
        first = 0
        for array in arrays:
            self._numbers[first : first + array.size].reshape(array.shape)[...] = array
            first += array.size
        if self._device.type == "cuda":
            reading = torch.cuda.current_stream(self._device)
            writing = self._stream or reading
            with torch.cuda.stream(writing):
                self._there[:total].copy_(self._host[:total], non_blocking=True)
            self._copied = writing.record_event()
            reading.wait_event(self._copied)
        elif self._there is not self._host:
            self._there[:total].copy_(self._host[:total])
        return torch.split(self._there[:total], sizes)

    def _allocate(self, capacity: int) -> None:
        self._host = torch.zeros(capacity, dtype=self._dtype, pin_memory=self._device.type == "cuda")
        self._numbers: NDArray[Any] = self._host.numpy()
        is_here = self._device.type == "cpu"
        self._there = self._host if is_here else torch.zeros(capacity, dtype=self._dtype, device=self._device)
        if self._stream is not None:  # memory that other kernels may use until they end
            self._stream.wait_stream(torch.cuda.current_stream(self._device))


class Copied:
    """Numbers of a device on their way to the host. What the device is given to do after this does not delay them.

    Attributes:
        there: The numbers on the device.
    """

    def __init__(self, there: Tensor) -> None:
        self.there = there
        self._event: torch.cuda.Event | None = None
        self._here = there
        if there.is_cuda:
            self._here = torch.empty(there.shape, dtype=there.dtype, pin_memory=True)
            self._here.copy_(there, non_blocking=True)
            self._event = torch.cuda.current_stream(there.device).record_event()

    def wait(self) -> list[Any]:
        """The numbers, once they are here."""
        if self._event is not None:
            self._event.synchronize()
        numbers: list[Any] = self._here.tolist()
        return numbers


class RowAdapters(Protocol):
    """Adapters of the rows of a step; see `adapters`."""

    def begin(self, slots: Indices, there: Tensor) -> None:
        """Begin a step. Args: slots: Of each row; there: The same on the device. Shapes: [rows]; [0] without any."""

    def keep(self, rows: Tensor) -> None:
        """Go on with some rows of the step. Shapes: [kept rows]."""


@dataclass(slots=True)  # made once a step: frozen classes take longer
class Batch:
    """Arguments of a forward pass.

        rows   0 ......... num_decode_rows ............................ T
               | a | b b b | c | ...  |  chunk 0  |  chunk 1  | ...     |

    The last chunk of a prompt may have a draft too, after its tokens.

    Attributes:
        input_ids: Shapes: [T].
        positions: Of each token in its own sequence. Shapes: [T].
        slot_mapping: Where its key/value goes. Shapes: [T].
        logits_indices: Rows whose logits are wanted; None: every row. First those of each sampled sequence: its last
            pending token and its draft; then those of prompts whose log-probabilities are wanted; then `num_states`
            rows whose states are wanted instead. Shapes: [n].
        attention: How its rows look back; it knows of the step.
        layout: Which rows are whose.
        sequences: Whose they are, in the order of the layout.
        adapters: Adapters of its rows; they know of the step. None: no row has one.
        states: The states of these last rows, once they are computed; None without any. Shapes: [num_states, size].
    """

    input_ids: Tensor
    positions: Tensor
    slot_mapping: Tensor
    logits_indices: Tensor | None
    attention: AttentionBackend
    layout: Layout
    sequences: Seq[Sequence]
    adapters: RowAdapters | None = None
    num_states: int = 0
    states: Tensor | None = None

    def without_states(self, x: Tensor) -> Tensor:
        """Return the rows whose logits are wanted, of the states of all wanted rows; the others are kept in `states`.

        Shapes: x [n, size].
        """
        if not self.num_states:
            return x
        self.states = x[-self.num_states :]
        return x[: -self.num_states]


@dataclass(frozen=True, slots=True)
class Ahead:
    """The tokens of a step that follows one whose tokens are on the device alone.

    Attributes:
        token_ids: What the step before brought. Shapes: [any].
        rows: Of each sequence of the plan, which of them is its own.
    """

    token_ids: Tensor
    rows: list[int]


class BatchBuilder:
    """Turns plans into batches, with buffers that live as long as the engine."""

    def __init__(
        self,
        config: EngineConfig,
        device: torch.device,
        attention: AttentionBackend,
        adapters: RowAdapters | None = None,
    ) -> None:
        self.attention = attention
        self._adapters = adapters
        self._block_size = config.block_size
        self._staging = Staging(device, torch.int64, 4 * config.max_batch_tokens)
        self._tables = _Tables(config.max_num_seqs)

    def build(self, plan: Plan, ahead: Ahead | None = None) -> Batch:
        """The tensors of a step. They are valid until the next call.

        Args:
            ahead: The tokens of the step, where the one before is not recorded yet.
        """
        sequences, size = plan.sequences, self._block_size
        spans = _Spans(plan, sequences, num_ahead=int(ahead is not None))
        logits_indices = _logits_indices(plan, spans) if ahead is None else np.array(ahead.rows)
        num_decodes, positions = len(plan.decode), spans.positions
        tables = self._tables.fill(sequences, -(-int((spans.firsts + spans.counts).max()) // size))
        slots = slots_of(tables, spans.owners, positions, size)
        adapted, staged = NONE, [np.array(_token_ids(plan, spans)), positions, slots, logits_indices]
        if self._adapters is not None:
            if any(sequence.adapter >= 0 for sequence in sequences):
                adapted = np.array([sequence.adapter for sequence in sequences])[spans.owners]
            staged.append(adapted)
        sent = self._staging.stage(*staged)
        if ahead is not None:
            sent[0].copy_(ahead.token_ids.index_select(0, sent[3]))
        prompt_lengths = NONE
        if self.attention.reads_prompt_lengths:
            prompt_lengths = np.array([sequence.num_prompt_tokens for sequence in sequences])
        layout = Layout(
            num_decodes=num_decodes,
            starts=spans.starts,
            counts=spans.counts,
            contexts=spans.firsts,
            owners=spans.owners,
            tables=tables,
            block_size=size,
            host_positions=positions,
            positions=sent[1],
            prompt_lengths=prompt_lengths,
        )
        self.attention.begin(layout)
        if self._adapters is not None:
            self._adapters.begin(adapted, sent[4])
        return Batch(
            input_ids=sent[0],
            positions=sent[1],
            slot_mapping=sent[2],
            logits_indices=None if len(spans.owners) == num_decodes else sent[3],
            attention=self.attention,
            layout=layout,
            sequences=sequences,
            adapters=self._adapters if adapted.size else None,
            num_states=sum(len(tokens) for _, tokens in plan.pooled) if plan.chunks else 0,
        )


class _Spans:
    """Rows of each sequence: decoding ones first, then chunks.

    rows   | starts ... pending_stops ... stops |
           | pending    |   draft               |
    """

    def __init__(self, plan: Plan, sequences: Seq[Sequence], *, num_ahead: int) -> None:
        """Args: num_ahead: Tokens of each sequence that are not recorded yet."""
        computed = [sequence.num_computed + num_ahead for sequence in sequences]
        pending = [sequence.num_pending for sequence in plan.decode] + [tokens for _, tokens in plan.chunks]
        self.firsts: Indices = np.array(computed, dtype=np.int64)  # positions
        self.counts: Indices = np.array(pending, dtype=np.int64)
        self.pending_stops = self.counts.copy()
        if plan.drafts:
            self.counts += [len(plan.drafts.get(sequence, ())) for sequence in sequences]
        self.starts, self.owners, self.positions = spread(self.firsts, self.counts)
        self.pending_stops += self.starts


def _token_ids(plan: Plan, spans: _Spans) -> list[int]:
    """Return the token of each row. Shapes: [rows]."""
    if len(spans.owners) == len(plan.decode):
        return [sequence.token_ids[-1] for sequence in plan.decode]
    ids: list[int] = []
    for sequence, tokens in [*((each, each.num_pending) for each in plan.decode), *plan.chunks]:
        first = sequence.num_computed
        ids += sequence.token_ids[first : first + tokens]
        ids += plan.drafts.get(sequence, ())
    return ids


def _logits_indices(plan: Plan, spans: _Spans) -> Indices:
    """See `Batch.logits_indices`; empty where every row is."""
    if len(spans.owners) == len(plan.decode):
        return NONE
    num_decodes = len(plan.decode)
    read = [number for number, (each, tokens) in enumerate(plan.chunks, num_decodes) if tokens == each.num_pending]
    sampled = [*range(num_decodes), *read]
    stops = spans.starts + spans.counts
    kept = [ranges(spans.pending_stops[sampled] - 1, (stops - spans.pending_stops)[sampled] + 1)]
    starts = {sequence: int(spans.starts[number]) for number, (sequence, _) in enumerate(plan.chunks, num_decodes)}
    for sequence, tokens in plan.scored:
        first = starts[sequence] + sequence.num_scored - sequence.num_computed
        kept.append(np.arange(first, first + tokens))
    for sequence, wanted in plan.pooled:
        kept.append(np.array(wanted) + starts[sequence] - sequence.num_computed)
    return np.concatenate(kept)


class _Tables:
    """The block tables of a step as one array. A row is written where the sequence in it, or its table, has changed."""

    def __init__(self, rows: int) -> None:
        self._allocate(rows, 64)

    def fill(self, sequences: Seq[Sequence], width: int) -> NDArray[np.int32]:
        """See `Layout.tables`. Shapes: [sequences, at least `width`]."""
        rows, capacity = self._array.shape
        if len(sequences) > rows or width > capacity:
            self._allocate(max(rows, len(sequences)), max(capacity, 2 * width))
        for number, sequence in enumerate(sequences):
            if sequence.block_table != self._written[number]:
                self._write(number, sequence.block_table)
        return self._array[: len(sequences)]

    def _allocate(self, rows: int, capacity: int) -> None:
        self._array = np.zeros((rows, capacity), dtype=np.int32)
        self._written: list[list[int]] = [[] for _ in range(rows)]

    def _write(self, number: int, table: list[int]) -> None:
        row = self._array[number]
        used = table[: len(row)]  # it may hold more, for drafts that were longer
        row[: len(used)] = used
        row[len(used) :] = table[0]
        self._written[number] = list(table)
