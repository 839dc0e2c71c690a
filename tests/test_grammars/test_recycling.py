"""Memory of arenas that went is kept for the next ones, within one bound for all forms."""

from __future__ import annotations

import pytest

from grammars import Compiler, Regex, Vocabulary
from grammars.kernels import recycling
from grammars.kernels.arena import memories_of
from grammars.kernels.recycling import Form, Memories
from grammars.limits import DEFAULT_LIMITS


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [256])


def _given_back(memories: Memories, form: Form, used: list[int]) -> None:
    for memory, number in [(memories.new(form), number) for number in used]:
        memories.give_back(memory, form, number)


def _held(memories: Memories, form: Form) -> list[int]:
    """Bytes that were used of each memory that is kept, the one kept last first."""
    kept = iter(lambda: memories.take(form), None)
    return [memory.touched for memory in kept]


def test_form_that_holds_most_gives_way(vocabulary):
    memories = memories_of(vocabulary, DEFAULT_LIMITS)
    _given_back(memories, Form.GUARDED, [1000, 2000])
    _given_back(memories, Form.PLAIN, [recycling._MAX_USED_BYTES] * 20)
    plain = _held(memories, Form.PLAIN)
    assert 5 <= len(plain) < 20
    assert sum(plain) <= recycling._MAX_KEPT_BYTES
    assert _held(memories, Form.GUARDED) == [2000, 1000]


def test_few_are_kept_and_none_that_is_large(vocabulary):
    memories = memories_of(vocabulary, DEFAULT_LIMITS)
    _given_back(memories, Form.PLAIN, [*range(1, 40), recycling._MAX_USED_BYTES + 1])
    assert _held(memories, Form.PLAIN) == [*range(39, 39 - recycling._MAX_KEPT, -1)]


def test_constraint_gets_the_memory_of_one_that_went(vocabulary):
    compiler = Compiler(vocabulary)
    compiler._memories = memories_of(vocabulary, DEFAULT_LIMITS)
    first = compiler.compile(Regex("a+"))
    counters = first.arena.counters.obj.ctypes.data
    compiler._cache.clear()
    del first
    assert compiler.compile(Regex("b+")).arena.counters.obj.ctypes.data == counters
