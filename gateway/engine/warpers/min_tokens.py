"""No end before a number of tokens."""

from __future__ import annotations

import numpy as np

from gateway.engine.sequence import Sequence
from gateway.engine.warpers.bans import NONE, Ban, TokenIds


class MinTokens(Ban):
    """End-of-sequence and stop tokens out of reach until `min_tokens`."""

    @staticmethod
    def concerns(sequence: Sequence) -> bool:
        """See `Ban.concerns`."""
        return sequence.num_output < sequence.sampling.min_tokens

    def banned(self, sequence: Sequence, tail: list[int]) -> TokenIds:
        """See `Ban.banned`."""
        sampling = sequence.sampling
        if sequence.num_output + len(tail) >= sampling.min_tokens:
            return NONE
        # A constrained text ends with the end of sequence, whatever `ignore_eos` says.
        may_end = sequence.constraint is not None or not sampling.ignore_eos
        ends = set(sampling.stop_token_ids).union(self._context.eos_token_ids if may_end else ())
        return np.array([token for token in ends if token < self._context.vocab_size], dtype=np.int64)
