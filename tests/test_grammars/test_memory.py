"""Memory of arenas that went is kept for the next ones, within bounds."""

from __future__ import annotations

import numpy as np
import pytest

from grammars import Compiler, Regex, Vocabulary
from grammars.kernels import memory
from grammars.kernels.arena import memories_of
from grammars.kernels.memory import Memories
from grammars.limits import DEFAULT_LIMITS


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [256])


def _given_back(memories: Memories, used: list[int]) -> None:
    for given, number in [(memories.new(), number) for number in used]:
        memories.give_back(given, number)


def _held(memories: Memories) -> list[int]:
    """Bytes that were used of each memory that is kept, the one kept last first."""
    return [kept.touched for kept in iter(memories.take, None)]


def test_what_was_kept_longest_gives_way(vocabulary, monkeypatch):
    monkeypatch.setattr(memory, "_MAX_KEPT_BYTES", 5 << 20)
    memories = memories_of(vocabulary, DEFAULT_LIMITS)
    _given_back(memories, [memory._MAX_USED_BYTES] * 5 + [2000, 1000])
    held = _held(memories)
    assert held[:2] == [1000, 2000]
    assert 3 <= len(held) < 7
    assert sum(held) <= memory._MAX_KEPT_BYTES


def test_few_are_kept_and_none_that_is_large(vocabulary, monkeypatch):
    monkeypatch.setattr(memory, "_MAX_KEPT_BYTES", 1 << 30)
    memories = memories_of(vocabulary, DEFAULT_LIMITS)
    _given_back(memories, [*range(1, 40), memory._MAX_USED_BYTES + 1])
    assert _held(memories) == [*range(39, 39 - memory._MAX_KEPT, -1)]


def test_constraint_gets_the_memory_of_one_that_went(vocabulary):
    compiler = Compiler(vocabulary)
    compiler._memories = memories_of(vocabulary, DEFAULT_LIMITS)
    first = compiler.compile(Regex("a+"))
    counters = first.arena.counters.obj.ctypes.data
    compiler._cache.clear()
    del first
    assert compiler.compile(Regex("b+")).arena.counters.obj.ctypes.data == counters


def test_nothing_is_remembered_of_the_bottom_of_another_constraints_stacks(vocabulary):
    compiler = Compiler(vocabulary)
    compiler._memories = memories_of(vocabulary, DEFAULT_LIMITS)
    first = compiler.compile(Regex("[0-9]{1,30}[.]"))
    row = np.zeros(first.num_words, dtype=np.uint32)
    first.matcher().fill_mask(row)
    assert first.arena.arrays["stack_state"][0] != 0
    memory_of_first = first.arena.arrays["stack_state"].ctypes.data
    compiler._cache.clear()
    del first
    then = compiler.compile(Regex("b+")).arena.arrays["stack_state"]
    assert then.ctypes.data == memory_of_first
    assert then[0] == 0
