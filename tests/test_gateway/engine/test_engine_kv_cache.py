"""The memory of keys and values."""

import re
from pathlib import Path

import pytest
import torch
from engine_models import LEAN, make_model
from engine_runs import eager, make_engine, make_request, random_prompts, run_checked, tokens_of

from gateway.engine.errors import InvalidEngineConfigError
from gateway.engine.kv_cache import LayerCache, from_fp8, to_fp8

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
    keys, values = cache.read(torch.tensor([5]), 1, dtype)
    assert keys.sum() == values.sum() == HEADS * SIZE
    assert cache.pools[0].count_nonzero() == 2 * HEADS * SIZE


@pytest.mark.parametrize("name", [*LEAN, "gemma3"])
def test_memory_is_taken_when_the_model_is_loaded(name):
    engine = make_engine(name, num_blocks=8)
    layers = engine._cache._layers
    pools = {index: cache.pools for index, cache in layers.items()}
    taken = sum(pool.nbytes for cache in layers.values() for pool in cache.pools)
    assert taken == (8 + 1) * engine._cache.bytes_per_block > 0  # one is for graphs
    engine.generate([make_request(0, [3, 4])])
    assert {index: cache.pools for index, cache in layers.items()} == pools


def test_more_memory_than_there_is_is_refused_at_load():
    with pytest.raises(InvalidEngineConfigError, match="bytes of memory"):
        make_engine(num_blocks=1 << 50)


def exact_fp8(number):
    """The nearest of all floats of eight bits, even in a tie, found among all."""
    known = sorted({float(each) for each in from_fp8(torch.arange(127, dtype=torch.uint8), torch.float64)})
    nearest = min(abs(abs(number) - each) for each in known)
    found = [place for place, each in enumerate(known) if abs(abs(number) - each) == nearest]
    return known[found[0] if found[0] % 2 == 0 else found[-1]] * (-1 if number < 0 else 1)


def test_fp8_is_the_nearest_float_of_eight_bits():
    numbers = torch.randn(2000, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    numbers = (numbers * 2.0 ** (torch.arange(2000) % 24 - 13)).float()
    ties = torch.tensor([0.0, 2**-10, 3 * 2**-10, 2**-11, 2**-6, 1.0625, 1.1875, 432.0, 448.0, 449.0, 1e9, -500.0])
    numbers = torch.cat((numbers, ties, -ties))
    got = from_fp8(to_fp8(numbers), torch.float32)
    assert got.tolist() == [exact_fp8(float(number)) for number in numbers]
    none = torch.tensor([float("nan"), float("inf"), -float("inf")])
    assert from_fp8(to_fp8(none), torch.bfloat16).isnan().all()


@pytest.mark.parametrize(
    ("name", "decoder", "attention"),
    [("qwen3", "lean", "compiled"), ("qwen3", "lean", "sdpa"), ("gemma2", "transformers", "compiled")],
)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_answers_of_eight_bits_are_the_same_whatever_blocks_are_shared_or_lost(
    name, decoder, attention, dtype, monkeypatch
):
    """Each answer is what it is alone: beside others, from the prefix cache, in a group and preempted."""
    eager(monkeypatch)
    prompts = random_prompts(1, [5, 23, 50, 7, 1, 16])

    def engine(num_blocks):
        made = make_engine(
            model=make_model(name), kv_cache_dtype="fp8", decoder=decoder, dtype=dtype, num_blocks=num_blocks,
            check_model=True, speculation=("ngram",), attention_backend=attention,
        )  # fmt: skip
        assert made._builder.attention.name == attention
        assert made._cache.bytes_per_block * 8 == make_engine(name)._cache.bytes_per_block * 2
        return made

    alone = []
    for prompt in prompts:
        events = run_checked(engine(64), [make_request(0, prompt)])
        alone.append(tokens_of(events["0"]))
        assert len(alone[-1]) == 12
    together = engine(20)
    for _ in range(2):
        events = run_checked(together, [make_request(i, prompt) for i, prompt in enumerate(prompts)])
        got = [tokens_of(events[str(i)]) for i in range(len(prompts))]
        assert got == alone if dtype == "float32" else all(len(each) == 12 for each in got)
    assert together.stats().num_preemptions > 0
    group = run_checked(together, [make_request(i, prompts[1], group="one") for i in range(3)])
    assert dtype != "float32" or [tokens_of(events) for events in group.values()] == [alone[1]] * 3


def test_eight_bits_make_twice_the_blocks_of_bfloat16():
    sizes = {"num_blocks": None, "kv_memory_bytes": 1 << 20, "dtype": "bfloat16"}
    blocks = [make_engine(**sizes, kv_cache_dtype=kind).stats().num_blocks for kind in ("auto", "fp8")]
    assert blocks[1] == 2 * blocks[0]


@pytest.mark.parametrize(
    "options", [{"sparse_attention_tokens": 64}, {"decoder": "one_by_one"}, {"kv_cache_dtype": "f8"}]
)
def test_what_reads_no_eight_bits_is_refused_by_name(options):
    with pytest.raises(InvalidEngineConfigError, match=r"eight bits|kv_cache_dtype"):
        make_engine(**({"kv_cache_dtype": "fp8"} | options))
