"""Weights in few bits: the values of their blocks, and products with them."""

import numpy as np
import pytest
import torch

from gateway.engine.cpu_kernels import vectors as kernel_vectors
from gateway.engine.cpu_kernels.products import unpack_rows
from gateway.engine.cpu_kernels.vectors import HAS_DOT_PRODUCTS
from gateway.engine.inputs import bits
from gateway.engine.models.linear.dense import PACKED
from gateway.engine.models.linear.few_bits import (
    MAX_ROWS,
    FewBitsLinear,
    drop_codes,
    few_bits,
    few_bits_kind,
    has_codes,
    keep_codes,
)
from gateway.gguf.blocks import KEPT
from gateway.gguf.blocks import KINDS as ALL_KINDS

quants = pytest.importorskip("gguf.quants")
KINDS = sorted(KEPT)
OF_NAME = {kind.name: kind for kind in ALL_KINDS.values()}
INPUTS = 512


def blocks_of(kind, outputs, seed=0):
    """Random blocks, whose scales are no nan and not infinite, and what the library of the format makes of them."""
    from gguf import GGML_QUANT_SIZES, GGMLQuantizationType

    rng, number = np.random.default_rng(seed), GGMLQuantizationType[kind]
    block, size = GGML_QUANT_SIZES[number]
    data = rng.integers(0, 256, (outputs, INPUTS // block, size), dtype=np.uint8)
    halves = {"Q6_K": [208]}.get(kind, [0] if kind in ("Q4_0", "Q5_0", "Q8_0") else [0, 2])
    for at in halves:
        scale = (rng.standard_normal(data.shape[:2]) * 0.01).astype(np.float16)
        data[..., at : at + 2] = scale[..., None].view(np.uint8)
    data = data.reshape(outputs, -1)
    return (OF_NAME[kind], data), quants.dequantize(data, number)


@pytest.mark.parametrize("kind", KINDS)
def test_codes_have_the_values_of_their_blocks(kind):
    blocks, expected = blocks_of(kind, 6)
    found = torch.empty((6, INPUTS))
    unpack_rows(*few_bits([blocks]), 0, bits(found))
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-5, atol=1e-6)


def in_tiles(weight):
    if not HAS_DOT_PRODUCTS:
        pytest.skip("this CPU has no instruction for products of eight bits")
    return weight.tiled()


LAYOUTS = {
    "float32": (torch.float32, lambda weight: weight),
    "bfloat16": (torch.bfloat16, lambda weight: weight),
    "bfloat16 in tiles": (torch.bfloat16, in_tiles),
}


@pytest.mark.parametrize("num_rows", [1, 3, MAX_ROWS, MAX_ROWS + 1, 40, 70])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kinds", [("Q4_1", "Q4_0"), ("Q4_K", "Q6_K"), ("Q8_0",)], ids="+".join)
def test_a_product_is_that_of_the_numbers(kinds, layout, num_rows):
    dtype, arranged = LAYOUTS[layout]
    made = [blocks_of(kind, 1104 + 16 * place, place) for place, kind in enumerate(kinds)]
    whole = torch.from_numpy(np.concatenate([numbers for _, numbers in made]))
    generator = torch.Generator().manual_seed(1)
    rows = torch.randn(num_rows, INPUTS, generator=generator).to(dtype)
    bias = torch.randn(len(whole), generator=generator).to(dtype)
    got = FewBitsLinear(arranged(few_bits([blocks for blocks, _ in made])), bias)(rows)
    exact = rows.double() @ whole.double().T + bias.double()
    assert got.dtype == dtype
    error = (got.double() - exact).abs() / exact.square().mean(dim=1, keepdim=True).sqrt()
    assert error.max() < (2e-5 if dtype == torch.float32 else few_bits_kind(PACKED).tolerance)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("num_rows", [1, MAX_ROWS])
def test_threads_share_the_outputs_of_a_product(num_rows, layout, monkeypatch):
    dtype, arranged = LAYOUTS[layout]
    blocks, _ = blocks_of("Q4_1", 1008)
    weight, rows, bias = arranged(few_bits([blocks])), torch.randn(num_rows, INPUTS).to(dtype), torch.randn(1008)
    alone = FewBitsLinear(weight, bias)(rows)
    monkeypatch.setattr("gateway.engine.models.linear.few_bits.MIN_PART", 100_000)
    monkeypatch.setattr(torch, "get_num_threads", lambda: 3)
    assert torch.equal(FewBitsLinear(weight, bias)(rows), alone)


def test_not_a_number_stays_so_in_tiles():
    blocks, _ = blocks_of("Q8_0", 16)
    rows = torch.ones((2, INPUTS), dtype=torch.bfloat16)
    rows[1, 7] = torch.nan
    got = FewBitsLinear(in_tiles(few_bits([blocks])))(rows)
    assert got[0].isfinite().all()
    assert got[1].isnan().all()


def test_outputs_that_fill_no_tiles_are_not_tiled():
    assert few_bits([blocks_of("Q4_0", 1001)[0]]).tiled() is None


@pytest.mark.parametrize(("features", "has_them"), [("+avx2,+fma", False), ("", False), ("+avx2,+avx512vnni", True)])
def test_instructions_are_those_of_the_cpu_that_kernels_are_made_for(features, has_them, monkeypatch):
    monkeypatch.setattr(kernel_vectors.config, "CPU_NAME", "x86-64-v3")
    monkeypatch.setattr(kernel_vectors.config, "CPU_FEATURES", features)
    assert kernel_vectors._is_for("avx512vnni") is has_them


def test_weights_of_other_types_are_of_another_kind():
    blocks, numbers = blocks_of("Q4_1", 8)
    weight, other = torch.from_numpy(numbers), torch.randn(8, INPUTS)
    kind = few_bits_kind(PACKED)
    assert keep_codes({"a": weight, "b": other}, {"a": blocks, "packed before": blocks})
    assert not isinstance(kind((weight, other)), FewBitsLinear)
    assert isinstance(kind((weight,)), FewBitsLinear)
    assert not has_codes(weight)  # packed, they are kept once
    layer = torch.nn.Linear(INPUTS, 8)
    assert keep_codes(dict(layer.named_parameters()), {"weight": blocks})
    drop_codes(layer)
    assert not has_codes(layer.weight)
    assert not keep_codes({"a": weight}, {"a": (OF_NAME["F16"], blocks[1])})
