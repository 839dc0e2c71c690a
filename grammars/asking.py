"""Guards' predicates, asked of texts whose values may be nested however deep."""

from __future__ import annotations

import sys
import threading

from grammars.network.guards import Predicate

# The stack of a thread that looks at deep values, which costs what is used of it.
_FRAMES_A_LEVEL, _BYTES_A_FRAME, _MOST_STACK = 12, 1024, 1 << 30
_DEEP = threading.Lock()


def holds_after(predicate: Predicate, text: bytes, is_deep: bool = False) -> bool:
    """What the predicate says of the text; where the stack is too small for that, in a thread with a larger one.

    Of what is too deep even for that it does not hold.
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
