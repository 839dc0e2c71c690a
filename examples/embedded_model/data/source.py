"""Seeded randomness that knows which side of the held-out split it draws for."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

Split = Literal["train", "heldout"]
T = TypeVar("T")

HELDOUT_SHARE = 8
"""One in this many values and tool combinations belongs to the evaluation."""


def side_of(text: str) -> Split:
    """The side of the split that `text` belongs to, by its checksum: no text is on both."""
    return "heldout" if zlib.crc32(text.encode()) % HELDOUT_SHARE == 0 else "train"


class Source(random.Random):
    """A random generator for one sample; equal `(seed, split, index)` give equal draws."""

    def __init__(self, seed: int, split: Split, index: int) -> None:
        super().__init__(f"{seed}:{split}:{index}")
        self.split = split

    def fresh(self, draw: Callable[[], str]) -> str:
        """A value of `draw` that lies on this source's side of the split."""
        for _ in range(400):
            value = draw()
            if side_of(value) == self.split:
                return value
        raise RuntimeError("the generator has no value on this side of the split")

    def pick(self, options: Sequence[T]) -> T:
        """Return an option, drawn uniformly."""
        return options[int(self.random() * len(options))]

    def chance(self, probability: float) -> bool:
        """True with the given probability."""
        return self.random() < probability
