from __future__ import annotations

import threading
import weakref

from grammars.byte_bounded_cache import ByteBoundedCache, remembered


class _Growing:
    def __init__(self, num_bytes: int) -> None:
        self.num_bytes = num_bytes


def _cache(max_bytes: int = 10_000, max_entries: int = 3) -> ByteBoundedCache[str, _Growing]:
    return ByteBoundedCache(max_bytes, max_entries, lambda value: value.num_bytes)


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
    # One is weighed in turn whenever another comes: it may be another's turn first.
    for key in "def":
        cache.put(key, _Growing(1))
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


def test_cache_weighs_others_in_turn() -> None:
    cache = _cache(max_entries=8)
    first = _Growing(1)
    cache.put("a", first)
    first.num_bytes = 20_000
    for key in "bcdef":
        cache.put(key, _Growing(1))
    assert cache.get("a") is None
    assert cache.num_bytes < 5_000


def test_cache_drops_what_is_unwanted() -> None:
    cache = _cache(max_entries=8)
    for key in "abcd":
        cache.put(key, _Growing(100))
    cache.drop(lambda key: key in "ac")
    assert [key for key in "abcd" if cache.get(key) is not None] == ["b", "d"]
    assert cache.num_bytes < 1_000


def test_function_forgets_its_own_answers() -> None:
    calls = []

    @remembered()
    def double(number: int) -> int:
        calls.append(number)
        return 2 * number

    assert [double(3), double(3), calls] == [6, 6, [3]]
    double.cache_clear()
    assert [double(3), calls] == [6, [3, 3]]


def test_cache_stays_within_its_bounds_under_threads() -> None:
    cache: ByteBoundedCache[int, str] = ByteBoundedCache(4_000, 16, len, lambda _: False)
    wrong: list[int] = []

    def ask(seed: int) -> None:
        for step in range(2_000):
            number = (seed * 7 + step * step) % 40
            found = cache.get(number)
            if found is None:
                cache.put(number, "x" * number)
            elif found != "x" * number:
                wrong.append(number)

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert 0 < cache.num_bytes <= 4_000


def test_cache_lets_go_of_what_it_dropped() -> None:
    cache = _cache(max_entries=4)
    gone = []
    for key in "abcdefgh":
        value = _Growing(1)
        gone.append(weakref.ref(value))
        cache.put(key, value)
        del value
    assert [reference() is None for reference in gone] == [True] * 4 + [False] * 4


def test_cache_forgets_what_grew_and_was_dropped():
    cache = _cache(max_entries=2)
    for number in range(20):
        cache.put("abc"[number % 3], _Growing(1))
    assert len(cache._growing) <= 2 * len(cache)
