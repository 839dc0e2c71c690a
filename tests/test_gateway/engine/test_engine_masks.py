"""What fills the masks of a step: the same function whether all succeed or one fails."""

import numpy as np

from gateway.engine.masks import ALL, MaskFiller


class Numbered:
    """A constraint known by a number."""

    def __init__(self, number: int) -> None:
        self.number = number

    def fill_mask(self, row, tokens_left=None):
        raise AssertionError("the function for many is there")


def fill(constraints, rows, tokens_left):
    """Write the number of each; 2 fails, and half of its mask is written by then."""
    for constraint, row, left in zip(constraints, rows, tokens_left, strict=True):
        row[:] = constraint.number + (left or 0)
        if constraint.number == 2:
            raise ValueError("two")


def test_masks_beside_one_that_fails_are_those_that_would_have_been_without_it():
    filler = MaskFiller(70, 4, fill, overlap=False)
    rows = np.zeros((3, 3), dtype=np.uint32)
    failures = filler._fill([Numbered(1), Numbered(2), Numbered(3)], rows, [None, 4, 5])
    assert rows[:, 0].tolist() == [1, ALL, 8]
    assert list(failures) == [1]
    assert "ValueError('two')" in str(failures[1])
