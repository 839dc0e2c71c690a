"""The memory of keys and values."""

import re
from pathlib import Path

import pytest
import torch
from engine_models import LEAN, make_engine, make_request

from gateway.engine.errors import InvalidEngineConfigError
from gateway.engine.kv_cache import LayerCache

NUM_BLOCKS, BLOCK_SIZE, HEADS, SIZE = 4096, 16, 4, 64


def resident_bytes() -> int:
    found = re.search(r"^Rss:\s+(\d+) kB", Path("/proc/self/smaps_rollup").read_text(), re.MULTILINE)
    assert found is not None
    return int(found[1]) * 1024


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_memory_follows_use_and_is_zero_before(dtype):
    cache = LayerCache(NUM_BLOCKS, BLOCK_SIZE)
    one = torch.ones(1, HEADS, SIZE, dtype=dtype)
    before = resident_bytes()
    cache.write(torch.tensor([5 * BLOCK_SIZE + 3]), one, one)
    pool_bytes = cache.bytes_per_block * NUM_BLOCKS
    assert pool_bytes == NUM_BLOCKS * BLOCK_SIZE * 2 * HEADS * SIZE * one.element_size()
    assert resident_bytes() - before < pool_bytes / 8
    keys, values = cache.read(torch.tensor([5]), 1)
    assert keys.sum() == values.sum() == HEADS * SIZE
    assert cache.pools[0].count_nonzero() == 2 * HEADS * SIZE


@pytest.mark.parametrize("name", [*LEAN, "gemma3"])
def test_memory_is_taken_when_the_model_is_loaded(name):
    engine = make_engine(name, num_blocks=8)
    layers = engine._cache._layers
    pools = {index: cache.pools for index, cache in layers.items()}
    assert (
        sum(pool.nbytes for cache in layers.values() for pool in cache.pools) == 8 * engine._cache.bytes_per_block > 0
    )
    engine.generate([make_request(0, [3, 4])])
    assert {index: cache.pools for index, cache in layers.items()} == pools


def test_more_memory_than_there_is_is_refused_at_load():
    with pytest.raises(InvalidEngineConfigError, match="bytes of memory"):
        make_engine(num_blocks=1 << 50)
