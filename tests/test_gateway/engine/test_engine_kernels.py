"""Compiled loops beside torch's operations: the same numbers, rounded at the same places."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.nn import functional
from transformers.models.llama.modeling_llama import LlamaRMSNorm

from gateway.engine.attention.compiled import NO_SINKS, NO_WINDOW
from gateway.engine.cpu_kernels import base as kernel_base
from gateway.engine.cpu_kernels import rows as kernels
from gateway.engine.inputs import bits
from gateway.engine.kv_cache import from_fp8
from gateway.engine.models.elementwise import CompiledElementwise, Elementwise, Norms

DTYPES = [torch.float32, torch.bfloat16]
EPS = 1e-5


def make_rows(dtype: torch.dtype, size: int = 12) -> tuple[Elementwise, Elementwise]:
    angles = torch.rand(40, size, generator=torch.Generator().manual_seed(9)) * 6
    norms = Norms(EPS, angles.cos().to(dtype), angles.sin().to(dtype))
    return CompiledElementwise(norms), Elementwise(norms)


def normal(*shape: int, seed: int = 0, dtype: torch.dtype = torch.float32) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed)).to(dtype)


def assert_close(got: Tensor, expected: Tensor) -> None:
    """Equal but for a last bit."""
    assert got.dtype == expected.dtype
    bound = {torch.float32: 2e-6, torch.bfloat16: 2**-7}[got.dtype]
    assert torch.allclose(got.double(), expected.double(), rtol=bound, atol=bound)


@pytest.mark.parametrize("num_rows", [0, 1, 3, 70])
@pytest.mark.parametrize("dtype", DTYPES)
def test_norm_is_that_of_the_stock_class(dtype: torch.dtype, num_rows: int) -> None:
    rows, weight = normal(num_rows, 33, dtype=dtype) * 5, normal(33, seed=1, dtype=dtype)
    stock = LlamaRMSNorm(33, EPS)
    stock.weight.data = weight
    for implementation in make_rows(dtype):
        assert_close(implementation.norm(rows, weight), stock(rows).detach())


@pytest.mark.parametrize("dtype", DTYPES)
def test_add_norm_adds_in_place(dtype: torch.dtype) -> None:
    rows, residual, weight = (normal(*shape, seed=i, dtype=dtype) for i, shape in enumerate([(5, 24), (5, 24), (24,)]))
    for implementation in make_rows(dtype):
        added = residual.clone()
        got = implementation.add_norm(rows, added, weight)
        assert torch.equal(added, residual + rows)
        assert_close(got, make_rows(dtype)[1].norm(residual + rows, weight))


@pytest.mark.parametrize("is_normed", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
def test_rotate_turns_the_first_heads_in_place(dtype: torch.dtype, is_normed: bool) -> None:
    compiled, plain = make_rows(dtype)
    heads = normal(7, 5, 12, dtype=dtype)
    positions = torch.tensor([0, 39, 3, 3, 17, 1, 2])
    weight = normal(3, 12, seed=1, dtype=dtype) if is_normed else None
    got, expected = heads.clone(), heads.clone()
    compiled.rotate(got, 3, positions, weight)
    plain.rotate(expected, 3, positions, weight)
    assert torch.equal(got[:, 3:], heads[:, 3:])
    assert not torch.equal(got[:, :3], heads[:, :3])
    bound = 2e-6 if dtype == torch.float32 else 0.05  # torch rounds each product, the kernel their sum
    assert torch.allclose(got.float(), expected.float(), rtol=bound, atol=bound)


@pytest.mark.parametrize("dtype", DTYPES)
def test_gate_is_silu_of_one_half_times_the_other(dtype: torch.dtype) -> None:
    rows = normal(4, 50, dtype=dtype) * 4
    rows[0, 0], rows[1, 1], rows[2, 2] = 80, -80, 0
    for implementation in make_rows(dtype):
        assert_close(implementation.gate(rows), functional.silu(rows[:, :25]) * rows[:, 25:])


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("dtype", DTYPES)
def test_what_is_not_a_number_stays_so_and_stays_in_its_row(dtype: torch.dtype, bad: float) -> None:
    compiled, _ = make_rows(dtype)
    rows, weight = normal(3, 24, dtype=dtype), torch.ones(24, dtype=dtype)
    rows[1, 4] = bad
    for got in (compiled.norm(rows, weight), compiled.add_norm(torch.zeros_like(rows), rows.clone(), weight)):
        assert not got[1].isfinite().all()
        assert got[[0, 2]].isfinite().all()
    gated = compiled.gate(rows)
    assert gated[[0, 2]].isfinite().all()
    if bad != float("-inf"):  # its silu is zero
        assert not gated[1].isfinite().all()
    query, memory = rows.view(3, 2, 12), normal(3, 6, 2, 12, seed=2, dtype=dtype)
    assert not attend(query, memory, [5, 5, 5])[1].isfinite().all()
    assert attend(query, memory, [5, 5, 5])[[0, 2]].isfinite().all()


@given(st.lists(st.floats(-87, 88, width=32), min_size=1, max_size=40))
@settings(max_examples=60, deadline=None)
def test_exponential_is_within_two_units(numbers: list[float]) -> None:
    for x in numbers:
        exact = np.exp(np.float64(np.float32(x)))
        assert abs(kernels.exponential(np.float32(x)) - exact) <= 2 * np.spacing(np.float32(exact))


@given(st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=40))
@settings(max_examples=60, deadline=None)
def test_narrowed_rounds_as_torch_does(patterns: list[int]) -> None:
    numbers = np.array(patterns, dtype=np.uint32).view(np.float32)
    expected = torch.from_numpy(numbers).to(torch.bfloat16)
    for number, nearest in zip(numbers, expected, strict=True):
        if np.isnan(number):
            assert np.isnan(kernel_base.widened(kernel_base.narrowed(number)))
        else:
            assert kernel_base.narrowed(number) == int(nearest.view(torch.uint16))
            assert kernel_base.widened(kernel_base.narrowed(number)) == float(nearest)


def test_floats_of_eight_bits_are_widened_as_torch_does() -> None:
    patterns = torch.arange(256, dtype=torch.uint8)
    found = np.array([kernel_base.widened_fp8(number) for number in patterns.numpy()], np.float32)
    np.testing.assert_array_equal(found, from_fp8(patterns, torch.float32).numpy())


def attend(
    query: Tensor,
    memory: Tensor,
    positions: list[int],
    window: int | None = None,
    block_size: int = 4,
    value_size: int | None = None,
    softcap: float = 0.0,
) -> Tensor:
    """Attention over pages in a random order, of both keys and values or (with a value size) of each alone.

    Shapes: memory [owners, slots, 2 * kv_heads, size].
    """
    owners, slots, heads, size = memory.shape
    width = -(-slots // block_size)
    tables = np.random.default_rng(slots).permutation(owners * width).astype(np.int32).reshape(owners, width)
    pool = torch.full((owners * width, block_size, heads, size), float("nan"), dtype=memory.dtype)
    for owner, row in enumerate(memory):
        for slot, entry in enumerate(row):
            pool[tables[owner, slot // block_size], slot % block_size] = entry
    pool = pool.flatten(0, 1)
    keys, values, first_value = pool, pool, heads // 2
    if value_size is not None:
        keys = pool[:, : heads // 2].contiguous()
        values = pool[:, heads // 2 :, :value_size].contiguous()
        first_value = 0
    out = torch.full((*query.shape[:2], value_size or size), 7, dtype=query.dtype)
    kernels.attend_pages(
        bits(query.contiguous()),
        bits(keys),
        bits(values),
        first_value,
        tables,
        block_size,
        np.arange(len(query)) % len(memory),
        np.array(positions),
        NO_WINDOW if window is None else window,
        np.float32(0.3),
        np.float32(softcap),
        NO_SINKS,
        bits(out),
    )
    return out


def dense_attention(
    query: Tensor, memory: Tensor, positions: list[int], window: int | None, softcap: float = 0.0
) -> Tensor:
    """One row and head after another, in double precision."""
    out = torch.empty(query.shape, dtype=torch.float64)
    kv_heads = memory.shape[2] // 2
    for row, position in enumerate(positions):
        start = 0 if window is None else max(0, position + 1 - window)
        seen = memory[row % len(memory), start : position + 1].double()
        for head in range(query.shape[1]):
            key = head * kv_heads // query.shape[1]
            scores = seen[:, key] @ query[row, head].double() * 0.3
            weights = (torch.tanh(scores / softcap) * softcap if softcap else scores).softmax(0)
            out[row, head] = weights @ seen[:, kv_heads + key]
    return out


@given(
    dtype=st.sampled_from(DTYPES),
    positions=st.lists(st.one_of(st.integers(0, 37), st.integers(0, 170)), min_size=1, max_size=6),
    heads=st.sampled_from([(1, 1), (4, 2), (6, 1), (3, 3)]),
    sizes=st.sampled_from([(4, None), (16, None), (33, None), (16, 5)]),
    window=st.sampled_from([None, 1, 3, 16, 100]),
    softcap=st.sampled_from([0.0, 0.0, 0.7, 20.0]),
    block_size=st.sampled_from([1, 3, 4, 16, 256]),
    num_owners=st.integers(1, 6),
    seed=st.integers(0, 5),
)
@settings(max_examples=120, deadline=None)
def test_attend_pages_equals_dense_attention(
    dtype: torch.dtype,
    positions: list[int],
    heads: tuple[int, int],
    sizes: tuple[int, int | None],
    window: int | None,
    softcap: float,
    block_size: int,
    num_owners: int,
    seed: int,
) -> None:
    size, value_size = sizes
    query = normal(len(positions), heads[0], size, seed=seed, dtype=dtype)
    owners = min(num_owners, len(positions))
    memory = normal(owners, max(positions) + 1, 2 * heads[1], size, seed=seed + 10, dtype=dtype)
    expected = dense_attention(query, memory, positions, window, softcap)[..., :value_size]
    got = attend(query, memory, positions, window, block_size, value_size, softcap).double()
    assert torch.allclose(got, expected, atol=1e-5 if dtype == torch.float32 else 0.02)


def test_attend_pages_reads_nothing_beyond_its_position_and_window() -> None:
    query, memory = normal(1, 2, 8), normal(1, 200, 2, 8, seed=1)
    for position, window in ((11, 5), (150, 80)):
        expected = attend(query, memory, [position], window)
        spoilt = memory.clone()
        spoilt[:, : position + 1 - window] = float("nan")
        spoilt[:, position + 1 :] = float("nan")
        assert torch.equal(attend(query, spoilt, [position], window), expected)
        assert expected.isfinite().all()


def test_attend_pages_takes_scores_of_any_size() -> None:
    """The largest may come in any tile; what was summed before counts no more."""
    for place in (0, 63, 64, 130):
        memory = normal(1, 140, 2, 8, seed=1)
        query = normal(1, 1, 8)
        memory[0, place, 0] = query[0, 0] * 1e4
        assert torch.allclose(attend(query, memory, [139])[0, 0], memory[0, place, 1])


@settings(deadline=None)
@given(
    st.sampled_from([1, 31, 32, 33, 127, 128, 129, 500]),
    st.sampled_from([0.0, 0.01, 0.3, 1.0]),
    st.sampled_from([None, np.nan, np.inf, -np.inf]),
    st.integers(0, 2**32 - 1),
)
def test_best_allowed_score_is_the_best_once_the_others_are_forbidden(
    width: int, share: float, odd: float | None, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.integers(-3, 3, size=(6, width)).astype(np.float32)
    if odd is not None:
        scores[rng.random(scores.shape) < 0.1] = odd
    allowed = rng.random((5, -(-width // 32) * 32)) < share
    masks = np.packbits(allowed, axis=1, bitorder="little").view(np.uint32)
    places = np.array([3, 0, -1, 1, 4, 2])
    tokens, are_finite = np.empty(6, dtype=np.int64), np.empty(6, dtype=np.bool_)
    kept = scores.copy()
    kernels.choose_best(scores, masks, places, tokens, are_finite)
    np.testing.assert_array_equal(scores, kept)
    for row, place in enumerate(places):
        if place >= 0:
            scores[row, ~allowed[place, :width]] = -np.inf
    expected = scores.argmax(axis=1)
    best = scores[np.arange(6), expected]
    np.testing.assert_array_equal(are_finite, np.isfinite(best))
    np.testing.assert_array_equal(tokens, np.where(best == -np.inf, -1, expected))
