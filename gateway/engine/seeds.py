"""Random numbers that depend on a request's seed and the token's number, and on nothing else.

A generator with a state would tie a request's tokens to who else was in the batch, or to being preempted.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11))
FACTORS = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


class Stream(IntEnum):
    """Purpose of a random number. Numbers of two streams are independent, even with equal seed and token.

    Each decision about a token has its own stream, so that a draft does not predict its acceptance.
    """

    DRAW = 0  # the token itself, or the one in place of a refused draft
    ACCEPT = 1  # acceptance of a draft
    DRAFT = 2  # the draft


def uniforms(
    seeds: NDArray[np.uint64], counters: NDArray[np.uint64], stream: Stream = Stream.DRAW
) -> NDArray[np.float64]:
    """Return a number in [0, 1) for each pair: the `counter`-th output of SplitMix64 started at the mixed seed.

    See: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators" (OOPSLA 2014).
    """
    start = _mix(seeds + GOLDEN)
    if stream != Stream.DRAW:
        start = _mix(start ^ np.uint64(stream))
    mixed = _mix(start + GOLDEN * (counters + np.uint64(1)))
    return (mixed >> SHIFTS[3]).astype(np.float64) * 2.0**-53


def _mix(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    x = (x ^ (x >> SHIFTS[0])) * FACTORS[0]
    x = (x ^ (x >> SHIFTS[1])) * FACTORS[1]
    return x ^ (x >> SHIFTS[2])
