"""Checks: what must hold of the text at a place of the network, where an automaton cannot say it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

# How a check is evaluated. Kernels know UNIQUE_STRING themselves; ASKED ones are predicates in Python, and so are
# UNIQUE_ITEM ones where no string ends, and UNIQUE_CLOSED ones, of which kernels know that after a string they hold
# unless it is one that was there.
ASKED, UNIQUE_STRING, UNIQUE_ITEM, UNIQUE_CLOSED, STRING_OF_FEW = range(5)

Predicate = Callable[[bytes], bool]
_FACTORIES: dict[str, Callable[[str], Predicate]] = {}

# The stack of a thread that looks at deep values, which costs what is used of it.
_FRAMES_A_LEVEL, _BYTES_A_FRAME, _MOST_STACK = 12, 1024, 1 << 30
_DEEP = threading.Lock()


@dataclass(frozen=True, slots=True)
class Check:
    """A predicate on the text up to where the check stands.

    Attributes:
        name: of the kind; `register` says how to make the predicate from `data`.
        data: everything that the predicate depends on, as text.
        predicate: whether the check holds after this text; None for checks that kernels evaluate themselves.
        kind: how it is evaluated.
        num_bytes: memory that the predicate holds, beside that of the network's other checks, roughly.
    """

    name: str
    data: str = ""
    predicate: Predicate | None = field(default=None, compare=False)
    kind: int = field(default=ASKED, compare=False)
    num_bytes: int = field(default=0, compare=False)


UNIQUE = Check("unique-string", kind=UNIQUE_STRING)
"""The JSON string that ends here equals no earlier one at its level: no earlier name of its object, and no earlier
item of its array. Strings are compared as they are spelled."""


UNIQUE_OF_FEW = Check("unique-string-of-few", kind=STRING_OF_FEW)
"""The same of strings that can all have been there, see `kernels.dead_ends`."""


def kinds_of(checks: Iterable[Check]) -> NDArray[np.int32]:
    """Return the kind of evaluation of each check."""
    return np.array([check.kind for check in checks], dtype=np.int32)


def register(name: str, factory: Callable[[str], Predicate]) -> None:
    """Makes checks of this name known to `restored`."""
    _FACTORIES[name] = factory


def restored(name: str, data: str) -> Check:
    """The check with this name and data.

    Raises:
        ValueError: no such check is known.
    """
    for check in (UNIQUE, UNIQUE_OF_FEW):
        if name == check.name:
            return check
    if name not in _FACTORIES:
        raise ValueError(f"no check is named {name!r}")
    return Check(name, data, _FACTORIES[name](data))


def holds_after(predicate: Predicate, text: bytes, is_deep: bool = False) -> bool:
    """Return the predicate's answer about the text, in a thread with a larger stack where that is needed.

    False for a text that is too deep even for that.
    """
    try:
        return predicate(text)
    except RecursionError:
        if is_deep:
            return False
    levels, answers = text.count(b"[") + text.count(b"{") + sys.getrecursionlimit(), list[bool]()
    with _DEEP:
        most = min(_FRAMES_A_LEVEL * levels, _MOST_STACK // _BYTES_A_FRAME)
        before = threading.stack_size(most * _BYTES_A_FRAME), sys.getrecursionlimit()
        sys.setrecursionlimit(most)
        try:
            thread = threading.Thread(target=lambda: answers.append(holds_after(predicate, text, True)))
            thread.start()
            thread.join()
        finally:
            threading.stack_size(before[0])
            sys.setrecursionlimit(before[1])
    return answers == [True]
