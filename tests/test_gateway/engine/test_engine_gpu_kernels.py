"""Kernels in Triton beside torch's operations: interpreted where there is no GPU, compiled where there is one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from engine_models import VOCAB, make_model
from engine_runs import make_engine, make_request, run_checked, tokens_of
from test_engine_constraints import Dfa
from test_engine_kernels import EPS, normal
from torch import Tensor

from gateway.engine.gpu_kernels import chooser as gpu_choice
from gateway.engine.gpu_kernels.chooser import GpuChoice
from gateway.engine.kv_cache import LayerCache, from_fp8, to_fp8
from gateway.engine.masks import MaskFiller
from gateway.engine.models import elementwise
from gateway.engine.models.elementwise import Elementwise, Norms, TritonElementwise, choose_elementwise, why_wrong
from gateway.engine.models.linear import few_bits as few_bits_module
from gateway.engine.models.linear.few_bits import GpuFewBitsLinear, few_bits
from gateway.engine.request import GenerationRequest, SamplingParams
from gateway.engine.rows import SamplingRows
from gateway.engine.sampler import best
from gateway.engine.sequence import Sequence
from gateway.engine.speculation.verify import draw
from gateway.engine.warpers import WarpContext, build_chain
from gateway.engine.warpers.token_mask import TokenMask, forbid_elsewhere
from gateway.gguf.blocks import Codes

triton = pytest.importorskip("triton", reason="Triton is not installed: it comes with a torch for CUDA")
tl = triton.language
from gateway.engine.gpu_kernels.attention import from_fp8 as widened  # noqa: E402

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
DTYPES = [torch.float32, torch.bfloat16, torch.float16]


def even() -> Dfa:
    """Even tokens alone, as many as one likes."""
    return Dfa({0: dict.fromkeys(range(4, VOCAB, 2), 0)}, {0})


def make_norms(dtype: torch.dtype, size: int) -> Norms:
    angles = torch.rand(40, size, generator=torch.Generator().manual_seed(9)) * 6
    return Norms(EPS, angles.cos().to(dtype).to(DEVICE), angles.sin().to(dtype).to(DEVICE))


@pytest.mark.parametrize("size", [12, 80, 128])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_rows_are_those_of_torch(dtype: torch.dtype, size: int) -> None:
    assert why_wrong(TritonElementwise, make_norms(dtype, size)) is None


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16], ids=str)  # the interpreter cuts bfloat16 off
def test_rows_of_a_step_are_stored_and_added_in_place(dtype: torch.dtype) -> None:
    norms = make_norms(dtype, 16)
    triton, plain = TritonElementwise(norms), Elementwise(norms)
    heads, positions = normal(5, 8, 16, dtype=dtype).to(DEVICE), torch.tensor([0, 39, 7, 7, 1], device=DEVICE)
    slots = torch.tensor([8, 1, 0, 5, 6], device=DEVICE)
    found = []
    for rows in (triton, plain):
        memory, own = LayerCache(3, 3), heads.clone()
        rows.rotate_and_store(own, 4, positions, None, memory, slots)  # makes the memory
        rows.rotate_and_store(own, 4, positions, None, memory, slots)
        assert torch.equal(own[:, 6:], heads[:, 6:])
        assert torch.equal(memory.pools[0][slots], own[:, 4:])
        assert not memory.pools[0][[2, 3, 4, 7]].any()
        found.append(own)
    assert torch.allclose(*found, rtol=2e-6 if dtype == torch.float32 else 2**-9, atol=2**-9)
    residual, added = normal(2, 33, seed=1, dtype=dtype).to(DEVICE), normal(2, 33, seed=2, dtype=dtype).to(DEVICE)
    expected = residual + added
    got = triton.add_norm(added, residual, torch.ones(33, dtype=dtype, device=DEVICE))
    assert torch.equal(residual, expected)
    assert torch.allclose(got, plain.norm(expected, torch.ones(33, dtype=dtype, device=DEVICE)), atol=2**-9)


def test_rows_are_stored_in_eight_bits_as_torch_rounds_them() -> None:
    numbers = torch.arange(1 << 16, dtype=torch.int32).to(torch.uint16).view(torch.bfloat16).float()
    rng = torch.Generator().manual_seed(0)
    numbers = torch.cat((numbers, torch.randn(1 << 16, generator=rng) * 2.0 ** (torch.arange(1 << 16) % 24 - 13)))
    keys_and_values = torch.stack((torch.zeros(len(numbers) // 1024, 1024), numbers.view(-1, 1024)), dim=1).to(DEVICE)
    rows, slots = len(keys_and_values), torch.arange(len(keys_and_values), device=DEVICE)
    memory = LayerCache(rows, 1, (keys_and_values[:1],), is_fp8=True)
    triton = TritonElementwise(make_norms(torch.float32, 1024))
    triton.rotate_and_store(keys_and_values, 0, slots % 40, None, memory, slots)
    got, expected = (from_fp8(each, torch.float32) for each in (memory.pools[0], to_fp8(keys_and_values)))
    assert torch.equal(got.isnan(), expected.isnan())
    assert torch.equal(got.nan_to_num(), expected.nan_to_num())


@triton.jit
def widen(bits, out) -> None:
    place = tl.arange(0, 256)
    tl.store(out + place, widened(tl.load(bits + place)))


def test_eight_bits_are_widened_as_torch_does() -> None:
    bits = torch.arange(256, dtype=torch.uint8, device=DEVICE)
    out = torch.zeros(256, dtype=torch.float16, device=DEVICE)
    widen[(1,)](bits, out)
    expected = from_fp8(bits, torch.float16)
    assert torch.equal(out.isnan(), expected.isnan())
    assert torch.equal(out.nan_to_num(), expected.nan_to_num())


@pytest.mark.parametrize("mistake", ["eps", "sin", "raises", None])
def test_rows_that_are_wrong_are_not_used(
    mistake: str | None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Wrong(TritonElementwise):
        def __init__(self, norms: Norms) -> None:
            if mistake == "raises":
                raise RuntimeError("no compiler")
            wrong = {"eps": {"eps": 0.5}, "sin": {"sin": -norms.sin}}.get(mistake or "", {})
            super().__init__(replace(norms, **wrong))

    monkeypatch.setattr(elementwise, "TritonElementwise", Wrong)
    monkeypatch.setattr(elementwise, "why_no_triton", lambda device: None)
    norms = make_norms(torch.float16, 16)  # for which there are no kernels of a CPU
    assert type(choose_elementwise(norms)) is (Wrong if mistake is None else Elementwise)
    assert ("not using kernels in Triton" in caplog.text) == (mistake is not None)


def choose(logits: Tensor, masks: Any, mask_rows: list[int], heats: list[float], points: Any) -> Any:
    from gateway.engine.gpu_kernels.choice import choose

    numbers = [(masks.view(np.int32), torch.int32), (mask_rows, torch.int32), (heats, torch.float32)]
    given = [torch.as_tensor(each, dtype=dtype, device=DEVICE) for each, dtype in numbers]
    given += [torch.as_tensor(points, dtype=torch.float64, device=DEVICE)]
    return tuple(each.cpu() for each in choose(logits.to(DEVICE), *given))


@pytest.mark.parametrize("vocab", [5, 997, 4096, 5003, 20_000])
def test_choose_says_what_the_sampler_says(vocab: int) -> None:
    """Masked or not, drawn or not, in every combination."""
    chooser = np.random.default_rng(vocab)
    words = -(-vocab // 32)
    masks = chooser.integers(0, 1 << 32, (4, words), dtype=np.uint32)
    masks[0] &= chooser.integers(0, 1 << 32, words, dtype=np.uint32)  # a quarter
    masks[1] = 0
    masks[1, -1] = 1  # one token, the first of the last word
    masks[:, 0] |= 3 * (np.arange(4) != 1).astype(np.uint32)
    mask_rows = [0, 1, -1, 3, 2, -1, 0, -1]
    heats = [0, 0.7, 0, 1.0, 0.3, 1.3, 0, 0.05]
    points = chooser.random(8)
    for scale in (1.0, 12.0):
        logits = torch.from_numpy(chooser.standard_normal((8, vocab)).astype(np.float32)) * scale
        tokens, peaks = choose(logits, masks, mask_rows, heats, points)
        for row, (mask_row, heat) in enumerate(zip(mask_rows, heats, strict=True)):
            scores = logits[row : row + 1].clone()
            if mask_row >= 0:
                forbid_elsewhere(scores, masks[mask_row : mask_row + 1])
            expected = best(scores)[0][0]
            assert peaks[row] == pytest.approx(float(scores.max()) / (heat or 1), rel=1e-6)
            if heat:
                point = torch.from_numpy(points[row : row + 1])
                expected = int(draw((scores / heat).softmax(dim=-1), point)[0])
            assert int(tokens[row]) == expected


@pytest.mark.parametrize("vocab", [5, 997, 5003])
@pytest.mark.parametrize("ties", [False, True])
def test_narrow_leaves_what_warpers_leave(vocab: int, ties: bool) -> None:
    from gateway.engine.gpu_kernels.choice import narrow

    kinds: list[dict[str, Any]] = [
        {"temperature": 0.0},
        {"temperature": 0.7, "top_k": 3},
        {"top_p": 0.5},
        {"min_p": 0.2},
        {"temperature": 1.5, "top_k": 40, "top_p": 0.9, "min_p": 0.01},
        {"top_k": 1},
        {"top_p": 1e-6},
        {"temperature": 0.3},
    ]
    sampling = [SamplingParams(max_tokens=1, **kind) for kind in kinds]
    requests = [GenerationRequest(request_id="", prompt_ids=[0], sampling=each) for each in sampling]
    rows = SamplingRows([Sequence(request, 0) for request in requests])
    rows.mask_rows[:] = [0, 1, -1, 0, 1, -1, 0, 1]
    masks = MaskFiller(vocab, 2, None, overlap=False)
    masks.rows = np.random.default_rng(vocab).integers(0, 1 << 32, (2, -(-vocab // 32)), dtype=np.uint32) | 1
    chain = [TokenMask(masks), *build_chain(rows.sequences, WarpContext(torch.device("cpu"), vocab, (), masks))]
    logits = normal(8, vocab, seed=vocab) * 3
    expected = (logits.round() if ties else logits).clone()
    got = expected.clone().to(DEVICE)
    for warper in chain:
        warper.apply(expected, rows)
    ending = GpuChoice.take_over(chain, rows.sequences, vocab)
    assert not chain
    given = (masks.rows.view(np.int32), rows.mask_rows.astype(np.int32), ending.heats, *ending.limits)
    narrow(got, *(torch.from_numpy(each).to(DEVICE) for each in given))
    torch.testing.assert_close(got.cpu(), expected, rtol=1e-6, atol=1e-6)


def test_choose_draws_in_proportion() -> None:
    weights = torch.tensor([0.5, 0.25, 0.0, 0.125, 0.125])
    points = (np.arange(64) + 0.5) / 64
    none = np.zeros((1, 1), np.uint32)
    tokens, _ = choose(weights.log().expand(64, 5).contiguous(), none, [-1] * 64, [1.0] * 64, points)
    assert torch.bincount(tokens, minlength=5).tolist() == [32, 16, 0, 8, 8]


@pytest.mark.parametrize("point", [0.0, np.nextafter(1.0, 0.0)])
def test_choose_draws_what_may_be_said_at_either_end(point: float) -> None:
    """Where blocks at either end hold nothing that may be said."""
    masks = np.zeros((1, 400), np.uint32)
    masks[0, 130:260] = 0x00F0_0F00
    tokens, _ = choose(normal(2, 12_800) * 40, masks, [0, 0], [1.0, 1e-3], [point, point])
    assert all(masks[0, token >> 5] >> (token & 31) & 1 for token in tokens.tolist())


@pytest.mark.parametrize("heat", [0.0, 1.0])
def test_choose_tells_rows_that_hold_no_numbers(heat: float) -> None:
    logits = normal(4, 300)
    logits[1, 7], logits[2, 7], logits[3, 7] = float("nan"), float("inf"), float("nan")
    masks = np.full((1, 10), 0xFFFFFFFF, np.uint32)
    masks[0, 0] &= ~np.uint32(1 << 7)
    tokens, peaks = choose(logits, masks, [-1, -1, -1, 0], [heat] * 4, [0.5] * 4)
    assert peaks.isfinite().tolist() == [True, False, False, True]  # what may not be said does not count
    assert 0 <= int(tokens.min()) <= int(tokens.max()) < 300


@pytest.mark.parametrize("num_rows", [1, 17, 40])
@pytest.mark.parametrize(("num_bits", "group"), [(4, 32), (4, 128), (8, 16), (8, 320)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16], ids=str)
def test_products_in_few_bits_are_those_of_the_weights(
    dtype: torch.dtype, num_bits: int, group: int, num_rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    outputs, inputs = 70, 320 if group != 128 else 384
    rng = np.random.default_rng(num_bits + group)
    codes = rng.integers(0, 1 << num_bits, (outputs, inputs), dtype=np.uint8)
    scales, leasts = (rng.random((outputs, inputs // group), dtype=np.float32) - 0.5 for _ in range(2))
    weight = Codes(codes, scales, leasts, num_bits)
    rows, bias = normal(num_rows, inputs, dtype=dtype).to(DEVICE), normal(outputs, seed=3, dtype=dtype).to(DEVICE)
    monkeypatch.setattr(few_bits_module, "GPU_STEP_BYTES", 32 * inputs * dtype.itemsize)  # more rows: three steps
    got = GpuFewBitsLinear(few_bits([weight]), bias, DEVICE)(rows)
    exact = rows.double() @ torch.from_numpy(weight.whole()).to(DEVICE).double().T + bias.double()
    assert got.dtype == dtype
    error = (got.double() - exact).abs() / exact.square().mean(dim=1, keepdim=True).sqrt()
    assert error.max() < (1e-5 if dtype == torch.float32 else 5e-3)


def test_answers_that_kernels_choose_are_those_that_torch_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Masks, bans, temperatures and truncation, log-probabilities and drafts that were drawn, in one batch."""
    options: dict[str, Any] = {"temperature": 0.9, "logprobs": 1}
    kinds: list[dict[str, Any]] = [
        {"temperature": 0.0},
        {"temperature": 1.0, "logit_bias": {7: 2.0}},
        {"top_p": 0.8, "bad_words_ids": ((5,), (6, 7))},
        {"min_tokens": 3},
        {"temperature": 0.0},
    ]
    calls: list[int] = []
    choose = GpuChoice.choose

    def watched(self: GpuChoice, logits: Tensor, rows: SamplingRows, *args: Any) -> Any:
        calls.append(len(rows))
        return choose(self, logits, rows, *args)

    monkeypatch.setattr(GpuChoice, "choose", watched)
    # All together, where truncation keeps the chain; those without it; with drafts from a distribution beside them.
    for chosen, drafts in ((kinds, ()), ([*kinds[:2], *kinds[3:]], ("ngram", "model"))):
        answers = []
        for reason in (None, "on a CPU"):
            monkeypatch.setattr(gpu_choice, "why_unavailable", lambda device, reason=reason: reason)
            engine = make_engine(
                device=DEVICE.type, draft_model=make_model("qwen3") if drafts else None, speculation=drafts
            )
            requests = [
                make_request(
                    i, [3 + i, 9], 6, **(options | {"seed": i} | {k: v() if v is even else v for k, v in k.items()})
                )
                for i, k in enumerate(chosen)
            ]
            events = run_checked(engine, requests)
            answers.append({number: tokens_of(each) for number, each in events.items()})
            assert bool(calls) == (reason is None)
            calls.clear()
        assert answers[0] == answers[1]


def test_a_choice_that_is_wrong_is_not_used(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    from gateway.engine.gpu_kernels import choice as kernels

    assert gpu_choice.why_wrong(DEVICE) is None
    choose = kernels.choose
    monkeypatch.setattr(kernels, "choose", lambda logits, *args: choose(logits + torch.arange(5000) * 1e-3, *args))
    monkeypatch.setattr(gpu_choice, "why_no_triton", lambda device: None)
    assert "instead of" in (gpu_choice.why_unavailable.__wrapped__(DEVICE) or "")
    assert "not choosing tokens by kernels" in caplog.text
