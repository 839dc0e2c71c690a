"""A kernel in Triton that reads the pages as they lie: decodes, drafts and chunks of prompts on an NVIDIA GPU."""

from __future__ import annotations

import itertools
from functools import partial
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor

from gateway.engine.attention.base import AttentionNeeds
from gateway.engine.attention.dense import Scoring
from gateway.engine.attention.layout import Layout
from gateway.engine.attention.tiles import Form, Tiles, cut, forms_for
from gateway.engine.config import EngineConfig
from gateway.engine.gpu_kernels import why_no_triton
from gateway.engine.kv_cache import LayerCache
from gateway.engine.staging import Staging

DTYPES = (torch.float16, torch.bfloat16, torch.float32)
PROGRAMS = 4
"""Of a row or few, that run on one multiprocessor."""
ROOMY = ((8, 0), (9, 0), (10, 0), (10, 3))
"""Compute capabilities of data center cards, see `forms_for`."""


class TritonAttention:
    """See `AttentionBackend`. Nothing is gathered, padded or masked: one launch for what decodes, one for all prompts.

    Where few sequences decode, their keys are shared out among the programs of a launch, and a second small one puts
    together what they found.
    """

    name: ClassVar[str] = "triton"
    block_multiple: ClassVar[int] = 16

    def __init__(self, needs: AttentionNeeds, config: EngineConfig) -> None:
        from gateway.engine.gpu_kernels.attention import attend_pages

        self._attend_pages = attend_pages
        self._staging = Staging(needs.device, torch.int32, 64 * config.max_num_seqs)
        self._forms = _forms(needs)
        self._programs = -(-self.programs_on(needs.device) // min(layer.kv_heads for layer in needs.layers))
        if needs.device.type == "cuda":
            self.compile(needs, config.block_size)

    @classmethod
    def why_not(cls, needs: AttentionNeeds) -> str | None:
        """See `AttentionBackend.why_not`."""
        reason = why_no_triton(needs.device)
        if reason is None and {layer.dtype for layer in needs.layers} - set(DTYPES):
            reason = "it computes in float16, bfloat16 and float32 alone"
        if reason is None and not _forms(needs):
            reason = "its heads are too large, or too many of them share a key head"
        return reason

    def compile(self, needs: AttentionNeeds, page: int) -> None:
        """Have every kernel that the layers will want, by a step of one token each: no request waits for one."""
        numbers = (
            np.array([0, 1]),
            np.array([0]),
            np.array([0]),
            np.array([0, 0, 0, 2, 0, 0, 0, 1, 2, 0]),
            np.array([0, 2]),
        )
        self._starts, self._contexts, tables, work, shared = self._staging.stage(*numbers)
        self._page, self._tables = page, tables.view(1, 1)
        for layer, form in itertools.product(needs.layers, self._forms):
            self._tiles = [Tiles(form, work.view(-1, 5), shared.view(-1, 2), 1)]
            query, key, value = (
                torch.zeros((1, heads, size), dtype=layer.dtype, device=needs.device)
                for heads, size in (
                    (layer.heads, layer.key_size),
                    (layer.kv_heads, layer.key_size),
                    (layer.kv_heads, layer.value_size),
                )
            )
            cache = LayerCache(1, page)
            cache.write(torch.zeros(1, dtype=torch.int64, device=needs.device), key, value)
            sinks = torch.zeros(layer.heads, dtype=layer.dtype, device=needs.device) if layer.has_sinks else None
            self.attend(query, key, value, cache, scale=1.0, window=layer.window, softcap=layer.softcap, sinks=sinks)

    @staticmethod
    def programs_on(device: torch.device) -> int:
        """Programs that run side by side on a device."""
        return PROGRAMS * torch.cuda.get_device_properties(device).multi_processor_count

    @property
    def decode_forms(self) -> tuple[Form, ...]:
        """Tiles of steps without prompts: of a row or few of each sequence, and of drafts."""
        return self._forms[:2]

    @property
    def form(self) -> Form | None:
        """Of the tiles of this step; None where there is more than one."""
        return self._tiles[0].form if len(self._tiles) == 1 else None

    def begin(self, layout: Layout) -> None:
        """See `AttentionBackend.begin`."""
        self._page, width = layout.block_size, layout.width
        launches = cut(layout, self._forms, self._programs)
        self._starts, self._contexts, tables, *sent = self._staging.stage(
            np.append(layout.starts, len(layout.owners)),
            layout.contexts,
            layout.tables[:, :width],
            *(numbers for _, *both in launches for numbers in both),
        )
        self._tables = tables.view(-1, width)
        self._tiles = [
            Tiles(form, work.view(-1, 5), shared.view(-1, 2), len(shared) // 2)
            for (form, *_), work, shared in zip(launches, sent[::2], sent[1::2], strict=True)
        ]

    def attend(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        cache: LayerCache,
        *,
        scale: float,
        window: int | None = None,
        softcap: float | None = None,
        sinks: Tensor | None = None,
    ) -> Tensor:
        """See `AttentionBackend.attend`."""
        keys, values, first_value = cache.heads
        if first_value:
            keys, values = keys[:, :first_value], values[:, first_value:]
        scoring = Scoring(scale, window, softcap, sinks)
        return self._attend_pages(
            query, keys, values, self._page, self._tables, self._starts, self._contexts, self._tiles, scoring
        )

    def forget(self) -> None:
        """See `AttentionBackend.forget`."""


class FrozenTriton(TritonAttention):
    """For graphs of steps without prompts: what a step is told of it stands in tensors that stay where they are.

    Programs without work, and rows without parts, have -1: the same number of programs is started for every step.
    """

    def __init__(self, live: TritonAttention, form: Form, rows: int, blocks: int, page: int) -> None:
        """Args: live: What steps are told to. form: Of their tiles. rows, blocks: Most of a step, and of a sequence."""
        # A tile that is shared out has more keys than a program should have, so there are fewer such than programs.
        num_shared, num_programs = min(rows, live._programs * form.rows), rows + live._programs
        sizes = ((rows + 1,), (rows,), (rows, blocks), (num_programs, 5), (num_shared, 2))
        there = [torch.full(size, -1, dtype=torch.int32, device=live._staging.device) for size in sizes]
        self._starts, self._contexts, self._tables, work, shared = there
        self._tiles = [Tiles(form, work, shared, num_shared)]
        self._live, self._page = live, page
        self._attend_pages = partial(live._attend_pages, is_filled_up=True)

    @property
    def is_enough(self) -> bool:
        """Whether the step that the live one was told of last can be taken over."""
        (own,), others = self._tiles, self._live._tiles
        return (
            len(others) == 1
            and others[0].form == own.form
            and self._live._page == self._page
            and all(
                here.shape[0] >= there.shape[0]
                for here, there in ((own.work, others[0].work), (own.shared, others[0].shared))
            )
            and self._contexts.shape[0] >= self._live._contexts.shape[0]
            and self._tables.shape[1] >= self._live._tables.shape[1]
        )

    def take_over(self) -> None:
        """What the live one was told last."""
        (own,), (other,), live = self._tiles, self._live._tiles, self._live
        rows, blocks = live._tables.shape
        self._starts[: rows + 1].copy_(live._starts)
        self._contexts[:rows].copy_(live._contexts)
        self._tables[:rows, :blocks].copy_(live._tables)
        for here, there in ((own.work, other.work), (own.shared, other.shared)):
            here[: len(there)].copy_(there)
            here[len(there) :, 0].fill_(-1)


def _forms(needs: AttentionNeeds) -> tuple[Form, ...]:
    """Tiles that hold the rows of every layer."""
    return forms_for(
        max(layer.heads // layer.kv_heads for layer in needs.layers),
        max(max(layer.key_size, layer.value_size) for layer in needs.layers),
        max(layer.dtype.itemsize for layer in needs.layers),
        is_roomy=needs.device.type != "cuda" or torch.cuda.get_device_capability(needs.device) in ROOMY,
    )
