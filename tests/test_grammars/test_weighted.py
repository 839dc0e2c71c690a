from __future__ import annotations

import threading

import pytest

from grammars.weighted import WeightedCache, remembered


class _Growing:
    def __init__(self, num_bytes: int) -> None:
        self.num_bytes = num_bytes


def _cache(max_bytes: int = 10_000, max_entries: int = 3) -> WeightedCache[str, _Growing]:
    return WeightedCache(max_bytes, max_entries, lambda value: value.num_bytes)


def test_cache_drops_the_one_asked_for_least_recently() -> None:
    cache = _cache()
    for key in "abc":
        cache.put(key, _Growing(1))
    assert cache.get("a") is not None
    cache.put("d", _Growing(1))
    assert [key for key in "abcd" if cache.get(key) is not None] == ["a", "c", "d"]


def test_cache_weighs_values_that_grew_after_they_were_asked_for() -> None:
    cache = _cache()
    first = _Growing(1)
    cache.put("a", first)
    cache.put("b", _Growing(1))
    before = cache.num_bytes
    assert cache.get("a") is first
    first.num_bytes = 5_000
    cache.put("c", _Growing(1))
    assert cache.num_bytes > before + 4_999
    first.num_bytes = 20_000
    assert cache.get("a") is first
    cache.put("d", _Growing(1))
    assert cache.get("a") is None
    assert cache.num_bytes < 5_000


def test_cache_replaces_a_value_and_its_weight() -> None:
    cache = _cache()
    cache.put("a", _Growing(5_000))
    cache.put("a", _Growing(1))
    assert len(cache) == 1
    assert cache.num_bytes < 5_000


def test_cache_is_empty_after_clear() -> None:
    cache = _cache()
    cache.put("a", _Growing(1))
    assert cache.get("a") is not None
    cache.clear()
    assert (len(cache), cache.num_bytes, cache.get("a")) == (0, 0, None)
    cache.put("b", _Growing(1))
    assert len(cache) == 1


@pytest.mark.parametrize("num_threads", [4])
def test_cache_stays_within_its_bounds_under_threads(num_threads: int) -> None:
    @remembered(max_bytes=4_000, max_entries=16)
    def square(number: int) -> tuple[int, str]:
        return number * number, "x" * number

    wrong: list[int] = []

    def ask(seed: int) -> None:
        for step in range(2_000):
            number = (seed * 7 + step * step) % 40
            if square(number) != (number * number, "x" * number):
                wrong.append(number)

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(num_threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert 0 < square.num_bytes <= 4_000
