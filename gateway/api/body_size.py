"""How much a body holds, counted before anything is made of it."""

from __future__ import annotations

import numpy as np

from gateway.errors import InvalidRequestError

MAX_CONTAINERS = 50_000
"""Objects and arrays of a body."""
MAX_MEMBERS = 100_000
"""Members of all its objects."""
MAX_VALUES = 500_000
"""Values of all its objects and arrays: a prompt of token ids may have as many."""

_LIMITS = (
    (b"{[", MAX_CONTAINERS, "objects and arrays"),
    (b":", MAX_MEMBERS, "members of objects"),
    (b",", MAX_VALUES, "values"),
)


def check_body(body: bytes) -> None:
    """Return if a body holds as much as is read at once. Cost: some ns a byte; 4 MB take a few ms.

    Raises:
        InvalidRequestError: It holds more; says what and how much.
    """
    if not any(_count(body, marks) > most for marks, most, _ in _LIMITS):
        return
    # Only now what stands in strings is told apart: the quotes that no escape stands before begin and end them.
    plain = np.frombuffer(body.replace(b"\\\\", b"").replace(b'\\"', b""), dtype=np.uint8)
    is_outside = ~np.bitwise_xor.accumulate(plain == ord('"'))
    for marks, most, what in _LIMITS:
        count = sum(int(np.count_nonzero((plain == mark) & is_outside)) for mark in marks)
        if count > most:
            raise InvalidRequestError(f"the body holds {count} {what}; at most {most} are read")


def _count(body: bytes, marks: bytes) -> int:
    return sum(body.count(mark) for mark in marks)
