"""Caches bounded by bytes: what grows after it was put in counts as well."""

from __future__ import annotations

from dataclasses import dataclass

from grammars.weighted import ANSWERS, WeightedCache, remembered


@dataclass(eq=False)
class Growing:
    num_bytes: int


def _cache(max_bytes: int) -> WeightedCache[int, Growing]:
    return WeightedCache(max_bytes, 100, lambda value: value.num_bytes)


def test_the_least_recently_used_go_first():
    cache = _cache(10_000)
    for key in range(3):
        cache.put(key, Growing(3_000))
    assert cache.get(0) is not None
    cache.put(3, Growing(3_000))
    assert [cache.get(key) is not None for key in range(4)] == [True, False, True, True]


def test_values_that_grow_after_they_were_put_in_are_dropped():
    cache, values = _cache(10_000), [Growing(100) for _ in range(9)]
    for key, value in enumerate(values):
        cache.put(key, value)
    values[8].num_bytes = 11_000
    cache.put(9, Growing(100))
    assert cache.get(8) is None
    # Also one that nobody asked for since.
    values[3].num_bytes = 11_000
    for key in range(10, 14):
        cache.put(key, Growing(100))
    assert cache.get(3) is None
    assert cache.num_bytes < 10_000


def test_answers_of_one_function_are_forgotten_alone():
    calls = []

    @remembered()
    def twice(number: int) -> int:
        calls.append(number)
        return 2 * number

    @remembered()
    def thrice(number: int) -> int:
        calls.append(-number)
        return 3 * number

    assert [twice(1), twice(1), thrice(1), thrice(1)] == [2, 2, 3, 3]
    before = ANSWERS.num_bytes
    twice.cache_clear()
    assert 0 < ANSWERS.num_bytes < before
    assert [twice(1), thrice(1)] == [2, 3]
    assert calls == [1, -1, 1]
