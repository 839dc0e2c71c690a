"""Any causal model class of transformers on our pages: its attention, linear layers and rotations are exchanged."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextvars import ContextVar
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from gateway.engine.attention.base import Numbers, Scoring
from gateway.engine.errors import UnsupportedModelError
from gateway.engine.images.families import family_of
from gateway.engine.images.grid import GridPositions
from gateway.engine.images.pixels import ImagePixels, PromptImages
from gateway.engine.images.whole import WholeImage, whole_images
from gateway.engine.inputs import Batch
from gateway.engine.kv_cache import KvCache
from gateway.engine.models.base import DYNAMIC, LONGROPE, Decoder, RopeByLength, Shapes
from gateway.engine.models.linear import Linear, LinearKind
from gateway.engine.models.measure import measure_needs

ATTENTION = "portcullis_paged"

# Arguments that say nothing about the arithmetic of attention here: positions are in the rotated keys already, masks
# are ours, caches are ours.
HARMLESS = frozenset({"position_ids", "cache_position", "use_cache", "output_router_logits", "is_causal"})

_STEP: ContextVar[tuple[Batch, KvCache, list[WholeImage]]] = ContextVar("portcullis_step")
"""The step under way in this thread, its memory, and images in it whose tokens see one another. Keyword arguments would
be the obvious way, but several model classes drop the ones they do not know."""


def paged_attention(
    module: Any,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    *,
    scaling: float | None = None,
    dropout: float = 0.0,
    sliding_window: int | None = None,
    softcap: float | None = None,
    s_aux: Tensor | None = None,
    **kwargs: Any,
) -> tuple[Tensor, None]:
    """Attention over the pages, registered with transformers in place of its own.

    Shapes: query [1, heads, T, size], key and value [1, kv_heads, T, size]; returns [1, T, heads, value size].

    Raises:
        UnsupportedModelError: An argument asks for something that this function does not do.
        LookupError: The model was called outside of a step.
    """
    unknown = sorted(name for name, given in kwargs.items() if given is not None and name not in HARMLESS)
    if unknown:
        raise UnsupportedModelError(f"{type(module).__name__} passes {unknown} to attention, which is not implemented")
    if attention_mask is not None or dropout or kwargs.get("is_causal") is False:
        raise UnsupportedModelError(
            f"{type(module).__name__} asks for a mask of its own, dropout or non-causal attention"
        )
    batch, memory, images = _STEP.get()
    cache = memory.layer(module.layer_idx)
    rows, keys, values = query[0].transpose(0, 1), key[0].transpose(0, 1), value[0].transpose(0, 1)
    cache.write(batch.slot_mapping, keys, values)
    scale, sinks = query.shape[-1] ** -0.5 if scaling is None else scaling, None if s_aux is None else s_aux.detach()
    rows, scoring = rows.contiguous(), Scoring(scale, sliding_window, softcap, sinks)
    out = batch.attention.attend(rows, cache, scoring)
    for image in images:
        out[image.rows] = image.attend(rows, cache, scoring)
    return out[None], None


def set_attention(model: Any, name: str) -> None:
    """Have a model of transformers attend by the function of this name.

    Raises:
        UnsupportedModelError: It attends in a way of its own.
    """
    if hasattr(model, "set_attn_implementation"):  # the plain Llama is not one of them
        try:
            if model._can_set_attn_implementation():
                model.set_attn_implementation(name)
        except ValueError as error:
            raise UnsupportedModelError(f"{type(model).__name__} has no exchangeable attention: {error}") from error
        if attention_of(model) != name:
            raise UnsupportedModelError(f"{type(model).__name__} has no exchangeable attention")


def attention_of(model: Any) -> str:
    """The name of the function by which the text part of a model attends."""
    name: str = model.config.get_text_config()._attn_implementation
    return name


class TransformersDecoder(Decoder):
    """A `PreTrainedModel`: the slow and broad of the two paths."""

    def __init__(self, model: Any, max_model_len: int) -> None:
        from transformers import AttentionInterface

        super().__init__(model, max_model_len)
        AttentionInterface.register(ATTENTION, paged_attention)
        set_attention(model, ATTENTION)
        self.rope = _exchange_rotary(model, max_model_len)
        self.model = model
        self._stack = model.get_decoder()
        self.can_pool = self._stack is not model
        self._family = family_of(model.config)
        if self._family is not None:
            # The patches of a tile see one another: not by the engine's attention, which is causal.
            self._family.vision_part(model).set_attn_implementation("sdpa")
            self.image_token_id = model.config.image_token_id
            self.sees_whole_images = self._family.sees_whole
            self.is_turned_by_grid = self._family.is_turned_by_grid
            if self.is_turned_by_grid and self.rope is not None:
                raise UnsupportedModelError(f"{type(model).__name__} turns positions by grids and by length")

    def forward(self, batch: Batch, cache: KvCache) -> Tensor:
        inputs, images = self._inputs(batch)
        token, kept = _STEP.set((batch, cache, images)), batch.logits_indices
        hook = None
        if kept is not None and batch.num_states:
            kept, others = kept[: -batch.num_states], kept[-batch.num_states :]
            hook = self._stack.register_forward_hook(
                lambda module, inputs, output: setattr(batch, "states", output[0][0].index_select(0, others))
            )
        try:
            output = self.model(
                **inputs,
                position_ids=self._positions(batch),
                use_cache=False,
                logits_to_keep=0 if kept is None else kept,
            )
        finally:
            _STEP.reset(token)
            if hook is not None:
                hook.remove()
        logits: Tensor = output.logits[0]
        return logits.float()

    def num_image_tokens(self, image: ImagePixels) -> int:
        """See `Decoder.num_image_tokens`."""
        assert self._family is not None, "else no prompt has images"
        return self._family.num_tokens(self.model.config, image)

    def embed_tile(self, pixels: Tensor, image: ImagePixels) -> Tensor:
        """See `Decoder.embed_tile`."""
        assert self._family is not None, "else no prompt has images"
        return self._family.rows(self.model, pixels.to(self.device), image)

    def _positions(self, batch: Batch) -> Tensor:
        """Return the positions by which the rows of a step are rotated. Shapes: [1, T], or of three axes [3, 1, T]."""
        turned, layout = list[tuple[int, GridPositions]](), batch.layout
        if self.is_turned_by_grid:
            found = enumerate(sequence.images for sequence in batch.sequences)
            turned = [(number, each.positions) for number, each in found if each is not None and each.positions]
        if not turned:
            return batch.positions[None]
        axes = np.tile(layout.host_positions, (3, 1))
        for number, positions in turned:
            own = slice(layout.starts[number], layout.starts[number] + layout.counts[number])
            axes[:, own] = positions.of(layout.host_positions[own])
        return torch.from_numpy(axes).to(batch.positions.device)[:, None]

    def _inputs(self, batch: Batch) -> tuple[dict[str, Tensor], list[WholeImage]]:
        """Return the tokens of a step, and images in it whose tokens see one another. Where it reads images, the tokens
        are their embeddings, with the rows of images in place."""
        layout = batch.layout
        reading = [] if self.image_token_id is None else _reading(batch)
        if not reading:
            return {"input_ids": batch.input_ids[None]}, []
        rows, whole = self.model.get_input_embeddings()(batch.input_ids), list[WholeImage]()
        for number, images in reading:
            context, count = int(layout.contexts[number]), int(layout.counts[number])
            first, stop = np.searchsorted(images.places, (context, context + count))
            places = torch.from_numpy(images.places[first:stop] + int(layout.starts[number]) - context)
            rows[places.to(rows.device)] = images.rows[first:stop].to(rows.dtype)
            whole += whole_images(layout, number, images, rows.device)
        return {"inputs_embeds": rows[None]}, whole

    def adapt(self, adapted: Callable[[Shapes, Linear], Linear]) -> torch.dtype:
        """See `Decoder.adapt`: of the linear layers that get every row of a step, but for experts of a mixture."""
        from transformers.pytorch_utils import Conv1D

        counts: dict[str, set[int]] = {}

        def note(name: str, module: nn.Module, inputs: tuple[Tensor, ...]) -> None:
            counts.setdefault(name, set()).add(inputs[0].shape[:-1].numel())

        kinds = (nn.Linear, Conv1D, ExchangedLinear)
        found = {
            name: module
            for name, module in self.model.named_modules()
            if isinstance(module, kinds) and not name.endswith(".original") and not EXPERTS.search(name)
        }
        hooks = [module.register_forward_pre_hook(partial(note, name)) for name, module in found.items()]
        measure_needs(self, num_tokens=NUM_NOTED)
        for hook in hooks:
            hook.remove()
        for name in (name for name, seen in counts.items() if seen == {NUM_NOTED}):
            module = found[name]
            original = module.original if isinstance(module, ExchangedLinear) else module
            inputs, outputs = original.weight.shape if isinstance(original, Conv1D) else reversed(original.weight.shape)
            parent, _, own = name.rpartition(".")
            product = adapted({name: (outputs, inputs)}, module)
            setattr(self.model.get_submodule(parent), own, ExchangedLinear(original, product))
        dtype: torch.dtype = self.model.dtype
        return dtype


def _reading(batch: Batch) -> list[tuple[int, PromptImages]]:
    """Return the numbers of the sequences of a step that read images in it, and these."""
    contexts = batch.layout.contexts
    return [
        (number, images)
        for number, images in enumerate(sequence.images for sequence in batch.sequences)
        if images is not None and contexts[number] < images.stop
    ]


EXPERTS = re.compile(r"\bexperts\b")
NUM_NOTED = 5
"""Tokens of a step that shows which layers get every row of it."""


class ExchangedLinear(nn.Module):
    """Replacement of a linear layer that computes the same with packed weights.

    Attributes:
        original: The replaced layer.
        weight, bias: The original's: models look at their types.
    """

    def __init__(self, original: Any, linear: Linear) -> None:
        super().__init__()
        self.original, self.weight, self.bias = original, original.weight, original.bias
        self._linear = linear

    def forward(self, x: Tensor) -> Tensor:
        """Shapes: [..., in] -> [..., out]."""
        product = self._linear(x.reshape(-1, x.shape[-1]).contiguous())
        return product.view(*x.shape[:-1], product.shape[-1])


def exchange_linears(model: nn.Module, kind: LinearKind, *, keep_originals: bool) -> int:
    """Pack every linear layer that the kind applies to; how many there were.

    Args:
        keep_originals: Keep the unpacked weights too, so that `restore_linears` can undo this. Else they are dropped,
            except those that something else holds (an embedding).
    """
    from transformers.pytorch_utils import Conv1D

    found = [
        entry
        for entry in _children(model, ExchangedLinear)
        if type(entry[2]) in (nn.Linear, Conv1D) and kind.applies(entry[2].weight.device, entry[2].weight.dtype)
    ]
    for parent, name, child in found:
        weight = child.weight.t() if isinstance(child, Conv1D) else child.weight
        linear = kind((weight,), child.bias)
        if not keep_originals:
            child.weight = nn.Parameter(child.weight.detach().to("meta"), requires_grad=False)
        setattr(parent, name, ExchangedLinear(child, linear))
    return len(found)


def restore_linears(model: nn.Module) -> None:
    """Undo `exchange_linears` that kept the originals."""
    for parent, name, child in _children(model, ExchangedLinear):
        if isinstance(child, ExchangedLinear):
            setattr(parent, name, child.original)


class RowRotary(nn.Module):
    """Rotates each row by the length of its own text, where the original uses the longest of the row. Outside of a step
    it is the original."""

    def __init__(self, original: Any, rope: RopeByLength) -> None:
        super().__init__()
        self.original = original
        self._kind, self._length = rope.kind, rope.length

    def forward(self, x: Tensor, position_ids: Tensor) -> tuple[Tensor, Tensor]:
        """Cosines and sines. Shapes: position_ids [1, T]; returns [1, T, size] each."""
        step = _STEP.get(None)
        if step is None:
            cos, sin = self.original(x, position_ids)
            return cos, sin
        lengths = self._lengths(step[0])
        parts: list[tuple[Tensor, Tensor, Tensor]] = []
        for length in np.unique(lengths).tolist():
            rows = torch.from_numpy(np.flatnonzero(lengths == length)).to(x.device)
            parts.append((rows, *self._angles(x, position_ids[:, rows], length)))
        order = torch.cat([rows for rows, _, _ in parts]).argsort()
        cos, sin = (torch.cat(halves, dim=1)[:, order] for halves in list(zip(*parts, strict=True))[1:])
        return cos, sin

    def _lengths(self, batch: Batch) -> Numbers:
        """Return the text length that each row is rotated for; lengths with equal rotations are made equal."""
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


def _exchange_rotary(model: Any, max_model_len: int) -> RopeByLength | None:
    """Exchange what looks at the whole row; None where nothing does.

    Raises:
        UnsupportedModelError: It does so in a way of its own.
    """
    rope = RopeByLength.of(model.config.get_text_config(), max_model_len)
    if rope is None:
        return None
    children = _children(model.get_decoder(), RowRotary)
    found = [entry for entry in children if getattr(entry[2], "rope_type", None) == rope.kind]
    if not found:
        raise UnsupportedModelError(f"{type(model).__name__} turns positions by {rope.kind} in a way of its own")
    for parent, name, child in found:
        setattr(parent, name, RowRotary(child, rope))
    return rope


def _children(model: nn.Module, exchanged: type[nn.Module]) -> list[tuple[nn.Module, str, Any]]:
    """Return all modules with their parents and names, except those inside exchanged ones."""
    parents = [parent for parent in model.modules() if not isinstance(parent, exchanged)]
    return [(parent, name, child) for parent in parents for name, child in parent.named_children()]
