"""Decode steps as CUDA graphs: what a step starts is recorded once for a number of rows, and started by one call.

A model of a billion parameters starts a hundred and fifty kernels in a step, for which Python takes longer than a GPU.
A graph reads and writes the same memory each time. So a step without prompts is copied into tensors that stay where
they are, and filled up to the next recorded number of rows: with rows that are stored in the last block, which no
text has, and that nothing attends.
Steps with prompts are started kernel by kernel.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from gateway.engine.attention.triton import Form, FrozenTriton, TritonAttention
from gateway.engine.config import EngineConfig
from gateway.engine.inputs import Batch, BatchBuilder
from gateway.engine.kv_cache import KvCache
from gateway.engine.models.base import Decoder
from gateway.engine.models.measure import sample_sequence
from gateway.engine.scheduling.plan import Plan
from gateway.engine.sequence import Sequence

logger = logging.getLogger(__name__)

Call = Callable[[], object]
NUMBERS_OF_ROWS = (1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192)
MOST_ROWS = 256
TOLERANCE = 0.05
"""Of the scores' deviation: products of more rows are rounded otherwise."""
PROVED_BLOCKS = 10
"""Of each text, so that its keys are shared out."""
MOST_DRAFTED = 5


@dataclass(frozen=True, slots=True)
class _Recording:
    """Graph of a step of a fixed number of rows."""

    batch: Batch
    attention: FrozenTriton
    replay: Call


class GraphDecoder(Decoder):
    """A `Decoder` whose steps without prompts are graphs, over one set of pages."""

    def __init__(
        self,
        decoder: Decoder,
        cache: KvCache,
        builder: BatchBuilder,
        config: EngineConfig,
        capture: Callable[[Call], Call],
    ) -> None:
        """Record a step for each number of rows and form of tiles, the largest first: others use its memory.

        Args:
            cache: Its last block is no text's.
            builder: Of the steps to come.
            config: A `fit` one.
            capture: Records what a call starts, and gives what starts it again.
        """
        self.vocab_size, self.max_positions = decoder.vocab_size, decoder.max_positions
        self.eos_token_ids, self.device, self.rope = decoder.eos_token_ids, decoder.device, decoder.rope
        self._decoder, self._cache, self.can_pool = decoder, cache, decoder.can_pool
        self.is_turned_by_grid = decoder.is_turned_by_grid
        self._nowhere = (cache.num_blocks - 1) * cache.block_size
        blocks = -(-min(config.max_model_len or decoder.max_positions, decoder.max_positions) // config.block_size)
        most = min(config.max_num_seqs * (1 + (config.max_draft_tokens if config.sources else 0)), MOST_ROWS)
        numbers = [*(rows for rows in NUMBERS_OF_ROWS if rows < most), most]
        self._logits = torch.empty((numbers[-1], self.vocab_size), dtype=torch.float32, device=self.device)
        example = builder.build(Plan(decode=[_text(0, 1, 1)]))
        assert isinstance(example.attention, TritonAttention)
        self._live = example.attention
        self._recordings = {
            (form, rows): self._record(form, rows, blocks, example, capture)
            for rows in reversed(numbers)
            for form in self._live.decode_forms
        }
        self._numbers = numbers

    def forward(self, batch: Batch, cache: KvCache) -> Tensor:
        """See `Decoder.forward`."""
        rows = len(batch.input_ids)
        is_live = batch.layout.num_decode_rows < rows or batch.adapters is not None or cache is not self._cache
        is_live = is_live or (self.is_turned_by_grid and any(each.images is not None for each in batch.sequences))
        recording = None if is_live else self._fitting(rows)
        if recording is None or not recording.attention.is_enough:
            return self._decoder.forward(batch, cache)
        for here, there in zip(_inputs(recording.batch), _inputs(batch), strict=True):
            here[:rows].copy_(there)
        recording.batch.slot_mapping[rows:].fill_(self._nowhere)
        recording.attention.take_over()
        recording.replay()
        logits = self._logits[:rows]
        return logits if batch.logits_indices is None else logits.index_select(0, batch.logits_indices)

    def _fitting(self, rows: int) -> _Recording | None:
        fitting = next((number for number in self._numbers if number >= rows), None)
        return None if fitting is None or self._live.form is None else self._recordings.get((self._live.form, fitting))

    def _record(
        self, form: Form, rows: int, blocks: int, example: Batch, capture: Callable[[Call], Call]
    ) -> _Recording:
        attention = FrozenTriton(self._live, form, rows, blocks, example.layout.block_size)
        ids, positions = (torch.zeros(rows, dtype=torch.int64, device=self.device) for _ in range(2))
        slots = torch.full((rows,), self._nowhere, dtype=torch.int64, device=self.device)
        batch = replace(
            example, input_ids=ids, positions=positions, slot_mapping=slots, logits_indices=None, attention=attention
        )
        return _Recording(batch, attention, capture(partial(self._compute, batch)))

    def _compute(self, batch: Batch) -> None:
        self._logits[: len(batch.input_ids)].copy_(self._decoder.forward(batch, self._cache))


@torch.inference_mode()
def with_graphs(decoder: Decoder, cache: KvCache, builder: BatchBuilder, config: EngineConfig) -> Decoder:
    """The decoder with its decode steps recorded, ours or a class of transformers', on a GPU where all that it starts
    can be; else itself."""
    is_fixed = isinstance(builder.attention, TritonAttention) and decoder.rope is None  # else the host looks at lengths
    if not is_fixed or decoder.device.type != "cuda":
        return decoder
    try:
        capture = partial(capture_graph, torch.cuda.graph_pool_handle())
        recorded = GraphDecoder(decoder, cache, builder, config, capture)
        reason = why_wrong(recorded, decoder, cache, builder, config)
    except Exception as failure:  # memory, or something that cannot be recorded
        reason = f"failed: {failure!r}"
    if reason is None:
        return recorded
    logger.warning("decode steps are not recorded as CUDA graphs: they %s", reason)
    return decoder


def capture_graph(pool: Any, call: Call) -> Call:
    """Record the launches of a call as a CUDA graph, after a first call, so that compiling and loading are not
    recorded.

    Args:
        pool: Memory that graphs share, as none runs beside another, and what they give is not kept there.
    """
    stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        call()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, pool=pool):
        call()
    return graph.replay


def why_wrong(
    recorded: GraphDecoder, decoder: Decoder, cache: KvCache, builder: BatchBuilder, config: EngineConfig
) -> str | None:
    """In what recorded steps differ from the others; None if they do not."""
    blocks = min(PROVED_BLOCKS, (cache.num_blocks - 1) // 3, decoder.max_positions // config.block_size)
    for rows in range(1, 1 + min(3, config.max_num_seqs) if blocks else 1):
        texts = [_text(number, blocks, blocks * config.block_size - MOST_DRAFTED) for number in range(rows)]
        for text in texts:
            decoder.forward(builder.build(Plan(chunks=[(text, text.num_pending)])), cache)
            text.num_computed = text.num_pending - 1
        for drafts in ({}, {texts[-1]: list(range(MOST_DRAFTED))}):
            batch = builder.build(Plan(decode=texts, drafts=drafts))
            expected = decoder.forward(batch, cache).clone()
            error = float((recorded.forward(batch, cache) - expected).abs().max() / expected.std())
            if not error <= TOLERANCE:  # also refuses nan
                return f"are wrong by {error:.3g} in {rows} texts"
    return None


def _text(number: int, blocks: int, tokens: int) -> Sequence:
    """Return a text of random tokens that fills this many blocks."""
    ids = np.random.default_rng(number).integers(0, 100, tokens).tolist()
    text = sample_sequence(number, ids)
    text.block_table = list(range(number * blocks, (number + 1) * blocks))
    return text


def _inputs(batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
    return batch.input_ids, batch.positions, batch.slot_mapping
