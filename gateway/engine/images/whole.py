"""Images whose tokens see one another (Gemma 3): they are computed in one step, and their rows attend once more.

    prompt    | text | image image image image | text |
    a chunk ends here ^    or                   ^ here, never between

Of a step, the backend computes every row as causal. The rows of an image are then computed again, over all keys up to
the image's end, which are in the pages by then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from torch import Tensor

from gateway.engine.attention.base import Layout, Scoring
from gateway.engine.attention.sdpa import additive, dense_attention
from gateway.engine.images.pixels import PromptImages
from gateway.engine.kv_cache import LayerCache
from gateway.engine.scheduling.plan import Plan
from gateway.engine.sequence import Sequence


def keep_whole(plan: Plan, reserve: Callable[[Plan, Sequence, int], bool]) -> None:
    """Let no chunk end inside an image: it ends before it; the first one that cannot ends after it, which may be beyond
    `max_batch_tokens`.

    Args:
        reserve: Gives a sequence the blocks for a number of tokens; False if there are none.
    """
    may_exceed = True
    for sequence, tokens in list(plan.chunks):
        first, images = sequence.num_computed, sequence.images
        found = None if images is None else _around(images, first + tokens)
        if found is None or all(sequence is not each for each, _ in plan.chunks):
            continue
        start, stop = found
        fitting = max(start - first, 0)
        if not fitting and may_exceed and reserve(plan, sequence, stop - first):
            fitting, may_exceed = stop - first, False
        chunks = [(each, fitting if each is sequence else given) for each, given in plan.chunks]
        plan.chunks = [(each, given) for each, given in chunks if given]


def _around(images: PromptImages, end: int) -> tuple[int, int] | None:
    """Return the image that has tokens on both sides of this position."""
    return next(((start, stop) for start, stop in images.whole if start < end < stop), None)


@dataclass(frozen=True, slots=True)
class WholeImage:
    """Rows of an image in a step.

    Attributes:
        rows: Theirs in the step.
        first: Position of the first of them.
        length: Tokens of the sequence up to the image's end.
        blocks: Blocks of these.
        masks: By window, for all layers.
    """

    rows: slice
    first: int
    length: int
    blocks: Tensor
    masks: dict[int, Tensor] = field(default_factory=dict)

    def attend(self, query: Tensor, cache: LayerCache, scoring: Scoring) -> Tensor:
        """Return the attention of these rows to all tokens up to the image's end, within the window.

        Shapes: query [T, heads, size]; returns [rows, heads, value size].
        """
        own = query[self.rows]
        keys, values = (each[0, :, None, : self.length] for each in cache.read(self.blocks, 1, query.dtype))
        kv_heads = keys.shape[0]
        grouped = own.view(len(own), kv_heads, -1, own.shape[-1]).permute(1, 2, 0, 3)
        keys, values = (each.expand(-1, grouped.shape[1], -1, -1) for each in (keys, values))
        sinks = None if scoring.sinks is None else scoring.sinks.view(kv_heads, -1, 1)
        out = dense_attention(grouped, keys, values, self._mask(scoring.window, query), scoring, sinks)
        return out.permute(2, 0, 1, 3).reshape(len(own), own.shape[1], -1)

    def _mask(self, window: int | None, like: Tensor) -> Tensor:
        """Return a mask that hides what is before the window. Shapes: [rows, length]."""
        key = self.length if window is None else window
        if key not in self.masks:
            positions = torch.arange(self.first, self.first + self.rows.stop - self.rows.start, device=like.device)
            seen = torch.arange(self.length, device=like.device) > positions[:, None] - key
            self.masks[key] = additive(seen, like.dtype)
        return self.masks[key]


def whole_images(layout: Layout, number: int, images: PromptImages, device: torch.device) -> list[WholeImage]:
    """Return the images of a sequence that have rows in a step. Args: number: Of the sequence in the layout."""
    context, count, begin = (int(each[number]) for each in (layout.contexts, layout.counts, layout.starts))
    found = []
    for start, stop in images.whole:
        first = max(start, context)
        if first < stop and start < context + count:
            blocks = torch.from_numpy(layout.tables[number, : -(-stop // layout.block_size)]).to(device)
            found.append(WholeImage(slice(begin + first - context, begin + stop - context), first, stop, blocks))
    return found
