"""Weights in few bits: what is read of the files is what whoever wrote them meant."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from engine_models import make_model, stock_greedy
from engine_runs import make_request, random_prompts
from safetensors.torch import load_file, save_file
from torch import Tensor
from transformers import LlamaConfig, LlamaForCausalLM

from gateway.engine import Engine, EngineConfig
from gateway.engine.errors import UnsupportedModelError
from gateway.engine.models.fast_llama import FastLlamaDecoder
from gateway.engine.models.linear.few_bits import FewBitsLinear
from gateway.engine.models.load import load_model
from gateway.engine.models.quantized import MXFP4_VALUES, read_mxfp4
from tests.stock_models import sizes

GROUP = 8
Written = tuple[dict[str, Tensor], Tensor]
"""What stands in the files for a weight, by part, and the weight that it means."""


def pack(numbers: Tensor, bits: int, order: tuple[int, ...] | None = None) -> Tensor:
    """Along the last dimension into 32 bits, one by one. Shapes: [..., n] -> [..., n / (32 // bits), rounded up]."""
    per = 32 // bits
    numbers = torch.nn.functional.pad(numbers, (0, -numbers.shape[-1] % per))
    rows = numbers.reshape(*numbers.shape[:-1], -1, per)
    packed = torch.zeros(rows.shape[:-1], dtype=torch.int64)
    for place in range(per):
        packed |= rows[..., order[place] if order else place].long() << (bits * place)
    return torch.where(packed >= 1 << 31, packed - (1 << 32), packed).int()


def grid(weight: Tensor, bits: int) -> tuple[Tensor, Tensor, Tensor]:
    """Numbers, scales and zeros of groups of inputs. Shapes: [out, in], [out, groups], [out, groups]."""
    groups = weight.view(len(weight), -1, GROUP)
    low, high = groups.amin(-1), groups.amax(-1)
    scale = ((high - low) / ((1 << bits) - 1)).clamp_min(1e-6).half().float()
    zero = (-low / scale).round().clamp(1, (1 << bits) - 1)
    numbers = (groups / scale[..., None] + zero[..., None]).round().clamp(0, (1 << bits) - 1)
    return numbers.flatten(1), scale, zero


def meant(numbers: Tensor, scale: Tensor, zero: Tensor | float) -> Tensor:
    zeros = zero.repeat_interleave(GROUP, 1) if isinstance(zero, Tensor) else zero
    return (numbers - zeros) * scale.repeat_interleave(GROUP, 1)


def gptq(weight: Tensor, bits: int = 4, stored: int = 1, shuffled: bool = True) -> Written:
    numbers, scale, zero = grid(weight, bits)
    index = torch.arange(weight.shape[1]) // GROUP
    if shuffled:  # inputs of a group need not be neighbours
        order = torch.randperm(weight.shape[1])
        index, numbers = index[order], numbers[:, order]
        whole = (numbers - zero[:, index]) * scale[:, index]
    else:
        whole = meant(numbers, scale, zero)
    parts = {
        "qweight": pack(numbers, bits).t().contiguous(),
        "qzeros": pack((zero - stored).t(), bits),
        "scales": scale.t().contiguous().half(),
    }
    return parts | ({"g_idx": index.int()} if shuffled else {}), whole


def awq(weight: Tensor) -> Written:
    numbers, scale, zero = grid(weight, 4)
    order = (0, 2, 4, 6, 1, 3, 5, 7)
    parts = {
        "qweight": pack(numbers.t(), 4, order),
        "qzeros": pack(zero.t(), 4, order),
        "scales": scale.t().contiguous().half(),
    }
    return parts, meant(numbers, scale, zero)


def compressed_packed(weight: Tensor, is_symmetric: bool = True, bits: int = 4) -> Written:
    numbers, scale, zero = grid(weight, bits)
    parts = {
        "weight_packed": pack(numbers, bits),
        "weight_scale": scale.half(),
        "weight_shape": torch.tensor(weight.shape),
    }
    if is_symmetric:
        return parts, meant(numbers, scale, 2.0 ** (bits - 1))
    return parts | {"weight_zero_point": pack(zero.t(), bits).t().contiguous()}, meant(numbers, scale, zero)


def compressed_int8(weight: Tensor) -> Written:
    scale = weight.abs().amax(1, keepdim=True) / 127
    numbers = (weight / scale).round()
    return {"weight": numbers.to(torch.int8), "weight_scale": scale}, numbers * scale


def compressed_float(weight: Tensor) -> Written:
    scale = weight.abs().amax(1, keepdim=True) / 448
    numbers = (weight / scale).to(torch.float8_e4m3fn)
    return {"weight": numbers, "weight_scale": scale}, numbers.float() * scale


def sparse(weight: Tensor, write: Callable[[Tensor], Written], kept: int = 2) -> Written:
    """Of each four weights those of the largest magnitude, or, of all, those that are not zero."""
    fours = weight.view(-1, 4)
    places = fours.abs().topk(kept, dim=1).indices
    pruned = torch.zeros_like(fours).scatter(1, places, fours.gather(1, places)).view_as(weight)
    parts, meaning = write(pruned)
    mask = torch.zeros_like(fours).scatter(1, places, 1.0).view_as(weight).bool()
    stored = parts.pop("weight")
    found = stored.view(torch.uint8)[mask].view(stored.dtype) if stored.element_size() == 1 else stored[mask]
    bits = torch.from_numpy(np.packbits(mask.numpy(), axis=-1, bitorder="little"))
    shape = torch.tensor(weight.shape).view(-1, 1)
    return parts | {"compressed": found.view(len(weight), -1), "bitmask": bits, "shape": shape}, meaning


def sparse_offsets(weight: Tensor) -> Written:
    """The form for any sparsity."""
    parts, meaning = sparse(weight, lambda pruned: ({"weight": pruned}, pruned), 3)
    offsets = torch.arange(len(weight)) * (weight.shape[1] * 3 // 4)
    return parts | {"compressed": parts["compressed"].flatten(), "row_offsets": offsets}, meaning


def _sparse(form: str, settings: dict[str, Any]) -> dict[str, Any]:
    structure = "2:4" if "24" in form else "unstructured"
    return {**settings, "sparsity_config": {"format": form, "sparsity_structure": structure}}


def fp8(weight: Tensor, size: int = 12) -> Written:
    """Blocks that do not divide the weight."""
    rows, columns = (-(-length // size) for length in weight.shape)
    scale = torch.rand(rows, columns) + 0.5
    wide = scale.repeat_interleave(size, 0)[: len(weight)].repeat_interleave(size, 1)[:, : weight.shape[1]]
    numbers = (weight / wide).to(torch.float8_e4m3fn)
    return {"weight": numbers, "weight_scale_inv": scale}, numbers.float() * wide


def fp8_of_one_scale(weight: Tensor) -> Written:
    numbers = (weight * 4).to(torch.float8_e4m3fn)
    return {
        "weight": numbers,
        "weight_scale": torch.tensor(0.25),
        "input_scale": torch.tensor(1.0),
    }, numbers.float() / 4


def bitsandbytes_int8(weight: Tensor) -> Written:
    largest = weight.abs().amax(1)
    numbers = (weight / largest[:, None] * 127).round()
    return {"weight": numbers.to(torch.int8), "SCB": largest, "weight_format": torch.tensor(0)}, (
        numbers * largest[:, None] / 127
    )


def bitsandbytes_nf4(weight: Tensor, is_nested: bool = True) -> Written:
    size, outer = 64, 4
    table = torch.linspace(-1, 1, 16)
    blocks = weight.reshape(-1, size)
    largest = blocks.abs().amax(1)
    state: dict[str, Any] = {"quant_type": "nf4", "blocksize": size, "dtype": "float32", "shape": list(weight.shape)}
    parts: dict[str, Tensor] = {}
    if is_nested:
        steps = torch.linspace(-1, 1, 256)
        offset = float(largest.mean())
        scales = (largest - offset).view(-1, outer).abs().amax(1)
        wide = scales.repeat_interleave(outer)
        places = ((largest - offset) / wide)[:, None].sub(steps).abs().argmin(1)
        largest = steps[places] * wide + offset
        state |= {"nested_blocksize": outer, "nested_dtype": "float32", "nested_offset": offset}
        parts |= {"weight.absmax": places.byte(), "weight.nested_absmax": scales, "weight.nested_quant_map": steps}
    else:
        parts["weight.absmax"] = largest
    places = (blocks / largest[:, None]).flatten()[:, None].sub(table).abs().argmin(1)
    parts["weight"] = (places[::2] * 16 + places[1::2]).byte()[:, None]
    parts["weight.quant_map"] = table
    parts["weight.quant_state.bitsandbytes__nf4"] = torch.tensor(list(json.dumps(state).encode()), dtype=torch.uint8)
    return parts, (table[places].view_as(blocks) * largest[:, None]).view_as(weight)


def _compressed(form: str, bits: int, **more: Any) -> dict[str, Any]:
    weights = {"num_bits": bits, "group_size": GROUP} | more
    return {"quant_method": "compressed-tensors", "format": form, "config_groups": {"group_0": {"weights": weights}}}


FORMS: dict[str, tuple[Callable[[Tensor], Written], dict[str, Any]]] = {
    "gptq": (gptq, {"quant_method": "gptq", "bits": 4, "group_size": GROUP, "desc_act": True}),
    "gptq in order": (
        lambda weight: gptq(weight, shuffled=False),
        {"quant_method": "gptq", "bits": 4, "group_size": GROUP},
    ),
    "gptq, 8 bits, second form": (
        lambda weight: gptq(weight, 8, 0),
        {"quant_method": "gptq", "bits": 8, "group_size": GROUP, "checkpoint_format": "gptq_v2"},
    ),
    "awq": (awq, {"quant_method": "awq", "bits": 4, "group_size": GROUP, "version": "gemm", "zero_point": True}),
    "compressed, packed": (compressed_packed, _compressed("pack-quantized", 4)),
    "compressed, zeros": (
        lambda weight: compressed_packed(weight, is_symmetric=False),
        _compressed("pack-quantized", 4, symmetric=False),
    ),
    "compressed, 3 bits": (partial(compressed_packed, bits=3), _compressed("pack-quantized", 3)),
    "compressed, 6 bits and zeros": (
        partial(compressed_packed, is_symmetric=False, bits=6),
        _compressed("pack-quantized", 6, symmetric=False),
    ),
    "compressed, int8": (compressed_int8, _compressed("int-quantized", 8)),
    "compressed, float8": (compressed_float, _compressed("float-quantized", 8, type="float")),
    "sparse, 2:4": (
        partial(sparse, write=lambda pruned: ({"weight": pruned}, pruned)),
        _sparse("sparse-24-bitmask", {"quant_method": "compressed-tensors", "format": "dense"}),
    ),
    "sparse, any": (sparse_offsets, _sparse("sparse-bitmask", {"quant_method": "compressed-tensors"})),
    "sparse, 2:4, int8": (
        partial(sparse, write=compressed_int8),
        _sparse("sparse-24-bitmask", _compressed("int-quantized", 8)),
    ),
    "sparse, 2:4, float8": (
        partial(sparse, write=compressed_float),
        _sparse("sparse-24-bitmask", _compressed("float-quantized", 8, type="float")),
    ),
    "fp8": (fp8, {"quant_method": "fp8", "weight_block_size": [12, 12]}),
    "fp8, one scale": (fp8_of_one_scale, {"quant_method": "fp8"}),
    "bitsandbytes, int8": (bitsandbytes_int8, {"quant_method": "bitsandbytes", "load_in_8bit": True}),
    "bitsandbytes, nf4": (bitsandbytes_nf4, {"quant_method": "bitsandbytes", "load_in_4bit": True}),
    "bitsandbytes, nf4 in one step": (
        lambda weight: bitsandbytes_nf4(weight, is_nested=False),
        {"quant_method": "bitsandbytes", "load_in_4bit": True},
    ),
}


def settings_into(folder: Path, settings: dict[str, Any]) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"quantization_config": settings}))


def write_folder(
    model: Any, write: Callable[[Tensor], Written], settings: dict[str, Any], folder: Path
) -> dict[str, Tensor]:
    """The model with quantized projections; returns what all of its weights then mean."""
    model.save_pretrained(folder)
    tensors = load_file(folder / "model.safetensors")
    whole = dict(model.state_dict())
    for name in [name for name in tensors if name.endswith("_proj.weight")]:
        parts, whole[name] = write(tensors.pop(name))
        module = name.removesuffix("weight")
        tensors |= {module + part: tensor.contiguous() for part, tensor in parts.items()}
    save_file(tensors, folder / "model.safetensors", {"format": "pt"})
    settings_into(folder, settings)
    return whole


@pytest.mark.parametrize("form", FORMS)
def test_quantized_folder_answers_as_what_its_weights_mean(
    form: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write, settings = FORMS[form]
    model = make_model("qwen2")
    model.load_state_dict(write_folder(model, write, settings, tmp_path))
    engine = Engine(tmp_path, EngineConfig(device="cpu", dtype="float32", num_blocks=32))
    prompts = random_prompts(1, [5, 20])
    answers = engine.generate([make_request(i, prompt) for i, prompt in enumerate(prompts)])
    assert answers == [stock_greedy(model, prompt, 12) for prompt in prompts]
    # Kernels do not take groups of 8.
    assert ("take the memory of whole ones in torch.float32" in caplog.text) is (
        form not in ("compressed, int8", "sparse, 2:4", "sparse, any", "sparse, 2:4, int8")
    )


LONG = 64
"""Of a group that the kernels take."""


def in_long_groups(write: Callable[[Tensor], Written]) -> Callable[[Tensor], Written]:
    def written(weight: Tensor) -> Written:
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(globals(), "GROUP", LONG)
            return write(weight)

    return written


KEPT = (
    "gptq in order",
    "gptq, 8 bits, second form",
    "awq",
    "compressed, packed",
    "compressed, zeros",
    "compressed, int8",
)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("form", KEPT)
def test_codes_of_long_groups_are_computed_with_as_they_are(
    form: str, dtype: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write, settings = FORMS[form]
    if "gptq" in form:
        write = partial(gptq, bits=settings["bits"], stored=0 if "second" in form else 1, shuffled=False)
    settings = json.loads(json.dumps(settings).replace(f'"group_size": {GROUP}', f'"group_size": {LONG}'))
    torch.manual_seed(0)
    model = LlamaForCausalLM(LlamaConfig(vocab_size=64, **sizes(128, 192, layers=2, heads=4, kv_heads=2)))
    whole = write_folder(model, in_long_groups(write), settings, tmp_path)
    loaded = load_model(tmp_path, EngineConfig(device="cpu", dtype=dtype))
    assert isinstance(loaded.decoder, FastLlamaDecoder)
    layer = loaded.decoder.layers[0]
    for product in (layer.qkv, layer.out, layer.gate_up, layer.down):
        assert isinstance(product, FewBitsLinear)
        kept = sum(part.nbytes for part in product.weight[:3])
        bits = 8 if "8" in form else 4
        inputs = len(product.weight.codes) * 8 // bits // product.weight.num_outputs
        assert kept <= product.weight.num_outputs * inputs * (bits / 8 + 8 / LONG)
    rows = torch.randn(5, 128).to(getattr(torch, dtype))
    exact = rows.float() @ whole["model.layers.0.self_attn.o_proj.weight"].float().T
    assert (layer.out(rows).float() - exact).abs().max() < exact.std() * (1e-4 if dtype == "float32" else 0.03)
    assert "take the memory" not in caplog.text


def test_mxfp4_of_experts_is_read_as_the_model_keeps_them() -> None:
    places = torch.randint(0, 16, (2, 6, 3, 32))
    exponents = torch.randint(120, 134, (2, 6, 3))
    tensors = {"gate_blocks": (places[..., 1::2] * 16 + places[..., ::2]).byte(), "gate_scales": exponents.byte()}
    assert read_mxfp4("gate_scales", tensors["gate_scales"], tensors, {}) is None
    named = read_mxfp4("gate_blocks", tensors["gate_blocks"], tensors, {})
    assert named is not None
    expected = (torch.tensor(MXFP4_VALUES)[places] * 2.0 ** (exponents[..., None] - 127)).flatten(2).transpose(1, 2)
    assert named[0] == "gate"
    assert torch.equal(named[1], expected)


REFUSED = {
    "hqq": {"quant_method": "hqq"},
    "3 bits": {"quant_method": "gptq", "bits": 3, "group_size": GROUP},
    "'gemv'": {"quant_method": "awq", "bits": 4, "version": "gemv"},
    "'nvfp4-pack-quantized'": _compressed("nvfp4-pack-quantized", 4),
    "the sparse form 'marlin-24'": _sparse("marlin-24", _compressed("int-quantized", 8)),
}


BROKEN: dict[str, Callable[[Tensor], Tensor]] = {
    "compressed": lambda kept: kept[:, 1:],
    "bitmask": lambda mask: mask[1:],
    "shape": lambda shape: shape * 1000,
}


@pytest.mark.parametrize("part", BROKEN)
def test_parts_with_a_bitmask_that_do_not_fit_together_are_refused(part: str, tmp_path: Path) -> None:
    write, settings = FORMS["sparse, 2:4"]
    write_folder(make_model("qwen2"), write, settings, tmp_path)
    tensors = load_file(tmp_path / "model.safetensors")
    name = f"model.layers.0.mlp.down_proj.{part}"
    tensors[name] = BROKEN[part](tensors[name]).contiguous()
    save_file(tensors, tmp_path / "model.safetensors", {"format": "pt"})
    with pytest.raises(UnsupportedModelError, match="down_proj, stored with a bitmask"):
        Engine(tmp_path, EngineConfig(device="cpu", num_blocks=8))


@pytest.mark.parametrize("reason", REFUSED)
def test_what_is_not_read_is_refused_with_the_reason(reason: str, tmp_path: Path) -> None:
    make_model("qwen2").save_pretrained(tmp_path)
    tensors = load_file(tmp_path / "model.safetensors")
    module = "model.layers.0.mlp.down_proj"
    tensors |= {f"{module}.qweight": torch.zeros(6, 4), f"{module}.weight_scale": torch.zeros(1)}
    save_file(tensors, tmp_path / "model.safetensors", {"format": "pt"})
    settings_into(tmp_path, REFUSED[reason])
    with pytest.raises(UnsupportedModelError, match=reason):
        Engine(tmp_path, EngineConfig(device="cpu", num_blocks=8))


def test_folder_that_misses_weights_is_refused(tmp_path: Path) -> None:
    make_model("qwen2").save_pretrained(tmp_path)
    tensors = load_file(tmp_path / "model.safetensors")
    del tensors["model.layers.1.mlp.down_proj.weight"]
    save_file(tensors, tmp_path / "model.safetensors", {"format": "pt"})
    with pytest.raises(UnsupportedModelError, match=r"layers.1.mlp.down_proj.weight"):
        Engine(tmp_path, EngineConfig(device="cpu", num_blocks=8))
