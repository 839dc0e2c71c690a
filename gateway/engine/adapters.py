"""LoRA adapters: what a text's adapter adds to the products of a decoder, for many adapters in one batch.

    rows      | a | a | . | b | b | b | .        of texts with the adapters a and b, and without one
    out       = rows @ weight.T
              + (rows @ A[slot].T) @ B[slot]     zero for rows without an adapter

The matrices of all adapters of a product are stacked: A [slots, rank, in] and B [slots, rank, out], which holds the
scale. Ranks below the largest are filled up with zeros. A step multiplies its rows by the stacks of all slots from the
first to the last that it needs, and clears the part of other slots in between: three calls a product, whatever the mix.
Rows without an adapter get zeros added, so they are what they are without adapters in the batch.

See: Hu et al. 2021, "LoRA"; Sheng et al. 2023, "S-LoRA", section 5.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from gateway.engine.errors import AdapterNotFoundError, InvalidAdapterError
from gateway.engine.inputs import RowAdapters
from gateway.engine.models.base import Decoder, Shapes
from gateway.engine.models.linear import Linear
from gateway.engine.offload.identity import digest_of
from gateway.engine.request import AdapterFile
from gateway.engine.rows import Indices
from gateway.engine.sequence import Sequence

MAX_HEADER_BYTES = 16 << 20
"""Of a file of weights, beside these."""
TYPES = ("F32", "F16", "BF16")
PREFIX = "base_model.model."
"""Of the names of products in a file of weights, as PEFT writes them."""

Pairs = dict[str, tuple[Tensor, Tensor]]
"""A [rank, in] and B [rank, out], scaled, of each product that an adapter changes."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of an adapter.

    Attributes:
        pairs: Its matrices.
        salt: Of the keys and values of its texts: the same for the same weights alone.
    """

    pairs: Pairs
    salt: str

    @classmethod
    def of(cls, pairs: Pairs) -> Weights:
        """Return the weights of an adapter."""
        named = {f"{name} {part}": each for name, pair in pairs.items() for part, each in zip("AB", pair, strict=True)}
        return cls(pairs, f"\0adapter {digest_of(named).hex()}\0")


@dataclass(frozen=True, slots=True)
class _Step:
    """Slots of the rows of a step.

    Attributes:
        first, stop: The slots that it needs.
        others: The slots that are not the row's. Shapes: [rows, stop - first].
    """

    first: int
    stop: int
    others: Tensor


class Adapters:
    """Adapters of a decoder, in slots. `read` may be called from any thread, the rest from the engine's alone.

    Attributes:
        max_bytes: Memory of as many adapters of the largest rank as there may be.
        step: Slots of the step under way; None while no row has an adapter.
    """

    def __init__(self, decoder: Decoder, max_adapters: int, max_rank: int, max_temporary: int = 0) -> None:
        """Have the decoder's products add what adapters add, unless there may be none.

        Args:
            max_temporary: Slots after those of adapters with a name, for `put`.

        Raises:
            UnsupportedModelError: Its texts do not share rows.
        """
        self._device, self._max_adapters, self._max_rank = decoder.device, max_adapters, max_rank
        self._stacks: dict[str, _Stack] = {}
        self._slots: dict[str, int] = {}
        self._salts: dict[str, str] = {}
        self._leaving: list[tuple[int, Callable[[], None]]] = []
        self._free = list(range(max_adapters))
        self.step: _Step | None = None
        self._num_slots = max_adapters + max_temporary
        self._dtype = decoder.adapt(self._adapted) if self._num_slots else torch.float32
        self._rank_size = sum(stack.outputs + stack.inputs for stack in self._stacks.values())
        most_rank = max_rank * (1 + bool(max_adapters and max_temporary))  # a temporary one may hold a named one, too
        self.max_bytes = self._rank_size * most_rank * self._num_slots * self._dtype.itemsize

    @property
    def of_rows(self) -> RowAdapters | None:
        """Return what batches are told of; None where there may be no adapters."""
        return self if self._num_slots else None

    def read(self, file: AdapterFile) -> Weights:
        """Return the weights of a file, on the device.

        Raises:
            InvalidAdapterError: They do not fit the model, or are no numbers; names the product.
        """
        most = MAX_HEADER_BYTES + 4 * self._max_rank * self._rank_size
        try:
            if (size := os.path.getsize(file.path)) > most:
                raise InvalidAdapterError(f"the file has {size} bytes; an adapter of this model at most {most}")
            with safe_open(file.path, framework="pt") as opened:
                return Weights.of({name: self._pair(opened, name, scale) for name, scale in file.scales.items()})
        except (OSError, SafetensorError) as error:
            raise InvalidAdapterError(f"the weights cannot be read: {error}") from error

    @torch.inference_mode()
    def add(self, name: str, weights: Weights) -> None:
        """Have requests find an adapter under a name.

        Raises:
            InvalidAdapterError: The name is taken, or all slots are.
        """
        if name in self._slots:
            raise InvalidAdapterError(f"an adapter named {name!r} is loaded already")
        if not self._free:
            raise InvalidAdapterError(f"{self._max_adapters} adapters are loaded already; unload one of them first")
        slot = self._free.pop(0)
        try:
            self.put(slot, weights.pairs)
        except BaseException:  # of memory
            self._clear(slot)
            raise
        self._slots[name], self._salts[name] = slot, weights.salt

    @property
    def shapes(self) -> dict[str, tuple[int, int]]:
        """Return outputs and inputs of each product, by its name in the model."""
        return {name: (stack.outputs, stack.inputs) for name, stack in self._stacks.items()}

    def pairs_of(self, slot: int) -> Pairs:
        """Return copies of the matrices of a slot, in float32; none for `NO_ADAPTER`."""
        found = {name: stack.pair(slot) for name, stack in self._stacks.items()}
        return {name: pair for name, pair in found.items() if len(pair[0])}

    @torch.inference_mode()
    def put(self, slot: int, pairs: Pairs) -> None:
        """Store or replace the adapter of a slot."""
        for product, pair in pairs.items():
            self._stacks[product].put(slot, *(each.to(self._device, self._dtype) for each in pair))

    def clear(self, slot: int) -> None:
        """Forget the adapter of a slot."""
        for stack in self._stacks.values():
            stack.clear(slot)

    def assign(self, sequence: Sequence) -> None:
        """Give a new text the slot of its adapter, and a salt that shares no block with other adapters.

        Raises:
            AdapterNotFoundError: There is no adapter of this name.
        """
        name = sequence.request.adapter
        if name is not None:
            if name not in self._slots:
                raise AdapterNotFoundError(f"the adapter {name!r} is not loaded")
            sequence.adapter, sequence.salt = self._slots[name], self._salts[name] + sequence.salt

    def remove(self, name: str, when_removed: Callable[[], None]) -> None:
        """Refuse new texts of an adapter; its slot is free once those under way have ended, see `release`.

        Raises:
            AdapterNotFoundError: There is no adapter of this name.
        """
        if name not in self._slots:
            raise AdapterNotFoundError(f"the adapter {name!r} is not loaded")
        del self._salts[name]
        self._leaving.append((self._slots.pop(name), when_removed))

    def release(self, sequences: Iterable[Sequence]) -> None:
        """Free the slots of removed adapters that none of these texts has."""
        if not self._leaving:
            return
        used, leaving = {each.adapter for sequence in sequences for each in sequence.ensemble}, self._leaving
        self._leaving = [each for each in leaving if each[0] in used]
        for slot, when_removed in leaving:
            if slot not in used:
                self._clear(slot)
                when_removed()

    def begin(self, slots: Indices, there: Tensor) -> None:
        """Begin a step. Args: slots: Of each row, -1: none; there: The same on the device. Shapes: [rows] or [0]."""
        self.step = None
        own = slots[slots >= 0]
        if len(own):
            first, stop = int(own.min()), int(own.max()) + 1
            self.step = _Step(first, stop, there[:, None] != torch.arange(first, stop, device=self._device))

    def keep(self, rows: Tensor) -> None:
        """Go on with some rows of the step. Shapes: [kept rows]."""
        if self.step is not None:
            self.step = _Step(self.step.first, self.step.stop, self.step.others.index_select(0, rows))

    def _adapted(self, shapes: Shapes, product: Linear) -> Linear:
        """See `Decoder.adapt`."""
        parts, first = list[tuple[slice, _Stack]](), 0
        for name, (outputs, inputs) in shapes.items():
            self._stacks[name] = stack = _Stack(outputs, inputs)
            parts.append((slice(first, first + outputs), stack))
            first += outputs

        def adapted(rows: Tensor) -> Tensor:
            out = product(rows)
            if self.step is not None:
                for span, stack in parts:
                    stack.add_to(out[:, span], rows, self.step)
            return out

        return adapted

    def _pair(self, opened: Any, name: str, scale: float) -> tuple[Tensor, Tensor]:
        stack = self._stacks.get(name)
        if stack is None:
            known = sorted({known.rpartition(".")[2] for known in self._stacks})
            raise InvalidAdapterError(f"{name} is no product that adapters of this model change; {known} are")
        a, b = (opened.get_slice(f"{PREFIX}{name}.lora_{part}.weight") for part in "AB")
        shapes, types = (list(a.get_shape()), list(b.get_shape())), {a.get_dtype(), b.get_dtype()}
        rank = shapes[0][0] if shapes[0] else 0
        if shapes != ([rank, stack.inputs], [stack.outputs, rank]):
            raise InvalidAdapterError(
                f"the matrices of {name} are {shapes[0]} and {shapes[1]}; they must be [rank, {stack.inputs}] and "
                f"[{stack.outputs}, rank] for this model"
            )
        if not 1 <= rank <= self._max_rank:
            raise InvalidAdapterError(f"the rank of {name} is {rank}; this server takes 1 to {self._max_rank}")
        if not types.issubset(TYPES):
            raise InvalidAdapterError(f"the matrices of {name} are {sorted(types)}; {', '.join(TYPES)} are read")
        pair = a[:].float(), b[:].float().t() * scale
        made = [each.to(self._device, self._dtype) for each in pair]
        if not all(math.isfinite(float(each.abs().max())) for each in made):
            raise InvalidAdapterError(f"the matrices of {name} hold numbers that are not finite in {self._dtype}")
        return made[0], made[1]

    def _clear(self, slot: int) -> None:
        self.clear(slot)
        self._free = sorted((*self._free, slot))


class _Stack:
    """The matrices of all adapters for one product; none until an adapter changes it."""

    def __init__(self, outputs: int, inputs: int) -> None:
        self.outputs, self.inputs = outputs, inputs
        self._a = self._b = torch.empty((0, 0, 0))

    def put(self, slot: int, a: Tensor, b: Tensor) -> None:
        """Store the matrices of a slot. Shapes: a [rank, inputs], b [rank, outputs]."""
        slots, rank = max(slot + 1, len(self._a)), max(len(a), self._a.shape[1])
        if (slots, rank) != self._a.shape[:2]:
            self._a, self._b = (
                _grown(old, (slots, rank, new.shape[1]), new) for old, new in ((self._a, a), (self._b, b))
            )
        self._a[slot, : len(a)], self._b[slot, : len(b)] = a, b

    def pair(self, slot: int) -> tuple[Tensor, Tensor]:
        """Return copies of the matrices of a slot, in float32 and without the zeros that fill them up."""
        a, b = (each[slot : slot + 1].flatten(0, 1) for each in (self._a, self._b))
        used = a.any(1) & b.any(1)
        return a[used].float(), b[used].float()

    @torch.inference_mode()
    def clear(self, slot: int) -> None:
        """Forget the matrices of a slot."""
        if slot < len(self._a):
            self._a[slot].zero_()
            self._b[slot].zero_()
            if not self._b.any():
                self._a = self._b = torch.empty((0, 0, 0))

    def add_to(self, out: Tensor, rows: Tensor, step: _Step) -> None:
        """Add what each row's adapter adds. Shapes: out [rows, outputs], rows [rows, inputs]."""
        a, b = self._a[step.first : step.stop], self._b[step.first : step.stop]
        slots, rank = a.shape[:2]
        if slots:
            hidden = (rows @ a.flatten(0, 1).t()).view(len(rows), slots, rank)
            hidden.masked_fill_(step.others[:, :slots, None], 0)
            out.addmm_(hidden.flatten(1), b.flatten(0, 1))


def _grown(old: Tensor, shape: tuple[int, int, int], like: Tensor) -> Tensor:
    """Return a stack with room for more, filled up with zeros."""
    new = like.new_zeros(shape)
    if old.numel():
        new[: old.shape[0], : old.shape[1]] = old
    return new
