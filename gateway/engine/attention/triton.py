"""Kernels in Triton that read the pages as they lie: decodes, drafts and chunks of prompts on an NVIDIA GPU.

The rows of a step are cut into tiles, and where these are few the keys of a tile into parts, for programs that run side
by side: one launch for what decodes, one for all prompts, and a second small one that puts together what parts gave.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from gateway.engine.attention.base import AttentionBackend, AttentionNeeds, Layout, Numbers, Scoring
from gateway.engine.config import EngineConfig
from gateway.engine.gpu_kernels import why_no_triton
from gateway.engine.inputs import Staging
from gateway.engine.kv_cache import LayerCache
from gateway.engine.rows import ranges

DTYPES = (torch.float16, torch.bfloat16, torch.float32)
PROGRAMS = 4
"""Of a row or few, that run on one multiprocessor."""
ROOMY = ((8, 0), (9, 0), (10, 0), (10, 3))
"""Compute capabilities of data center cards, see `forms_for`."""
MAX_PARTS = 16
"""Of the keys of one tile."""
MIN_KEYS = 64
"""Of a part: for fewer a program takes longer to start."""
MAX_SIZE = 256
"""Numbers of a head."""


@dataclass(frozen=True, slots=True)
class Form:
    """Size of the tiles of one launch.

    Attributes:
        rows: Of a sequence, in a tile.
        heads: Rows of a tile times heads that share a key head, rounded up to the size of a matrix instruction.
        keys: Looked at in one turn of the loop.
        warps: Of 32 threads, that compute a tile.
        stages: Keys and values that are on their way at a time.
    """

    rows: int
    heads: int
    keys: int
    warps: int
    stages: int


FORMS: dict[tuple[int, bool, bool], tuple[tuple[int, int, int, int], ...]] = {
    (2, True, False): ((16, 64, 4, 3), (64, 64, 8, 3), (128, 64, 8, 5)),
    (2, True, True): ((16, 32, 8, 3), (64, 32, 8, 3), (128, 32, 8, 5)),
    (2, False, False): ((16, 32, 8, 3), (64, 32, 8, 3)),
    (2, False, True): ((16, 16, 8, 3), (64, 16, 8, 3)),
    (4, True, False): ((16, 32, 8, 2), (32, 32, 8, 2)),
    (4, True, True): ((16, 16, 8, 2), (32, 16, 8, 2)),
    (4, False, False): ((16, 16, 8, 2),),
}
"""`heads`, `keys`, `warps` and `stages` of forms, by bytes of a number, whether a head has up to 128 of them, and
whether keys and values are of eight bits, which are widened: larger ones do not fit into registers. Of three stages two
look up pages; with five, the next keys are on their way too."""


@dataclass(frozen=True, slots=True)
class Tiles:
    """The tiles of one launch, on the device. An entry of -1 says that there is nothing to do.

    Attributes:
        work: Of each program its sequence, first row, part, number of parts, and the place of its first row among those
            that have parts. Shapes: [programs, 5], int32.
        shared: Of each row that has parts its number in the step, and that of its parts. Shapes: [rows, 2], int32.
    """

    form: Form
    work: Tensor
    shared: Tensor


class TritonAttention(AttentionBackend):
    """See `AttentionBackend`. Nothing is gathered, padded or masked."""

    name = "triton"
    block_multiple = 16
    _is_filled_up = False

    def __init__(self, needs: AttentionNeeds, config: EngineConfig) -> None:
        from gateway.engine.gpu_kernels import attention

        self._kernels = attention
        self._staging = Staging(needs.device, torch.int32, 64 * config.max_num_seqs)
        self._forms = _forms(needs)
        self._programs = -(-self.programs_on(needs.device) // min(layer.kv_heads for layer in needs.layers))
        if needs.device.type == "cuda":
            self.compile(needs, config.block_size)

    @classmethod
    def why_not(cls, needs: AttentionNeeds) -> str | None:
        reason = why_no_triton(needs.device)
        if reason is None and {layer.dtype for layer in needs.layers} - set(DTYPES):
            reason = "it computes in float16, bfloat16 and float32 alone"
        if reason is None and not _forms(needs):
            reason = "its heads are too large, or too many of them share a key head"
        return reason

    def compile(self, needs: AttentionNeeds, page: int) -> None:
        """Have every kernel that the layers will want, by a step of one token each: no request waits for one."""
        lists = [0, 1], [0], [0], [0, 0, 0, 2, 0, 0, 0, 1, 2, 0], [0, 2]
        self._starts, self._contexts, tables, work, shared = self._staging.stage(*map(np.array, lists))
        self._page, self._tables = page, tables.view(1, 1)
        for layer, form in itertools.product(needs.layers, self._forms):
            self._tiles = [Tiles(form, work.view(-1, 5), shared.view(-1, 2))]
            query, key, value, sinks = (
                torch.zeros(sizes, dtype=layer.dtype, device=needs.device)
                for sizes in (
                    (1, layer.heads, layer.key_size),
                    (1, layer.kv_heads, layer.key_size),
                    (1, layer.kv_heads, layer.value_size),
                    (layer.heads,),
                )
            )
            cache = LayerCache(1, page, is_fp8=layer.is_fp8)
            cache.write(torch.zeros(1, dtype=torch.int64, device=needs.device), key, value)
            self.attend(query, cache, Scoring(1.0, layer.window, layer.softcap, sinks if layer.has_sinks else None))

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
        """The tile form of this step; None where there is more than one."""
        return self._tiles[0].form if len(self._tiles) == 1 else None

    def begin(self, layout: Layout) -> None:
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
            Tiles(form, work.view(-1, 5), shared.view(-1, 2))
            for (form, *_), work, shared in zip(launches, sent[::2], sent[1::2], strict=True)
        ]

    def attend(self, query: Tensor, cache: LayerCache, scoring: Scoring) -> Tensor:
        kernels, keys, values = self._kernels, cache.keys, cache.values
        (rows, heads, key_size), (_, kv_heads, value_size) = query.shape, values.shape
        out = (query.new_zeros if self._is_filled_up else query.new_empty)((rows, heads, value_size))
        sizes = {"VALUE_SIZE": value_size, "VALUE_BLOCK": kernels.padded(value_size), "MOST_PARTS": MAX_PARTS}
        for tiles in self._tiles:
            form, num_shared = tiles.form, len(tiles.shared)
            mixed = query.new_empty((num_shared, heads, MAX_PARTS, value_size), dtype=torch.float32)
            state = query.new_empty((num_shared, heads, MAX_PARTS, 2), dtype=torch.float32)
            kernels.attend_tiles[(len(tiles.work), kv_heads)](
                query, keys, values, query if scoring.sinks is None else scoring.sinks, out, mixed, state,
                self._tables, self._starts, self._contexts, tiles.work, *query.stride()[:2], *keys.stride()[:2],
                *values.stride()[:2], self._tables.stride(0), scoring.scale, float(scoring.softcap or 1.0),
                scoring.window or 0, GROUP=heads // kv_heads, KEY_SIZE=key_size, KEY_BLOCK=kernels.padded(key_size),
                TILE_ROWS=form.rows, TILE_HEADS=form.heads, KEYS=form.keys, PAGE=self._page, IS_FP8=cache.is_fp8,
                HAS_SINKS=scoring.sinks is not None, HAS_SOFTCAP=scoring.softcap is not None,
                HAS_WINDOW=scoring.window is not None, WIDENS=kernels.IS_INTERPRETED, num_warps=form.warps,
                num_stages=form.stages, **sizes,
            )  # fmt: skip
            if num_shared:
                kernels.add_parts[(num_shared, heads)](mixed, state, out, tiles.shared, **sizes)
        return out


class FrozenTriton(TritonAttention):
    """Backend for graphs of steps without prompts: a step's arguments are copied into tensors at fixed addresses.

    The same number of programs is started for every step, and rows that no tile has get zeros.
    """

    _is_filled_up = True

    def __init__(self, live: TritonAttention, form: Form, rows: int, blocks: int, page: int) -> None:
        """Args: live: The backend that steps are prepared on. form: Of their tiles. rows, blocks: Maximum of a step,
        and of a sequence."""
        # A tile that is shared out has more keys than a program should have, so there are fewer such than programs.
        num_shared, num_programs = min(rows, live._programs * form.rows), rows + live._programs
        sizes = ((rows + 1,), (rows,), (rows, blocks), (num_programs, 5), (num_shared, 2))
        there = [torch.full(size, -1, dtype=torch.int32, device=live._staging.device) for size in sizes]
        self._starts, self._contexts, self._tables, work, shared = there
        self._tiles, self._live, self._page, self._kernels = [Tiles(form, work, shared)], live, page, live._kernels

    @property
    def is_enough(self) -> bool:
        """True if the last step of the live backend, in tiles of the same form, fits into the tensors."""
        pairs = zip(_told(self), _told(self._live), strict=True)
        return all(own >= other for here, there in pairs for own, other in zip(here.shape, there.shape, strict=True))

    def take_over(self) -> None:
        """Copy the arguments of the live backend's last step."""
        for here, there in zip(_told(self), _told(self._live), strict=True):
            here[tuple(map(slice, there.shape))].copy_(there)
        for here, there in zip(_told(self)[3:], _told(self._live)[3:], strict=True):
            here[len(there) :, 0].fill_(-1)


def _told(attention: TritonAttention) -> tuple[Tensor, ...]:
    (tiles,) = attention._tiles
    return attention._starts, attention._contexts, attention._tables, tiles.work, tiles.shared


def _forms(needs: AttentionNeeds) -> tuple[Form, ...]:
    """Tiles that hold the rows of every layer."""
    return forms_for(
        max(layer.heads // layer.kv_heads for layer in needs.layers),
        max(max(layer.key_size, layer.value_size) for layer in needs.layers),
        max(layer.dtype.itemsize for layer in needs.layers),
        is_fp8=needs.is_fp8,
        is_roomy=needs.device.type != "cuda" or torch.cuda.get_device_capability(needs.device) in ROOMY,
    )


def forms_for(
    group: int, size: int, item_bytes: int, *, is_fp8: bool = False, is_roomy: bool = True
) -> tuple[Form, ...]:
    """Tiles for a row or few, for drafts, for chunks of prompts: the smallest first; none where no tile fits.

    Args:
        group: Heads that share a key head.
        size: Numbers of a head, the larger of keys and values.
        item_bytes: Of a number.
        is_fp8: Keys and values are of eight bits.
        is_roomy: The GPU has 160 KB or more of shared memory for a program, as data center cards have.
    """
    found = FORMS.get((item_bytes, size <= 128, is_fp8), ()) if size <= MAX_SIZE else ()
    return tuple(
        Form(heads // group, heads, keys, warps, stages if is_roomy else min(stages, 3))
        for heads, keys, warps, stages in found
        if heads >= group
    )


def cut(layout: Layout, forms: tuple[Form, ...], programs: int) -> list[tuple[Form, Numbers, Numbers]]:
    """`Tiles.work` and `Tiles.shared` of each launch: one for what decodes and one for prompts, or one for both.

    Args:
        programs: That run side by side, for each key head: with fewer tiles keys are shared out.
    """
    num_sequences, num_decodes = len(layout.starts), layout.num_decodes
    groups: dict[Form, list[int]] = {}
    for numbers in (range(num_decodes), range(num_decodes, num_sequences)):
        if numbers:
            most = int(layout.counts[numbers].max())
            form = next((form for form in forms if form.rows >= most), forms[-1])
            groups.setdefault(form, []).extend(numbers)
    return [(form, *_tiles(layout, np.array(numbers), form.rows, programs)) for form, numbers in groups.items()]


def _tiles(layout: Layout, numbers: Numbers, rows: int, programs: int) -> tuple[Numbers, Numbers]:
    counts = layout.counts[numbers]
    tiles = -(-counts // rows)
    owner = numbers.repeat(tiles)
    inside = _places(tiles) * rows  # of the first row, in its sequence
    height = np.minimum(layout.counts[owner] - inside, rows)
    seen = layout.contexts[owner] + inside + height
    # A part has as many keys as each program would have if all had as many.
    parts = np.clip(-(-seen // max(MIN_KEYS, -(-int(seen.sum()) // programs))), 1, MAX_PARTS)
    first = layout.starts[owner] + inside
    is_shared = parts > 1
    height[~is_shared] = 0
    place = height.cumsum() - height
    each = np.arange(len(owner)).repeat(parts)
    work = np.stack((owner[each], first[each], _places(parts), parts[each], place[each]), axis=1)
    shared = np.stack((ranges(first, height), parts.repeat(height)), axis=1)
    return work, shared


def _places(counts: Numbers) -> Numbers:
    """[2, 0, 3] -> 0, 1, 0, 1, 2."""
    return ranges(np.zeros_like(counts), counts)
