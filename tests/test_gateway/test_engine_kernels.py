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

from gateway.engine import kernels
from gateway.engine.compiled_attention import NO_WINDOW
from gateway.engine.kernels import bits
from gateway.engine.models.elementwise import Elementwise, Norms
from gateway.engine.models.elementwise.compiled import CompiledElementwise
from gateway.engine.models.elementwise.plain import PlainElementwise

DTYPES = [torch.float32, torch.bfloat16]
EPS = 1e-5


def make_rows(dtype: torch.dtype, size: int = 12) -> tuple[Elementwise, Elementwise]:
    angles = torch.rand(40, size, generator=torch.Generator().manual_seed(9)) * 6
    norms = Norms(EPS, angles.cos().to(dtype), angles.sin().to(dtype))
    return CompiledElementwise(norms), PlainElementwise(norms)


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
            assert np.isnan(kernels.widened(kernels.narrowed(number)))
        else:
            assert kernels.narrowed(number) == int(nearest.view(torch.uint16))
            assert kernels.widened(kernels.narrowed(number)) == float(nearest)


def attend(query: Tensor, memory: Tensor, positions: list[int], window: int | None = None) -> Tensor:
    out = torch.full_like(query, 7)
    kernels.attend_rows(
        bits(query.contiguous()),
        bits(memory),
        np.arange(len(query)) % len(memory),
        np.array(positions),
        NO_WINDOW if window is None else window,
        np.float32(0.3),
        bits(out),
    )
    return out


def dense_attention(query: Tensor, memory: Tensor, positions: list[int], window: int | None) -> Tensor:
    """One row and head after another, in double precision."""
    out = torch.empty(query.shape, dtype=torch.float64)
    kv_heads = memory.shape[2] // 2
    for row, position in enumerate(positions):
        start = 0 if window is None else max(0, position + 1 - window)
        seen = memory[row % len(memory), start : position + 1].double()
        for head in range(query.shape[1]):
            key = head * kv_heads // query.shape[1]
            weights = (seen[:, key] @ query[row, head].double() * 0.3).softmax(0)
            out[row, head] = weights @ seen[:, kv_heads + key]
    return out


@given(
    dtype=st.sampled_from(DTYPES),
    positions=st.lists(st.integers(0, 37), min_size=1, max_size=6),
    heads=st.sampled_from([(1, 1), (4, 2), (6, 1), (3, 3)]),
    size=st.sampled_from([4, 16, 33]),
    window=st.sampled_from([None, 1, 3, 16, 100]),
    num_owners=st.integers(1, 6),
    seed=st.integers(0, 5),
)
@settings(max_examples=80, deadline=None)
def test_attend_rows_equals_dense_attention(
    dtype: torch.dtype,
    positions: list[int],
    heads: tuple[int, int],
    size: int,
    window: int | None,
    num_owners: int,
    seed: int,
) -> None:
    query = normal(len(positions), heads[0], size, seed=seed, dtype=dtype)
    memory = normal(min(num_owners, len(positions)), 38, 2 * heads[1], size, seed=seed + 10, dtype=dtype)
    expected = dense_attention(query, memory, positions, window)
    got = attend(query, memory, positions, window).double()
    assert torch.allclose(got, expected, atol=1e-5 if dtype == torch.float32 else 0.02)


def test_attend_rows_reads_nothing_beyond_its_position_and_window() -> None:
    query, memory = normal(1, 2, 8), normal(1, 20, 2, 8, seed=1)
    expected = attend(query, memory, [11], 5)
    memory[:, :7] = float("nan")
    memory[:, 12:] = float("nan")
    assert torch.equal(attend(query, memory, [11], 5), expected)
