"""The rows of scores that tokens are sampled from, as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np
from numpy.typing import NDArray

from gateway.engine.protocols import Budgeted, TokenConstraint
from gateway.engine.sequence import Sequence

Indices = NDArray[np.int64]


def ranges(starts: Indices, counts: Indices) -> Indices:
    """Return `counts` consecutive numbers from each start, one range after another.

    Shapes: [n], [n]; returns [sum of counts].
    """
    before = counts.cumsum() - counts
    numbers: Indices = np.arange(counts.sum()) + (starts - before).repeat(counts)
    return numbers


class SamplingRows:
    """A row for the next token of each sequence, followed by one for each token of its draft.

        rows       | a | b0 b1 b2 | c | ...      b has a draft of two tokens
        starts       0   1          4
        positions    0   0  1  2    0

    Attributes:
        sequences: Whose rows they are.
        drafts: The tokens of those that have a draft.
        starts, counts: The first row of each sequence, and how many it has. Shapes: [sequences].
        owners: The sequence of each row. Shapes: [rows].
        positions: Number of draft tokens before each row. Shapes: [rows].
        states: The constraint of each row after those tokens, a fork except in the first row of a sequence;
            None where there is none.
        unknown: Rows whose state could not be found, as the constraint refuses the draft. No text may come there.
        mask_rows: Which of `MaskFiller.rows` is each row's own, once masks are filled; -1: none. Shapes: [rows].
    """

    __slots__ = ("counts", "drafts", "mask_rows", "owners", "positions", "sequences", "starts", "states", "unknown")

    def __init__(self, sequences: list[Sequence], drafts: Mapping[Sequence, list[int]] | None = None) -> None:
        self.sequences = sequences
        self.drafts = drafts or {}
        self.unknown: set[int] = set()
        self.starts: Indices = np.arange(len(sequences))
        self.states: list[TokenConstraint | None] = [sequence.constraint for sequence in sequences]
        if drafts:
            self.counts: Indices = np.array([1 + len(drafts.get(sequence, ())) for sequence in sequences])
            self.owners: Indices = self.starts.repeat(self.counts)
            self.starts = self.counts.cumsum() - self.counts
            self.positions: Indices = np.arange(len(self.owners)) - self.starts[self.owners]
            self._follow_drafts()
        else:
            self.owners = self.starts
            self.counts, self.positions = np.ones_like(self.starts), np.zeros_like(self.starts)
        self.mask_rows: Indices = np.full(len(self.owners), -1)

    def __len__(self) -> int:
        return len(self.owners)

    def tail(self, row: int) -> list[int]:
        """Return the tokens of the draft before a row."""
        position = int(self.positions[row])
        return self.drafts[self.sequences[self.owners[row]]][:position] if position else []

    def may_be_steered(self, owners: list[int]) -> list[int]:
        """The rows of budgeted sequences whose masks the budget may have left tokens out of."""
        found = [int(self.starts[owner]) for owner in owners if self.sequences[owner].may_be_steered]
        for owner in owners if self.drafts else ():
            sequence, first = self.sequences[owner], int(self.starts[owner])
            states = self.states[first : first + int(self.counts[owner])] if not sequence.is_steered else []
            for position, state in enumerate(states):
                # The fork of a budgeted constraint is one.
                if (
                    position > 0
                    and state is not None
                    and cast(Budgeted, state).is_narrowed_by(sequence.tokens_left - position)
                ):
                    found.append(first + position)
        return found

    def num_short_masks(self, sequence: Sequence, row: int) -> int:
        """1 if the mask of a row took too long and lacks tokens, which the constraint itself does not know of."""
        if sequence.budgeted is None:
            return 0
        return int(cast(Budgeted, self.states[row]).num_short_masks > sequence.budgeted.num_short_masks)

    def rows_of(self, owners: Indices) -> tuple[Indices, Indices]:
        """Return all rows of these sequences, which may repeat, and the entry that each row belongs to.

        Shapes: owners [n]; returns two of [m].
        """
        if not self.drafts:
            return owners, np.arange(len(owners))
        counts = self.counts[owners]
        return ranges(self.starts[owners], counts), np.arange(len(owners)).repeat(counts)

    def _follow_drafts(self) -> None:
        """Find the states after each token of the drafts."""
        states: list[TokenConstraint | None] = []
        for sequence, state in zip(self.sequences, self.states, strict=True):
            states.append(state)
            for token in self.drafts.get(sequence, ()):
                state = None if state is None else _after(state, token)
                if state is None and sequence.constraint is not None:
                    self.unknown.add(len(states))
                states.append(state)
        self.states = states


def _after(state: TokenConstraint, token: int) -> TokenConstraint | None:
    """Return a fork after one more token; None where the constraint refuses it, or raises."""
    try:
        state = state.fork()
        return state if state.accept(token) else None
    except Exception:
        return None
