"""Packed products: right for every shape, proved before they are used, and never silently wrong."""

from __future__ import annotations

import logging
from typing import Any

import pytest
import torch
from engine_models import make_model, needs_bfloat16, stock_logits
from torch import Tensor, nn
from torch.nn import functional
from torch.utils._python_dispatch import TorchDispatchMode
from transformers.pytorch_utils import Conv1D

from gateway.engine.errors import InvalidEngineConfigError
from gateway.engine.models.generic import ExchangedLinear, exchange_linears, restore_linears
from gateway.engine.models.linear import LinearKind, choose_dtype, choose_kind, why_wrong
from gateway.engine.models.linear.base import MAX_EXACT, num_computed_rows
from gateway.engine.models.linear.dense import MAX_HALVED_ROWS, PACKED, PLAIN, HalvedLinear
from gateway.engine.models.linear.eight_bits import (
    EIGHT_BITS,
    SEVEN_BITS,
    Fp8Linear,
    Int8Linear,
    fp8_kind,
    int8_kind,
    rounded,
)

CPU = torch.device("cpu")
KINDS = [
    pytest.param(PLAIN, torch.float32, 1e-5, id="plain float32"),
    pytest.param(PLAIN, torch.bfloat16, 0.02, id="plain bfloat16"),
    pytest.param(PLAIN, torch.float16, 0.003, id="plain float16"),
    pytest.param(PACKED, torch.float32, 1e-5, id="packed float32"),
    pytest.param(PACKED, torch.bfloat16, 0.02, id="packed bfloat16", marks=needs_bfloat16),
    pytest.param(int8_kind(), torch.float32, 0.08, id="int8 float32"),
    pytest.param(int8_kind(), torch.bfloat16, 0.08, id="int8 bfloat16"),
    pytest.param(int8_kind(SEVEN_BITS), torch.float32, 0.08, id="int8 of seven bits"),
    pytest.param(fp8_kind(PLAIN), torch.float32, 0.25, id="fp8 float32"),
    pytest.param(fp8_kind(PLAIN), torch.bfloat16, 0.25, id="fp8 bfloat16"),
    pytest.param(fp8_kind(PLAIN), torch.float16, 0.25, id="fp8 float16"),
]
PACKED_TYPES = [torch.float32, pytest.param(torch.bfloat16, marks=needs_bfloat16)]


def normal(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def error_of(got: Tensor, expected: Tensor) -> float:
    """The largest error, in units of the outputs' root mean square."""
    return float((got.double() - expected.double()).abs().max() / expected.double().square().mean().sqrt())


@pytest.mark.parametrize("is_biased", [False, True])
@pytest.mark.parametrize(("outputs", "inputs"), [(24, 40), (96, 16), (33, 65), (1, 7)])
@pytest.mark.parametrize(("kind", "dtype", "tolerance"), KINDS)
def test_linear_is_a_product(
    kind: LinearKind, dtype: torch.dtype, tolerance: float, outputs: int, inputs: int, is_biased: bool
) -> None:
    weight = normal(outputs, inputs).to(dtype)
    bias = normal(outputs, seed=1).to(dtype) if is_biased else None
    linear = kind((weight,), bias)
    for num_rows in (1, 2, 5, 37, 64):
        rows = normal(num_rows, inputs, seed=2).to(dtype)
        got = linear(rows)
        assert got.dtype == dtype
        assert got.is_contiguous()
        expected = functional.linear(rows.double(), weight.double(), None if bias is None else bias.double())
        assert error_of(got, expected) < tolerance


@pytest.mark.parametrize("is_biased", [False, True])
@pytest.mark.parametrize(("outputs", "inputs"), [(24, 40), (96, 16), (33, 65), (1, 7)])
def test_few_rows_take_weights_of_half_the_width(outputs: int, inputs: int, is_biased: bool) -> None:
    weight = normal(outputs, inputs).bfloat16().float()
    bias = normal(outputs, seed=1) if is_biased else None
    linear = PACKED((weight[:20], weight[20:]), bias)
    assert isinstance(linear, HalvedLinear)
    for num_rows in range(1, MAX_HALVED_ROWS + 3):
        rows = normal(num_rows, inputs, seed=2)
        rows[0, 3] = torch.nan
        got = linear(rows)
        expected = functional.linear(rows.double(), weight.double(), None if bias is None else bias.double())
        assert got[0].isnan().all()
        assert num_rows == 1 or error_of(got[1:], expected[1:]) < 1e-5


def test_weights_that_half_the_width_does_not_hold_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    weight = normal(24, 40).bfloat16().float()
    weight[5, 7] += 2**-20
    assert not isinstance(PACKED((weight,)), HalvedLinear)
    weight[5, 7] = 1
    assert isinstance(PACKED((weight,)), HalvedLinear)
    monkeypatch.setattr(torch, "get_num_threads", lambda: 3)
    assert not isinstance(PACKED((weight,)), HalvedLinear)


@pytest.mark.parametrize(("kind", "dtype", "tolerance"), KINDS)
def test_linear_stacks_projections_and_takes_any_layout(kind: LinearKind, dtype: torch.dtype, tolerance: float) -> None:
    first, second = normal(16, 12).to(dtype), normal(12, 8, seed=1).t().to(dtype)  # the second is not contiguous
    rows = normal(3, 12, seed=2).to(dtype)
    expected = torch.cat((rows.double() @ first.double().t(), rows.double() @ second.double().t()), dim=1)
    assert error_of(kind((first, second))(rows), expected) < tolerance
    assert error_of(kind((second,))(rows), expected[:, 16:]) < tolerance


@pytest.mark.parametrize(("kind", "dtype", "tolerance"), KINDS)
def test_linear_of_no_rows_is_empty(kind: LinearKind, dtype: torch.dtype, tolerance: float) -> None:
    assert kind((normal(8, 4).to(dtype),))(torch.empty((0, 4), dtype=dtype)).shape == (0, 8)


def test_sizes_are_few_and_not_much_larger_than_what_they_hold() -> None:
    sizes = {number: num_computed_rows(number) for number in range(513)}
    assert all(number == size for number, size in sizes.items() if number <= MAX_EXACT)
    assert all(number <= size <= number * 5 / 4 for number, size in sizes.items())
    assert all(sizes[size] == size for size in sizes.values())
    assert len(set(sizes.values()) - {0}) == 48


class RowsOfProducts(TorchDispatchMode):
    """Notes for how many rows oneDNN computes."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[int] = set()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if "pointwise" in str(func):
            self.seen.add(args[0].shape[0])
        return func(*args, **(kwargs or {}))


@pytest.mark.parametrize(("kind", "dtype", "tolerance"), KINDS[3:8])
def test_onednn_computes_few_numbers_of_rows(kind: LinearKind, dtype: torch.dtype, tolerance: float) -> None:
    linear = kind((normal(8, 16).to(dtype),))
    rows, products = normal(512, 16, seed=1).to(dtype), RowsOfProducts()
    everything = linear(rows)
    with products:
        for number in range(2, 513):
            got = linear(rows[:number])
            assert got.shape == (number, 8)
            assert got.is_contiguous()
            assert error_of(got, everything[:number]) < tolerance
    assert products.seen == {num_computed_rows(number) for number in range(2, 513)}


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize(("kind", "dtype", "tolerance"), KINDS)
def test_linear_does_not_hide_what_is_not_a_number(
    kind: LinearKind, dtype: torch.dtype, tolerance: float, bad: float
) -> None:
    rows = normal(3, 16).to(dtype)
    rows[1, 5] = bad
    product = kind((normal(8, 16, seed=1).to(dtype),))(rows)
    assert not product[1].isfinite().any()
    assert product[[0, 2]].isfinite().all()


@pytest.mark.parametrize("kind", [int8_kind(), fp8_kind(PLAIN)], ids=["int8", "fp8"])
def test_row_of_eight_bits_does_not_depend_on_its_company(kind: LinearKind) -> None:
    linear = kind((normal(32, 48),))
    rows = normal(7, 48, seed=1)
    rows[3] *= 1000
    together = linear(rows)
    for number in range(len(rows)):
        assert torch.equal(together[number], linear(rows[number : number + 1])[0])


def test_int8_error_is_that_of_eight_bits() -> None:
    """Rounding errors of half a step in both factors; a lost bit would double them."""
    weight, rows = normal(64, 256), normal(32, 256, seed=1)
    linear = int8_kind()((weight,))
    assert isinstance(linear, Int8Linear)
    exact = rows.double() @ weight.double().t()
    error = (linear(rows) - exact).square().mean().sqrt()
    sizes = ((weight, EIGHT_BITS), (rows, linear.most))
    steps = [float((matrix.abs().amax(dim=1) / most).square().mean().sqrt()) for matrix, most in sizes]
    predicted = (256 / 12 * (steps[0] ** 2 + steps[1] ** 2)) ** 0.5
    assert 0.8 * predicted < error < 1.2 * predicted


def test_int8_zero_rows_and_weights_are_zero() -> None:
    weight = normal(4, 8)
    weight[2] = 0
    linear = int8_kind()((weight,), torch.tensor([0.0, 0.0, 5.0, 0.0]))
    assert linear(torch.zeros(1, 8)).tolist() == [[0.0, 0.0, 5.0, 0.0]]
    assert linear(normal(3, 8, seed=1))[:, 2].tolist() == [5.0] * 3


def test_fp8_is_the_product_of_its_rounded_numbers_in_half_the_memory() -> None:
    weight, rows, bias = normal(48, 64).bfloat16(), normal(5, 64, seed=1).bfloat16(), normal(48, seed=2).bfloat16()
    linear = fp8_kind(PLAIN)((weight[:16], weight[16:]), bias)
    assert isinstance(linear, Fp8Linear)
    (w, w_scales), (x, x_scales) = rounded(weight), rounded(rows)
    exact = (x.double() * x_scales) @ (w.double() * w_scales).t() + bias.double()
    assert error_of(linear(rows), exact) < 0.02  # of bfloat16
    kept = linear._weight.nbytes + linear._scales.nbytes
    assert kept <= 0.55 * weight.nbytes + 4 * 48


def test_fp8_of_other_sizes_is_another_kind() -> None:
    assert not isinstance(fp8_kind(PLAIN)((normal(24, 64),)), Fp8Linear)
    assert choose_kind(CPU, torch.bfloat16, "fp8").name == "fp8"


@pytest.mark.parametrize(("kind", "dtype", "tolerance"), KINDS)
def test_proof_accepts_what_is_right(kind: LinearKind, dtype: torch.dtype, tolerance: float) -> None:
    assert why_wrong(kind, CPU, dtype) is None


def zero_last(product: Tensor) -> Tensor:
    product[-1, -1] = 0
    return product


LIES = {
    "zeros": torch.zeros_like,
    "one output lost": zero_last,
    "not a number": lambda product: torch.full_like(product, float("nan")),
    "off by a factor": lambda product: product * 1.2,
    "another type": lambda product: product.double(),
    "another form": lambda product: product[:, :-1],
}


def lying(original: Any, lie: Any) -> Any:
    return lambda *arguments: lie(original(*arguments))


@pytest.mark.parametrize("dtype", PACKED_TYPES)
@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_packed_product_that_lies_is_not_used(
    lie: Any, dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    original = torch.ops.mkldnn._linear_pointwise
    monkeypatch.setattr(torch.ops.mkldnn, "_linear_pointwise", lying(original, lie))
    with caplog.at_level(logging.WARNING):
        kind = choose_kind(CPU, dtype)
    assert kind is PLAIN
    assert "not using packed weights" in caplog.text


def failing(*arguments: Any) -> Tensor:
    raise RuntimeError("no such operator")


@pytest.mark.parametrize("dtype", PACKED_TYPES)
@pytest.mark.parametrize("name", ["_linear_pointwise", "_reorder_linear_weight"])
def test_packed_product_that_raises_is_not_used(
    name: str, dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(torch.ops.mkldnn, name, failing)
    with caplog.at_level(logging.WARNING):
        kind = choose_kind(CPU, dtype)
    assert kind is PLAIN
    assert "no such operator" in caplog.text


@pytest.mark.parametrize("dtype", PACKED_TYPES)
def test_packed_product_wrong_for_some_numbers_of_rows_is_not_used(
    dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = torch.ops.mkldnn._linear_pointwise

    def wrong_for_many(rows: Tensor, *others: Any) -> Tensor:
        return original(rows, *others) * (1 if len(rows) < 20 else 2)

    monkeypatch.setattr(torch.ops.mkldnn, "_linear_pointwise", wrong_for_many)
    assert choose_kind(CPU, dtype) is PLAIN


def test_int8_that_lies_or_saturates_is_not_used(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    original = torch.ops.onednn.qlinear_pointwise
    narrow = lying(original, lambda product: product.clamp_(-100, 100))  # an accumulator that is too narrow
    monkeypatch.setattr(torch.ops.onednn, "qlinear_pointwise", narrow)
    with caplog.at_level(logging.WARNING):
        kind = choose_kind(CPU, torch.float32, "int8")
    assert kind is PACKED
    assert "not using int8 weights" in caplog.text


def test_choose_kind_takes_the_best() -> None:
    assert choose_kind(CPU, torch.float32) is PACKED
    assert choose_kind(CPU, torch.float16) is PLAIN
    assert choose_kind(CPU, torch.bfloat16, "int8").name == "int8"


@needs_bfloat16
def test_choose_kind_packs_bfloat16() -> None:
    assert choose_kind(CPU, torch.bfloat16) is PACKED


@pytest.mark.parametrize(
    ("name", "most"),
    [("avx512_vnni", EIGHT_BITS), ("avx_vnni", EIGHT_BITS), ("amx_int8", EIGHT_BITS), ("avx2", SEVEN_BITS)],
)
def test_int8_rows_have_the_bits_that_the_cpu_multiplies(name: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {name: True}, raising=False)
    linear = int8_kind()((normal(4, 8),))
    assert isinstance(linear, Int8Linear)
    assert linear.most == most


def test_int8_of_float16_is_refused_by_name() -> None:
    with pytest.raises(InvalidEngineConfigError, match=r"int8.*float16"):
        choose_kind(CPU, torch.float16, "int8")


@needs_bfloat16
@pytest.mark.parametrize("name", ["amx_bf16", "avx512_bf16"])
def test_dtype_auto_is_bfloat16_where_the_cpu_has_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {name: True}, raising=False)
    assert choose_dtype("auto", CPU) == torch.bfloat16


def test_dtype_auto_is_float32_elsewhere(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {"avx2": True}, raising=False)
    assert choose_dtype("auto", CPU) == torch.float32
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {"avx512_bf16": True}, raising=False)
    monkeypatch.setattr(torch.ops.mkldnn, "_linear_pointwise", failing)
    with caplog.at_level(logging.WARNING):
        assert choose_dtype("auto", CPU) == torch.float32
    assert "computing in float32" in caplog.text


def test_dtype_that_was_asked_for_is_taken() -> None:
    assert choose_dtype("float16", CPU) == torch.float16
    assert choose_dtype("auto", torch.device("meta")) is None


class Two(nn.Module):
    """Both kinds of linear layers, and an embedding that shares a weight."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(8, 6)
        self.inner = nn.Sequential(nn.Linear(6, 10), Conv1D(6, 10))
        self.head = nn.Linear(6, 8, bias=False)
        self.head.weight = self.embedding.weight

    def forward(self, ids: Tensor) -> Tensor:
        logits: Tensor = self.head(self.inner(self.embedding(ids)))
        return logits


@pytest.mark.parametrize("keep_originals", [False, True])
def test_exchange_packs_every_linear_layer(keep_originals: bool) -> None:
    model, ids = Two(), torch.tensor([[1, 2, 3], [4, 5, 6]])
    with torch.inference_mode():
        expected = model(ids)
        assert exchange_linears(model, PACKED, keep_originals=keep_originals) == 3
        assert isinstance(model.head, ExchangedLinear)
        assert isinstance(model.inner[1], ExchangedLinear)
        assert torch.allclose(model(ids), expected, atol=1e-5)
        assert model(ids[:, :0]).shape == (2, 0, 8)
    kept = [module.weight.device.type == "cpu" for module in (model.inner[0], model.inner[1], model.head)]
    assert kept == [keep_originals] * 3
    assert model.embedding.weight.device.type == "cpu"


def test_restore_undoes_an_exchange() -> None:
    model = make_model("gpt2")
    before = {name: type(module) for name, module in model.named_modules()}
    expected = stock_logits(model, [3, 4, 5])
    with torch.inference_mode():
        assert exchange_linears(model, int8_kind(), keep_originals=True) > 8
        assert not torch.equal(stock_logits(model, [3, 4, 5]), expected)
    restore_linears(model)
    assert {name: type(module) for name, module in model.named_modules()} == before
    assert torch.equal(stock_logits(model, [3, 4, 5]), expected)
